/** A transport that answers from a record in memory, any number of times. */
import type { Exchange, ExchangeName, HttpRequest } from "../connect/exchange.js";
import { checkOf, isSuperseded } from "../connect/exchange-id.js";
import type { Transport } from "../connect/transport.js";
import { asInFirstAttempt } from "../engine/shared-reads.js";
import { keyOf, unrecorded, variedHeaders } from "../session/replay-transport.js";
import { groupBy } from "../specification/group-by.js";
import type { WorkerRecord } from "./recorded-run.js";

/** Indexes a worker's exchanges. Built once; faults are applied at each lookup. */
export interface RecordIndex {
  /** By request and the name of the exchange, or of the shared read it belongs to. */
  readonly byName: ReadonlyMap<string, Exchange>;
  /** By request alone, in recorded order. */
  readonly byRequest: ReadonlyMap<string, readonly Exchange[]>;
}

/** Indexes the exchanges of a worker. */
export function indexOf({ exchanges }: Pick<WorkerRecord, "exchanges">): RecordIndex {
  const byRequest = groupBy(
    exchanges.filter((exchange) => !isSuperseded(exchange)),
    ({ request }) => requestKey(request),
  );
  const named = [...byRequest].flatMap(([request, alike]) =>
    alike.map((exchange) => [`${keyOf(exchange)} ${request}`, exchange] as const),
  );
  return { byName: new Map(named), byRequest };
}

/** Options of a transport on a record. */
export interface TransportOptions {
  /** The exchanges of the worker. */
  readonly own: RecordIndex;
  /** The exchanges of all workers. */
  readonly all: readonly RecordIndex[];
  /** Infers the answer to a request that is not in the record, if possible. */
  readonly inferred: (request: HttpRequest) => Exchange | undefined;
  /** The exchange as the faulty server would have made it. */
  readonly planted: (exchange: Exchange) => Exchange;
}

/**
 * Creates a transport on a record. A request gets the answer it got in the run. One that was made elsewhere in the run, such as a
 * second attempt, gets that answer, since recorded data do not change. Otherwise the answer is inferred, or the exchange fails
 * as `unrecorded`.
 */
export function recordedTransport({ own, all, inferred, planted }: TransportOptions): Transport {
  const answer = async (request: HttpRequest, name: ExchangeName): Promise<Exchange> => {
    const key = requestKey(request);
    const found =
      own.byName.get(`${keyOf(name)} ${key}`) ??
      own.byName.get(`${asInFirstAttempt(keyOf(name))} ${key}`) ??
      alike(groupOf(name), own.byRequest.get(key)) ??
      first(key, all) ??
      inferred(request);
    return found ? planted(found) : unrecorded(name, request, `${name.id} is not in the record`);
  };
  return { unary: answer, stream: answer, close: async () => {} };
}

function first(key: string, all: readonly RecordIndex[]): Exchange | undefined {
  return longest(all.flatMap(({ byRequest }) => byRequest.get(key) ?? []));
}

/**
 * Among exchanges of the same request, prefers those of the same check or shared read. Takes the first, or the longest stream.
 */
function alike(group: string, exchanges: readonly Exchange[] = []): Exchange | undefined {
  const sameGroup = exchanges.filter((exchange) => groupOf(exchange) === group);
  return longest(sameGroup.length > 0 ? sameGroup : exchanges);
}

function longest([first, ...others]: readonly Exchange[]): Exchange | undefined {
  const lengthOf = ({ frames = [] }: Exchange) => frames.length;
  return others.reduce((best, each) => (best && lengthOf(best) >= lengthOf(each) ? best : each), first);
}

/** The check or shared read an exchange belongs to, without the prefix of a later attempt. */
function groupOf(name: ExchangeName): string {
  return asInFirstAttempt(checkOf({ id: keyOf(name) }));
}

/** A key that two requests share if they are sent alike. */
export function requestKey(request: HttpRequest): string {
  const { endpoint, method, url, body } = request;
  return [endpoint, method, url, ...variedHeaders(request), body].join("\n");
}
