/** Judges of an order book against what was asked for: limit, offset, levels, and the unit of sizes (§4.6). */
import type { JsonObject } from "../connect/json.js";
import { numberTolerance, orderBookLimitDefault, usdSizeTolerance } from "../specification/limits.js";
import type { AlternativeId } from "../specification/readings.js";
import {
  type BookSide,
  bestFirst,
  bookSides,
  describeLevel,
  isSamePrice,
  judgeBook,
  numberIs,
  ordersShown,
  type PlacedLevel,
  roundingOf,
  sameLevel,
  verdictOn,
} from "./book.js";
import {
  combine,
  computed,
  countOf,
  type Judgement,
  judgeEach,
  nothingSeen,
  show,
  type Violation,
} from "./judgement.js";
import { type OrderBookView, orderBookOf } from "./read.js";
import { nearlyEqual, productHalfUnit } from "./tolerance.js";

/** The counts of a request to GetOrderBook; what is undefined was omitted. */
export interface BookCounts {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly levels?: number | undefined;
}

/** The limit that a requested one comes to: 50 when omitted or zero, and no maximum (B3). */
export function effectiveBookLimit(limit: number | undefined): number {
  return limit === undefined || limit === 0 ? orderBookLimitDefault : limit;
}

/** Underlying orders that an offset leaves. */
function remaining({ totalOrderCount }: OrderBookView, offset = 0): number {
  return Math.max(0, totalOrderCount - offset);
}

/**
 * `pageSize` is the effective limit or the number of orders really aggregated: the sum of `orderCount`, or min(limit,
 * totalOrderCount - offset) (B1). Levels that are cut off hold orders that were aggregated, and a limit may count per side
 * (B2): then it is at most twice the limit. Where the request names no limit, that the default holds is not this rule's
 * business.
 *
 * @param reading which of the two it has to be; either when absent
 */
export function pageSizeFits(
  body: JsonObject,
  { limit, offset, levels }: BookCounts,
  reading?: AlternativeId<"B1">,
): Judgement {
  return judgeBook(body, (book) => {
    const left = remaining(book, offset);
    if (!Number.isFinite(left)) return nothingSeen("a readable orderBook.totalOrderCount");
    const effective = effectiveBookLimit(limit);
    const aggregated = Math.min(effective, left);
    const shown = ordersShown(book);
    const most = levels ? Math.max(shown, Math.min(2 * effective, left)) : shown;
    const inWords = most === shown ? `${shown}` : `${shown} to ${most}`;
    const accepted = [
      ...(reading === "orders-aggregated" ? [] : [`${effective} (the effective limit)`]),
      ...(reading === "effective-limit"
        ? []
        : [
            `${inWords} (orders really aggregated)`,
            ...(aggregated === shown ? [] : [`${aggregated} (limit or rest)`]),
          ]),
    ];
    const isAggregated = (pageSize: number) => pageSize === aggregated || (pageSize >= shown && pageSize <= most);
    return numberIs(
      "orderBook.pageSize",
      book.pageSize,
      (pageSize) =>
        (pageSize === effective && reading !== "orders-aggregated") ||
        (isAggregated(pageSize) && reading !== "effective-limit"),
      accepted.join(" or "),
    );
  });
}

/** `offset` is the requested one, 0 when omitted. Beyond `totalOrderCount` it is left open. */
export function offsetIs(body: JsonObject, offset = 0): Judgement {
  return judgeBook(body, (book) => {
    if (offset > book.totalOrderCount) return nothingSeen(`a book with more than ${offset} underlying orders`);
    const reason = offset === 0 ? "no order is skipped" : "the requested offset";
    return numberIs("orderBook.offset", book.offset, (seen) => seen === offset, `${offset} (${reason})`);
  });
}

/**
 * Each side aggregates at most `limit` underlying orders (B2). It takes a book of more than twice the limit, or a side
 * beyond it, to tell.
 */
