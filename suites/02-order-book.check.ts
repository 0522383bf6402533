import fc from "fast-check";
import {
  bestEnd,
  levelCountFits,
  levelsSorted,
  marketIs,
  notCrossed,
  pricesDistinct,
  runningTotals,
  sameTotal,
  shownWithinTotal,
  sidesSortedAlike,
  sizeUnitIs,
} from "../src/judge/book.js";
import { offsetIs, pageSizeFits } from "../src/judge/book-request.js";
import { tickSizeIs } from "../src/judge/buckets.js";
import { orderBookOf } from "../src/judge/read.js";
import {
  bookMarkets,
  bookRequest,
  bucketedBooks,
  depthLimit,
  fullestBook,
  limitBeyond,
  plainBooks,
  wideBuckets,
} from "../src/verdict/books.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import { suite } from "../src/verdict/define.js";

export default suite("§2 OrderBook and level", ({ check, property, observe }) => {
  // marketId: Market.
  check("order-book.market-id", { requests: 0 }, async (context) => {
    for (const { market, answer } of await plainBooks(context)) {
      context.verify(answer).satisfies((body) => marketIs(body, market.marketId));
    }
  });

  // pageSize: Effective number of underlying orders aggregated.
  property(
    "order-book.page-size",
    {},
    (context) => {
      const market = fullestBook(context);
      return {
        counts: fc.record({ limit: limitsAround(market.bookOrders), offset: offsetsWithin(market.bookOrders) }),
      };
    },
    async ({ counts }, context) => {
      const market = fullestBook(context);
      const request = bookRequest(market, { ...counts, ...(await wideBuckets(context, market)) });
      context.verify(await context.call.getOrderBook(request)).satisfies((body) => pageSizeFits(body, counts));
    },
  );

  // offset: Underlying orders skipped.
  property(
    "order-book.offset",
    {},
    (context) => ({ offset: offsetsWithin(fullestBook(context).bookOrders) }),
    async ({ offset }, context) => {
      const request = bookRequest(fullestBook(context), { limit: 10, offset });
      context.verify(await context.call.getOrderBook(request)).satisfies((body) => offsetIs(body, offset));
    },
  );

  // totalOrderCount: Total underlying orders.
  check(
    "order-book.total-order-count",
    { name: "whatever is asked for", requests: bracketBudget(1, 6) },
    async (context) => {
      const market = fullestBook(context, 2);
      const requests = [
        { limit: 1 },
        { limit: 500, ...(await wideBuckets(context, market)) },
        { offset: 1 },
        { offset: market.bookOrders - 1 },
        { levels: 1 },
        { limit: 2, offset: 1, levels: 1, sizeInUsd: true },
      ];
      const [base, others] = await context.bracket(
        () => context.call.getOrderBook(bookRequest(market)),
        () => Promise.all(requests.map((fields) => context.call.getOrderBook(bookRequest(market, fields)))),
      );
      for (const other of others) context.verify(base, other).satisfies(sameTotal);
    },
  );

  check("order-book.total-order-count", { name: "at least what is shown", requests: 0 }, async (context) => {
    for (const { answer } of await plainBooks(context)) context.verify(answer).satisfies(shownWithinTotal);
  });

  // levels: Level count per side.
  check("order-book.level-count", { name: "all levels", requests: 0 }, async (context) => {
    for (const { answer } of await plainBooks(context))
      context.verify(answer).satisfies((body) => levelCountFits(body));
  });

  property(
    "order-book.level-count",
    { name: "a number of levels", runs: { quick: 5, full: 20 } },
    { levels: fc.oneof(fc.constantFrom(1, 2, 3, 10), fc.integer({ min: 1, max: 500 })) },
    async ({ levels }, context) => {
      const request = bookRequest(fullestBook(context), { levels });
      context.verify(await context.call.getOrderBook(request)).satisfies((body) => levelCountFits(body, levels));
    },
  );

  // tickSize: Bucket size applied.
  check("order-book.tick-size-applied", { requests: 0 }, async (context) => {
    for (const { tick, answer } of await bucketedBooks(context)) {
      context.verify(answer).satisfies((body) => tickSizeIs(body, tick, "the requested bucket size"));
    }
  });

  // sizeInUsd: Whether sizes are USD notional.
  check("order-book.size-in-usd-flag", { requests: 4 }, async (context) => {
    const market = fullestBook(context);
    const wide = await wideBuckets(context, market);
    for (const fields of [{ sizeInUsd: true }, { sizeInUsd: false }, {}, { sizeInUsd: true, ...wide }]) {
      const answer = await context.call.getOrderBook(bookRequest(market, { limit: 10, ...fields }));
      context.verify(answer).satisfies((body) => sizeUnitIs(body, fields.sizeInUsd === true));
    }
  });

  // cumulativeTotal: running total of size from the best price outward.
  check("order-book.cumulative-total", { name: "in units", requests: 0 }, async (context) => {
    for (const { answer } of [...(await plainBooks(context)), ...(await bucketedBooks(context))]) {
      context.verify(answer).satisfies(runningTotals);
    }
  });

  check("order-book.cumulative-total", { name: "in USD, and of some levels", requests: 6 }, async (context) => {
    for (const market of bookMarkets(context).slice(0, 3)) {
      for (const fields of [{ sizeInUsd: true }, { levels: 5 }]) {
        const answer = await context.call.getOrderBook(bookRequest(market, fields));
        context.verify(answer).satisfies(runningTotals);
      }
    }
  });

  // Sorted toward the best price.
  check("order-book.levels-sorted", { requests: 0 }, async (context) => {
    for (const { answer } of [...(await plainBooks(context)), ...(await bucketedBooks(context))]) {
      context.verify(answer).satisfies(levelsSorted);
    }
  });

  check("order-book.prices-distinct", { requests: 0 }, async (context) => {
    for (const { answer } of await plainBooks(context))
      context.verify(answer).satisfies((body) => pricesDistinct(body));
    for (const { tick, answer } of await bucketedBooks(context)) {
      context.verify(answer).satisfies((body) => pricesDistinct(body, tick));
    }
  });

  check("order-book.sides-sorted-alike", { requests: 0 }, async (context) => {
    for (const { answer } of [...(await plainBooks(context)), ...(await bucketedBooks(context))]) {
      context.verify(answer).satisfies(sidesSortedAlike);
    }
  });

  observe("order-book.sort-direction", { requests: 1 }, async (context) => {
    const market = fullestBook(context);
    const answer = await context.call.getOrderBook(bookRequest(market, { limit: depthLimit(market) }));
    const book = orderBookOf(context.verify(answer).body());
    const end = book && (bestEnd(book, "bids") ?? bestEnd(book, "asks"));
    context.record(
      "where the best price of a side is",
      end ? `it is the ${end} level` : "not to be seen: too few levels",
    );
  });

  check("order-book.not-crossed", { requests: 0 }, async (context) => {
    for (const { answer } of await plainBooks(context)) context.verify(answer).satisfies(notCrossed);
  });
});

/** Limits of a request to a book of so many orders: omitted, small ones, around the default, around and beyond the book. */
function limitsAround(orders: number): fc.Arbitrary<number | undefined> {
  return fc.oneof(
    fc.constantFrom(undefined, 1, 2, 49, 50, 51),
    fc.constantFrom(
      Math.max(1, orders - 1),
      orders,
      orders + 1,
      limitBeyond({ marketId: "", bookOrders: orders, rowsSeen: 0 }),
    ),
    fc.integer({ min: 1, max: orders }),
  );
}

/** Offsets within a book of so many orders; omitted, too. */
function offsetsWithin(orders: number): fc.Arbitrary<number | undefined> {
  return fc.oneof(fc.constantFrom(undefined, 0, 1, orders - 1), fc.integer({ min: 0, max: Math.max(0, orders - 1) }));
}
