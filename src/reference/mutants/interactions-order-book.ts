import type { RuleId } from "../../specification/catalogue/index.js";
import { type BookSide, bookSides } from "../../specification/enums.js";
import { aggregate } from "../book.js";
import { changeBook, countLevels, levelsOf } from "../book-interceptors.js";
import {
  all,
  bySymbols,
  hasTimeout,
  lacksVersion,
  loses,
  marketAt,
  type RequestCondition,
  refuses,
  rewrites,
  selectedBy,
  withOffset,
} from "../conditional-interceptors.js";
import { type MutableJsonObject, numberIn, objectAt } from "../json.js";
import { breaking, type CallContext, type Interceptors, type Mutant } from "../modification.js";
import { documented } from "../parameters.js";
import { byId, listedMarkets } from "../selector-interceptors.js";

const operation = "GetOrderBook";

/** Effective parameters of a book. */
interface BookParameters {
  readonly marketId: bigint;
  /** In minimum ticks. */
  readonly step: number;
  readonly limit: number;
  readonly offset: number;
  readonly levels: number;
  readonly sizeInUsd: boolean;
}

function termsOf({ effective }: CallContext): BookParameters {
  return effective as unknown as BookParameters;
}

/** The levels of a side as they would be with other parameters. */
function levelsOn(side: BookSide, context: CallContext, other: Partial<BookParameters>): MutableJsonObject[] {
  const { marketId, offset, limit, ...terms } = { ...termsOf(context), ...other };
  const market = context.dataset.markets.get(marketId);
  if (market === undefined) return [];
  const wanted = side === "bids" ? "bid" : "ask";
  const orders = market.depth.slice(offset, offset + limit).filter((order) => order.side === wanted);
  const { tickDecimals } = market;
  return aggregate(orders, { ...terms, tickDecimals, bucket: documented.bookBucket }).map((level) => ({ ...level }));
}

function setLevels(orderBook: MutableJsonObject, side: BookSide, levels: MutableJsonObject[]): void {
  const sides = objectAt(orderBook, "book");
  if (sides) sides[side] = levels;
}

/** Shows sides as they would be with other parameters, if `otherTerms` returns any. */
function shows(
  otherTerms: (terms: BookParameters, context: CallContext) => Partial<BookParameters> | undefined,
  sides: readonly BookSide[] = bookSides,
): Required<Interceptors>["response"] {
  return changeBook((orderBook, context) => {
    const other = otherTerms(termsOf(context), context);
    if (other === undefined) return;
    for (const side of sides) setLevels(orderBook, side, levelsOn(side, context, other));
    countLevels(orderBook);
    const { limit, offset } = { ...termsOf(context), ...other };
    orderBook.pageSize = Math.min(limit, Math.max(0, numberIn(orderBook, "totalOrderCount") - offset));
  });
}

/** Ignores the offset: aggregates as many orders from the start of the book. */
function skipsNothing(when: (context: CallContext) => boolean): Interceptors["rows"] {
  return {
    depth: (orders, context) =>
      when(context) ? [...orders.slice(0, termsOf(context).offset), ...orders].slice(0, orders.length) : orders,
  };
}

function isOf({ marketId }: BookParameters, { dataset }: CallContext, place: number): boolean {
  return marketId === marketAt(dataset, place)?.id;
}

const inUsd: RequestCondition = (json) => json.sizeInUsd === true;
const withLevels: RequestCondition = (json) => numberIn(json, "levels") > 0;

/** The requested tick size in minimum ticks; NaN for an unknown market. */
function ticksIn(json: MutableJsonObject, { dataset }: CallContext): number {
  return numberIn(json, "tickSize") * 10 ** (selectedBy(json, dataset)?.tickDecimals ?? Number.NaN);
}

/** Whether the requested tick size is at least the market's minimum tick. */
const withTick: RequestCondition = (json, context) => ticksIn(json, context) > 0.999;

const ofTheSixthMarket: RequestCondition = (json, { dataset }) =>
  selectedBy(json, dataset)?.id === marketAt(dataset, 5)?.id;

/** Whether the requested tick size is positive but below the market's minimum tick. */
const withTinyTick: RequestCondition = (json, context) => numberIn(json, "tickSize") > 0 && !withTick(json, context);

