import type { Endpoint } from "../specification/endpoints.js";

/** Header lines in the order and spelling of the wire; duplicates are kept. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** How the bytes travel: HTTP/1.1, HTTP/2 without TLS (prior knowledge), or HTTP/2 over TLS (negotiated). */
export type Transport = "http1" | "h2c" | "h2";

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
  /** The HTTP client cannot take the answer, which need not be the answer's fault: it has too many headers, for instance. */
  | "unsupported"
  /** The harness gave up on it: the run was interrupted. */
  | "aborted"
  /** A record that is judged again does not have the exchange: nothing is known about it. */
  | "unrecorded"
  /** Not sent, or not read to its end: too many before it had brought no answer, or the run had sent enough. */
  | "given-up";

/** Why no complete answer came back, with a message for people. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
}

/** One read of the body of a stream: a complete envelope, with the time at which it was read. */
export interface StreamFrame {
  /** Milliseconds since the request was sent; connecting is not counted. */
  readonly at: number;
  /** Lag of the harness's own event loop when the frame was read, in milliseconds: what `at` may be off by (T7). */
  readonly lagMs?: number;
  /** Envelope flags: bit 0 compressed, bit 1 end of stream. */
  readonly flags: number;
  /** The payload as text (UTF-8). */
  readonly data: string;
  /** True when the payload was not valid UTF-8: `data` then has replacement characters. */
  readonly invalidUtf8?: boolean;
}

/** Streams only: bytes that are not a sequence of envelopes with the end of the stream last. */
export interface FramingProblem {
  readonly kind: /** The body ended inside an envelope. */
    | "truncated"
    /** An envelope announced more bytes than the harness is willing to read, or the body is not enveloped at all. */
    | "oversized"
    /** Bytes came after the end-of-stream envelope. */
    | "after-end";
  readonly message: string;
}

/**
 * One array of an answer that was too large to be kept whole: the first rows are there, the last ones, and between them
 * those whose index is a multiple of `every`.
 */
export interface SampledRows {
  /** Place of the array: `orders`, `portfolio.positions`. */
  readonly path: string;
  /** How many rows the answer has there. */
  readonly rows: number;
  readonly first: number;
  readonly every: number;
  readonly last: number;
}

/** Milliseconds by phase, on the monotonic clock. */
export interface Timings {
  /** From the request being handed to the HTTP client to it being written: connecting, TLS included. */
  readonly sentMs?: number;
  /** From the request being handed to the HTTP client to the response headers; to the end when none arrived. */
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
  /** Unique within a run: the name of the check that asked, as the correlation header has it, `#`, and which request. */
  readonly id: string;
  /**
   * Of a request that several checks share: the name of what they read, and the position of the request in it. Which of the
   * checks asks first, and so lends its name to `id`, may be another one when the record is judged again.
   */
  readonly reading?: string;
  readonly request: WireRequest;
  /** How it was sent; HTTP/1.1 when absent. */
  readonly transport?: Transport;
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
    /** Of a body that was too large to be kept whole: the arrays of which `body` has some rows only, all else being there. */
    readonly samples?: readonly SampledRows[];
  };
  /** Streams only: the envelopes in order of arrival, the end-of-stream frame included. */
  readonly frames?: readonly StreamFrame[];
  /**
   * Streams only: how it ended; absent when it never opened. `closed` with a `failure` is a broken connection; `by-us`
   * without a `response` is a server that stayed silent for as long as it was watched.
   */
  readonly ended?: "by-us" | "end-frame" | "closed";
  /** Streams only: the first fault of the envelopes. */
  readonly framing?: FramingProblem;
  /** Streams only: the largest lag of the harness's own event loop while the stream was read, in milliseconds (T7). */
  readonly loopLagMs?: number;
  /** The target asked for fewer requests (429, 503) and the retries are used up: no evidence of more. */
  readonly throttled?: boolean;
  readonly failure?: Failure;
}

/** What an exchange is called. */
export type ExchangeName = Pick<Exchange, "id" | "reading">;

/** The indices of the rows that are there of an array, ascending: the place of each in the answer. */
export function keptRows({ rows, first, every, last }: SampledRows): number[] {
  const tail = rows - last;
  const indices: number[] = [];
  for (let index = 0; index < first; index++) indices.push(index);
  for (let index = Math.ceil(first / every) * every; index < tail; index += every) indices.push(index);
  for (let index = Math.max(first, tail); index < rows; index++) indices.push(index);
  return indices;
}

/** The values of a header, in the order of the wire; names are compared without case. */
export function headerValues(lines: HeaderLines, name: string): string[] {
  const wanted = name.toLowerCase();
  return lines.filter(([line]) => line.toLowerCase() === wanted).map(([, value]) => value);
}

/** The media type of an answer, lower case and without parameters (W9); undefined when it has none. */
export function mediaType(lines: HeaderLines): string | undefined {
  return headerValues(lines, "content-type")[0]?.split(";")[0]?.trim().toLowerCase();
}

/** Whether the media type is one of Connect's streaming ones, whatever the encoding of its messages. */
export function isStreamType(lines: HeaderLines): boolean {
  return mediaType(lines)?.startsWith("application/connect+") ?? false;
}
