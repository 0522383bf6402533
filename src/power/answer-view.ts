/** A recorded exchange as faults see it. Each exchange is parsed only once. */
import { type Exchange, headerValues } from "../connect/exchange.js";
import { interpretAny } from "../connect/interpret.js";
import { type JsonObject, parseJsonObject } from "../connect/json.js";
import { type KnownSubjects, type ParsedRequest, parseRequest } from "../judge/parsed-request.js";
import type { Endpoint } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";

/** A parsed request and its answer. */
export interface AnswerView {
  readonly exchange: Exchange;
  readonly endpoint: Endpoint;
  /** The request body; empty when it is not a JSON object. */
  readonly request: JsonObject;
  /** The meaning of a documented request; undefined for other requests. */
  readonly asked: ParsedRequest | undefined;
  /** The answer: a success (complete or sampled), the messages of a stream, an error, or anything else. */
  readonly answer:
    | { readonly kind: "success"; readonly body: JsonObject }
    | { readonly kind: "stream"; readonly messages: readonly JsonObject[] }
    | { readonly kind: "error"; readonly code: string; readonly body: JsonObject }
    | { readonly kind: "other" };
}

const views = new WeakMap<Exchange, AnswerView>();

/** The view of an exchange, cached for the lifetime of the exchange. */
export function viewOf(exchange: Exchange, known: KnownSubjects): AnswerView {
  return getOrInsert(views, exchange, () => read(exchange, known));
}

/** A header of the request; undefined when it is absent. */
export function requestHeader({ exchange }: AnswerView, name: string): string | undefined {
  return headerValues(exchange.request.headers, name)[0];
}

function read(exchange: Exchange, known: KnownSubjects): AnswerView {
  const { endpoint, body } = exchange.request;
  const request = parseJsonObject(body) ?? {};
  return { exchange, endpoint, request, asked: parseRequest(endpoint, body, known), answer: answerIn(exchange) };
}

function answerIn(exchange: Exchange): AnswerView["answer"] {
  const outcome = interpretAny(exchange);
  if (outcome.kind === "stream") return { kind: "stream", messages: outcome.messages.map(({ body }) => body) };
  if (outcome.kind === "success" || outcome.kind === "sample") return { kind: "success", body: outcome.body };
  return outcome.kind === "error" ? { kind: "error", code: outcome.code, body: outcome.body } : { kind: "other" };
}
