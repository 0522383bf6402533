import type { JsonObjectInput } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { saysNoPrice } from "../../src/engine/no-price.js";
import { usable } from "../../src/engine/usable.js";
import {
  boundariesWithin,
  lastClockChange,
  startsOfPeriods,
  yearStartsWithin,
} from "../../src/exploration/calendar-boundaries.js";
import { type CandleRange, describeSpacing, rangeContainsParts } from "../../src/judge/candles.js";
import {
  compareInstants,
  formatInstant,
  type Instant,
  instantFromMillis,
  parseInstant,
  plusSeconds,
} from "../../src/judge/instant.js";
import { type CandlestickView, candlesOf } from "../../src/judge/read.js";
import { type CandleInterval, candleIntervals } from "../../src/specification/enums.js";
import { candleIntervalSeconds, daySeconds, pageLimitMax } from "../../src/specification/limits.js";
import type { Profile } from "../../src/specification/profile.js";
import { missingData } from "../../src/subjects/hints.js";
import { latestActivity } from "../../src/subjects/latest-activity.js";
import { anyMarket, marketsWithCandles } from "../../src/subjects/select.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";

/** Where to find candles: a market, and a time at which ranges of its candles may end. */
export interface CandlePlace {
  readonly market: MarketSubject;
  readonly end: Instant;
}

/** A range of candles, and the answer for it. */
export interface CandleAnswer {
  readonly range: CandleRange;
  readonly answer: Answer;
}

/** One answer for each interval: candles of one market, ending at the platform's latest activity. */
export interface CandleSample extends CandlePlace {
  readonly answers: readonly CandleAnswer[];
}

/**
 * How many candles are requested per interval: minutes, hours, days, months, one year and three years' worth. That is enough
 * to show when they are really those of the next longer interval.
 */
const counts: Readonly<Record<CandleInterval, number>> = {
  "1S": 300,
  "1": 300,
  "60": 120,
  "1D": 60,
  "1W": 52,
  "1M": 36,
};

/** How many markets are probed when discovery saw no candles in any. */
const probedMarkets = 10;

/** The range that spans a number of intervals and ends at a given time. */
export function rangeEnding(end: Instant, interval: CandleInterval, intervals: number): CandleRange {
  const start = plusSeconds(end, -intervals * candleIntervalSeconds[interval]);
  return { startTime: formatInstant(start), endTime: formatInstant(end), interval };
}

/** The request for a market's candles in a range, with optional further fields (§4.7). */
export function candleRequest(
  { marketId }: Pick<MarketSubject, "marketId">,
  range: CandleRange,
  fields: JsonObjectInput = {},
): JsonObjectInput {
  return { market: { marketId }, ...range, ...fields };
}

/**
 * Reads candles of each interval. Shared by the checks of a worker, which are inconclusive without a market.
 */
export function candleSample({ subjects, required, sharedRead, startedAt }: CheckContext): Promise<CandleSample> {
  const first = required(anyMarket(subjects), missingData(subjects, "market"));
  const [known] = marketsWithCandles(subjects);
  return sharedRead("candles of each interval", async (reader) => {
    const active = { market: known ?? first, end: latestActivity(subjects) };
    const place = known
      ? active
      : ((await probe(reader, subjects.markets.slice(0, probedMarkets), instantFromMillis(startedAt))) ?? active);
    const answers = candleIntervals.map(async (interval) => {
      const range = rangeEnding(place.end, interval, counts[interval]);
      return { range, answer: await reader.ask("GetHistoricalPrices", candleRequest(place.market, range)) };
    });
    return { ...place, answers: await Promise.all(answers) };
  });
}

/** The answers of {@link candleSample} that contain candles, or at least a body. */
export function candleAnswers(context: CheckContext): Promise<readonly CandleAnswer[]> {
  return answersIn(context, "whole");
}

async function answersIn(
  context: CheckContext,
  samples: Parameters<typeof usable>[1],
): Promise<readonly CandleAnswer[]> {
  const { answers } = await candleSample(context);
  const successes = usable(
    answers.map(({ answer }) => answer),
    samples,
  );
  return answers.filter(({ answer }) => successes.includes(answer));
}

