/**
 * Judges when the messages of a stream arrive (§4.2, T1 to T3, T5), and whether the harness was too busy to measure it
 * (T7). If it was, the stream is watched again.
 */
import {
  cadenceEvidence,
  cadenceTolerance,
  firstMessageTolerance,
  longestIntervalWindowMs,
  openStreamEvidence,
  streamIntervalMaxMs,
  trustedLagShare,
} from "../specification/limits.js";
import { countOf, type Judgement, nothingSeen } from "./judgement.js";

/** The timing of a watched stream. All times are in milliseconds since the request was sent. */
export interface Watched {
  readonly messages: readonly Arrival[];
  /** Whether we left, the server sent an end-of-stream frame, or the connection closed without one. */
  readonly ended: "by-us" | "end-frame" | "closed";
  readonly endError?: { readonly code: string };
  /** When the watch ended. */
  readonly windowMs: number;
  /** Whether the watch ended while a message was only there in part. */
  readonly endsWithinMessage?: boolean;
  /** The largest lag of the harness's own event loop in the window. */
  readonly loopLagMs: number;
}

/** When a message was read, and how far that time may be off. */
export interface Arrival {
  readonly at: number;
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

/** How many gaps a median needs: at least eight, fewer above 2 s (T2). */
export function gapsNeeded(intervalMs: number): number {
  return intervalMs > cadenceEvidence.longIntervalMs ? cadenceEvidence.minimumGapsOfLong : cadenceEvidence.minimumGaps;
}

/** The gaps between messages, in milliseconds, during which our own lag was at most a third of the tolerance (T7). */
export function trustedGaps(messages: readonly Arrival[], intervalMs: number, loopLagMs = 0): readonly number[] {
  const bearable = toleranceOf(intervalMs) * trustedLagShare;
  return gapsBetween(messages)
    .filter((gap) => (gap.lagMs ?? loopLagMs) <= bearable)
    .map(({ ms }) => ms);
}

/**
 * One message per interval (T2): the median gap is within the tolerance, and so is the number of messages over the whole
 * window. If several intervals are accepted, one that fits is enough (T3, on an explicit zero).
 */
export function oneMessagePer(...accepted: readonly number[]): StreamJudge {
  return (watched) => {
    const measured = accepted.map((intervalMs) => ({ intervalMs, ...measure(watched, intervalMs) }));
    const holding = measured.find(({ fault, gaps, intervalMs }) => !fault && gaps.length >= gapsNeeded(intervalMs));
    if (holding) return { examined: holding.gaps.length, violations: [] };
    if (measured.some(({ fault }) => fault === undefined)) {
      return nothingSeen(`${gapsNeeded(Math.min(...accepted))} gaps between messages: ${describeEnd(watched)}`);
    }
    const expected = measured.map(
      ({ intervalMs }) => `${intervalMs} ms (give or take ${Math.round(toleranceOf(intervalMs))} ms)`,
    );
    return {
      examined: Math.max(1, watched.messages.length - 1),
      violations: [
        { path: "messages", expected: `one every ${expected.join(", or every ")}`, seen: measured[0]?.fault ?? "none" },
      ],
    };
  };
}

/** Doubts a cadence because of our own lag, or because the gaps are so uneven that their median says little (T2, T7). */
export function cadenceDoubt(...accepted: readonly number[]): Doubt {
  return (watched) => {
    const measured = accepted.map((intervalMs) => measure(watched, intervalMs));
    const certain = measured.some(({ doubt, fault }) => !doubt && !fault);
    return certain ? undefined : measured.find(({ doubt }) => doubt !== undefined)?.doubt;
  };
}

/** The accepted interval that is closest to the median gap; undefined with fewer than two messages. */
export function nearestInterval(watched: Watched, accepted: readonly number[]): number | undefined {
  const median = medianGap(watched);
  if (median === undefined) return undefined;
  return [...accepted].sort((a, b) => Math.abs(a - median) - Math.abs(b - median))[0];
}

/** The median of the gaps between messages, in milliseconds; undefined with fewer than two messages. */
export function medianGap({ messages }: Watched): number | undefined {
  return messages.length < 2 ? undefined : medianOf(gapsBetween(messages).map(({ ms }) => ms));
}

interface Measurement {
  /** The gaps that can be trusted. */
  readonly gaps: readonly number[];
  /** What is wrong with the cadence. It counts only if there is no doubt. */
  readonly fault?: string;
  readonly doubt?: string;
}

function measure(watched: Watched, intervalMs: number): Measurement {
  const { messages, ended, loopLagMs } = watched;
  const needed = gapsNeeded(intervalMs);
  const gaps = trustedGaps(messages, intervalMs, loopLagMs);
  const median = medianOf(gaps);
  const spread = quantile(gaps, 0.75) - quantile(gaps, 0.25);
  const number = countFault(watched, intervalMs, spread, gaps);
  const countMeasurement = number && { gaps, fault: number.seen, ...(number.certain ? {} : { doubt: number.doubt }) };

  // A server that ended its stream early breaks another rule (T5).
  if (messages.length <= needed) return ended === "by-us" && countMeasurement ? countMeasurement : { gaps };
  if (gaps.length < needed) return number?.certain ? { gaps, fault: number.seen } : { gaps, doubt: lagged(loopLagMs) };

  const distance = Math.abs(median - intervalMs);
  if (distance <= toleranceOf(intervalMs)) {
    if (countMeasurement) return countMeasurement;
    return spread > intervalMs ? { gaps, doubt: uneven(median, spread) } : { gaps };
  }
  const fault = `one every ${Math.round(median)} ms (median of ${gaps.length} gaps, ${Math.round(Math.min(...gaps))} to ${Math.round(Math.max(...gaps))} ms)`;
  // The count is right, but the messages came in bursts after a pause: the network or a busy machine held them back.
  const longest = Math.max(...gapsBetween(messages).map(({ ms }) => ms));
  if (number === undefined && median < intervalMs && longest >= heldBackIntervals * intervalMs) {
    return { gaps, fault, doubt: heldBack(longest) };
  }
  // `spread` is the interquartile range of the gaps. Their median is hardly ever off by more than this.
  const uncertainty = (2 * spread) / Math.sqrt(gaps.length);
  const certain = spread <= intervalMs && distance > toleranceOf(intervalMs) + uncertainty;
  if (!certain && !number?.certain) return { gaps, fault, doubt: uneven(median, spread) };
  if (median > intervalMs) return { gaps, fault, ...(hasJitteryPace(gaps, distance) && { doubt: strained(gaps) }) };
  return isAheadOfSchedule(messages, intervalMs) ? { gaps, fault } : { gaps, fault, doubt: heldUp(messages) };
}

/**
 * A wrong pace is the server's own if it is off by more than this many times the median difference between successive gaps.
 */
const pacedDifferences = 4;

/**
 * Whether successive gaps differ about as much as the pace is too slow, which is typical of a machine that is busy with
 * something else. A pace that the server intends is even, also if it is wrong or slows down steadily.
 */
function hasJitteryPace(gaps: readonly number[], tooSlowMs: number): boolean {
  return tooSlowMs <= pacedDifferences * differenceOf(gaps);
}

/** The median difference between successive gaps, in milliseconds. */
function differenceOf(gaps: readonly number[]): number {
  return medianOf(gaps.slice(1).map((gap, index) => Math.abs(gap - (gaps[index] ?? gap))));
}

function strained(gaps: readonly number[]): string {
  return `the pace is uneven, as that of a busy machine (a gap differs by ${Math.round(differenceOf(gaps))} ms from the one before)`;
}

/**
 * Whether more messages have arrived than the time since the request allows. If not, messages that came close together
 * may only have been held up, in a server that keeps its schedule or on the network.
 */
function isAheadOfSchedule(messages: readonly Arrival[], intervalMs: number): boolean {
  const last = messages.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  return last < (messages.length - 1) * (intervalMs - toleranceOf(intervalMs));
}

function heldUp(messages: readonly Arrival[]): string {
  const came = messages.length === 1 ? "the first message came" : `${messages.length} messages came close together`;
  return `${came} ${Math.round(messages[0]?.at ?? 0)} ms after the request: the server or the path may have held them up`;
}

/** Messages count as held back if a burst follows a pause of at least this many intervals. */
const heldBackIntervals = 3;

function uneven(median: number, spread: number): string {
  return `the gaps between messages are too uneven (median ${Math.round(median)} ms, half of them spread over ${Math.round(spread)} ms)`;
}

/** How late a single message may be, in milliseconds, since networks jitter (T2). */
const lateMessageMs = 2_000;

/** How late every message may be, as a multiple of our own lag, in case the target shares our processor. */
const lagsPerMessage = 4;

/** How late a single message may be, as a multiple of our own lag. */
const lagsOfOneGap = 10;

/**
 * What is wrong with the number of messages since the first one, if anything. The accepted range allows for the
 * tolerance, the spread of the gaps, our own lag and one late message.
 *
 * Too few messages are certain unless a busy target or our own lag can explain them. Our lag can if it exceeds the
 * tolerance, is large enough for the average gap, and the stream did not fall silent. Too many are certain if they are
 * ahead of schedule.
 */
function countFault(
  watched: Watched,
  intervalMs: number,
  spread: number,
  gaps: readonly number[],
): { readonly seen: string; readonly certain: boolean; readonly doubt: string } | undefined {
  const { messages, ended, windowMs, loopLagMs } = watched;
  const first = messages[0]?.at;
  const last = messages.at(-1)?.at;
  if (first === undefined || last === undefined) return undefined;
  const count = messages.length;
  const slowest = intervalMs + toleranceOf(intervalMs);
  const quickest = intervalMs - toleranceOf(intervalMs);
  const windowEnd = ended === "by-us" ? Math.max(windowMs, last) : last;
  const span = windowEnd - first;
  const longest = Math.max(windowEnd - last, ...gapsBetween(messages).map(({ ms }) => ms));
  const late = count > gapsNeeded(intervalMs) ? Math.min(lateMessageMs, Math.max(0, longest - intervalMs)) : 0;
  const blur = 2 * spread + loopLagMs;
  const tooFew = count < Math.floor((span - late - blur) / slowest);
  const tooMany = count > Math.ceil((span + blur) / quickest) + 1;
  if (!tooFew && !tooMany) return undefined;
  const fellSilent = windowEnd - last > intervalMs + lateMessageMs + lagsOfOneGap * loopLagMs;
  const explained =
    !fellSilent && loopLagMs > toleranceOf(intervalMs) && span / count <= slowest + lagsPerMessage * loopLagMs;
  const isBusy = gaps.length >= gapsNeeded(intervalMs) && hasJitteryPace(gaps, span / (count - 1) - intervalMs);
  const pace = gaps.length > 0 ? `, mostly one every ${Math.round(medianOf(gaps))} ms` : "";
  const wait = tooFew ? `; the longest wait was ${Math.round(longest)} ms` : "";
  return {
    seen: `${count} within ${Math.round(span)} ms, where ${Math.floor(span / intervalMs) + 1} are due${pace}${wait}`,
    certain: tooMany ? isAheadOfSchedule(messages, intervalMs) : !explained && !isBusy,
    doubt: tooMany ? heldUp(messages) : isBusy ? strained(gaps) : lagged(loopLagMs),
  };
}

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
    if (first !== undefined && first <= deadlineMs) return { examined: 1, violations: [] };
    if (first === undefined && (watched.ended !== "by-us" || watched.windowMs <= deadlineMs)) {
      return nothingSeen(`a message, or ${Math.round(deadlineMs)} ms without one: ${describeEnd(watched)}`);
    }
    const path = roundTripMs >= 1 ? `, ${Math.round(roundTripMs)} ms of it for the path` : "";
    return {
      examined: 1,
      violations: [
        {
          path: "messages[0]",
          expected: `within ${Math.round(deadlineMs)} ms of the request${path}`,
          seen: first === undefined ? `none in ${Math.round(watched.windowMs)} ms` : `after ${Math.round(first)} ms`,
        },
      ],
    };
  };
}

