import { describe, expect, test } from "vitest";
import { bookBody, side } from "./book.fixture.js";
import {
  bestEnd,
  bookInWords,
  levelCountFits,
  levelsSorted,
  marketIs,
  notCrossed,
  pricesDistinct,
  runningTotals,
  sameDepth,
  sameTotalOrderCount,
  shownWithinTotal,
  sidesSortedAlike,
  sizeUnitIs,
} from "./book.js";
import type { Judgement } from "./judgement.js";
import { orderBookOf } from "./read.js";

// Whole numbers throughout would show that sizes may be rounded to whole numbers (R1).
const bids = side([100, 2, 3], [99, 1], [97, 4.000_000_5, 2]);
const asks = side([101, 1], [103, 5, 4], [104, 0.5]);
const reversed = (levels: readonly object[]) => [...levels].reverse() as typeof bids;
const good = bookBody(bids, asks);
const worstFirst = bookBody(reversed(bids), reversed(asks));
const empty = bookBody([], []);
const places = ({ violations }: Judgement) => violations.map(({ path }) => path);

/** Each judge of a book by itself, with what it examines of the good book. */
const judges = { runningTotals, levelsSorted, pricesDistinct, sidesSortedAlike, notCrossed };

describe.each(Object.entries(judges))("%s", (_name, judge) => {
  test("finds nothing in a good book, in either direction", () => {
    for (const body of [good, worstFirst]) {
      const judgement = judge(body);
      expect(judgement.violations).toEqual([]);
      expect(judgement.examined).toBeGreaterThan(0);
    }
  });

  test("asserts nothing on an empty book, or on none, and says what is missing", () => {
    for (const body of [empty, {}]) {
      const { examined, violations, missing } = judge(body);
      expect({ examined, violations }).toEqual({ examined: 0, violations: [] });
      expect(missing).toBeTruthy();
    }
  });
});

describe("running totals", () => {
  const at = (levels: typeof bids, index: number, cumulativeTotal: number) =>
    levels.map((level, place) => (place === index ? { ...level, cumulativeTotal } : level));

  test("are wrong where a level's own size is missing, on the first level and beyond", () => {
    expect(places(runningTotals(bookBody(at(bids, 0, 0), asks)))).toContain("orderBook.book.bids[0].cumulativeTotal");
    const { violations } = runningTotals(bookBody(bids, at(asks, 2, 6)));
    expect(violations).toEqual([
      {
        path: "orderBook.book.asks[2].cumulativeTotal",
        expected: "6.5 (= 6 of better prices + size 0.5)",
        seen: "6",
      },
    ]);
  });

  test("run from the best price, whatever the order of the array", () => {
    const fromTheWorst = [
      { price: 101, size: 1, orderCount: 1, cumulativeTotal: 6.5 },
      { price: 103, size: 5, orderCount: 1, cumulativeTotal: 5.5 },
      { price: 104, size: 0.5, orderCount: 1, cumulativeTotal: 0.5 },
    ];
    expect(places(runningTotals(bookBody(bids, fromTheWorst)))).not.toEqual([]);
    const shuffled = [...asks.slice(1), ...asks.slice(0, 1)];
    expect(places(runningTotals(bookBody(bids, shuffled)))).toEqual([]);
  });

  test("may be off by a millionth (R1), not by more", () => {
    expect(places(runningTotals(bookBody(at(bids, 2, 7.000_005), asks)))).toEqual([]);
    expect(places(runningTotals(bookBody(at(bids, 2, 7.000_05), asks)))).toHaveLength(1);
  });

  test("may be off by what sizes and totals are rounded by, and no further (R1)", () => {
    const cents = side([100, 2.01], [99, 1.11]);
    const off = (by: number) =>
      bookBody(
        cents.map((level, index) => {
          const { cumulativeTotal } = level;
          return index === 0 ? level : { ...level, cumulativeTotal: Number((Number(cumulativeTotal) + by).toFixed(2)) };
        }),
        [],
      );
    expect(places(runningTotals(off(0.01)))).toEqual([]);
    expect(places(runningTotals(off(-0.01)))).toEqual([]);
    expect(places(runningTotals(off(0.02)))).toHaveLength(1);
  });

  test("are not judged behind a level that cannot be read", () => {
    for (const odd of [{ cumulativeTotal: "many" }, { size: Number.POSITIVE_INFINITY }]) {
      const broken = bids.map((level, index) => (index === 1 ? { ...level, ...odd } : level));
      expect(runningTotals(bookBody(broken, []))).toMatchObject({ examined: 1, violations: [] });
      expect(runningTotals(bookBody(broken.slice(1, 2), [])).examined).toBe(0);
    }
    const unpriced = bids.map((level, index) => (index === 1 ? { ...level, price: "low" } : level));
    expect(runningTotals(bookBody(unpriced, [])).examined).toBe(0);
  });
});

