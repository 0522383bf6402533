import { Code, ConnectError } from "@connectrpc/connect";
import { type BookSide, bookSides } from "../../specification/enums.js";
import { aggregate, priceOf } from "../book.js";
import { changeBook, countLevels, levelsOf } from "../book-interceptors.js";
import { mapMarkets } from "../dataset/dataset.js";
import type { DepthOrder } from "../dataset/model.js";
import { levelsIn, type MutableJsonObject, numberIn, objectAt } from "../json.js";
import {
  breaking,
  type CallContext,
  type Interceptors,
  type Mutant,
  on,
  type RowInterceptors,
} from "../modification.js";
import { documented } from "../parameters.js";
import { invalidArgument } from "../service/selector.js";

/** Changes the request before it is decoded. */
function request(change: (json: MutableJsonObject) => void): Required<Interceptors>["request"] {
  return on("GetOrderBook", (json) => {
    change(json);
    return json;
  });
}

/** Replaces the levels of a side and recomputes their running totals. */
function setLevels(orderBook: MutableJsonObject, side: BookSide, levels: readonly MutableJsonObject[]): void {
  const sides = objectAt(orderBook, "book");
  let total = 0;
  if (sides) {
    sides[side] = levels.map((level) => {
      total += numberIn(level, "size");
      return { ...level, cumulativeTotal: total };
    });
  }
}

/** A numeric field of the request; 0 when omitted. */
function asked(context: CallContext, name: string): number {
  return numberIn(context.request, name);
}

function sum(levels: readonly MutableJsonObject[], name: string): number {
  return levels.reduce((total, level) => total + numberIn(level, name), 0);
}

/** Changes the size of each underlying order; `price` is the order's price. */
function sizes(
  change: (order: DepthOrder, price: number, terms: { step: number; sizeInUsd: boolean; markPrice: number }) => number,
): RowInterceptors {
  return {
    depth(orders, { effective, dataset }) {
      const market = dataset.markets.get(effective.marketId as bigint);
      if (!market) return orders;
      const { step, sizeInUsd } = effective as { step: number; sizeInUsd: boolean };
      const { tickDecimals, markPrice } = market;
      return orders.map((order) => ({
        ...order,
        size: change(order, priceOf(order.ticks, tickDecimals), { step, sizeInUsd, markPrice }),
      }));
    },
  };
}

/** Reports the `pageSize` that the requested limit would give, whatever was aggregated. */
const honestPageSize = changeBook((orderBook, context) => {
  const limit = asked(context, "limit") || 50;
  const left = Math.max(0, numberIn(orderBook, "totalOrderCount") - numberIn(orderBook, "offset"));
  orderBook.pageSize = Math.min(limit, left);
});

/** Converts a tick size to minimum ticks. */
function ticksOf(tickSize: number, tickDecimals: number): number {
  return tickSize * 10 ** tickDecimals;
}

/** Splits a level of several orders into two levels of half the size. */
function inTwo(level: MutableJsonObject): MutableJsonObject[] {
  const orderCount = numberIn(level, "orderCount");
  if (orderCount < 2) return [level];
  const half = { ...level, size: numberIn(level, "size") / 2 };
  return [
    { ...half, orderCount: 1 },
    { ...half, orderCount: orderCount - 1 },
  ];
}

