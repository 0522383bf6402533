import type { Exchange } from "../connect/exchange.js";
import type { Wire } from "../connect/transport.js";

/** A wire, and what has passed through it so far, by the ids of the exchanges. */
export interface KeepingWire {
  readonly wire: Wire;
  readonly exchanges: ReadonlyMap<string, Exchange>;
}

/** Keeps in memory what passes through a wire: a record that was never on a disk, for `replayWire`. */
export function keepingWire(wire: Wire): KeepingWire {
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
