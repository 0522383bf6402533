import fc from "fast-check";
import { draw } from "../../src/arbitraries/seed.js";
import { tickSizeOf } from "../../src/arbitraries/ticks.js";
import { type JsonInput, type JsonObject, type JsonObjectInput, rawJson } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { usable, usableAmong } from "../../src/engine/usable.js";
import { selectorOf } from "../../src/exploration/request-values.js";
import { failed, type Judgement } from "../../src/judge/judgement.js";
import { orderBookOf } from "../../src/judge/read.js";
import { comparedState } from "../../src/judge/stored-state.js";
import { int32Max, tickStepMaxPower } from "../../src/specification/limits.js";
import { selectorClasses } from "../../src/specification/request-fields.js";
import { missingFrom } from "../../src/subjects/hints.js";
import { marketsWithBook } from "../../src/subjects/select.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";
import { sampleWithHead } from "./sampling.js";
import { stableReads } from "./stable-reads.js";
import { verifyPassing } from "./verify-passing.js";

/** A market, with what discovery saw of its book. */
export interface BookMarket extends MarketSubject {
  /** Underlying orders that discovery saw. */
  readonly bookOrders: number;
}

/** A market with a book and a known minimum tick (§4.6). */
export interface TickMarket extends BookMarket {
  readonly tickDecimals: number;
}

/** The answer to a request for a market's book. */
export interface BookAnswer {
  readonly market: BookMarket;
  /** The requested bucket size; 0 without bucketing. */
  readonly tick: number;
  readonly limit: number;
  readonly answer: Answer;
}

/** The largest limit that a read of a book asks for: enough for all of an ordinary book, and cheap to read. */
const mostOrdersRead = 1000;
/** The limit of a bucketed read: enough underlying orders for several buckets at every small step. */
const bucketedOrders = 120;

/**
 * The markets with at least `atLeast` orders in their book, the fullest first. Without any the check is inconclusive. With
 * 0: all markets whose book could be read, or else all markets, so that the check itself shows that no book can be read.
 */
export function bookMarkets({ subjects, required }: CheckContext, atLeast = 1): readonly [BookMarket, ...BookMarket[]] {
  const readable = marketsWithBook(subjects, atLeast).filter(({ bookOrders }) => bookOrders !== undefined);
  const [fullest, ...others] = (readable.length > 0 || atLeast > 0 ? readable : subjects.markets).map((market) => ({
    ...market,
    bookOrders: market.bookOrders ?? 0,
  }));
  const many = `needs a market with ${atLeast} orders in its book`;
  const missing = atLeast > 1 ? missingFrom(subjects, many, ["GetOrderBook"]) : "marketWithBook";
  return [required(fullest, atLeast === 0 ? "market" : missing), ...others];
}

/**
 * The markets with a book of at least `atLeast` orders and a known minimum tick, the fullest first. Without any the check is
 * inconclusive.
 */
export function tickMarkets(context: CheckContext, atLeast: number): readonly [TickMarket, ...TickMarket[]] {
  const [fullest, ...others] = bookMarkets(context, atLeast).filter(
    (market): market is TickMarket =>
      market.tickDecimals !== undefined && Number.isInteger(market.tickDecimals) && market.tickDecimals >= 0,
  );
  const reason = "needs the tickDecimals of a market with a book, from GetMarketConfigs";
  return [context.required(fullest, missingFrom(context.subjects, reason, ["GetMarketConfigs"])), ...others];
}

/** The request for a market's book, with optional further fields (§4.6). */
export function bookRequest({ marketId }: MarketSubject, fields: JsonObjectInput = {}): JsonObjectInput {
  return { market: { marketId }, ...fields };
}

/** The bucket size of 10^`power` minimum ticks, as a number and as it is requested (§4.6, B9). */
function bucketSize(tickDecimals: number, power: number): { readonly tick: number; readonly tickSize: JsonInput } {
  const { text, value } = tickSizeOf(1, power, tickDecimals, "decimal");
  return { tick: value, tickSize: rawJson(text) };
}

/** A limit far larger than the book that discovery saw. */
export function limitBeyond({ bookOrders }: BookMarket): number {
  return 2 * bookOrders + mostOrdersRead;
}

/** The books of all markets in buckets of every power-of-ten step that must be accepted (B9), refusals included. */
export async function steppedBooks(context: CheckContext): Promise<readonly BookAnswer[]> {
  const powers = Array.from({ length: tickStepMaxPower + 1 }, (_, power) => power);
  return Promise.all(
    tickMarkets(context, 0).flatMap((market) => powers.map((power) => steppedBook(context, market, power))),
  );
}

/** How many books are read again when they disagree with the plain one. */
const readAgain = 3;

/** A request for a book, its answer, and the request for the same book to compare it with. */
interface BookComparison {
  readonly plain: JsonObjectInput;
  readonly request: JsonObjectInput;
  readonly answer: Answer;
  readonly judge: (plain: JsonObject, other: JsonObject) => Judgement;
}

/**
 * Asserts something about the bucketed books of all markets at every step, compared with the same orders without bucketing.
 */
