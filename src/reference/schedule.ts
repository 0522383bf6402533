import { performance } from "node:perf_hooks";
import type { Code } from "@connectrpc/connect";

/** When a stream's messages are sent, and how it ends. */
export interface Schedule {
  /** When the message with this index (from 0) is due, in milliseconds after the request; Infinity means never. */
  readonly at: (index: number) => number;
  /** How many messages are sent at most. */
  readonly messages: number;
  /** What happens after the last one. */
  readonly ending: StreamEnding;
  /** Whether a message equal to the one before it is left out. */
  readonly skipUnchanged: boolean;
}

/** The end of a stream: an end-of-stream frame, one with an error, no frame at all, or a reset connection. */
export type StreamEnding = "end-frame" | "cut" | "reset" | { readonly code: Code; readonly message: string };

/** The first message at once, then one per interval on a fixed grid, until the client disconnects (§4.2). */
export function everyInterval(intervalMs: number): Schedule {
  return {
    at: (index) => index * intervalMs,
    messages: Number.POSITIVE_INFINITY,
    ending: "end-frame",
    skipUnchanged: false,
  };
}

/** Delays what is sent, as a slow path would: by `latencyMs`, and up to `jitterMs` more. */
export interface PathDelay {
  readonly latencyMs: number;
  readonly jitterMs: number;
}

/** A delay of the path, drawn anew for each answer or frame, in milliseconds. */
export function drawDelay({ latencyMs, jitterMs }: PathDelay): number {
  return latencyMs + Math.random() * jitterMs;
}

/**
 * Yields each message's index when its time has come, until the signal aborts. The grid is absolute: a late message does
 * not move the ones after it. A path delay moves the frames, not the schedule.
 */
export async function* ticks(schedule: Schedule, path: PathDelay, signal: AbortSignal): AsyncGenerator<number> {
  const start = performance.now();
  for (let index = 0; index < schedule.messages; index++) {
    await sleepUntil(start + schedule.at(index) + drawDelay(path), signal);
    if (signal.aborted) return;
    yield index;
  }
}

/** Resolves at the time given on the performance clock, or as soon as the signal aborts. */
export function sleepUntil(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const remaining = time - performance.now();
    if (signal.aborted) return resolve();
    // Late messages catch up, but never at the expense of the event loop.
    if (remaining <= 0) return void setImmediate(resolve);
    // A timer of 2^31 ms or more would fire at once; whoever waits that long is ended by the signal.
    const timer = remaining < 2 ** 31 ? setTimeout(done, Math.ceil(remaining)) : undefined;
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
