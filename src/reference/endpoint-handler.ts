import { setImmediate as nextTurn } from "node:timers/promises";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import {
  createAsyncIterable,
  encodeEnvelope,
  readAllBytes,
  type UniversalHandler,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { type Endpoint, endpoints, type UnaryEndpoint } from "../specification/endpoints.js";
import { type answerCache, type CachedAnswer, cacheKey } from "./answer-cache.js";
import { applyNetworkDelay, Call, callKey } from "./call.js";
import type { Dataset } from "./dataset/dataset.js";
import { isObject, type MutableJsonObject, stringify } from "./json.js";
import { type HttpReply, type Interceptors, type OutgoingFrame, SubstituteResponse } from "./modification.js";
import type { NetworkDelay } from "./schedule.js";

/** Flag of the frame that ends a Connect stream. */
export const endStreamFlag = 0x02;

const compressedFlag = 0x01;
const unlimited = 0xffff_ffff;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The outcome of a request: Connect's own response, JSON text, or a complete reply that a modification has touched. */
export type ServiceOutcome = Served | ReplyOutcome;

/** The service's answer: JSON text if it produced one, otherwise Connect's response. */
type Served = { readonly kind: "response"; readonly response: UniversalServerResponse } | TextOutcome;

interface ReplyOutcome {
  readonly kind: "reply";
  readonly reply: HttpReply;
}

/** An answer with a text body. */
interface TextOutcome {
  readonly kind: "text";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Serves one HTTP request of one endpoint. */
export type EndpointHandler = (request: UniversalServerRequest) => Promise<ServiceOutcome>;

/** What the handlers of all operations are created from. */
export interface HandlerOptions {
  readonly interceptors: Interceptors;
  readonly delay: NetworkDelay;
  /** Called once per call; returns the function that provides the call's data. */
  readonly view: () => () => Dataset;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Cache of earlier answers; without it every request reaches the service. */
  readonly cache?: ReturnType<typeof answerCache> | undefined;
}

/**
 * Wraps an endpoint's stock Connect handler in a modification's interceptors. Absent ones cost nothing: without any, the
 * service's answer is passed on unchanged.
 */
export function createEndpointHandler(
  options: HandlerOptions,
  endpoint: Endpoint,
  handler: UniversalHandler,
): EndpointHandler {
  const isStream = endpoints[endpoint].kind === "stream";
  return async (request) => {
    const call = new Call(endpoint, request.header, options.view(), options.now);
    const outcome = await answer(options, handler, request, call);
    // Answers given before the service was reached are delayed too.
    if (!isStream) await applyNetworkDelay(options.delay, call, request.signal);
    return outcome;
  };
}

async function answer(
  { interceptors, cache }: HandlerOptions,
  handler: UniversalHandler,
  request: UniversalServerRequest,
  call: Call,
): Promise<ServiceOutcome> {
  const isStream = endpoints[call.endpoint].kind === "stream";
  const { method, header: headers, httpVersion } = request;
  const incoming = { method, path: new URL(request.url).pathname, headers, httpVersion };
  const intercepted = interceptors.intercept?.(incoming, call);
  if (intercepted !== undefined) return { kind: "reply", reply: intercepted };

  call.takesText =
    interceptors.codec === undefined && /^application\/(connect\+)?json\b/i.test(headers.get("content-type") ?? "");
  const received = await readRequest(request, isStream, call, interceptors);
  if (received instanceof SubstituteResponse) return { kind: "reply", reply: jsonReply(200, received.json) };
  if (isStream) {
    const response = await handler(received);
    const header = new Headers(response.header);
    interceptors.streamHeaders?.(header, call);
    return {
      kind: "response",
      response: { ...response, header, body: interceptedFrames(response, interceptors, call) },
    };
  }
  const answered = await served(cache, handler, received, call);
  if (interceptors.response === undefined && interceptors.error === undefined && interceptors.http === undefined)
    return answered;
  return interceptedOutcome(call.endpoint as UnaryEndpoint, answered, interceptors, call);
}

/** The service's answer, from the cache if possible. */
async function served(
  cache: HandlerOptions["cache"],
  handler: UniversalHandler,
  request: ReadRequest,
  call: Call,
): Promise<Served> {
  const { payload, method, header } = request;
  const key = cache && payload && method === "POST" ? cacheKey(call.endpoint, header, payload) : undefined;
  const before = key === undefined ? undefined : cache?.get(key);
  if (before !== undefined) {
    const { effective, ...answered } = before;
    call.effective = effective;
    return { kind: "text", ...answered };
  }
  const answered = outcomeOf(await handler(request), call);
  if (key === undefined || call.pieces !== undefined) return answered;
  const { kind, ...text } = answered.kind === "text" ? answered : textOf(await whole(answered.response));
  cache?.set(key, { ...text, effective: call.effective } satisfies CachedAnswer);
  return { kind, ...text };
}

function textOf({ reply: { status, headers, body } }: ReplyOutcome): TextOutcome {
  return { kind: "text", status, headers, text: decoder.decode(body) };
}

/** The service's JSON text, whole or in pieces, if it produced one; otherwise Connect's response. */
function outcomeOf(response: UniversalServerResponse, { text, pieces }: Call): Served {
  if (response.status !== 200) return { kind: "response", response };
  if (pieces !== undefined) {
    const header = new Headers(response.header);
    header.delete("content-length");
    return { kind: "response", response: { ...response, header, body: inTurns(pieces) } };
  }
  if (text === undefined) return { kind: "response", response };
  return { kind: "text", status: response.status, headers: headersOf(response), text };
}

/** Reads a response to its end. */
async function whole(response: UniversalServerResponse): Promise<ReplyOutcome> {
  const body = response.body === undefined ? new Uint8Array() : await readAllBytes(response.body, unlimited);
  return { kind: "reply", reply: { status: response.status, headers: headersOf(response), body } };
}

/** The response's headers without `content-length`, since the length may change. */
function headersOf({ header }: UniversalServerResponse): Record<string, string> {
  const headers = Object.fromEntries(header ?? []);
  delete headers["content-length"];
  return headers;
}

/** Converts a text answer to a complete reply. */
export function replyOf({ status, headers, text }: TextOutcome): HttpReply {
  return { status, headers, body: encoder.encode(text) };
}

/** Encodes pieces of text and yields to the event loop after each. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield encoder.encode(piece);
    await nextTurn();
  }
}

/** A request with its body, if it was read. On streams the body includes the envelope. */
type ReadRequest = UniversalServerRequest & { readonly payload?: Uint8Array };

/**
 * Reads the request body, applies the interceptors and `refusalOf` to its JSON, and returns the request with the new body.
 */
async function readRequest(
  request: UniversalServerRequest,
  isStream: boolean,
  call: Call,
  interceptors: Interceptors,
): Promise<ReadRequest | SubstituteResponse> {
  const contextValues = createContextValues().set(callKey, call);
  const { body, header } = request;
  const isJson = header.get("content-type")?.toLowerCase().includes("json") ?? false;
  if (!isJson || typeof body !== "object" || body === null || !(Symbol.asyncIterator in body)) {
    return { ...request, contextValues };
  }
  let bytes = await readAllBytes(body, unlimited, header.get("content-length"));
  const replacePayload = (payload: Uint8Array) => {
    bytes = isStream ? encodeEnvelope(0, payload) : payload;
  };
  const payload = interceptors.body?.(call.endpoint, isStream ? payloadOf(bytes) : bytes);
  if (payload !== undefined) replacePayload(payload);
  call.requestText = decoder.decode(isStream ? payloadOf(bytes) : bytes);
  const json = parseText(call.requestText);
  if (json !== undefined) {
    call.request = json;
    call.refusal = refusalOf(json);
    const changed = interceptors.request?.(call.endpoint, structuredClone(json), call);
    if (changed instanceof SubstituteResponse) return changed;
    if (changed !== undefined) {
      call.request = changed;
      call.refusal = refusalOf(changed);
      replacePayload(encoder.encode(stringify(changed)));
    }
  }
  const resized = new Headers(header);
  if (header.has("content-length")) resized.set("content-length", String(bytes.byteLength));
  return { ...request, header: resized, body: createAsyncIterable([bytes]), contextValues, payload: bytes };
}

/** The payload of the first message in an enveloped body, unless it is compressed. */
function payloadOf(bytes: Uint8Array): Uint8Array {
  const flags = bytes[0] ?? compressedFlag;
  return (flags & compressedFlag) === 0 ? bytes.subarray(5) : bytes.subarray(0, 0);
}

function parseObject(bytes: Uint8Array): MutableJsonObject | undefined {
  return parseText(decoder.decode(bytes));
}

function parseText(text: string): MutableJsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined; // Left to Connect's decoder to reject.
  }
}

