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
import { Call, callKey, waitForPath } from "./call.js";
import type { Dataset } from "./dataset/dataset.js";
import { isObject, type JsonObject, stringify } from "./json.js";
import { Answer, type ErrorReply, type HttpReply, type Layers, type StreamFrame } from "./modification.js";
import type { PathDelay } from "./schedule.js";

/** Flag of the frame that ends a Connect stream. */
export const endStreamFlag = 0x02;

const compressedFlag = 0x01;
const unlimited = 0xffff_ffff;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What an endpoint answers: Connect's own response, or a complete reply that a modification has touched. */
export type Outcome =
  | { readonly kind: "response"; readonly response: UniversalServerResponse }
  | { readonly kind: "reply"; readonly reply: HttpReply };

/** Serves one HTTP request of one endpoint. */
export type Exchange = (request: UniversalServerRequest) => Promise<Outcome>;

/** What exchanges are made with. */
export interface ExchangeHost {
  readonly layers: Layers;
  readonly path: PathDelay;
  /** What serves the next call: the data as it has them now. */
  readonly view: () => () => Dataset;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * One endpoint with a modification's layers around its stock Connect handler. Layers that are absent cost nothing: without
 * any of them the handler's response is passed on as it is.
 */
export function createExchange(host: ExchangeHost, endpoint: Endpoint, handler: UniversalHandler): Exchange {
  const isStream = endpoints[endpoint].kind === "stream";
  return async (request) => {
    const call = new Call(endpoint, request.header, host.view(), host.now);
    const outcome = await answer(host.layers, handler, request, call);
    // What was answered before the service was reached comes over the same path.
    if (!isStream) await waitForPath(host.path, call, request.signal);
    return outcome;
  };
}

async function answer(
  layers: Layers,
  handler: UniversalHandler,
  request: UniversalServerRequest,
  call: Call,
): Promise<Outcome> {
  const isStream = endpoints[call.endpoint].kind === "stream";
  const { method, header: headers, httpVersion } = request;
  const incoming = { method, path: new URL(request.url).pathname, headers, httpVersion };
  const intercepted = layers.intercept?.(incoming, call);
  if (intercepted !== undefined) return { kind: "reply", reply: intercepted };

  call.takesText = layers.codec === undefined && /^application\/json\b/i.test(headers.get("content-type") ?? "");
  const received = await readRequest(request, isStream, call, layers);
  if (received instanceof Answer) return { kind: "reply", reply: jsonReply(200, received.json) };
  const response = withText(await handler(received), call);
  if (isStream) {
    const header = new Headers(response.header);
    layers.streamHeaders?.(header, call);
    return { kind: "response", response: { ...response, header, body: layeredFrames(response, layers, call) } };
  }
  if (layers.response === undefined && layers.error === undefined && layers.http === undefined) {
    return { kind: "response", response };
  }
  return { kind: "reply", reply: await layeredReply(call.endpoint as UnaryEndpoint, response, layers, call) };
}

/** The response with the service's JSON text as its body, where the service gave one. */
function withText(response: UniversalServerResponse, { text, pieces }: Call): UniversalServerResponse {
  if (response.status !== 200) return response;
  if (pieces !== undefined) {
    const header = new Headers(response.header);
    header.delete("content-length");
    return { ...response, header, body: inTurns(pieces) };
  }
  if (text === undefined) return response;
  const body = encoder.encode(text);
  const header = new Headers(response.header);
  header.set("content-length", String(body.byteLength));
  return { ...response, header, body: createAsyncIterable([body]) };
}

/** The bytes of pieces of text; between them it is the turn of others. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield encoder.encode(piece);
    await nextTurn();
  }
}

/** Reads the request's JSON for the layers and for `refusalOf`, and hands on a request with the body read. */
async function readRequest(
  request: UniversalServerRequest,
  isStream: boolean,
  call: Call,
  layers: Layers,
): Promise<UniversalServerRequest | Answer> {
  const contextValues = createContextValues().set(callKey, call);
  const { body, header } = request;
  const isJson = header.get("content-type")?.toLowerCase().includes("json") ?? false;
  if (!isJson || typeof body !== "object" || body === null || !(Symbol.asyncIterator in body)) {
    return { ...request, contextValues };
  }
  let bytes = await readAllBytes(body, unlimited, header.get("content-length"));
  const payload = layers.body?.(call.endpoint, isStream ? payloadOf(bytes) : bytes);
  if (payload !== undefined) bytes = isStream ? encodeEnvelope(0, payload) : payload;
  call.requestText = decoder.decode(isStream ? payloadOf(bytes) : bytes);
  const json = parseText(call.requestText);
  if (json !== undefined) {
    call.request = json;
    call.refusal = refusalOf(json);
    const changed = layers.request?.(call.endpoint, structuredClone(json), call);
    if (changed instanceof Answer) return changed;
    if (changed !== undefined) {
      call.request = changed;
      call.refusal = refusalOf(changed);
      const payload = encoder.encode(stringify(changed));
      bytes = isStream ? encodeEnvelope(0, payload) : payload;
    }
  }
  const resized = new Headers(header);
  if (header.has("content-length")) resized.set("content-length", String(bytes.byteLength));
  return { ...request, header: resized, body: createAsyncIterable([bytes]), contextValues };
}

/** The payload of the first message in an enveloped body, unless it is compressed. */
function payloadOf(bytes: Uint8Array): Uint8Array {
  const flags = bytes[0] ?? compressedFlag;
  return (flags & compressedFlag) === 0 ? bytes.subarray(5) : bytes.subarray(0, 0);
}

function parseObject(bytes: Uint8Array): JsonObject | undefined {
  return parseText(decoder.decode(bytes));
}

function parseText(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined; // Connect's decoder has the word on what is not JSON.
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
 * Why a request must not be served, although the protobuf JSON decoder accepts it: it reads a number from `"0x10"`, but
 * letters are no decimal (S2, E6).
 */
function refusalOf(json: JsonObject): ConnectError | undefined {
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === "string" && !textFields.has(name) && /^\s*[+-]?0[xob]/i.test(value)) {
      return new ConnectError(`${name} must be a decimal number`, Code.InvalidArgument);
    }
    const inner = isObject(value) ? refusalOf(value) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** A unary response after the layers on its JSON, on errors, and on the whole reply. */
async function layeredReply(
  endpoint: UnaryEndpoint,
  response: UniversalServerResponse,
  layers: Layers,
  call: Call,
): Promise<HttpReply> {
  const headers = Object.fromEntries(response.header ?? []);
  delete headers["content-length"];
  const body = response.body === undefined ? new Uint8Array() : await readAllBytes(response.body, unlimited);
  let reply: HttpReply = { status: response.status, headers, body };
  const layer = response.status === 200 ? layers.response : layers.error;
  const json = layer === undefined ? undefined : parseObject(body);
  if (json !== undefined && response.status === 200) {
    const changed = layers.response?.(endpoint, json, call);
    reply = { ...reply, body: encoder.encode(stringify(changed ?? json)) };
  } else if (json !== undefined) {
    const changed = layers.error?.(endpoint, { status: response.status, json }, call);
    if (changed !== undefined) reply = "body" in changed ? changed : { ...reply, ...errorReply(changed) };
  }
  return layers.http?.(endpoint, reply, call) ?? reply;
}

function errorReply({ status, json }: ErrorReply): Pick<HttpReply, "status" | "body"> {
  return { status, body: encoder.encode(stringify(json)) };
}

/** A complete JSON reply. */
export function jsonReply(status: number, json: JsonObject): HttpReply {
  return { status, headers: { "content-type": "application/json" }, body: encoder.encode(stringify(json)) };
}

/** A stream's frames after the layers on its messages, its final error, and the frames themselves. */
async function* layeredFrames(
  { body }: UniversalServerResponse,
  layers: Layers,
  call: Call,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Stock Connect gives one chunk per frame.
  for await (const chunk of body ?? []) {
    const isEnd = ((chunk[0] ?? 0) & endStreamFlag) !== 0;
    if (isEnd && call.ending === "cut") return;
    if (isEnd && call.ending === "reset") throw new ConnectionReset();
    const layer = isEnd ? layers.error : layers.response;
    if (layer === undefined && layers.frame === undefined) {
      yield chunk;
      continue;
    }
    let frame: StreamFrame = { flags: chunk[0] ?? 0, data: chunk.subarray(5) };
    frame = isEnd ? layeredEnd(frame, layers, call) : layeredMessage(frame, layers, call);
    const sent = layers.frame?.(frame, call) ?? frame;
    if (sent instanceof Uint8Array) yield sent;
    else for (const each of Array.isArray(sent) ? sent : [sent]) yield encodeEnvelope(each.flags, each.data);
  }
}

function layeredMessage(frame: StreamFrame, { response }: Layers, call: Call): StreamFrame {
  const json = response === undefined ? undefined : parseObject(frame.data);
  if (json === undefined) return frame;
  const changed = response?.(call.endpoint, json, call);
  return { ...frame, data: encoder.encode(stringify(changed ?? json)) };
}

function layeredEnd(frame: StreamFrame, { error }: Layers, call: Call): StreamFrame {
  const end = error === undefined ? undefined : parseObject(frame.data);
  if (!isObject(end?.error)) return frame;
  const changed = error?.(call.endpoint, { status: 200, json: end.error }, call);
  if (changed === undefined || "body" in changed) return frame;
  return { ...frame, data: encoder.encode(stringify({ ...end, error: changed.json })) };
}

/** Thrown while a stream is written when the connection is to be reset. */
export class ConnectionReset extends Error {}
