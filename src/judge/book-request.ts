/** Judges an order book against its request: limit, offset, levels, and the unit of sizes (§4.6). */
import type { JsonObject } from "../connect/json.js";
import { bookSides } from "../specification/enums.js";
import { orderBookLimitDefault } from "../specification/limits.js";
import type { AlternativeId } from "../specification/readings.js";
import { judgeBook, numberIs, ordersShown } from "./book-levels.js";
import { countOf, type Judgement, judgeEach, judgeThat, nothingSeen, type Violation } from "./judgement.js";
import { type OrderBookView, orderBookOf } from "./read.js";

/** The counts in a GetOrderBook request; undefined means omitted. */
export interface BookCounts {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly levels?: number | undefined;
}

/** What it takes to judge how many orders a book shows. */
export const readableCounts = "readable counts of orders";

/** The effective limit of a request: 50 when omitted or zero, with no maximum (B3). */
export function effectiveBookLimit(limit: number | undefined): number {
  return limit === undefined || limit === 0 ? orderBookLimitDefault : limit;
}

/** How many underlying orders are left after an offset. */
export function remaining({ totalOrderCount }: OrderBookView, offset = 0): number {
  return Math.max(0, totalOrderCount - offset);
}

/**
 * `pageSize` is the effective limit or the number of orders actually aggregated: the sum of `orderCount`, or min(limit,
 * totalOrderCount - offset) (B1). Orders in levels that `levels` cuts off were aggregated too, and a limit may count per
 * side (B2), so a number up to twice the limit is accepted then. Another rule judges whether an omitted limit means the
 * default.
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
    const acceptsLimit = reading !== "orders-aggregated";
    const acceptsCount = reading !== "effective-limit";
    const accepted = [
      acceptsLimit && `${effective} (the effective limit)`,
      acceptsCount && `${inWords} (orders really aggregated)`,
      acceptsCount && aggregated !== shown && `${aggregated} (limit or rest)`,
    ].filter((text) => text !== false);
    const isAggregated = (pageSize: number) => pageSize === aggregated || (pageSize >= shown && pageSize <= most);
    const isAccepted = (pageSize: number) =>
      (acceptsLimit && pageSize === effective) || (acceptsCount && isAggregated(pageSize));
    return numberIs(book, "pageSize", isAccepted, accepted.join(" or "));
  });
}

/** `offset` is the requested one, 0 when omitted. An offset beyond `totalOrderCount` is not judged. */
export function offsetIs(body: JsonObject, offset = 0): Judgement {
  return judgeBook(body, (book) => {
    if (offset > book.totalOrderCount) return nothingSeen(`a book with more than ${offset} underlying orders`);
    const reason = offset === 0 ? "no order is skipped" : "the requested offset";
    return numberIs(book, "offset", (seen) => seen === offset, `${offset} (${reason})`);
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
    if (!(remaining(book, offset) > 2 * most) && counts.every(({ count }) => !(count > most))) {
      return nothingSeen(`a book with more than ${2 * most} underlying orders`);
    }
    return judgeEach(counts, ({ side, count }) => tooMany(`orderBook.book.${side}`, count, limit));
  });
}

/** Both sides together aggregate at most `limit` underlying orders (B2). Inconclusive unless the book has more than that. */
export function withinLimitPerBook(body: JsonObject, limit: number | undefined, offset = 0): Judgement {
  return judgeBook(body, (book) => {
    const most = effectiveBookLimit(limit);
    const count = ordersShown(book);
    if (!(remaining(book, offset) > most) && !(count > most)) {
      return nothingSeen(`a book with more than ${most} underlying orders`);
    }
    return judgeEach([count], () => tooMany("orderBook.book", count, limit));
  });
}

function tooMany(path: string, count: number, limit: number | undefined): Violation | undefined {
  const most = effectiveBookLimit(limit);
  if (!(count > most)) return undefined;
  const reason = limit ? "the requested limit" : "the default limit";
  return { path, expected: `levels of at most ${countOf(most, "order")} (${reason})`, seen: countOf(count, "order") };
}

