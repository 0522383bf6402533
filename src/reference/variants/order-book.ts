import { changeBook } from "../book-interceptors.js";
import { mapMarkets } from "../dataset/dataset.js";
import type { DepthOrder, Market } from "../dataset/model.js";
import { levelsIn, objectAt, objectsAt } from "../json.js";
import type { Variant } from "../modification.js";
import { documented } from "../parameters.js";
import { invalidArgument } from "../service/selector.js";

/** Changes the depth of all markets. */
function depth(change: (orders: readonly DepthOrder[], market: Market) => readonly DepthOrder[]): Variant["dataset"] {
  return (data) => mapMarkets(data, (market) => ({ ...market, depth: change(market.depth, market) }));
}

function refuseNegative(requested: number): number {
  if (requested < 0) throw invalidArgument("a count must not be negative");
  return requested;
}

/** Applies offset and limit to each side separately, keeping the order. */
function ofEachSide(orders: readonly DepthOrder[], offset: number, limit: number): readonly DepthOrder[] {
  const before = { bid: 0, ask: 0 };
  return orders.filter(({ side }) => {
    const place = before[side]++;
    return place >= offset && place < offset + limit;
  });
}

/** Conformant ways to aggregate a book and to report it (B1 to B14). */
export const orderBook: readonly Variant[] = [
  {
    kind: "variant",
    name: "order-book-worst-price-first",
    summary: "Both sides of a book start with the worst price and lead up to the best (B4).",
    touches: ["book"],
    response: changeBook((orderBook) => {
      const sides = objectAt(orderBook, "book");
      for (const side of ["bids", "asks"]) if (sides?.[side]) sides[side] = objectsAt(sides, side).reverse();
    }),
  },
  {
    kind: "variant",
    name: "order-book-buckets-labelled-by-their-floor",
    summary: "Buckets of both sides are labelled by their lower edge, also by 0 (B8, B9).",
    touches: ["book"],
    parameters: { bookBucket: (ticks, step) => Math.floor(ticks / step) },
  },
  {
    kind: "variant",
    name: "order-book-buckets-labelled-by-their-ceiling",
    summary: "Buckets of both sides are labelled by their upper edge (B8).",
    touches: ["book"],
    parameters: { bookBucket: (ticks, step) => Math.ceil(ticks / step) },
  },
  {
    kind: "variant",
    name: "order-book-page-size-is-the-limit",
    summary: "pageSize is the effective limit, also when there are fewer orders (B1).",
    touches: ["book"],
    response: changeBook((orderBook, { effective }) => {
      orderBook.pageSize = Number(effective.limit);
    }),
  },
  {
    kind: "variant",
    name: "order-book-limit-per-side",
    summary: "The limit counts on each side, and pageSize is the number really aggregated (B1, B2).",
    warns: ["order-book.limit-per-book"],
    parameters: { bookWindow: (orders, offset, limit) => ofEachSide(orders.slice(offset), 0, limit) },
  },
  {
    kind: "variant",
    name: "order-book-limit-and-offset-per-side",
    summary: "Limit and offset count on each side, and pageSize is the number really aggregated (B1, B2).",
    warns: ["order-book.limit-per-book"],
    parameters: { bookWindow: ofEachSide },
  },
  {
    kind: "variant",
    name: "order-book-offset-per-side",
    summary: "The offset skips so many orders of each side, and the limit counts over both (B2).",
    touches: ["book"],
    parameters: { bookWindow: (orders, offset, limit) => ofEachSide(orders, offset, orders.length).slice(0, limit) },
  },
  {
    kind: "variant",
    name: "order-book-limit-per-side-echoed",
    summary: "Limit and offset count on each side, and pageSize is the limit (B1, B2).",
    warns: ["order-book.limit-per-book"],
    parameters: { bookWindow: ofEachSide },
    response: changeBook((orderBook, { effective }) => {
      orderBook.pageSize = Number(effective.limit);
    }),
  },
  {
    kind: "variant",
    name: "order-book-levels-echoed",
    summary: "levels is the requested number, 0 when all were asked for (B5).",
    touches: ["book"],
    response: changeBook((orderBook, { request }) => {
      orderBook.levels = request.levels;
    }),
  },
  {
    kind: "variant",
    name: "order-book-empty",
    summary: "No market has an order in its book.",
    dataset: depth(() => []),
  },
  {
    kind: "variant",
    name: "order-book-bids-only",
    summary: "Books have one side only.",
    dataset: depth((orders) => orders.filter(({ side }) => side === "bid")),
  },
  {
    kind: "variant",
    name: "order-book-thin",
    summary: "Books hold three orders each.",
    dataset: depth((orders) => orders.slice(0, 3)),
  },
  {
    kind: "variant",
    name: "order-book-lopsided",
    summary: "Books hold all of their asks and two bids.",
    dataset: depth((orders) => orders.filter(({ side }, index) => side === "ask" || index < 4)),
  },
  {
    kind: "variant",
    name: "order-book-deep",
    summary: "Books hold about 1,400 orders each, more than a listing's largest page.",
    dataset: depth((orders) => orders.flatMap((order) => [order, order, order, order])),
  },
  {
    kind: "variant",
    name: "order-book-larger-steps-refused",
    summary: "Steps beyond the millionfold of the minimum tick are refused (B9).",
    touches: ["book"],
    parameters: {
      bookStep: (tickSize, market) => {
        const step = documented.bookStep(tickSize, market);
        return step !== undefined && step > 1e6 ? undefined : step;
      },
    },
  },
  {
    kind: "variant",
    name: "order-book-near-steps-accepted",
    summary: "A tickSize within 0.1 % of a step counts as that step (B11).",
    touches: ["book"],
    parameters: {
      bookStep: (tickSize, market) => {
        const step = documented.bookStep(tickSize, market);
        if (step !== undefined || tickSize < 0) return step;
        const ticks = tickSize * 10 ** market.tickDecimals;
        const nearest = 10 ** Math.round(Math.log10(ticks));
        return Math.abs(ticks - nearest) <= 0.001 * nearest ? nearest : undefined;
      },
    },
  },
  {
    kind: "variant",
    name: "order-book-negative-counts-refused",
    summary: "A negative limit, offset or number of levels is refused (P2).",
    touches: ["book"],
    parameters: {
      bookLimit: (requested) => documented.bookLimit(refuseNegative(requested)),
      bookOffset: refuseNegative,
      bookLevels: refuseNegative,
    },
  },
  {
    kind: "variant",
    name: "order-book-prices-with-binary-noise",
    summary: "Prices are computed in binary arithmetic, with its noise in the last digits (B8).",
    touches: ["book"],
    response: changeBook((orderBook) => {
      for (const level of levelsIn({ orderBook })) {
        if (typeof level.price === "number") level.price = (level.price / 0.1) * 0.3 * (1 / 3);
      }
    }),
  },
  {
    kind: "variant",
    name: "order-book-never-still",
    summary: "Books change with every millisecond, faster than two readings can follow each other (P3).",
    rows: { depth: (orders, { now }) => moved(orders, now()) },
  },
];

/**
 * The orders at a given millisecond: some are missing, and all sizes differ. No state recurs within a quarter of an hour, so
 * equal readings were made in the same millisecond.
 */
function moved(orders: readonly DepthOrder[], millisecond: number): readonly DepthOrder[] {
  const factor = 1 + (millisecond % 1_000_000) / 10_000;
  return orders.slice(millisecond % 7).map((order) => ({ ...order, size: order.size * factor }));
}