const textFields = new Set([
  "address",
  "owner",
  "interval",
  "assetSymbol",
  "asset_symbol",
  "quoteSymbol",
  "quote_symbol",
]);

/**
 * The error for a request that the protobuf JSON decoder accepts but the specification does not: the decoder reads a number
 * from `"0x10"`, which is not a decimal (S2, E6).
 */
function refusalOf(json: MutableJsonObject): ConnectError | undefined {
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === "string" && !textFields.has(name) && /^\s*[+-]?0[xob]/i.test(value)) {
      return new ConnectError(`${name} must be a decimal number`, Code.InvalidArgument);
    }
    const inner = isObject(value) ? refusalOf(value) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Applies the interceptors for JSON, errors and complete replies to a unary answer. */
async function interceptedOutcome(
  endpoint: UnaryEndpoint,
  served: Served,
  interceptors: Interceptors,
  call: Call,
): Promise<TextOutcome | ReplyOutcome> {
  const answered = served.kind === "text" ? served : await whole(served.response);
  const changed = changedBy(endpoint, answered, interceptors, call);
  if (interceptors.http === undefined) return changed;
  const reply = changed.kind === "text" ? replyOf(changed) : changed.reply;
  return { kind: "reply", reply: interceptors.http(endpoint, reply, call) ?? reply };
}

