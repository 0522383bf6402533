/** The timing of a stream that was watched, and what may have disturbed it. */
import { cadenceTolerance, trustedLagShare } from "../specification/limits.js";
import { countOf, type Judgement } from "./judgement.js";

/** The timing of a watched stream. All times are in milliseconds since the request was sent. */
export interface Watched {
  readonly messages: readonly Arrival[];
  /** How the watch ended: the harness left, the server sent an end-of-stream frame, or the connection closed without one. */
  readonly ended: "by-us" | "end-frame" | "closed";
  readonly endError?: { readonly code: string };
  /** When the watch ended. */
  readonly windowMs: number;
  /** Whether the watch ended in the middle of a message. */
  readonly endsWithinMessage?: boolean;
  /** The largest lag of the harness's own event loop during the watch (T7). */
  readonly loopLagMs: number;
}

/** When a message was read, and how far that time may be off. */
export interface Arrival {
  readonly at: number;
  /** When its first byte was read, where that was long before the last one. */
  readonly firstByteAt?: number;
  /**
   * The lag of the harness's own event loop when the message was read. When absent, the largest lag of the window applies.
   */
  readonly lagMs?: number;
}

/** Judges a watched stream by one rule. */
export type StreamJudge = (watched: Watched) => Judgement;

/** Says why a measurement cannot be trusted and must be repeated (T7); undefined when it can be trusted. */
export type Doubt = (watched: Watched) => string | undefined;

/** How far the median gap may be from the interval: a tenth of it or 15 ms, whichever is greater (T2). */
export function toleranceOf(intervalMs: number): number {
  return Math.max(cadenceTolerance.intervalShare * intervalMs, cadenceTolerance.atLeastMs);
}

/** Why it is in doubt that messages came early: they may have been held up before. */
export function mayBeDelayed(messages: readonly Arrival[]): string {
  const came = messages.length === 1 ? "the first message came" : `${messages.length} messages came close together`;
  return `${came} ${Math.round(messages[0]?.at ?? 0)} ms after the request: the server or the path may have held them up`;
}

/** How late a single message may be, in milliseconds, since networks jitter (T2). */
export const lateMessageMs = 2_000;

/** Why the pace of messages is in doubt: they came in a burst after a pause of `ms` milliseconds. */
export function cameInBurst(ms: number, what = "messages"): string {
  return `${what} were held back for ${Math.round(ms)} ms and then came all at once`;
}

/** How a watched stream ended, in words: `21 messages within 5012 ms`, or its end. */
export function endInWords({ ended, endError, messages, windowMs }: Watched): string {
  const count = countOf(messages.length, "message");
  const after = `after ${Math.round(windowMs)} ms and ${count}`;
  switch (ended) {
    case "by-us":
      return `${count} within ${Math.round(windowMs)} ms`;
    case "end-frame":
      return endError
        ? `an end of the stream with the error ${endError.code} ${after}`
        : `an end of the stream ${after}`;
    case "closed":
      return `a connection that closed without an end-of-stream frame ${after}`;
  }
}

/** Doubts a measurement if our own lag was more than a third of its tolerance, both in milliseconds (T7). */
export function doubtOf(lagMs: number, toleranceMs: number): string | undefined {
  return lagMs > toleranceMs * trustedLagShare ? lagged(lagMs) : undefined;
}

/** Says how far our own event loop lagged, in milliseconds (T7). */
export function lagged(loopLagMs: number): string {
  return `this machine's own event loop lagged by up to ${Math.round(loopLagMs)} ms`;
}

interface MessageGap {
  readonly ms: number;
  /** How far the gap may be off: the larger lag of its two ends. */
  readonly lagMs?: number;
}

/** The gaps between messages in order, in milliseconds, each with our own lag in it. */
export function gapsBetween(messages: readonly Arrival[]): readonly MessageGap[] {
  return messages.slice(1).map((message, index): MessageGap => {
    const before = messages[index] ?? message;
    const ms = message.at - before.at;
    if (message.lagMs === undefined || before.lagMs === undefined) return { ms };
    return { ms, lagMs: Math.max(message.lagMs, before.lagMs) };
  });
}

/** The median of the numbers; 0 if there are none. */
export function medianOf(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** An interpolated quantile of the numbers; 0 if there are none. `share` is from 0 to 1. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (place - Math.floor(place)) * (above - below);
}
