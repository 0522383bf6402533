/** Ranges of candles, each with a part that it must contain. */
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { saysNoPrice } from "../../src/engine/no-price.js";
import { lastClockChange, startsOfPeriods } from "../../src/exploration/calendar-boundaries.js";
import { partOfRange, rangeParts } from "../../src/exploration/rewrites.js";
import { type CandleRange, rangeContainsParts } from "../../src/judge/candles.js";
import { compareInstants, formatInstant, instantFromMillis, plusSeconds } from "../../src/judge/instant.js";
import { type CandlestickView, candlesOf } from "../../src/judge/read.js";
import type { CandleInterval } from "../../src/specification/enums.js";
import { candleIntervalSeconds, daySeconds } from "../../src/specification/limits.js";
import { candleRequest, candleSample, rangeEnding } from "./candles.js";

/** Whether the whole lacks a candle that a part shows. */
export function lacksCandles({ whole, parts }: { readonly whole: Answer; readonly parts: readonly Answer[] }): boolean {
  return rangeContainsParts({ whole: candlesOrNone(whole), parts: parts.map(candlesOrNone) }, 0).violations.length > 0;
}

/**
 * The ranges of which neither answer rightly says that there is no price (§7). Without any the check is inconclusive.
 *
 * @param missing what is needed, in words
 */
export function withPrices(
  { required, subjects }: CheckContext,
  ranges: readonly RangeAndPart[],
  missing: string,
): readonly RangeAndPart[] {
  const found = ranges.filter(
    ({ whole, part }) => !saysNoPrice(whole, [part], subjects) && !saysNoPrice(part, [whole], subjects),
  );
  required(found[0], missing);
  return found;
}

/** Explored ranges, each beside a part of it. */
export const besideParts = rangeParts.map(
  (part) =>
    ({
      name: `with ${part}`,
      rewrite: partOfRange(part),
      answered: true,
      sample: { quick: 12, full: 30 },
    }) as const,
);

/** How many candles are read after a boundary. */
export const candlesAfterBoundary = 3;

/** A range of candles, and a part that it must contain. */
export interface RangeAndPart {
  readonly whole: Answer;
  readonly part: Answer;
}

/**
 * Returns both as read. If the range lacks something, reads both again in a bracket, since old candles may expire in between
 * (P3).
 */
export async function rereadIfLacking(
  { bracket }: CheckContext,
  { whole, part }: RangeAndPart,
  readWhole: () => Promise<Answer>,
  readPart: () => Promise<Answer>,
): Promise<RangeAndPart> {
  if (whole.outcome.kind !== "success" || !lacksCandles({ whole, parts: [part] })) return { whole, part };
  const [wholeAgain, partAgain] = await bracket(readWhole, readPart);
  return { whole: wholeAgain, part: partAgain };
}

/**
 * A range that ends in the future, and the part of it that ends at the platform's latest activity. The year 9999 overflows
 * 32-bit seconds and 64-bit nanoseconds.
 */
export async function intoTheFuture(context: CheckContext, until: "tomorrow" | "the year 9999"): Promise<RangeAndPart> {
  const { call, startedAt } = context;
  const { market, end } = await candleSample(context);
  const now = instantFromMillis(startedAt);
  // The day after the latest activity, should the target's clock be ahead of this machine's.
  const tomorrow = plusSeconds(compareInstants(end, now) > 0 ? end : now, daySeconds);
  const future = until === "tomorrow" ? tomorrow : instantFromMillis(Date.UTC(9999, 11, 31, 23, 59, 59));
  // Keeps the number of candles small, whenever the latest activity was.
  const interval = future.seconds - end.seconds < 10 * daySeconds ? "60" : "1M";
  const past = rangeEnding(end, interval, 6);
  const readPart = () => call.getHistoricalPrices(candleRequest(market, past));
  const readWhole = () => call.getHistoricalPrices(candleRequest(market, { ...past, endTime: formatInstant(future) }));
  const part = await readPart();
  return rereadIfLacking(context, { whole: await readWhole(), part }, readWhole, readPart);
}

/** Intervals of which a day has many. */
const shortIntervals = ["1S", "1", "60"] as const satisfies readonly CandleInterval[];

/**
 * For each short interval: a range across the latest start of a year, month or day that has candles after it (tried in this
 * order), and a range across the last European clock change. Each comes with its part after the boundary.
 */
export async function acrossBoundaries(context: CheckContext): Promise<readonly RangeAndPart[]> {
  const { ask } = context;
  const { market, end } = await candleSample(context);
  const until = end.seconds - daySeconds;
  const read = async (interval: CandleInterval, boundaries: readonly number[]) => {
    const length = candlesAfterBoundary * candleIntervalSeconds[interval];
    for (const boundary of boundaries.map((seconds) => instantFromMillis(seconds * 1000))) {
      const after = rangeEnding(plusSeconds(boundary, length), interval, candlesAfterBoundary);
      const across = { ...after, startTime: formatInstant(plusSeconds(boundary, -length)) };
      const readPart = () => ask("GetHistoricalPrices", candleRequest(market, after));
      const readWhole = () => ask("GetHistoricalPrices", candleRequest(market, across));
      const part = await readPart();
      if (candlesOrNone(part).length === 0) continue;
      return [await rereadIfLacking(context, { whole: await readWhole(), part }, readWhole, readPart)];
    }
    return [];
  };
  const places = shortIntervals.flatMap((interval) =>
    [startsOfPeriods(until), [lastClockChange(until)]].map((boundaries) => read(interval, boundaries)),
  );
  const found = (await Promise.all(places)).flat();
  context.required(found[0], "marketWithCandles");
  return found;
}

/** Starts of ranges that programs often take for an omitted start: the Unix epoch, and the first day of the year 1. */
export const earlyStarts = ["1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z"] as const;

/** Candles since an early start, which is a valid one, and since 1971: weekly, or monthly where weeks would be too many. */
export async function candlesSince(
  context: CheckContext,
  startTime: (typeof earlyStarts)[number],
): Promise<RangeAndPart> {
  const { ask } = context;
  const { market, end } = await candleSample(context);
  const interval = startTime.startsWith("1970") ? "1W" : "1M";
  const readFrom = (start: string) =>
    ask("GetHistoricalPrices", candleRequest(market, { startTime: start, endTime: formatInstant(end), interval }));
  const readWhole = () => readFrom(startTime);
  const readPart = () => readFrom("1971-01-01T00:00:00Z");
  return rereadIfLacking(context, { whole: await readWhole(), part: await readPart() }, readWhole, readPart);
}

/** Ranges that begin before the Unix epoch. */
export const rangesLongAgo: readonly CandleRange[] = [
  { startTime: "1969-12-31T00:00:00Z", endTime: "1970-03-01T00:00:00Z", interval: "1M" },
  { startTime: "0001-01-01T00:00:00Z", endTime: "0001-03-01T00:00:00Z", interval: "1M" },
];

/** The candles of an answer; none unless it is a success. */
export function candlesOrNone({ outcome }: Answer): readonly CandlestickView[] {
  return outcome.kind === "success" ? candlesOf(outcome.body) : [];
}
