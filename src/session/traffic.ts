import { isFromEmbedded } from "../connect/embedded.js";
import type { Exchange } from "../connect/exchange.js";
import { type Endpoint, type EndpointCounts, endpointNames, isStream } from "../specification/endpoints.js";

/** What a run or a part of it has sent and received. */
export interface Traffic {
  /** Requests sent, streams included. */
  readonly count: number;
  /** Streams opened. */
  readonly streams: number;
  /** Set if connections broke before a unary answer was complete: how many. */
  readonly brokenOff?: number;
  /** Bytes of response bodies, as received over the wire. */
  readonly bytesReceived: number;
  /** Number of successes per operation. */
  readonly successes: EndpointCounts;
  /** Set if the embedded reference server answered. */
  readonly embedded?: true;
}

/** Counts the traffic of one part of a run as it happens. */
export class TrafficCounter {
  #count = 0;
  #streams = 0;
  #brokenOff = 0;
  #bytesReceived = 0;
  readonly #successes: Partial<Record<Endpoint, number>> = {};
  #embedded = false;

  /** Counts an exchange, unless it was never sent. */
  exchanged(exchange: Exchange): void {
    if (exchange.failure?.kind === "given-up") return;
    this.#count++;
    if (isStream(exchange.request.endpoint)) this.#streams++;
    else if (exchange.failure?.kind === "reset") this.#brokenOff++;
    this.#bytesReceived += exchange.response?.bytes ?? 0;
    this.#embedded ||= isFromEmbedded(exchange);
  }

  /** Counts successes of an operation. */
  succeeded(endpoint: Endpoint, times = 1): void {
    this.#successes[endpoint] = (this.#successes[endpoint] ?? 0) + times;
  }

  /** Adds what another part counted. */
  add({ count, streams, brokenOff = 0, bytesReceived, successes, embedded }: Traffic): void {
    this.#count += count;
    this.#streams += streams;
    this.#brokenOff += brokenOff;
    this.#bytesReceived += bytesReceived;
    for (const endpoint of endpointNames) {
      const times = successes[endpoint] ?? 0;
      if (times > 0) this.succeeded(endpoint, times);
    }
    this.#embedded ||= embedded === true;
  }

  get traffic(): Traffic {
    return {
      count: this.#count,
      streams: this.#streams,
      ...(this.#brokenOff > 0 && { brokenOff: this.#brokenOff }),
      bytesReceived: this.#bytesReceived,
      successes: { ...this.#successes },
      ...(this.#embedded && { embedded: true as const }),
    };
  }
}

/** Adds up the traffic of several parts. */
export function addTraffic(parts: Iterable<Traffic>): Traffic {
  const sum = new TrafficCounter();
  for (const part of parts) sum.add(part);
  return sum.traffic;
}

/** The part of the traffic that results report unchanged. */
export function sentOf({ successes: _, embedded: __, ...sent }: Traffic): Omit<Traffic, "successes" | "embedded"> {
  return sent;
}
