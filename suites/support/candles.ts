import type { JsonObjectInput } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import { bracketBudget } from "../../src/engine/bracket.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { usable } from "../../src/engine/usable.js";
import { beginningsAt, lastClockChange, turnsWithin, yearsWithin } from "../../src/exploration/turns.js";
import { type CandleRange, describeSpacing, holdsItsParts } from "../../src/judge/candles.js";
import { formatInstant, type Instant, instantFromMillis, parseInstant, plusSeconds } from "../../src/judge/instant.js";
import { type CandlestickView, candlesOf } from "../../src/judge/read.js";
import { type CandleInterval, candleIntervals } from "../../src/specification/enums.js";
import { candleIntervalSeconds, daySeconds, pageLimitMax } from "../../src/specification/limits.js";
import type { Profile } from "../../src/specification/profile.js";
import { missingData } from "../../src/subjects/hints.js";
import { latestActivity } from "../../src/subjects/latest-activity.js";
import { anyMarket, marketsWithCandles } from "../../src/subjects/select.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";

/** Where candles are to be had: a market, and an instant at which ranges of its candles may end. */
export interface CandlePlace {
  readonly market: MarketSubject;
  readonly end: Instant;
}

/** The answer with the candles of a range. */
export interface CandleAnswer {
  readonly range: CandleRange;
  readonly answer: Answer;
}

/** One answer for each interval: candles of one market, ending at the platform's latest activity. */
export interface CandleReading extends CandlePlace {
  readonly answers: readonly CandleAnswer[];
}

/**
 * Candles that each interval is asked for: minutes, hours, days, months, a year, three years of them. That is enough for it
 * to show when they are those of the next longer interval.
 */
const counts: Readonly<Record<CandleInterval, number>> = {
  "1S": 300,
  "1": 300,
  "60": 120,
  "1D": 60,
  "1W": 52,
  "1M": 36,
};

/** Markets that are looked at when discovery saw candles of none. */
const PROBED = 10;

/** How many requests {@link candleReading} sends at most. */
export const candleReadingRequests = PROBED + candleIntervals.length;

/** The range of so many intervals that ends at an instant. */
export function rangeEnding(end: Instant, interval: CandleInterval, intervals: number): CandleRange {
  const start = plusSeconds(end, -intervals * candleIntervalSeconds[interval]);
  return { startTime: formatInstant(start), endTime: formatInstant(end), interval };
}

/** The request for a market's candles in a range, with further fields of §4.7. */
export function candleRequest(
  { marketId }: Pick<MarketSubject, "marketId">,
  range: CandleRange,
  fields: JsonObjectInput = {},
): JsonObjectInput {
  return { market: { marketId }, ...range, ...fields };
}

/** Reads candles of each interval, once for all checks of a worker; without a market the check is inconclusive. */
export function candleReading({ subjects, required, sharedRead, startedAt }: CheckContext): Promise<CandleReading> {
  const first = required(anyMarket(subjects), missingData(subjects, "market"));
  const [known] = marketsWithCandles(subjects);
  return sharedRead("candles of each interval", candleReadingRequests, async (words) => {
    const active = { market: known ?? first, end: latestActivity(subjects) };
    const place = known
      ? active
      : ((await probe(words, subjects.markets.slice(0, PROBED), instantFromMillis(startedAt))) ?? active);
    const answers = candleIntervals.map(async (interval) => {
      const range = rangeEnding(place.end, interval, counts[interval]);
      return { range, answer: await words.ask("GetHistoricalPrices", candleRequest(place.market, range)) };
    });
    return { ...place, answers: await Promise.all(answers) };
  });
}

/** Of the reading of each interval the answers that brought candles, or at least a body. */
export function candleAnswers(context: CheckContext): Promise<readonly CandleAnswer[]> {
  return answersIn(context, "whole");
}

async function answersIn(
  context: CheckContext,
  samples: Parameters<typeof usable>[1],
): Promise<readonly CandleAnswer[]> {
  const { answers } = await candleReading(context);
  const successes = usable(
    answers.map(({ answer }) => answer),
    samples,
  );
  return answers.filter(({ answer }) => successes.includes(answer));
}

/** A market that has candles up to now, when none had any before the latest activity. */
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