export async function compareWithUnbucketed(
  context: CheckContext,
  judge: (plain: JsonObject, bucketed: JsonObject, tick: number) => Judgement,
): Promise<void> {
  const books = (await steppedBooks(context)).filter(({ answer }) => answer.outcome.kind === "success");
  context.required(books[0], "needs a book that was read in buckets");
  await compareBooksWithPlain(
    context,
    books.map(({ market, limit, tick, answer }) => ({
      plain: bookRequest(market, { limit }),
      request: answer.request as JsonObjectInput,
      answer,
      judge: (plain, bucketed) => judge(plain, bucketed, tick),
    })),
  );
}

/** Asserts something about each market's book by its symbols, compared with the same book by its id. */
export async function compareWithBooksBySymbols(
  context: CheckContext,
  judge: (byId: JsonObject, bySymbols: JsonObject) => Judgement,
): Promise<void> {
  const limit = bucketedOrders;
  const markets = bookMarkets(context).filter(({ symbols }) => symbols?.quoteSymbol !== undefined);
  context.required(markets[0], "marketWithSymbols");
  await compareBooksWithPlain(
    context,
    await Promise.all(
      markets.map(async (market) => {
        const request = { market: selectorOf(market, "by symbols"), limit };
        const answer = await context.shared("GetOrderBook", request);
        return { plain: bookRequest(market, { limit }), request, answer, judge };
      }),
    ),
  );
}

/**
 * Compares each book with the plain one. Of those that differ at first, or are refused, some are read again, so that the target
 * is not blamed for books that moved (P3).
 */
async function compareBooksWithPlain(context: CheckContext, books: readonly BookComparison[]): Promise<void> {
  const { bracket, call, shared, verify } = context;
  const differing = await verifyPassing(context, books, readAgain, async ({ plain: request, answer, judge }) => {
    const plain = await shared("GetOrderBook", request);
    if (plain.outcome.kind !== "success") return undefined;
    if (isRefused(answer)) return [failed({ expected: "the same book", seen: "a refusal" }), plain, answer];
    return answer.outcome.kind === "success"
      ? [judge(plain.outcome.body, answer.outcome.body), plain, answer]
      : undefined;
  });
  const again = await stableReads(
    differing.map(async ({ plain, request, judge }) => ({
      judge,
      answers: await bracket(
        () => call.getOrderBook(plain),
        () => call.getOrderBook(request),
        comparedState("GetOrderBook"),
      ),
    })),
  );
  for (const { judge, answers } of again) verify(...answers).satisfies(judge);
}

/** A market's book at one moment, whole and in parts, all with the same bucket size (P3). */
export interface BookInParts {
  readonly market: BookMarket;
  /** The bucket size of all answers; 0 without bucketing. */
  readonly tick: number;
  /** A limit larger than the book, sent with every request but `first` and, in most markets, `rest`. */
  readonly limit: number;
  readonly whole: Answer;
  /** The offset of `rest`, and the limit of `first`: `first` has the orders that `rest` skips. */
  readonly offset: number;
  readonly first: Answer;
  readonly rest: Answer;
  /** The number of levels per side that `cut` asks for: the best ones. */
  readonly levels: number;
  readonly cut: Answer;
  /** The whole book in units and in USD. */
  readonly units: Answer;
  readonly usd: Answer;
}

/** Maximum number of orders in a book that is read in parts. */
const maxOrdersReadInParts = 5_000;
/** Maximum number of markets whose books are read in parts: those with the fullest books, and others drawn by the seed. */
const maxMarketsReadInParts = 12;

/**
 * The books of most markets, whole and in parts. The seed varies bucket size, unit and offset. Shared by the checks of a
 * worker. Books that kept changing or were not answered in full are left out; without any the check is inconclusive.
 */
export async function booksInParts(context: CheckContext): Promise<readonly BookInParts[]> {
  const books = await readBooksInParts(context);
  const answersOf = ({ whole, first, rest, cut, units, usd }: BookInParts) => [whole, first, rest, cut, units, usd];
  const isUsable = (book: BookInParts) => answersOf(book).every(({ outcome }) => outcome.kind === "success");
  const complete = books.filter(isUsable);
  if (complete.length === 0) usable(books.flatMap(answersOf).filter(({ outcome }) => outcome.kind !== "success"));
  return complete;
}

/** Like {@link booksInParts}, including books that were not answered in full. */
export async function readBooksInParts(context: CheckContext): Promise<readonly BookInParts[]> {
  const { runSeed, sharedRead } = context;
  const all = bookMarkets(context, 2);
  const ordinary = all.filter(({ bookOrders }) => bookOrders <= maxOrdersReadInParts);
  const markets = sampleWithHead(
    ordinary.length > 0 ? ordinary : all.slice(-1),
    sampleSize(maxMarketsReadInParts, context),
    runSeed,
  );
  return sharedRead("the books of the markets, whole and in parts", (reader) =>
    stableReads(markets.map((market, index) => readInParts(market, runSeed + index, reader))),
  );
}