/**
 * Doubts a first message that came late or not at all if our own event loop lagged (T7), or if small calls had to wait as
 * well: then the target was busy with other requests. Also doubts one that was late by no more than twice the jitter of
 * those calls.
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
    const busy = slowest > firstMessageTolerance.atLeastMs || lateBy <= 2 * jitter;
    return doubtOf(loopLagMs, deadlineMs) ?? (busy ? `the target left small calls waiting as well` : undefined);
  };
}

/**
 * Doubts a stream without messages if another stream, opened at the same time, was late or silent too: then something
 * held up both.
 *
 * @param other the stream of a wallet for which the target is known to send messages
 */
export function silenceDoubt(other: Watched | undefined): Doubt {
  return ({ messages, ended, windowMs }) => {
    if (messages.length > 0 || ended !== "by-us") return undefined;
    const isPrompt = other?.messages[0] !== undefined && other.messages[0].at <= windowMs / 2;
    return isPrompt ? undefined : "a stream of another wallet was silent as well";
  };
}

/**
 * Doubts a stream if several messages of another one came together after a pause: what gathers those, such as a buffering
 * proxy, holds back the messages of this stream as well.
 *
 * @param other a stream with this interval, opened at the same time
 */
export function bufferingDoubt(other: Watched | undefined, intervalMs: number): Doubt {
  const messages = other?.messages ?? [];
  const gaps = gapsBetween(messages).map(({ ms }) => ms);
  const longest = Math.max(messages[0]?.at ?? 0, ...gaps);
  const cameTogether = gaps.filter((ms) => ms < togetherShare * intervalMs).length;
  const areGathered = cameTogether >= togetherAtLeast && longest >= gatheredIntervals * intervalMs;
  return () => (areGathered ? heldBack(longest, "those of another stream") : undefined);
}