describe("sorting", () => {
  test("is broken by one level out of place, which is named", () => {
    const tail = side([101, 1], [103, 1], [102, 1], [104, 1]);
    expect(places(levelsSorted(bookBody(bids, tail)))).toEqual(["orderBook.book.asks[2].price"]);
    const falling = side([104, 1], [102, 1], [103, 1], [101, 1]);
    expect(levelsSorted(bookBody([], falling)).violations).toEqual([
      {
        path: "orderBook.book.asks[2].price",
        expected: "at most 102 (the prices of the other levels fall)",
        seen: "103",
      },
    ]);
  });

  test("cannot be told from two levels, and repeated prices do not break it", () => {
    expect(levelsSorted(bookBody(side([99, 1], [100, 1]), [])).examined).toBe(0);
    expect(places(levelsSorted(bookBody(side([100, 1], [100, 1], [99, 1], [98, 1]), [])))).toEqual([]);
  });

  test("alike means that both sides have the best price at the same end", () => {
    const { violations } = sidesSortedAlike(bookBody(bids, reversed(asks)));
    expect(violations).toEqual([
      {
        path: "orderBook.book.asks",
        expected: "the best ask first (the best bid is the first one)",
        seen: "the best ask is the last one",
      },
    ]);
    expect(sidesSortedAlike(bookBody(bids, side([101, 1]))).examined).toBe(0);
    expect(sidesSortedAlike(bookBody(side([99, 1], [100, 1], [98, 1]), asks)).examined).toBe(0);
  });

  test("the end of the best price is seen on a sorted side of two prices", () => {
    const book = orderBookOf(bookBody(reversed(bids), asks));
    expect(book && bestEnd(book, "bids")).toBe("last");
    expect(book && bestEnd(book, "asks")).toBe("first");
  });
});

describe("distinct prices", () => {
  test("are not repeated, also when other levels stand between them", () => {
    const twice = [...side([100, 1], [99, 1]), ...side([100, 2])];
    expect(pricesDistinct(bookBody(twice, [])).violations).toHaveLength(1);
  });

  test("of a bucketed book are the same when only binary noise tells them apart", () => {
    const noisy = bookBody(side([0.3, 1], [0.1 + 0.2, 1]), []);
    const tiny = side([1234.567890123454, 1], [1234.567890123453, 1]);
    expect(pricesDistinct(bookBody(tiny, []), 1e-12).violations).toEqual([]);
    expect(pricesDistinct(noisy, 0.1).violations).toHaveLength(1);
    expect(pricesDistinct(bookBody(side([97_123.400_000_02, 1], [97_123.400_000_01, 1]), []), 1e-8).violations).toEqual(
      [],
    );
  });

  test("may lie close together under a wide tick: how far apart is another rule", () => {
    expect(pricesDistinct(bookBody([], side([38_513, 1], [38_514, 1])), 1e6).violations).toEqual([]);
  });
});

test("a book is crossed when the best bid reaches the best ask", () => {
  for (const [bid, crossed] of [
    [100.9, 0],
    [101, 1],
    [102, 1],
  ] as const) {
    expect(notCrossed(bookBody(side([99, 1], [bid, 1]), asks)).violations).toHaveLength(crossed);
  }
  expect(notCrossed(bookBody(bids, [])).examined).toBe(0);
});

