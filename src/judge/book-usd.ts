/** Judges the sizes of an order book in USD (B12). */
import type { JsonObject } from "../connect/json.js";
import { type BookSide, bookSides } from "../specification/enums.js";
import { numberTolerance, usdSizeTolerance } from "../specification/limits.js";
import { bestFirst, isSamePrice, judgeBooks, levelRounding, type PlacedLevel } from "./book-levels.js";
import { combine, computed, countOf, failed, type Judgement, judgeEach, show } from "./judgement.js";
import type { OrderBookView } from "./read.js";
import { productHalfUnit } from "./tolerance.js";

/**
 * A level in USD that holds all orders at its price has the USD size of the whole level, whatever part of the book is
 * shown (B12).
 *
 * @param units the whole book in units, without bucketing
 */
export function wholeLevelsInUsd(units: JsonObject, usd: JsonObject): Judgement {
  return judgeBooks(units, usd, (unitBook, usdBook) => {
    const whole = bookSides.map((side) => {
      const levels = bestFirst(unitBook, side);
      const shown = bestFirst(usdBook, side).flatMap((level): LevelPair[] => {
        const [own, another] = levels.filter((other) => isSamePrice(other, level));
        const isWhole = own !== undefined && another === undefined && own.orderCount === level.orderCount;
        return isWhole && own.size > 0 && Number.isFinite(level.size) ? [[own, level]] : [];
      });
      return sizesInUsd(unitBook, usdBook, shown, 0);
    });
    return combine(whole);
  });
}

/**
 * A level's size in USD is its price times its size in units (B12). The tolerance is 1e-4, relative, plus one tick of
 * price with bucketing, plus the rounding of the numbers shown (R1). Only sizes change: the levels and their orders are
 * the same.
 *
 * @param tick the requested bucket size; 0 without bucketing
 */
export function usdNotional(units: JsonObject, usd: JsonObject, tick = 0): Judgement {
  return judgeBooks(units, usd, (unitBook, usdBook) => {
    const sides = bookSides.flatMap((side) => [
      sameLevels(unitBook, usdBook, side),
      sizesInUsd(unitBook, usdBook, samePriceLevels(unitBook, usdBook, side), tick),
    ]);
    return combine(sides);
  });
}

/** One level in units and in USD. */
type LevelPair = readonly [unit: PlacedLevel, usd: PlacedLevel];

/** The USD size of each level is about price x units, give or take one tick of price. */
function sizesInUsd(
  unitBook: OrderBookView,
  usdBook: OrderBookView,
  levels: readonly LevelPair[],
  tick: number,
): Judgement {
  const usdRounding = levelRounding(usdBook, "size");
  const unitRounding = levelRounding(unitBook, "size");
  const priceRounding = levelRounding(unitBook, "price");
  return judgeEach(
    levels,
    ([unit, { path, size }]) => {
      const product = unit.price * unit.size;
      const rounding = usdRounding + productHalfUnit([unit.price, priceRounding], [unit.size, unitRounding]);
      const most = Math.max(usdSizeTolerance * Math.abs(product) + tick * unit.size, numberTolerance.absolute);
      if (Math.abs(size - product) <= most + rounding) return undefined;
      const tolerance = tick === 0 ? "" : `, give or take ${computed(tick)} of price`;
      const expected = `about ${computed(product)} (= price ${unit.price} x ${unit.size} units${tolerance})`;
      return { path: `${path}.size`, expected, seen: show(size), answer: 1 };
    },
    "a level with a size",
  );
}

/** Both books have the same prices with the same order counts on a side. Only the first difference is reported. */
function sameLevels(units: OrderBookView, usd: OrderBookView, side: BookSide): Judgement {
  const [expected, seen] = [bestFirst(units, side), bestFirst(usd, side)];
  const longer = expected.length > seen.length ? expected : seen;
  const levels = longer.map((_, rank) => [expected[rank], seen[rank]]);
  const inWords = (level: PlacedLevel | undefined) =>
    level ? `${countOf(level.orderCount, "order")} at ${level.price}` : "no level";
  const other = levels.find(([one, another]) => {
    if (inWords(one) === inWords(another)) return false;
    return !one || !another || !isSamePrice(one, another) || one.orderCount !== another.orderCount;
  });
  if (!other) return combine([]);
  const [one, another] = other;
  const path = another?.path ?? `orderBook.book.${side}`;
  return failed({ path, expected: `${inWords(one)} (as in units)`, seen: inWords(another), answer: 1 });
}

/** The levels with the same rank, price and orders in both books, as far as their sizes can be compared. */
function samePriceLevels(units: OrderBookView, usd: OrderBookView, side: BookSide): readonly LevelPair[] {
  const others = bestFirst(usd, side);
  return bestFirst(units, side).flatMap((level, rank): LevelPair[] => {
    const other = others[rank];
    const same = other !== undefined && isSamePrice(other, level) && other.orderCount === level.orderCount;
    return same && level.size > 0 && Number.isFinite(other.size) ? [[level, other]] : [];
  });
}
