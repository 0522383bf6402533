import { createHash } from "node:crypto";
import type { Exchange, ExchangeName, WireRequest } from "../connect/exchange.js";
import type { Wire } from "../connect/transport.js";
import { bodyFile } from "../evidence/bodies.js";
import type { StoredExchange } from "../evidence/stored-exchange.js";

/** An exchange of a record: what it is known by, and how the whole of it is read. Its texts are not in memory. */
export interface Recorded {
  readonly name: ExchangeName;
  /** Digest of what it asks for. */
  readonly asked: string;
  /** Digest of the headers that tell it from others that ask for the same. */
  readonly headers: string;
  /** Reads it; called once at most. */
  readonly load: () => Exchange;
}

/** How an exchange is known in a record. */
export function recorded({ id, reading, request }: Omit<StoredExchange, "response">, load: () => Exchange): Recorded {
  const name = { id, ...(reading !== undefined && { reading }) };
  const { body } = request;
  const asked = askedFor(name, request, typeof body === "string" ? bodyFile(body) : body.file);
  return { name, asked, headers: tellingOf(request), load };
}

/** Exchanges that are in memory as a whole, by id. */
export function inMemory(exchanges: ReadonlyMap<string, Exchange>): Recorded[] {
  return [...exchanges.values()].map((exchange) => recorded(exchange, () => exchange));
}

/**
 * A wire that answers from a record: each request is known by its id, which names the check and counts its requests, or
 * by its place in a reading that several checks share. Requests that are sent side by side may be counted in another order
 * now; such a one is known by what it asks for, among those of the same check or reading that nobody has asked for yet. A
 * request that was not recorded brings no answer: nothing is known about it.
 */
export function replayWire(exchanges: Iterable<Recorded>): Wire {
  const waiting = new Map<string, Recorded[]>();
  const names = new Set<string>();
  for (const exchange of exchanges) {
    names.add(keyOf(exchange.name));
    if (isSuperseded(exchange.name)) continue;
    const alike = waiting.get(exchange.asked);
    if (alike) alike.push(exchange);
    else waiting.set(exchange.asked, [exchange]);
  }
  const replay = async (request: WireRequest, { id, reading }: ExchangeName): Promise<Exchange> => {
    const name = { id, ...(reading !== undefined && { reading }) };
    const alike = waiting.get(askedFor(name, request, bodyFile(request.body))) ?? [];
    const own = alike.findIndex((exchange) => keyOf(exchange.name) === keyOf(name));
    const headers = tellingOf(request);
    const sameHeaders = alike.findIndex((exchange) => exchange.headers === headers);
    const [found] = alike.splice(own >= 0 ? own : Math.max(0, sameHeaders), 1);
    return found?.load() ?? unrecorded(name, request, names.has(keyOf(name)));
  };
  return { unary: replay, stream: replay, close: async () => {} };
}

function unrecorded(name: ExchangeName, request: WireRequest, isKnown: boolean): Exchange {
  const reason = isKnown ? "it was recorded with another request" : "it is not in the record";
  return {
    ...name,
    request,
    startedAt: new Date(0).toISOString(),
    timings: { headersMs: 0, totalMs: 0 },
    failure: { kind: "unrecorded", message: `${name.id} cannot be judged again: ${reason}` },
  };
}

/** An answer that the harness itself did not take, such as one that asked for patience: the request was sent again. */
function isSuperseded({ id }: ExchangeName): boolean {
  return /\/attempt-\d+$/.test(id);
}

/** What a request is known by: whoever asks first for a reading lends it its name, and that may be another check now. */
function keyOf({ id, reading = id }: ExchangeName): string {
  return reading;
}

/** Headers are left out: secrets are not in the record, and the name of the harness's version may differ. */
function askedFor(name: ExchangeName, { endpoint, method, url }: Omit<WireRequest, "body">, body: string): string {
  const key = keyOf(name);
  return digestOf(JSON.stringify([key.slice(0, key.lastIndexOf("#")), endpoint, method, url, body]));
}

/** The headers that a check may change from one of its requests to the next. */
function tellingOf({ headers }: Pick<WireRequest, "headers">): string {
  const telling = headers.filter(([name]) => /^(content|connect)-/i.test(name));
  return digestOf(telling.map(([name, value]) => `${name.toLowerCase()}: ${value}`).join("\n"));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
