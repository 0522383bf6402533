import type { Exchange, WireRequest } from "../connect/exchange.js";
import { withoutOurs } from "../connect/requests.js";
import type { Target } from "../connect/target.js";
import type { Wire } from "../connect/transport.js";
import { type Endpoint, endpoints } from "../specification/endpoints.js";
import { sameAnswer } from "./probe.js";

/** What checks exchanged with the reference server, by the name of the check; what several share is the same object. */
export type ReferenceRun = ReadonlyMap<string, readonly Exchange[]>;

/** The server that is compared with the reference server. */
export interface Compared {
  readonly wire: Wire;
  readonly target: Target;
  /** The operations on which it may differ. */
  readonly changed: ReadonlySet<Endpoint>;
  /** Times at or after this one (milliseconds since 1970) are the server's "now", and not compared. */
  readonly since: number;
}

/**
 * The checks to which a server gives an answer that the reference server does not give: the others would come to the same
 * verdicts again. It is sent the requests of one check after the other, up to the first difference. A check that watches a
 * stream on which the servers may differ is taken to see a difference.
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

async function isAnsweredOtherwise(exchange: Exchange, { wire, target, since }: Compared): Promise<boolean> {
  const { id, request } = exchange;
  if (endpoints[request.endpoint].kind === "stream") return true;
  const { pathname, search } = new URL(request.url);
  const answered = await wire.unary({ ...request, url: `${target.baseUrl}${pathname}${search}` }, { id });
  return !sameAnswer(exchange, answered, since);
}

/**
 * A wire that hands out the reference server's exchange where another server gives the same answer to the same request: what was read
 * and judged of that one is known already.
 *
 * @param since as in {@link Compared}
 */
export function sharingWire(wire: Wire, run: ReferenceRun, since: number): Wire {
  const answers = answersIn(run);
  return {
    async unary(request, options) {
      const answered = await wire.unary(request, options);
      const known = answers.get(keyOf(request));
      return known && sameAnswer(known, answered, since) ? known : answered;
    },
    stream: (request, options) => wire.stream(request, options),
    close: () => wire.close(),
  };
}

const answersOf = new WeakMap<ReferenceRun, ReadonlyMap<string, Exchange>>();

/** The first answer to each request of a run. */
function answersIn(run: ReferenceRun): ReadonlyMap<string, Exchange> {
  const known = answersOf.get(run);
  if (known) return known;
  const all = [...run.values()].flat().filter(({ request }) => endpoints[request.endpoint].kind === "unary");
  const answers = new Map(all.reverse().map((exchange) => [keyOf(exchange.request), exchange]));
  answersOf.set(run, answers);
  return answers;
}

/** What tells a request from others, whichever server it is sent to and for whichever check. */
function keyOf(request: WireRequest): string {
  const { method, url, headers, body } = withoutOurs(request);
  return JSON.stringify([method, new URL(url).pathname, headers, body]);
}
