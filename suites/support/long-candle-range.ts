/** Long ranges of candles, read as a whole and in parts. */
import type { JsonObjectInput } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { saysNoPrice } from "../../src/engine/no-price.js";
import { boundariesWithin, yearStartsWithin } from "../../src/exploration/calendar-boundaries.js";
import type { CandleRange } from "../../src/judge/candles.js";
import {
  compareInstants,
  type Instant,
  instantFromMillis,
  parseInstant,
  plusSeconds,
} from "../../src/judge/instant.js";
import { type CandlestickView, candlesOf } from "../../src/judge/read.js";
import { type CandleInterval, candleIntervals } from "../../src/specification/enums.js";
import { candleIntervalSeconds, daySeconds, pageLimitMax } from "../../src/specification/limits.js";
import type { Profile } from "../../src/specification/profile.js";
import { endOfCandles } from "../../src/subjects/latest-activity.js";
import { marketsWithCandles } from "../../src/subjects/select.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";
import {
  candlesAfterBoundary,
  candlesOrNone,
  lacksCandles,
  type RangeAndPart,
  rereadIfLacking,
} from "./candle-parts.js";
import { candleAnswers, candleRequest, candleSample, rangeBetween, rangeEnding } from "./candles.js";

/** The number of rows at which listings are capped (§8). Candles must not be capped, not even silently (C3). */
export const silentLimit = pageLimitMax;

/** How many candles a long range spans, by profile and interval: more than the usual limits, where so many can exist. */
const rangeLengths = {
  quick: { "1S": 5_600, "1": 5_600, "60": 5_050, "1D": 1_200, "1W": 240, "1M": 60 },
  full: { "1S": 12_000, "1": 12_000, "60": 12_000, "1D": 4_000, "1W": 600, "1M": 120 },
} as const satisfies Record<Profile, Record<CandleInterval, number>>;

/**
 * The quick profile reads an even longer range for one of these intervals, chosen by the seed: more minutes than a week has,
 * and more points than the 11,000 that some time-series databases allow.
 */
const longestRange = { of: ["60", "1S", "1"], candles: 11_100 } as const;

function manyOf(interval: CandleInterval, { profile, runSeed }: Pick<CheckContext, "profile" | "runSeed">): number {
  const isLonger = profile === "quick" && interval === longestRange.of[runSeed % longestRange.of.length];
  return isLonger ? longestRange.candles : rangeLengths[profile][interval];
}

/**
 * Whether a long range of an interval is read completely in parts, which shows a candle that is missing anywhere: the intervals
 * with most candles. The quick profile reads one of them so, another one than the longest range.
 */
function isReadThroughout(interval: CandleInterval, { profile, runSeed }: Pick<CheckContext, "profile" | "runSeed">) {
  const { of } = longestRange;
  return (profile === "full" ? of : [of[(runSeed + 1) % of.length]]).some((name) => name === interval);
}

/** How much of a long range is read at either end. A limit cuts off one of the two. */
const partShare = 1 / 16;

/** A long range of candles that no longer change, the parts at both of its ends, and some in between. */
export interface LongRange {
  readonly request: JsonObjectInput;
  readonly whole: Answer;
  readonly parts: readonly Answer[];
}

/**
 * A range with many candles, which must contain all that its parts returned: of the {@link longRanges} one that lacks
 * something, or else the one with the most candles.
 */
export async function manyCandles(context: CheckContext): Promise<LongRange> {
  const ranges = await longRanges(context);
  const lacking = ranges.find((range) => range.whole.outcome.kind !== "success" || lacksCandles(range));
  const [richest] = [...ranges].sort((one, other) => countOfWhole(other) - countOfWhole(one));
  return context.required(lacking ?? richest, "marketWithCandles");
}

/**
 * Reads both ends of a long range and what follows a boundary within it, then the whole, then what is outside of its first and
 * last candle. If something is missing, both are read again in a bracket, since old candles may expire in between (P3). Every
 * interval is tried, since a limit may affect only one, until a range lacks something. Shared by the checks of a worker.
 */
async function longRanges(context: CheckContext): Promise<readonly LongRange[]> {
  const { runSeed, sharedRead, startedAt, subjects } = context;
  const { answers, market: first, end } = await candleSample(context);
  const now = instantFromMillis(startedAt);
  // The latest candles may still change.
  const settledBefore = (time: Instant, interval: CandleInterval) =>
    plusSeconds(time, -2 * candleIntervalSeconds[interval] - 60);
  // A limit may affect only some markets; if the one of this run has too few candles to show it, the one with most follows.
  const [most = first, ...others] = marketsWithCandles(subjects);
  const drawn = [most, ...others][runSeed % (1 + others.length)] ?? most;
  // Candles of short intervals may be kept for a few hours only, whenever the latest order was made.
  const endOf = (market: MarketSubject, interval: CandleInterval) => {
    const shown = answers.some(({ range, answer }) => range.interval === interval && candlesOrNone(answer).length > 0);
    return shown || compareInstants(end, now) > 0 ? endOfCandles(market, end, interval) : now;
  };
  const accepted = (await candleAnswers(context)).map(({ range }) => range.interval);
  const intervals = candleIntervals.filter((name) => accepted.includes(name));
  return sharedRead("long ranges of candles", async (reads) => {
    const ranges: LongRange[] = [];
    for (const market of new Set([drawn, most])) {
      for (const interval of intervals) {
        const range = await withManyCandles(reads, market, {
          end: settledBefore(endOf(market, interval), interval),
          latest: settledBefore(now, interval),
          interval,
          intervals: manyOf(interval, context),
        });
        const read = await longRange(reads, market, range, context);
        if (read === undefined) continue;
        const isRefused = read.whole.outcome.kind !== "success";
        // A range of long intervals reaches back many years, so it may be refused for another reason than its length.
        if (isRefused && hasMany(ranges)) continue;
        ranges.push(read);
        if (isRefused || lacksCandles(read)) return ranges;
      }
      if (hasMany(ranges)) return ranges;
    }
    return ranges;
  });
}

