/** Judges when the first two messages of a stream arrive (T1 to T3). */
import { firstMessageTolerance, longestIntervalWindowMs, streamIntervalMaxMs } from "../specification/limits.js";
import { failed, judgeThat, nothingSeen, passed } from "./judgement.js";
import {
  type Doubt,
  doubtOf,
  endInWords,
  lateMessageMs,
  mayBeDelayed,
  medianOf,
  type StreamJudge,
  toleranceOf,
} from "./watched-stream.js";

/**
 * The first message is sent immediately (T1): within a tenth of the interval or 1 s, whichever is greater, plus the round
 * trip of the path.
 *
 * @param roundTripMs median round trip of unary calls, in milliseconds
 */
export function firstMessageWithin(intervalMs: number, roundTripMs: number): StreamJudge {
  const deadlineMs = firstMessageLimitMs(intervalMs) + roundTripMs;
  return (watched) => {
    const first = watched.messages[0]?.at;
    if (first !== undefined && first <= deadlineMs) return passed;
    if (first === undefined && (watched.ended !== "by-us" || watched.windowMs <= deadlineMs)) {
      return nothingSeen(`a message, or ${Math.round(deadlineMs)} ms without one: ${endInWords(watched)}`);
    }
    const path = roundTripMs >= 1 ? `, ${Math.round(roundTripMs)} ms of it for the path` : "";
    return failed({
      path: "messages[0]",
      expected: `within ${Math.round(deadlineMs)} ms of the request${path}`,
      seen: first === undefined ? `none in ${Math.round(watched.windowMs)} ms` : `after ${Math.round(first)} ms`,
    });
  };
}

/**
 * Doubts a first message that came late or not at all if our own event loop lagged (T7), or if small calls had to wait as
 * well, because the target was busy with other requests. Also doubts one that was late by at most twice the jitter of
 * those calls, and one that began to arrive in time: it was sent immediately, and a path takes long for a large message.
 *
 * @param roundTripsMs round trips of simultaneous unary calls on connections as new as the stream's, in milliseconds
 */
export function firstMessageDoubt(intervalMs: number, roundTripsMs: readonly number[] = []): Doubt {
  const deadlineMs = firstMessageLimitMs(intervalMs);
  const slowest = Math.max(0, ...roundTripsMs);
  const jitter = slowest - Math.min(slowest, ...roundTripsMs);
  return ({ messages: [first], loopLagMs }) => {
    const lateBy = (first?.at ?? Number.POSITIVE_INFINITY) - deadlineMs - medianOf(roundTripsMs);
    if (lateBy <= 0) return undefined;
    const { at = 0, firstByteAt = at } = first ?? {};
    if (at - firstByteAt >= lateBy) return `it began to arrive in time, and took ${Math.round(at - firstByteAt)} ms`;
    const busy = slowest > firstMessageTolerance.atLeastMs || lateBy <= 2 * jitter;
    return doubtOf(loopLagMs, deadlineMs) ?? (busy ? "the target left small calls waiting as well" : undefined);
  };
}

/** How soon the first message is due, in milliseconds, on a path without delay (T1). */
function firstMessageLimitMs(intervalMs: number): number {
  return Math.max(firstMessageTolerance.intervalShare * intervalMs, firstMessageTolerance.atLeastMs);
}

/** When the second message of a stream is due, in milliseconds after the first. */
export interface SecondMessageWindow {
  readonly from: number;
  readonly to: number;
}

/** When the second message is due: at intervals above 2 s, allowing for one late message (T2); above 60 s, as T3 says. */
export function secondMessageWindow(intervalMs: number): SecondMessageWindow {
  if (intervalMs > streamIntervalMaxMs) return longestIntervalWindowMs;
  const tolerance = toleranceOf(intervalMs);
  return { from: intervalMs - tolerance, to: intervalMs + Math.max(tolerance, lateMessageMs) };
}

/**
 * The second message arrives when it is due (T2). An interval above 60000 behaves as 60000: 58 to 63 s after the first
 * (T3). A watch that ends earlier only shows that it did not come too early.
 */
export function secondMessageWithin({ from, to }: SecondMessageWindow): StreamJudge {
  return (watched) => {
    const { messages, ended, windowMs } = watched;
    const [first, second] = messages;
    if (!first || (!second && ended !== "by-us")) return nothingSeen(`a second message: ${endInWords(watched)}`);
    const elapsed = (second?.at ?? windowMs) - first.at;
    return judgeThat(elapsed <= to && (!second || elapsed >= from), {
      path: "messages[1]",
      expected: `${seconds(from)} to ${seconds(to)} s after the first message`,
      seen: second ? `after ${seconds(elapsed)} s` : `none in ${seconds(elapsed)} s`,
    });
  };
}

/**
 * Doubts a second message if our own lag may have moved it (T7), or if it only seems early because the first was held up.
 */
export function secondMessageDoubt({ from, to }: SecondMessageWindow): Doubt {
  return (watched) => {
    const { windowMs, loopLagMs } = watched;
    const [first, second] = watched.messages;
    if (first && second && second.at - first.at < from && second.at >= from) return mayBeDelayed([first]);
    if (!second && windowMs - (first?.at ?? 0) <= to) return undefined;
    return doubtOf(Math.max(first?.lagMs ?? loopLagMs, second?.lagMs ?? loopLagMs), (to - from) / 2);
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
