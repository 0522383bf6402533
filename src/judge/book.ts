/**
 * Judges an order book on its own (§2 OrderBook and level). Each function checks only what its rule is about, and ranks
 * levels by price itself. So a book with its levels in the wrong order can still pass the rule on totals, and vice versa.
 */
import type { JsonObject } from "../connect/json.js";
import { type BookSide, bookSides } from "../specification/enums.js";
import type { AlternativeId } from "../specification/readings.js";
import {
  bestFirst,
  judgeBook,
  judgeBooks,
  judgeSides,
  levelInWords,
  levelRounding,
  numberIs,
  ordersShown,
  placedLevels,
  priceNoise,
  sameLevel,
} from "./book-levels.js";
import {
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
import { nearlyEqual } from "./tolerance.js";

/** The end of the array that has the best price (B4). */
export type BestEnd = "first" | "last";

/** `marketId` is the market that was asked for. */
export function marketIs(body: JsonObject, marketId: string): Judgement {
  return judgeBook(body, (book) =>
    judgeThat(book.marketId === marketId, {
      path: "orderBook.marketId",
      expected: `${marketId} (the market asked for)`,
      seen: show(book.json.marketId),
    }),
  );
}

/** `sizeInUsd` is what was asked for. */
export function sizeUnitIs(body: JsonObject, sizeInUsd: boolean): Judgement {
  return judgeBook(body, (book) =>
    judgeThat(book.sizeInUsd === sizeInUsd, {
      path: "orderBook.sizeInUsd",
      expected: `${sizeInUsd} (as asked for)`,
      seen: show(book.json.sizeInUsd),
    }),
  );
}

/** `cumulativeTotal` runs from the best price outward: at each level, the total before it plus its own size (R1). */
export function runningTotals(body: JsonObject): Judgement {
  return judgeSides(body, (book, side) => {
    const totalRounding = levelRounding(book, "cumulativeTotal");
    const sizeRounding = levelRounding(book, "size");
    let rounding = [totalRounding, sizeRounding];
    let before = 0;
    // Another rule covers unreadable levels. The totals after one are skipped.
    const readable = placedLevels(book, side).every(({ price }) => Number.isFinite(price));
    const levels = readable ? bestFirst(book, side) : [];
    const unreadable = levels.findIndex((level) => !Number.isFinite(level.size + level.cumulativeTotal));
    return judgeEach(
      unreadable < 0 ? levels : levels.slice(0, unreadable),
      ({ path, size, cumulativeTotal }) => {
        const expected = before + size;
        const sum = `${computed(expected)} (= ${before} of better prices + size ${size})`;
        const isSum = nearlyEqual(cumulativeTotal, expected, { rounding });
        before = cumulativeTotal;
        rounding = [totalRounding, totalRounding, sizeRounding];
        return isSum ? undefined : { path: `${path}.cumulativeTotal`, expected: sum, seen: show(cumulativeTotal) };
      },
      "a book with levels",
    );
  });
}

/**
 * Each side is sorted by price, in either direction (B4): all steps between levels have the direction of most of them. Two
 * levels are always sorted, so it takes three. Equal prices are judged by another rule.
 *
 * @param reading where the best price must be; two levels are enough then
 */
export function levelsSorted(body: JsonObject, reading?: AlternativeId<"B4">): Judgement {
  const missing = `a side with at least ${reading ? "two" : "three"} prices`;
  return judgeSides(body, (book, side) => {
    const levels = placedLevels(book, side).filter(({ price }) => Number.isFinite(price));
    const steps = levels.slice(1).map((level, index) => ({ level, rise: level.price - (levels[index]?.price ?? 0) }));
    const rising = steps.filter(({ rise }) => rise > 0).length;
    const falling = steps.filter(({ rise }) => rise < 0).length;
    if (rising + falling < (reading ? 1 : 2)) return nothingSeen(missing);
    const outward = side === "asks" ? 1 : -1;
    const seenDirection = rising === falling ? outward : Math.sign(rising - falling);
    const direction = reading ? (reading === "best-first" ? outward : -outward) : seenDirection;
    const reason = reading
      ? `the best price is the ${reading.slice(5)} one`
      : `the prices of the other levels ${direction > 0 ? "rise" : "fall"}`;
    return judgeEach(steps, ({ level: { path, price }, rise }) =>
      rise * direction >= 0
        ? undefined
        : {
            path: `${path}.price`,
            expected: `${direction > 0 ? "at least" : "at most"} ${computed(price - rise)} (${reason})`,
            seen: show(price),
          },
    );
  });
}

/**
 * No price occurs twice within a side (B4). Bucketed prices are computed, so prices that differ only by floating-point
 * noise count as the same. With tiny buckets that noise may exceed a bucket, so half a tick is always a difference.
 *
 * @param tick the requested bucket size; 0 without bucketing
 */
export function pricesDistinct(body: JsonObject, tick = 0): Judgement {
  return judgeSides(body, (book, side) => {
    const levels = bestFirst(book, side);
    return judgeEach(
      levels.slice(1).map((level, index) => ({ level, before: levels[index] ?? level })),
      ({ level: { path, price }, before }) =>
        Math.abs(price - before.price) > Math.min(priceNoise(price), tick / 2)
          ? undefined
          : {
              path: `${path}.price`,
              expected: `a price of its own (${before.path} has ${before.price})`,
              seen: show(price),
            },
      "a side with two levels",
    );
  });
}

/** The end at which a side has its best price; undefined if it has fewer than two prices or is not sorted. */
export function bestEnd(book: OrderBookView, side: BookSide): BestEnd | undefined {
  const prices = book[side].map(({ price }) => price).filter(Number.isFinite);
  const [first, last] = [prices.at(0), prices.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const rises = last > first;
  const sorted = prices.every((price, index) => {
    const before = prices[index - 1];
    return before === undefined || price === before || price > before === rises;
  });
  if (!sorted) return undefined;
  return rises === (side === "asks") ? "first" : "last";
}

/** Bids and asks have their best price at the same end (B4). */
export function sidesSortedAlike(body: JsonObject): Judgement {
  return judgeBook(body, (book) => {
    const [bids, asks] = [bestEnd(book, "bids"), bestEnd(book, "asks")];
    if (!bids || !asks) return nothingSeen("a book with two sorted prices on each side");
    return judgeThat(bids === asks, {
      path: "orderBook.book.asks",
      expected: `the best ask ${bids} (the best bid is the ${bids} one)`,
      seen: `the best ask is the ${asks} one`,
    });
  });
}

/** The best bid is below the best ask (B14); for books without bucketing. */
export function notCrossed(body: JsonObject): Judgement {
  return judgeBook(body, (book) => {
    const [bid] = bestFirst(book, "bids");
    const [ask] = bestFirst(book, "asks");
    if (!bid || !ask) return nothingSeen("a book with orders on both sides");
    return judgeThat(bid.price < ask.price, {
      path: `${bid.path}.price`,
      expected: `below the best ask ${ask.price}`,
      seen: `${bid.price} (the best bid)`,
    });
  });
}

/**
 * `levels` is at least the number of levels of each side and, if a number was requested, at most that number. The number
 * requested is accepted as well (B5), even a zero, which asks for all levels. Another rule judges whether there are too
 * many.
 *
 * @param requested `levels` of the request; 0 when omitted
 * @param reading what the number must be; either is accepted when absent. A requested zero need not be repeated.
 */
export function levelCountFits(body: JsonObject, requested = 0, reading?: AlternativeId<"B5">): Judgement {
  return judgeBook(body, (book) => {
    const most = Math.max(book.bids.length, book.asks.length);
    if (most === 0) return nothingSeen("a book with levels");
    const levelsAre = (holds: (levels: number) => boolean, expected: string) =>
      numberIs(book, "levels", holds, expected);
    if (reading === "level-count") return levelsAre((levels) => levels === most, `${most} (levels of the longer side)`);
    if (reading === "requested-levels" && requested > 0)
      return levelsAre((levels) => levels === requested, `${requested} (asked for)`);
    const atMost = requested === 0 ? Number.POSITIVE_INFINITY : Math.max(requested, most);
    return levelsAre(
      (levels) => levels === requested || (levels >= most && levels <= atMost),
      `at least ${most} (levels of the longer side)${requested === 0 ? "" : ` and at most ${requested} (asked for)`}`,
    );
  });
}

/** `totalOrderCount` is at least the number of orders shown. */
export function shownWithinTotal(body: JsonObject): Judgement {
  return judgeBook(body, (book) => {
    const shown = ordersShown(book);
    if (!(shown > 0)) return nothingSeen("a book with orders");
    const expected = `at least ${shown} (orders in the levels of this answer)`;
    return numberIs(book, "totalOrderCount", (total) => total >= shown, expected);
  });
}

/** `totalOrderCount` is the same in two answers about one state of the book (P3). */
export function sameTotalOrderCount(body: JsonObject, other: JsonObject): Judgement {
  return judgeBooks(body, other, ({ totalOrderCount }, otherBook) => {
    const expected = `${totalOrderCount} (as in another answer about the same book)`;
    return numberIs(otherBook, "totalOrderCount", (total) => total === totalOrderCount, expected, 1);
  });
}

/**
 * Two answers show the same depth: the same levels on each side, with the same sizes and counts. Only the first
 * difference of each side is reported, on the second answer.
 *
 * @param why how the two requests are related, such as `a limit of 0 is an omitted one`
 */
export function sameDepth(body: JsonObject, other: JsonObject, why: string): Judgement {
  return judgeBooks(body, other, (book, otherBook) => {
    const violations = bookSides.flatMap((side) => firstDifference(book, otherBook, side, why));
    const examined = bookSides.reduce((sum, side) => sum + Math.max(book[side].length, otherBook[side].length), 0);
    return { examined, violations, missing: "a book with orders" };
  });
}

function firstDifference(book: OrderBookView, other: OrderBookView, side: BookSide, why: string): Violation[] {
  const rounding = [levelRounding(book, "size"), levelRounding(other, "size")];
  const [expected, seen] = [bestFirst(book, side), bestFirst(other, side)];
  for (let rank = 0; rank < Math.max(expected.length, seen.length); rank++) {
    const [a, b] = [expected[rank], seen[rank]];
    if (a && b && sameLevel(a, b, rounding)) continue;
    const path = b?.path ?? `orderBook.book.${side}`;
    return [{ path, expected: `${levelInWords(a)} (${why})`, seen: levelInWords(b), answer: 1 }];
  }
  return [];
}

/** A book in a few words, for observations. */
export function bookInWords(body: JsonObject): string {
  const book = orderBookOf(body);
  if (!book) return "a success without an orderBook";
  const { bids, asks, pageSize, offset, levels } = book;
  return `a success: ${bids.length} bid and ${asks.length} ask levels of ${countOf(ordersShown(book), "order")}, pageSize ${pageSize}, offset ${offset}, levels ${levels}`;
}