/** Whether all conditions hold for a request that was served. */
function met(context: CallContext, ...conditions: readonly RequestCondition[]): boolean {
  return all(...conditions)(context.request, context);
}

/** Rules that also fail when a notation of the tick size is refused. */
const whereNotationsAreRefused: readonly RuleId[] = [
  "selector.by-symbol",
  "order-book.tick-size-below-minimum",
  "order-book.tick-size-zero",
  "errors.documented-outcome",
  "order-book.bucketing-keeps-size",
];

/** Books that are wrong for a combination of two or three request fields, or in one market. */
export const orderBookInteractions: readonly Mutant[] = [
  ...breaking("order-book.offset", {
    // offset
    "order-book-offset-lost-beside-levels": {
      summary: "GetOrderBook forgets the offset when a number of levels is asked for.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.levels-best", "order-book.page-size"],
      request: loses(operation, "offset", withLevels),
    },
  }),

  ...breaking("order-book.parts-make-whole", {
    "order-book-offset-only-echoed-beside-a-tick": {
      summary: "GetOrderBook reports the offset of a bucketed book, but skips nothing.",
      alsoFails: ["order-book.bucketing-keeps-size", "order-book.offset-skips-orders"],
      rows: skipsNothing((context) => met(context, withTick)),
    },
  }),

  ...breaking("order-book.size-in-usd", {
    "order-book-offset-only-echoed-beside-levels-in-usd": {
      summary: "GetOrderBook reports the offset, but skips nothing, when a number of levels in USD is asked for.",
      alsoFails: ["order-book.levels-best", "order-book.offset-skips-orders"],
      rows: skipsNothing((context) => met(context, withLevels, inUsd)),
    },
    "order-book-wider-buckets-of-asks-in-usd": {
      summary: "GetOrderBook makes the buckets of the asks ten times as wide as it reports when sizes are in USD.",
      alsoFails: ["order-book.tick-size-applied"],
      response: shows(({ step, sizeInUsd }) => (sizeInUsd && step > 0 ? { step: step * 10 } : undefined), ["asks"]),
    },
    "order-book-in-usd-unless-asked-otherwise": {
      summary: "GetOrderBook shows USD in buckets of ten minimum ticks and more where sizeInUsd is left out.",
      alsoFails: ["order-book.bucketing-keeps-size"],
      response: shows(({ step }, { request }) =>
        step >= 10 && request.sizeInUsd === undefined ? { sizeInUsd: true } : undefined,
      ),
    },
    "order-book-asks-in-units-beside-levels": {
      summary: "GetOrderBook leaves the sizes of the asks in units when a number of levels in USD is asked for.",
      alsoFails: ["order-book.levels-best"],
      response: shows(
        ({ sizeInUsd, levels }) => (sizeInUsd && levels > 0 ? { sizeInUsd: false } : undefined),
        ["asks"],
      ),
    },
    "order-book-usd-of-one-market-at-its-best-price": {
      summary: "GetOrderBook multiplies all sizes of the seventh market with the best price for USD.",
      response: changeBook((orderBook, context) => {
        const terms = termsOf(context);
        if (!terms.sizeInUsd || !isOf(terms, context, 6)) return;
        for (const side of bookSides) {
          const levels = levelsOf(orderBook, side);
          const price = numberIn(levels[0] ?? {}, "price");
          const inUnits = levelsOn(side, context, { sizeInUsd: false });
          for (const [index, level] of levels.entries()) {
            level.size = numberIn(inUnits[index] ?? {}, "size") * price;
            level.cumulativeTotal = numberIn(inUnits[index] ?? {}, "cumulativeTotal") * price;
          }
        }
      }),
    },
  }),

  ...breaking("selector.by-symbol", {
    "order-book-offset-beyond-the-end-shows-the-last-orders-by-symbols": {
      summary:
        "GetOrderBook shows the last orders when the market is selected by symbols and the offset is beyond the end.",
      alsoFails: ["order-book.page-size", "order-book.level-count", "order-book.offset-skips-orders"],
      response: shows(({ marketId, offset, limit }, context) => {
        const total = context.dataset.markets.get(marketId)?.depth.length ?? 0;
        return offset >= total && met(context, bySymbols) ? { offset: Math.max(0, total - limit) } : undefined;
      }),
    },
    "order-book-sizes-of-one-market-doubled-by-symbols": {
      summary: "GetOrderBook doubles all sizes of the eighth market when it is selected by symbols.",
      response: changeBook((orderBook, context) => {
        if (!isOf(termsOf(context), context, 7) || !met(context, bySymbols)) return;
        for (const level of bookSides.flatMap((side) => levelsOf(orderBook, side))) {
          level.size = 2 * numberIn(level, "size");
          level.cumulativeTotal = 2 * numberIn(level, "cumulativeTotal");
        }
      }),
    },
    "order-book-of-one-market-not-found-by-symbols": {
      summary: "GetOrderBook does not find the fourth market by its symbols.",
      http: refuses(operation, "not_found", (context) => isOf(termsOf(context), context, 3) && met(context, bySymbols)),
    },
    "order-book-of-another-market-by-symbols-with-a-tick": {
      summary: "GetOrderBook shows another market when a tick size comes with symbols.",
      alsoFails: ["order-book.market-id"],
      request: rewrites(operation, all(bySymbols, withTick), (json, { dataset }) => {
        const asked = selectedBy(json, dataset);
        const other = listedMarkets(dataset).find(
          ({ id, tickDecimals }) => id !== asked?.id && tickDecimals >= (asked?.tickDecimals ?? 0),
        );
        return other ? { ...json, market: byId(other) } : json;
      }),
    },
  }),

  ...breaking("order-book.total-order-count", {
    "order-book-total-lacks-the-skipped-in-usd": {
      summary: "GetOrderBook leaves the skipped orders out of totalOrderCount when sizes are in USD.",
      alsoFails: ["order-book.offset", "order-book.offset-skips-orders", "order-book.page-size"],
      response: changeBook((orderBook, context) => {
        if (!met(context, inUsd)) return;
        orderBook.totalOrderCount = Math.max(0, numberIn(orderBook, "totalOrderCount") - termsOf(context).offset);
      }),
    },
  }),

  ...breaking("order-book.total-order-count-ignored", {
    "order-book-requested-total-believed-beside-an-offset": {
      summary: "GetOrderBook answers with the request's totalOrderCount when it comes with an offset.",
      alsoFails: [
        "order-book.total-order-count",
        "order-book.offset",
        "order-book.offset-skips-orders",
        "order-book.page-size",
      ],
      response: changeBook((orderBook, context) => {
        const requested = numberIn(context.request, "totalOrderCount");
        if (requested > 0 && met(context, withOffset)) orderBook.totalOrderCount = requested;
      }),
    },
    "order-book-requested-total-is-the-limit-by-symbols": {
      summary:
        "GetOrderBook takes the request's totalOrderCount for an omitted limit when the market is selected by symbols.",
      alsoFails: [
        "order-book.limit-default",
        "order-book.page-size",
        "selector.by-symbol",
        "order-book.limit-per-book",
      ],
      request: rewrites(
        operation,
        all(bySymbols, (json) => json.limit === undefined && numberIn(json, "totalOrderCount") > 0),
        (json) => ({ ...json, limit: numberIn(json, "totalOrderCount") }),
      ),
    },
  }),

  ...breaking("order-book.bucket-spacing", {
    // tickSize
    "order-book-buckets-lost-in-usd": {
      summary: "GetOrderBook does not bucket a book in USD, though it reports the tick.",
      alsoFails: ["order-book.bucket-alignment", "order-book.size-in-usd"],
      response: shows(({ step, sizeInUsd }) => (sizeInUsd && step > 0 ? { step: 0 } : undefined)),
    },
    "order-book-narrow-buckets-in-one-market": {
      summary: "GetOrderBook makes the buckets of the second market a tenth as wide as it reports.",
      alsoFails: ["order-book.bucket-alignment", "order-book.tick-size-applied"],
      response: shows((terms, context) =>
        terms.step > 1 && isOf(terms, context, 1) ? { step: terms.step / 10 } : undefined,
      ),
    },
  }),

  ...breaking("order-book.tick-size-steps", {
    "order-book-largest-step-refused-in-one-market": {
      summary: "GetOrderBook refuses the step of 10^6 minimum ticks in the fourth market.",
      http: refuses(
        operation,
        "invalid_argument",
        (context) => isOf(termsOf(context), context, 3) && termsOf(context).step >= 1_000_000,
      ),
    },
  }),

  ...breaking("order-book.limit-large", {
    "order-book-large-limit-refused-in-one-market": {
      summary: "GetOrderBook refuses a limit above 1000 in the sixth market.",
      http: refuses(
        operation,
        "invalid_argument",
        (context) => isOf(termsOf(context), context, 5) && numberIn(context.request, "limit") > 1_000,
      ),
    },
  }),

  ...breaking("errors.documented-outcome", {
    "order-book-tick-refused-by-symbols": {
      summary: "GetOrderBook refuses a tick size when the market is selected by symbols.",
      alsoFails: ["selector.by-symbol", "order-book.tick-size-steps"],
      http: refuses(operation, "invalid_argument", (context) => met(context, bySymbols, withTick)),
    },
    "order-book-tiny-tick-refused-beside-an-offset": {
      summary: "GetOrderBook refuses a tick size below the minimum tick when there is an offset.",
      alsoFails: [
        "order-book.offset-skips-orders",
        "order-book.parts-make-whole",
        "order-book.tick-size-below-minimum",
        "order-book.total-order-count",
      ],
      http: refuses(operation, "invalid_argument", (context) => met(context, withOffset, withTinyTick)),
    },
    "order-book-crashes-by-symbols-in-usd-after-an-offset": {
      summary: "GetOrderBook fails with internal when symbols, sizes in USD and an offset come together.",
      alsoFails: ["selector.by-symbol"],
      http: refuses(operation, "internal", (context) => met(context, bySymbols, inUsd, withOffset)),
    },
    "order-book-crashes-on-a-large-limit-with-a-tick-and-levels": {
      summary:
        "GetOrderBook fails with internal when a limit above 100, a tick size and a number of levels come together.",
      alsoFails: ["order-book.limit-large", "order-book.tick-size-steps"],
      http: refuses(operation, "internal", (context) =>
        met(context, withTick, withLevels, (json) => numberIn(json, "limit") > 100),
      ),
    },
  }),

  ...breaking("order-book.tick-size-applied", {
    "order-book-tick-lost-by-symbols": {
      summary: "GetOrderBook forgets the tick size when the market is selected by symbols.",
      alsoFails: [
        "selector.by-symbol",
        "order-book.bucket-spacing",
        "order-book.bucket-alignment",
        "order-book.tick-size-below-minimum",
        "order-book.tick-size-no-step",
        "order-book.tick-size-negative",
      ],
      request: loses(
        operation,
        "tickSize",
        all(bySymbols, (json) => numberIn(json, "tickSize") > 0),
      ),
    },
  }),

  ...breaking("order-book.tick-size-steps", {
    "order-book-exponent-refused-by-symbols": {
      summary: "GetOrderBook refuses a tick size in exponent notation when the market is selected by symbols.",
      alsoFails: whereNotationsAreRefused,
      http: refuses(
        operation,
        "invalid_argument",
        (context) => met(context, bySymbols) && /"tickSize"\s*:\s*[\d.]+e/i.test(context.requestText),
      ),
    },
    "order-book-superfluous-zero-refused": {
      summary: "GetOrderBook refuses a tick size with a zero at the end of its decimals, such as 10.0.",
      alsoFails: whereNotationsAreRefused,
      http: refuses(operation, "invalid_argument", ({ requestText }) =>
        /"tickSize"\s*:\s*\d+\.\d*0[,}\s]/.test(requestText),
      ),
    },
  }),

  ...breaking("order-book.tick-size-below-minimum", {
    "order-book-tiny-tick-is-none-in-usd": {
      summary: "GetOrderBook takes a tick size below the minimum tick for none when sizes are in USD.",
      alsoFails: ["order-book.tick-size-applied"],
      request: loses(operation, "tickSize", all(inUsd, withTinyTick)),
    },
  }),

  ...breaking("order-book.tick-size-zero", {
    "order-book-tick-zero-buckets-beside-levels": {
      summary:
        "GetOrderBook takes an explicit tick size of 0 for the minimum tick when a number of levels is asked for.",
      alsoFails: ["order-book.tick-size-applied"],
      request: rewrites(
        operation,
        all(withLevels, (json) => json.tickSize === 0),
        (json, { dataset }) => ({ ...json, tickSize: 10 ** -(selectedBy(json, dataset)?.tickDecimals ?? 0) }),
      ),
    },
  }),

  ...breaking("order-book.tick-size-negative", {
    "order-book-negative-tick-taken-in-usd": {
      summary: "GetOrderBook ignores the sign of a tick size when sizes are in USD.",
      request: rewrites(
        operation,
        all(inUsd, (json) => numberIn(json, "tickSize") < 0),
        (json, { dataset }) => {
          const { tickDecimals = 0 } = selectedBy(json, dataset) ?? {};
          const exponent = Math.max(-tickDecimals, Math.round(Math.log10(-numberIn(json, "tickSize"))));
          return { ...json, tickSize: Number(`1e${exponent}`) };
        },
      ),
    },
  }),

  ...breaking("order-book.tick-size-no-step", {
    "order-book-any-tick-taken-beside-levels": {
      summary:
        "GetOrderBook rounds a tick size that is not a power of ten down to one when a number of levels is asked for.",
      request: rewrites(operation, all(withLevels, withTick), (json) => ({
        ...json,
        tickSize: Number(`1e${Math.floor(Math.log10(numberIn(json, "tickSize")) + 1e-9)}`),
      })),
    },
    "order-book-tick-above-the-minimum-cut-off-in-one-market": {
      summary: "GetOrderBook takes a tick size of less than ten minimum ticks for the minimum in the sixth market.",
      request: rewrites(
        operation,
        all(ofTheSixthMarket, (json, context) => withTick(json, context) && ticksIn(json, context) < 9.999),
        (json, context) => ({ ...json, tickSize: numberIn(json, "tickSize") / ticksIn(json, context) }),
      ),
    },
  }),

  ...breaking("order-book.tick-size-steps", {
    "order-book-fourth-step-refused-in-one-market": {
      summary: "GetOrderBook refuses a tick size of ten thousand minimum ticks in the sixth market.",
      alsoFails: ["order-book.limit-large", "errors.documented-outcome"],
      http: refuses(
        operation,
        "invalid_argument",
        (context) => met(context, ofTheSixthMarket) && Math.abs(ticksIn(context.request, context) - 10_000) < 1,
      ),
    },
  }),

  ...breaking("order-book.limit-large", {
    "order-book-lacks-the-last-ask-in-buckets-of-one-market-by-symbols": {
      summary: "GetOrderBook leaves out the last ask in buckets of the sixth market when that is selected by symbols.",
      alsoFails: ["order-book.offset-skips-orders", "order-book.parts-make-whole"],
      response: changeBook((orderBook, context) => {
        const asks = levelsOf(orderBook, "asks");
        if (!isOf(termsOf(context), context, 5) || !met(context, bySymbols, withTick) || asks.length < 3) return;
        setLevels(orderBook, "asks", asks.slice(0, -1));
        countLevels(orderBook);
      }),
    },
    "order-book-bucket-of-price-zero-dropped": {
      summary: "GetOrderBook leaves out the bucket whose price is zero.",
      alsoFails: ["order-book.bucketing-keeps-size", "order-book.offset-skips-orders", "order-book.parts-make-whole"],
      response: changeBook((orderBook) => {
        for (const side of bookSides)
          setLevels(
            orderBook,
            side,
            levelsOf(orderBook, side).filter((level) => numberIn(level, "price") !== 0),
          );
        countLevels(orderBook);
      }),
    },
  }),

  ...breaking("order-book.offset-skips-orders", {
    "order-book-last-order-lost-at-a-limit-of-all": {
      summary: "GetOrderBook loses an order when the limit is exactly the number of orders.",
      alsoFails: ["order-book.page-size", "order-book.limit-large", "order-book.limit-per-side"],
      response: shows((terms, { dataset }) =>
        terms.limit === dataset.markets.get(terms.marketId)?.depth.length
          ? { limit: terms.limit - terms.offset - 1 }
          : undefined,
      ),
    },
    "order-book-last-order-lost-where-offset-and-limit-make-all": {
      summary: "GetOrderBook loses an order when offset and limit together are exactly the number of orders.",
      alsoFails: ["order-book.page-size", "order-book.parts-make-whole"],
      response: shows(({ limit, offset, marketId }, { dataset }) =>
        offset > 0 && offset + limit === dataset.markets.get(marketId)?.depth.length ? { limit: limit - 1 } : undefined,
      ),
    },
  }),

  ...breaking("order-book.levels-best", {
    // levels
    "order-book-levels-far-from-the-best-with-an-offset": {
      summary: "GetOrderBook leaves out each side's best level when a number of levels comes with an offset.",
      alsoFails: ["order-book.cumulative-total", "order-book.offset-skips-orders"],
      response: changeBook((orderBook, context) => {
        const { levels, offset } = termsOf(context);
        if (levels === 0 || offset === 0) return;
        for (const side of bookSides) {
          const [best, ...others] = levelsOn(side, context, { levels: levels + 1 });
          if (best === undefined || others.length < levels) continue;
          const skipped = numberIn(best, "size");
          setLevels(
            orderBook,
            side,
            others.map((level) => ({ ...level, cumulativeTotal: numberIn(level, "cumulativeTotal") - skipped })),
          );
        }
      }),
    },
  }),

  ...breaking("order-book.level-count", {
    "order-book-level-count-of-the-unbucketed-book": {
      summary:
        "GetOrderBook counts the levels before bucketing when a number of levels is asked for of a bucketed book.",
      response: changeBook((orderBook, context) => {
        if (!met(context, withLevels) || termsOf(context).step === 0) return;
        const raw = levelsOn("bids", context, { step: 0, levels: 0 }).length;
        orderBook.levels = Math.max(raw, numberIn(orderBook, "levels"));
      }),
    },
  }),

  ...breaking("protocol.connect-version-optional", {
    "order-book-all-levels-without-the-version-header": {
      summary: "Without Connect-Protocol-Version GetOrderBook ignores the number of levels.",
      alsoFails: ["order-book.levels-maximum", "order-book.level-count", "order-book.levels-best"],
      request: loses(operation, "levels", (json, context) => withLevels(json, context) && lacksVersion(context)),
    },
  }),

  ...breaking("order-book.limit-zero", {
    // limit
    "order-book-limit-zero-is-one-beside-levels": {
      summary: "GetOrderBook takes an explicit limit of 0 for 1 when a number of levels is asked for.",
      alsoFails: ["order-book.page-size", "order-book.levels-best"],
      request: rewrites(
        operation,
        all(withLevels, (json) => json.limit === 0),
        (json) => ({ ...json, limit: 1 }),
      ),
    },
  }),

  ...breaking("order-book.limit-default", {
    "order-book-default-limit-200-beside-levels": {
      summary: "GetOrderBook aggregates 200 orders by default when a number of levels is asked for.",
      alsoFails: [
        "order-book.page-size",
        "order-book.limit-per-side",
        "order-book.limit-per-book",
        "order-book.levels-best",
      ],
      request: rewrites(
        operation,
        all(withLevels, (json) => json.limit === undefined),
        (json) => ({ ...json, limit: 200 }),
      ),
    },
  }),

  ...breaking("order-book.limit-per-side", {
    "order-book-limit-lost-beside-a-tick-and-an-offset": {
      summary: "GetOrderBook aggregates 50 orders, whatever the limit, when a tick size comes with an offset.",
      alsoFails: [
        "order-book.limit-large",
        "order-book.bucketing-keeps-size",
        "order-book.limit-per-book",
        "order-book.offset-skips-orders",
        "order-book.page-size",
      ],
      request: loses(operation, "limit", all(withTick, withOffset)),
    },
  }),

  ...breaking("order-book.page-size", {
    "order-book-page-size-counts-the-skipped-of-buckets": {
      summary: "GetOrderBook counts the skipped orders in pageSize when the book is bucketed.",
      response: changeBook((orderBook, context) => {
        const { step, offset } = termsOf(context);
        if (step > 0 && offset > 0) orderBook.pageSize = numberIn(orderBook, "pageSize") + offset;
      }),
    },
  }),

  ...breaking("order-book.size-in-usd-flag", {
    // sizeInUsd and the levels themselves
    "order-book-usd-flag-lost-by-symbols": {
      summary: "GetOrderBook says that sizes are not in USD, though they are, when the market is selected by symbols.",
      alsoFails: ["selector.by-symbol"],
      response: changeBook((orderBook, context) => {
        if (met(context, bySymbols)) orderBook.sizeInUsd = false;
      }),
    },
  }),

  ...breaking("wire.number-type", {
    "order-book-usd-sizes-as-strings-with-a-tick": {
      summary: "GetOrderBook writes the sizes of bucketed asks in USD as strings.",
      response: changeBook((orderBook, context) => {
        if (!met(context, inUsd) || termsOf(context).step === 0) return;
        for (const level of levelsOf(orderBook, "asks")) level.size = String(level.size);
      }),
    },
  }),

  ...breaking("order-book.prices-distinct", {
    "order-book-two-levels-of-one-price-in-usd-after-an-offset": {
      summary: "GetOrderBook splits a level of several orders in two when sizes are in USD and there is an offset.",
      alsoFails: ["order-book.levels-sorted", "order-book.size-in-usd"],
      response: changeBook((orderBook, context) => {
        if (!met(context, inUsd, withOffset) || met(context, withLevels)) return;
        const bids = levelsOf(orderBook, "bids");
        const at = bids.findIndex((level) => numberIn(level, "orderCount") > 1);
        const level = bids[at];
        if (level === undefined) return;
        const half = { ...level, size: numberIn(level, "size") / 2 };
        const first = { ...half, orderCount: 1, cumulativeTotal: numberIn(level, "cumulativeTotal") - half.size };
        const second = { ...half, orderCount: numberIn(level, "orderCount") - 1 };
        setLevels(orderBook, "bids", bids.toSpliced(at, 1, first, second));
        countLevels(orderBook);
      }),
    },
  }),

  ...breaking("order-book.levels-sorted", {
    "order-book-of-the-third-market-unsorted": {
      summary: "GetOrderBook swaps the second and the third ask of the third market.",
      alsoFails: ["order-book.cumulative-total", "order-book.sides-sorted-alike"],
      response: changeBook((orderBook, context) => {
        const [best, second, third, ...others] = levelsOf(orderBook, "asks");
        if (!isOf(termsOf(context), context, 2) || !best || !second || !third) return;
        setLevels(orderBook, "asks", [best, third, second, ...others]);
      }),
    },
  }),

  ...breaking("order-book.cumulative-total", {
    "order-book-cumulative-of-one-market-forgets-a-level": {
      summary: "GetOrderBook leaves the second bid out of the running totals beyond it in the sixth market.",
      response: changeBook((orderBook, context) => {
        if (!isOf(termsOf(context), context, 5)) return;
        const [, second, ...others] = levelsOf(orderBook, "bids");
        for (const level of others) {
          level.cumulativeTotal = numberIn(level, "cumulativeTotal") - numberIn(second ?? {}, "size");
        }
      }),
    },
    "order-book-cumulative-in-one-market-in-units-beside-usd": {
      summary: "GetOrderBook gives the running totals of the fourth market in units beside sizes in USD.",
      response: changeBook((orderBook, context) => {
        if (!isOf(termsOf(context), context, 3) || !met(context, inUsd)) return;
        for (const side of bookSides) {
          const inUnits = levelsOn(side, context, { sizeInUsd: false });
          for (const [index, level] of levelsOf(orderBook, side).entries()) {
            level.cumulativeTotal = inUnits[index]?.cumulativeTotal;
          }
        }
      }),
    },
  }),

  ...breaking("order-book.market-id", {
    "order-book-market-id-of-the-first-market-by-symbols-in-usd": {
      summary: "GetOrderBook names the first market when the market is selected by symbols and sizes are in USD.",
      alsoFails: ["selector.by-symbol"],
      response: changeBook((orderBook, context) => {
        if (met(context, bySymbols, inUsd)) orderBook.marketId = String(marketAt(context.dataset, 0)?.id);
      }),
    },
  }),

  ...breaking("protocol.timeout-generous", {
    // headers, and errors
    "order-book-tick-lost-with-a-timeout": {
      summary: "With Connect-Timeout-Ms GetOrderBook forgets the tick size.",
      alsoFails: [
        "order-book.tick-size-applied",
        "order-book.bucket-spacing",
        "order-book.bucket-alignment",
        "order-book.tick-size-below-minimum",
      ],
      request: loses(operation, "tickSize", (json, context) => numberIn(json, "tickSize") > 0 && hasTimeout(context)),
    },
  }),
];
