import { performance } from "node:perf_hooks";
import type { Code } from "@connectrpc/connect";

/** When a stream's messages are sent, and how it ends. */
export interface Schedule {
  /** When the message with this index (from 0) is due, in milliseconds after the request; Infinity for never. */
  readonly at: (index: number) => number;
  /** Maximum number of messages. */
  readonly messages: number;
  /** How the stream ends after the last message. */
  readonly ending: StreamEnding;
  /** Whether to skip a message equal to the previous one. */
  readonly skipUnchanged: boolean;
}

/**
 * How a stream ends: with an end-of-stream frame, with no such frame, with a reset connection, or with an error in the end
 * frame.
 */
export type StreamEnding = "end-frame" | "cut" | "reset" | { readonly code: Code; readonly message: string };

/** Sends the first message at once, then one per interval on a fixed grid, until the client disconnects (§4.2). */
export function everyInterval(intervalMs: number): Schedule {
  return {
    at: (index) => index * intervalMs,
    messages: Number.POSITIVE_INFINITY,
    ending: "end-frame",
    skipUnchanged: false,
  };
}

/** Simulated network delay of answers and frames: `latencyMs` plus up to `jitterMs`, in milliseconds. */
export interface NetworkDelay {
  readonly latencyMs: number;
  readonly jitterMs: number;
}

/** Draws the delay of one answer or frame, in milliseconds. */
export function sampleDelay({ latencyMs, jitterMs }: NetworkDelay): number {
  return latencyMs + Math.random() * jitterMs;
}

/**
 * Yields each message's index when it is due, until the signal aborts. The grid is absolute: a late message does not shift
 * later ones, and the network delay moves frames, not the schedule.
 */
export async function* ticks(schedule: Schedule, delay: NetworkDelay, signal: AbortSignal): AsyncGenerator<number> {
  const start = performance.now();
  for (let index = 0; index < schedule.messages; index++) {
    await sleepUntil(start + schedule.at(index) + sampleDelay(delay), signal);
    if (signal.aborted) return;
    yield index;
  }
}

/** Resolves at `time` on the performance clock, or when the signal aborts. */
export function sleepUntil(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const remaining = time - performance.now();
    if (signal.aborted) return resolve();
    // Late messages are sent without delay, but still yield to the event loop.
    if (remaining <= 0) return void setImmediate(resolve);
    // A timer of 2^31 ms or more would fire at once. Waits that long only end by the signal.
    const timer = remaining < 2 ** 31 ? setTimeout(done, Math.ceil(remaining)) : undefined;
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
