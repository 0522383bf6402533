import fc from "fast-check";
import { type TickSize, tickSizeOf } from "../../src/arbitraries/ticks.js";
import { type JsonObject, type JsonObjectInput, rawJson } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import { bracketBudget } from "../../src/engine/bracket.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { usable } from "../../src/engine/usable.js";
import type { Judgement } from "../../src/judge/judgement.js";
import { orderBookOf } from "../../src/judge/read.js";
import { comparedState } from "../../src/judge/stored-state.js";
import { tickStepMaxPower } from "../../src/specification/limits.js";
import { missingData, missingFrom } from "../../src/subjects/hints.js";
import { marketsWithBook } from "../../src/subjects/select.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";
import { settledReadings } from "./accounts.js";
import { headAndDrawn } from "./sampled.js";

/** What the words for order books need of a check's context. */
type Reader = Pick<CheckContext, "shared" | "subjects" | "required" | "inconclusive" | "profile">;

/** A market with what discovery saw of its book. */
export interface BookMarket extends MarketSubject {
  /** Underlying orders that discovery saw. */
  readonly bookOrders: number;
}

/** A market with a book and a known minimum tick (§4.6). */
export interface TickMarket extends BookMarket {
  readonly tickDecimals: number;
}

/** The answer with a market's book. */
export interface BookReading {
  readonly market: BookMarket;
  /** The bucket size that was asked for; 0 without bucketing. */
  readonly tick: number;
  readonly limit: number;
  readonly answer: Answer;
}

/** Rows that a reading of a book asks for at most: enough to see all of an ordinary book, and cheap to read. */
const MOST_ORDERS_READ = 1000;
/** Underlying orders of a bucketed reading: enough for several buckets at every small step. */
const BUCKETED_ORDERS = 120;

/**
 * The markets with at least so many orders in their book, the fullest first; without any the check is inconclusive. With
 * `atLeast` 0 they are all markets whose book could be read, or else all markets: then that none can be read will show.
 */
export function bookMarkets({ subjects, required }: Reader, atLeast = 1): readonly BookMarket[] {
  const readable = marketsWithBook(subjects, atLeast).filter(({ bookOrders }) => bookOrders !== undefined);
  const markets = (readable.length > 0 || atLeast > 0 ? readable : subjects.markets).map(withOrders);
  const missing =
    atLeast > 1
      ? missingFrom(subjects, `needs a market with ${atLeast} orders in its book`, ["GetOrderBook"])
      : missingData(subjects, "marketWithBook");
  required(markets[0], atLeast === 0 ? missingData(subjects, "market") : missing);
  return markets;
}

function withOrders(market: MarketSubject): BookMarket {
  return { ...market, bookOrders: market.bookOrders ?? 0 };
}

/** The market with the fullest book, of at least so many orders; without one the check is inconclusive. */
export function fullestBook(context: Reader, atLeast = 1): BookMarket {
  return context.required(bookMarkets(context, atLeast)[0], missingData(context.subjects, "marketWithBook"));
}

/**
 * The markets with a book of at least so many orders, and a known minimum tick, the fullest first; without any the check is
 * inconclusive.
 */
export function tickMarkets(context: Reader, atLeast = 1): readonly [TickMarket, ...TickMarket[]] {
  const [fullest, ...others] = bookMarkets(context, atLeast).filter(
    (market): market is TickMarket =>
      market.tickDecimals !== undefined && Number.isInteger(market.tickDecimals) && market.tickDecimals >= 0,
  );
  const reason = "needs the tickDecimals of a market with a book, from GetMarketConfigs";
  return [context.required(fullest, missingFrom(context.subjects, reason, ["GetMarketConfigs"])), ...others];
}

/** The request for a market's book, with the fields of §4.6 beside the market. */
export function bookRequest({ marketId }: MarketSubject, fields: JsonObjectInput = {}): JsonObjectInput {
  return { market: { marketId }, ...fields };
}

/** A limit far beyond the book that discovery saw. */
export function limitBeyond({ bookOrders }: BookMarket): number {
  return 2 * bookOrders + MOST_ORDERS_READ;
}

/** The books of all markets in buckets of power-of-ten steps that must be accepted (B9), whether accepted or not. */
export async function steppedBooks(context: Reader): Promise<readonly BookReading[]> {
  const powers = Array.from({ length: tickStepMaxPower + 1 }, (_, power) => power);
  return Promise.all(
    tickMarkets(context, 0).flatMap((market) => powers.map((power) => steppedBook(context, market, power))),
  );
}

/** Books that are read again, where they do not agree with those without bucketing at once. */
const readAgain = 3;

/** How many requests {@link besideUnbucketed} sends at most. */
export const besideUnbucketedBudget = readAgain * bracketBudget(1, 1);