/** Finds a market with candles up to now, for when none had any before the latest activity. */
async function probe(
  { ask }: ReadContext,
  markets: readonly MarketSubject[],
  end: Instant,
): Promise<CandlePlace | undefined> {
  for (const market of markets) {
    const { outcome } = await ask("GetHistoricalPrices", candleRequest(market, rangeEnding(end, "1D", counts["1D"])));
    if (outcome.kind === "success" && candlesOf(outcome.body).length > 0) return { market, end };
  }
  return undefined;
}

/**
 * Half an hour of minute candles that begins and ends half a second past a minute, with the fraction written with one digit,
 * and with as many as clocks of milli-, micro- and nanoseconds write.
 */
export async function fractionalRange(context: CheckContext): Promise<[one: Answer, others: readonly Answer[]]> {
  const { ask, bracket } = context;
  const { market, end } = await candleSample(context);
  const { startTime, endTime, interval } = rangeEnding(plusSeconds(end, -2 * 3600), "1", 30);
  const withDigits = (digits: number) => {
    const [start, stop] = [startTime, endTime].map((time) =>
      time.replace(/(?:\.\d+)?Z$/, `.${"5".padEnd(digits, "0")}Z`),
    );
    return ask(
      "GetHistoricalPrices",
      candleRequest(market, { startTime, endTime, interval }, { startTime: start, endTime: stop }),
    );
  };
  return bracket(
    () => withDigits(1),
    () => Promise.all([3, 6, 9].map(withDigits)),
  );
}

/** The number of rows at which listings are capped (§8). Candles must not be capped, not even silently (C3). */
export const silentLimit = pageLimitMax;

/** How many candles a long range spans, by profile and interval: more than the usual limits, where so many can exist. */
const many = {
  quick: { "1S": 5_050, "1": 5_050, "60": 5_050, "1D": 1_200, "1W": 240, "1M": 60 },
  full: { "1S": 12_000, "1": 12_000, "60": 12_000, "1D": 4_000, "1W": 600, "1M": 120 },
} as const satisfies Record<Profile, Record<CandleInterval, number>>;
/**
 * The quick profile reads an even longer range for one of these intervals, chosen by the seed: more minutes than a week has,
 * and more points than the 11,000 that some time-series databases allow.
 */
const longer = { of: ["60", "1S", "1"], candles: 11_100 } as const;

function manyOf(interval: CandleInterval, profile: Profile, seed: number): number {
  const isLonger = profile === "quick" && interval === longer.of[Math.abs(seed) % longer.of.length];
  return isLonger ? longer.candles : many[profile][interval];
}

/** How much of a long range is read at either end. A limit cuts off one of the two. */
const endShare = 1 / 16;

/** A long range of candles that no longer change, the parts at both of its ends, and some in between. */
export interface LongRange {
  readonly request: JsonObjectInput;
  readonly whole: Answer;
  readonly parts: readonly Answer[];
}

/**
 * Reads both ends of a range with many candles and what follows a seam within it, then the whole, which must contain all
 * that the parts returned. If something is missing, both are read again in a bracket, since old candles may expire in
 * between (P3). Every interval is tried, since a limit may affect only one. Returns the first range that lacks something, or
 * else the one with the most candles. Shared by the checks of a worker.
 */
export async function manyCandles(context: CheckContext): Promise<LongRange> {
  const { profile, required, runSeed, sharedRead, subjects } = context;
  const { market: first, end } = await candleSample(context);
  // A limit may affect only some markets.
  const markets = marketsWithCandles(subjects);
  const market = markets[Math.abs(runSeed) % Math.max(1, markets.length)] ?? first;
  const accepted = (await candleAnswers(context)).map(({ range }) => range.interval);
  const intervals = candleIntervals.filter((name) => accepted.includes(name));
  const found = await sharedRead("a long range of candles", async (reads) => {
    let richest: LongRange | undefined;
    for (const interval of intervals) {
      const latest = plusSeconds(end, -2 * candleIntervalSeconds[interval] - 60);
      const range = rangeEnding(latest, interval, manyOf(interval, profile, runSeed));
      const read = await longRange(reads, market, range, context);
      if (read === undefined) continue;
      const isRefused = read.whole.outcome.kind !== "success";
      // A range of long intervals reaches back many years, so it may be refused for another reason than its length.
      if (isRefused && richest && countOfWhole(richest) > silentLimit) continue;
      if (isRefused || lacksCandles(read)) return read;
      if (richest === undefined || countOfWhole(read) > countOfWhole(richest)) richest = read;
    }
    return richest;
  });
  return required(found, missingData(subjects, "marketWithCandles"));
}

