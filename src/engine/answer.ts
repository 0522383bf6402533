import type { HttpRequest } from "../connect/exchange.js";
import type { JsonInput, JsonObject } from "../connect/json.js";
import type { StreamMessage } from "../connect/outcome.js";
import type { ShownBody } from "../judge/located-rows.js";
import type { WatchedMessages } from "../judge/snapshots.js";
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
export interface Capture extends WatchedMessages {
  readonly messages: readonly StreamMessage[];
  /** The error in the end-of-stream frame, if there was one. */
  readonly endError?: { readonly code: string; readonly message: string };
}

/** The answer of the stream. A success once a message arrived, or when the window ended without an error. */
export type StreamAnswer = AnswerOf<Capture>;

/** The answer of an operation, or of either kind if it is only known at run time. */
export type AnswerTo<Name extends Endpoint> = [Name] extends [UnaryEndpoint]
  ? Answer
  : [Name] extends [StreamEndpoint]
    ? StreamAnswer
    : AnswerOf<ShownBody>;