/**
 * Asserts something of the books of all markets in buckets of every step, beside the same orders without bucketing. Where it does not
 * hold at once, both are read again, so that books that moved are not held against the target (P3).
 */
export async function besideUnbucketed(
  context: CheckContext,
  judge: (plain: JsonObject, bucketed: JsonObject, tick: number) => Judgement,
): Promise<void> {
  const { bracket, call, required, shared, verify } = context;
  const books = (await steppedBooks(context)).filter(({ answer }) => answer.outcome.kind === "success");
  required(books[0], "needs a book that was read in buckets");
  const disputed: BookReading[] = [];
  for (const book of books) {
    const { market, limit, tick, answer } = book;
    const plain = await shared("GetOrderBook", bookRequest(market, { limit }));
    if (plain.outcome.kind !== "success" || answer.outcome.kind !== "success") continue;
    const judgement = judge(plain.outcome.body, answer.outcome.body, tick);
    if (judgement.violations.length > 0) disputed.push(book);
    else verify(plain, answer).satisfies(judgement);
  }
  const again = await settledReadings(
    disputed.slice(0, readAgain).map(async ({ market, limit, tick, answer: { request } }) => ({
      tick,
      answers: await bracket(
        () => call.getOrderBook(bookRequest(market, { limit })),
        () => call.getOrderBook(request as JsonObjectInput),
        comparedState("GetOrderBook"),
      ),
    })),
  );
  for (const { tick, answers } of again)
    verify(...answers).satisfies((plain, bucketed) => judge(plain, bucketed, tick));
}

/** A market's book at one moment, whole and in parts, all in the same buckets (P3). */
export interface BookInParts {
  readonly market: BookMarket;
  /** The bucket size of all of them; 0 without bucketing. */
  readonly tick: number;
  /** Beyond the book: what was asked for beside all but the first orders. */
  readonly limit: number;
  readonly whole: Answer;
  /** The orders that the offset skips, by a limit of as many, and those from the offset on. */
  readonly offset: number;
  readonly first: Answer;
  readonly rest: Answer;
  /** The best levels of each side. */
  readonly levels: number;
  readonly cut: Answer;
  /** The whole book in units and in USD. */
  readonly units: Answer;
  readonly usd: Answer;
}

/** Orders of a book that is read in parts, at most. */
const partedOrders = 5_000;
/** Markets whose books are read in parts, at most: those with the fullest books, and others that change from seed to seed. */
const partedMarkets = 12;

/** How many requests {@link booksInParts} sends at most. */
const booksInPartsBudget = partedMarkets * bracketBudget(1, 4);

/**
 * The books of most markets, whole and in parts; bucket size, unit and place change with the seed. Read once in each worker of a
 * run. Books that kept changing, or that were not answered in full, are left out; without any the check is inconclusive.
 */
export async function booksInParts(context: CheckContext): Promise<readonly BookInParts[]> {
  const books = await readBooksInParts(context);
  const answersOf = ({ whole, first, rest, cut, units, usd }: BookInParts) => [whole, first, rest, cut, units, usd];
  const isUsable = (book: BookInParts) => answersOf(book).every(({ outcome }) => outcome.kind === "success");
  const complete = books.filter(isUsable);
  if (complete.length === 0) usable(books.flatMap(answersOf).filter(({ outcome }) => outcome.kind !== "success"));
  return complete;
}

/** {@link booksInParts}, whether or not they were answered. */
export async function readBooksInParts(context: CheckContext): Promise<readonly BookInParts[]> {
  const { runSeed, sharedRead } = context;
  const all = bookMarkets(context, 2);
  const ordinary = all.filter(({ bookOrders }) => bookOrders <= partedOrders);
  const markets = headAndDrawn(
    ordinary.length > 0 ? ordinary : all.slice(-1),
    sampleSize(partedMarkets, context),
    runSeed,
  );
  return sharedRead("the books of the markets, whole and in parts", booksInPartsBudget, (words) =>
    settledReadings(markets.map((market, index) => readInParts(market, runSeed + index, words))),
  );
}

