import { seedFor } from "../arbitraries/seed.js";
import type { Exchange } from "../connect/exchange.js";
import { type JsonInput, stringify } from "../connect/json.js";
import type { Interactions } from "../exploration/covering-array.js";
import type { ShownBody } from "../judge/located-rows.js";
import { storedState } from "../judge/stored-state.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { type Endpoint, type UnaryEndpoint, unaryEndpointNames } from "../specification/endpoints.js";
import { anyRuleById, isOwnRuleId } from "../specification/own-rules.js";
import { levelUnder } from "../specification/readings.js";
import type { Level } from "../specification/rule.js";
import type { MissingData } from "../subjects/hints.js";
import type { AnswerOf } from "./answer.js";
import { AssertionLog } from "./assertion-log.js";
import { bracket, spreadBracket, steadyBracket } from "./bracket.js";
import { CheckClient } from "./check-client.js";
import type { CheckRun } from "./check-run.js";
import type { Calls, CheckContext } from "./context.js";
import { delistedMarket } from "./delisted.js";
import type { Environment } from "./environment.js";
import type { Blocker, CheckResult, Counterexample, Verdict } from "./result.js";
import { bodyKnown, rejectSample, rowsInWords } from "./samples.js";
import { Blocked, Halt, Inconclusive, TransportTrouble, Unimplemented } from "./signals.js";
import type { CheckDefinition } from "./suite.js";
import { describeOutcome, verifyInto } from "./verify.js";

/** The result of a check, and the exchanges that it made or read. */
export interface Execution {
  readonly result: CheckResult;
  readonly exchanges: readonly Exchange[];
}

/** Runs one check. Never throws: whatever happens becomes a verdict. */
export async function execute(
  check: CheckDefinition,
  environment: Environment,
  signal?: AbortSignal,
): Promise<Execution> {
  const started = performance.now();
  const own = isOwnRuleId(check.rule);
  // What user-defined checks request does not affect the catalogue's rules.
  const judged = check.kind !== "observation" && !own && absent(environment, check.endpoint) === undefined;
  const every = judged ? environment.everyAnswer : undefined;
  const client = new CheckClient(environment, check.name, every, signal);
  const attempt = await withoutDelisted(await runAndConfirm(check, environment, client), check, environment, client);
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
      ...(own ? { own: anyRuleById(check.rule) } : {}),
      name: check.name,
      endpoint: check.endpoint,
      verdict,
      assertions: log.assertions,
      ...(text === "" ? {} : { message: text }),
      ...(blockedBy ? { blockedBy } : {}),
      violations: leftOpen ? [] : violations,
      ...(counterexample ? { counterexample } : {}),
      ...(observations.length > 0 ? { observations } : {}),
      ...(interactions ? { interactions } : {}),
      ...(sampled.length > 0 ? { sampled } : {}),
      subjects: [...subjects],
      exchanges: client.exchanges.map((exchange) => exchange.id),
      requests: client.sent,
      durationMs: Math.round(performance.now() - started),
    },
  };
}

/** What one attempt records besides its assertions. */
interface Kept {
  readonly notes: string[];
  readonly observations: { what: string; seen: string }[];
  readonly subjects: Set<string>;
  interactions?: Interactions;
  /** Whether answers were compared with each other. */
  compared: boolean;
  /** Whether the answers showed that the data changed. */
  moved: boolean;
}

