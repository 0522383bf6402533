import fc from "fast-check";
import { type TickSize, tickSizeOf } from "../../src/arbitraries/ticks.js";
import { type JsonObject, type JsonObjectInput, rawJson } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import { bracketBudget } from "../../src/engine/bracket.js";
import type { CheckContext } from "../../src/engine/context.js";
import { leavesAllBut } from "../../src/judge/book-request.js";
import { tickStepMaxPower } from "../../src/specification/limits.js";
import { missingData, missingFrom } from "../../src/subjects/hints.js";
import { marketsWithBook } from "../../src/subjects/select.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";

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
  const [fullest, ...others] = tickMarkets(context, 0);
  const { profile } = context;
  // Of the other markets the two ends, in the quick profile the exploration's alone.
  const ends = profile === "full" ? [0, tickStepMaxPower] : [];
  return Promise.all([
    ...powers.map((power) => steppedBook(context, fullest, power)),
    ...others.flatMap((market) => ends.map((power) => steppedBook(context, market, power))),
  ]);
}

/** The rest of a book from an offset on, and the whole of it where that takes part. */
export interface OffsetAnswer {
  readonly market: BookMarket;
  readonly offset: number;
  readonly limit: number;
  readonly answer: Answer;
  readonly whole?: JsonObject;
}

/** Markets whose books are read from offsets on, and offsets for each. */
const PARTED = 2;
const OFFSETS = 2;

/** How many requests {@link offsetBooks} sends at most. */
export const offsetBooksBudget = PARTED * (OFFSETS + bracketBudget(1, OFFSETS));

/** Markets whose books are read in parts, the fullest ones whose levels make for an ordinary answer. */
function partedMarkets(context: Reader): readonly BookMarket[] {
  const markets = bookMarkets(context, 2);
  const ordinary = markets.filter(({ bookOrders }) => bookOrders <= MOST_ORDERS_READ);
  return (ordinary.length > 0 ? ordinary : markets.slice(-1)).slice(0, PARTED);
}

/**
 * The books of some markets from several offsets on, with a limit beyond the book. Where not each of them is all but so many
 * orders of both sides, they are read once more around the whole book, whose sides then tell whether the offset counts on
 * each (B2).
 */
export async function offsetBooks(context: CheckContext): Promise<readonly OffsetAnswer[]> {
  const { bracket, call, seed } = context;
  const places = await Promise.all(
    partedMarkets(context).map(async (market, index) => {
      const { bookOrders } = market;
      const places = fc.record({
        beforeEnd: fc.oneof(fc.constantFrom(1, 2, 50), fc.integer({ min: 1, max: 50 })),
        afterStart: fc.integer({ min: 1, max: Math.ceil(bookOrders / 2) }),
      });
      const [{ beforeEnd, afterStart } = { beforeEnd: 1, afterStart: 1 }] = fc.sample(places, {
        numRuns: 1,
        seed: seed + index,
      });
      const offsets = [Math.max(1, bookOrders - beforeEnd), afterStart];
      const fields = { ...(await wideBuckets(context, market)), ...(index % 2 === 1 ? { sizeInUsd: true } : {}) };
      const limit = limitBeyond(market);
      const ask = (offset: number) => call.getOrderBook(bookRequest(market, { limit, ...fields, offset }));
      const whole = () => call.getOrderBook(bookRequest(market, { limit, ...fields }));
      const rests = () =>
        Promise.all(offsets.map(async (offset) => ({ market, offset, limit, answer: await ask(offset) })));
      return { whole, rests };
    }),
  );
  const read = (await Promise.all(places.map(({ rests }) => rests()))).flat();
  const settled = read.every(
    ({ answer: { outcome }, offset, limit }) =>
      outcome.kind !== "success" || leavesAllBut({ rest: outcome.body, offset, limit }),
  );
  if (settled) return read;
  const around = places.map(async ({ whole, rests }) => {
    const [full, answers] = await bracket(whole, rests);
    return answers.map((answer) => ({
      ...answer,
      ...(full.outcome.kind === "success" ? { whole: full.outcome.body } : {}),
    }));
  });
  return (await Promise.all(around)).flat();
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
  return {
    market,
    tick: step.value,
    answer: await context.shared(
      "GetOrderBook",
      bookRequest(market, { limit: BUCKETED_ORDERS, tickSize: asNumber(step) }),
    ),
  };
}

/**
 * A wide bucket size that the market is known to accept, so that an answer about the whole book stays small; without one,
 * no bucketing.
 */
export async function wideBuckets(context: Reader, market: BookMarket): Promise<JsonObjectInput> {
  const power = await acceptedStep(context, market, WIDE_POWER);
  if (power === undefined || market.tickDecimals === undefined) return {};
  return { tickSize: asNumber(tickSizeOf(1, power, market.tickDecimals)) };
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
