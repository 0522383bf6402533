import type { JsonObjectInput } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import { bracketBudget } from "../../src/engine/bracket.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { usable } from "../../src/engine/usable.js";
import { type CandleRange, describeSpacing, holdsItsParts } from "../../src/judge/candles.js";
import { formatInstant, type Instant, instantFromMillis, parseInstant, plusSeconds } from "../../src/judge/instant.js";
import { type CandlestickView, candlesOf } from "../../src/judge/read.js";
import { type CandleInterval, candleIntervals } from "../../src/specification/enums.js";
import { candleIntervalSeconds, pageLimitMax } from "../../src/specification/limits.js";
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

/** The number of rows at which listings are cut off (§8): candles must not be, not even without a sign (C3). */
export const silentLimit = pageLimitMax;

/** Intervals of which there may be so many candles that a silent limit shows, the cheapest to have first. */
const frequentIntervals = ["1S", "1", "60", "1D"] as const;
const PARTS = 4;
/** Candles that a range may hold at most, in each profile. */
const MANY = { quick: 1_600, full: 6_000 } as const satisfies Record<Profile, number>;

/** How many requests {@link manyCandles} sends at most. */
export const manyCandlesRequests =
  candleReadingRequests + frequentIntervals.length * (PARTS + 1) + bracketBudget(1, PARTS);

/** A long range of candles that do not change any more, and its parts. */
export interface LongRange {
  readonly whole: Answer;
  readonly parts: readonly Answer[];
}

/**
 * Reads the parts of a range with many candles, then the whole: all that the parts returned must be there. Should something
 * be missing, both are read again in a bracket, since old candles may go in between (P3). In the quick profile the first
 * interval of which there are more candles than the silent limit will do; without one, that with most of them.
 */
export async function manyCandles(context: CheckContext): Promise<LongRange> {
  const { market, end } = await candleReading(context);
  const accepted = (await candleAnswers(context)).map(({ range }) => range.interval);
  const ask = (range: CandleRange) => context.call.getHistoricalPrices(candleRequest(market, range));
  let richest: (LongRange & { readonly count: number }) | undefined;
  for (const interval of frequentIntervals.filter((name) => accepted.includes(name))) {
    const intervals = MANY[context.profile];
    const range = rangeEnding(plusSeconds(end, -2 * candleIntervalSeconds[interval] - 60), interval, intervals);
    const readParts = () => Promise.all(partsOf(range, intervals).map(ask));
    const parts = await readParts();
    const whole = await ask(range);
    if (whole.outcome.kind !== "success") {
      // A range of days reaches back many years, which may be refused for another reason than its length.
      if (richest && richest.count > silentLimit) continue;
      return { whole, parts: [] };
    }
    const ofParts = candlesIn(parts);
    if (holdsItsParts({ whole: candlesOf(whole.outcome.body), parts: ofParts }, 0).violations.length > 0) {
      const [again, partsAgain] = await context.bracket(() => ask(range), readParts);
      return { whole: again, parts: partsAgain };
    }
    const count = ofParts.flat().length;
    if (count > (richest?.count ?? -1)) richest = { whole, parts, count };
    // A limit may be that of one interval only.
    if (count > silentLimit && context.profile === "quick") break;
  }
  return context.required(richest, missingData(context.subjects, "marketWithCandles"));
}

/** The range in equal parts, each of which begins where the one before it ends. */
function partsOf({ endTime, interval }: CandleRange, intervals: number): readonly CandleRange[] {
  const end = parseInstant(endTime) ?? instantFromMillis(0);
  const length = intervals / PARTS;
  return Array.from({ length: PARTS }, (_, part) =>
    rangeEnding(plusSeconds(end, -(PARTS - 1 - part) * length * candleIntervalSeconds[interval]), interval, length),
  );
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
