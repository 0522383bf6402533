import { performance } from "node:perf_hooks";
import { type ConnectError, type ContextKey, createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { Endpoint } from "../specification/endpoints.js";
import type { Dataset } from "./dataset/dataset.js";
import type { MutableJsonObject } from "./json.js";
import type { CallContext } from "./modification.js";
import { type NetworkDelay, type StreamEnding, sampleDelay, sleepUntil } from "./schedule.js";

/**
 * State of one call while the server handles it. The service fills in what it finds out; a modification's interceptors can
 * read it.
 */
export class Call implements CallContext {
  request: MutableJsonObject = {};
  requestText = "";
  effective: Record<string, unknown> = {};
  messageIndex = 0;
  /** Error to return when Connect's decoder accepted what the specification forbids. */
  refusal: ConnectError | undefined;
  /** Whether the network delay has already been applied. */
  delayed = false;
  /** Whether the service may answer with JSON text: when Connect would write JSON with default codec options. */
  takesText = false;
  /** The answer, or the stream message, as JSON text. When set, Connect's own message is empty. */
  text: string | undefined;
  /** A long answer as JSON text in pieces, so that other requests are served in between. */
  pieces: Iterable<string> | undefined;
  /** How the stream ends; an end-of-stream frame unless changed. */
  ending: StreamEnding = "end-frame";

  constructor(
    readonly endpoint: Endpoint,
    readonly headers: Headers,
    /** The data to answer from: fixed for a unary call, the latest state for each stream message. */
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

/** The call that a handler is serving. */
export function callOf(context: HandlerContext): Call {
  const call = context.values.get(callKey);
  if (call === undefined) throw new Error("the service was called without its HTTP layer");
  return call;
}

/** Applies the network delay once per call. The signal aborts the wait. */
export async function applyNetworkDelay(delay: NetworkDelay, call: Call, signal: AbortSignal): Promise<void> {
  if (call.delayed) return;
  call.delayed = true;
  const ms = sampleDelay(delay);
  if (ms > 0) await sleepUntil(performance.now() + ms, signal);
}
