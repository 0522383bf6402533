import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import { bookBody, side } from "./book.fixture.js";
import { bestLevels, noLevelLeftOut, offsetsLeave, pagesSumToBook } from "./book-parts.js";
import {
  atMostLevels,
  effectiveBookLimit,
  offsetIs,
  offsetLeaves,
  offsetLeavesSome,
  pageSizeFits,
  showsFirstOrders,
  showsLevels,
  showsWholeBook,
  withinLimitPerBook,
  withinLimitPerSide,
} from "./book-request.js";
import { usdNotional, wholeLevelsInUsd } from "./book-usd.js";

/** A book that aggregates so many orders on each side, of so many in total. */
const aggregated = (bidOrders: number, askOrders: number, totalOrderCount: number, fields = {}) =>
  bookBody(bidOrders ? side([100, 1, bidOrders]) : [], askOrders ? side([101, 1, askOrders]) : [], {
    totalOrderCount,
    ...fields,
  });
const count = ({ violations }: { readonly violations: readonly unknown[] }) => violations.length;

test("a limit that is zero or omitted is 50, and there is no maximum (B3)", () => {
  expect([undefined, 0, 1, 51, 5_000].map(effectiveBookLimit)).toEqual([50, 50, 1, 51, 5_000]);
});

describe("the page size", () => {
  const of = (pageSize: number, counts: Parameters<typeof pageSizeFits>[1], total = 120) =>
    count(pageSizeFits(aggregated(25, 25, total, { pageSize }), counts));

  test("is the limit, or what is left when that is less", () => {
    expect([of(50, {}), of(50, { limit: 50 }), of(60, { limit: 60 }), of(100, { limit: 100 })]).toEqual([0, 0, 0, 0]);
    expect([of(100, { limit: 100, offset: 90 }), of(30, { limit: 100, offset: 90 })]).toEqual([0, 0]);
    expect([of(0, { limit: 100, offset: 120 }), of(100, { limit: 100, offset: 500 })]).toEqual([0, 0]);
  });

  test("is nothing else", () => {
    expect([of(120, {}), of(0, {}), of(49, {}), of(51, { limit: 50 }), of(20, { limit: 100, offset: 90 })]).toEqual([
      1, 1, 1, 1, 1,
    ]);
  });

  test("may be the orders that the answer shows, up to twice a limit that counts per side (B2)", () => {
    const body = aggregated(20, 20, 120, { pageSize: 40 });
    expect(count(pageSizeFits(body, {}))).toBe(0);
    expect(count(pageSizeFits(body, { limit: 45 }))).toBe(0);
    expect(count(pageSizeFits(body, { limit: 20 }))).toBe(0);
    expect(count(pageSizeFits(body, { limit: 20 }, "effective-limit"))).toBe(1);
    expect(count(pageSizeFits(aggregated(20, 20, 120, { pageSize: 39 }), { limit: 20 }))).toBe(1);
  });

  test("may be more than is shown where levels are cut off, within twice the limit", () => {
    const of = (pageSize: number) =>
      count(pageSizeFits(aggregated(2, 3, 120, { pageSize }), { limit: 20, offset: 90, levels: 1 }));
    expect([of(20), of(5), of(17), of(30)]).toEqual([0, 0, 0, 0]);
    expect([of(4), of(31), of(120)]).toEqual([1, 1, 1]);
  });
});

test("the offset is the requested one, as long as it lies within the book", () => {
  const of = (offset: number | undefined, requested?: number) =>
    offsetIs(
      bookBody([], [], offset === undefined ? { totalOrderCount: 9 } : { totalOrderCount: 9, offset }),
      requested,
    );
  expect([of(undefined), of(0, 0), of(9, 9), of(3, 3)].map(count)).toEqual([0, 0, 0, 0]);
  expect([of(1), of(undefined, 3), of(4, 3)].map(count)).toEqual([1, 1, 1]);
  expect(of(9, 12).examined).toBe(0);
});

