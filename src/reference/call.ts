import { performance } from "node:perf_hooks";
import { type ConnectError, type ContextKey, createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { Endpoint } from "../specification/endpoints.js";
import type { Dataset } from "./dataset/dataset.js";
import type { JsonObject } from "./json.js";
import type { CallContext } from "./modification.js";
import { drawDelay, type PathDelay, type StreamEnding, sleepUntil } from "./schedule.js";

/** One call on its way through the server: what the service finds out about it, the layers of a modification may read. */
export class Call implements CallContext {
  request: JsonObject = {};
  requestText = "";
  effective: Record<string, unknown> = {};
  messageIndex = 0;
  /** Why the request must not be served, when Connect's decoder is more lenient than the specification. */
  refusal: ConnectError | undefined;
  /** Whether the path's delay has been waited for already. */
  delayed = false;
  /** Whether the service may give its answer as JSON text: when Connect would write JSON, and in its plain form. */
  takesText = false;
  /** The answer, or the message of a stream, as JSON text; Connect's own message is empty then. */
  text: string | undefined;
  /** The same of a long answer, piece by piece, so that others are served meanwhile. */
  pieces: Iterable<string> | undefined;
  /** How the stream ends, when not by an end-of-stream frame. */
  ending: StreamEnding = "end-frame";

  constructor(
    readonly endpoint: Endpoint,
    readonly headers: Headers,
    /** The state that this call is answered from: one for a unary call, the latest for each stream message. */
    readonly data: () => Dataset,
    readonly now: () => number,
  ) {}

  get dataset(): Dataset {
    return this.data();
  }
}

/** Carries the call from the HTTP layer to the service. */
export const callKey: ContextKey<Call | undefined> = createContextKey<Call | undefined>(undefined, {
  description: "the call being served",
});

/** The call that a handler serves. */
export function callOf(context: HandlerContext): Call {
  const call = context.values.get(callKey);
  if (call === undefined) throw new Error("the service was called without its HTTP layer");
  return call;
}

/** Waits as long as the path delays an answer, once per call; the signal cuts it short. */
export async function waitForPath(path: PathDelay, call: Call, signal: AbortSignal): Promise<void> {
  if (call.delayed) return;
  call.delayed = true;
  const delay = drawDelay(path);
  if (delay > 0) await sleepUntil(performance.now() + delay, signal);
}