const resource: readonly Mutant[] = [
  ...breaking("order-book.market-id", {
    "order-book-market-id-through-a-double": {
      summary: "The book's marketId has passed through a double, and lost its last digit beyond 2^53.",
      response: changeBook((orderBook) => {
        orderBook.marketId = String(Number(orderBook.marketId));
      }),
    },
    "order-book-market-id-of-another-market": {
      summary: "The book's marketId is that of the first market.",
      response: changeBook((orderBook) => {
        orderBook.marketId = "1";
      }),
    },
  }),

  ...breaking("order-book.page-size", {
    "order-book-page-size-is-the-total": {
      summary: "pageSize is the number of all underlying orders.",
      response: changeBook((orderBook) => {
        orderBook.pageSize = orderBook.totalOrderCount;
      }),
    },
    "order-book-page-size-echoes-the-request": {
      summary: "pageSize is the requested limit, and 0 when none was requested.",
      response: changeBook((orderBook, context) => {
        orderBook.pageSize = asked(context, "limit");
      }),
    },
    "order-book-page-size-ignores-the-offset": {
      summary: "pageSize counts the orders that the offset has skipped.",
      response: changeBook((orderBook, context) => {
        orderBook.pageSize = Math.min(asked(context, "limit") || 50, numberIn(orderBook, "totalOrderCount"));
      }),
    },
  }),

  ...breaking("order-book.offset", {
    "order-book-limit-and-offset-overflow": {
      summary: "The sum of the largest limit and an offset overflows, and the book is empty.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.parts-make-whole", "order-book.limit-large"],
      request: request((json) => {
        if (numberIn(json, "limit") + numberIn(json, "offset") > 0x7fff_ffff) json.offset = 1_000_000;
      }),
    },
    "order-book-symbols-lose-the-offset": {
      summary: "The offset is forgotten when the market is selected by its symbols.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.page-size", "selector.by-symbol"],
      request: request((json) => {
        if (objectAt(json, "market", "marketSymbol")) delete json.offset;
      }),
    },
    "order-book-offset-not-reported": {
      summary: "offset is always 0.",
      response: changeBook((orderBook) => {
        orderBook.offset = 0;
      }),
    },
    "order-book-offset-of-the-next-page": {
      summary: "offset is that of the page that follows.",
      response: changeBook((orderBook) => {
        orderBook.offset = numberIn(orderBook, "offset") + numberIn(orderBook, "pageSize");
      }),
    },
  }),

  ...breaking("order-book.total-order-count", {
    "order-book-total-of-the-page": {
      summary: "totalOrderCount counts the aggregated orders only.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.page-size"],
      response: changeBook((orderBook) => {
        orderBook.totalOrderCount = orderBook.pageSize;
      }),
    },
    "order-book-total-after-the-offset": {
      summary: "totalOrderCount leaves out the orders that the offset has skipped.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.page-size"],
      response: changeBook((orderBook) => {
        orderBook.totalOrderCount = Math.max(0, numberIn(orderBook, "totalOrderCount") - numberIn(orderBook, "offset"));
      }),
    },
    "order-book-total-of-the-levels": {
      summary: "totalOrderCount counts the orders of the shown levels, once a number of levels is asked for.",
      alsoFails: ["order-book.page-size", "order-book.offset-skips-orders"],
      response: changeBook((orderBook, context) => {
        if (asked(context, "levels") > 0) orderBook.totalOrderCount = sum(levelsIn({ orderBook }), "orderCount");
      }),
    },
    "order-book-total-of-the-bids": {
      summary: "totalOrderCount counts one side only.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.page-size"],
      response: changeBook((orderBook, { dataset, effective }) => {
        const market = dataset.markets.get(effective.marketId as bigint);
        orderBook.totalOrderCount = market?.depth.filter(({ side }) => side === "bid").length ?? 0;
      }),
    },
  }),

  ...breaking("order-book.level-count", {
    "order-book-level-count-of-the-shorter-side": {
      summary: "levels is the number of levels of the side with fewer of them.",
      response: changeBook((orderBook) => {
        orderBook.levels = Math.min(levelsOf(orderBook, "bids").length, levelsOf(orderBook, "asks").length);
      }),
    },
    "order-book-level-count-of-both-sides": {
      summary: "levels is the number of levels of both sides together.",
      response: changeBook((orderBook) => {
        orderBook.levels = levelsIn({ orderBook }).length;
      }),
    },
  }),

  ...breaking("order-book.tick-size-applied", {
    "order-book-buckets-of-100-ticks-hold-1000": {
      summary: "Buckets of a hundred ticks hold the orders of a thousand.",
      alsoFails: ["order-book.size-in-usd"],
      parameters: {
        bookBucket: (ticks, step, side) =>
          step === 100 ? 10 * documented.bookBucket(ticks, 1_000, side) : documented.bookBucket(ticks, step, side),
      },
    },
    "order-book-tick-size-in-minimum-ticks": {
      summary: "tickSize is reported in minimum ticks.",
      response: changeBook((orderBook, context) => {
        const { step } = context.effective;
        if (numberIn(orderBook, "tickSize") <= asked(context, "tickSize")) orderBook.tickSize = Number(step);
      }),
    },
    "order-book-tick-size-always-the-minimum": {
      summary: "tickSize is the market's minimum tick, whatever was applied.",
      response: changeBook((orderBook, { effective }) => {
        const step = Number(effective.step);
        if (step > 1) orderBook.tickSize = numberIn(orderBook, "tickSize") / step;
      }),
    },
    "order-book-tick-size-to-four-decimals": {
      summary: "tickSize is rounded to four decimals, which leaves nothing of a finer one.",
      response: changeBook((orderBook, context) => {
        const tickSize = numberIn(orderBook, "tickSize");
        if (tickSize <= asked(context, "tickSize")) orderBook.tickSize = Number(tickSize.toFixed(4));
      }),
    },
    "order-book-tick-size-in-single-precision": {
      summary: "tickSize has passed through a single-precision number, so that 0.1 comes back as 0.10000000149011612.",
      response: changeBook((orderBook, context) => {
        const tickSize = numberIn(orderBook, "tickSize");
        if (tickSize <= asked(context, "tickSize")) orderBook.tickSize = Math.fround(tickSize);
      }),
    },
  }),

  ...breaking("order-book.size-in-usd-flag", {
    "order-book-usd-flag-never-set": {
      summary: "sizeInUsd is always false.",
      response: changeBook((orderBook) => {
        orderBook.sizeInUsd = false;
      }),
    },
    "order-book-usd-flag-lost-with-buckets": {
      summary: "sizeInUsd is false when the book is bucketed.",
      response: changeBook((orderBook) => {
        if (numberIn(orderBook, "tickSize") > 0) orderBook.sizeInUsd = false;
      }),
    },
  }),

  ...breaking("order-book.cumulative-total", {
    "order-book-cumulative-from-the-worst-ask": {
      summary: "The running totals of the asks start at the highest price.",
      response: changeBook((orderBook) => {
        let total = 0;
        for (const level of levelsOf(orderBook, "asks").reverse()) {
          total += numberIn(level, "size");
          level.cumulativeTotal = total;
        }
      }),
    },
    "order-book-cumulative-without-own-size": {
      summary: "A level's running total ends before the level.",
      response: changeBook((orderBook) => {
        for (const level of levelsIn({ orderBook })) {
          level.cumulativeTotal = numberIn(level, "cumulativeTotal") - numberIn(level, "size");
        }
      }),
    },
    "order-book-cumulative-across-sides": {
      summary: "The running totals of the asks go on from those of the bids.",
      response: changeBook((orderBook) => {
        const bids = sum(levelsOf(orderBook, "bids"), "size");
        for (const level of levelsOf(orderBook, "asks"))
          level.cumulativeTotal = numberIn(level, "cumulativeTotal") + bids;
      }),
    },
    "order-book-cumulative-in-units-beside-usd": {
      summary: "With sizes in USD the running totals stay in units.",
      response: changeBook((orderBook) => {
        if (orderBook.sizeInUsd !== true) return;
        for (const side of bookSides) {
          let total = 0;
          for (const level of levelsOf(orderBook, side)) {
            total += numberIn(level, "size") / (numberIn(level, "price") || 1);
            level.cumulativeTotal = total;
          }
        }
      }),
    },
    "order-book-cumulative-of-far-levels-stands-still": {
      summary: "Running totals are kept for the fifty best levels only.",
      response: changeBook((orderBook) => {
        for (const side of bookSides) {
          const [last, ...beyond] = levelsOf(orderBook, side).slice(49);
          for (const level of beyond) level.cumulativeTotal = last?.cumulativeTotal;
        }
      }),
    },
  }),

  ...breaking("order-book.levels-sorted", {
    "order-book-tail-unsorted": {
      summary: "The two worst asks have changed places.",
      response: changeBook((orderBook) => {
        const levels = levelsOf(orderBook, "asks");
        const [a, b] = levels.slice(-2);
        const sides = objectAt(orderBook, "book");
        if (a && b && sides && levels.length > 2) sides.asks = [...levels.slice(0, -2), b, a];
      }),
    },
    "order-book-bids-sorted-by-size": {
      summary: "The bids come with the largest size first.",
      response: changeBook((orderBook) => {
        const sides = objectAt(orderBook, "book");
        const bySize = levelsOf(orderBook, "bids").sort((a, b) => numberIn(b, "size") - numberIn(a, "size"));
        if (sides && bySize.length > 2) sides.bids = bySize;
      }),
    },
    "order-book-usd-asks-sorted-by-size": {
      summary: "With sizes in USD the asks come with the smallest size first.",
      alsoFails: ["order-book.sides-sorted-alike"],
      response: changeBook((orderBook) => {
        const sides = objectAt(orderBook, "book");
        const bySize = levelsOf(orderBook, "asks").sort((a, b) => numberIn(a, "size") - numberIn(b, "size"));
        if (sides && orderBook.sizeInUsd === true && bySize.length > 2) sides.asks = bySize;
      }),
    },
  }),

  ...breaking("order-book.prices-distinct", {
    "order-book-one-price-on-two-levels": {
      summary: "Without bucketing, orders of the same price are on levels of their own.",
      alsoFails: ["order-book.parts-make-whole", "order-book.offset-skips-orders"],
      response: changeBook((orderBook, context) => {
        if (numberIn(orderBook, "tickSize") > 0) return;
        const most = asked(context, "levels") || Number.POSITIVE_INFINITY;
        for (const side of bookSides) {
          setLevels(orderBook, side, levelsOf(orderBook, side).flatMap(inTwo).slice(0, most));
        }
        countLevels(orderBook);
      }),
    },
    "order-book-last-bucket-in-two": {
      summary: "The farthest bucket comes in two parts.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.parts-make-whole", "order-book.levels-best"],
      response: changeBook((orderBook, context) => {
        if (Number(context.effective.step) <= 1 || asked(context, "levels") > 0) return;
        for (const side of bookSides) {
          const levels = levelsOf(orderBook, side);
          setLevels(orderBook, side, [...levels.slice(0, -1), ...levels.slice(-1).flatMap(inTwo)]);
        }
        countLevels(orderBook);
      }),
    },
  }),

  ...breaking("order-book.sides-sorted-alike", {
    "order-book-both-sides-by-falling-price": {
      summary: "Both sides are sorted by falling price, so that the best ask is the last one.",
      response: changeBook((orderBook) => {
        const sides = objectAt(orderBook, "book");
        if (sides) sides.asks = levelsOf(orderBook, "asks").reverse();
      }),
    },
    "order-book-bucketed-bids-by-rising-price": {
      summary: "Bucketed bids start with the worst price, asks with the best.",
      response: changeBook((orderBook) => {
        const sides = objectAt(orderBook, "book");
        if (sides && numberIn(orderBook, "tickSize") > 0) sides.bids = levelsOf(orderBook, "bids").reverse();
      }),
    },
  }),

  ...breaking("order-book.not-crossed", {
    "order-book-crossed": {
      summary: "The best bid is above the best ask.",
      rows: { depth: (orders) => withBestBid(orders, 2) },
    },
    "order-book-locked": {
      summary: "The best bid is at the price of the best ask.",
      rows: { depth: (orders) => withBestBid(orders, 0) },
    },
  }),
];