export function withinLimitPerSide(body: JsonObject, limit: number | undefined, offset = 0): Judgement {
  return judgeBook(body, (book) => {
    const most = effectiveBookLimit(limit);
    const counts = bookSides.map((side) => ({ side, count: ordersShown(book, side) }));
    if (remaining(book, offset) <= 2 * most && counts.every(({ count }) => !(count > most))) {
      return nothingSeen(`a book with more than ${2 * most} underlying orders`);
    }
    return judgeEach(counts, ({ side, count }) => tooMany(`orderBook.book.${side}`, count, most, limit));
  });
}

/** Both sides together aggregate at most `limit` underlying orders (B2). It takes a book of more than the limit to tell. */
export function withinLimitPerBook(body: JsonObject, limit: number | undefined, offset = 0): Judgement {
  return judgeBook(body, (book) => {
    const most = effectiveBookLimit(limit);
    const count = ordersShown(book);
    if (remaining(book, offset) <= most && !(count > most)) {
      return nothingSeen(`a book with more than ${most} underlying orders`);
    }
    return judgeEach([count], () => tooMany("orderBook.book", count, most, limit));
  });
}

function tooMany(path: string, count: number, most: number, limit: number | undefined): Violation | undefined {
  if (!(count > most)) return undefined;
  const reason = limit ? "the requested limit" : "the default limit";
  return {
    path,
    expected: `levels of at most ${countOf(most, "order")} (${reason})`,
    seen: countOf(count, "order"),
  };
}

/**
 * A level that has all orders of its price has the size of that price in USD, whatever part of the book is shown (B12).
 *
 * @param units the whole book, without bucketing
 */
export function wholeLevelsInUsd(units: JsonObject, usd: JsonObject): Judgement {
  return judgeBook(units, (unitBook) =>
    judgeBook(usd, (usdBook) => {
      const whole = bookSides.map((side) => {
        const levels = bestFirst(unitBook, side);
        const shown = bestFirst(usdBook, side).flatMap((level): (readonly [PlacedLevel, PlacedLevel])[] => {
          const [own, another] = levels.filter((other) => isSamePrice(other, level));
          const isWhole = own !== undefined && another === undefined && own.orderCount === level.orderCount;
          return isWhole && own.size > 0 && Number.isFinite(level.size) ? [[own, level]] : [];
        });
        return sizesInUsd(unitBook, usdBook, shown, 0);
      });
      return combine(whole);
    }),
  );
}

/** With a limit beyond the book, the levels hold all of its orders (B2, B3). */
export function showsWholeBook(body: JsonObject, limit: number): Judgement {
  return judgeBook(body, (book) => {
    const total = book.totalOrderCount;
    if (!(total > 0)) return nothingSeen("a market with orders in its book");
    if (total > limit) return nothingSeen(`a book with at most ${limit} underlying orders`);
    const shown = ordersShown(book);
    return verdictOn(!(shown < total), {
      path: "orderBook.book",
      expected: `levels of ${countOf(total, "order")} (= totalOrderCount, since the limit is ${limit})`,
      seen: countOf(shown, "order"),
    });
  });
}

/**
 * An offset of k leaves no more than all but k of the underlying orders, and no fewer than all but k of each side where limit and
 * levels are beyond the book (B2). Which of the two it is takes more than one answer to tell: see {@link offsetsLeave}.
 *
 * @param asked zero is the default
 */
export function offsetLeaves(
  body: JsonObject,
  { limit, offset, levels }: { readonly limit: number; readonly offset: number; readonly levels: number },
): Judgement {
  return judgeBook(body, (book) => {
    const total = book.totalOrderCount;
    const [most, least] = [remaining(book, offset), remaining(book, 2 * offset)];
    const shown = ordersShown(book);
    if (!Number.isFinite(most + shown)) return nothingSeen("readable counts of orders");
    const reachesEnd = total <= limit && levels === 0;
    if (!reachesEnd && shown <= most) return nothingSeen(`a book with at most ${limit} underlying orders`);
    return verdictOn(shown >= least && shown <= most, {
      path: "orderBook.book",
      expected: `levels of ${countOf(most, "order")} (= totalOrderCount ${total} less offset ${offset}), or less the offset on each side`,
      seen: countOf(shown, "order"),
    });
  });
}

