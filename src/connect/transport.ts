import type { ConnectionTarget } from "./client.js";
import type { Exchange, ExchangeName, HttpRequest } from "./exchange.js";
import type { RequestBudget } from "./request-budget.js";
import type { SamplingLimits } from "./row-sampler.js";
import type { StreamUntil } from "./stream-body-reader.js";
import type { StreamSlots } from "./stream-slots.js";
import type { Target } from "./target.js";

/** Options of a unary exchange. */
export interface UnaryOptions extends ExchangeName {
  /** Ends the exchange with the failure `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** True to use a new connection, as a stream does, rather than one that has been used before. */
  readonly newConnection?: boolean | undefined;
  /** True to jump the queue of waiting requests. */
  readonly ahead?: boolean | undefined;
  /** True when no other request may be in flight, except streams and requests of other workers. */
  readonly alone?: boolean | undefined;
}

/** Options of a stream exchange. */
export interface StreamOptions extends UnaryOptions {
  readonly until: StreamUntil;
}

/** Sends requests and returns what was exchanged. Whatever the target does ends up in an exchange, never in an exception. */
export interface Transport {
  /** Sends one request and reads one response. */
  unary(request: HttpRequest, options: UnaryOptions): Promise<Exchange>;
  /** Sends one enveloped request over a connection of its own and reads the stream. */
  stream(request: HttpRequest, options: StreamOptions): Promise<Exchange>;
  /** Closes all connections; exchanges in flight fail as `aborted`. */
  close(): Promise<void>;
}

/** Settings of a transport; each has a default. */
export interface TransportSettings {
  /** Largest body that is kept whole, in bytes before and after decoding. Streams are limited to 24 MB in any case. */
  readonly bodyLimit?: number;
  /** Maximum rows, in all arrays together, of a body that is kept whole and of a stream message that is read. */
  readonly rowLimit?: number;
  /** Limits for sampling larger bodies; defaults to `samplingLimits`. */
  readonly sampling?: Partial<SamplingLimits>;
  /** Requests that the target has answered before, used to probe whether it is up. */
  readonly answered?: readonly HttpRequest[];
  /** Pauses between probes of a target that is away, in milliseconds; has a default. */
  readonly outagePausesMs?: readonly number[];
  /** How many requests may be sent, including retries; unlimited when absent. */
  readonly requestBudget?: RequestBudget;
  /** Stream slots shared by all workers of the run; counts only the streams of this transport when absent. */
  readonly streamSlots?: StreamSlots;
  /** Longest pause that is waited out when the target asks for one, in milliseconds; has a default. */
  readonly longestPauseMs?: () => number;
  /**
   * Receives exchanges that are not returned: attempts that were retried (throttled, lost on an idle connection, or broken
   * by an outage), and probes of whether the target is up. Their ids come from `supersededId`.
   */
  readonly onSuperseded?: (exchange: Exchange) => void;
}

/** The parts of a target that the transport needs. */
export type TransportTarget = ConnectionTarget & Pick<Target, "concurrency" | "rate">;
