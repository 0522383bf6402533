import { isFromEmbedded } from "../connect/embedded.js";
import type { Exchange } from "../connect/exchange.js";
import { type Endpoint, type EndpointCounts, endpointNames, endpoints } from "../specification/endpoints.js";

/** What a run, or a part of it, has sent and received. */
export interface Traffic {
  /** Requests sent, streams included. */
  readonly count: number;
  /** Streams opened. */
  readonly streams: number;
  /** Bytes of answer bodies, as they came over the wire. */
  readonly bytesReceived: number;
  /** How many successes each operation gave. */
  readonly successes: EndpointCounts;
  /** The embedded reference server answered. */
  readonly embedded?: true;
}

/** Counts the traffic of one part, as it comes. */
export class TrafficCount {
  #count = 0;
  #streams = 0;
  #bytesReceived = 0;
  readonly #successes: Partial<Record<Endpoint, number>> = {};
  #embedded = false;

  /** Counts an exchange, unless it was not sent at all. */
  exchanged(exchange: Exchange): void {
    if (exchange.failure?.kind === "given-up") return;
    this.#count++;
    if (endpoints[exchange.request.endpoint].kind === "stream") this.#streams++;
    this.#bytesReceived += exchange.response?.bytes ?? 0;
    this.#embedded ||= isFromEmbedded(exchange);
  }

  /** Counts a success of an operation. */
  succeeded(endpoint: Endpoint): void {
    this.#successes[endpoint] = (this.#successes[endpoint] ?? 0) + 1;
  }

  get traffic(): Traffic {
    return {
      count: this.#count,
      streams: this.#streams,
      bytesReceived: this.#bytesReceived,
      successes: { ...this.#successes },
      ...(this.#embedded ? { embedded: true as const } : {}),
    };
  }
}

/** The traffic of several parts together. */
export function addTraffic(parts: Iterable<Traffic>): Traffic {
  let [count, streams, bytesReceived] = [0, 0, 0];
  const successes: EndpointCounts[] = [];
  let embedded = false;
  for (const part of parts) {
    count += part.count;
    streams += part.streams;
    bytesReceived += part.bytesReceived;
    successes.push(part.successes);
    embedded ||= part.embedded === true;
  }
  return {
    count,
    streams,
    bytesReceived,
    successes: addSuccesses(successes),
    ...(embedded ? { embedded: true as const } : {}),
  };
}

/** The successes of several parts together. */
function addSuccesses(parts: readonly EndpointCounts[]): EndpointCounts {
  const sums = endpointNames.map((name) => [name, parts.reduce((sum, part) => sum + (part[name] ?? 0), 0)] as const);
  return Object.fromEntries(sums.filter(([, sum]) => sum > 0));
}

/** What of some traffic results tell as it is. */
export function sentOf({ count, streams, bytesReceived }: Traffic): Omit<Traffic, "successes" | "embedded"> {
  return { count, streams, bytesReceived };
}
