/** Compares parts of an order book, as limit, offset and levels select them, with the whole (§4.6, B2, B6). */
import type { JsonObject } from "../connect/json.js";
import { type BookSide, bookSides } from "../specification/enums.js";
import {
  bestFirst,
  isSamePrice,
  judgeBooks,
  levelInWords,
  levelRounding,
  ordersShown,
  sameLevel,
} from "./book-levels.js";
import { readableCounts, remaining } from "./book-request.js";
import {
  combine,
  computed,
  countOf,
  type Judgement,
  judgeEach,
  judgeThat,
  nothingSeen,
  type Violation,
} from "./judgement.js";
import { type OrderBookView, orderBookOf } from "./read.js";
import { nearlyEqual } from "./tolerance.js";

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
 * The first k orders are k of the book, or k of each side; they and the orders from offset k on add up to the whole book, level
 * by level (B2). Inconclusive if their total counts do not add up: limit and offset then count in different ways, or another
 * rule is broken.
 *
 * @param k the limit of `first` and the offset of `rest`
 * @param whole the whole book, with the same bucketing as the parts
 */
export function pagesSumToBook(k: number, whole: JsonObject, first: JsonObject, rest: JsonObject): Judgement {
  const [all, begin, end] = [whole, first, rest].map(orderBookOf);
  const missing = "a book of which limit and offset select parts that have as many orders together";
  if (!all || !begin) return nothingSeen(missing);
  const wrong = wrongFirstOrders(k, all, begin);
  if (wrong) return { examined: 1, violations: [wrong] };
  if (!end) return nothingSeen(missing);
  const [ofFirst, ofRest] = [ordersShown(begin), ordersShown(end)];
  if (!(ofFirst > 0 && ofRest > 0) || ofFirst + ofRest !== ordersShown(all)) return nothingSeen(missing);
  return combine(bookSides.map((side) => sameSumsPerPrice(all, [begin, end], side)));
}

/** What is wrong with the number of the first k orders. More than k of one side is another rule's matter. */
function wrongFirstOrders(k: number, whole: OrderBookView, first: OrderBookView): Violation | undefined {
  const [all, shown] = [ordersShown(whole), ordersShown(first)];
  const exceedsSide = bookSides.some((side) => ordersShown(first, side) > k);
  if (all !== whole.totalOrderCount || exceedsSide || !(shown > 0)) return undefined;
  const ofBook = Math.min(k, all);
  const ofSides = bookSides.reduce((sum, side) => sum + Math.min(k, ordersShown(whole, side)), 0);
  if (shown === ofBook || shown === ofSides) return undefined;
  const counts =
    ofBook === ofSides ? countOf(ofBook, "order") : `${ofBook} orders or, counted on each side, of ${ofSides}`;
  return {
    path: "orderBook.book",
    expected: `levels of ${counts} (the limit, in a book with more)`,
    seen: countOf(shown, "order"),
    answer: 1,
  };
}

function sameSumsPerPrice(whole: OrderBookView, parts: readonly OrderBookView[], side: BookSide): Judgement {
  const rounding = [whole, ...parts].map((book) => levelRounding(book, "size"));
  const ofParts = parts.flatMap((part) => bestFirst(part, side));
  return judgeEach(bestFirst(whole, side), (level) => {
    const { path, price, size, orderCount } = level;
    const levels = ofParts.filter((part) => isSamePrice(part, level));
    const [sizes, counts] = levels.reduce(([a, b], part) => [a + part.size, b + part.orderCount], [0, 0]);
    const sameSize = Number.isNaN(sizes - size) || nearlyEqual(sizes, size, { rounding });
    if (counts === orderCount && sameSize) return undefined;
    return {
      path,
      expected: `size ${computed(sizes)} of ${counts} orders at ${price} (what the two parts of the book hold there together)`,
      seen: `size ${size} of ${orderCount} orders`,
    };
  });
}

/** With `levels` N, each side shows the N best levels of the full side (B6). Inconclusive unless a side has more than N. */
export function bestLevels(full: JsonObject, cut: JsonObject, levels: number): Judgement {
  return judgeBooks(full, cut, (fullBook, cutBook) => {
    const rounding = [levelRounding(fullBook, "size"), levelRounding(cutBook, "size")];
    const sides = bookSides.map((side) => {
      const all = bestFirst(fullBook, side);
      if (all.length <= levels) return nothingSeen(`a side with more than ${countOf(levels, "level")}`);
      const shown = bestFirst(cutBook, side);
      return judgeEach(all.slice(0, levels), (level, rank) => {
        const seen = shown[rank];
        return seen && sameLevel(level, seen, rounding)
          ? undefined
          : {
              path: seen?.path ?? `orderBook.book.${side}`,
              expected: `${levelInWords(level)} (the full side's number ${rank + 1} from the best)`,
              seen: levelInWords(seen),
              answer: 1,
            };
      });
    });
    return combine(sides);
  });
}

/**
 * Without `levels`, no level is left out. Another answer about the same orders, with more `levels` than there are or with
 * wide buckets, shows no more orders than this one.
 */
export function noLevelLeftOut(body: JsonObject, other: JsonObject): Judgement {
  return judgeBooks(body, other, (book, otherBook) => {
    const [shown, orders] = [ordersShown(book), ordersShown(otherBook)];
    if (!(orders > 0)) return nothingSeen("a book with orders");
    if (Number.isNaN(shown)) return nothingSeen(readableCounts);
    return judgeThat(shown >= orders, {
      path: "orderBook.book",
      expected: `levels of ${countOf(orders, "order")} (as many as another answer about the same orders shows)`,
      seen: `${countOf(shown, "order")} in ${book.bids.length} bid and ${book.asks.length} ask levels`,
    });
  });
}

/**
 * With a limit larger than the book, an offset leaves a part of the whole: no level holds more orders than the same level
 * of the whole book (B2). Judged only if the whole book shows all of its orders.
 *
 * @param whole the answer to the same request without the offset
 */
export function restIsPartOfBook(whole: JsonObject, rest: JsonObject): Judgement {
  return judgeBooks(whole, rest, (wholeBook, restBook) => {
    if (ordersShown(wholeBook) < wholeBook.totalOrderCount) {
      return nothingSeen("a request whose limit is beyond the book");
    }
    const sides = bookSides.map((side) => {
      const levels = bestFirst(wholeBook, side);
      return judgeEach(
        bestFirst(restBook, side),
        (level): Violation | undefined => {
          const wholeLevel = levels.find((other) => isSamePrice(other, level));
          if (wholeLevel && level.orderCount <= wholeLevel.orderCount) return undefined;
          const expected = wholeLevel
            ? `at most the ${countOf(wholeLevel.orderCount, "order")} that the whole book has there`
            : "a level of the whole book";
          return { path: level.path, expected, seen: levelInWords(level), answer: 1 };
        },
        "a book with orders",
      );
    });
    return combine(sides);
  });
}
