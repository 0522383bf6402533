import { jsonReply } from "../endpoint-handler.js";
import { objectsAt } from "../json.js";
import { type Interceptors, on, type Variant } from "../modification.js";
import { everyInterval } from "../schedule.js";

/** Delays each message by `delayMs` of its index; the grid itself stays. */
function delayed(delayMs: (index: number) => number): Interceptors["schedule"] {
  return ({ effectiveMs }) => ({ at: (index) => index * effectiveMs + delayMs(index) });
}

/** Conformant ways to run the stream (T1 to T7). */
export const streaming: readonly Variant[] = [
  {
    kind: "variant",
    name: "stream-zero-as-100",
    summary: "The stream takes an explicit update interval of 0 for a value below the range: 100 ms.",
    touches: ["pace"],
    schedule: (_terms, { request }) => (request.updateIntervalMs === 0 ? everyInterval(100) : undefined),
  },
  {
    kind: "variant",
    name: "stream-first-message-after-800",
    summary: "The stream's first message takes 800 ms to make, and the others follow it one per interval.",
    touches: ["pace"],
    schedule: delayed(() => 800),
  },
  {
    kind: "variant",
    name: "stream-catches-up",
    summary: "The stream's first message is 80 ms late, and the others come on the grid that starts with the request.",
    touches: ["pace"],
    schedule: delayed((index) => (index === 0 ? 80 : 0)),
  },
  {
    kind: "variant",
    name: "stream-uneven",
    summary: "The stream's messages come up to 12 ms after their time.",
    touches: ["pace"],
    schedule: delayed((index) => (index * 7_919) % 13),
  },
  {
    kind: "variant",
    name: "stream-one-message-late",
    summary: "Every ninth message of the stream is 70 ms late.",
    touches: ["pace"],
    schedule: delayed((index) => (index % 9 === 8 ? 70 : 0)),
  },
  {
    kind: "variant",
    name: "stream-waits-between-messages",
    summary: "The stream waits for the interval after each message, so that each gap is 6 ms longer.",
    touches: ["pace"],
    schedule: delayed((index) => 6 * index),
  },
  {
    kind: "variant",
    name: "stream-positions-in-any-order",
    summary: "The stream lists the positions in another order in every other message.",
    touches: ["sequence"],
    response: on("GetOpenPositionsStreaming", (json, { messageIndex }) => {
      const positions = objectsAt(json, "positions");
      return { ...json, positions: messageIndex % 2 === 1 ? positions.reverse() : positions };
    }),
  },
  {
    kind: "variant",
    name: "stream-plain-request-served",
    summary: "A plain JSON request to the streaming operation gets one snapshot without an envelope.",
    touches: ["protocol"],
    intercept: ({ path, headers }) =>
      path.endsWith("/GetOpenPositionsStreaming") && headers.get("content-type") === "application/json"
        ? jsonReply(200, { positions: [] })
        : undefined,
  },
  {
    kind: "variant",
    name: "stream-large-intervals-accepted",
    summary: "The stream takes update intervals beyond int32 for the greatest int32, and drops fractions.",
    touches: ["pace"],
    request: on("GetOpenPositionsStreaming", (json) => {
      const { updateIntervalMs } = json;
      if (typeof updateIntervalMs !== "number") return undefined;
      return { ...json, updateIntervalMs: Math.min(Math.trunc(updateIntervalMs), 2_147_483_647) };
    }),
  },
];
