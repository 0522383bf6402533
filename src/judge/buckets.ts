/** Judges how an order book is bucketed by `tickSize` (§4.6). Prices are doubles, so every check allows for their noise. */
import type { JsonObject } from "../connect/json.js";
import { type BookSide, bookSides } from "../specification/enums.js";
import { bucketSpacingTolerance, tickTolerance } from "../specification/limits.js";
import {
  bestFirst,
  judgeBook,
  judgeBooks,
  judgeSides,
  levelRounding,
  numberIs,
  ordersShown,
  priceNoise,
} from "./book-levels.js";
import { computed, countOf, type Judgement, judgeEach, nothingSeen, show, type Violation } from "./judgement.js";
import type { LevelView, OrderBookView } from "./read.js";
import { nearlyEqual } from "./tolerance.js";

/** Whether two tick sizes are the same (B9). */
export function sameTick(a: number, b: number): boolean {
  return Math.abs(a - b) <= tickTolerance * Math.abs(b);
}

/**
 * `tickSize` of the answer is the bucket size applied (B7, B9, B10).
 *
 * @param tick the expected bucket size; 0 without bucketing
 * @param why where the expected size comes from, such as `the requested one`
 */
export function tickSizeIs(body: JsonObject, tick: number, why: string): Judgement {
  return judgeBook(body, (book) =>
    numberIs(book, "tickSize", (seen) => sameTick(seen, tick), `${computed(tick)} (${why})`),
  );
}

/** The prices of a side are whole multiples of the tick apart (B8). Needs a side with two levels. */
export function bucketsSpaced(body: JsonObject, tick: number): Judgement {
  return judgeSides(body, (book, side) => {
    const [best, ...others] = bestFirst(book, side);
    if (!best) return nothingSeen("a side with two levels");
    return judgeEach(
      others,
      ({ path, price }) =>
        isMultiple(price - best.price, tick, Math.max(Math.abs(price), Math.abs(best.price)))
          ? undefined
          : {
              path: `${path}.price`,
              expected: `a whole multiple of ${computed(tick)} away from ${best.price} (the best price of the side)`,
              seen: show(price),
            },
      "a side with two levels",
    );
  });
}

/** Each price is itself a multiple of the tick (B8). A bucket labelled 0 is allowed (B9). */
export function bucketsAligned(body: JsonObject, tick: number): Judgement {
  return judgeBook(body, (book) =>
    judgeEach(
      bookSides.flatMap((side) => bestFirst(book, side)),
      ({ path, price }) =>
        isMultiple(price, tick, Math.abs(price))
          ? undefined
          : { path: `${path}.price`, expected: `a multiple of ${computed(tick)}`, seen: show(price) },
      "a book with levels",
    ),
  );
}

/** Whether a distance is a whole multiple of the tick. `magnitude` is that of the prices it was computed from. */
function isMultiple(distance: number, tick: number, magnitude: number): boolean {
  const nearest = Math.round(distance / tick) * tick;
  return Math.abs(distance - nearest) <= tick * bucketSpacingTolerance + priceNoise(magnitude);
}

/**
 * Bucketing does not change the total size of a side (R1). A side with more orders in the bucketed book is skipped: the
 * plain one was cut off.
 */
export function sameSizePerSide(plain: JsonObject, bucketed: JsonObject): Judgement {
  const isComparable: SideTest = (one, other, side) =>
    ordersShown(other, side) <= ordersShown(one, side) &&
    Number.isFinite(totalSize(one[side]) + totalSize(other[side]));
  return compareSides(plain, bucketed, isComparable, (plainBook, bucketedBook, side) => {
    const [expected, seen] = [totalSize(plainBook[side]), totalSize(bucketedBook[side])];
    const rounding = [totalRounding(plainBook, side), totalRounding(bucketedBook, side)];
    return nearlyEqual(seen, expected, { rounding })
      ? undefined
      : {
          path: `orderBook.book.${side}`,
          expected: `a total size of ${computed(expected)} (as without bucketing)`,
          seen: `a total size of ${computed(seen)}`,
          answer: 1,
        };
  });
}

type SideTest = (plain: OrderBookView, bucketed: OrderBookView, side: BookSide) => boolean;

/** Judges each side that has orders and can be compared. */
function compareSides(
  plain: JsonObject,
  bucketed: JsonObject,
  isComparable: SideTest,
  judge: (plain: OrderBookView, bucketed: OrderBookView, side: BookSide) => Violation | undefined,
): Judgement {
  return judgeBooks(plain, bucketed, (one, other) => {
    const sides = bookSides.filter((side) => one[side].length > 0 && isComparable(one, other, side));
    return judgeEach(sides, (side) => judge(one, other, side), "a book with orders");
  });
}

/**
 * No bucket is wider than a tick (B9). If a side has the same orders in both books, it takes at least as many buckets as
 * there are ranges of that width needed to cover the plain prices, wherever the ranges begin.
 */
export function noWiderThan(plain: JsonObject, bucketed: JsonObject, tick: number): Judgement {
  const isComparable: SideTest = (one, other, side) => ordersShown(other, side) === ordersShown(one, side);
  return compareSides(plain, bucketed, isComparable, (plainBook, bucketedBook, side) => {
    const [least, seen] = [rangesCovering(plainBook[side], tick), bucketedBook[side].length];
    return seen >= least
      ? undefined
      : {
          path: `orderBook.book.${side}`,
          expected: `at least ${countOf(least, "level")} (what the prices without bucketing fill, ${computed(tick)} to each)`,
          seen: countOf(seen, "level"),
          answer: 1,
        };
  });
}

/** The least number of ranges of the given width that cover the prices of all levels. */
function rangesCovering(levels: readonly LevelView[], width: number): number {
  let ranges = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const price of levels.map((level) => level.price).sort((a, b) => a - b)) {
    if (price <= end) continue;
    ranges++;
    end = price + width * (1 + bucketSpacingTolerance) + priceNoise(price);
  }
  return ranges;
}

/** How far the sum of a side's sizes may be off, since each size may be rounded (R1). */
function totalRounding(book: OrderBookView, side: BookSide): number {
  return book[side].length * levelRounding(book, "size");
}

function totalSize(levels: readonly LevelView[]): number {
  return levels.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Without bucketing there are at least as many levels as with buckets of the minimum tick, since buckets only merge
 * levels (B7). Violations are in the first answer.
 */
export function noCoarserThan(plain: JsonObject, atMinimumTick: JsonObject): Judgement {
  return judgeBooks(plain, atMinimumTick, (plainBook, finest) =>
    judgeEach(
      bookSides.filter((side) => finest[side].length > 0),
      (side) =>
        plainBook[side].length >= finest[side].length
          ? undefined
          : {
              path: `orderBook.book.${side}`,
              expected: `at least ${countOf(finest[side].length, "level")} (as many as buckets of the minimum tick give)`,
              seen: countOf(plainBook[side].length, "level"),
            },
      "a book with orders",
    ),
  );
}
