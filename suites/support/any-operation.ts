/** Helpers for checks that run on every operation alike, including the stream. */
import fc from "fast-check";
import {
  emptyBody,
  type FaultPlace,
  type FaultyBody,
  faultPlace,
  lenientTypes,
  malformedBodies,
  malformedBody,
  wrongType,
  wrongTypes,
} from "../../src/arbitraries/json-faults.js";
import { type JsonInput, type JsonObjectInput, stringify } from "../../src/connect/json.js";
import type { RequestOverrides } from "../../src/connect/requests.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { outcomeInWords, rejectTrouble } from "../../src/engine/verify.js";
import { isSuccess } from "../../src/judge/whole-answer.js";
import { type Endpoint, type UnaryEndpoint, walletEndpoints } from "../../src/specification/endpoints.js";
import type { Profile } from "../../src/specification/profile.js";
import {
  documentedErrors,
  selectingRequest,
  simpleRequest,
  simpleRequestBySymbols,
  walletRequest,
} from "../../src/subjects/requests.js";

/** How long to wait for the first message of a stream, in milliseconds. */
const firstMessageMs = 4_000;

/** Asks any operation for one answer. For the stream, that is its first message, or the error sent instead. */
export async function sendToAny(
  { ask, listen }: Pick<CheckContext, "ask" | "listen">,
  endpoint: Endpoint,
  request: JsonInput,
  overrides: RequestOverrides = {},
): Promise<Answer> {
  if (endpoint !== "GetOpenPositionsStreaming") return ask(endpoint, request, overrides);
  const { outcome, ...rest } = await listen(request, { messages: 1, ms: firstMessageMs }, overrides);
  if (outcome.kind !== "success") return { ...rest, outcome };
  const { messages, ended, problem } = outcome.body;
  const [first] = messages;
  if (first) return { ...rest, outcome: { kind: "success", body: first.body } };
  if (ended === "by-us" && !problem) {
    throw new Inconclusive(`${endpoint} neither sent a message nor ended within ${firstMessageMs} ms`);
  }
  const reason = problem?.message ?? "the stream ended without a message";
  return { ...rest, outcome: { kind: "malformed", reason } };
}

/** The answer of the check's operation to an ordinary request, sent in an unusual way. */
export function askSimply(context: CheckContext, overrides?: RequestOverrides): Promise<Answer> {
  const { endpoint, subjects } = context;
  return sendToAny(context, endpoint, simpleRequest(endpoint, subjects), overrides);
}

/** The answers to the requests that the check's operation is documented to refuse; empty if none are documented. */
export function documentedRefusals({ endpoint, subjects, shared }: CheckContext): Promise<readonly Answer[]> {
  const requests = documentedErrors(endpoint, subjects).map(({ request }) => request);
  return Promise.all(requests.map((request) => shared(endpoint as UnaryEndpoint, request)));
}

/** How many random faults are tried in addition to one of each kind, by profile. */
const drawnFaults: Readonly<Record<Profile, number>> = { quick: 0, full: 40 };

function drawn(context: CheckContext, faulty: fc.Arbitrary<FaultyBody>): readonly FaultyBody[] {
  return fc.sample(faulty, { numRuns: drawnFaults[context.profile], seed: context.runSeed });
}

/**
 * The answers of the check's operation to bodies that are not a JSON object. The valid request must have succeeded first
 * (E6).
 */
export async function answersToMalformedBodies(context: CheckContext): Promise<readonly Answer[]> {
  const request = simpleRequest(context.endpoint, context.subjects);
  const faults = [...malformedBodies(request), ...drawn(context, malformedBody(request))];
  const answered = await answersTo(context, "malformed bodies", [{ request, faults }]);
  return answered.map(({ answer }) => answer);
}

/**
 * The answers of the check's operation to fields of a wrong type: all of them, or only those inside or outside the market
 * selector. The valid requests must have succeeded first (E6).
 */
export async function answersToWrongTypes(context: CheckContext, place?: FaultPlace): Promise<readonly Answer[]> {
  const { endpoint, subjects } = context;
  const request = selectingRequest(endpoint, subjects);
  const bySymbols = simpleRequestBySymbols(endpoint, subjects);
  const inSymbols = (faults: readonly FaultyBody[]) =>
    faults.filter(({ fault }) => fault.startsWith("market.marketSymbol"));
  const validRequests = [
    { request, faults: [...wrongTypes(endpoint, request), ...drawn(context, wrongType(endpoint, request))] },
    ...(bySymbols ? [{ request: bySymbols, faults: inSymbols(wrongTypes(endpoint, bySymbols)) }] : []),
  ];
  const answered = await answersTo(context, "wrong types", validRequests);
  return answered.filter(({ fault }) => place === undefined || faultPlace(fault) === place).map(({ answer }) => answer);
}

/** The answers of the check's operation to malformed bodies and to fields of a wrong type. */
export async function answersToMalformedRequests(context: CheckContext): Promise<readonly Answer[]> {
  return [...(await answersToMalformedBodies(context)), ...(await answersToWrongTypes(context))];
}

/** The answer of the check's operation to an address that is too short; none if it takes no address. */
export function answersToMalformedAddress({ endpoint, shared }: CheckContext): Promise<readonly Answer[]> {
  const names = walletEndpoints.filter((name) => name === endpoint);
  return Promise.all(names.map((name) => shared(name as UnaryEndpoint, walletRequest(name, "0x123"))));
}

/** Records the answer of the check's operation to an empty body. */
export async function recordEmptyBody(context: CheckContext): Promise<void> {
  context.record(emptyBody.fault, await sendToAny(context, context.endpoint, emptyBody.body));
}

/** Records the answers of the check's operation to values of another type that some servers convert. */
export async function recordLenientTypes(context: CheckContext): Promise<void> {
  const { endpoint, record, subjects } = context;
  for (const { fault, body } of lenientTypes(endpoint, selectingRequest(endpoint, subjects)))
    record(fault, await sendToAny(context, endpoint, body));
}

/** The answer of the check's operation to a request. Shared by the checks of a worker. */
export async function askAnyOnce(context: CheckContext, request: JsonObjectInput): Promise<Answer> {
  const { endpoint } = context;
  if (endpoint !== "GetOpenPositionsStreaming") return context.shared(endpoint, request);
  return context.sharedRead(`${endpoint} ${stringify(request)}`, (reader) => sendToAny(reader, endpoint, request));
}

/** Sends the valid request that the faulty ones are derived from. Unless it succeeds, they prove nothing. */
async function seenToSucceed(context: CheckContext, request: JsonObjectInput): Promise<void> {
  const answer = await askAnyOnce(context, request);
  rejectTrouble(answer);
  if (isSuccess(answer)) return;
  throw new Inconclusive(
    `needs a success of ${context.endpoint} for ${stringify(request)}, which gave ${outcomeInWords(answer)}`,
  );
}

interface ValidRequest {
  readonly request: JsonObjectInput;
  readonly faults: readonly FaultyBody[];
}

async function answersTo(
  context: CheckContext,
  what: string,
  validRequests: readonly ValidRequest[],
): Promise<readonly { readonly fault: FaultyBody; readonly answer: Answer }[]> {
  const { endpoint, sharedRead } = context;
  for (const { request } of validRequests) await seenToSucceed(context, request);
  const faults = validRequests.flatMap((valid) => valid.faults);
  return sharedRead(`${what} to ${endpoint}`, (reader) =>
    Promise.all(faults.map(async (fault) => ({ fault, answer: await sendToAny(reader, endpoint, fault.body) }))),
  );
}
