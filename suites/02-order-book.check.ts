import fc from "fast-check";
import {
  bestEnd,
  bookSides,
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
  bookRequest,
  bucketedBooks,
  depthLimit,
  fullestBook,
  fullRequests,
  fullRequestsBudget,
  plainBooks,
  shapedBooks,
  wideBuckets,
} from "../src/verdict/books.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import { suite } from "../src/verdict/define.js";

/** A field that is heeded alone may be lost beside another. */
const atOnce = "with every field at once";

export default suite("§2 OrderBook and level", ({ check, property, observe, invariant }) => {
  invariant(
    "order-book.market-id",
    "order-book.page-size",
    "order-book.offset",
    "order-book.total-order-count",
    "order-book.level-count",
    "order-book.tick-size-applied",
    "order-book.size-in-usd-flag",
    "order-book.cumulative-total",
    "order-book.levels-sorted",
    "order-book.prices-distinct",
    "order-book.sides-sorted-alike",
    "order-book.not-crossed",
  );

  // marketId: Market.
  check("order-book.market-id", { requests: 0 }, async (context) => {
    for (const { market, answer } of await plainBooks(context)) {
      context.verify(answer).satisfies((body) => marketIs(body, market.marketId));
    }
  });

  // pageSize: Effective number of underlying orders aggregated.
  check("order-book.page-size", { name: "at the edges of limit and offset", requests: 5 }, async (context) => {
    const market = fullestBook(context);
    const { bookOrders } = market;
    const wide = await wideBuckets(context, market);
    const beyond = depthLimit(market);
    for (const counts of [
      {},
      { limit: 1 },
      { limit: beyond },
      { limit: beyond, offset: Math.floor(bookOrders / 2) },
      { offset: bookOrders - 1 },
    ]) {
      const answer = await context.call.getOrderBook(bookRequest(market, { ...counts, ...wide }));
      context.verify(answer).satisfies((body) => pageSizeFits(body, counts, context.readings.B1));
    }
  });

  property(
    "order-book.page-size",
    { name: "of any limit and offset", runs: { quick: 3, full: 40 } },
    (context) => {
      const { bookOrders } = fullestBook(context);
      return { limit: fc.integer({ min: 1, max: bookOrders + 1 }), offset: fc.integer({ min: 0, max: bookOrders }) };
    },
    async (counts, context) => {
      const market = fullestBook(context);
      const request = bookRequest(market, { ...counts, ...(await wideBuckets(context, market)) });
      const answer = await context.call.getOrderBook(request);
      context.verify(answer).satisfies((body) => pageSizeFits(body, counts, context.readings.B1));
    },
  );

  check("order-book.page-size", { name: atOnce, requests: fullRequestsBudget }, async (context) => {
    for (const { limit, offset, levels, answer } of await fullRequests(context)) {
      if (limit === undefined) continue;
      context.verify(answer).satisfies((body) => pageSizeFits(body, { limit, offset, levels }, context.readings.B1));
    }
  });

  // offset: Underlying orders skipped.
  check("order-book.offset", { name: atOnce, requests: fullRequestsBudget }, async (context) => {
    for (const { offset, answer } of await fullRequests(context)) {
      context.verify(answer).satisfies((body) => offsetIs(body, offset));
    }
  });

  property(
    "order-book.offset",
    { runs: { quick: 4, full: 30 } },
    (context) => {
      const { bookOrders } = fullestBook(context, 2);
      return { offset: fc.oneof(fc.constantFrom(undefined, 1), fc.integer({ min: 1, max: bookOrders - 1 })) };
    },
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
      const market = fullestBook(context);
      const whole = { limit: depthLimit(market), ...(await wideBuckets(context, market)) };
      const requests = [
        {},
        { limit: 1 },
        { offset: 1 },
        { offset: market.bookOrders - 1 },
        { levels: 1 },
        { limit: 2, offset: 1, levels: 1, sizeInUsd: true },
      ];
      const [base, others] = await context.bracket(
        () => context.call.getOrderBook(bookRequest(market, whole)),
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
      context.verify(answer).satisfies((body) => levelCountFits(body, 0, context.readings.B5));
  });

  property(
    "order-book.level-count",
    { name: "a number of levels", runs: { quick: 4, full: 20 } },
    {
      levels: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(1, 2, 3, 5, 10) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 500 }) },
      ),
    },
    async ({ levels }, context) => {
      const request = bookRequest(fullestBook(context), { levels });
      const answer = await context.call.getOrderBook(request);
      context.verify(answer).satisfies((body) => levelCountFits(body, levels, context.readings.B5));
    },
  );

  // tickSize: Bucket size applied.
  check("order-book.tick-size-applied", { requests: 0 }, async (context) => {
    for (const { tick, answer } of await bucketedBooks(context)) {
      context.verify(answer).satisfies((body) => tickSizeIs(body, tick, "the requested bucket size"));
    }
  });

  check("order-book.tick-size-applied", { name: atOnce, requests: fullRequestsBudget }, async (context) => {
    for (const { tick, answer } of await fullRequests(context)) {
      if (tick > 0) context.verify(answer).satisfies((body) => tickSizeIs(body, tick, "the requested bucket size"));
    }
  });

  // sizeInUsd: Whether sizes are USD notional.
  check("order-book.size-in-usd-flag", { requests: 3 }, async (context) => {
    const market = fullestBook(context, 0);
    const wide = await wideBuckets(context, market);
    for (const fields of [{ sizeInUsd: true }, {}, { sizeInUsd: true, ...wide }]) {
      const answer = await context.call.getOrderBook(bookRequest(market, { limit: 10, ...fields }));
      context.verify(answer).satisfies((body) => sizeUnitIs(body, "sizeInUsd" in fields));
    }
  });

  check("order-book.size-in-usd-flag", { name: atOnce, requests: fullRequestsBudget }, async (context) => {
    for (const { answer } of await fullRequests(context)) {
      context.verify(answer).satisfies((body) => sizeUnitIs(body, true));
    }
  });

  // cumulativeTotal: running total of size from the best price outward.
  check("order-book.cumulative-total", { requests: 0 }, async (context) => {
    for (const { answer } of await shapedBooks(context)) context.verify(answer).satisfies(runningTotals);
  });

  // Sorted toward the best price.
  check("order-book.levels-sorted", { requests: 0 }, async (context) => {
    for (const { answer } of await shapedBooks(context)) {
      context.verify(answer).satisfies((body) => levelsSorted(body, context.readings.B4));
    }
  });

  check("order-book.prices-distinct", { requests: 0 }, async (context) => {
    for (const { tick, answer } of await shapedBooks(context)) {
      context.verify(answer).satisfies((body) => pricesDistinct(body, tick));
    }
  });

  check("order-book.sides-sorted-alike", { requests: 0 }, async (context) => {
    for (const { answer } of await shapedBooks(context)) context.verify(answer).satisfies(sidesSortedAlike);
  });

  observe("order-book.sort-direction", { requests: 0 }, async (context) => {
    const ends = (await plainBooks(context)).flatMap(({ answer }) => {
      const book = orderBookOf(context.verify(answer).body());
      return book ? bookSides.flatMap((side) => bestEnd(book, side) ?? []) : [];
    });
    const [end] = ends;
    if (!end) return context.inconclusive("needs a side with at least two prices");
    context.record(
      "the best price",
      ends.every((other) => other === end) ? `is the ${end} of a side` : "varies by side",
    );
  });

  check("order-book.not-crossed", { requests: 0 }, async (context) => {
    for (const { answer } of await plainBooks(context)) context.verify(answer).satisfies(notCrossed);
  });
});
