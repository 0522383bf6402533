/**
 * Judges candles (§2 Candlestick, §4.7, C1 to C4). Their order is left open, so every function accepts any order. Where
 * time matters, candles with an unreadable timestamp are skipped: the wire rules cover them.
 */
import type { JsonObject } from "../connect/json.js";
import type { CandleInterval } from "../specification/enums.js";
import { candleIntervalSeconds } from "../specification/limits.js";
import { compareInstants, type Instant, millisOf, parseInstant, plusSeconds } from "./instant.js";
import {
  combine,
  countOf,
  failed,
  type Judgement,
  judgeEach,
  judgeThat,
  nothingSeen,
  show,
  type Violation,
} from "./judgement.js";
import { type CandlestickView, candlesOf } from "./read.js";
import { canonicalStored } from "./read-stored.js";
import { timeOf } from "./read-values.js";
import { halfUnit, nearlyEqual } from "./tolerance.js";

/** A requested range of candles. */
export interface CandleRange {
  /** RFC 3339. */
  readonly startTime: string;
  /** RFC 3339. */
  readonly endTime: string;
  readonly interval: CandleInterval;
}

const field = "priceCandleSticks";

/** Every candle lies between start and end, give or take one interval at both ends, bounds inclusive (C2). */
export function withinRange(range: CandleRange, candles: readonly CandlestickView[]): Judgement {
  const { startTime, endTime, interval } = range;
  const isWithin = inRangeWidenedBy(1, range);
  return judgeEach(
    dated(candles),
    ({ index, instant, candle }): Violation | undefined =>
      isWithin(instant)
        ? undefined
        : {
            path: `${field}[${index}].timestamp`,
            expected: `${startTime} to ${endTime}, give or take one interval of ${interval}`,
            seen: candle.timestamp.text,
          },
    "candles in the range asked for",
  );
}

/**
 * The candles of intervals that lie in a range, whether candles are dated by the start or the end of their interval: any answer
 * for that range, or a longer one, has them (C2).
 */
export function wholeCandlesWithin(
  range: CandleRange,
  candles: readonly CandlestickView[],
): readonly CandlestickView[] {
  const isWithin = inRangeWidenedBy(-1, range);
  return dated(candles)
    .filter(({ instant }) => isWithin(instant))
    .map(({ candle }) => candle);
}

/** Whether a time lies in a range with so many intervals added at both ends, or taken away if negative; bounds inclusive. */
function inRangeWidenedBy(intervals: number, { startTime, endTime, interval }: CandleRange) {
  const [start, end] = [parseInstant(startTime), parseInstant(endTime)];
  if (!start || !end) throw new Error(`no range of candles: ${startTime} to ${endTime}`);
  const seconds = intervals * candleIntervalSeconds[interval];
  const [earliest, latest] = [plusSeconds(start, -seconds), plusSeconds(end, seconds)];
  return (instant: Instant) => compareInstants(instant, earliest) >= 0 && compareInstants(instant, latest) <= 0;
}

const hour = 3_600_000;
const day = 24 * hour;
/** Mean length of a calendar month. */
const month = 30.436875 * day;
/** How far the distance between two month starts may be from a multiple of the mean. */
const monthTolerance = 3 * day;
/** The next coarser interval, for intervals that divide it evenly. */
const coarser: Partial<Record<CandleInterval, CandleInterval>> = { "1S": "1", "1": "60", "60": "1D", "1D": "1W" };
/** How many distances between candles it takes to tell that they are those of a coarser interval. */
const fewestDistances = 3;

/**
 * Candles are spaced by the charting convention (C1): successive candles are a whole number of intervals apart, since a
 * time without trades may have no candle, and they are not the candles of a coarser interval.
 */
export function spacedBy(interval: CandleInterval, candles: readonly CandlestickView[]): Judgement {
  const ordered = dated(candles).sort((a, b) => compareInstants(a.instant, b.instant));
  const [first] = ordered;
  const judgement = judgeEach(
    ordered.slice(1),
    (next, at): Violation | undefined => {
      const before = ordered[at] ?? next;
      return first && isWholeNumberOf(interval, first, before, next)
        ? undefined
        : {
            path: `${field}[${next.index}].timestamp`,
            expected: `a whole number of intervals of ${lengthInWords(interval)} after ${before.candle.timestamp.text}`,
            seen: `${next.candle.timestamp.text}, ${distance(before, next) / 1000} s after it`,
          };
    },
    `two candles of the interval ${interval}`,
  );
  if (judgement.violations.length > 0 || judgement.examined < fewestDistances) return judgement;
  const next = coarser[interval];
  if (!next || !areExactlySpaced(candleIntervalSeconds[next] * 1000, ordered)) return judgement;
  const spacing = distance(ordered[0], ordered[1]) / 1000;
  const violation = {
    path: field,
    expected: `one for each ${lengthInWords(interval)}`,
    seen: `one every ${spacing} s, as for ${next}`,
  };
  return { ...judgement, violations: [violation] };
}

