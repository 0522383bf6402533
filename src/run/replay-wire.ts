import type { Exchange, ExchangeName, WireRequest } from "../connect/exchange.js";
import type { Wire } from "../connect/transport.js";

/**
 * A wire that answers from a record: each request is known by its id, which names the check and counts its requests, or
 * by its place in a reading that several checks share. Requests that are sent side by side may be counted in another order
 * now; such a one is known by what it asks for, among those of the same check or reading that nobody has asked for yet. A
 * request that was not recorded brings no answer: nothing is known about it.
 */
export function replayWire(exchanges: ReadonlyMap<string, Exchange>): Wire {
  const waiting = new Map<string, Exchange[]>();
  for (const exchange of exchanges.values()) {
    if (isSuperseded(exchange)) continue;
    const key = keyOf(exchange, exchange.request);
    const alike = waiting.get(key);
    if (alike) alike.push(exchange);
    else waiting.set(key, [exchange]);
  }
  const names = new Set([...exchanges.values()].map(nameOf));
  const replay = async (request: WireRequest, { id, reading }: ExchangeName): Promise<Exchange> => {
    const name = { id, ...(reading !== undefined && { reading }) };
    const alike = waiting.get(keyOf(name, request)) ?? [];
    const own = alike.findIndex((exchange) => nameOf(exchange) === nameOf(name));
    const sameHeaders = alike.findIndex((exchange) => tellingOf(exchange.request) === tellingOf(request));
    const [recorded] = alike.splice(own >= 0 ? own : Math.max(0, sameHeaders), 1);
    return recorded ?? unrecorded(name, request, names.has(nameOf(name)));
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
function isSuperseded({ id }: Exchange): boolean {
  return /\/attempt-\d+$/.test(id);
}

/** What a request is known by: whoever asks first for a reading lends it its name, and that may be another check now. */
function nameOf({ id, reading = id }: ExchangeName): string {
  return reading;
}

/** Headers are left out: secrets are not in the record, and the name of the harness's version may differ. */
function keyOf(exchange: ExchangeName, { endpoint, method, url, body }: WireRequest): string {
  const name = nameOf(exchange);
  return JSON.stringify([name.slice(0, name.lastIndexOf("#")), endpoint, method, url, body]);
}

/** The headers that a check may change from one of its requests to the next, as one text. */
function tellingOf({ headers }: WireRequest): string {
  return headers
    .filter(([name]) => /^(content|connect)-/i.test(name))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .join("\n");
}