/** Whether a range has so many candles that a silent limit would show. */
function hasMany(ranges: readonly LongRange[]): boolean {
  return ranges.some((range) => countOfWhole(range) > silentLimit);
}

/** How many times as long a range may become where few of its intervals have a candle, and how long in seconds. */
const longestStretch = { times: 64, seconds: 400 * daySeconds } as const;

/** A range by its end and the number of intervals that it spans. */
interface Span {
  readonly end: Instant;
  /** Another end, for a market that has few candles before the usual one. */
  readonly latest: Instant;
  readonly interval: CandleInterval;
  readonly intervals: number;
}

/**
 * The range that spans the given number of intervals. Where only few of them have a candle, as in a market that rarely trades
 * or was opened lately, the one with most candles: it, one so much longer that as many may be expected, or one with another
 * end.
 */
async function withManyCandles(
  { ask }: Pick<CheckContext, "ask">,
  market: MarketSubject,
  { end, latest, interval, intervals }: Span,
): Promise<CandleRange> {
  const range = rangeEnding(end, interval, intervals);
  const longest = Math.floor(longestStretch.seconds / (intervals * candleIntervalSeconds[interval]));
  if (longest < 2) return range;
  const candlesIn = async (asked: CandleRange) =>
    candlesOrNone(await ask("GetHistoricalPrices", candleRequest(market, asked))).length;
  const candles = await candlesIn(range);
  const times = Math.min(longestStretch.times, longest, Math.floor(intervals / candles));
  if (times < 2) return range;
  const longer = candles === 0 ? [] : [rangeEnding(end, interval, times * intervals)];
  const later = compareInstants(end, latest) < 0 ? [rangeEnding(latest, interval, intervals)] : [];
  const others = await Promise.all(
    [...longer, ...later].map(async (other) => ({ range: other, candles: await candlesIn(other) })),
  );
  return [{ range, candles }, ...others].reduce((most, other) => (other.candles > most.candles ? other : most)).range;
}

/** Reads a range and parts of it: again, in a bracket, if the whole lacks candles. Undefined if it rightly has no price. */
async function longRange(
  { ask, bracket }: Pick<CheckContext, "ask" | "bracket">,
  market: MarketSubject,
  range: CandleRange,
  run: Pick<CheckContext, "profile" | "runSeed" | "subjects">,
): Promise<LongRange | undefined> {
  const { runSeed, subjects } = run;
  const request = candleRequest(market, range);
  const readWhole = () => ask("GetHistoricalPrices", request);
  const readEach = (ranges: readonly CandleRange[]) =>
    Promise.all(ranges.map((part) => ask("GetHistoricalPrices", candleRequest(market, part))));
  const within = [
    ...partsOf(range, runSeed),
    ...(isReadThroughout(range.interval, run) ? consecutiveParts(range) : []),
  ];
  const inside = await readEach(within);
  const whole = await readWhole();
  if (saysNoPrice(whole, inside, subjects)) return undefined;
  if (whole.outcome.kind !== "success") return { request, whole, parts: [] };
  const beyond = beyondCandles(range, candlesOf(whole.outcome.body));
  const parts = [...inside, ...(await readEach(beyond))];
  const [settled, settledParts] = lacksCandles({ whole, parts })
    ? await bracket(readWhole, () => readEach([...within, ...beyond]))
    : [whole, parts];
  return {
    request,
    whole: settled,
    parts: settledParts.filter((part) => !saysNoPrice(part, [settled], subjects)),
  };
}

/** How many intervals next to the first and the last candle of a long range are read by themselves. */
const intervalsNextTo = 20;

/**
 * The parts of a range before its first candle and after its last one, at least an interval long, and of each what is next to
 * that candle, since a fault may cut off the ends of any long range. A limit on the number of candles cuts off either; they
 * are empty where the data begin or end there.
 */
