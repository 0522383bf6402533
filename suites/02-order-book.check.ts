import { suite } from "../src/engine/define.js";
import { exploredAnswers } from "../src/engine/explored.js";
import { bestEnd } from "../src/judge/book.js";
import { orderBookOf } from "../src/judge/read.js";
import { bookSides } from "../src/specification/enums.js";

export default suite("§2 OrderBook and level", ({ invariant, observe }) => {
  // marketId: Market.
  invariant("order-book.market-id");

  // pageSize: Effective number of underlying orders aggregated.
  invariant("order-book.page-size");

  // offset: Underlying orders skipped.
  invariant("order-book.offset");

  // totalOrderCount: Total underlying orders.
  invariant("order-book.total-order-count");

  // levels: Level count per side.
  invariant("order-book.level-count");

  // tickSize: Bucket size applied.
  invariant("order-book.tick-size-applied");

  // sizeInUsd: Whether sizes are USD notional.
  invariant("order-book.size-in-usd-flag");

  // cumulativeTotal: running total of size from the best price outward.
  invariant("order-book.cumulative-total");

  // Sorted toward the best price.
  invariant(
    "order-book.levels-sorted",
    "order-book.prices-distinct",
    "order-book.sides-sorted-alike",
    "order-book.not-crossed",
  );

  observe("order-book.sort-direction", async (context) => {
    const ends = (await exploredAnswers(context, "GetOrderBook")).flatMap(({ outcome }) => {
      const book = outcome.kind === "success" ? orderBookOf(outcome.body) : undefined;
      return book ? bookSides.flatMap((side) => bestEnd(book, side) ?? []) : [];
    });
    const [end] = ends;
    if (!end) return context.inconclusive("needs a side with at least two prices");
    context.record(
      "the best price",
      ends.every((other) => other === end) ? `is the ${end} of a side` : "varies by side",
    );
  });
});
