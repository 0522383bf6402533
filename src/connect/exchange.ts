import type { Endpoint } from "../specification/endpoints.js";

/** Header lines as on the wire: original order and spelling, duplicates kept. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** HTTP/1.1, HTTP/2 without TLS (prior knowledge), or HTTP/2 over TLS (negotiated by ALPN). */
export type HttpVersion = "http1" | "h2c" | "h2";

/** A request to send. Nothing in it is interpreted: malformed requests are sent as they are. */
export interface HttpRequest {
  readonly endpoint: Endpoint;
  /** HTTP method; anything but POST is only observed, not judged (H4). */
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** All request headers that the harness sets, secrets included. */
  readonly headers: HeaderLines;
  /** The body as sent; for a stream, the JSON of its single enveloped message. */
  readonly body: string;
}

/** Why no complete response came back. */
export type FailureKind =
  /** The target cannot be reached: nothing listens, the name does not resolve, or the TLS handshake failed. */
  | "unreachable"
  /** The connection broke before the response was complete. */
  | "reset"
  /** No complete response within the timeout. */
  | "timeout"
  /** The response violates HTTP itself (bad framing, wrong content-length, header overflow). */
  | "protocol"
  /** The response is larger than the harness is willing to read. */
  | "too-large"
  /** The HTTP client cannot handle the response, for instance because of too many headers; not necessarily a fault. */
  | "unsupported"
  /** The run was interrupted. */
  | "aborted"
  /** A re-judged record does not contain the exchange, so nothing is known about it. */
  | "unrecorded"
  /** Not sent, or not read to the end: too many requests before it had failed, or the request budget was spent. */
  | "given-up";

/** Why no complete response came back, with a human-readable message. */
export interface ExchangeFailure {
  readonly kind: FailureKind;
  readonly message: string;
}

/** One complete envelope of a stream, with the time it was read. */
export interface StreamFrame {
  /** Milliseconds since the request was sent; connecting does not count. */
  readonly at: number;
  /** When its first byte was read, where that was long before the last one. */
  readonly firstByteAt?: number;
  /** Lag of the harness's event loop when the frame was read, in milliseconds: the possible error of `at` (T7). */
  readonly lagMs?: number;
  /** Envelope flags: bit 0 compressed, bit 1 end of stream. */
  readonly flags: number;
  /** The payload as text (UTF-8). */
  readonly data: string;
  /** True when the payload was not valid UTF-8; `data` then contains replacement characters. */
  readonly invalidUtf8?: boolean;
}

/** Streams only: the bytes are not a sequence of envelopes that ends with the end-of-stream one. */
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
 * A sampled array of a response too large to keep whole. It keeps the first rows, the last rows, and in between the rows
 * whose index is a multiple of `every`.
 */
export interface SampledRows {
  /** Path of the array: `orders`, `portfolio.positions`. */
  readonly path: string;
  /** Total number of rows in the response's array. */
  readonly rows: number;
  readonly first: number;
  readonly every: number;
  readonly last: number;
}

/** Milliseconds per phase, measured on the monotonic clock from handing the request to the HTTP client. */
export interface Timings {
  /** Until the request was written: connecting, including TLS. */
  readonly sentMs?: number;
  /** Until the response headers; until the end when none arrived. */
  readonly headersMs: number;
  /** Until the end. */
  readonly totalMs: number;
}

/**
 * One request and everything that came back: plain data, complete enough to be re-judged without the server.
 *
 * `response` is absent when no response headers arrived. `failure` is present when the response is incomplete.
 */
export interface Exchange {
  /** Unique within a run: the name of the requesting check as in the correlation header, `#`, and the request number. */
  readonly id: string;
  /**
   * For a request shared by several checks: the name of the shared read, and the position of the request in it. When a
   * record is re-judged, a different check may ask first and so give its name to `id`.
   */
  readonly reading?: string;
  readonly request: HttpRequest;
  /** Transport it was sent over; HTTP/1.1 when absent. */
  readonly transport?: HttpVersion;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  readonly timings: Timings;
  readonly response?: {
    readonly status: number;
    readonly headers: HeaderLines;
    /** The body as text after content decoding; empty for a stream, whose content is in `frames`. */
    readonly body: string;
    /** True when the bytes were not valid UTF-8; `body` then contains replacement characters. */
    readonly invalidUtf8?: boolean;
    /** Size of the body on the wire, in bytes. */
    readonly bytes: number;
    /** For a body too large to keep whole: the arrays in `body` that have only some of their rows. All else is complete. */
    readonly samples?: readonly SampledRows[];
  };
  /** Streams only: the envelopes in order of arrival, including the end-of-stream frame. */
  readonly frames?: readonly StreamFrame[];
  /**
   * Streams only: how it ended; absent when it never opened. `closed` with a `failure` means a broken connection. `by-us`
   * without a `response` means the server stayed silent for as long as it was watched.
   */
  readonly ended?: "by-us" | "end-frame" | "closed";
  /** Streams only: the first framing problem. */
  readonly framing?: FramingProblem;
  /** Streams only: the largest lag of the harness's event loop while the stream was read, in milliseconds (T7). */
  readonly loopLagMs?: number;
  /** The target throttled this request (429, 503) and retries are used up: the response is evidence of nothing else. */
  readonly throttled?: boolean;
  readonly failure?: ExchangeFailure;
}

/** The identity of an exchange. */
export type ExchangeName = Pick<Exchange, "id" | "reading">;

/** The indices of the kept rows in the response's full array, ascending. */
export function keptRows({ rows, first, every, last }: SampledRows): number[] {
  const tail = rows - last;
  const indices: number[] = [];
  for (let index = 0; index < first; index++) indices.push(index);
  for (let index = Math.ceil(first / every) * every; index < tail; index += every) indices.push(index);
  for (let index = Math.max(first, tail); index < rows; index++) indices.push(index);
  return indices;
}

/** How many rows were kept, in words: `6 of 200000 rows of orders`. */
export function keptInWords(sample: SampledRows): string {
  return `${keptRows(sample).length} of ${sample.rows} rows of ${sample.path}`;
}

/** Whether the status of a response is a success: 2xx. */
export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The values of a header, in wire order; names are compared case-insensitively. */
export function headerValues(lines: HeaderLines, name: string): string[] {
  const wanted = name.toLowerCase();
  return lines.filter(([line]) => line.toLowerCase() === wanted).map(([, value]) => value);
}

/** The media type of a response, in lower case and without parameters (W9); undefined when there is none. */
export function mediaType(lines: HeaderLines): string | undefined {
  return headerValues(lines, "content-type")[0]?.split(";")[0]?.trim().toLowerCase();
}

/** Whether the media type is a Connect streaming one, whatever the message encoding. */
export function isStreamType(lines: HeaderLines): boolean {
  return mediaType(lines)?.startsWith("application/connect+") ?? false;
}
