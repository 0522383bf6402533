import type { Endpoint } from "../spec/endpoints.js";

/** Header lines in the order and spelling of the wire; duplicates are kept. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** What is to be sent. Nothing in it is interpreted: malformed requests are sent as they are. */
export interface WireRequest {
  readonly endpoint: Endpoint;
  /** HTTP method; everything but POST is an observation (H4). */
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** All request headers that the harness sets, secrets included. */
  readonly headers: HeaderLines;
  /** The body as sent; for a stream the JSON of the one enveloped message. */
  readonly body: string;
}

/** Why no complete answer came back. */
export type FailureKind =
  /** Nobody listens, the name does not resolve, the TLS handshake failed: the target cannot be reached. */
  | "unreachable"
  /** The connection broke before the answer was complete. */
  | "reset"
  /** No (complete) answer within the time limit. */
  | "timeout"
  /** The answer breaks HTTP itself (bad framing, wrong content-length, header overflow). */
  | "protocol"
  /** The answer is larger than the harness is willing to read. */
  | "too-large"
  /** The harness gave up on it: the run was interrupted. */
  | "aborted";

/** One read of the body of a stream: a complete envelope, with the time at which it was read. */
export interface StreamFrame {
  /** Milliseconds since the request was sent. */
  readonly at: number;
  /** Envelope flags: bit 0 compressed, bit 1 end of stream. */
  readonly flags: number;
  /** The payload as text (UTF-8). */
  readonly data: string;
}

/** Milliseconds by phase, on the monotonic clock. */
export interface Timings {
  /** From the request being handed to the HTTP client to the response headers. */
  readonly headersMs: number;
  /** From the request being handed to the HTTP client to the end. */
  readonly totalMs: number;
}

/**
 * One request and everything that came back: plain data, complete enough to be judged again without the server.
 *
 * `response` is absent when no response headers arrived. `failure` is present when the answer is incomplete.
 */
export interface Exchange {
  /** Unique within a run; names the check that asked and the position of the request within it. */
  readonly id: string;
  readonly request: WireRequest;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  readonly timings: Timings;
  readonly response?: {
    readonly status: number;
    readonly headers: HeaderLines;
    /** The body as text after content decoding; empty for a stream, whose content is in `frames`. */
    readonly body: string;
    /** True when the bytes were not valid UTF-8: `body` then has replacement characters. */
    readonly invalidUtf8?: boolean;
    /** Bytes of the body on the wire. */
    readonly bytes: number;
  };
  /** Streams only: the envelopes in order of arrival, the end-of-stream frame included. */
  readonly frames?: readonly StreamFrame[];
  /** Streams only: how it ended. */
  readonly ended?: "by-us" | "end-frame" | "closed";
  /** Streams only: the largest lag of the harness's own event loop while the stream was read, in milliseconds (T7). */
  readonly loopLagMs?: number;
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
}
