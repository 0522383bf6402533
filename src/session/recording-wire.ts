import type { Exchange } from "../connect/exchange.js";
import type { Wire } from "../connect/transport.js";

/** A wire, and the exchanges made over it so far, by id. */
export interface RecordingWire {
  readonly wire: Wire;
  readonly exchanges: ReadonlyMap<string, Exchange>;
}

/** Wraps a wire and keeps its exchanges in memory: a record for `replayWire` that is never written to disk. */
export function recordingWire(wire: Wire): RecordingWire {
  const exchanges = new Map<string, Exchange>();
  const keep = async (making: Promise<Exchange>): Promise<Exchange> => {
    const exchange = await making;
    exchanges.set(exchange.id, exchange);
    return exchange;
  };
  return {
    exchanges,
    wire: {
      unary: (request, options) => keep(wire.unary(request, options)),
      stream: (request, options) => keep(wire.stream(request, options)),
      close: () => wire.close(),
    },
  };
}
