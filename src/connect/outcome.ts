import type { FailureKind, FramingProblem, SampledRows } from "./exchange.js";
import type { JsonObject } from "./json.js";

/** A Connect error: a JSON object with string `code` and string `message` (E2); other members are allowed. */
export interface ConnectError {
  /** In its wire form, however the body spells it. */
  readonly code: string;
  readonly message: string;
  readonly body: JsonObject;
}

/** A success of which only a sample was kept. */
export interface Sample {
  readonly kind: "sample";
  /** The response without the rows that were not kept. */
  readonly body: JsonObject;
  /** Size of the whole body, in bytes. */
  readonly bytes: number;
  /** Which rows of each sampled array are in `body`; at least one array. */
  readonly samples: readonly SampledRows[];
}

/**
 * The outcome of an exchange, interpreted as Connect (E2). Never an exception: whatever came back is one of these. `Body` is
 * what a success holds.
 */
export type Outcome<Body = JsonObject> =
  /** A 2xx response whose body is a JSON object without the shape of an error. */
  | { readonly kind: "success"; readonly body: Body }
  /** The same, but so large that only a sample of its rows was kept. */
  | Sample
  /** A Connect error: a JSON object with string `code` and string `message` (E2). */
  | ({ readonly kind: "error" } & ConnectError)
  /** A complete HTTP response that is none of these: HTML, an empty body, a JSON array, an error object without `code`. */
  | { readonly kind: "malformed"; readonly reason: string }
  /** No complete response. */
  | { readonly kind: "failure"; readonly failure: FailureKind; readonly message: string };

/** One message of a stream. */
export interface StreamMessage {
  /** Milliseconds since the request was sent. */
  readonly at: number;
  /** When its first byte was read, where that was long before the last one. */
  readonly firstByteAt?: number;
  /** Possible error of `at`, in milliseconds: the lag of the harness's event loop when the message was read (T7). */
  readonly lagMs?: number;
  readonly body: JsonObject;
  /** Index of its envelope in the exchange's `frames`. */
  readonly frame: number;
}

/** A problem in a stream that was opened. */
export type StreamProblem =
  /** The envelopes themselves are malformed. */
  | { readonly kind: "framing"; readonly framing: FramingProblem["kind"]; readonly message: string }
  /** A compressed envelope, though the harness offers no compression. */
  | { readonly kind: "compressed"; readonly frame: number; readonly message: string }
  /** A message, or the end of the stream, is not the JSON object that Connect requires. */
  | { readonly kind: "unreadable"; readonly frame: number; readonly message: string }
  /** The connection failed after frames had come. */
  | { readonly kind: "failure"; readonly failure: FailureKind; readonly message: string };

/** A stream that was opened: what it delivered until it ended, or until the harness left. */
export interface Stream {
  readonly kind: "stream";
  /** All readable messages in order, including those after a problem. */
  readonly messages: readonly StreamMessage[];
  /** When the end-of-stream frame was read, in milliseconds since the request was sent. */
  readonly endAt?: number;
  /** The Connect error in the end-of-stream frame. */
  readonly endError?: ConnectError;
  /** The first problem, in the order of the stream. */
  readonly problem?: StreamProblem;
}

/** The outcome of an exchange, interpreted as a Connect stream: a stream, or why there is none. */
export type StreamOutcome = Stream | Exclude<Outcome, { kind: "success" | "sample" }>;
