import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4.2. */
export const getOpenPositionsStreaming: readonly Mutant[] = [
  {
    kind: "mutant",
    name: "stream-first-message-late",
    summary: "The stream's first message comes three seconds after the request.",
    breaks: "get-open-positions-streaming.first-message",
    schedule: ({ effectiveMs }) => ({ at: (index) => 3_000 + index * effectiveMs }),
  },
  {
    kind: "mutant",
    name: "stream-interval-not-clamped-up",
    summary: "The stream takes update intervals below 100 ms as they are.",
    breaks: "get-open-positions-streaming.interval-clamped-up",
    parameters: {
      streamInterval: (requestedMs) => (requestedMs === 0 ? 250 : Math.min(Math.max(requestedMs, 1), 60_000)),
    },
  },
];