/** Reads a range and parts of it: again, in a bracket, if the whole lacks candles. Undefined if it rightly has no price. */
async function longRange(
  { ask, bracket }: Pick<CheckContext, "ask" | "bracket">,
  market: MarketSubject,
  range: CandleRange,
  { runSeed, subjects }: Pick<CheckContext, "runSeed" | "subjects">,
): Promise<LongRange | undefined> {
  const request = candleRequest(market, range);
  const readWhole = () => ask("GetHistoricalPrices", request);
  const readParts = () =>
    Promise.all(partsOf(range, runSeed).map((part) => ask("GetHistoricalPrices", candleRequest(market, part))));
  const parts = await readParts();
  const whole = await readWhole();
  if (saysNoPrice(whole, parts, subjects)) return undefined;
  if (whole.outcome.kind !== "success") return { request, whole, parts: [] };
  if (lacksCandles({ whole, parts })) {
    const [again, partsAgain] = await bracket(readWhole, readParts);
    return { request, whole: again, parts: partsAgain };
  }
  return { request, whole, parts: parts.filter((part) => !saysNoPrice(part, [whole], subjects)) };
}

function lacksCandles({ whole, parts }: Pick<LongRange, "whole" | "parts">): boolean {
  return rangeContainsParts({ whole: candlesIn(whole), parts: parts.map(candlesIn) }, 0).violations.length > 0;
}

function countOfWhole({ whole }: LongRange): number {
  return candlesIn(whole).length;
}

/** A range and its part, unless one of them rightly has no price (§7). */
export function priced(
  { subjects }: Pick<CheckContext, "subjects">,
  { whole, part }: RangeAndPart,
): RangeAndPart | undefined {
  return saysNoPrice(whole, [part], subjects) || saysNoPrice(part, [whole], subjects) ? undefined : { whole, part };
}

/** How many candles are read after a seam or a calendar boundary. */
const candlesAfterSeam = 3;

/** A range of candles, and a part that it must contain. */
export interface RangeAndPart {
  readonly whole: Answer;
  readonly part: Answer;
}

/**
 * Returns both as read. If the range lacks something, reads both again in a bracket, since old candles may expire in between
 * (P3).
 */
async function rereadIfLacking(
  { bracket }: Pick<CheckContext, "bracket">,
  { whole, part }: RangeAndPart,
  readWhole: () => Promise<Answer>,
  readPart: () => Promise<Answer>,
): Promise<RangeAndPart> {
  if (whole.outcome.kind !== "success" || !lacksCandles({ whole, parts: [part] })) return { whole, part };
  const [wholeAgain, partAgain] = await bracket(readWhole, readPart);
  return { whole: wholeAgain, part: partAgain };
}

/** Where ranges into the future end. The year 9999 overflows 32-bit seconds and 64-bit nanoseconds. */
export type FutureEnd = "tomorrow" | "the year 9999";