describe("the limit", () => {
  test("holds for each side, and takes more than twice as many orders to tell", () => {
    expect(withinLimitPerSide(aggregated(50, 50, 101), undefined)).toMatchObject({ examined: 2, violations: [] });
    expect(count(withinLimitPerSide(aggregated(51, 50, 101), undefined))).toBe(1);
    expect(count(withinLimitPerSide(aggregated(8, 7, 90), 7))).toBe(1);
    expect(withinLimitPerSide(aggregated(50, 50, 100), 50).examined).toBe(0);
    expect(withinLimitPerSide(aggregated(50, 50, 120), 50, 20).examined).toBe(0);
    expect(count(withinLimitPerSide(aggregated(60, 0, 60), 50))).toBe(1);
  });

  test("holds for both sides together, and takes more orders than it to tell", () => {
    expect(withinLimitPerBook(aggregated(30, 20, 51), 50)).toMatchObject({ examined: 1, violations: [] });
    expect(withinLimitPerBook(aggregated(30, 21, 51), 50).violations).toEqual([
      { path: "orderBook.book", expected: "levels of at most 50 orders (the requested limit)", seen: "51 orders" },
    ]);
    expect(withinLimitPerBook(aggregated(30, 20, 50), 50).examined).toBe(0);
  });

  test("beyond the book shows all of it", () => {
    expect(count(showsWholeBook(aggregated(60, 61, 121), 1_001))).toBe(0);
    expect(count(showsWholeBook(aggregated(60, 60, 121), 1_001))).toBe(1);
    expect(count(showsWholeBook(aggregated(0, 0, 121), 1_001))).toBe(1);
    expect(showsWholeBook(aggregated(60, 60, 1_002), 1_001).examined).toBe(0);
    expect(showsWholeBook(aggregated(0, 0, 0), 1_001).examined).toBe(0);
    expect(count(showsWholeBook(aggregated(60, 62, 121), 1_001))).toBe(0);
  });
});

test("counts that cannot be read tell nothing", () => {
  const unreadable = { orderBook: { book: { bids: [{ price: 1, size: 1, orderCount: "x" }], asks: [] } } };
  const book = bookBody(side([100, 1, 1]), [], { totalOrderCount: "many" });
  const shown = (total: number) => ({ orderBook: { ...unreadable.orderBook, totalOrderCount: total } });
  const judgements = [
    withinLimitPerSide(book, 50),
    withinLimitPerBook(book, 50),
    showsWholeBook(shown(5), 50),
    showsFirstOrders(shown(60), 50),
    offsetLeavesSome(shown(60), 10),
    noLevelLeftOut(shown(60), aggregated(5, 5, 60)),
  ];
  expect(judgements.map(({ examined, violations }) => [examined, violations])).toEqual(judgements.map(() => [0, []]));
});

describe("the offset", () => {
  const whole = aggregated(61, 60, 121);
  const at = (offset: number, rest: JsonObject, full = whole) => ({ rest, whole: full, offset, limit: 200 });

  test("leaves all but so many orders of both sides", () => {
    expect(offsetsLeave([at(100, aggregated(11, 10, 121)), at(1, aggregated(60, 60, 121))])).toMatchObject({
      examined: 2,
      violations: [],
    });
    expect(offsetsLeave([at(1, aggregated(61, 59, 121)), at(100, aggregated(10, 10, 121))]).violations).toEqual([
      {
        answer: 1,
        path: "orderBook.book",
        expected:
          "levels of 21 orders (all but 100) or of 0 (all but 100 of each side): the same of the two at each offset",
        seen: "20 orders",
      },
    ]);
    expect(count(offsetsLeave([at(100, aggregated(0, 0, 90), aggregated(45, 45, 90))]))).toBe(0);
    expect(offsetsLeave([at(100, aggregated(11, 10, 201), aggregated(111, 90, 201))]).examined).toBe(0);
  });

  test("or of each side, but not of both at one offset and of each at another (B2)", () => {
    const perSide = [at(60, aggregated(1, 0, 121)), at(2, aggregated(59, 58, 121))];
    expect(offsetsLeave(perSide)).toMatchObject({ examined: 2, violations: [] });
    expect(count(offsetsLeave([at(60, aggregated(31, 30, 121)), ...perSide]))).toBe(1);
  });

  test("leaves no more than the rest, whatever the limit", () => {
    const atEnd = { limit: 50, offset: 119, levels: 0 };
    expect(count(offsetLeaves(aggregated(25, 25, 121), atEnd))).toBe(1);
    expect(offsetLeaves(aggregated(1, 1, 121), atEnd).examined).toBe(0);
    expect(count(offsetLeaves(aggregated(2, 1, 121), { limit: 0, offset: 119, levels: 3 }))).toBe(1);
    expect(offsetLeaves(aggregated(1, 0, 121), { limit: 500, offset: 60, levels: 0 })).toMatchObject({
      examined: 1,
      violations: [],
    });
  });

  test("leaves something to show of a book with more than twice as many orders", () => {
    expect(count(offsetLeavesSome(aggregated(1, 0, 121), 60))).toBe(0);
    expect(count(offsetLeavesSome(aggregated(0, 0, 121), 60))).toBe(1);
    expect(offsetLeavesSome(aggregated(0, 0, 121), 61).examined).toBe(0);
  });
});

