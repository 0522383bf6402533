/**
 * When the messages of a stream come (§4.2, T1 to T3, T5), and whether the harness was too busy to measure it (T7): then the
 * stream is watched again.
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
import { type Judgement, nothingSeen } from "./judgement.js";

/** The times of a stream, as far as it was watched. All are milliseconds since the request was sent. */
export interface Watched {
  readonly messages: readonly Arrival[];
  /** Whether we left, the server sent an end-of-stream frame, or the connection closed without one. */
  readonly ended: "by-us" | "end-frame" | "closed";
  readonly endError?: { readonly code: string };
  /** When the watch ended. */
  readonly windowMs: number;
  /** The largest lag of the harness's own event loop in the window. */
  readonly loopLagMs: number;
}

/** When a message was read, and what that may be off by. */
export interface Arrival {
  readonly at: number;
  /** The lag of the harness's own event loop when it was read; the largest of the whole window when absent. */
  readonly lagMs?: number;
}

/** What a watched stream says about a rule. */
export type StreamJudge = (watched: Watched) => Judgement;

/** Why a measurement cannot be trusted, and has to be made again (T7); undefined when it can. */
export type Doubt = (watched: Watched) => string | undefined;

/** How far the median gap may be from the interval: a tenth of it or 15 ms, whichever is greater (T2). */
export function toleranceOf(intervalMs: number): number {
  return Math.max(cadenceTolerance.intervalShare * intervalMs, cadenceTolerance.atLeastMs);
}

/** How many gaps a median needs: at least eight, fewer above 2 s (T2). */
export function gapsNeeded(intervalMs: number): number {
  return intervalMs > cadenceEvidence.longIntervalMs ? cadenceEvidence.minimumGapsOfLong : cadenceEvidence.minimumGaps;
}

/** The gaps between messages that our own lag did not blur: it was no more than a third of the tolerance (T7). */
export function trustedGaps(messages: readonly Arrival[], intervalMs: number, loopLagMs = 0): readonly number[] {
  const bearable = toleranceOf(intervalMs) * trustedLagShare;
  return gapsBetween(messages)
    .filter((gap) => (gap.lagMs ?? loopLagMs) <= bearable)
    .map(({ ms }) => ms);
}

/**
 * One message per interval (T2): the median gap is within the tolerance, and so is the number of messages over the whole
 * window. With several accepted intervals any of them will do (T3 on zero).
 */
export function oneMessagePer(...accepted: readonly number[]): StreamJudge {
  return (watched) => {
    const readings = accepted.map((intervalMs) => ({ intervalMs, ...measure(watched, intervalMs) }));
    const holding = readings.find(({ fault, gaps, intervalMs }) => !fault && gaps.length >= gapsNeeded(intervalMs));
    if (holding) return { examined: holding.gaps.length, violations: [] };
    if (readings.some(({ fault }) => fault === undefined)) {
      return nothingSeen(`${gapsNeeded(Math.min(...accepted))} gaps between messages: ${describeEnd(watched)}`);
    }
    const expected = readings.map(({ intervalMs }) => `${intervalMs} ms (give or take ${toleranceOf(intervalMs)} ms)`);
    return {
      examined: Math.max(1, watched.messages.length - 1),
      violations: [
        { path: "messages", expected: `one every ${expected.join(", or every ")}`, seen: readings[0]?.fault ?? "none" },
      ],
    };
  };
}

/** What speaks against trusting a cadence: our own lag, or gaps so uneven that their median says little (T2, T7). */
export function cadenceDoubt(...accepted: readonly number[]): Doubt {
  return (watched) => {
    const readings = accepted.map((intervalMs) => measure(watched, intervalMs));
    const certain = readings.some(({ doubt, fault }) => !doubt && !fault);
    return certain ? undefined : readings.find(({ doubt }) => doubt !== undefined)?.doubt;
  };
}