/**
 * Doubts a stream of which the last message came in part, while those of another one came whole: something on the way, such
 * as a buffering proxy, keeps the rest until more follows.
 *
 * @param other a stream of the same wallet at a short interval, opened at the same time
 */
export function partDoubt(other: Watched | undefined): Doubt {
  return ({ endsWithinMessage = false }) =>
    endsWithinMessage && (other?.messages.length ?? 0) > 0
      ? "only a part of a message arrived, and the rest was held back until more followed"
      : undefined;
}

/** Two messages came together if the gap between them is below this share of the interval. */
const togetherShare = 0.25;

/** A buffer that holds little more than a message lets them pass in pairs, after pauses of this many intervals at least. */
const gatheredIntervals = 1.5;

/** How often messages must have come together to show a buffer rather than jitter. */
const togetherAtLeast = 2;

function heldBack(ms: number, what = "messages"): string {
  return `${what} were held back for ${Math.round(ms)} ms and then came all at once`;
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
    if (!first || (!second && ended !== "by-us")) return nothingSeen(`a second message: ${describeEnd(watched)}`);
    const elapsed = (second?.at ?? windowMs) - first.at;
    if (elapsed <= to && (!second || elapsed >= from)) return { examined: 1, violations: [] };
    return {
      examined: 1,
      violations: [
        {
          path: "messages[1]",
          expected: `${seconds(from)} to ${seconds(to)} s after the first message`,
          seen: second ? `after ${seconds(elapsed)} s` : `none in ${seconds(elapsed)} s`,
        },
      ],
    };
  };
}