describe("a limit below the number of orders", () => {
  const judged = (shown: number, limit: number, total = 121) =>
    showsFirstOrders(aggregated(Math.ceil(shown / 2), Math.floor(shown / 2), total), limit);

  test("is reached", () => {
    expect(count(judged(60, 60))).toBe(0);
    expect(count(judged(59, 60))).toBe(1);
  });

  test("may be exceeded, since it may count on each side", () => {
    expect(count(judged(120, 60))).toBe(0);
  });

  test("tells nothing of a book that has no more orders", () => {
    expect(judged(59, 60, 60).examined).toBe(0);
  });
});

describe("the parts of a book", () => {
  const whole = bookBody(side([100, 3.5, 3], [99, 1, 1]), side([101, 2, 2]));
  const first = bookBody(side([100, 1.5, 1]), side([101, 2, 2]));
  const rest = bookBody(side([100, 2, 2], [99, 1, 1]), []);

  test("add up to it, level by level", () => {
    expect(pagesSumToBook(3, whole, first, rest)).toMatchObject({ examined: 3, violations: [] });
    expect(pagesSumToBook(3, whole, first, bookBody(side([100, 1.5, 2], [99, 1, 1]), [])).violations).toEqual([
      {
        path: "orderBook.book.bids[0]",
        expected: "size 3 of 3 orders at 100 (what the two parts of the book hold there together)",
        seen: "size 3.5 of 3 orders",
      },
    ]);
    const elsewhere = bookBody(side([100, 2, 2], [98, 1, 1]), []);
    expect(count(pagesSumToBook(3, whole, first, elsewhere))).toBe(1);
  });

  test("begin with as many orders as the limit, of the book or of each side", () => {
    const all = bookBody(side([100, 3.5, 3], [99, 1, 1]), side([101, 2, 2]), { totalOrderCount: "6" });
    expect(pagesSumToBook(4, all, first, rest).violations).toEqual([
      {
        path: "orderBook.book",
        expected: "levels of 4 orders or, counted on each side, of 6 (the limit, in a book with more)",
        seen: "3 orders",
        answer: 1,
      },
    ]);
    expect(pagesSumToBook(4, all, all, rest).violations).toEqual([]);
  });

  test("tell nothing where they are not as many orders together", () => {
    expect(pagesSumToBook(6, whole, whole, rest).examined).toBe(0);
    expect(pagesSumToBook(6, whole, whole, bookBody([], [])).examined).toBe(0);
  });
});

describe("levels", () => {
  const three = side([100, 2], [99, 1], [98, 3]);
  const asks = side([101, 1], [102, 4], [104, 2]);
  const full = bookBody(three, asks);
  const cut = (bids: typeof three, cutAsks = asks.slice(0, 2)) => bestLevels(full, bookBody(bids, cutAsks), 2);

  test("are at most as many as asked for, on each side", () => {
    expect(count(atMostLevels(full, 3))).toBe(0);
    expect(atMostLevels(full, 2).violations.map(({ path }) => path)).toEqual([
      "orderBook.book.bids",
      "orderBook.book.asks",
    ]);
    expect(atMostLevels(full, 4).examined).toBe(0);
    expect(count(atMostLevels(bookBody(three.slice(0, 2), asks), 2))).toBe(1);
  });

  test("are the best of the full side, in either direction", () => {
    expect(cut(three.slice(0, 2))).toMatchObject({ examined: 4, violations: [] });
    expect(count(cut(three.slice(0, 2).reverse()))).toBe(0);
    expect(count(bestLevels(bookBody([...three].reverse(), asks), bookBody(three.slice(0, 2), asks), 2))).toBe(0);
  });

  test("are not the worst, not too few, and not of another size or count", () => {
    expect(count(cut(side([99, 1], [98, 3])))).toBe(2);
    expect(count(cut(three.slice(0, 1)))).toBe(1);
    expect(count(cut(side([100, 2], [99, 0.4])))).toBe(1);
    expect(count(cut(side([100, 2, 2], [99, 1])))).toBe(1);
    expect(count(cut([]))).toBe(2);
  });

  test("that are too many are not this rule's business, and a side without more tells nothing", () => {
    expect(count(cut(three))).toBe(0);
    expect(bestLevels(full, full, 3).examined).toBe(0);
  });

  test("may have been left out where a side shows as many as asked for", () => {
    expect([1, 3, 4].map((levels) => showsLevels(full, levels))).toEqual([true, true, false]);
    expect(showsLevels(full, 0)).toBe(false);
    expect(showsLevels(bookBody([], asks), 3)).toBe(true);
    expect(showsLevels({}, 1)).toBe(false);
  });

  test("are all there when no other answer shows more orders", () => {
    expect(count(noLevelLeftOut(full, full))).toBe(0);
    expect(count(noLevelLeftOut(full, bookBody(side([100, 5, 2]), asks)))).toBe(0);
    expect(count(noLevelLeftOut(bookBody(three.slice(0, 2), asks), full))).toBe(1);
    expect(noLevelLeftOut(bookBody([], []), bookBody([], [])).examined).toBe(0);
  });
});