/** Of several intervals the one that the median gap is nearest to. */
export function nearestInterval({ messages }: Watched, accepted: readonly number[]): number | undefined {
  const median = quantile(
    gapsBetween(messages).map(({ ms }) => ms),
    0.5,
  );
  return [...accepted].sort((a, b) => Math.abs(a - median) - Math.abs(b - median))[0];
}

/** The median of the gaps between messages, in milliseconds; undefined with fewer than two messages. */
export function medianGap({ messages }: Watched): number | undefined {
  return messages.length < 2
    ? undefined
    : quantile(
        gapsBetween(messages).map(({ ms }) => ms),
        0.5,
      );
}

interface Reading {
  /** The gaps that can be trusted. */
  readonly gaps: readonly number[];
  /** What is wrong with the cadence; it holds unless there is a doubt. */
  readonly fault?: string;
  readonly doubt?: string;
}

function measure(watched: Watched, intervalMs: number): Reading {
  const { messages, ended, loopLagMs } = watched;
  const needed = gapsNeeded(intervalMs);
  const gaps = trustedGaps(messages, intervalMs, loopLagMs);
  const median = quantile(gaps, 0.5);
  const spread = quantile(gaps, 0.75) - quantile(gaps, 0.25);
  const number = numberFault(watched, intervalMs, spread, gaps);
  const numberReading = number && { gaps, fault: number.seen, ...(number.certain ? {} : { doubt: number.doubt }) };

  // A server that ended its stream early breaks another rule (T5).
  if (messages.length <= needed) return ended === "by-us" && numberReading ? numberReading : { gaps };
  if (gaps.length < needed) return number?.certain ? { gaps, fault: number.seen } : { gaps, doubt: lagged(loopLagMs) };

  const distance = Math.abs(median - intervalMs);
  if (distance <= toleranceOf(intervalMs)) {
    if (numberReading) return numberReading;
    return spread > intervalMs ? { gaps, doubt: uneven(median, spread) } : { gaps };
  }
  const fault = `one every ${round(median)} ms (median of ${gaps.length} gaps, ${round(Math.min(...gaps))} to ${round(Math.max(...gaps))} ms)`;
  // As many as there should be, but after a pause in bursts: something on the way, or a busy machine, held them back.
  const longest = Math.max(...gapsBetween(messages).map(({ ms }) => ms));
  if (number === undefined && median < intervalMs && longest >= heldBackIntervals * intervalMs) {
    return { gaps, fault, doubt: heldBack(longest) };
  }
  // Half of the gaps lie within the spread: the median of n of them is hardly ever off by more than this.
  const uncertainty = (2 * spread) / Math.sqrt(gaps.length);
  const certain = spread <= intervalMs && distance > toleranceOf(intervalMs) + uncertainty;
  if (!certain && !number?.certain) return { gaps, fault, doubt: uneven(median, spread) };
  if (median > intervalMs) return { gaps, fault, ...(isStrained(gaps, distance) && { doubt: strained(gaps) }) };
  return isAhead(messages, intervalMs) ? { gaps, fault } : { gaps, fault, doubt: heldUp(messages) };
}

/** By how many times the usual difference of a gap from the one before it a pace must be off to be a pace of its own. */
const pacedDifferences = 4;

/**
 * Whether gaps differ from one to the next by as much as the whole pace is too slow: so do those of a machine that is busy
 * with something else. A pace that is kept is even, also when it is the wrong one, or becomes ever slower.
 */
function isStrained(gaps: readonly number[], tooSlowMs: number): boolean {
  return tooSlowMs <= pacedDifferences * differenceOf(gaps);
}

/** The median difference of a gap from the one before it, in milliseconds. */
function differenceOf(gaps: readonly number[]): number {
  return medianOf(gaps.slice(1).map((gap, index) => Math.abs(gap - (gaps[index] ?? gap))));
}

function strained(gaps: readonly number[]): string {
  return `the pace is uneven, as that of a busy machine (a gap differs by ${round(differenceOf(gaps))} ms from the one before)`;
}