/** The result of running a check once. */
interface Attempt extends Kept {
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
 * match may then be a coincidence. Differences that are not found again on the same rows are put down to changing data.
 */
async function runAndConfirm(check: CheckDefinition, environment: Environment, client: CheckClient): Promise<Attempt> {
  const first = await runOnce(check, environment, client, "first");
  if (check.kind === "observation" || !first.log.violated || !first.compared) return first;
  let same = first.log.found;
  let last = first;
  for (const attemptNumber of ["second", "third"] as const) {
    await environment.pause(pauseMs);
    last = await runOnce(check, environment, client, attemptNumber);
    const { found } = last.log;
    const again = [...same].filter((difference) => found.has(difference));
    const isSteady = again.length === same.size && found.size === same.size && !first.moved && !last.moved;
    if (again.length > 0 && (attemptNumber === "third" || isSteady)) return first;
    if (again.length === 0) break;
    same = new Set(again);
  }
  return { ...last, log: new AssertionLog(), end: isSignal(last.end) ? notFoundAgain(first, last) : last.end };
}

/** Drops findings about a market that was delisted during the run; they are not held against the target. */
async function withoutDelisted(
  attempt: Attempt,
  { kind, name }: CheckDefinition,
  { subjects }: Environment,
  client: CheckClient,
): Promise<Attempt> {
  if (kind === "observation" || !attempt.log.violated) return attempt;
  const asking = client.forRead(`markets of ${name}`);
  const marketId = await delistedMarket(attempt.log.violating, subjects, asking);
  for (const exchange of asking.exchanges) client.adopt(exchange);
  if (marketId === undefined) return attempt;
  const end = new Inconclusive(
    `the market ${marketId} was delisted while the run went on; another run would settle it`,
  );
  return { ...attempt, log: new AssertionLog(), end: isSignal(attempt.end) ? end : attempt.end };
}

function notFoundAgain({ log }: Attempt, { end }: Attempt): Inconclusive {
  const [found] = log.violations(() => "");
  if (end instanceof Error && !(end instanceof Halt))
    return new Inconclusive(`what was found could not be looked at again: ${found?.message}; ${end.message}`);
  return new Inconclusive(
    `the data changed, and what was found was not found again: ${found?.message}; a quieter platform would settle it`,
  );
}

/** Which attempt this is: the second reads in the other order and more often, the third over a longer time. */
type AttemptNumber = "first" | "second" | "third";

async function runOnce(
  check: CheckDefinition,
  environment: Environment,
  client: CheckClient,
  attemptNumber: AttemptNumber,
): Promise<Attempt> {
  const log = new AssertionLog();
  const kept: Kept = { notes: [], observations: [], subjects: new Set(), compared: false, moved: false };
  const contextOn = (into: AssertionLog) => contextOf(check, environment, client, into, kept, attemptNumber);
  const checkRun: CheckRun = { context: contextOn(log), log, on: contextOn };
  let end: unknown;
  try {
    admit(check, environment, check.endpoint);
    await check.run(checkRun);
  } catch (signalOrFault) {
    end = signalOrFault;
  }
  const { counterexample } = checkRun;
  return { log, ...kept, ...(counterexample ? { counterexample } : {}), end };
}

/** The rule that an operation exists. If it does not, only this rule is judged, and every other check on it is blocked. */
const pathRule: RuleId = "protocol.post-path";

function absent({ subjects }: Environment, endpoint: Endpoint): Blocker | undefined {
  return subjects.broken.find(({ operation, kind }) => operation === endpoint && kind === "absent");
}

/** @throws Blocked if the operation is absent */
function admit(check: CheckDefinition, environment: Environment, endpoint: Endpoint): void {
  const blocker = check.rule === pathRule ? undefined : absent(environment, endpoint);
  if (blocker) throw new Blocked(blocker);
}

/** The ways in which a check may end early without a fault of the harness. */
const signals = [Blocked, Halt, Inconclusive, Unimplemented, TransportTrouble] as const;

/** Whether an attempt ended regularly or by a signal, not by a fault of the harness. */
function isSignal(end: unknown): boolean {
  return end === undefined || signals.some((signal) => end instanceof signal);
}

/** The verdict of a check (rulings on verdicts): a violation that was seen stands, and seeing nothing is never a pass. */
function conclude(
  { rule, endpoint }: CheckDefinition,
  level: Level,
  log: AssertionLog,
  recorded: number,
  end: unknown,
): { verdict: Verdict; message?: string; blockedBy?: Blocker } {
  const fault = isSignal(end) ? undefined : `the harness broke: ${describeFault(end)}`;
  if (level !== "observation" && log.violated) {
    return { verdict: level === "mandatory" ? "fail" : "warn", ...(fault === undefined ? {} : { message: fault }) };
  }
  if (fault !== undefined) return { verdict: "error", message: fault };
  if (level === "observation" && recorded > 0) return { verdict: "observed" };
  if (end instanceof Blocked || (end instanceof Unimplemented && end.blocker.operation !== endpoint))
    return { verdict: "blocked", message: end.message, blockedBy: end.blocker };
  if (end instanceof TransportTrouble) return { verdict: "error", message: end.message };
  if (end instanceof Unimplemented) return { verdict: "unimplemented", message: end.message };
  if (end instanceof Inconclusive) return { verdict: "inconclusive", message: end.message };
  if (level !== "observation" && log.assertions > 0) return { verdict: "pass" };
  const { missing, absent, searched } = log;
  if (absent !== undefined && anyRuleById(rule).mayBeAbsent === undefined) {
    return {
      verdict: "error",
      message: `the harness broke: a judge looked for something optional, but ${rule} has no \`mayBeAbsent\``,
    };
  }
  if (missing === undefined && absent !== undefined && searched > 0) {
    const places = `${searched.toLocaleString("en-US")} ${searched === 1 ? "place" : "places"}`;
    return { verdict: "notApplicable", message: `looked in ${places} of ${endpoint} for ${absent}, and found none` };
  }
  return {
    verdict: "inconclusive",
    message: missing ?? (absent ? `needs ${absent}` : "no data was seen on which the rule could be asserted"),
  };
}

/** An exception on one line: what it says, and where in the code it was thrown. */
function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const where = /^ +at (.*)$/m.exec(fault.stack ?? "")?.[1];
  return `${fault.name}: ${fault.message}${where === undefined ? "" : ` (at ${where})`}`;
}

