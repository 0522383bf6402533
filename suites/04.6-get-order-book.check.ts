import { suite } from "../src/engine/define.js";
import { usableAmong } from "../src/engine/usable.js";
import { bookInWords, sameTotalOrderCount } from "../src/judge/book.js";
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
import {
  bookMarkets,
  bookRequest,
  booksInParts,
  bucketedParts,
  compareWithUnbucketed,
  limitBeyond,
  readBooksInParts,
  steppedBooks,
  wideBuckets,
} from "./support/books.js";
import {
  belowMinimum,
  betweenSteps,
  betweenStepsOfMarkets,
  largerSteps,
  negativeSizes,
} from "./support/bucket-sizes.js";
import { likeDefaultAfter, likeDefaultBook, likeIgnored, likeInDecimals, likeOmitted } from "./support/equivalences.js";
import {
  versusAllLevels,
  versusBookInUnits,
  versusUnbucketedBook,
  versusUnderlyingBook,
  versusWholeBookInUnits,
} from "./support/rewritten-books.js";

export default suite("§4.6 GetOrderBook", ({ check, equivalent, invariant, observe, refusal, relation }) => {
  const inEveryMarket = { name: "in every market" } as const;
  const invalid = { field: "tickSize", codes: ["invalid_argument"] } as const;

  // tickSize: Bucket size. 0 disables bucketing.
  invariant("order-book.tick-size-zero");

  equivalent("order-book.tick-size-zero", likeOmitted("tickSize", "a tickSize of 0 is an omitted one"));

  equivalent("order-book.tick-size-zero", likeDefaultAfter("tickSize", 0));

  relation("order-book.tick-size-zero", {
    name: "the underlying prices",
    ...versusUnbucketedBook,
    holds: noCoarserThan,
  });

  // Otherwise a power-of-ten multiple of the market minimum tick (1 / 10^tickDecimals), for example 0.01, 0.1, 1, 10.
  check("order-book.tick-size-steps", { name: "every step of every market" }, async (context) => {
    for (const { answer } of await steppedBooks(context)) context.verify(answer).succeeds();
  });

  equivalent("order-book.tick-size-steps", likeInDecimals);

  observe("order-book.tick-size-larger-steps", async (context) => {
    for (const [what, request] of Object.entries(largerSteps(context))) {
      context.record(what, await context.call.getOrderBook(request));
    }
  });

  // A value below the minimum tick is clamped up to it.
  invariant("order-book.tick-size-below-minimum");

  check("order-book.tick-size-below-minimum", inEveryMarket, async (context) => {
    for (const { request, minimum } of belowMinimum(context)) {
      const answer = await context.shared("GetOrderBook", request);
      context.verify(answer).satisfies((body) => tickSizeIs(body, minimum, "the minimum tick"));
    }
  });

  // Any other value (not a power-of-ten step, or negative) fails with INVALID_ARGUMENT.
  refusal("order-book.tick-size-no-step", { ...invalid, values: betweenSteps });

  check("order-book.tick-size-no-step", inEveryMarket, async (context) => {
    for (const request of betweenStepsOfMarkets(context)) {
      context.verify(await context.shared("GetOrderBook", request)).failsWith("invalid_argument");
    }
  });

  refusal("order-book.tick-size-negative", { ...invalid, values: negativeSizes });

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
    ...versusUnbucketedBook,
    holds: sameSizePerSide,
  });

  const everyBucketSize = { name: "in buckets of every size" } as const;
  check("order-book.bucketing-keeps-size", everyBucketSize, (context) =>
    compareWithUnbucketed(context, sameSizePerSide),
  );

  check("order-book.tick-size-applied", everyBucketSize, (context) => compareWithUnbucketed(context, noWiderThan));

  // sizeInUsd: true: level sizes in USD notional; false: underlying units.
  check("order-book.size-in-usd", inEveryMarket, async (context) => {
    for (const { usd, units, tick } of await booksInParts(context))
      context.verify(units, usd).satisfies((inUnits, inUsd) => usdNotional(inUnits, inUsd, tick));
  });

  equivalent("order-book.size-in-usd", likeOmitted("sizeInUsd", "a sizeInUsd of false is an omitted one"));

  equivalent("order-book.size-in-usd", likeDefaultAfter("sizeInUsd", false));

  relation("order-book.size-in-usd", {
    ...versusBookInUnits,
    holds: (units, usd, { tick = 0 }) => usdNotional(units, usd, tick),
  });

  relation("order-book.size-in-usd", {
    ...versusWholeBookInUnits,
    holds: wholeLevelsInUsd,
  });

  // levels: Max price levels per side.
  invariant("order-book.levels-maximum");

  check("order-book.levels-best", inEveryMarket, async (context) => {
    for (const { levels, cut, whole } of await booksInParts(context))
      context.verify(whole, cut).satisfies((all, best) => bestLevels(all, best, levels));
  });

  relation("order-book.levels-best", {
    ...versusAllLevels,
    holds: (full, cut, { levels = 0 }) => bestLevels(full, cut, levels),
    preferred: (cut, { levels = 0 }) => showsLevels(cut, levels),
  });

  // 0 or omitted returns all.
  equivalent("order-book.levels-zero", likeOmitted("levels", "levels 0 and no levels both mean all"));

  equivalent("order-book.levels-zero", likeDefaultAfter("levels", 0));

  relation("order-book.levels-zero", {
    name: "leaves none out",
    ...versusUnbucketedBook,
    holds: noLevelLeftOut,
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

  equivalent("order-book.limit-default", likeDefaultBook);

  equivalent("order-book.limit-zero", likeOmitted("limit", "a limit of 0 is an omitted one"));

  invariant("order-book.limit-large");

  // Asked for separately, since no explored limit goes that far. Wide buckets keep answers small; how many levels are shown
  // is up to another rule.
  check("order-book.limit-large", async (context) => {
    const markets = bookMarkets(context);
    for (const [at, limit] of [2 ** 31 - 1, 1_000_000, 5_000].entries()) {
      const market = markets[at % markets.length] ?? markets[0];
      const wide = await wideBuckets(context, market);
      const sent = Math.max(limit, limitBeyond(market));
      const request = bookRequest(market, { limit: sent, ...wide });
      context.verify(await context.call.getOrderBook(request)).satisfies((body) => showsWholeBook(body, sent));
    }
  });

  check("order-book.limit-large", everyBucketSize, async (context) => {
    for (const { answer, limit } of usableAmong(await steppedBooks(context), (book) => book.answer))
      context.verify(answer).satisfies((body) => showsWholeBook(body, limit));
  });

  check("order-book.limit-large", inEveryMarket, async (context) => {
    for (const { whole, limit } of await readBooksInParts(context))
      context.verify(whole).satisfies((body) => showsWholeBook(body, limit));
  });

  // offset: Underlying orders skipped before aggregating.
  invariant("order-book.offset-skips-orders");

  equivalent("order-book.offset-skips-orders", likeDefaultAfter("offset", 0));

  check("order-book.offset-skips-orders", inEveryMarket, async (context) => {
    const { bodyOf, verify } = context;
    const books = await booksInParts(context);
    const answers = [...books.map(({ rest }) => rest), ...books.map(({ whole }) => whole)];
    const bodies = books.map((book) => ({ ...book, rest: bodyOf(book.rest), whole: bodyOf(book.whole) }));
    verify(...answers).satisfies(offsetsLeave(bodies));
    for (const { rest, whole } of books) verify(whole, rest).satisfies(restIsPartOfBook);
  });

  invariant("order-book.parts-make-whole");

  check("order-book.parts-make-whole", inEveryMarket, async (context) => {
    for (const { rest, first, whole, offset } of await booksInParts(context)) {
      context
        .verify(whole, first, rest)
        .satisfies((all, firstOrders, others) => pagesSumToBook(offset, all, firstOrders, others));
    }
  });

  relation("order-book.total-order-count", {
    ...versusUnderlyingBook,
    holds: sameTotalOrderCount,
  });

  // totalOrderCount: Accepted and ignored.
  equivalent("order-book.total-order-count-ignored", {
    ...likeIgnored("totalOrderCount", "a requested totalOrderCount is ignored"),
    also: sameTotalOrderCount,
  });

  observe("order-book.unsettled-counts", async (context) => {
    const [market] = bookMarkets(context);
    for (const fields of [
      { limit: -1 },
      { offset: -1 },
      { levels: -1 },
      { limit: 2 ** 31 },
      { offset: 2 ** 31 },
      { levels: 2 ** 31 },
    ]) {
      context.record(JSON.stringify(fields), await context.call.getOrderBook(bookRequest(market, fields)), bookInWords);
    }
  });
});