/** A range that ends in the future, and the part of it that ends at the platform's latest activity. */
export async function intoTheFuture(context: CheckContext, until: FutureEnd): Promise<RangeAndPart> {
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
export async function acrossTurns(context: CheckContext): Promise<readonly RangeAndPart[]> {
  const { ask } = context;
  const { market, end } = await candleSample(context);
  const until = end.seconds - daySeconds;
  const read = async (interval: CandleInterval, turns: readonly number[]) => {
    const length = candlesAfterSeam * candleIntervalSeconds[interval];
    for (const turn of turns.map((seconds) => instantFromMillis(seconds * 1000))) {
      const after = rangeEnding(plusSeconds(turn, length), interval, candlesAfterSeam);
      const across = { ...after, startTime: formatInstant(plusSeconds(turn, -length)) };
      const readPart = () => ask("GetHistoricalPrices", candleRequest(market, after));
      const readWhole = () => ask("GetHistoricalPrices", candleRequest(market, across));
      const part = await readPart();
      if (candlesIn(part).length === 0) continue;
      return [await rereadIfLacking(context, { whole: await readWhole(), part }, readWhole, readPart)];
    }
    return [];
  };
  const places = shortIntervals.flatMap((interval) =>
    [startsOfPeriods(until), [lastClockChange(until)]].map((turns) => read(interval, turns)),
  );
  const found = (await Promise.all(places)).flat();
  context.required(found[0], missingData(context.subjects, "marketWithCandles"));
  return found;
}

/** Starts of ranges that programs often take for an omitted start: the Unix epoch, and the first day of the year 1. */
export const earlyStarts = ["1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z"] as const;

/** Candles since an early start, which is a valid one, and since 1971: weekly, or monthly where weeks would be too many. */
export async function since(context: CheckContext, startTime: (typeof earlyStarts)[number]): Promise<RangeAndPart> {
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

/**
 * A long range read with and without a limit. The limit is less than the number of candles and, if there are enough, above
 * the cap of listings.
 */
export async function limitedCandles(
  context: CheckContext,
): Promise<{ readonly limited: Answer; readonly whole: Answer }> {
  const { bodyOf, call, runSeed } = context;
  const { request, whole } = await manyCandles(context);
  const candles = candlesOf(bodyOf(whole));
  const least = candles.length > pageLimitMax + 1 ? pageLimitMax + 1 : 1;
  const limit = least + (Math.abs(runSeed) % Math.max(1, candles.length - least));
  const readLimited = () => call.getHistoricalPrices({ ...request, limit });
  const read = { whole: await readLimited(), part: whole };
  const settled = await rereadIfLacking(context, read, readLimited, () => call.getHistoricalPrices(request));
  return { limited: settled.whole, whole: settled.part };
}

/**
 * The parts of a long range: at its start, before and after one seam within it (after several for long intervals), and at its
 * end.
 */
function partsOf({ startTime, endTime, interval }: CandleRange, seed: number): readonly CandleRange[] {
  const [start, end] = [parseInstant(startTime), parseInstant(endTime)];
  if (!start || !end) return [];
  const length = Math.floor((end.seconds - start.seconds) * endShare);
  const afterSeam = candlesAfterSeam * candleIntervalSeconds[interval];
  // A week usually spans the boundary. A part that begins less than a week before the boundary has that week first.
  const isWeek = interval === "1W";
  const beforeSeam = isWeek ? candleIntervalSeconds[interval] - 1 : 0;
  const [after, until] = [start.seconds + beforeSeam, end.seconds - afterSeam];
  const turns = seamsBetween(after, until, candleIntervalSeconds[interval] >= daySeconds, seed);
  const years = isWeek ? yearStartsWithin(after + 1, until + 1).map((year) => instantFromMillis(year * 1000)) : [];
  const seams = [...turns, ...years.slice(1)];
  const part = (from: Instant, to: Instant) => ({
    startTime: formatInstant(from),
    endTime: formatInstant(to),
    interval,
  });
  const latest = (one: Instant, other: Instant) => (compareInstants(one, other) > 0 ? one : other);
  return [
    part(start, plusSeconds(start, length)),
    ...seams
      .slice(0, 1)
      .map((seam) =>
        part(latest(start, plusSeconds(seam, -beforeSeam - afterSeam)), plusSeconds(seam, -beforeSeam - 1)),
      ),
    ...seams.map((seam) => part(plusSeconds(seam, -beforeSeam), plusSeconds(seam, afterSeam))),
    part(plusSeconds(end, -length), end),
  ];
}

/**
 * Seams, where stores are partitioned: times after `after` and not after `until`. These are calendar boundaries, all of them
 * or one chosen by the seed; if there are none, the last start of a day or of an hour (UTC). Unix seconds.
 */
function seamsBetween(after: number, until: number, all: boolean, seed: number): readonly Instant[] {
  const turns = boundariesWithin(after + 1, until + 1);
  const drawn = Math.abs(seed) % Math.max(1, turns.length);
  const others = [daySeconds, 3600]
    .map((length) => Math.floor(until / length) * length)
    .filter((other) => other > after);
  const seams = turns.length === 0 ? others.slice(0, 1) : all ? turns : turns.slice(drawn, drawn + 1);
  return seams.map((seconds) => instantFromMillis(seconds * 1000));
}

function candlesIn({ outcome }: Answer): readonly CandlestickView[] {
  return outcome.kind === "success" ? candlesOf(outcome.body) : [];
}

/** A short description of an answer with candles, for observations. */
export function describeCandles(answer: Answer): string | Answer {
  return answer.outcome.kind === "success"
    ? `a success with ${describeSpacing(candlesOf(answer.outcome.body))}`
    : answer;
}
