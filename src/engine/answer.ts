import type { Exchange, WireRequest } from "../connect/exchange.js";
import type { JsonInput, JsonObject } from "../connect/json.js";
import type { Outcome, StreamMessage, StreamProblem } from "../connect/outcome.js";
import type { Endpoint } from "../specification/endpoints.js";

/** An outcome whose successful body is of type `Body`. Of the stream there are no samples. */
export type OutcomeOf<Body> = Exclude<Outcome, { kind: "success" }> | { readonly kind: "success"; readonly body: Body };

/** What a target answered to one request. */
export interface AnswerOf<Body> {
  readonly endpoint: Endpoint;
  /** The request as the check wrote it; text when it was sent raw. */
  readonly request: JsonInput;
  /** The request that it was sent right after, where that is what was tried. */
  readonly after?: WireRequest | undefined;
  readonly exchange: Exchange;
  readonly outcome: OutcomeOf<Body>;
}

/** The answer of a unary operation. */
export type Answer = AnswerOf<JsonObject>;

/** What was seen of a stream in the window in which it was watched (§4.2). */
export interface Capture {
  readonly messages: readonly StreamMessage[];
  /** How the window ended: we left, the server sent an end-of-stream frame, or the connection closed without one. */
  readonly ended: "by-us" | "end-frame" | "closed";
  /** The error in the end-of-stream frame, if there was one. */
  readonly endError?: { readonly code: string; readonly message: string };
  /** What was wrong with the stream as a stream, if anything: framing, compression, a message that is no JSON object. */
  readonly problem?: StreamProblem;
  /** Milliseconds from sending the request to the end of the window. */
  readonly windowMs: number;
  /** The largest lag of the harness's own event loop in the window, in milliseconds (T7). */
  readonly loopLagMs: number;
}

/** The answer of the stream. It is a success as soon as one message arrived, or the window ended without an error. */
export type StreamAnswer = AnswerOf<Capture>;
