import fc from "fast-check";
import { draw, seedFor, shuffled } from "../src/arbitraries/seed.js";
import {
  mantissasBetweenSteps,
  negativeMantissas,
  sizesTakenForSteps,
  stepPowers,
  tickSizeOf,
} from "../src/arbitraries/ticks.js";
import type { JsonInput } from "../src/connect/json.js";
import { suite } from "../src/engine/define.js";
import { usableAmong } from "../src/engine/usable.js";
import {
  defaultLeftOut,
  inDecimals,
  underlyingBook,
  wholeBook,
  withoutBuckets,
  withoutCount,
  withoutFlag,
  withoutIgnored,
} from "../src/exploration/rewrites.js";
import { describeBook, sameTotalOrderCount } from "../src/judge/book.js";
import { bestLevels, noLevelLeftOut, offsetsLeave, pagesSumToBook, restIsPartOfBook } from "../src/judge/book-parts.js";
import { showsLevels, showsWholeBook, withinLimitPerSide } from "../src/judge/book-request.js";
import { usdNotional, wholeLevelsInUsd } from "../src/judge/book-usd.js";
import {
  bucketsAligned,
  bucketsSpaced,
  noCoarserThan,
  noWiderThan,
  sameSizePerSide,
  tickSizeIs,
} from "../src/judge/buckets.js";
import { answersSwapped } from "../src/judge/judgement.js";
import type { ParsedRequest } from "../src/judge/parsed-request.js";
import { int32Max, orderBookLimitDefault } from "../src/specification/limits.js";
import { sharesOfMinimumTick } from "../src/specification/request-fields.js";
import type { MarketSubject } from "../src/subjects/subjects.js";
import {
  asNumber,
  besideUnbucketed,
  bookMarkets,
  bookRequest,
  booksInParts,
  bucketedParts,
  fullestBook,
  limitBeyond,
  readBooksInParts,
  steppedBooks,
  tickMarkets,
  wideBuckets,
} from "./support/books.js";
import { likeDefaultLimit } from "./support/equivalences.js";

