/** Judges answers as a whole: outcome, status and headers. What the body says is for other judges. */
import { isMessage } from "../connect/envelope.js";
import { type Exchange, isOk, mediaType } from "../connect/exchange.js";
import type { Json, JsonObject } from "../connect/json.js";
import type { Outcome, StreamProblem } from "../connect/outcome.js";
import { type Endpoint, endpoints, isStream } from "../specification/endpoints.js";
import { shortDigest } from "./digest.js";
import { failed, type Judgement, judgeThat, nothingSeen, passed, show } from "./judgement.js";
import type { Snapshots } from "./located-rows.js";
import { canonicalStored } from "./read-stored.js";

/** How many characters to show of a success body that should have been an error. */
const bodyShown = 200;

/** One answer with all that was received. */
export interface WholeAnswer<Body = unknown> {
  readonly endpoint: Endpoint;
  readonly exchange: Exchange;
  readonly outcome: Outcome<Body>;
}

/** Whether an answer is a success, whether read whole or as a sample. */
export function isSuccess({ outcome }: Pick<WholeAnswer, "outcome">): boolean {
  return outcome.kind === "success" || outcome.kind === "sample";
}

/** A success and its body in words, for when an error was expected. */
export function successInWords({ outcome, exchange }: WholeAnswer): string {
  const content = outcome.kind === "success" ? `: ${show(outcome.body, bodyShown)}` : "";
  return `a success (HTTP ${exchange.response?.status ?? 0})${content}`;
}

/** An error in a few words: `the error not_found: "no such market" (HTTP 404)`. */
export function errorInWords(code: string, message: Json | undefined, exchange: Exchange): string {
  return `the error ${code}: ${message === undefined ? "without a message" : show(message)}${statusInWords(exchange)}`;
}

function statusInWords({ response }: Exchange): string {
  return response ? ` (HTTP ${response.status})` : "";
}

/** What the description of an answer begins with that is neither a success nor a Connect error. */
export const noConnectAnswer = "no Connect answer";

/** What came in place of a Connect answer, in words. */
export function noAnswerInWords(outcome: Extract<Outcome, { kind: "malformed" | "failure" }>): string {
  return outcome.kind === "malformed" ? outcome.reason : `${outcome.failure}: ${outcome.message}`;
}

/** Whether the HTTP status is that of a success, whatever the body is. */
export function hasSuccessStatus({ response }: Exchange): boolean {
  return response !== undefined && isOk(response.status);
}

/** HTTP statuses that say that the operation does not exist, does not accept POST, or is elsewhere. */
const notThere = new Set([301, 302, 303, 307, 308, 404, 405, 410]);

/** An operation answers a POST to its path (§1): with a success or any Connect error, `unimplemented` included. */
export function answersAtItsPath({ endpoint, exchange, outcome }: WholeAnswer): Judgement {
  if (isSuccess({ outcome }) || outcome.kind === "error") return passed;
  if (outcome.kind === "malformed" && notThere.has(exchange.response?.status ?? 0)) {
    return failed({ expected: `an answer of the operation at ${endpoints[endpoint].path}`, seen: outcome.reason });
  }
  return nothingSeen(`a Connect answer of ${endpoint}`);
}

/** Operations whose successes are never empty: they hold a result object, an id, or a pagination object (P8). */
const neverEmpty: ReadonlySet<Endpoint> = new Set<Endpoint>([
  "GetAllPositions",
  "GetAllOrders",
  "GetPortfolio",
  "GetOrderBook",
  "GetMarketConfigs",
  "GetMarketIdByName",
]);

/** Whether a success is `{}`, which this operation never sends. Something else may have answered then. */
export function isEmptySuccess(operation: Endpoint, body: JsonObject): boolean {
  return neverEmpty.has(operation) && Object.keys(body).length === 0;
}

/**
 * An operation that gave neither a success nor a documented refusal during discovery gives one now. Otherwise it does not
 * exist at its path (§1).
 *
 * @param known whether the request is about something that exists, so that `not_found` is not a documented answer
 */
export function existsAtItsPath(known: boolean): (answer: WholeAnswer) => Judgement {
  return ({ endpoint, exchange, outcome }) => {
    const code = outcome.kind === "error" ? outcome.code : "";
    const isEmpty = outcome.kind === "success" && isEmptySuccess(endpoint, outcome.body as JsonObject);
    if (!known && (isEmpty || code === "not_found")) {
      return nothingSeen(`an answer that only ${endpoint} can have given`);
    }
    const expected = `a success or a documented refusal, from the operation at ${endpoints[endpoint].path}`;
    switch (outcome.kind) {
      case "sample":
        return passed;
      case "success":
        return judgeThat(!isEmpty, { expected, seen: `{}${statusInWords(exchange)}` });
      case "error":
        if (code === "unimplemented" || code === "invalid_argument") return passed;
        return failed({ expected, seen: errorInWords(code, outcome.message, exchange) });
      default:
        return failed({ expected, seen: noAnswerInWords(outcome) });
    }
  };
}

