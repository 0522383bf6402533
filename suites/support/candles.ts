import type { JsonObject, JsonObjectInput } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { usableAmong } from "../../src/engine/usable.js";
import { type CandleRange, spacingInWords } from "../../src/judge/candles.js";
import { formatInstant, type Instant, instantFromMillis, plusSeconds } from "../../src/judge/instant.js";
import { candlesOf } from "../../src/judge/read.js";
import { type CandleInterval, candleIntervals } from "../../src/specification/enums.js";
import { candleIntervalSeconds, daySeconds } from "../../src/specification/limits.js";
import { endOfCandles, latestActivity } from "../../src/subjects/latest-activity.js";
import { marketsWithCandles } from "../../src/subjects/select.js";
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
  return rangeBetween(plusSeconds(end, -intervals * candleIntervalSeconds[interval]), end, interval);
}

/** The range from one time to another. */
export function rangeBetween(start: Instant, end: Instant, interval: CandleInterval): CandleRange {
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
export function candleSample({ subject, subjects, sharedRead, startedAt }: CheckContext): Promise<CandleSample> {
  const first = subject("market");
  const [known] = marketsWithCandles(subjects);
  return sharedRead("candles of each interval", async (reader) => {
    const active = { market: known ?? first, end: latestActivity(subjects) };
    const place = known
      ? active
      : ((await probe(reader, subjects.markets.slice(0, probedMarkets), instantFromMillis(startedAt))) ?? active);
    const answers = candleIntervals.map(async (interval) => {
      const range = rangeEnding(endOfCandles(place.market, place.end, interval), interval, counts[interval]);
      return { range, answer: await reader.ask("GetHistoricalPrices", candleRequest(place.market, range)) };
    });
    return { ...place, answers: await Promise.all(answers) };
  });
}

/** Candles of the sampled market: a given number of intervals up to the latest activity, with other fields added or replaced. */
export async function askCandles(
  context: CheckContext,
  interval: CandleInterval,
  intervals: number,
  fields: JsonObjectInput,
): Promise<Answer> {
  const { market, end } = await candleSample(context);
  return context.call.getHistoricalPrices(candleRequest(market, rangeEnding(end, interval, intervals), fields));
}

/** The answers of {@link candleSample} that are successes. Ends the check if there are none. */
export async function candleAnswers(context: CheckContext): Promise<readonly CandleAnswer[]> {
  return usableAmong((await candleSample(context)).answers, ({ answer }) => answer);
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
    const halfPast = (time: string) => time.replace(/(?:\.\d+)?Z$/, `.${"5".padEnd(digits, "0")}Z`);
    const range = { startTime: halfPast(startTime), endTime: halfPast(endTime), interval };
    return ask("GetHistoricalPrices", candleRequest(market, range));
  };
  return bracket(
    () => withDigits(1),
    () => Promise.all([3, 6, 9].map(withDigits)),
  );
}

/** Ranges of an interval that begin in the same hour or day, and how many candles each has. */
const periods = [
  { interval: "1", seconds: 3600, candles: 10 },
  { interval: "60", seconds: daySeconds, candles: 4 },
] as const;

/** Two ranges in one hour and two in one day, asked for right after each other: a cache must not take one for the other. */
export async function rangesInOnePeriod(context: CheckContext): Promise<readonly CandleAnswer[]> {
  const { ask } = context;
  const { market, end } = await candleSample(context);
  const read = async ({ interval, seconds, candles }: (typeof periods)[number]) => {
    const begin = (Math.floor(end.seconds / seconds) - 2) * seconds;
    const found: CandleAnswer[] = [];
    for (const share of [1 / 6, 2 / 3]) {
      const range = rangeEnding(instantFromMillis((begin + share * seconds) * 1000), interval, candles);
      found.push({ range, answer: await ask("GetHistoricalPrices", candleRequest(market, range)) });
    }
    return found;
  };
  return usableAmong((await Promise.all(periods.map(read))).flat(), ({ answer }) => answer);
}

/** How many hours of candles one market is asked for right after another, and how many days before the latest activity. */
const hoursAfterAnother = 24;
const daysBefore = 2;

/**
 * One range of two markets, asked for right after each other, and a longer one of the second market: a cache must not take one
 * market for the other.
 */
export async function rangeOfTwoMarkets(context: CheckContext): Promise<{
  readonly range: CandleRange;
  readonly afterAnother: Answer;
  readonly longer: Answer;
}> {
  const { ask, required, subjects } = context;
  // Without any candles, their answers say why.
  await candleAnswers(context);
  const [first, other] = marketsWithCandles(subjects);
  const second = required(other, "needs two markets with candles");
  const end = plusSeconds(latestActivity(subjects), -daysBefore * daySeconds);
  const range = rangeEnding(end, "60", hoursAfterAnother);
  await ask("GetHistoricalPrices", candleRequest(first ?? second, range));
  const afterAnother = await ask("GetHistoricalPrices", candleRequest(second, range));
  const longerRange = rangeEnding(end, "60", hoursAfterAnother + 1);
  return { range, afterAnother, longer: await ask("GetHistoricalPrices", candleRequest(second, longerRange)) };
}

/** A success with candles in a few words. */
export function candlesInWords(body: JsonObject): string {
  return `a success with ${spacingInWords(candlesOf(body))}`;
}
