import type { Arrival, Watched } from "./watched-stream.js";

/** A stream that was left after its last message, unless told otherwise. */
export function watched(messages: readonly (number | Arrival)[], changes: Partial<Watched> = {}): Watched {
  const arrivals = messages.map((message) => (typeof message === "number" ? { at: message, lagMs: 0 } : message));
  return { messages: arrivals, ended: "by-us", windowMs: arrivals.at(-1)?.at ?? 0, loopLagMs: 0, ...changes };
}

/** A grid of messages: the first at `start`, then one per interval, each moved by what `delay` gives. */
export function grid(intervalMs: number, count: number, delay: (index: number) => number = () => 0): number[] {
  let before = 0;
  return Array.from({ length: count }, (_, index) => {
    before = Math.max(before, 5 + index * intervalMs + delay(index));
    return before;
  });
}