/**
 * Whether more messages have come than there was time for since the request. Fewer than that, however close together, may
 * come from a server that keeps its times, and was held up, or from a path that was.
 */
function isAhead(messages: readonly Arrival[], intervalMs: number): boolean {
  const last = messages.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  return last < (messages.length - 1) * (intervalMs - toleranceOf(intervalMs));
}

function heldUp(messages: readonly Arrival[]): string {
  const came = messages.length === 1 ? "the first message came" : `${messages.length} messages came close together`;
  return `${came} ${round(messages[0]?.at ?? 0)} ms after the request, as if held up`;
}

/** After a pause of so many intervals messages that were held back come in bursts. */
const heldBackIntervals = 3;

function uneven(median: number, spread: number): string {
  return `the gaps between messages are too uneven (median ${round(median)} ms, half of them spread over ${round(spread)} ms)`;
}

/** The longest silence that may pass for one late message, in milliseconds: networks jitter (T2). */
const lateMessageMs = 2_000;

/** By how many times our own lag a target may be late with every message, should it share our processor. */
const lagsPerMessage = 4;

/** By how many times our own lag it may be late with a single one. */
const lagsOfOneGap = 10;

/**
 * What is wrong with the number of messages since the first one, if anything. The window is taken as wide, and as
 * narrow, as the tolerance, the spread of the gaps and our own lag make it, and one late message is forgiven. Too few
 * messages are certain when we did not lag by more than the tolerance, or when lag cannot explain how few there are, or how long
 * none came, and when neither can a target that is busy.
 */
function numberFault(
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
  const isBusy = gaps.length >= gapsNeeded(intervalMs) && isStrained(gaps, span / (count - 1) - intervalMs);
  const wait = tooFew ? `; the longest wait was ${round(longest)} ms` : "";
  return {
    seen: `${count} within ${round(span)} ms, which is time for ${Math.floor(span / intervalMs) + 1}${wait}`,
    certain: tooMany ? isAhead(messages, intervalMs) : !explained && !isBusy,
    doubt: tooMany ? heldUp(messages) : isBusy ? strained(gaps) : lagged(loopLagMs),
  };
}

/**
 * The first message is sent immediately (T1): within a tenth of the interval or 1 s, whichever is greater, and the round
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
      return nothingSeen(`a message, or ${round(deadlineMs)} ms without one: ${describeEnd(watched)}`);
    }
    const path = roundTripMs >= 1 ? `, ${round(roundTripMs)} ms of it for the path` : "";
    return {
      examined: 1,
      violations: [
        {
          path: "messages[0]",
          expected: `within ${round(deadlineMs)} ms of the request${path}`,
          seen: first === undefined ? `none in ${round(watched.windowMs)} ms` : `after ${round(first)} ms`,
        },
      ],
    };
  };
}

/**
 * A first message that came late, or not at all, while our own event loop lagged (T7), or while the target left small calls
 * waiting as well: one that is busy with others keeps nobody's time.
 *
 * @param roundTripsMs round trips of unary calls that were under way at the same time, on connections as new as the stream's
 */
export function firstMessageDoubt(intervalMs: number, roundTripsMs: readonly number[] = []): Doubt {
  const deadlineMs = firstMessageLimitMs(intervalMs);
  const slowest = Math.max(0, ...roundTripsMs);
  return ({ messages: [first], loopLagMs }) => {
    if (first && first.at <= deadlineMs + medianOf(roundTripsMs)) return undefined;
    const busy = slowest > firstMessageTolerance.atLeastMs;
    return doubtOf(loopLagMs, deadlineMs) ?? (busy ? `the target left small calls waiting as well` : undefined);
  };
}