/**
 * The content type of a success, and of a Connect error in answer to a unary request (W9). Other answers are not
 * documented, so their content type is not judged.
 */
export function hasConnectContentType({ endpoint, exchange, outcome }: WholeAnswer): Judgement {
  const streams = isStream(endpoint);
  const documented = isSuccess({ outcome }) || (outcome.kind === "error" && !streams);
  if (!documented || !exchange.response) return nothingSeen(`a success of ${endpoint}`);
  const expected = streams ? "application/connect+json" : "application/json";
  const seen = mediaType(exchange.response.headers);
  return judgeThat(seen === expected, { path: "content-type", expected, seen: seen ?? "none" });
}

/** A 2xx answer of a unary operation is one JSON object and nothing else (§1). A sample cannot show this. */
export function holdsOneJsonObject({ exchange, outcome }: WholeAnswer): Judgement {
  if (outcome.kind === "success") return passed;
  if (outcome.kind !== "malformed" || !hasSuccessStatus(exchange)) return nothingSeen("a success");
  return failed({ expected: "one JSON object and nothing else", seen: outcome.reason });
}

/** What was read of a stream. */
interface StreamBody extends Snapshots {
  readonly problem?: StreamProblem;
}

/** Each message of a stream is one JSON object and nothing else (§1). */
export function messagesAreJsonObjects({ exchange, outcome }: WholeAnswer<StreamBody>): Judgement {
  if (outcome.kind !== "success") return nothingSeen("a message of the stream");
  const { messages, problem } = outcome.body;
  const unreadable = problem?.kind === "unreadable" ? exchange.frames?.[problem.frame] : undefined;
  if (problem?.kind === "unreadable" && unreadable && isMessage(unreadable)) {
    const fault = { expected: "one JSON object and nothing else", seen: problem.message };
    return { examined: messages.length + 1, violations: [{ path: `frames[${problem.frame}]`, ...fault }] };
  }
  return { examined: messages.length, violations: [], missing: "a message of the stream" };
}

/**
 * Two answers to requests that differ only in a header are alike (H1, H2): both are successes with the same stored state,
 * or errors with the same code. List order is not compared, since not every list has one. Nor is it compared which rows
 * with equal timestamps a page ends with (P4).
 */
export function behavesLike(usual: WholeAnswer<JsonObject>, answer: WholeAnswer<JsonObject>): Judgement {
  const expected = usual.exchange.throttled ? undefined : inShort(usual.outcome);
  const seen = inShort(answer.outcome);
  if (expected === undefined) return nothingSeen(`a Connect answer of ${usual.endpoint} to compare with`);
  if (expected !== seen) return failed({ expected, seen: seen ?? noConnectAnswer });
  if (usual.outcome.kind === "sample" || answer.outcome.kind === "sample") {
    return nothingSeen(`a success of ${usual.endpoint} that is read whole, to compare with`);
  }
  if (usual.outcome.kind !== "success" || answer.outcome.kind !== "success") return passed;
  const states = [usual.outcome.body, answer.outcome.body].map(regardlessOfOrder);
  if (states[0] === states[1]) return passed;
  const row = shortDigest(states.join("\n"));
  return failed({ expected: "the same data", seen: "other data", row });
}

/** The stored state of a body as text, independent of list order. */
function regardlessOfOrder(body: JsonObject): string {
  const state: Readonly<Record<string, unknown>> = JSON.parse(canonicalStored(body));
  if (body.pagination === undefined) return JSON.stringify(sorted(state));
  const { positions, orders, ...others } = state;
  return JSON.stringify(sorted({ ...others, positions: withEndCounted(positions), orders: withEndCounted(orders) }));
}

/**
 * The rows of a page, with those that have the last timestamp replaced by their number: the next page may have more of them.
 */
function withEndCounted(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  const end = rows.at(-1)?.timestamp;
  const before = rows.filter(({ timestamp }) => timestamp !== end);
  return [...before, { timestamp: end, rows: rows.length - before.length }];
}

/** A value with all lists in it sorted by content. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    // Return values, not their JSON: JSON nested in JSON doubles in length at each level.
    const items = value.map(sorted).map((item) => ({ item, text: JSON.stringify(item) }));
    return items.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ item }) => item);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sorted(member)]));
}

function inShort(outcome: Outcome<JsonObject>): string | undefined {
  if (isSuccess({ outcome })) return "a success";
  return outcome.kind === "error" ? `the error ${outcome.code}` : undefined;
}