/** Moves the best bid to `above` ticks above the best ask. */
function withBestBid(orders: readonly DepthOrder[], above: number): readonly DepthOrder[] {
  const ask = orders.find(({ side }) => side === "ask");
  const best = orders.findIndex(({ side }) => side === "bid");
  return orders.map((order, index) => (ask && index === best ? { ...order, ticks: ask.ticks + above } : order));
}

/** Marks an explicit tick size of 0, to distinguish it from an omitted one. */
const writtenZero = 1e-300;

const tickSize: readonly Mutant[] = [
  ...breaking("order-book.tick-size-zero", {
    "order-book-zero-tick-is-the-minimum": {
      summary: "A tickSize of 0, or none, is clamped up to the minimum tick as well.",
      parameters: { bookStep: (tickSize, market) => (tickSize === 0 ? 1 : documented.bookStep(tickSize, market)) },
    },
    "order-book-written-zero-tick-buckets-by-ten": {
      summary: "A tickSize of 0 that is written out buckets by ten minimum ticks, though the answer says 0.",
      alsoFails: ["order-book.size-in-usd"],
      request: request((json) => {
        if (json.tickSize === 0) json.tickSize = writtenZero;
      }),
      parameters: {
        bookStep: (tickSize, market) => (tickSize === writtenZero ? 10 : documented.bookStep(tickSize, market)),
      },
      response: changeBook((orderBook, context) => {
        if (asked(context, "tickSize") === writtenZero) orderBook.tickSize = 0;
      }),
    },
    "order-book-bucketed-by-ten-without-a-tick": {
      summary: "Without a tickSize the book is bucketed by ten minimum ticks, though the answer says 0.",
      alsoFails: ["order-book.size-in-usd"],
      parameters: { bookStep: (tickSize, market) => (tickSize === 0 ? 10 : documented.bookStep(tickSize, market)) },
      response: changeBook((orderBook, context) => {
        if (asked(context, "tickSize") === 0) orderBook.tickSize = 0;
      }),
    },
  }),

  ...breaking("order-book.tick-size-steps", {
    "order-book-ticks-with-exponents-are-zero": {
      summary: "A tickSize that is written with an exponent is not understood and counts as 0.",
      alsoFails: [
        "order-book.tick-size-applied",
        "order-book.tick-size-below-minimum",
        "order-book.bucket-spacing",
        "order-book.bucket-alignment",
        "order-book.tick-size-no-step",
      ],
      body(endpoint, payload) {
        if (endpoint !== "GetOrderBook") return undefined;
        const text = new TextDecoder().decode(payload);
        return new TextEncoder().encode(text.replace(/("tickSize":)[\d.]+e[+-]?\d+/i, "$10"));
      },
    },
    "order-book-millionfold-step-refused": {
      summary: "The largest step that must be accepted is refused.",
      alsoFails: ["order-book.bucketing-keeps-size"],
      parameters: {
        bookStep: (tickSize, market) => {
          const step = documented.bookStep(tickSize, market);
          return step === 1e6 ? undefined : step;
        },
      },
    },
    "order-book-minimum-tick-refused": {
      summary: "A tickSize must be above the minimum tick; the minimum tick itself is refused.",
      alsoFails: ["order-book.bucketing-keeps-size", "order-book.limit-large"],
      parameters: {
        bookStep: (tickSize, market) =>
          ticksOf(tickSize, market.tickDecimals) === 1 ? undefined : documented.bookStep(tickSize, market),
      },
    },
    "order-book-steps-by-inexact-logarithm": {
      summary: "A step counts only when a logarithm in binary arithmetic comes out whole, which 1000 does not.",
      alsoFails: ["order-book.bucketing-keeps-size", "order-book.limit-large"],
      parameters: {
        bookStep: (tickSize, market) => {
          const step = documented.bookStep(tickSize, market);
          return step && !Number.isInteger(Math.log(step) / Math.LN10) ? undefined : step;
        },
      },
    },
    "order-book-steps-above-the-price-refused": {
      summary: "Steps that are wider than the market's price are refused.",
      alsoFails: ["order-book.bucketing-keeps-size"],
      parameters: {
        bookStep: (tickSize, market) =>
          tickSize > market.markPrice ? undefined : documented.bookStep(tickSize, market),
      },
    },
  }),

  ...breaking("order-book.tick-size-below-minimum", {
    "order-book-tick-in-single-precision": {
      summary: "A tickSize that single precision takes for zero disables bucketing.",
      request: request((json) => {
        const tickSize = numberIn(json, "tickSize");
        if (tickSize > 0 && Math.fround(tickSize / 1e7) === 0) delete json.tickSize;
      }),
    },
    "order-book-fine-tick-refused": {
      summary: "A tickSize below the minimum tick is refused.",
      alsoFails: ["order-book.bucketing-keeps-size"],
      parameters: {
        bookStep: (tickSize, market) => (isFine(tickSize, market) ? undefined : documented.bookStep(tickSize, market)),
      },
    },
    "order-book-tick-just-below-the-minimum-refused": {
      summary: "A tickSize of nine tenths of the minimum tick or more, but less than all of it, is refused.",
      parameters: {
        bookStep: (tickSize, market) =>
          isFine(tickSize, market) && tickSize * 10 ** market.tickDecimals > 0.9001
            ? undefined
            : documented.bookStep(tickSize, market),
      },
    },
    "order-book-fine-tick-disables-buckets": {
      summary: "A tickSize below the minimum tick disables bucketing.",
      parameters: {
        bookStep: (tickSize, market) => (isFine(tickSize, market) ? 0 : documented.bookStep(tickSize, market)),
      },
    },
    "order-book-fine-tick-disables-buckets-where-prices-are-whole": {
      summary: "A tickSize below the minimum tick disables bucketing in markets whose minimum tick is 1.",
      parameters: {
        bookStep: (tickSize, market) =>
          market.tickDecimals === 0 && isFine(tickSize, market) ? 0 : documented.bookStep(tickSize, market),
      },
    },
    "order-book-fine-tick-echoed": {
      summary: "A tickSize below the minimum tick is reported as if it had been applied.",
      response: changeBook((orderBook, context) => {
        const tickSize = asked(context, "tickSize");
        if (tickSize < numberIn(orderBook, "tickSize")) orderBook.tickSize = tickSize;
      }),
    },
    "order-book-fine-tick-must-be-a-power-of-ten": {
      summary: "A tickSize below the minimum tick is clamped only when it is a power of ten itself.",
      alsoFails: ["order-book.bucketing-keeps-size"],
      parameters: {
        bookStep: (tickSize, market) => {
          const power = Math.log10(ticksOf(tickSize, market.tickDecimals));
          const refused = isFine(tickSize, market) && Math.abs(power - Math.round(power)) > 1e-9;
          return refused ? undefined : documented.bookStep(tickSize, market);
        },
      },
    },
  }),

  ...breaking("order-book.tick-size-no-step", {
    "order-book-any-multiple-of-the-tick": {
      summary: "GetOrderBook buckets by any multiple of the minimum tick, such as 2.",
      parameters: {
        bookStep: (tickSize, market) => {
          const ticks = Math.round(ticksOf(tickSize, market.tickDecimals));
          return documented.bookStep(tickSize, market) ?? (ticks > 1 ? ticks : undefined);
        },
      },
    },
    "order-book-tick-rounded-down-to-a-step": {
      summary: "A tickSize between two steps is taken for the lower one.",
      parameters: {
        bookStep: (tickSize, market) =>
          documented.bookStep(tickSize, market) ??
          (tickSize > 0 ? 10 ** Math.floor(Math.log10(ticksOf(tickSize, market.tickDecimals))) : undefined),
      },
    },
    "order-book-steps-of-one-two-five": {
      summary: "The steps 2 and 5 between two powers of ten are accepted.",
      parameters: {
        bookStep: (tickSize, market) => {
          const step = documented.bookStep(tickSize, market);
          if (step !== undefined || tickSize < 0) return step;
          const ticks = Math.round(ticksOf(tickSize, market.tickDecimals));
          return /^[25]0*$/.test(String(ticks)) ? ticks : undefined;
        },
      },
    },
    "order-book-steps-of-a-quarter-in-one-market": {
      summary: "In the market DOGE/USD, 2.5 and its multiples by powers of ten are steps.",
      parameters: {
        bookStep: (tickSize, market) => {
          const step = documented.bookStep(tickSize, market);
          if (step !== undefined || tickSize < 0 || market.name !== "DOGE/USD") return step;
          const ticks = ticksOf(tickSize, market.tickDecimals);
          return /^2\.5e/.test(Number(ticks.toPrecision(6)).toExponential()) ? Math.ceil(ticks) : undefined;
        },
      },
    },
    "order-book-ticks-rounded-before-the-test": {
      summary: "A tickSize is rounded to whole minimum ticks before it is tested, so that 1.4 ticks pass for 1.",
      parameters: {
        bookStep: (tickSize, market) => {
          const step = documented.bookStep(tickSize, market);
          if (step !== undefined || tickSize < 0) return step;
          const ticks = Math.round(ticksOf(tickSize, market.tickDecimals));
          return /^10*$/.test(String(ticks)) ? ticks : undefined;
        },
      },
    },
    "order-book-steps-compared-generously": {
      summary: "A tickSize within one per cent of a step passes for it.",
      parameters: {
        bookStep: (tickSize, market) => {
          const step = documented.bookStep(tickSize, market);
          if (step !== undefined || tickSize < 0) return step;
          const ticks = ticksOf(tickSize, market.tickDecimals);
          const nearest = 10 ** Math.round(Math.log10(ticks));
          return Math.abs(ticks - nearest) <= 0.01 * nearest ? nearest : undefined;
        },
      },
    },
    "order-book-no-step-is-out-of-range": {
      summary: "A tickSize that is not a step is refused with the code out_of_range.",
      parameters: {
        bookStep: (tickSize, market) => {
          const step = documented.bookStep(tickSize, market);
          if (step === undefined && tickSize > 0) throw new ConnectError("tickSize is not a step", Code.OutOfRange);
          return step;
        },
      },
    },
  }),

  ...breaking("order-book.tick-size-negative", {
    "order-book-tiny-negative-tick-is-zero": {
      summary: "A negative tickSize that is almost zero disables bucketing.",
      request: request((json) => {
        const tickSize = numberIn(json, "tickSize");
        if (tickSize < 0 && tickSize > -1e-8) delete json.tickSize;
      }),
    },
    "order-book-negative-tick-clamped": {
      summary: "A negative tickSize is below the minimum tick and clamped up to it.",
      parameters: { bookStep: (tickSize, market) => (tickSize < 0 ? 1 : documented.bookStep(tickSize, market)) },
    },
    "order-book-negative-tick-disables-buckets": {
      summary: "A negative tickSize disables bucketing, as 0 does.",
      parameters: { bookStep: (tickSize, market) => documented.bookStep(Math.max(0, tickSize), market) },
    },
    "order-book-sign-of-the-tick-ignored": {
      summary: "A negative tickSize counts as its absolute value.",
      parameters: { bookStep: (tickSize, market) => documented.bookStep(Math.abs(tickSize), market) },
    },
    "order-book-large-negative-tick-clamped": {
      summary: "A negative tickSize of a thousand minimum ticks or more is clamped up to the minimum tick.",
      parameters: {
        bookStep: (tickSize, market) =>
          tickSize <= -1000 * 10 ** -market.tickDecimals ? 1 : documented.bookStep(tickSize, market),
      },
    },
    "order-book-small-negative-tick-clamped": {
      summary: "A negative tickSize that is smaller than the minimum tick is clamped up to it.",
      parameters: {
        bookStep: (tickSize, market) =>
          tickSize < 0 && tickSize > -(10 ** -market.tickDecimals) ? 1 : documented.bookStep(tickSize, market),
      },
    },
  }),

  ...breaking("order-book.bucket-spacing", {
    "order-book-buckets-of-half-the-step": {
      summary: "Buckets are half as wide as the step.",
      alsoFails: ["order-book.bucket-alignment"],
      parameters: { bookBucket: (ticks, step) => (step === 1 ? ticks : Math.floor((2 * ticks) / step) / 2) },
    },
    "order-book-asks-not-bucketed": {
      summary: "Bids are bucketed, asks are not.",
      alsoFails: ["order-book.bucket-alignment"],
      parameters: {
        bookBucket: (ticks, step, side) => (side === "ask" ? ticks / step : documented.bookBucket(ticks, step, side)),
      },
    },
    "order-book-step-of-a-hundred-not-applied": {
      summary: "One step among all, that of a hundred minimum ticks, is accepted and not applied.",
      alsoFails: ["order-book.bucket-alignment"],
      parameters: {
        bookBucket: (ticks, step, side) => (step === 100 ? ticks / step : documented.bookBucket(ticks, step, side)),
      },
    },
  }),

  ...breaking("order-book.bucket-alignment", {
    "order-book-buckets-labelled-by-their-middle": {
      summary: "A bucket's price is its middle.",
      parameters: { bookBucket: (ticks, step) => (step === 1 ? ticks : Math.floor(ticks / step) + 0.5) },
    },
    "order-book-buckets-off-an-anchor": {
      summary: "Buckets of a hundred ticks and more start seven ticks off the round price.",
      parameters: {
        bookBucket: (ticks, step, side) =>
          step < 100
            ? documented.bookBucket(ticks, step, side)
            : documented.bookBucket(ticks - 7, step, side) + 7 / step,
      },
    },
  }),

  ...breaking("order-book.bucketing-keeps-size", {
    "order-book-buckets-of-100-ticks-have-half-the-size": {
      summary: "In buckets of a hundred ticks every size is half of what it should be.",
      rows: sizes(({ size }, _price, { step }) => (step === 100 ? size / 2 : size)),
    },
    "order-book-orders-on-an-edge-lose-their-size": {
      summary: "Orders at a bucket's edge are counted, but add no size to it.",
      rows: sizes(({ ticks, size }, _price, { step }) => (step > 1 && ticks % step === 0 ? 0 : size)),
    },
    "order-book-asks-on-an-edge-counted-twice": {
      summary: "The size of an ask at a bucket's edge is counted for both buckets.",
      rows: sizes(({ side, ticks, size }, _price, { step }) =>
        step > 1 && side === "ask" && ticks % step === 0 ? 2 * size : size,
      ),
    },
  }),
];