/** With a limit larger than the book, the levels hold all of its orders (B2, B3). */
export function showsWholeBook(body: JsonObject, limit: number): Judgement {
  return judgeBook(body, (book) => {
    const total = book.totalOrderCount;
    if (!(total > 0)) return nothingSeen("a market with orders in its book");
    if (total > limit) return nothingSeen(`a book with at most ${limit} underlying orders`);
    const shown = ordersShown(book);
    if (Number.isNaN(shown)) return nothingSeen(readableCounts);
    return judgeThat(shown >= total, {
      path: "orderBook.book",
      expected: `orderCounts that add up to ${total} (= totalOrderCount of the answer, since the limit is ${limit})`,
      seen: shown === 0 ? "no levels" : `orderCounts that add up to ${shown}`,
    });
  });
}

/**
 * If a book has more orders than the limit, at least as many as the limit are shown: together with those after them they
 * make up the whole book (B2). There may be more, if the limit counts on each side.
 *
 * @param body the answer to a request without offset and levels
 */
export function showsFirstOrders(body: JsonObject, limit: number): Judgement {
  return judgeBook(body, (book) => {
    const total = book.totalOrderCount;
    if (!(total > limit)) return nothingSeen(`a book with more than ${limit} underlying orders`);
    const shown = ordersShown(book);
    if (Number.isNaN(shown)) return nothingSeen(readableCounts);
    return judgeThat(shown >= limit, {
      path: "orderBook.book",
      expected: `levels of at least ${countOf(limit, "order")} (the limit; the book has ${total})`,
      seen: countOf(shown, "order"),
    });
  });
}

/**
 * An offset of k leaves at most totalOrderCount - k orders. If limit and levels do not cut the book, it leaves at least
 * totalOrderCount - 2k, since it may count on each side (B2). Which of the two applies takes more than one answer to
 * tell: see `offsetsLeave`.
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
    if (!Number.isFinite(most + shown)) return nothingSeen(readableCounts);
    const reachesEnd = total <= limit && levels === 0;
    if (!reachesEnd && shown <= most) return nothingSeen(`a book with at most ${limit} underlying orders`);
    const why =
      offset < total
        ? `(= totalOrderCount ${total} less offset ${offset}), or less the offset on each side`
        : `(the offset ${offset} is beyond totalOrderCount ${total})`;
    return judgeThat(shown >= least && shown <= most, {
      path: "orderBook.book",
      expected: `levels of ${countOf(most, "order")} ${why}`,
      seen: countOf(shown, "order"),
    });
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
    const shown = ordersShown(book);
    if (Number.isNaN(shown)) return nothingSeen(readableCounts);
    return judgeThat(shown > 0, {
      path: "orderBook.book",
      expected: `some of the ${countOf(left, "order")} that an offset of ${offset} leaves of ${book.totalOrderCount}`,
      seen: "an empty book",
    });
  });
}

/** No side has more levels than requested. Inconclusive unless a side has at least that many. */
export function atMostLevels(body: JsonObject, levels: number): Judgement {
  return judgeBook(body, (book) =>
    judgeEach(
      bookSides.filter((side) => book[side].length >= levels),
      (side) =>
        book[side].length > levels
          ? {
              path: `orderBook.book.${side}`,
              expected: `at most ${countOf(levels, "level")} (asked for)`,
              seen: countOf(book[side].length, "level"),
            }
          : undefined,
      "a side with at least as many levels as are asked for",
    ),
  );
}

/** Whether a side shows at least `levels` levels, so that further ones may have been left out. */
export function showsLevels(body: JsonObject, levels: number): boolean {
  const book = orderBookOf(body);
  return book !== undefined && levels > 0 && bookSides.some((side) => book[side].length >= levels);
}