/** Whether all candles are whole multiples of a length in milliseconds apart, which sparse candles are not. */
function areExactlySpaced(length: number, ordered: readonly Dated[]): boolean {
  return ordered.every((at, index) => index === 0 || distance(ordered[index - 1], at) % length === 0);
}

/** Counts months from the first candle, so that candles 30 days apart do not pass as monthly ones. */
function isWholeNumberOf(interval: CandleInterval, first: Dated, before: Dated, next: Dated): boolean {
  if (interval !== "1M") return isMultiple(interval, distance(before, next));
  const elapsed = distance(first, next);
  const months = Math.round(elapsed / month);
  return (
    Math.abs(elapsed - months * month) <= monthTolerance &&
    distance(before, next) >= 28 * day - hour &&
    months > Math.round(distance(first, before) / month)
  );
}

/** Allows an hour for intervals of a day or more: daylight saving time makes some days an hour shorter or longer. */
function isMultiple(interval: CandleInterval, milliseconds: number): boolean {
  const length = candleIntervalSeconds[interval] * 1000;
  const tolerance = length >= day ? hour : length / 100;
  const count = Math.round(milliseconds / length);
  return count >= 1 && Math.abs(milliseconds - count * length) <= tolerance;
}

function lengthInWords(interval: CandleInterval): string {
  return interval === "1M" ? "a calendar month" : `${candleIntervalSeconds[interval]} s`;
}

/** `open` and `close` lie between `low` and `high` (C4), within the tolerance of R1. */
export function bodyWithinWick(candles: readonly CandlestickView[]): Judgement {
  const fields = ["open", "high", "low", "close"] as const;
  const coarsest = Math.max(...fields.map((field) => halfUnit(candles.map((candle) => candle[field]))));
  const slack = { rounding: [coarsest, coarsest] };
  return combine(
    candles.map(({ open, high, low, close }, index): Judgement => {
      if ([open, high, low, close].some(Number.isNaN)) return nothingSeen("a candle with readable prices");
      const parts = Object.entries({ open, close });
      return judgeEach(parts, ([name, price]): Violation | undefined =>
        (price >= low || nearlyEqual(price, low, slack)) && (price <= high || nearlyEqual(price, high, slack))
          ? undefined
          : {
              path: `${field}[${index}].${name}`,
              expected: `${low} to ${high} (= low to high)`,
              seen: String(price),
            },
      );
    }),
  );
}

/**
 * A second answer holds the same candles as the first one (C3).
 *
 * @param relation how the requests are related, such as `as without a limit`
 */
export function sameCandles(
  first: readonly CandlestickView[],
  second: readonly CandlestickView[],
  relation: string,
): Judgement {
  if (Math.max(first.length, second.length) < 2) return nothingSeen("a range with two candles");
  const present = new Map(second.map((candle) => [timeOf(candle), candle]));
  if (first.length !== second.length) {
    const lost = first.find((candle) => !present.has(timeOf(candle)));
    const without = lost ? `, without that of ${timeOf(lost)}` : "";
    const expected = `${countOf(first.length, "candle")} (${relation})`;
    const seen = `${countOf(second.length, "candle")}${without}`;
    return failed({ answer: 1, path: field, expected, seen });
  }
  return judgeEach(first, (candle): Violation | undefined => {
    const found = present.get(timeOf(candle));
    if (found && canonical(found) === canonical(candle)) return undefined;
    const seen = found ? canonical(found) : "no such candle";
    return { answer: 1, path: field, expected: `${canonical(candle)} (${relation})`, seen };
  });
}

/** The candles of a whole range and of its parts, from separate answers. */
export interface RangeInParts {
  readonly whole: readonly CandlestickView[];
  readonly parts: readonly (readonly CandlestickView[])[];
}

