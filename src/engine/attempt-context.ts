import { seedFor } from "../arbitraries/seed.js";
import { type JsonInput, stringify } from "../connect/json.js";
import type { Interactions } from "../exploration/covering-array.js";
import type { ShownBody } from "../judge/located-rows.js";
import { storedState } from "../judge/stored-state.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { type Endpoint, type UnaryEndpoint, unaryEndpointNames } from "../specification/endpoints.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import type { MissingData } from "../subjects/hints.js";
import type { AnswerOf } from "./answer.js";
import type { AssertionLog } from "./assertion-log.js";
import { bracket, spreadBracket, steadyBracket } from "./bracket.js";
import type { CheckClient } from "./check-client.js";
import type { Calls, CheckContext } from "./context.js";
import type { WorkerEnvironment } from "./environment.js";
import type { Blocker } from "./result.js";
import { bodyKnown, rejectSample } from "./samples.js";
import { Blocked, Inconclusive, Unimplemented } from "./signals.js";
import type { CheckDefinition } from "./suite.js";
import { describeOutcome, verifyInto } from "./verify.js";

/** What one attempt records besides its assertions. */
export interface AttemptRecord {
  readonly notes: string[];
  readonly observations: { what: string; seen: string }[];
  readonly subjects: Set<string>;
  interactions?: Interactions;
  /** Whether answers were compared with each other. */
  compared: boolean;
  /** Whether the answers showed that the data changed. */
  moved: boolean;
}

/** Which attempt this is: the second reads in the other order and more often, the third over a longer time. */
export type AttemptNumber = "first" | "second" | "third";

/** What the keys of shared reads begin with: each attempt reads again. */
const prefixes: Readonly<Record<AttemptNumber, string>> = { first: "", second: "again: ", third: "once more: " };

/** The key, or the name of an exchange, that a shared read of any attempt has in the first one. */
export function asInFirstAttempt(key: string): string {
  const prefix = Object.values(prefixes).find((each) => each !== "" && key.startsWith(each)) ?? "";
  return key.slice(prefix.length);
}

/** The rule that an operation exists. If it does not, only this rule is judged, and every other check on it is blocked. */
const pathRule: RuleId = "protocol.post-path";

/** Why an operation counts as absent; undefined if it is there. */
export function absent({ subjects }: WorkerEnvironment, endpoint: Endpoint): Blocker | undefined {
  return subjects.broken.find(({ operation, kind }) => operation === endpoint && kind === "absent");
}

/** @throws Blocked if the operation is absent */
export function admit(check: CheckDefinition, environment: WorkerEnvironment, endpoint: Endpoint): void {
  const blocker = check.rule === pathRule ? undefined : absent(environment, endpoint);
  if (blocker) throw new Blocked(blocker);
}

/** The context of one attempt, which writes assertions into `log` and all else into `kept`. */
export function contextOf(
  check: CheckDefinition,
  environment: WorkerEnvironment,
  client: CheckClient,
  log: AssertionLog,
  kept: AttemptRecord,
  attemptNumber: AttemptNumber,
): CheckContext {
  const own = isOwnRuleId(check.rule);
  const compares = () => {
    kept.compared = true;
  };
  /** Makes a shared read. The first check that needs it sends its requests, in its own name. */
  const once = async <T>(
    what: string,
    read: (common: CheckClient, bracketing: CheckContext["bracket"]) => Promise<T>,
  ): Promise<T> => {
    const key = `${prefixes[attemptNumber]}${own ? "own: " : ""}${what}`;
    let shared = environment.shared.get(key);
    if (!shared) {
      const common = client.forRead(key, own ? undefined : environment.everyAnswer);
      const soFar = { exchanges: common.exchanges, compared: false, moved: false };
      shared = Object.assign(soFar, { value: read(common, bracketOf(attemptNumber, environment, soFar)) });
      environment.shared.set(key, shared);
    }
    try {
      return (await shared.value) as T;
    } finally {
      for (const exchange of shared.exchanges) client.adopt(exchange);
      kept.compared ||= shared.compared;
      kept.moved ||= shared.moved;
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
  const ownBracket = bracketOf(attemptNumber, environment, kept);
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
      return requiredBody(answer);
    },
    sampledBodyOf(answer) {
      compares();
      return requiredBody(answer);
    },
    inconclusive(reason): never {
      throw new Inconclusive(reason);
    },
    bracket: ownBracket,
    stableRead: async (read, stable = stableBody) => (await ownBracket(read, async () => {}, stable))[0],
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

const stableBody = (body: unknown) => storedState(body as ShownBody);

/** The bracket of an attempt. A bracketed read always counts as a comparison by its reader. */
function bracketOf(
  attemptNumber: AttemptNumber,
  { pause }: WorkerEnvironment,
  reader: { compared: boolean; moved: boolean },
): CheckContext["bracket"] {
  return (readA, readB, stable = stableBody) => {
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
        return spreadBracket(readA, readB, stable, pause);
    }
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
function requiredBody<Body>(answer: AnswerOf<Body>): Body {
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