async function readInParts(
  market: BookMarket,
  seed: number,
  reader: ReadContext,
  parts = draw(partsOf(market), seed),
): Promise<BookInParts> {
  const { offset, levels: someLevels, power, sizeInUsd, selector } = parts;
  const { tickDecimals } = market;
  const { tick = 0, ...bucketing } =
    power === undefined || tickDecimals === undefined ? {} : bucketSize(tickDecimals, power);
  const limit = limitBeyond(market);
  const ask = (fields: JsonObjectInput) =>
    reader.ask("GetOrderBook", { market: selectorOf(market, selector), sizeInUsd, limit, ...bucketing, ...fields });
  // In every fourth market each, the limit next to the offset is exactly the number of orders, or of those that are left, not
  // larger than the book; or it is the largest one, which must not overflow with the offset.
  let restLimit = seed % 4 === 1 ? int32Max : limit;
  // In every third market, all levels but one, however many there are.
  let levels = someLevels;
  const readWhole = async () => {
    const answer = await ask({});
    const book = answer.outcome.kind === "success" ? orderBookOf(answer.outcome.body) : undefined;
    const { totalOrderCount = 0, bids = [], asks = [] } = book ?? {};
    if (seed % 2 === 0 && totalOrderCount > offset)
      restLimit = seed % 4 === 0 ? totalOrderCount - offset : totalOrderCount;
    if (seed % 3 === 0) levels = Math.max(1, bids.length - 1, asks.length - 1);
    return answer;
  };
  const [whole, [first, rest, cut, other]] = await reader.bracket(
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
  // Other rules cover a market that is refused by its symbols.
  if (selector === "by symbols" && whole.outcome.kind !== "success")
    return readInParts(market, seed, reader, { ...parts, selector: "by id" });
  const [units, usd] = sizeInUsd ? [other, whole] : [whole, other];
  return { market, tick, limit, whole, offset, first, rest, levels, cut, units, usd };
}

/** The parts in which a book is read, and how, drawn by a seed. */
function partsOf({ bookOrders }: BookMarket) {
  return fc.record({
    // Explored requests have small offsets.
    offset: fc.noBias(fc.integer({ min: 1, max: Math.max(1, bookOrders - 1) })),
    levels: fc.oneof(
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: 2, max: Math.max(2, Math.floor(bookOrders / 2)) }),
    ),
    power: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    sizeInUsd: fc.boolean(),
    selector: fc.constantFrom(...selectorClasses),
  });
}

/** Some orders from within a book, in buckets. */
export interface BucketedPart {
  readonly limit: number;
  readonly offset: number;
  readonly answer: Answer;
}

/** How many markets {@link bucketedParts} asks about: those with the fullest books, and others drawn by the seed. */
const marketsInBuckets = 4;

/**
 * Combines limit, offset and bucket size: small parts of books, much smaller than what they leave out. Returns those that
 * were answered.
 */
export async function bucketedParts(context: CheckContext): Promise<readonly BucketedPart[]> {
  const { call, runSeed } = context;
  const markets = sampleWithHead(tickMarkets(context, 8), marketsInBuckets, runSeed);
  const parts = await Promise.all(
    markets.map(async (market, index) => {
      const quarter = Math.floor(market.bookOrders / 4);
      const part = fc.record({
        offset: fc.integer({ min: 1, max: quarter }),
        limit: fc.integer({ min: 1, max: Math.floor(quarter / 2) }),
        power: fc.integer({ min: 0, max: 3 }),
        sizeInUsd: fc.boolean(),
      });
      const { power, ...fields } = draw(part, runSeed + index);
      const { tickSize } = bucketSize(market.tickDecimals, power);
      return { ...fields, answer: await call.getOrderBook(bookRequest(market, { ...fields, tickSize })) };
    }),
  );
  return usableAmong(parts, ({ answer }) => answer);
}

/** From this power up, a whole book is read: fewer orders could all be in one bucket, and the answer stays small. */
const wholeFromPower = 2;

/** One market's book in buckets of 10^`power` minimum ticks. */
async function steppedBook(context: CheckContext, market: TickMarket, power: number): Promise<BookAnswer> {
  const { tick, tickSize } = bucketSize(market.tickDecimals, power);
  const limit = power >= wholeFromPower ? mostOrdersRead : bucketedOrders;
  const answer = await context.shared("GetOrderBook", bookRequest(market, { limit, tickSize }));
  return { market, tick, limit, answer };
}

const widePower = 4;

/**
 * A wide bucket size that the market is known to accept, so that the answer for a whole book stays small; if there is none,
 * no bucketing.
 */
export async function wideBuckets(context: CheckContext, market: BookMarket): Promise<JsonObjectInput> {
  const { tickDecimals } = market;
  if (tickDecimals === undefined) return {};
  const { answer } = await steppedBook(context, { ...market, tickDecimals }, widePower);
  return isRefused(answer) ? {} : { tickSize: bucketSize(tickDecimals, widePower).tickSize };
}

/** Whether an answer refuses the request. `unimplemented` does not count, since it refuses the operation. */
function isRefused({ outcome }: Answer): boolean {
  return outcome.kind === "error" && outcome.code !== "unimplemented";
}
