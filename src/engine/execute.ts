import type { Exchange } from "../connect/exchange.js";
import { anyRuleById, isOwnRuleId } from "../specification/own-rules.js";
import { levelUnder } from "../specification/readings.js";
import { absentOperation } from "../subjects/broken-operations.js";
import { AssertionLog } from "./assertion-log.js";
import { type Attempt, type AttemptNumber, type AttemptRecord, admit } from "./attempt.js";
import { contextOf } from "./attempt-context.js";
import { changedMarket } from "./changed-market.js";
import { CheckClient } from "./check-client.js";
import { conclude, isSignal } from "./conclude.js";
import type { WorkerEnvironment } from "./environment.js";
import type { CheckResult, Counterexample } from "./result.js";
import { rowsInWords } from "./samples.js";
import { Halt, Inconclusive } from "./signals.js";
import type { CheckDefinition, CheckRun } from "./suite.js";

/** The result of a check, and the exchanges that it made or read. */
export interface Execution {
  readonly result: CheckResult;
  readonly exchanges: readonly Exchange[];
}

/** Runs one check. Never throws: whatever happens becomes a verdict. */
export async function execute(
  check: CheckDefinition,
  environment: WorkerEnvironment,
  signal?: AbortSignal,
): Promise<Execution> {
  const started = performance.now();
  const own = isOwnRuleId(check.rule);
  // What user-defined checks request does not affect the catalogue's rules.
  const judged = check.kind !== "observation" && !own && !absentOperation(environment.subjects, check.endpoint);
  const every = judged ? environment.everyAnswer : undefined;
  const client = new CheckClient(environment, check.name, every, signal);
  const confirmed = await runAndConfirm(check, environment, client);
  const attempt = await withoutChangedMarkets(confirmed, check, environment, client);
  const { log, notes, observations, subjects, interactions, counterexample, end } = attempt;
  const level = levelUnder(environment.readings, check.rule);
  const violations = log.violations(environment.curl);
  // If the chosen reading leaves a rule open, its findings are reported but not held against the target.
  const leftOpen = level === "observation" && check.kind !== "observation";
  if (leftOpen && log.assertions > 0) {
    const seen = violations.length === 0 ? "holds here" : violations.map((violation) => violation.message).join("; ");
    observations.push({ what: "the rule, which the chosen reading leaves open", seen });
  }
  const { verdict, message, blockedBy } = conclude(check, level, log, observations.length, end);
  const { sampled } = log;
  const samples = sampled.map((sample) => `a sample was judged: ${rowsInWords(sample)} of ${sample.endpoint}`);
  const text = [message, ...notes, ...new Set(samples)].filter((part) => part !== undefined).join("; ");
  return {
    exchanges: client.exchanges,
    result: {
      rule: check.rule,
      ...(own && { own: anyRuleById(check.rule) }),
      name: check.name,
      endpoint: check.endpoint,
      verdict,
      assertions: log.assertions,
      ...(text !== "" && { message: text }),
      ...(blockedBy && { blockedBy }),
      violations: leftOpen ? [] : violations,
      ...(counterexample && { counterexample }),
      ...(observations.length > 0 && { observations }),
      ...(interactions && { interactions }),
      ...(sampled.length > 0 && { sampled }),
      subjects: [...subjects],
      exchanges: client.exchanges.map((exchange) => exchange.id),
      requests: client.sent,
      durationMs: Math.round(performance.now() - started),
    },
  };
}

/** The result of one attempt. */
interface AttemptResult extends AttemptRecord {
  readonly log: AssertionLog;
  readonly counterexample?: Counterexample;
  /** What ended it early: a signal, or a fault of the harness. */
  readonly end?: unknown;
}

/** How long to wait before another attempt, in milliseconds: slightly more than a cache or a replica may lag behind (P3). */
const pauseMs = 2_600;

/**
 * Runs the check, and repeats it when a comparison found a violation: after a pause and in the other order. Data may change
 * between two reads and change back, answers may be cached briefly, and replicas may lag behind each other (P3).
 *
 * A third attempt decides if the second one did not find exactly the same, or if the answers showed that the data changed: a
 * match may then be a coincidence, unless the difference is a lasting one. Differences that are not found again on the same
 * rows are put down to changing data.
 */
async function runAndConfirm(
  check: CheckDefinition,
  environment: WorkerEnvironment,
  client: CheckClient,
): Promise<AttemptResult> {
  const first = await runOnce(check, environment, client, "first");
  if (check.kind === "observation" || !first.log.violated || !first.compared) return first;
  let same = first.log.found;
  let last = first;
  for (const number of ["second", "third"] as const) {
    await environment.pause(pauseMs);
    last = await runOnce(check, environment, client, number);
    const { found } = last.log;
    const again = [...same].filter((difference) => found.has(difference));
    const isSteady =
      again.some((difference) => last.log.isLasting(difference)) ||
      (again.length === same.size && found.size === same.size && !first.moved && !last.moved);
    if (again.length > 0 && (number === "third" || isSteady)) return first;
    if (again.length === 0) break;
    same = new Set(again);
  }
  return { ...last, log: new AssertionLog(), end: isSignal(last.end) ? notFoundAgain(first, last) : last.end };
}

/** Drops findings about a market that was delisted or renamed during the run; they are not held against the target. */
async function withoutChangedMarkets(
  attempt: AttemptResult,
  { kind, name }: CheckDefinition,
  { subjects }: WorkerEnvironment,
  client: CheckClient,
): Promise<AttemptResult> {
  if (kind === "observation" || !attempt.log.violated) return attempt;
  const asking = client.forRead(`markets of ${name}`);
  const change = await changedMarket(attempt.log.violating, subjects, asking);
  for (const exchange of asking.exchanges) client.adopt(exchange);
  if (change === undefined) return attempt;
  const end = new Inconclusive(`${change} while the run went on; another run would settle it`);
  return { ...attempt, log: new AssertionLog(), end: isSignal(attempt.end) ? end : attempt.end };
}

function notFoundAgain({ log }: AttemptResult, { end }: AttemptResult): Inconclusive {
  const [found] = log.violations(() => "");
  if (end instanceof Error && !(end instanceof Halt))
    return new Inconclusive(`the violation could not be rechecked: ${found?.message}; ${end.message}`);
  return new Inconclusive(
    `the data changed, and the violation did not recur: ${found?.message}; a run while the data is stable would settle it`,
  );
}

async function runOnce(
  check: CheckDefinition,
  environment: WorkerEnvironment,
  client: CheckClient,
  number: AttemptNumber,
): Promise<AttemptResult> {
  const log = new AssertionLog();
  const record: AttemptRecord = { notes: [], observations: [], subjects: new Set(), compared: false, moved: false };
  const attempt: Attempt = { check, environment, client, number, record };
  const contextOn = (into: AssertionLog) => contextOf(attempt, into);
  const checkRun: CheckRun = { context: contextOn(log), log, contextOn };
  let end: unknown;
  try {
    admit(attempt, check.endpoint);
    await check.run(checkRun);
  } catch (signalOrFault) {
    end = signalOrFault;
  }
  const { counterexample } = checkRun;
  return { log, ...record, ...(counterexample && { counterexample }), end };
}
