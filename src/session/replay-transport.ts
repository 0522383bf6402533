import type { Exchange, ExchangeName, HttpRequest } from "../connect/exchange.js";
import { checkOf, isSuperseded } from "../connect/exchange-id.js";
import type { Transport } from "../connect/transport.js";
import { bodyFile } from "../evidence/bodies.js";
import type { StoredExchange } from "../evidence/stored-exchange.js";
import { shortDigest } from "../judge/digest.js";
import { groupBy } from "../specification/group-by.js";

/** A recorded exchange: what identifies it, and how to load it. Its contents are not held in memory. */
export interface RecordedExchange {
  readonly name: ExchangeName;
  /** Digest of the check or shared read and of the request without its headers. */
  readonly asked: string;
  /** Digest of the headers that distinguish it from other requests for the same. */
  readonly headers: string;
  /** Loads the exchange; called at most once. */
  readonly load: () => Exchange;
}

/** Describes a stored exchange for replay. */
export function recorded(
  { id, reading, request }: Omit<StoredExchange, "response">,
  load: () => Exchange,
): RecordedExchange {
  const name = { id, ...(reading !== undefined && { reading }) };
  const { body } = request;
  const asked = askedFor(name, request, typeof body === "string" ? bodyFile(body) : body.file);
  return { name, asked, headers: digestOfHeaders(request), load };
}

/** Describes exchanges that are held in memory, by id. */
export function inMemory(exchanges: ReadonlyMap<string, Exchange>): RecordedExchange[] {
  return [...exchanges.values()].map((exchange) => recorded(exchange, () => exchange));
}

/**
 * A transport that answers from a record. A request is matched by its content, among the exchanges of the same check or shared
 * read that are not used yet: with the first one sent that has the same headers, or else with the first. Its id does not decide,
 * since requests sent in parallel may be numbered in another order on replay. Answers come in the order in which they came
 * during the run, so that what a check sends next does as well. A request that was not recorded gets no answer: nothing is
 * known about it.
 */
export function replayTransport(exchanges: Iterable<RecordedExchange>): Transport {
  const all = [...exchanges].sort((one, other) => numberOf(one.name) - numberOf(other.name));
  const names = new Set(all.map(({ name }) => keyOf(name)));
  const waiting = groupBy(
    all.filter(({ name }) => !isSuperseded(name)),
    ({ asked }) => asked,
  );
  const inOrder = deliveryInOrder();
  const replay = async (request: HttpRequest, name: ExchangeName): Promise<Exchange> => {
    const alike = waiting.get(askedFor(name, request, bodyFile(request.body))) ?? [];
    const headers = digestOfHeaders(request);
    const sameHeaders = alike.findIndex((exchange) => exchange.headers === headers);
    const [found] = alike.splice(Math.max(0, sameHeaders), 1);
    if (found) return inOrder(found.load());
    const reason = names.has(keyOf(name)) ? "it was recorded with another request" : "it is not in the record";
    return unrecorded(name, request, `${name.id} cannot be judged again: ${reason}`);
  };
  return { unary: replay, stream: replay, close: async () => {} };
}

/**
 * Delivers exchanges that are waited for at the same time in the order in which they ended. Each is delivered once all that
 * follows from the one before has been done.
 */
function deliveryInOrder(): (exchange: Exchange) => Promise<Exchange> {
  const waited: { readonly endedAt: number; readonly deliver: () => void }[] = [];
  const deliverNext = () => {
    waited.sort((one, other) => one.endedAt - other.endedAt);
    waited.shift()?.deliver();
    if (waited.length > 0) setImmediate(deliverNext);
  };
  return (exchange) =>
    new Promise((resolve) => {
      const { startedAt, timings } = exchange;
      if (waited.length === 0) setImmediate(deliverNext);
      waited.push({ endedAt: Date.parse(startedAt) + timings.totalMs, deliver: () => resolve(exchange) });
    });
}

/** The number of an exchange among those of its check or shared read, in the order in which they were sent. */
function numberOf(name: ExchangeName): number {
  return Number(/\d+$/.exec(keyOf(name))?.[0] ?? 0);
}

/** The exchange for a request to which a record has no answer. */
export function unrecorded({ id, reading }: ExchangeName, request: HttpRequest, message: string): Exchange {
  return {
    id,
    ...(reading !== undefined && { reading }),
    request,
    startedAt: new Date(0).toISOString(),
    timings: { headersMs: 0, totalMs: 0 },
    failure: { kind: "unrecorded", message },
  };
}

/**
 * The key of a request. A shared read is named after the check that asks for it first, which may be another check on replay,
 * so its own key goes before the id.
 */
export function keyOf({ id, reading = id }: ExchangeName): string {
  return reading;
}

/** Digest of a request without its headers: secrets are not in the record, and the harness version may differ. */
function askedFor(name: ExchangeName, { endpoint, method, url }: Omit<HttpRequest, "body">, body: string): string {
  return shortDigest(JSON.stringify([checkOf({ id: keyOf(name) }), endpoint, method, url, body]));
}

function digestOfHeaders(request: Pick<HttpRequest, "headers">): string {
  return shortDigest(variedHeaders(request).join("\n"));
}

/** The headers that a check may vary between its requests, as lines. Secrets are not among them. */
export function variedHeaders({ headers }: Pick<HttpRequest, "headers">): string[] {
  const varied = headers.filter(([name]) => /^(content|connect)-/i.test(name));
  return varied.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
}
