import { setImmediate as nextTurn } from "node:timers/promises";
import { createAsyncIterable, readAllBytes, type UniversalServerRequest } from "@connectrpc/connect/protocol";
import { contentCodings, decodeContent, decodeText } from "../connect/body.js";
import type { Exchange, ExchangeFailure, HeaderLines, HttpRequest } from "../connect/exchange.js";
import { isThrottlingResponse, Slots } from "../connect/throttling.js";
import type { Transport, UnaryOptions } from "../connect/transport.js";
import type { ReferenceServer } from "../reference/server.js";

/** Maximum body size, far beyond any answer of a server under trial. */
const bodyLimit = 256 * 1024 * 1024;

/**
 * Sends requests to a reference server in this process directly, since the network would take a fifth of a trial's time.
 * Streams still use the network, as does what only a connection shows: a truncated answer, a failing server, or a request
 * to slow down.
 */
export function directTransport(server: Pick<ReferenceServer, "answer">, network: Transport): Transport {
  const slots = new Slots(Number.POSITIVE_INFINITY);
  return {
    async unary(request, options) {
      await nextTurn();
      const ask = async () => (await exchangeWith(server, request, options)) ?? network.unary(request, options);
      return slots.run(ask, options);
    },
    stream: (request, options) => network.stream(request, options),
    close: () => network.close(),
  };
}

async function exchangeWith(
  server: Pick<ReferenceServer, "answer">,
  request: HttpRequest,
  { id, reading, signal }: UnaryOptions,
): Promise<Exchange | undefined> {
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const reply = await replyOf(server, request, signal).catch(() => undefined);
  if (reply === undefined) return undefined;
  const totalMs = performance.now() - started;
  const timings = { headersMs: totalMs, totalMs };
  const exchange = { id, ...(reading !== undefined && { reading }), request, startedAt, timings };
  if (reply === "reset") return { ...exchange, failure: { kind: "reset", message: "other side closed" } };
  const { status, headers, body } = reply;
  const content = typeof body === "string" ? { text: body } : await textOf(body, headers);
  const response = { status, headers, body: "", bytes: Buffer.byteLength(body) };
  if ("kind" in content) return { ...exchange, response, failure: content };
  const { text, ...marks } = content;
  const answered = { ...response, body: text, ...marks };
  // A request to slow down goes through the network transport, which waits as in a run.
  return isThrottlingResponse(answered) ? undefined : { ...exchange, response: answered };
}

interface DirectReply {
  readonly status: number;
  readonly headers: HeaderLines;
  /** The body as bytes, or as decoded text. */
  readonly body: Buffer | string;
}

/** The answer as read from a connection; undefined when it needs a real one. */
async function replyOf(
  server: Pick<ReferenceServer, "answer">,
  request: HttpRequest,
  signal: AbortSignal | undefined,
): Promise<DirectReply | "reset" | undefined> {
  const outcome = await server.answer(universalRequest(request, signal));
  if (outcome === undefined) return undefined;
  if (outcome.kind === "text") {
    const { status, headers, text } = outcome;
    return { status, headers: Object.entries(headers), body: text };
  }
  if (outcome.kind === "response") {
    const { status, header, body } = outcome.response;
    return received(
      status,
      [...(header ?? [])],
      body === undefined ? Buffer.alloc(0) : await readAllBytes(body, bodyLimit),
    );
  }
  const { status, headers, body, delivery } = outcome.reply;
  if (delivery === "reset") return "reset";
  if (typeof delivery === "object" && "truncate" in delivery) return undefined;
  return received(status, Object.entries(headers), body);
}

function received(status: number, headers: HeaderLines, body: Uint8Array): DirectReply {
  return { status, headers, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
}

function universalRequest(
  { method, url, headers, body }: HttpRequest,
  signal: AbortSignal | undefined,
): UniversalServerRequest {
  const bytes = Buffer.from(body);
  const header = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  header.set("host", new URL(url).host);
  header.set("content-length", String(bytes.length));
  const sent = createAsyncIterable([bytes]);
  return { httpVersion: "1.1", method, url, header, body: sent, signal: signal ?? new AbortController().signal };
}

async function textOf(
  body: Buffer,
  headers: HeaderLines,
): Promise<ExchangeFailure | { readonly text: string; readonly invalidUtf8?: true }> {
  const codings = contentCodings(headers);
  const decoded = codings.length === 0 || body.length === 0 ? body : await decodeContent(body, codings, bodyLimit);
  return Buffer.isBuffer(decoded) ? decodeText(decoded) : decoded;
}
