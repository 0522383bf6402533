import { seedFor } from "../arbitraries/seed.js";
import type { JsonInput } from "../connect/json.js";
import { type Endpoint, type UnaryEndpoint, unaryEndpointNames } from "../specification/endpoints.js";
import { findNeeded, type MissingData, missingData } from "../subjects/hints.js";
import type { AnswerOf } from "./answer.js";
import type { AssertionLog } from "./assertion-log.js";
import { type Attempt, bracketOf, sender } from "./attempt.js";
import type { Calls, CheckContext } from "./context.js";
import { knownBody, rejectSample } from "./samples.js";
import { sharedReads } from "./shared-reads.js";
import { Blocked, Inconclusive, Unimplemented } from "./signals.js";
import { outcomeInWords, verifyInto } from "./verify.js";

/** The context of one attempt, which writes assertions into `log` and all else into the attempt's record. */
export function contextOf(attempt: Attempt, log: AssertionLog): CheckContext {
  const { check, client, environment, record } = attempt;
  const compares = () => {
    record.compared = true;
  };
  const { ask, listen } = sender(client, attempt);
  const bracket = bracketOf(attempt, record);
  const { subjects } = environment;
  const required: CheckContext["required"] = (subject, missing) => {
    if (subject === undefined)
      throw signalOf(typeof missing === "string" ? missingData(subjects, missing) : missing, check.endpoint);
    const name = nameOfSubject(subject);
    if (name) record.subjects.add(name);
    return subject;
  };
  return {
    ask,
    call: callsBy(ask),
    listen,
    ...sharedReads(attempt),
    bracket,
    stableRead: async (read, stable) => (await bracket(read, async () => {}, stable))[0],
    pause: environment.pause,
    verify: verifyInto(log, compares),
    subject: (need) => required(findNeeded(subjects, need), need),
    required,
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
    record(what, seen, inWords) {
      const describe = (answer: Exclude<typeof seen, string>) =>
        inWords && answer.outcome.kind === "success" ? inWords(answer.outcome.body) : outcomeInWords(answer);
      record.observations.push({ what, seen: typeof seen === "string" ? seen : describe(seen) });
    },
    note: (text) => record.notes.push(text),
    tried(interactions) {
      record.interactions = interactions;
    },
    startedAt: environment.startedAt,
    subjects,
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
function signalOf({ blockedBy, reason }: MissingData, endpoint: Endpoint): Inconclusive | Blocked | Unimplemented {
  if (blockedBy?.operation === endpoint && blockedBy.kind === "unimplemented") return new Unimplemented(blockedBy);
  return blockedBy ? new Blocked(blockedBy, reason) : new Inconclusive(reason);
}

/** The body, possibly sampled, of an answer that is not judged itself but leads to what is. */
function requiredBody<Body>(answer: AnswerOf<Body>): Body {
  const body = knownBody(answer);
  if (body !== undefined) return body;
  throw new Inconclusive(`depends on a request to ${answer.endpoint} that gave ${outcomeInWords(answer)}`);
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