/**
 * Doubts a second message if our own lag may have moved it (T7), or if it only seems early because the first was held up.
 */
export function secondMessageDoubt({ from, to }: SecondMessageWindow): Doubt {
  return (watched) => {
    const { windowMs, loopLagMs } = watched;
    const [first, second] = watched.messages;
    if (first && second && second.at - first.at < from && second.at >= from) return heldUp([first]);
    if (!second && windowMs - (first?.at ?? 0) <= to) return undefined;
    return doubtOf(Math.max(first?.lagMs ?? loopLagMs, second?.lagMs ?? loopLagMs), (to - from) / 2);
  };
}

/** The stream stays open until the client disconnects (T5): it does not end in a window of at least 5 s and 20 messages. */
export const staysOpen: StreamJudge = (watched) => {
  const { ended, messages, windowMs } = watched;
  if (ended !== "by-us") return endedEarly(watched);
  if (messages.length >= openStreamEvidence.messages && windowMs >= openStreamEvidence.windowMs) {
    return { examined: 1, violations: [] };
  }
  const { windowMs: enough, messages: many } = openStreamEvidence;
  return nothingSeen(`${enough / 1000} s and ${many} messages of one stream: ${describeEnd(watched)}`);
};

/** The stream did not end while it was watched, for however short a time (T5). */
export const notEnded: StreamJudge = (watched) => {
  const { ended, messages } = watched;
  if (messages.length === 0) return nothingSeen(`a message: ${describeEnd(watched)}`);
  return ended === "by-us" ? { examined: 1, violations: [] } : endedEarly(watched);
};

function endedEarly(watched: Watched): Judgement {
  const expected = "to go on until the client disconnects";
  return { examined: 1, violations: [{ path: "", expected, seen: describeEnd(watched) }] };
}

/** How a watched stream ended, in words: `21 messages within 5012 ms`, or its end. */
export function describeEnd({ ended, endError, messages, windowMs }: Watched): string {
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

function doubtOf(lagMs: number, toleranceMs: number): string | undefined {
  return lagMs > toleranceMs * trustedLagShare ? lagged(lagMs) : undefined;
}

function lagged(loopLagMs: number): string {
  return `this machine's own event loop lagged by up to ${Math.round(loopLagMs)} ms`;
}

interface MessageGap {
  readonly ms: number;
  /** How far the gap may be off: the larger lag of its two ends. */
  readonly lagMs?: number;
}

function gapsBetween(messages: readonly Arrival[]): readonly MessageGap[] {
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
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (place - Math.floor(place)) * (above - below);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