async function readInParts(market: BookMarket, seed: number, words: ReadContext): Promise<BookInParts> {
  const { bookOrders, tickDecimals } = market;
  const [{ offset, levels, power, sizeInUsd } = { offset: 1, levels: 1, power: undefined, sizeInUsd: false }] =
    fc.sample(
      fc.record({
        offset: fc.integer({ min: 1, max: Math.max(1, bookOrders - 1) }),
        levels: fc.oneof(
          fc.integer({ min: 2, max: 5 }),
          fc.integer({ min: 2, max: Math.max(2, Math.floor(bookOrders / 2)) }),
        ),
        power: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
        sizeInUsd: fc.boolean(),
      }),
      { numRuns: 1, seed },
    );
  const step =
    power === undefined || tickDecimals === undefined ? undefined : tickSizeOf(1, power, tickDecimals, "decimal");
  const limit = limitBeyond(market);
  const ask = (fields: JsonObjectInput) =>
    words.ask(
      "GetOrderBook",
      bookRequest(market, { sizeInUsd, limit, ...(step && { tickSize: asNumber(step) }), ...fields }),
    );
  // Of every other market the limit beside the offset is not beyond the book, but as many orders as it has.
  let restLimit = limit;
  const readWhole = async () => {
    const answer = await ask({});
    if (seed % 2 === 0) restLimit = totalOf(answer) ?? limit;
    return answer;
  };
  const [whole, [first, rest, cut, other]] = await words.bracket(
    readWhole,
    () =>
      Promise.all([
        ask({ limit: offset }),
        ask({ offset, limit: restLimit }),
        ask({ levels }),
        ask({ sizeInUsd: !sizeInUsd }),
      ]),
    comparedState("GetOrderBook"),
  );
  const [units, usd] = sizeInUsd ? [other, whole] : [whole, other];
  return { market, tick: step?.value ?? 0, limit, whole, offset, first, rest, levels, cut, units, usd };
}

/** How many orders a book says that it has, if any. */
function totalOf({ outcome }: Answer): number | undefined {
  const total = outcome.kind === "success" ? orderBookOf(outcome.body)?.totalOrderCount : undefined;
  return total !== undefined && total > 0 ? total : undefined;
}

/** Some orders of a book amid it, in buckets. */
export interface BucketedPart {
  readonly limit: number;
  readonly offset: number;
  readonly answer: Answer;
}

/** Markets of whose books {@link bucketedParts} are read: those with the fullest ones, and others that change with the seed. */
export const bucketedPartsBudget = 4;

/** Limit, offset and bucket size together: parts of books that are small beside what they leave out; those that were answered. */
export async function bucketedParts(context: CheckContext): Promise<readonly BucketedPart[]> {
  const { call, runSeed } = context;
  const markets = headAndDrawn(tickMarkets(context, 8), bucketedPartsBudget, runSeed);
  const parts = await Promise.all(
    markets.map(async (market, index) => {
      const quarter = Math.floor(market.bookOrders / 4);
      const part = fc.record({
        offset: fc.integer({ min: 1, max: quarter }),
        limit: fc.integer({ min: 1, max: Math.floor(quarter / 2) }),
        power: fc.integer({ min: 0, max: 3 }),
        sizeInUsd: fc.boolean(),
      });
      const [{ power, ...fields } = { offset: 1, limit: 1, power: 0 }] = fc.sample(part, {
        numRuns: 1,
        seed: runSeed + index,
      });
      const tickSize = asNumber(tickSizeOf(1, power, market.tickDecimals, "decimal"));
      return { ...fields, answer: await call.getOrderBook(bookRequest(market, { ...fields, tickSize })) };
    }),
  );
  const answered = usable(parts.map(({ answer }) => answer));
  return parts.filter(({ answer }) => answered.includes(answer));
}

/** The power of ten, if the market is known to accept so many minimum ticks. */
async function acceptedStep(context: Reader, market: BookMarket, power: number): Promise<number | undefined> {
  if (market.tickDecimals === undefined) return undefined;
  const { answer } = await steppedBook(context, { ...market, tickDecimals: market.tickDecimals }, power);
  return isRefused(answer) ? undefined : power;
}

/** One market's book in buckets of 10^`power` minimum ticks. */
async function steppedBook(context: Reader, market: TickMarket, power: number): Promise<BookReading> {
  const step = tickSizeOf(1, power, market.tickDecimals, "decimal");
  // In wide buckets the answer about a whole book stays small.
  const limit = power >= WIDE_POWER ? MOST_ORDERS_READ : BUCKETED_ORDERS;
  return {
    market,
    tick: step.value,
    limit,
    answer: await context.shared("GetOrderBook", bookRequest(market, { limit, tickSize: asNumber(step) })),
  };
}

/**
 * A wide bucket size that the market is known to accept, so that an answer about the whole book stays small; without one,
 * no bucketing.
 */
export async function wideBuckets(context: Reader, market: BookMarket): Promise<JsonObjectInput> {
  const power = await acceptedStep(context, market, WIDE_POWER);
  if (power === undefined || market.tickDecimals === undefined) return {};
  return { tickSize: asNumber(tickSizeOf(1, power, market.tickDecimals, "decimal")) };
}

const WIDE_POWER = 4;

/** A bucket size as it stands in a request. */
export function asNumber({ text }: TickSize): ReturnType<typeof rawJson> {
  return rawJson(text);
}

/** Whether an answer is an error for what was asked; `unimplemented` is none, since it is about the operation. */
function isRefused({ outcome }: Answer): boolean {
  return outcome.kind === "error" && outcome.code !== "unimplemented";
}
