import type { Exchange, WireRequest } from "../connect/exchange.js";
import type { Wire } from "../connect/transport.js";

/**
 * A wire that answers from a record: each request is known by its id, which names the check and counts its requests. A
 * request that was not recorded, or not as it is asked now, brings no answer: nothing is known about it.
 */
export function replayWire(exchanges: ReadonlyMap<string, Exchange>): Wire {
  const replay = async (request: WireRequest, { id }: { readonly id: string }): Promise<Exchange> => {
    const recorded = exchanges.get(id);
    if (recorded && isSame(recorded.request, request)) return recorded;
    const reason = recorded ? "it was recorded with another request" : "it is not in the record";
    return {
      id,
      request,
      startedAt: new Date(0).toISOString(),
      timings: { headersMs: 0, totalMs: 0 },
      failure: { kind: "aborted", message: `${id} cannot be judged again: ${reason}` },
    };
  };
  return { unary: replay, stream: replay, close: async () => {} };
}

/** Headers are left out: secrets are not in the record, and the name of the harness's version may differ. */
function isSame(a: WireRequest, b: WireRequest): boolean {
  return a.endpoint === b.endpoint && a.method === b.method && a.url === b.url && a.body === b.body;
}