export default suite("§4.6 GetOrderBook", ({ check, equivalent, invariant, observe, refusal, relation }) => {
  /** How many requests are rewritten where a field may get lost next to any other one. */
  const many = { quick: 12, full: 30 } as const;
  /** The same, where more of the answer has to be read. */
  const bookSample = { quick: 8, full: 30 } as const;
  const inEveryMarket = { name: "in every market" } as const;

  /**
   * Bucketed books next to unbucketed ones. Uses whole books, since few prices lie on bucket boundaries, and possibly none
   * of the best.
   */
  const bucketedBeside = {
    from: wholeBook,
    rewrite: withoutBuckets,
    where: ({ sizeInUsd }: ParsedRequest) => !sizeInUsd,
    answered: true,
    sample: many,
  } as const;
  /** Requests that return rows to compare: their offset is not past the end of the book. */
  const showsRows = ({ offset = 0 }: ParsedRequest) => offset < manyRows;
  const invalid = { field: "tickSize", codes: ["invalid_argument"] } as const;

  // tickSize: Bucket size. 0 disables bucketing.
  invariant("order-book.tick-size-zero");

  equivalent("order-book.tick-size-zero", {
    name: "like no tickSize",
    rewrite: defaultLeftOut("tickSize"),
    why: "a tickSize of 0 is an omitted one",
  });

  relation("order-book.tick-size-zero", {
    name: "the underlying prices",
    ...bucketedBeside,
    holds: (bucketed, plain) => answersSwapped(noCoarserThan(plain, bucketed)),
  });

  // Otherwise a power-of-ten multiple of the market minimum tick (1 / 10^tickDecimals), for example 0.01, 0.1, 1, 10.
  check("order-book.tick-size-steps", { name: "every step of every market" }, async (context) => {
    for (const { answer } of await steppedBooks(context)) context.verify(answer).succeeds();
  });

  equivalent("order-book.tick-size-steps", {
    name: "in the other notation",
    rewrite: inDecimals,
    why: "another notation of the same bucket size",
  });

  observe("order-book.tick-size-larger-steps", async (context) => {
    const [market] = tickMarkets(context, 0);
    for (const power of [7, 9, 12]) {
      const { text, value } = tickSizeOf(1, power, market.tickDecimals, "decimal");
      const answer = await context.call.getOrderBook(bookRequest(market, { tickSize: asNumber({ text, value }) }));
      context.record(`tickSize ${text}, 10^${power} minimum ticks`, answer);
    }
  });

  // A value below the minimum tick is clamped up to it.
  invariant("order-book.tick-size-below-minimum");

  check("order-book.tick-size-below-minimum", inEveryMarket, async (context) => {
    const turns = shuffled(sharesOfMinimumTick, context.runSeed);
    for (const [index, market] of tickMarkets(context, 0).entries()) {
      const share = turns[index % turns.length] ?? fc.constant(0.5);
      const tickSize = ticksOf(market, drawnFor(market, share, context), 0);
      const answer = await context.shared("GetOrderBook", bookRequest(market, { tickSize }));
      const { value } = tickSizeOf(1, 0, market.tickDecimals);
      context.verify(answer).satisfies((body) => tickSizeIs(body, value, "the minimum tick"));
    }
  });

  // Any other value (not a power-of-ten step, or negative) fails with INVALID_ARGUMENT.
  refusal("order-book.tick-size-no-step", {
    ...invalid,
    values: (market) => [
      ...sizesTakenForSteps.map(({ mantissa, power }) => ticksOf(market, mantissa, power)),
      fc.tuple(mantissasBetweenSteps, stepPowers).map(([mantissa, power]) => ticksOf(market, mantissa, power)),
    ],
  });

  check("order-book.tick-size-no-step", { name: "in every market" }, async (context) => {
    for (const market of tickMarkets(context, 0)) {
      const power = drawnFor(market, stepPowers, context);
      const justAbove = ticksOf(market, drawnFor(market, mantissasBetweenSteps, context), 0);
      for (const tickSize of [justAbove, ...[2, 2.5, 5].map((mantissa) => ticksOf(market, mantissa, power))]) {
        const answer = await context.shared("GetOrderBook", bookRequest(market, { tickSize }));
        context.verify(answer).failsWith("invalid_argument");
      }
    }
  });

  refusal("order-book.tick-size-negative", {
    ...invalid,
    values: (market) => [
      ...[-1, -0.5, -1e-9, -1_000_000].map((mantissa) => ticksOf(market, mantissa, 0)),
      fc.tuple(negativeMantissas, stepPowers).map(([mantissa, power]) => ticksOf(market, mantissa, power)),
    ],
  });

  // What bucketing does.
  invariant("order-book.bucket-spacing", "order-book.bucket-alignment");

  for (const [rule, judge] of [
    ["order-book.bucket-spacing", bucketsSpaced],
    ["order-book.bucket-alignment", bucketsAligned],
  ] as const) {
    check(rule, inEveryMarket, async (context) => {
      const bucketed = (await booksInParts(context)).filter(({ tick }) => tick > 0);
      context.required(bucketed[0], "needs a book that was read in buckets");
      for (const { whole, tick } of bucketed) context.verify(whole).satisfies((body) => judge(body, tick));
    });
  }

  relation("order-book.bucketing-keeps-size", {
    ...bucketedBeside,
    holds: (bucketed, plain) => answersSwapped(sameSizePerSide(plain, bucketed)),
  });

  const everyBucketSize = { name: "in buckets of every size" } as const;
  check("order-book.bucketing-keeps-size", everyBucketSize, (context) => besideUnbucketed(context, sameSizePerSide));

  check("order-book.tick-size-applied", everyBucketSize, (context) =>
    besideUnbucketed(context, (plain, bucketed, tick) => noWiderThan(tick, plain, bucketed)),
  );

  // sizeInUsd: true: level sizes in USD notional; false: underlying units.
  check("order-book.size-in-usd", inEveryMarket, async (context) => {
    for (const { usd, units, tick } of await booksInParts(context))
      context.verify(usd, units).satisfies((inUsd, inUnits) => answersSwapped(usdNotional(inUnits, inUsd, tick)));
  });

  relation("order-book.size-in-usd", {
    rewrite: withoutFlag("sizeInUsd"),
    where: showsRows,
    holds: (usd, units, { tick = 0 }) => answersSwapped(usdNotional(units, usd, tick)),
    sample: bookSample,
  });

  relation("order-book.size-in-usd", {
    name: "of whole levels",
    rewrite: underlyingBook,
    where: ({ sizeInUsd, tick }) => sizeInUsd && tick === 0,
    answered: true,
    holds: (usd, units) => answersSwapped(wholeLevelsInUsd(units, usd)),
    sample: "all",
  });

  // levels: Max price levels per side.
  invariant("order-book.levels-maximum");

  check("order-book.levels-best", inEveryMarket, async (context) => {
    for (const { levels, cut, whole } of await booksInParts(context))
      context.verify(cut, whole).satisfies((best, all) => answersSwapped(bestLevels(all, best, levels)));
  });

  relation("order-book.levels-best", {
    rewrite: withoutCount("levels"),
    where: (asked) => showsRows(asked) && (asked.levels ?? 0) < manyRows,
    holds: (cut, full, { levels = 0 }) => answersSwapped(bestLevels(full, cut, levels)),
    preferred: (cut, { levels = 0 }) => showsLevels(cut, levels),
    sample: bookSample,
  });

  // 0 or omitted returns all.
  equivalent("order-book.levels-zero", {
    name: "like no levels",
    rewrite: defaultLeftOut("levels"),
    why: "levels 0 and no levels both mean all",
  });

  relation("order-book.levels-zero", {
    name: "leaves none out",
    ...bucketedBeside,
    holds: (bucketed, plain) => answersSwapped(noLevelLeftOut(plain, bucketed)),
  });

  // limit: Max underlying orders aggregated before building levels. Default 50.
  invariant(
    "order-book.limit-default",
    "order-book.limit-zero",
    "order-book.limit-per-side",
    "order-book.limit-per-book",
  );

  check("order-book.limit-per-side", { name: "beside an offset and buckets" }, async (context) => {
    for (const { answer, limit, offset } of await bucketedParts(context)) {
      context.verify(answer).satisfies((body) => withinLimitPerSide(body, limit, offset));
    }
  });

  equivalent("order-book.limit-default", likeDefaultLimit(orderBookLimitDefault));

  equivalent("order-book.limit-zero", {
    name: "like no limit",
    rewrite: defaultLeftOut("limit"),
    why: "a limit of 0 is an omitted one",
  });

  invariant("order-book.limit-large");

  // Asked for separately, since no explored limit goes that far. Wide buckets keep answers small; how many levels are shown
  // is up to another rule.
  check("order-book.limit-large", async (context) => {
    const markets = bookMarkets(context);
    for (const [at, limit] of [int32Max, 1_000_000, 5_000].entries()) {
      const market = markets[at % markets.length] ?? fullestBook(context);
      const wide = await wideBuckets(context, market);
      const sent = Math.max(limit, limitBeyond(market));
      const request = bookRequest(market, { limit: sent, ...wide });
      context.verify(await context.call.getOrderBook(request)).satisfies((body) => showsWholeBook(body, sent));
    }
  });

  check("order-book.limit-large", { name: "in buckets of every size" }, async (context) => {
    for (const { answer, limit } of usableAmong(await steppedBooks(context), (book) => book.answer))
      context.verify(answer).satisfies((body) => showsWholeBook(body, limit));
  });

  check("order-book.limit-large", inEveryMarket, async (context) => {
    for (const { whole, limit } of await readBooksInParts(context))
      context.verify(whole).satisfies((body) => showsWholeBook(body, limit));
  });

  // offset: Underlying orders skipped before aggregating.
  invariant("order-book.offset-skips-orders");

  check("order-book.offset-skips-orders", inEveryMarket, async (context) => {
    const books = await booksInParts(context);
    const answers = [...books.map(({ rest }) => rest), ...books.map(({ whole }) => whole)];
    context.verify(...answers).satisfies((...bodies) =>
      offsetsLeave(
        books.flatMap(({ offset, limit }, index) => {
          const [rest, whole] = [bodies[index], bodies[books.length + index]];
          return rest && whole ? [{ rest, whole, offset, limit }] : [];
        }),
      ),
    );
    for (const { rest, whole } of books)
      context.verify(rest, whole).satisfies((part, all) => answersSwapped(restIsPartOfBook(all, part)));
  });

  invariant("order-book.parts-make-whole");

  check("order-book.parts-make-whole", inEveryMarket, async (context) => {
    for (const { rest, first, whole } of await booksInParts(context))
      context.verify(whole, first, rest).satisfies(pagesSumToBook);
  });

  relation("order-book.total-order-count", {
    name: "whatever is asked for",
    rewrite: underlyingBook,
    answered: true,
    holds: (asked, whole) => answersSwapped(sameTotalOrderCount(whole, asked)),
    sample: "all",
  });

  // totalOrderCount: Accepted and ignored.
  equivalent("order-book.total-order-count-ignored", {
    rewrite: withoutIgnored("totalOrderCount"),
    why: "a requested totalOrderCount is ignored",
    also: (asked, plain) => answersSwapped(sameTotalOrderCount(plain, asked)),
  });

  observe("order-book.unsettled-counts", async (context) => {
    const market = fullestBook(context);
    for (const fields of [
      { limit: -1 },
      { offset: -1 },
      { levels: -1 },
      { limit: int32Max + 1 },
      { offset: int32Max + 1 },
      { levels: int32Max + 1 },
    ]) {
      const answer = await context.call.getOrderBook(bookRequest(market, fields));
      const { outcome } = answer;
      context.record(JSON.stringify(fields), outcome.kind === "success" ? describeBook(outcome.body) : answer);
    }
  });
});

/** More rows than an ordinary book has. */
const manyRows = 5_000;

/** A value for a market, drawn by the seed of the check. */
function drawnFor({ marketId }: MarketSubject, values: fc.Arbitrary<number>, { seed }: { readonly seed: number }) {
  return draw(values, seedFor(seed, marketId));
}

/** A bucket size in minimum ticks of the market: `mantissa` x 10^`power`. */
function ticksOf({ tickDecimals }: MarketSubject, mantissa: number, power: number): JsonInput {
  return asNumber(tickSizeOf(mantissa, power, tickDecimals ?? 0));
}