/** Whether a tick size is positive but below the market's minimum tick. */
function isFine(tickSize: number, { tickDecimals }: { readonly tickDecimals: number }): boolean {
  return tickSize > 0 && ticksOf(tickSize, tickDecimals) < 1 - 1e-9;
}

const sizeInUsd: readonly Mutant[] = [
  ...breaking("order-book.size-in-usd", {
    "order-book-sizes-never-in-usd": {
      summary: "Sizes are in units, also when the answer says USD.",
      rows: sizes(({ size }, price, { sizeInUsd }) => (sizeInUsd ? size / price : size)),
    },
    "order-book-sizes-always-in-usd": {
      summary: "Sizes are in USD, also when the answer says units.",
      rows: sizes(({ size }, price, { sizeInUsd }) => (sizeInUsd ? size : size * price)),
    },
    "order-book-usd-at-the-mark-price": {
      summary: "USD sizes are computed with the mark price instead of the level's.",
      rows: sizes(({ size }, price, { sizeInUsd, markPrice }) => (sizeInUsd ? (size * markPrice) / price : size)),
    },
    "order-book-asks-never-in-usd": {
      summary: "With sizes in USD, those of the asks stay in units.",
      rows: sizes(({ side, size }, price, { sizeInUsd }) => (sizeInUsd && side === "ask" ? size / price : size)),
    },
    "order-book-buckets-never-in-usd": {
      summary: "Sizes of buckets are in units, also when the answer says USD.",
      rows: sizes(({ size }, price, { sizeInUsd, step }) => (sizeInUsd && step > 0 ? size / price : size)),
    },
  }),
];