/** A book that was asked for with an offset and a limit beyond it, and the whole of it at the same moment. */
export interface OffsetBook {
  readonly rest: JsonObject;
  readonly whole: JsonObject;
  readonly offset: number;
  readonly limit: number;
}

/**
 * With a limit beyond the book, an offset of k leaves all but k of the underlying orders, or all but k of each side: the same
 * of the two for every k and in every market (B2). A violation is in the answer with the rest.
 */
export function offsetsLeave(books: readonly OffsetBook[]): Judgement {
  const counted = books.flatMap(({ rest, whole, offset, limit }, answer) => {
    const [book, full] = [orderBookOf(rest), orderBookOf(whole)];
    if (!book || !full || !(full.totalOrderCount <= limit)) return [];
    const perSide = bookSides.reduce((sum, side) => sum + Math.max(0, ordersShown(full, side) - offset), 0);
    const [perBook, shown] = [remaining(full, offset), ordersShown(book)];
    return Number.isFinite(perBook + shown) ? [{ answer, offset, perBook, perSide, shown }] : [];
  });
  const failing = (way: "perBook" | "perSide") => counted.filter((book) => book.shown !== book[way]);
  const [ofBook, ofSides] = [failing("perBook"), failing("perSide")];
  const wrong = ofSides.length < ofBook.length ? ofSides : ofBook;
  return {
    examined: counted.length,
    missing: "a market with orders in its book, and no more of them than the limit",
    violations: wrong.map(({ answer, offset, perBook, perSide, shown }) => ({
      answer,
      path: "orderBook.book",
      expected: `levels of ${perBook} orders (all but ${offset}) or of ${perSide} (all but ${offset} of each side): the same of the two at each offset`,
      seen: `${shown} orders`,
    })),
  };
}

/**
 * The orders within the first k and those from offset k on add up to the book, level by level (B2). Where they are not as many
 * together, limit and offset do not count alike, and nothing is said.
 *
 * @param whole the book without bucketing or in buckets, as both parts are
 */
export function partsMakeWhole(whole: JsonObject, first: JsonObject, rest: JsonObject): Judgement {
  const books = [whole, first, rest].map(orderBookOf);
  const [all, ...parts] = books.map((book) => (book ? ordersShown(book) : Number.NaN));
  const missing = "a book of which limit and offset select parts that have as many orders together";
  if (parts.some((count) => !(count > 0)) || parts.reduce((sum, count) => sum + count, 0) !== all) {
    return nothingSeen(missing);
  }
  return combine(bookSides.map((side) => sameSumsPerPrice(books as readonly OrderBookView[], side)));
}

function sameSumsPerPrice([whole, ...parts]: readonly OrderBookView[], side: BookSide): Judgement {
  if (!whole) return nothingSeen("a book");
  const rounding = [whole, ...parts].reduce((sum, book) => sum + roundingOf(book, "size"), 0);
  const ofParts = parts.flatMap((part) => bestFirst(part, side));
  return judgeEach(bestFirst(whole, side), (level) => {
    const { path, price, size, orderCount } = level;
    const there = ofParts.filter((part) => isSamePrice(part, level));
    const [sizes, counts] = there.reduce(([a, b], part) => [a + part.size, b + part.orderCount], [0, 0]);
    if (counts === orderCount && nearlyEqual(sizes, size, { rounding })) return undefined;
    return {
      path,
      expected: `size ${computed(sizes)} of ${counts} orders at ${price} (what the two parts of the book hold there together)`,
      seen: `size ${size} of ${orderCount} orders`,
    };
  });
}

/**
 * Orders are skipped before aggregating: while some are left, whatever the limit, some are shown. Of a book with more than
 * twice as many orders some are left even where the offset counts on each side.
 */