test("the market is compared as an id, beyond 2^53 too", () => {
  const body = bookBody(bids, asks, { marketId: "9007199254740993" });
  expect(marketIs(body, "9007199254740993").violations).toEqual([]);
  expect(marketIs(body, "9007199254740992").violations).toHaveLength(1);
  expect(marketIs(bookBody(bids, asks, { marketId: 9007199254740993n }), "9007199254740993").violations).toEqual([]);
});

test("an absent sizeInUsd is false (W1)", () => {
  expect(sizeUnitIs(good, false).violations).toEqual([]);
  expect(sizeUnitIs(good, true).violations).toHaveLength(1);
  expect(sizeUnitIs(bookBody(bids, asks, { sizeInUsd: true }), true).violations).toEqual([]);
});

describe("the level count", () => {
  const of = (levels: number | undefined, requested?: number) =>
    levelCountFits(bookBody(bids, side([101, 1]), levels === undefined ? {} : { levels }), requested).violations.length;

  test("is at least the longer side's, and more is allowed unless a number was asked for", () => {
    expect([of(3), of(200), of(2), of(1)]).toEqual([0, 0, 1, 1]);
    expect([of(3, 5), of(4, 5), of(5, 5), of(6, 5), of(2, 5)]).toEqual([0, 0, 0, 1, 1]);
  });

  test("may echo the request, also one that asks for all", () => {
    expect([of(0), of(undefined), of(0, 0), of(0, 5)]).toEqual([0, 0, 0, 1]);
  });

  test("of a side with more levels than asked for is not held against it", () => {
    expect([of(3, 2), of(2, 2)]).toEqual([0, 0]);
    expect(levelCountFits(empty).examined).toBe(0);
    expect(levelCountFits(bookBody(bids, asks, { levels: "three" })).examined).toBe(0);
  });
});

describe("the total", () => {
  test("is at least what is shown", () => {
    const of = (totalOrderCount: number) =>
      shownWithinTotal(bookBody(bids, asks, { totalOrderCount })).violations.length;
    expect([of(12), of(13), of(11)]).toEqual([0, 0, 1]);
    expect(shownWithinTotal(empty).examined).toBe(0);
  });

  test("is the same in two answers, and the second one is blamed", () => {
    const of = (totalOrderCount: number) => bookBody(bids, asks, { totalOrderCount });
    expect(sameTotalOrderCount(of(12), of(12)).violations).toEqual([]);
    expect(sameTotalOrderCount(of(12), of(11)).violations).toMatchObject([
      { path: "orderBook.totalOrderCount", answer: 1 },
    ]);
  });
});

describe("the same depth", () => {
  const changed = (levels: typeof bids) => sameDepth(good, bookBody(bids, levels), "why").violations;

  test("is that of every level, in either direction of the array", () => {
    expect(sameDepth(good, worstFirst, "why")).toMatchObject({ examined: 6, violations: [] });
    expect(sameDepth(empty, empty, "why").examined).toBe(0);
  });

  test("is broken by another price, size or count, and by a level more or less", () => {
    expect(changed(side([101, 1], [103, 5, 4], [104.000_001, 0.5]))).toHaveLength(1);
    expect(changed(side([101, 1], [103, 5.1, 4], [104, 0.5]))).toHaveLength(1);
    expect(changed(side([101, 1], [103, 5, 3], [104, 0.5]))).toHaveLength(1);
    expect(changed(side([101, 1], [103, 5, 4], [104, 0.5], [105, 1]))).toHaveLength(1);
    expect(changed(side([101, 1], [103, 5, 4]))).toEqual([
      {
        path: "orderBook.book.asks",
        expected: "the level 104 with size 0.5 of 1 order (why)",
        seen: "no further level",
        answer: 1,
      },
    ]);
  });
});

test("a book is described by what it holds", () => {
  const body = bookBody(bids, asks, { pageSize: 12, levels: 3 });
  expect(bookInWords(body)).toBe("a success: 3 bid and 3 ask levels of 12 orders, pageSize 12, offset 0, levels 3");
  expect(bookInWords({})).toBe("a success without an orderBook");
});