/** Cuts each side with `keep` when a number of levels is requested. */
function cutLevels(
  keep: (levels: readonly MutableJsonObject[], asked: number, side: BookSide) => readonly MutableJsonObject[],
): Pick<Mutant, "parameters" | "response"> {
  return {
    parameters: { bookLevels: () => 0 },
    response: changeBook((orderBook, context) => {
      const levels = asked(context, "levels");
      if (levels <= 0) return;
      for (const side of bookSides) {
        setLevels(orderBook, side, keep(levelsOf(orderBook, side), levels, side));
      }
      countLevels(orderBook);
      orderBook.levels = Math.min(levels, numberIn(orderBook, "levels"));
    }),
  };
}

const levels: readonly Mutant[] = [
  ...breaking("order-book.levels-maximum", {
    "order-book-one-level-too-many": {
      summary: "There is one level more than was asked for.",
      parameters: { bookLevels: (requested) => (requested > 0 ? requested + 1 : 0) },
    },
    "order-book-levels-ignored-with-buckets": {
      summary: "The number of levels is ignored when the book is bucketed.",
      request: request((json) => {
        if (numberIn(json, "tickSize") > 0) json.levels = 0;
      }),
    },
    "order-book-levels-ignored-above-ten": {
      summary: "More than ten levels mean all.",
      parameters: { bookLevels: (requested) => (requested > 10 ? 0 : Math.max(0, requested)) },
    },
    "order-book-levels-of-bids-only": {
      summary: "The number of levels holds for the bids alone.",
      ...cutLevels((all, asked, side) => (side === "bids" ? all.slice(0, asked) : all)),
    },
  }),

  ...breaking("order-book.levels-best", {
    "order-book-hundred-levels-at-most": {
      summary: "A side never has more than 100 levels when a number of levels is asked for.",
      parameters: { bookLevels: (requested) => (requested > 0 ? Math.min(requested, 100) : 0) },
    },
    "order-book-worst-levels-kept": {
      summary: "Of a side with too many levels the worst are shown.",
      ...cutLevels((all, asked) => all.slice(-asked)),
    },
    "order-book-levels-shared-by-the-sides": {
      summary: "The number of levels is shared by both sides.",
      ...cutLevels((all, asked, side) => all.slice(0, side === "bids" ? Math.ceil(asked / 2) : Math.floor(asked / 2))),
    },
    "order-book-levels-cut-before-bucketing": {
      summary: "The best prices are chosen before they are bucketed, so that buckets miss a part of their orders.",
      response: changeBook((orderBook, context) => {
        const { effective, dataset } = context;
        const { step, limit, offset, sizeInUsd } = effective as Record<"step" | "limit" | "offset", number> & {
          sizeInUsd: boolean;
        };
        const most = asked(context, "levels");
        const market = dataset.markets.get(effective.marketId as bigint);
        if (!market || step === 0 || most <= 0) return;
        const window = documented.bookWindow(market.depth, offset, limit);
        const { tickDecimals } = market;
        const terms = { tickDecimals, step, sizeInUsd, levels: most, bucket: documented.bookBucket };
        for (const side of bookSides) {
          const orders = window.filter((order) => order.side === (side === "bids" ? "bid" : "ask"));
          const best = new Set([...new Set(orders.map(({ ticks }) => ticks))].slice(0, most));
          const levels = aggregate(
            orders.filter(({ ticks }) => best.has(ticks)),
            terms,
          );
          setLevels(
            orderBook,
            side,
            levels.map((level) => ({ ...level })),
          );
        }
      }),
    },
  }),

  ...breaking("order-book.levels-zero", {
    "order-book-twenty-levels-by-default": {
      summary: "Without a number of levels there are twenty at most.",
      alsoFails: ["order-book.limit-large", "order-book.offset-skips-orders", "order-book.parts-make-whole"],
      parameters: { bookLevels: (requested) => (requested > 0 ? requested : 20) },
    },
    "order-book-never-more-than-thirty-levels": {
      summary: "There are never more than thirty levels, whatever is asked for.",
      alsoFails: ["order-book.limit-large", "order-book.offset-skips-orders", "order-book.parts-make-whole"],
      parameters: { bookLevels: (requested) => (requested > 0 ? Math.min(requested, 30) : 30) },
    },
    "order-book-zero-levels-mean-one": {
      summary: "An explicit 0 for levels shows one level.",
      request: request((json) => {
        if (json.levels === 0) json.levels = 1;
      }),
    },
  }),
];