/**
 * A range returns every candle that its parts return (C3). Few candles say nothing about a silent limit, so it takes more
 * than `atLeast` of them to pass.
 */
export function rangeContainsParts({ whole, parts }: RangeInParts, atLeast: number): Judgement {
  const ofParts = new Set(parts.flat().map(timeOf));
  const ofWhole = new Set(whole.map(timeOf));
  const lost = [...ofParts].filter((time) => !ofWhole.has(time)).sort();
  const examined = ofParts.size;
  const [first] = lost;
  if (first !== undefined) {
    const times =
      lost.length === 1 ? `the candle of ${first}` : `${lost.length} candles from ${first} to ${lost.at(-1)}`;
    const expected = `${times}, as parts of this range show`;
    const shown = [...ofWhole].sort();
    const span = shown.length > 1 ? `, from ${shown[0]} to ${shown.at(-1)}` : "";
    const seen = `${countOf(shown.length, "candle")} without ${lost.length === 1 ? "it" : "them"}${span}`;
    const comparedAnswer = 1 + parts.findIndex((part) => part.some((candle) => timeOf(candle) === first));
    return { examined, violations: [{ path: field, expected, seen, comparedAnswer }] };
  }
  const most = Math.max(examined, ofWhole.size);
  if (examined > 0 && most > atLeast) return { examined, violations: [] };
  return nothingSeen(`a range with more than ${countOf(atLeast, "candle")} of one interval: ${most} were seen`);
}

/** An answer for a range holds every candle of an answer for a part of that range, however few there are (C3). */
export function containsPart(whole: JsonObject, part: JsonObject): Judgement {
  return rangeContainsParts({ whole: candlesOf(whole), parts: [candlesOf(part)] }, 0);
}

/**
 * One market's candles are not passed off as another's (S4): the candles of the answer `asked` are none of those of `other`.
 */
export function notTheCandlesOf(
  other: { readonly marketId: string; readonly candles: readonly CandlestickView[] },
  asked: readonly CandlestickView[],
): Judgement {
  const candlesOfOther = new Set(other.candles.map(canonical));
  if (candlesOfOther.size === 0) return nothingSeen("candles of a known market");
  const borrowed = asked.filter((candle) => candlesOfOther.has(canonical(candle)));
  const seen = `${countOf(borrowed.length, "candle")} of market ${other.marketId}`;
  return judgeThat(borrowed.length === 0, { path: field, expected: "no candles of another market", seen });
}

/** How candles are ordered, in words (C4); undefined if fewer than two have a timestamp. */
export function orderInWords(candles: readonly CandlestickView[]): string | undefined {
  const instants = dated(candles).map(({ instant }) => instant);
  if (instants.length < 2) return undefined;
  const steps = instants.slice(1).map((instant, at) => compareInstants(instant, instants[at] ?? instant));
  if (steps.every((step) => step > 0)) return "oldest first";
  return steps.every((step) => step < 0) ? "newest first" : "in no order of time";
}

/** How far apart candles are, in words: their number and the smallest distance (C4). */
export function spacingInWords(candles: readonly CandlestickView[]): string {
  const ordered = dated(candles).sort((a, b) => compareInstants(a.instant, b.instant));
  const distances = ordered.slice(1).map((next, at) => distance(ordered[at], next));
  const count = countOf(candles.length, "candle");
  const smallest = distances.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return distances.length === 0 ? count : `${count}, ${smallest / 1000} s apart`;
}

/** The array `prices` in words: its length and first element. The text does not describe its elements. */
export function pricesInWords({ prices }: JsonObject): string {
  if (!Array.isArray(prices) || prices.length === 0) return "no elements";
  return `${prices.length} elements, the first of them ${show(prices[0])}`;
}

interface Dated {
  /** Index in the answer. */
  readonly index: number;
  readonly instant: Instant;
  readonly candle: CandlestickView;
}

function dated(candles: readonly CandlestickView[]): Dated[] {
  return candles.flatMap((candle, index) => {
    const { instant } = candle.timestamp;
    return instant ? [{ index, instant, candle }] : [];
  });
}

/** Milliseconds from one candle to another. */
function distance(from: Dated | undefined, to: Dated | undefined): number {
  return from && to ? millisOf(to.instant) - millisOf(from.instant) : 0;
}

function canonical({ json }: CandlestickView): string {
  return canonicalStored(json);
}
