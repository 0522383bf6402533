/**
 * Judges the pace of a stream's messages (§4.2, T2, T3), and whether the harness was too busy to measure it (T7). If it was,
 * the stream is watched again.
 */
import { groupBy } from "../specification/group-by.js";
import { cadenceEvidence, trustedLagShare } from "../specification/limits.js";
import { nothingSeen } from "./judgement.js";
import {
  type Arrival,
  cameInBurst,
  type Doubt,
  endInWords,
  gapsBetween,
  lagged,
  lateMessageMs,
  mayBeDelayed,
  medianOf,
  quantile,
  type StreamJudge,
  toleranceOf,
  type Watched,
} from "./watched-stream.js";

/** How many gaps a median needs: at least eight, fewer above 2 s (T2). */
export function gapsNeeded(intervalMs: number): number {
  return intervalMs > cadenceEvidence.longIntervalMs ? cadenceEvidence.minimumGapsOfLong : cadenceEvidence.minimumGaps;
}

/** The gaps between messages, in milliseconds, during which our own lag was at most a third of the tolerance (T7). */
export function trustedGaps(messages: readonly Arrival[], intervalMs: number, loopLagMs = 0): readonly number[] {
  const mostLagMs = toleranceOf(intervalMs) * trustedLagShare;
  return gapsBetween(messages)
    .filter((gap) => (gap.lagMs ?? loopLagMs) <= mostLagMs)
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
      return nothingSeen(`${gapsNeeded(Math.min(...accepted))} gaps between messages: ${endInWords(watched)}`);
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
  const wrongCount = countFault(watched, intervalMs, spread, gaps);
  const byCount = wrongCount && {
    gaps,
    fault: wrongCount.seen,
    ...(!wrongCount.certain && { doubt: wrongCount.doubt }),
  };

  // A server that ended its stream early breaks another rule (T5).
  if (messages.length <= needed) return ended === "by-us" && byCount ? byCount : { gaps };
  if (byCount && wrongCount?.isRhythm) return byCount;
  if (gaps.length < needed) return byCount && wrongCount?.certain ? byCount : { gaps, doubt: lagged(loopLagMs) };

  const distance = Math.abs(median - intervalMs);
  if (distance <= toleranceOf(intervalMs)) {
    if (byCount) return byCount;
    return spread > intervalMs ? { gaps, doubt: uneven(median, spread) } : { gaps };
  }
  const fault = `one every ${Math.round(median)} ms (median of ${gaps.length} gaps, ${Math.round(Math.min(...gaps))} to ${Math.round(Math.max(...gaps))} ms)`;
  // The count is right, but the messages came in bursts after a pause: the network or a busy machine held them back.
  const longest = Math.max(...gapsBetween(messages).map(({ ms }) => ms));
  if (wrongCount === undefined && median < intervalMs && longest >= heldBackIntervals * intervalMs) {
    return { gaps, fault, doubt: cameInBurst(longest) };
  }
  // `spread` is the interquartile range of the gaps. Their median is hardly ever off by more than this.
  const uncertainty = (2 * spread) / Math.sqrt(gaps.length);
  const certain = spread <= intervalMs && distance > toleranceOf(intervalMs) + uncertainty;
  if (!certain && !wrongCount?.certain) return { gaps, fault, doubt: uneven(median, spread) };
  if (median > intervalMs) return { gaps, fault, ...(hasJitteryPace(gaps, distance) && { doubt: unevenPace(gaps) }) };
  return isAheadOfSchedule(messages, intervalMs) ? { gaps, fault } : { gaps, fault, doubt: mayBeDelayed(messages) };
}

/**
 * A wrong pace is the server's own if it is off by more than this many times the median difference between successive gaps.
 */
const pacedDifferences = 4;

/**
 * Whether successive gaps differ about as much as the pace is too slow, which is typical of a machine that is busy with
 * something else. A pace that the server intends is even, although it may be wrong or slow down steadily.
 */