export function offsetLeavesSome(body: JsonObject, offset: number): Judgement {
  return judgeBook(body, (book) => {
    const left = remaining(book, offset);
    if (!(left > offset)) return nothingSeen(`a book with more than ${2 * offset} underlying orders`);
    return verdictOn(ordersShown(book) > 0, {
      path: "orderBook.book",
      expected: `some of the ${countOf(left, "order")} that an offset of ${offset} leaves of ${book.totalOrderCount}`,
      seen: "an empty book",
    });
  });
}

/** No side has more levels than were asked for. It takes a side with as many to tell. */
export function atMostLevels(body: JsonObject, levels: number): Judgement {
  return judgeBook(body, ({ bids, asks }) => {
    const lengths = [
      { side: "bids", length: bids.length },
      { side: "asks", length: asks.length },
    ].filter(({ length }) => length >= levels);
    return judgeEach(
      lengths,
      ({ side, length }) =>
        length > levels
          ? {
              path: `orderBook.book.${side}`,
              expected: `at most ${countOf(levels, "level")} (asked for)`,
              seen: countOf(length, "level"),
            }
          : undefined,
      `a side with at least ${countOf(levels, "level")}`,
    );
  });
}

/** With `levels` N, each side shows the N best levels of the full side (B6). It takes a side with more to tell. */
export function bestLevels(full: JsonObject, cut: JsonObject, levels: number): Judgement {
  return judgeBook(full, (fullBook) =>
    judgeBook(cut, (cutBook) =>
      combine(
        bookSides.map((side) => {
          const all = bestFirst(fullBook, side);
          if (all.length <= levels) return nothingSeen(`a side with more than ${countOf(levels, "level")}`);
          const shown = bestFirst(cutBook, side);
          const rounding = roundingOf(fullBook, "size") + roundingOf(cutBook, "size");
          return judgeEach(all.slice(0, levels), (level, rank) => {
            const seen = shown[rank];
            return seen && sameLevel(level, seen, rounding)
              ? undefined
              : {
                  path: seen?.path ?? `orderBook.book.${side}`,
                  expected: `${describeLevel(level)} (the full side's number ${rank + 1} from the best)`,
                  seen: describeLevel(seen),
                  answer: 1,
                };
          });
        }),
      ),
    ),
  );
}

/** Whether a book shows so many levels on a side: there may be more of them, which were left out. */
export function showsLevels(body: JsonObject, levels: number): boolean {
  const book = orderBookOf(body);
  return book !== undefined && levels > 0 && bookSides.some((side) => book[side].length >= levels);
}

/**
 * Without `levels`, none is left out: another answer about the same orders, cut at more levels than there are or merged
 * into wide buckets, shows no more orders than this one does.
 */
export function noLevelLeftOut(body: JsonObject, other: JsonObject): Judgement {
  return judgeBook(body, (book) =>
    judgeBook(other, (otherBook) => {
      const [shown, orders] = [ordersShown(book), ordersShown(otherBook)];
      if (!(orders > 0)) return nothingSeen("a book with orders");
      return verdictOn(!(shown < orders), {
        path: "orderBook.book",
        expected: `levels of ${countOf(orders, "order")} (as many as another answer about the same orders shows)`,
        seen: `${countOf(shown, "order")} in ${book.bids.length} bid and ${book.asks.length} ask levels`,
      });
    }),
  );
}

/**
 * A level's size in USD is its price times its size in units: with a relative tolerance of 1e-4 where bucketing is off,
 * and to within one tick of price where it is on, and by the precision shown (B12, R1). It changes sizes alone: the levels are the
 * same, with the same orders.
 *
 * @param tick the bucket size that was asked for; 0 without bucketing
 */
export function usdNotional(units: JsonObject, usd: JsonObject, tick = 0): Judgement {
  return judgeBook(units, (unitBook) =>
    judgeBook(usd, (usdBook) =>
      combine(
        bookSides.flatMap((side) => [
          sameLevels(unitBook, usdBook, side),
          sizesInUsd(unitBook, usdBook, pairs(unitBook, usdBook, side), tick),
        ]),
      ),
    ),
  );
}