const limit: readonly Mutant[] = [
  ...breaking("order-book.limit-default", {
    "order-book-default-limit-100": {
      summary: "Without a limit, 100 orders are aggregated.",
      alsoFails: ["order-book.limit-per-book"],
      parameters: { bookLimit: (requested) => (requested > 0 ? requested : 100) },
    },
    "order-book-default-limit-49": {
      summary: "Without a limit, 49 orders are aggregated.",
      parameters: { bookLimit: (requested) => (requested > 0 ? requested : 49) },
    },
    "order-book-no-default-limit": {
      summary: "Without a limit, all orders are aggregated.",
      alsoFails: ["order-book.limit-zero", "order-book.page-size", "order-book.limit-per-book"],
      parameters: { bookLimit: (requested) => (requested > 0 ? requested : 1_000_000) },
    },
    "order-book-no-default-limit-with-buckets": {
      summary: "Without a limit, all orders are aggregated into buckets.",
      alsoFails: ["order-book.limit-per-book", "order-book.page-size", "order-book.limit-zero"],
      request: request((json) => {
        if (json.tickSize && !json.limit) json.limit = 1_000_000;
      }),
    },
  }),

  ...breaking("order-book.limit-zero", {
    "order-book-limit-zero-is-unlimited": {
      summary: "An explicit limit of 0 means no limit.",
      alsoFails: ["order-book.limit-per-book", "order-book.page-size"],
      request: request((json) => {
        if (json.limit === 0) json.limit = 1_000_000;
      }),
    },
    "order-book-limit-zero-is-empty": {
      summary: "An explicit limit of 0 aggregates nothing.",
      alsoFails: ["order-book.offset-skips-orders"],
      response: changeBook((orderBook, { request }) => {
        if (request.limit === 0) Object.assign(orderBook, { book: {}, levels: 0, pageSize: 0 });
      }),
    },
  }),

  ...breaking("order-book.limit-per-side", {
    "order-book-limit-per-side-and-one": {
      summary: "With a limit above 50, each side aggregates one order more.",
      alsoFails: ["order-book.limit-per-book"],
      parameters: { bookLimit: (requested) => (requested > 50 ? 2 * requested + 2 : documented.bookLimit(requested)) },
      response: honestPageSize,
    },
    "order-book-small-limit-raised-to-50": {
      summary: "A limit below 50 is raised to 50.",
      alsoFails: ["order-book.limit-per-book"],
      parameters: { bookLimit: (requested) => Math.max(50, requested) },
      response: honestPageSize,
    },
    "order-book-limit-ignored-from-100": {
      summary: "A limit of 100 and more aggregates the whole book.",
      alsoFails: ["order-book.limit-per-book"],
      parameters: { bookLimit: (requested) => (requested >= 100 ? 1_000_000 : requested > 0 ? requested : 50) },
      response: honestPageSize,
    },
  }),

  ...breaking("order-book.limit-per-book", {
    "order-book-limit-counts-per-side": {
      summary: "The limit counts the orders of each side.",
      parameters: {
        bookWindow: (orders, offset, limit) => {
          const left = orders.slice(offset);
          const of = (side: DepthOrder["side"]) => left.filter((order) => order.side === side).slice(0, limit);
          return [...of("bid"), ...of("ask")];
        },
      },
      response: honestPageSize,
    },
    "order-book-limit-and-one-more": {
      summary: "One order more than the limit is aggregated.",
      alsoFails: ["order-book.parts-make-whole"],
      parameters: { bookLimit: (requested) => documented.bookLimit(requested) + 1 },
      response: honestPageSize,
    },
  }),

  ...breaking("order-book.limit-large", {
    "order-book-limit-above-1000-refused": {
      summary: "A limit above 1000 is refused.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.parts-make-whole"],
      parameters: {
        bookLimit: (requested) => {
          if (requested > 1_000) throw invalidArgument("limit must be at most 1000");
          return documented.bookLimit(requested);
        },
      },
    },
    "order-book-limit-capped-at-100": {
      summary: "At most 100 orders are aggregated, whatever the limit.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.parts-make-whole"],
      parameters: { bookLimit: (requested) => Math.min(100, documented.bookLimit(requested)) },
    },
    "order-book-limit-capped-at-1000": {
      summary: "At most 1000 orders of a fuller book are aggregated, as in the listings.",
      alsoFails: ["order-book.offset-skips-orders"],
      dataset: (data) =>
        mapMarkets(data, (market) => ({
          ...market,
          depth: market.depth.flatMap((order) => [order, order, order, order]),
        })),
      parameters: { bookLimit: (requested) => Math.min(1_000, documented.bookLimit(requested)) },
    },
    "order-book-limit-overflows": {
      summary: "The largest limits overflow when the offset is added, and the book is empty.",
      alsoFails: ["order-book.offset-skips-orders"],
      parameters: {
        bookWindow: (orders, offset, limit) => orders.slice(offset, limit >= 2 ** 31 - 1 ? 0 : offset + limit),
      },
    },
  }),

  ...breaking("order-book.offset-skips-orders", {
    "order-book-offset-off-by-one": {
      summary: "One order more than the offset is skipped.",
      parameters: {
        bookWindow: (orders, offset, limit) => orders.slice(offset === 0 ? 0 : offset + 1).slice(0, limit),
      },
    },
    "order-book-large-offset-per-side": {
      summary:
        "An offset beyond a third of the book skips so many orders of each side, a smaller one of both together.",
      parameters: {
        bookWindow: (orders, offset, limit) => {
          if (3 * offset <= orders.length) return orders.slice(offset, offset + limit);
          const skip = { bid: offset, ask: offset };
          return orders.filter(({ side }) => skip[side]-- <= 0).slice(0, limit);
        },
      },
    },
    "order-book-offset-rounded-to-pages": {
      summary: "The offset is rounded down to a multiple of the limit.",
      alsoFails: ["order-book.page-size", "order-book.parts-make-whole"],
      parameters: {
        bookWindow: (orders, offset, limit) => orders.slice(offset - (offset % limit)).slice(0, limit),
      },
    },
    "order-book-offset-after-the-limit": {
      summary: "Orders are skipped after the limit has been applied.",
      parameters: { bookWindow: (orders, offset, limit) => orders.slice(0, limit).slice(offset) },
    },
    "order-book-offset-lowers-the-last-bid": {
      summary: "With an offset, the last bid stands a tick lower than its orders do.",
      alsoFails: ["order-book.parts-make-whole", "order-book.levels-best", "order-book.size-in-usd"],
      response: changeBook((orderBook, { effective, dataset }) => {
        const market = dataset.markets.get(effective.marketId as bigint);
        const last = levelsOf(orderBook, "bids").at(-1);
        if (!market || !last || !effective.offset || effective.step) return;
        last.price = numberIn(last, "price") - 10 ** -market.tickDecimals;
      }),
    },
  }),

  ...breaking("order-book.parts-make-whole", {
    "order-book-offset-skips-the-worst": {
      summary: "The offset skips orders from the far end of the book.",
      parameters: {
        bookWindow: (orders, offset, limit) => orders.slice(0, Math.max(0, orders.length - offset)).slice(0, limit),
      },
    },
    "order-book-odd-limit-takes-one-more": {
      summary: "An odd limit above 1 takes one order more, which reaches the limit of neither side.",
      alsoFails: ["order-book.limit-per-book"],
      parameters: {
        bookWindow: (orders, offset, limit) =>
          orders.slice(offset).slice(0, limit > 1 && limit % 2 === 1 ? limit + 1 : limit),
      },
    },
    "order-book-odd-limit-takes-one-less": {
      summary: "An odd limit above 20 takes one order less, unless the book has no more orders.",
      parameters: {
        bookWindow: (orders, offset, limit) => {
          const isOdd = limit % 2 === 1 && limit > 20 && limit < orders.length;
          return orders.slice(offset).slice(0, isOdd ? limit - 1 : limit);
        },
      },
    },
    "order-book-limit-keeps-the-worst": {
      summary: "The limit keeps the orders at the far end of the book.",
      parameters: { bookWindow: (orders, offset, limit) => orders.slice(offset).slice(-limit) },
    },
  }),

  ...breaking("order-book.total-order-count-ignored", {
    "order-book-requested-total-echoed": {
      summary: "totalOrderCount of the request is sent back.",
      // Whatever is compared with a book's total is then compared with the request's.
      alsoFails: [
        "order-book.page-size",
        "order-book.total-order-count",
        "order-book.offset-skips-orders",
        "order-book.parts-make-whole",
      ],
      response: changeBook((orderBook, context) => {
        const echoed = asked(context, "totalOrderCount");
        if (echoed > 0) orderBook.totalOrderCount = echoed;
      }),
    },
    "order-book-requested-total-limits-the-book": {
      summary: "No more orders are aggregated than the request's totalOrderCount says.",
      alsoFails: ["order-book.parts-make-whole"],
      request: request((json) => {
        const most = numberIn(json, "totalOrderCount");
        if (most > 0) json.limit = Math.min(most, numberIn(json, "limit") || 50);
      }),
    },
  }),
];

/** Servers that break one rule of §2 OrderBook or of §4.6. */
export const orderBook: readonly Mutant[] = [...resource, ...tickSize, ...sizeInUsd, ...levels, ...limit];
