import type { Exchange, ExchangeName, HttpRequest } from "../connect/exchange.js";
import { withoutHarnessHeaders } from "../connect/requests.js";
import type { Target } from "../connect/target.js";
import type { Transport } from "../connect/transport.js";
import { type Endpoint, isStream } from "../specification/endpoints.js";
import { memoize } from "../specification/memoize.js";
import { firstMessage, sameBeginning, sameResponse } from "./probe.js";

/**
 * The exchanges of each check with the reference server, by the check's name. Checks that share an answer share the object.
 */
export type ReferenceRun = ReadonlyMap<string, readonly Exchange[]>;

/** A server to compare with the reference server. */
export interface Compared {
  readonly transport: Transport;
  readonly target: Target;
  /** The operations whose answers may differ. */
  readonly changed: ReadonlySet<Endpoint>;
  /** Times at or after this (milliseconds since 1970) are the server's "now" and not compared. */
  readonly since: number;
}

/**
 * The checks that get a different answer from a server than from the reference server; all others would reach the same
 * verdicts. The requests of each check are replayed up to the first difference. A check that reads a stream whose operation
 * may differ counts as different.
 */
export async function checksThatDiffer(run: ReferenceRun, compared: Compared): Promise<ReadonlySet<string>> {
  const known = new Map<Exchange, boolean>();
  const differs = async (exchange: Exchange): Promise<boolean> => {
    const before = known.get(exchange);
    if (before !== undefined) return before;
    const isOther = await isAnsweredOtherwise(exchange, compared);
    known.set(exchange, isOther);
    return isOther;
  };
  const found = new Set<string>();
  for (const [check, exchanges] of run) {
    for (const exchange of exchanges) {
      if (!compared.changed.has(exchange.request.endpoint) || !(await differs(exchange))) continue;
      found.add(check);
      break;
    }
  }
  return found;
}

/** Whether the streams that some checks read begin like those of the reference server, with the same first message. */
export async function haveSameStreams(
  checks: readonly string[],
  run: ReferenceRun,
  { transport, target, since }: Omit<Compared, "changed">,
): Promise<boolean> {
  const read = checks.flatMap((check) => run.get(check) ?? []).filter(({ request }) => isStream(request.endpoint));
  const streams = new Map(read.map((exchange) => [keyOf(exchange.request), exchange]));
  for (const before of streams.values()) {
    const opened = await transport.stream(requestTo(target, before.request), { id: before.id, until: firstMessage });
    if (!sameBeginning(before, opened, since)) return false;
  }
  return true;
}

async function isAnsweredOtherwise(exchange: Exchange, { transport, target, since }: Compared): Promise<boolean> {
  const { id, request } = exchange;
  if (isStream(request.endpoint)) return true;
  return !sameResponse(exchange, await transport.unary(requestTo(target, request), { id }), since);
}

/** The same request to another server. */
function requestTo(target: Target, request: HttpRequest): HttpRequest {
  const { pathname, search } = new URL(request.url);
  return { ...request, url: `${target.baseUrl}${pathname}${search}` };
}

/**
 * Creates a transport that returns the reference server's exchange when another server gives the same answer to the same request,
 * so that its parsed and judged results are reused.
 *
 * @param since as in {@link Compared}
 * @param hasSameStreams whether to return the reference server's streams, without opening those of the other server
 */
export function sharingTransport(
  transport: Transport,
  run: ReferenceRun,
  since: number,
  hasSameStreams: boolean,
): Transport {
  const { answers, streams } = exchangesIn(run);
  return {
    async unary(request, options) {
      const answered = await transport.unary(request, options);
      const known = answers.get(keyOf(request));
      return known && sameResponse(known, answered, since) ? known : answered;
    },
    async stream(request, options) {
      const known = hasSameStreams ? streams.get(streamKeyOf(request, options)) : undefined;
      return known ?? transport.stream(request, options);
    },
    close: () => transport.close(),
  };
}

/** The first answer to each unary request of a run, and its streams. */
const exchangesIn = memoize((run: ReferenceRun) => {
  const all = [...run.values()].flat().reverse();
  const streamed = ({ request }: Exchange) => isStream(request.endpoint);
  return {
    answers: new Map(all.filter((each) => !streamed(each)).map((exchange) => [keyOf(exchange.request), exchange])),
    streams: new Map(all.filter(streamed).map((exchange) => [streamKeyOf(exchange.request, exchange), exchange])),
  };
});

/** A key for a stream: its request, and what it is read for, which decides when it is left. */
function streamKeyOf(request: HttpRequest, { id, reading }: ExchangeName): string {
  return `${reading ?? id} ${keyOf(request)}`;
}

/** A key for a request, independent of server and check. */
function keyOf(request: HttpRequest): string {
  const { method, url, headers, body } = withoutHarnessHeaders(request);
  return JSON.stringify([method, new URL(url).pathname, headers, body]);
}