/** Applies the `response` or `error` interceptor; leaves the answer unchanged if it is not a JSON object. */
function changedBy(
  endpoint: UnaryEndpoint,
  answered: TextOutcome | ReplyOutcome,
  interceptors: Interceptors,
  call: Call,
): TextOutcome | ReplyOutcome {
  const { status, headers } = answered.kind === "text" ? answered : answered.reply;
  if ((status === 200 ? interceptors.response : interceptors.error) === undefined) return answered;
  const json = answered.kind === "text" ? parseText(answered.text) : parseObject(answered.reply.body);
  if (json === undefined) return answered;
  if (status === 200)
    return { kind: "text", status, headers, text: stringify(interceptors.response?.(endpoint, json, call) ?? json) };
  const changed = interceptors.error?.(endpoint, { status, json }, call);
  if (changed === undefined) return answered;
  if ("body" in changed) return { kind: "reply", reply: changed };
  return { kind: "text", status: changed.status, headers, text: stringify(changed.json) };
}

/** A complete JSON reply. */
export function jsonReply(status: number, json: MutableJsonObject): HttpReply {
  return { status, headers: { "content-type": "application/json" }, body: encoder.encode(stringify(json)) };
}

/** Applies the interceptors for messages, the final error and frames to a stream. */
async function* interceptedFrames(
  { body }: UniversalServerResponse,
  interceptors: Interceptors,
  call: Call,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Stock Connect yields one chunk per frame.
  for await (const handled of body ?? []) {
    const isEnd = ((handled[0] ?? 0) & endStreamFlag) !== 0;
    const chunk = isEnd || call.text === undefined ? handled : encodeEnvelope(0, encoder.encode(call.text));
    if (isEnd && call.ending === "cut") return;
    if (isEnd && call.ending === "reset") throw new ConnectionReset();
    const interceptor = isEnd ? interceptors.error : interceptors.response;
    if (interceptor === undefined && interceptors.frame === undefined) {
      yield chunk;
      continue;
    }
    let frame: OutgoingFrame = { flags: chunk[0] ?? 0, data: chunk.subarray(5) };
    frame = isEnd ? interceptedEnd(frame, interceptors, call) : interceptedMessage(frame, interceptors, call);
    const sent = interceptors.frame?.(frame, call) ?? frame;
    if (sent instanceof Uint8Array) yield sent;
    else for (const each of Array.isArray(sent) ? sent : [sent]) yield encodeEnvelope(each.flags, each.data);
  }
}

function interceptedMessage(frame: OutgoingFrame, { response }: Interceptors, call: Call): OutgoingFrame {
  const json = response === undefined ? undefined : parseObject(frame.data);
  if (json === undefined) return frame;
  const changed = response?.(call.endpoint, json, call);
  return { ...frame, data: encoder.encode(stringify(changed ?? json)) };
}

function interceptedEnd(frame: OutgoingFrame, { error }: Interceptors, call: Call): OutgoingFrame {
  const end = error === undefined ? undefined : parseObject(frame.data);
  if (!isObject(end?.error)) return frame;
  const changed = error?.(call.endpoint, { status: 200, json: end.error }, call);
  if (changed === undefined || "body" in changed) return frame;
  return { ...frame, data: encoder.encode(stringify({ ...end, error: changed.json })) };
}

/** Thrown while writing a stream to reset the connection. */
export class ConnectionReset extends Error {}