function beyondCandles(
  { startTime, endTime, interval }: CandleRange,
  candles: readonly CandlestickView[],
): CandleRange[] {
  const [start, end] = [parseInstant(startTime), parseInstant(endTime)];
  const times = candles.flatMap(({ timestamp: { instant } }) => instant ?? []).sort(compareInstants);
  const [first, last] = [times[0], times.at(-1)];
  if (!start || !end || !first || !last) return [];
  const length = candleIntervalSeconds[interval];
  const few = intervalsNextTo * length;
  const [before, after] = [plusSeconds(first, -1), plusSeconds(last, length)];
  const parts = [
    [start, before],
    [after, end],
    ...(first.seconds - start.seconds > few ? [[plusSeconds(first, -few), before] as const] : []),
    ...(end.seconds - after.seconds > few ? [[after, plusSeconds(after, few)] as const] : []),
  ] as const;
  return parts
    .filter(([from, to]) => to.seconds - from.seconds >= length)
    .map(([from, to]) => rangeBetween(from, to, interval));
}

function countOfWhole({ whole }: Pick<LongRange, "whole">): number {
  return candlesOrNone(whole).length;
}

/**
 * For each interval with several candles: a long range read with a limit, which must contain the same range without one. The
 * limit is less than the number of candles and, if there are enough, above the cap of listings.
 */
export async function limitedCandles(context: CheckContext): Promise<readonly RangeAndPart[]> {
  const { call, required, runSeed } = context;
  const readLimited = async ({ request, whole: part }: LongRange) => {
    const candles = countOfWhole({ whole: part });
    const least = candles > pageLimitMax + 1 ? pageLimitMax + 1 : 1;
    const limit = least + (runSeed % Math.max(1, candles - least));
    const readWhole = () => call.getHistoricalPrices({ ...request, limit });
    return rereadIfLacking(context, { whole: await readWhole(), part }, readWhole, () =>
      call.getHistoricalPrices(request),
    );
  };
  const several = (await longRanges(context)).filter((range) => countOfWhole(range) > 1);
  return Promise.all(required(several[0] && several, "marketWithCandles").map(readLimited));
}

/**
 * The parts of a long range: at its start, before and after one boundary within it (after several for long intervals), and at its
 * end.
 */
function partsOf({ startTime, endTime, interval }: CandleRange, seed: number): readonly CandleRange[] {
  const [start, end] = [parseInstant(startTime), parseInstant(endTime)];
  if (!start || !end) return [];
  const length = Math.floor((end.seconds - start.seconds) * partShare);
  const afterBoundary = candlesAfterBoundary * candleIntervalSeconds[interval];
  // A week usually spans the boundary. A part that begins less than a week before the boundary has that week first.
  const isWeek = interval === "1W";
  const beforeBoundary = isWeek ? candleIntervalSeconds[interval] - 1 : 0;
  const [after, until] = [start.seconds + beforeBoundary, end.seconds - afterBoundary];
  const boundaries = boundariesBetween(after, until, candleIntervalSeconds[interval] >= daySeconds, seed);
  const years = isWeek ? yearStartsWithin(after + 1, until + 1).map((year) => instantFromMillis(year * 1000)) : [];
  const all = [...boundaries, ...years.slice(1)];
  const part = (from: Instant, to: Instant) => rangeBetween(from, to, interval);
  const latest = (one: Instant, other: Instant) => (compareInstants(one, other) > 0 ? one : other);
  return [
    part(start, plusSeconds(start, length)),
    ...all
      .slice(0, 1)
      .map((boundary) =>
        part(
          latest(start, plusSeconds(boundary, -beforeBoundary - afterBoundary)),
          plusSeconds(boundary, -beforeBoundary - 1),
        ),
      ),
    ...all.map((boundary) => part(plusSeconds(boundary, -beforeBoundary), plusSeconds(boundary, afterBoundary))),
    part(plusSeconds(end, -length), end),
  ];
}

/** Parts that make up a range between the two at its ends, each beginning where the one before ends. */
function consecutiveParts({ startTime, endTime, interval }: CandleRange): readonly CandleRange[] {
  const [start, end] = [parseInstant(startTime), parseInstant(endTime)];
  if (!start || !end) return [];
  const length = (end.seconds - start.seconds) * partShare;
  const part = (index: number) => {
    const [from, to] = [Math.floor(index * length), Math.ceil((index + 1) * length)];
    return rangeBetween(plusSeconds(start, from), plusSeconds(start, to), interval);
  };
  return Array.from({ length: Math.round(1 / partShare) - 2 }, (_, index) => part(index + 1));
}

/**
 * Calendar boundaries, where stores are partitioned, after `after` and not after `until`: all of them or one chosen by the
 * seed; if there are none, the last start of a day or of an hour (UTC). Unix seconds.
 */
function boundariesBetween(after: number, until: number, all: boolean, seed: number): readonly Instant[] {
  const calendar = boundariesWithin(after + 1, until + 1);
  const drawn = seed % Math.max(1, calendar.length);
  const others = [daySeconds, 3600]
    .map((length) => Math.floor(until / length) * length)
    .filter((other) => other > after);
  const chosen = calendar.length === 0 ? others.slice(0, 1) : all ? calendar : calendar.slice(drawn, drawn + 1);
  return chosen.map((seconds) => instantFromMillis(seconds * 1000));
}