function contextOf(
  check: CheckDefinition,
  environment: Environment,
  client: CheckClient,
  log: AssertionLog,
  kept: Kept,
  attemptNumber: AttemptNumber,
): CheckContext {
  const stableBody = (body: unknown) => storedState(body as ShownBody);
  const own = isOwnRuleId(check.rule);
  const compares = () => {
    kept.compared = true;
  };
  /** A bracketed read always counts as a comparison. */
  const bracketFor =
    (reader: { compared: boolean; moved: boolean }): CheckContext["bracket"] =>
    (readA, readB, stable = stableBody) => {
      reader.compared = true;
      const onMotion = () => {
        reader.moved = true;
      };
      switch (attemptNumber) {
        case "first":
          return bracket(readA, readB, stable, onMotion);
        case "second":
          return steadyBracket(readA, readB, stable, stableBody, onMotion);
        case "third":
          return spreadBracket(readA, readB, stable, environment.pause);
      }
    };
  /** Makes a shared read. The first check that needs it sends its requests, in its own name. */
  const once = async <T>(
    what: string,
    read: (common: CheckClient, bracketing: CheckContext["bracket"]) => Promise<T>,
  ): Promise<T> => {
    const key = `${{ first: "", second: "again: ", third: "once more: " }[attemptNumber]}${own ? "own: " : ""}${what}`;
    let reading = environment.shared.get(key);
    if (!reading) {
      const common = client.forRead(key, own ? undefined : environment.everyAnswer);
      const soFar = { exchanges: common.exchanges, compared: false, moved: false };
      reading = Object.assign(soFar, { value: read(common, bracketFor(soFar)) });
      environment.shared.set(key, reading);
    }
    try {
      return (await reading.value) as T;
    } finally {
      for (const exchange of reading.exchanges) client.adopt(exchange);
      kept.compared ||= reading.compared;
      kept.moved ||= reading.moved;
    }
  };
  const sending = (by: CheckClient): Pick<CheckContext, "ask" | "listen"> => ({
    async ask(endpoint, request = {}, overrides) {
      admit(check, environment, endpoint);
      return by.ask(endpoint, request, overrides);
    },
    async listen(request, until, overrides) {
      admit(check, environment, "GetOpenPositionsStreaming");
      return by.listen(request, until, overrides);
    },
  });
  const { ask, listen } = sending(client);
  return {
    ask,
    call: callsBy(ask),
    listen,
    verify: verifyInto(log, compares),
    required(subject, missing) {
      if (subject === undefined) throw signalOf(missing, check.endpoint);
      const name = nameOfSubject(subject);
      if (name) kept.subjects.add(name);
      return subject;
    },
    bodyOf(answer) {
      rejectSample(answer);
      compares();
      return bodyGiven(answer);
    },
    sampledBodyOf(answer) {
      compares();
      return bodyGiven(answer);
    },
    inconclusive(reason): never {
      throw new Inconclusive(reason);
    },
    bracket: bracketFor(kept),
    stableRead: async (read, stable = stableBody) => (await bracketFor(kept)(read, async () => {}, stable))[0],
    pause: environment.pause,
    shared: (endpoint, request) =>
      once(`${endpoint} ${stringify(request)}`, (common) => sending(common).ask(endpoint, request)),
    sharedCapture: (window, request, until) => once(window, (common) => sending(common).listen(request, until)),
    sharedRead: (name, read) =>
      once(name, (common, bracketing) =>
        read({
          ...sending(common),
          bracket: bracketing,
          pause: environment.pause,
          strength: environment.strength,
        }),
      ),
    record: (what, seen) =>
      kept.observations.push({ what, seen: typeof seen === "string" ? seen : describeOutcome(seen) }),
    note: (text) => kept.notes.push(text),
    tried(interactions) {
      kept.interactions = interactions;
    },
    startedAt: environment.startedAt,
    subjects: environment.subjects,
    profile: environment.profile,
    alsoAsk: environment.alsoAsk ?? [],
    streamWatchMs: environment.streamWatchMs ?? 0,
    readings: environment.readings,
    seed: seedFor(environment.seed, check.name),
    runSeed: environment.seed,
    strength: environment.strength,
    endpoint: check.endpoint,
  };
}

