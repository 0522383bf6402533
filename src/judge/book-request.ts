/** Judges an order book against its request: limit, offset, levels, and the unit of sizes (§4.6). */
import type { JsonObject } from "../connect/json.js";
import { type BookSide, bookSides } from "../specification/enums.js";
import { numberTolerance, orderBookLimitDefault, usdSizeTolerance } from "../specification/limits.js";
import type { AlternativeId } from "../specification/readings.js";
import {
  bestFirst,
  describeLevel,
  isSamePrice,
  judgeBook,
  levelRounding,
  numberIs,
  ordersShown,
  type PlacedLevel,
  sameLevel,
} from "./book.js";
import {
  combine,
  computed,
  countOf,
  type Judgement,
  judgeEach,
  judgeThat,
  nothingSeen,
  show,
  type Violation,
} from "./judgement.js";
import { type OrderBookView, orderBookOf } from "./read.js";
import { nearlyEqual, productHalfUnit } from "./tolerance.js";

/** The counts in a GetOrderBook request; undefined means omitted. */
export interface BookCounts {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly levels?: number | undefined;
}

/** The effective limit of a request: 50 when omitted or zero, with no maximum (B3). */
export function effectiveBookLimit(limit: number | undefined): number {
  return limit === undefined || limit === 0 ? orderBookLimitDefault : limit;
}

/** How many underlying orders are left after an offset. */
function remaining({ totalOrderCount }: OrderBookView, offset = 0): number {
  return Math.max(0, totalOrderCount - offset);
}

/**
 * `pageSize` is the effective limit or the number of orders actually aggregated: the sum of `orderCount`, or min(limit,
 * totalOrderCount - offset) (B1). Orders in levels that `levels` cuts off were aggregated too, and a limit may count per
 * side (B2), so a number up to twice the limit is accepted then. Whether an omitted limit means the default is judged by
 * another rule.
 *
 * @param reading which of the two it must be; both are accepted when absent
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

/** `offset` is the requested one, 0 when omitted. An offset beyond `totalOrderCount` is not judged. */
export function offsetIs(body: JsonObject, offset = 0): Judgement {
  return judgeBook(body, (book) => {
    if (offset > book.totalOrderCount) return nothingSeen(`a book with more than ${offset} underlying orders`);
    const reason = offset === 0 ? "no order is skipped" : "the requested offset";
    return numberIs("orderBook.offset", book.offset, (seen) => seen === offset, `${offset} (${reason})`);
  });
}

/**
 * Each side aggregates at most `limit` underlying orders (B2). Inconclusive unless the book has more than twice the
 * limit, or a side exceeds it.
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

/** Both sides together aggregate at most `limit` underlying orders (B2). Inconclusive unless the book has more than that. */
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
 * A level in USD that holds all orders at its price has the USD size of the whole level, whatever part of the book is
 * shown (B12).
 *
 * @param units the whole book in units, without bucketing
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

/** With a limit larger than the book, the levels hold all of its orders (B2, B3). */
export function showsWholeBook(body: JsonObject, limit: number): Judgement {
  return judgeBook(body, (book) => {
    const total = book.totalOrderCount;
    if (!(total > 0)) return nothingSeen("a market with orders in its book");
    if (total > limit) return nothingSeen(`a book with at most ${limit} underlying orders`);
    const shown = ordersShown(book);
    return judgeThat(!(shown < total), {
      path: "orderBook.book",
      expected: `levels of ${countOf(total, "order")} (= totalOrderCount of the answer, since the limit is ${limit})`,
      seen: countOf(shown, "order"),
    });
  });
}

/**
 * Of a book that has more orders than the limit, at least as many as the limit are shown: with those after them they make the
 * whole book (B2). There may be more, if the limit counts on each side.
 *
 * @param body the answer to a request without offset and levels
 */
export function showsFirstOrders(body: JsonObject, limit: number): Judgement {
  return judgeBook(body, (book) => {
    const total = book.totalOrderCount;
    if (!(total > limit)) return nothingSeen(`a book with more than ${limit} underlying orders`);
    const shown = ordersShown(book);
    return judgeThat(!(shown < limit), {
      path: "orderBook.book",
      expected: `levels of at least ${countOf(limit, "order")} (the limit; the book has ${total})`,
      seen: countOf(shown, "order"),
    });
  });
}

/**
 * An offset of k leaves at most totalOrderCount - k orders. If limit and levels do not cut the book, it leaves at least
 * totalOrderCount - 2k, since it may count on each side (B2). Which of the two applies takes more than one answer to
 * tell: see {@link offsetsLeave}.
 *
 * @param asked the counts of the request; zero means the default
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
    return judgeThat(shown >= least && shown <= most, {
      path: "orderBook.book",
      expected: `levels of ${countOf(most, "order")} (= totalOrderCount ${total} less offset ${offset}), or less the offset on each side`,
      seen: countOf(shown, "order"),
    });
  });
}

/** A book read with an offset and a limit larger than the book (`rest`), and the whole book at the same moment. */
export interface OffsetBook {
  readonly rest: JsonObject;
  readonly whole: JsonObject;
  readonly offset: number;
  readonly limit: number;
}

