/** A wire that answers from a record in memory, as often as it is asked. */
import type { Exchange, ExchangeName, WireRequest } from "../connect/exchange.js";
import type { Wire } from "../connect/transport.js";
import type { WorkerRecord } from "./recorded-run.js";

/** The exchanges of a worker's record by how they are asked for. Built once; what is planted is looked up at each request. */
export interface RecordIndex {
  /** By the name of the exchange, or of the reading that it is part of, and the request. */
  readonly byName: ReadonlyMap<string, Exchange>;
  /** By the request alone: those that were made first come first. */
  readonly byRequest: ReadonlyMap<string, readonly Exchange[]>;
}

/** Indexes what a worker exchanged. */
export function indexOf({ exchanges }: Pick<WorkerRecord, "exchanges">): RecordIndex {
  const byName = new Map<string, Exchange>();
  const byRequest = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    if (/\/attempt-\d+$/.test(exchange.id)) continue;
    const request = requestKey(exchange.request);
    byName.set(`${nameOf(exchange)} ${request}`, exchange);
    const alike = byRequest.get(request);
    if (alike) alike.push(exchange);
    else byRequest.set(request, [exchange]);
  }
  return { byName, byRequest };
}

/** How a wire on a record answers. */
export interface WireOptions {
  /** What the worker exchanged. */
  readonly own: RecordIndex;
  /** What all of them did. */
  readonly all: readonly RecordIndex[];
  /** What a request that is not in the record would have been answered with, as far as the record tells. */
  readonly inferred: (request: WireRequest) => Exchange | undefined;
  /** The exchange as the server with the fault would have made it. */
  readonly planted: (exchange: Exchange) => Exchange;
}

/**
 * A wire on a record. A request is answered as it was when the run made it; one that the run made elsewhere, as a second look
 * does, like the same request there: nothing of a record moves. What neither tells is not known.
 */
export function recordedWire({ own, all, inferred, planted }: WireOptions): Wire {
  const answer = async (request: WireRequest, { id, reading }: ExchangeName): Promise<Exchange> => {
    const name: ExchangeName = { id, ...(reading !== undefined && { reading }) };
    const key = requestKey(request);
    const found =
      own.byName.get(`${nameOf(name)} ${key}`) ??
      own.byName.get(`${firstLook(nameOf(name))} ${key}`) ??
      alike(groupOf(name), own.byRequest.get(key)) ??
      first(key, all) ??
      inferred(request);
    return found ? planted(found) : unknown(name, request);
  };
  return { unary: answer, stream: answer, close: async () => {} };
}

function first(key: string, all: readonly RecordIndex[]): Exchange | undefined {
  return longest(all.flatMap(({ byRequest }) => byRequest.get(key) ?? []));
}

/** Of requests that ask for the same: one of the same check or reading, or else the first; of streams the longest. */
function alike(group: string, exchanges: readonly Exchange[] = []): Exchange | undefined {
  const own = exchanges.filter((exchange) => groupOf(exchange) === group);
  return longest(own.length > 0 ? own : exchanges);
}

function longest([first, ...others]: readonly Exchange[]): Exchange | undefined {
  const lengthOf = ({ frames = [] }: Exchange) => frames.length;
  return others.reduce((best, each) => (best && lengthOf(best) >= lengthOf(each) ? best : each), first);
}

function nameOf({ id, reading = id }: ExchangeName): string {
  return reading;
}

/** The check or the reading that an exchange is of, without the number of the look. */
function groupOf(name: ExchangeName): string {
  const text = nameOf(name);
  return firstLook(text.slice(0, text.lastIndexOf("#")));
}

/** What an exchange of a second look was called in the first one. */
function firstLook(name: string): string {
  return name.replace(/^(again|once more): /, "");
}

/** What a request asks for, with the headers that a check may change. Secrets are not in a record, nor the harness's version. */
function requestKey({ endpoint, method, url, headers, body }: WireRequest): string {
  const telling = headers.filter(([name]) => /^(content|connect)-/i.test(name));
  return [endpoint, method, url, ...telling.map(([name, value]) => `${name.toLowerCase()}: ${value}`), body].join("\n");
}

function unknown(name: ExchangeName, request: WireRequest): Exchange {
  return {
    ...name,
    request,
    startedAt: new Date(0).toISOString(),
    timings: { headersMs: 0, totalMs: 0 },
    failure: { kind: "unrecorded", message: `${name.id} is not in the record` },
  };
}