/** The sizes of levels in USD beside those in units: each about price x units, give or take a tick of price. */
function sizesInUsd(
  unitBook: OrderBookView,
  usdBook: OrderBookView,
  levels: readonly (readonly [unit: PlacedLevel, usd: PlacedLevel])[],
  tick: number,
): Judgement {
  const ofUsd = roundingOf(usdBook, "size");
  const ofUnits = roundingOf(unitBook, "size");
  const ofPrice = roundingOf(unitBook, "price");
  return judgeEach(
    levels,
    ([unit, { path, size }]) => {
      const product = unit.price * unit.size;
      const rounding = ofUsd + productHalfUnit([unit.price, ofPrice], [unit.size, ofUnits]);
      const most = Math.max(usdSizeTolerance * Math.abs(product) + tick * unit.size, numberTolerance.absolute);
      if (Math.abs(size - product) <= most + rounding) return undefined;
      const about = tick === 0 ? "" : `, give or take ${computed(tick)} of price`;
      const expected = `about ${computed(product)} (= price ${unit.price} x ${unit.size} units${about})`;
      return { path: `${path}.size`, expected, seen: show(size), answer: 1 };
    },
    "a level with a size",
  );
}

/** The levels of both are at the same prices and hold as many orders; the first one that is not is told. */
function sameLevels(units: OrderBookView, usd: OrderBookView, side: BookSide): Judgement {
  const [expected, seen] = [units, usd].map((book) => bestFirst(book, side)) as [PlacedLevel[], PlacedLevel[]];
  const levels = Array.from({ length: Math.max(expected.length, seen.length) }, (_, rank) => [
    expected[rank],
    seen[rank],
  ]);
  const inWords = (level: PlacedLevel | undefined) =>
    level ? `${countOf(level.orderCount, "order")} at ${level.price}` : "no level";
  const other = levels.find(([one, another]) => {
    if (inWords(one) === inWords(another)) return false;
    return !one || !another || !isSamePrice(one, another) || one.orderCount !== another.orderCount;
  });
  if (!other) return combine([]);
  const [one, another] = other;
  const path = another?.path ?? `orderBook.book.${side}`;
  return {
    examined: 1,
    violations: [{ path, expected: `${inWords(one)} (as in units)`, seen: inWords(another), answer: 1 }],
  };
}

function pairs(a: OrderBookView, b: OrderBookView, side: BookSide): [PlacedLevel, PlacedLevel][] {
  const others = bestFirst(b, side);
  return bestFirst(a, side).flatMap((level, rank): [PlacedLevel, PlacedLevel][] => {
    const other = others[rank];
    const same = other !== undefined && isSamePrice(other, level) && other.orderCount === level.orderCount;
    return same && level.size > 0 && Number.isFinite(other.size) ? [[level, other]] : [];
  });
}

/**
 * With a limit beyond the book, what an offset leaves is part of the whole: no level of it holds more orders than the same level of
 * the whole book does (B2). Judged where both answers aggregate all orders that they can.
 *
 * @param whole the same request without the offset
 */
export function holdsRest(whole: JsonObject, rest: JsonObject): Judgement {
  return judgeBook(whole, (wholeBook) =>
    judgeBook(rest, (restBook) =>
      combine(
        bookSides.map((side) => {
          if (ordersShown(wholeBook) < wholeBook.totalOrderCount) {
            return nothingSeen("a request whose limit is beyond the book");
          }
          const levels = bestFirst(wholeBook, side);
          return judgeEach(
            bestFirst(restBook, side),
            (level): Violation | undefined => {
              const own = levels.find((other) => isSamePrice(other, level));
              if (own && level.orderCount <= own.orderCount) return undefined;
              const expected = own
                ? `at most the ${countOf(own.orderCount, "order")} that the whole book has there`
                : "a level of the whole book";
              return { path: level.path, expected, seen: describeLevel(level), answer: 1 };
            },
            "a book with orders",
          );
        }),
      ),
    ),
  );
}
