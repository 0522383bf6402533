import type { Exchange } from "../connect/exchange.js";
import type { Transport } from "../connect/transport.js";

/** A transport, and the exchanges made over it so far, by id. */
export interface RecordingTransport {
  readonly transport: Transport;
  readonly exchanges: ReadonlyMap<string, Exchange>;
}

/** Wraps a transport and keeps its exchanges in memory: a record for `replayTransport` that is never written to disk. */
export function recordingTransport(transport: Transport): RecordingTransport {
  const exchanges = new Map<string, Exchange>();
  const keep = async (making: Promise<Exchange>): Promise<Exchange> => {
    const exchange = await making;
    exchanges.set(exchange.id, exchange);
    return exchange;
  };
  return {
    exchanges,
    transport: {
      unary: (request, options) => keep(transport.unary(request, options)),
      stream: (request, options) => keep(transport.stream(request, options)),
      close: () => transport.close(),
    },
  };
}
