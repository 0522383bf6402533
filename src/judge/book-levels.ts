/** The levels of an order book, ranked by price and compared. */
import type { JsonObject } from "../connect/json.js";
import { type BookSide, bookSides } from "../specification/enums.js";
import { memoize } from "../specification/memoize.js";
import { combine, countOf, type Judgement, judgeThat, nothingSeen, show } from "./judgement.js";
import { type LevelView, type OrderBookView, orderBookOf } from "./read.js";
import { halfUnit, nearlyEqual } from "./tolerance.js";

/** A level and its path in the body. */
export interface PlacedLevel extends LevelView {
  readonly path: string;
}

/** Judges the book of an answer. Without a book there is nothing to judge: the wire rules cover a missing one. */
export function judgeBook(body: JsonObject, judge: (book: OrderBookView) => Judgement): Judgement {
  const book = orderBookOf(body);
  return book ? judge(book) : nothingSeen("an `orderBook` in the answer");
}

/** Judges each side of a book by itself. */
export function judgeSides(body: JsonObject, judge: (book: OrderBookView, side: BookSide) => Judgement): Judgement {
  return judgeBook(body, (book) => combine(bookSides.map((side) => judge(book, side))));
}

/** Judges the books of two answers together. */
export function judgeBooks(
  first: JsonObject,
  second: JsonObject,
  judge: (first: OrderBookView, second: OrderBookView) => Judgement,
): Judgement {
  return judgeBook(first, (one) => judgeBook(second, (other) => judge(one, other)));
}

/** The levels of a side in wire order. */
export function placedLevels(book: OrderBookView, side: BookSide): readonly PlacedLevel[] {
  return book[side].map((level, index) => ({ ...level, path: `orderBook.book.${side}[${index}]` }));
}

/**
 * The levels of a side, best price first: highest bid, lowest ask. Levels with the same price are ordered by
 * `cumulativeTotal`. Levels with an unreadable price are left out.
 */
export function bestFirst(book: OrderBookView, side: BookSide): readonly PlacedLevel[] {
  return ranked(book)[side];
}

/** Cached, since many rules judge the same book. */
const ranked = memoize((book: OrderBookView) => ({ bids: ranks(book, "bids", -1), asks: ranks(book, "asks", 1) }));

function ranks(book: OrderBookView, side: BookSide, outward: 1 | -1): readonly PlacedLevel[] {
  return placedLevels(book, side)
    .filter(({ price }) => Number.isFinite(price))
    .sort((a, b) => outward * (a.price - b.price) || a.cumulativeTotal - b.cumulativeTotal);
}

/** The number of underlying orders in the levels of a side, or of both sides. */
export function ordersShown(book: OrderBookView, side?: BookSide): number {
  const levels = side === undefined ? bookSides.flatMap((each) => book[each]) : book[side];
  return levels.reduce((sum, { orderCount }) => sum + orderCount, 0);
}

/** How far floating-point arithmetic may move a computed price: two to four units in the last place. */
export function priceNoise(price: number): number {
  return 2 * Number.EPSILON * Math.abs(price);
}

/** Whether two levels have the same price, up to floating-point noise. */
export function isSamePrice(a: Pick<LevelView, "price">, b: Pick<LevelView, "price">): boolean {
  return Math.abs(a.price - b.price) <= priceNoise(a.price);
}

/** The possible rounding of a level field, from the decimals that both sides of the book show (R1). */
export function levelRounding(book: OrderBookView, field: "price" | "size" | "cumulativeTotal"): number {
  return levelRoundings(book)[field];
}

/** Cached, since many rules judge the same book. */
const levelRoundings = memoize((book: OrderBookView) => {
  const levels = bookSides.flatMap((side) => book[side]);
  const roundingOf = (field: "price" | "size" | "cumulativeTotal") => halfUnit(levels.map((level) => level[field]));
  return { price: roundingOf("price"), size: roundingOf("size"), cumulativeTotal: roundingOf("cumulativeTotal") };
});

/**
 * Whether two levels hold the same orders at the same price; `rounding` is that of their sizes (R1). A size that cannot be
 * read is not compared: the wire rules cover it.
 */
export function sameLevel(a: LevelView, b: LevelView, rounding: readonly number[]): boolean {
  const isUnreadable = Number.isNaN(a.size) || Number.isNaN(b.size);
  const sameSize = isUnreadable || nearlyEqual(a.size, b.size, { rounding });
  return isSamePrice(a, b) && sameSize && a.orderCount === b.orderCount;
}

/** A level in a few words. */
export function levelInWords(level: LevelView | undefined): string {
  return level
    ? `the level ${level.price} with size ${level.size} of ${countOf(level.orderCount, "order")}`
    : "no further level";
}

/** One assertion on a number of a book. An unreadable number is not judged: the wire rules cover it. */
export function numberIs(
  book: OrderBookView,
  field: "pageSize" | "offset" | "totalOrderCount" | "levels" | "tickSize",
  holds: (seen: number) => boolean,
  expected: string,
  answer?: number,
): Judgement {
  const [path, seen] = [`orderBook.${field}`, book[field]];
  if (!Number.isFinite(seen)) return nothingSeen(`a readable ${path}`);
  return judgeThat(holds(seen), { path, expected, seen: show(seen), answer });
}