/** How many requests {@link fractionalRange} sends at most. */
export const fractionalRangeRequests = candleReadingRequests + bracketBudget(1, 3);

/**
 * Half an hour of minutes that begins and ends half a second past a minute, written with one digit, and with as many as clocks of
 * milli-, micro- and nanoseconds write.
 */
export async function fractionalRange(context: CheckContext): Promise<[one: Answer, others: readonly Answer[]]> {
  const { ask, bracket } = context;
  const { market, end } = await candleReading(context);
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

/** The number of rows at which listings are cut off (§8): candles must not be, not even without a sign (C3). */
export const silentLimit = pageLimitMax;

/** Candles of each interval in a long range, by profile: more than the usual limits, where there may be as many. */
const many = {
  quick: { "1S": 5_050, "1": 5_050, "60": 5_050, "1D": 1_200, "1W": 240, "1M": 60 },
  full: { "1S": 11_000, "1": 11_000, "60": 11_000, "1D": 4_000, "1W": 600, "1M": 120 },
} as const satisfies Record<Profile, Record<CandleInterval, number>>;
/** The quick profile reads a longer range of one of these intervals, of another one with each seed: more minutes than a week has. */
const longer = { of: ["60", "1S", "1"], candles: 10_100 } as const;

function manyOf(interval: CandleInterval, profile: Profile, seed: number): number {
  const isLonger = profile === "quick" && interval === longer.of[Math.abs(seed) % longer.of.length];
  return isLonger ? longer.candles : many[profile][interval];
}

/** The part of such a range at either end of it: a limit leaves out one of the two. */
const endShare = 1 / 16;

/** How many requests {@link manyCandles} sends at most. */
export const manyCandlesRequests = candleReadingRequests + candleIntervals.length * 7 + bracketBudget(1, 6);

/** A long range of candles that do not change any more, its parts at both ends, and one between. */
export interface LongRange {
  readonly request: JsonObjectInput;
  readonly whole: Answer;
  readonly parts: readonly Answer[];
}

/**
 * Reads both ends of a range with many candles and what follows a seam in it, then the whole: all that the parts returned must be
 * there. Should something be missing, they are read again in a bracket, since old candles may go in between (P3). That is done
 * for each interval, since a limit may be that of one alone; what comes back is the first range that lacks something, or else the
 * one with most candles. Read once for all checks.
 */
export async function manyCandles(context: CheckContext): Promise<LongRange> {
  const { profile, required, runSeed, sharedRead, subjects } = context;
  const { market: first, end } = await candleReading(context);
  // A limit may be that of some markets alone.
  const markets = marketsWithCandles(subjects);
  const market = markets[Math.abs(runSeed) % Math.max(1, markets.length)] ?? first;
  const accepted = (await candleAnswers(context)).map(({ range }) => range.interval);
  const intervals = candleIntervals.filter((name) => accepted.includes(name));
  const found = await sharedRead("a long range of candles", manyCandlesRequests, async ({ ask, bracket }) => {
    let richest: (LongRange & { readonly count: number }) | undefined;
    for (const interval of intervals) {
      const range = rangeEnding(
        plusSeconds(end, -2 * candleIntervalSeconds[interval] - 60),
        interval,
        manyOf(interval, profile, runSeed),
      );
      const request = candleRequest(market, range);
      const readWhole = () => ask("GetHistoricalPrices", request);
      const readParts = () =>
        Promise.all(partsOf(range, runSeed).map((part) => ask("GetHistoricalPrices", candleRequest(market, part))));
      const parts = await readParts();
      const whole = await readWhole();
      if (whole.outcome.kind !== "success") {
        // A range of long intervals reaches back many years, which may be refused for another reason than its length.
        if (richest && richest.count > silentLimit) continue;
        return { request, whole, parts: [] };
      }
      const ofWhole = candlesOf(whole.outcome.body);
      if (holdsItsParts({ whole: ofWhole, parts: candlesIn(parts) }, 0).violations.length > 0) {
        const [again, partsAgain] = await bracket(readWhole, readParts);
        return { request, whole: again, parts: partsAgain };
      }
      if (ofWhole.length > (richest?.count ?? -1)) richest = { request, whole, parts, count: ofWhole.length };
    }
    return richest;
  });
  return required(found, missingData(subjects, "marketWithCandles"));
}

/** Candles of the part after a seam, or a turn of the calendar. */
const AFTER_SEAM = 3;

/** A range of candles, and other candles that it has to hold. */
export interface RangeAndPart {
  readonly whole: Answer;
  readonly part: Answer;
}

/** Both as they were read; where the range lacks something, read again in a bracket, since old candles may go in between (P3). */
async function rereadIfLacking(
  { bracket }: Pick<CheckContext, "bracket">,
  { whole, part }: RangeAndPart,
  readWhole: () => Promise<Answer>,
  readPart: () => Promise<Answer>,
): Promise<RangeAndPart> {
  const [ofWhole = [], ofPart = []] = candlesIn([whole, part]);
  const lacksSome = holdsItsParts({ whole: ofWhole, parts: [ofPart] }, 0).violations.length > 0;
  if (whole.outcome.kind !== "success" || !lacksSome) return { whole, part };
  const [wholeAgain, partAgain] = await bracket(readWhole, readPart);
  return { whole: wholeAgain, part: partAgain };
}

/** How many requests {@link intoTheFuture} sends at most. */
export const intoTheFutureRequests = candleReadingRequests + 2 + bracketBudget(1, 1);

/** Where ranges end that reach into the future: the latter is beyond what 32 bits hold of seconds, and 64 of nanoseconds. */
export type FutureEnd = "tomorrow" | "the year 2300";

/** A range that ends in the future, and the part of it that ends at the platform's latest activity. */
export async function intoTheFuture(context: CheckContext, until: FutureEnd): Promise<RangeAndPart> {
  const { call, startedAt } = context;
  const { market, end } = await candleReading(context);
  const tomorrow = plusSeconds(instantFromMillis(startedAt), daySeconds);
  const future = until === "tomorrow" ? tomorrow : instantFromMillis(Date.UTC(2300, 0));
  // Few candles, whenever the latest activity was.
  const interval = future.seconds - end.seconds < 10 * daySeconds ? "60" : "1M";
  const past = rangeEnding(end, interval, 6);
  const readPart = () => call.getHistoricalPrices(candleRequest(market, past));
  const readWhole = () => call.getHistoricalPrices(candleRequest(market, { ...past, endTime: formatInstant(future) }));
  const part = await readPart();
  return rereadIfLacking(context, { whole: await readWhole(), part }, readWhole, readPart);
}

/** Intervals of which more than a few make a day. */
const shortIntervals = ["1S", "1", "60"] as const satisfies readonly CandleInterval[];

/** How many requests {@link acrossTurns} sends at most. */
export const acrossTurnsRequests = candleReadingRequests + shortIntervals.length * (5 + bracketBudget(2, 2));

/**
 * Of each short interval a range across the last turn of a year that has candles after it, or else of a month or a day, one across
 * the last hour in which clocks of Europe are changed, and the parts of both after it.
 */
export async function acrossTurns(context: CheckContext): Promise<readonly RangeAndPart[]> {
  const { ask } = context;
  const { market, end } = await candleReading(context);
  const until = end.seconds - daySeconds;
  const read = async (interval: CandleInterval, turns: readonly number[]) => {
    const length = AFTER_SEAM * candleIntervalSeconds[interval];
    for (const turn of turns.map((seconds) => instantFromMillis(seconds * 1000))) {
      const after = rangeEnding(plusSeconds(turn, length), interval, AFTER_SEAM);
      const across = { ...after, startTime: formatInstant(plusSeconds(turn, -length)) };
      const readPart = () => ask("GetHistoricalPrices", candleRequest(market, after));
      const readWhole = () => ask("GetHistoricalPrices", candleRequest(market, across));
      const part = await readPart();
      const [ofPart = []] = candlesIn([part]);
      if (ofPart.length === 0) continue;
      return [await rereadIfLacking(context, { whole: await readWhole(), part }, readWhole, readPart)];
    }
    return [];
  };
  const places = shortIntervals.flatMap((interval) =>
    [beginningsAt(until), [lastClockChange(until)]].map((turns) => read(interval, turns)),
  );
  const found = (await Promise.all(places)).flat();
  context.required(found[0], missingData(context.subjects, "marketWithCandles"));
  return found;
}

/** How many requests {@link sinceTheEpoch} sends at most. */
export const sinceTheEpochRequests = candleReadingRequests + 2 + bracketBudget(1, 1);

/** Weeks from the first second of the clocks that count since 1970, which is not an omitted one, and those of a year less. */
export async function sinceTheEpoch(context: CheckContext): Promise<RangeAndPart> {
  const { ask } = context;
  const { market, end } = await candleReading(context);
  const readFrom = (year: number) => {
    const range = { startTime: formatInstant(instantFromMillis(Date.UTC(year))), endTime: formatInstant(end) };
    return ask("GetHistoricalPrices", candleRequest(market, { ...range, interval: "1W" }));
  };
  const readWhole = () => readFrom(1970);
  const readPart = () => readFrom(1971);
  return rereadIfLacking(context, { whole: await readWhole(), part: await readPart() }, readWhole, readPart);
}

/** Ranges that begin long ago, some of them before the first time that a clock of seconds since 1970 tells. */
export const rangesLongAgo: readonly CandleRange[] = [
  { startTime: "1969-12-31T00:00:00Z", endTime: "1970-03-01T00:00:00Z", interval: "1M" },
  { startTime: "0001-01-01T00:00:00Z", endTime: "0001-03-01T00:00:00Z", interval: "1M" },
];

/** How many requests {@link limitedCandles} sends at most. */
export const limitedCandlesRequests = manyCandlesRequests + 1 + bracketBudget(1, 1);

/** A long range with a limit that is less than its candles, above the listings' cap where there are as many, and without. */
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

/** The parts of a long range at its start, after a seam within it, or several of long intervals, and at its end. */
function partsOf({ startTime, endTime, interval }: CandleRange, seed: number): readonly CandleRange[] {
  const [start, end] = [parseInstant(startTime), parseInstant(endTime)];
  if (!start || !end) return [];
  const length = Math.floor((end.seconds - start.seconds) * endShare);
  const afterSeam = AFTER_SEAM * candleIntervalSeconds[interval];
  // A week goes on across a turn, though not in every year: it is the first one of a part that begins less than a week before.
  const isWeek = interval === "1W";
  const beforeSeam = isWeek ? candleIntervalSeconds[interval] - 1 : 0;
  const [after, until] = [start.seconds + beforeSeam, end.seconds - afterSeam];
  const turns = seamsBetween(after, until, candleIntervalSeconds[interval] >= daySeconds, seed);
  const years = isWeek ? yearsWithin(after + 1, until + 1).map((year) => instantFromMillis(year * 1000)) : [];
  const seams = [...turns, ...years.slice(1)];
  const part = (from: Instant, to: Instant) => ({
    startTime: formatInstant(from),
    endTime: formatInstant(to),
    interval,
  });
  return [
    part(start, plusSeconds(start, length)),
    ...seams.map((seam) => part(plusSeconds(seam, -beforeSeam), plusSeconds(seam, afterSeam))),
    part(plusSeconds(end, -length), end),
  ];
}

/**
 * Times after one and not after another at which stores are split: turns of the calendar, all of them or another one with each seed,
 * or else the last beginning of a day or an hour in UTC. Both are in seconds since 1970.
 */
function seamsBetween(after: number, until: number, all: boolean, seed: number): readonly Instant[] {
  const turns = turnsWithin(after + 1, until + 1);
  const drawn = Math.abs(seed) % Math.max(1, turns.length);
  const others = [daySeconds, 3600]
    .map((length) => Math.floor(until / length) * length)
    .filter((other) => other > after);
  const seams = turns.length === 0 ? others.slice(0, 1) : all ? turns : turns.slice(drawn, drawn + 1);
  return seams.map((seconds) => instantFromMillis(seconds * 1000));
}

function candlesIn(answers: readonly Answer[]): readonly (readonly CandlestickView[])[] {
  return answers.map(({ outcome }) => (outcome.kind === "success" ? candlesOf(outcome.body) : []));
}

/** An answer with candles in a few words, for observations. */
export function describeCandles(answer: Answer): string | Answer {
  return answer.outcome.kind === "success"
    ? `a success with ${describeSpacing(candlesOf(answer.outcome.body))}`
    : answer;
}