describe("sizes in USD", () => {
  const units = bookBody(side([0.382_1, 1_000], [0.381, 50]), side([97_123.4, 0.25]));
  const usd = (first: number, second = 19.05, ask = 24_280.85) =>
    bookBody(side([0.382_1, first], [0.381, second]), side([97_123.4, ask]));

  test("are price times units, to a ten-thousandth", () => {
    expect(usdNotional(units, usd(382.1))).toMatchObject({ examined: 3, violations: [] });
    expect(count(usdNotional(units, usd(382.13)))).toBe(0);
    expect(count(usdNotional(units, usd(382.2)))).toBe(1);
    expect(usdNotional(units, usd(382.1, 50)).violations).toEqual([
      {
        path: "orderBook.book.bids[1].size",
        expected: "about 19.05 (= price 0.381 x 50 units)",
        seen: "50",
        answer: 1,
      },
    ]);
    expect(count(usdNotional(units, units))).toBe(3);
  });

  test("of whole levels are told apart from those that an offset or a limit cuts", () => {
    const part = (first: number, orders: number) => bookBody(side([0.382_1, first, orders]), []);
    const whole = bookBody(side([0.382_1, 1_000, 3], [0.381, 50, 1]), side([97_123.4, 0.25, 1]));
    expect(wholeLevelsInUsd(whole, part(382.1, 3))).toMatchObject({ examined: 1, violations: [] });
    expect(count(wholeLevelsInUsd(whole, part(1_000, 3)))).toBe(1);
    expect(wholeLevelsInUsd(whole, part(120, 2)).examined).toBe(0);
  });

  test("of buckets are right to within one tick of price", () => {
    expect(count(usdNotional(units, usd(392), 0.01))).toBe(0);
    expect(count(usdNotional(units, usd(393), 0.01))).toBe(1);
    expect(count(usdNotional(units, usd(372.2), 0.01))).toBe(0);
    expect(count(usdNotional(units, usd(1_000), 0.01))).toBe(1);
    const zeroBucket = (size: number) => bookBody(side([0, size]), []);
    expect(count(usdNotional(zeroBucket(3), zeroBucket(115_536), 100_000))).toBe(0);
  });

  test("are those of the same levels", () => {
    const moved = bookBody(side([0.383, 500], [0.381, 19.05]), side([97_123.4, 24_280.85]));
    expect(usdNotional(units, moved).violations).toEqual([
      {
        path: "orderBook.book.bids[0]",
        expected: "1 order at 0.3821 (as in units)",
        seen: "1 order at 0.383",
        answer: 1,
      },
    ]);
    const oneSided = bookBody(side([0.382_1, 382.1]), []);
    expect(usdNotional(units, oneSided).violations.map(({ seen }) => seen)).toEqual(["no level", "no level"]);
    expect(usdNotional(bookBody([], []), bookBody([], []))).toMatchObject({
      examined: 0,
      missing: "a level with a size",
    });
    expect(usdNotional(bookBody(side([5, 0]), []), bookBody(side([5, 0]), [])).examined).toBe(0);
  });
});