/**
 * The signal for a missing subject: inconclusive, or blocked by the operation that would show it; unimplemented if that is
 * the check's own operation.
 */
function signalOf(missing: string | MissingData, endpoint: Endpoint): Inconclusive | Blocked | Unimplemented {
  if (typeof missing === "string") return new Inconclusive(missing);
  const { blockedBy, reason } = missing;
  if (blockedBy?.operation === endpoint && blockedBy.kind === "unimplemented") return new Unimplemented(blockedBy);
  return blockedBy ? new Blocked(blockedBy, reason) : new Inconclusive(reason);
}

/** The body, possibly sampled, of an answer that is not judged itself but leads to what is. */
function bodyGiven<Body>(answer: AnswerOf<Body>): Body {
  const body = bodyKnown(answer);
  if (body !== undefined) return body;
  throw new Inconclusive(`needs a success of ${answer.endpoint}, which gave ${describeOutcome(answer)}`);
}

function callsBy(ask: CheckContext["ask"]): Calls {
  const call = (endpoint: UnaryEndpoint) => [
    endpoint.charAt(0).toLowerCase() + endpoint.slice(1),
    (request?: JsonInput, overrides?: Parameters<typeof ask>[2]) => ask(endpoint, request, overrides),
  ];
  return Object.fromEntries(unaryEndpointNames.map(call)) as Calls;
}

/** A subject's name in results: what it is, and the exchange that showed it. */
function nameOfSubject(subject: unknown): string | undefined {
  if (typeof subject !== "object" || subject === null) return undefined;
  const { address, marketId, positionId, provenance } = subject as Record<string, unknown>;
  const name = address
    ? `wallet ${address}`
    : positionId
      ? `position ${positionId}`
      : marketId
        ? `market ${marketId}`
        : undefined;
  return name && provenance ? `${name} (shown by ${provenance})` : name;
}
