import type { HttpRequest } from "../connect/exchange.js";
import type { JsonInput, JsonObject } from "../connect/json.js";
import type { StreamMessage, StreamProblem } from "../connect/outcome.js";
import type { ShownBody } from "../judge/located-rows.js";
import type { WholeAnswer } from "../judge/whole-answer.js";
import type { Endpoint, StreamEndpoint, UnaryEndpoint } from "../specification/endpoints.js";

/** What a target answered to one request. */
export interface AnswerOf<Body> extends WholeAnswer<Body> {
  /** The request as the check wrote it; text when it was sent raw. */
  readonly request: JsonInput;
  /** The request that came right before it, if testing that order was the point. */
  readonly after?: HttpRequest | undefined;
}

/** The answer of a unary operation. */
export type Answer = AnswerOf<JsonObject>;

/** What was seen of a stream while it was watched (§4.2). */
export interface Capture {
  readonly messages: readonly StreamMessage[];
  /** How the window ended: the harness left, the server sent an end-of-stream frame, or the connection closed without it. */
  readonly ended: "by-us" | "end-frame" | "closed";
  /** The error in the end-of-stream frame, if there was one. */
  readonly endError?: { readonly code: string; readonly message: string };
  /** What was wrong at the level of the stream, if anything: framing, compression, a message that is not a JSON object. */
  readonly problem?: StreamProblem;
  /** Milliseconds from sending the request to the end of the window. */
  readonly windowMs: number;
  /** Whether the window ended in the middle of a message. */
  readonly endsWithinMessage?: boolean;
  /** Largest event-loop lag of the harness during the window, in milliseconds (T7). */
  readonly loopLagMs: number;
}

/** The answer of the stream. A success once a message arrived, or when the window ended without an error. */
export type StreamAnswer = AnswerOf<Capture>;

/** The answer of an operation, or of either kind if it is only known at run time. */
export type AnswerTo<Name extends Endpoint> = [Name] extends [UnaryEndpoint]
  ? Answer
  : [Name] extends [StreamEndpoint]
    ? StreamAnswer
    : AnswerOf<ShownBody>;