/**
 * With a limit larger than the book, an offset of k leaves all orders but k, or all but k on each side. Every offset and
 * every market must follow the same one of the two (B2). Violations are in `rest`; `answer` is the index of the book.
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
 * The first k orders and the orders from offset k on add up to the whole book, level by level (B2). Inconclusive if their
 * total counts do not add up: limit and offset then count in different ways, or another rule is broken.
 *
 * @param whole the whole book, with the same bucketing as the parts
 */
export function pagesSumToBook(whole: JsonObject, first: JsonObject, rest: JsonObject): Judgement {
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
  const rounding = [whole, ...parts].map((book) => levelRounding(book, "size"));
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
 * Orders are skipped before they are aggregated, so if any are left after the offset, some are shown, whatever the limit.
 * Judged only if the book has more than twice as many orders as the offset: some are then left even if it counts per side.
 */
export function offsetLeavesSome(body: JsonObject, offset: number): Judgement {
  return judgeBook(body, (book) => {
    const left = remaining(book, offset);
    if (!(left > offset)) return nothingSeen(`a book with more than ${2 * offset} underlying orders`);
    return judgeThat(ordersShown(book) > 0, {
      path: "orderBook.book",
      expected: `some of the ${countOf(left, "order")} that an offset of ${offset} leaves of ${book.totalOrderCount}`,
      seen: "an empty book",
    });
  });
}

/** No side has more levels than requested. Inconclusive unless a side has at least that many. */
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
      "a side with at least as many levels as are asked for",
    );
  });
}

/** With `levels` N, each side shows the N best levels of the full side (B6). Inconclusive unless a side has more than N. */
export function bestLevels(full: JsonObject, cut: JsonObject, levels: number): Judgement {
  return judgeBook(full, (fullBook) =>
    judgeBook(cut, (cutBook) =>
      combine(
        bookSides.map((side) => {
          const all = bestFirst(fullBook, side);
          if (all.length <= levels) return nothingSeen(`a side with more than ${countOf(levels, "level")}`);
          const shown = bestFirst(cutBook, side);
          const rounding = [levelRounding(fullBook, "size"), levelRounding(cutBook, "size")];
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

/** Whether a side shows at least `levels` levels, so that further ones may have been left out. */
export function showsLevels(body: JsonObject, levels: number): boolean {
  const book = orderBookOf(body);
  return book !== undefined && levels > 0 && bookSides.some((side) => book[side].length >= levels);
}

/**
 * Without `levels`, no level is left out. Another answer about the same orders, with more `levels` than there are or with
 * wide buckets, shows no more orders than this one.
 */
export function noLevelLeftOut(body: JsonObject, other: JsonObject): Judgement {
  return judgeBook(body, (book) =>
    judgeBook(other, (otherBook) => {
      const [shown, orders] = [ordersShown(book), ordersShown(otherBook)];
      if (!(orders > 0)) return nothingSeen("a book with orders");
      return judgeThat(!(shown < orders), {
        path: "orderBook.book",
        expected: `levels of ${countOf(orders, "order")} (as many as another answer about the same orders shows)`,
        seen: `${countOf(shown, "order")} in ${book.bids.length} bid and ${book.asks.length} ask levels`,
      });
    }),
  );
}

/**
 * A level's size in USD is its price times its size in units (B12). The tolerance is 1e-4, relative, plus one tick of
 * price with bucketing, plus the rounding of the numbers shown (R1). Only sizes change: the levels and their orders are
 * the same.
 *
 * @param tick the requested bucket size; 0 without bucketing
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

/** The USD size of each level is about price x units, give or take one tick of price. */
function sizesInUsd(
  unitBook: OrderBookView,
  usdBook: OrderBookView,
  levels: readonly (readonly [unit: PlacedLevel, usd: PlacedLevel])[],
  tick: number,
): Judgement {
  const ofUsd = levelRounding(usdBook, "size");
  const ofUnits = levelRounding(unitBook, "size");
  const ofPrice = levelRounding(unitBook, "price");
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

/** Both books have the same prices with the same order counts on a side. Only the first difference is reported. */
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
 * With a limit larger than the book, an offset leaves a part of the whole: no level holds more orders than the same level
 * of the whole book (B2). Judged only if the whole book shows all of its orders.
 *
 * @param whole the answer to the same request without the offset
 */
export function restIsPartOfBook(whole: JsonObject, rest: JsonObject): Judgement {
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