/**
 * A stream that brought nothing while another one, asked for at the same time, was late or silent, too: something held up
 * both of them, and neither says anything of its own.
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
 * Messages of one stream that came all at once, after a pause: a path that gathers them, such as a proxy that fills a buffer
 * first, holds back those of another stream as well.
 *
 * @param other a stream at the interval, asked for at the same time
 */
export function gatheredDoubt(other: Watched | undefined, intervalMs: number): Doubt {
  const messages = other?.messages ?? [];
  const gaps = gapsBetween(messages).map(({ ms }) => ms);
  const longest = Math.max(messages[0]?.at ?? 0, ...gaps);
  const areGathered =
    gaps.length > 1 &&
    medianOf(gaps) < intervalMs - toleranceOf(intervalMs) &&
    longest >= heldBackIntervals * intervalMs;
  return () => (areGathered ? heldBack(longest, "those of another stream") : undefined);
}

function heldBack(ms: number, what = "messages"): string {
  return `${what} were held back for ${round(ms)} ms and then came all at once`;
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

/** When the second message is due at an interval above 2 s, one message late included (T2), and above 60 s (T3). */
export function secondMessageWindow(intervalMs: number): SecondMessageWindow {
  if (intervalMs > streamIntervalMaxMs) return longestIntervalWindowMs;
  const tolerance = toleranceOf(intervalMs);
  return { from: intervalMs - tolerance, to: intervalMs + Math.max(tolerance, lateMessageMs) };
}

/**
 * The second message comes when it is due: at an interval above 60000, which behaves as 60000, 58 to 63 s after the first (T3). A
 * watch that ends before says only that it did not come too early.
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

/** A second message whose time our own lag may have moved (T7), or that seems early since the first one was held up. */
export function secondMessageDoubt({ from, to }: SecondMessageWindow): Doubt {
  return (watched) => {
    const { windowMs, loopLagMs } = watched;
    const [first, second] = watched.messages;
    if (first && second && second.at - first.at < from && second.at >= from) return heldUp([first]);
    if (!second && windowMs - (first?.at ?? 0) <= to) return undefined;
    return doubtOf(Math.max(first?.lagMs ?? loopLagMs, second?.lagMs ?? loopLagMs), (to - from) / 2);
  };
}

/** The stream goes on until the client disconnects (T5): no end in the window, which has at least 5 s and 20 messages. */
export const staysOpen: StreamJudge = (watched) => {
  const { ended, messages, windowMs } = watched;
  if (ended !== "by-us") {
    const expected = "to go on until the client disconnects";
    return { examined: 1, violations: [{ path: "", expected, seen: describeEnd(watched) }] };
  }
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
  if (ended === "by-us") return { examined: 1, violations: [] };
  const expected = "to go on until the client disconnects";
  return { examined: 1, violations: [{ path: "", expected, seen: describeEnd(watched) }] };
};

/** How a watched stream came to its end: `left after 5012 ms and 21 messages`. */
export function describeEnd({ ended, endError, messages, windowMs }: Watched): string {
  const after = `after ${round(windowMs)} ms and ${messages.length === 1 ? "1 message" : `${messages.length} messages`}`;
  switch (ended) {
    case "by-us":
      return `left ${after}`;
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
  return `this machine's own event loop lagged by up to ${round(loopLagMs)} ms`;
}

interface Gap {
  readonly ms: number;
  /** What the gap may be off by: the lag at either end. */
  readonly lagMs?: number;
}

function gapsBetween(messages: readonly Arrival[]): readonly Gap[] {
  return messages.slice(1).map((message, index): Gap => {
    const before = messages[index] ?? message;
    const ms = message.at - before.at;
    if (message.lagMs === undefined || before.lagMs === undefined) return { ms };
    return { ms, lagMs: Math.max(message.lagMs, before.lagMs) };
  });
}

/** The median of some numbers; 0 of none. */
export function medianOf(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The quantile of some numbers, interpolated; 0 of none. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (place - Math.floor(place)) * (above - below);
}

function round(ms: number): number {
  return Math.round(ms);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