function hasJitteryPace(gaps: readonly number[], tooSlowMs: number): boolean {
  return tooSlowMs <= pacedDifferences * differenceOf(gaps);
}

/** The median difference between successive gaps, in milliseconds. */
function differenceOf(gaps: readonly number[]): number {
  return medianOf(gaps.slice(1).map((gap, index) => Math.abs(gap - (gaps[index] ?? gap))));
}

function unevenPace(gaps: readonly number[]): string {
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

/** Messages count as held back if a burst follows a pause of at least this many intervals. */
const heldBackIntervals = 3;

function uneven(median: number, spread: number): string {
  return `the gaps between messages are too uneven (median ${Math.round(median)} ms, half of them spread over ${Math.round(spread)} ms)`;
}

/** How late every message may be, as a multiple of our own lag, in case the target shares our processor. */
const lagsPerMessage = 4;

/** How late a single message may be, as a multiple of our own lag. */
const lagsOfOneGap = 10;

/**
 * What shows a rhythm: how many times messages were left out, the share of them after the same number of messages, and the
 * share of messages that are missing.
 */
const rhythmEvidence = { skips: 9, alike: 2 / 3, missing: 0.1 } as const;

/**
 * Whether a stream keeps its interval but leaves messages out in a steady rhythm, such as every fourth. A busy machine leaves
 * them out at random, or slows down for a while.
 */
function skipsRegularly(messages: readonly Arrival[], intervalMs: number): boolean {
  const gaps = gapsBetween(messages).map(({ ms }) => ms);
  // Half of the gaps or more may be longer, where every third message is left out.
  if (Math.abs(quantile(gaps, 0.25) - intervalMs) > toleranceOf(intervalMs)) return false;
  const skips = gaps.flatMap((ms, index) => (Math.round(ms / intervalMs) > 1 ? [index] : []));
  const distances = skips.slice(1).map((at, index) => at - (skips[index] ?? at));
  const apart = groupBy(
    distances.filter((distance) => distance > 1),
    (distance) => distance,
  );
  const alike = Math.max(0, ...[...apart.values()].map(({ length }) => length));
  return skips.length >= rhythmEvidence.skips && alike >= rhythmEvidence.alike * distances.length;
}

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
):
  | { readonly seen: string; readonly certain: boolean; readonly isRhythm: boolean; readonly doubt: string }
  | undefined {
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
  const uncertaintyMs = 2 * spread + loopLagMs;
  const skips = skipsRegularly(messages, intervalMs);
  // A rhythm is the server's own, so nothing else needs to be allowed for.
  const fewest = skips ? (span * (1 - rhythmEvidence.missing)) / intervalMs : (span - late - uncertaintyMs) / slowest;
  const tooFew = count < Math.floor(fewest);
  const tooMany = count > Math.ceil((span + uncertaintyMs) / quickest) + 1;
  if (!tooFew && !tooMany) return undefined;
  const fellSilent = windowEnd - last > intervalMs + lateMessageMs + lagsOfOneGap * loopLagMs;
  const explained =
    !fellSilent && loopLagMs > toleranceOf(intervalMs) && span / count <= slowest + lagsPerMessage * loopLagMs;
  const isBusy = gaps.length >= gapsNeeded(intervalMs) && hasJitteryPace(gaps, span / (count - 1) - intervalMs);
  const pace = gaps.length > 0 ? `, mostly one every ${Math.round(medianOf(gaps))} ms` : "";
  const wait = tooFew ? `; the longest wait was ${Math.round(longest)} ms` : "";
  return {
    seen: `${count} within ${Math.round(span)} ms, where ${Math.floor(span / intervalMs) + 1} are due${pace}${wait}`,
    certain: tooMany ? isAheadOfSchedule(messages, intervalMs) : skips || (!explained && !isBusy),
    isRhythm: tooFew && skips,
    doubt: tooMany ? mayBeDelayed(messages) : isBusy ? unevenPace(gaps) : lagged(loopLagMs),
  };
}
