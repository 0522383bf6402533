import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tickSizeOf } from "../arbitraries/ticks.js";
import { bookBody, type Short, side } from "./book.fixture.js";
import {
  bucketsAligned,
  bucketsSpaced,
  noCoarserThan,
  noWiderThan,
  sameSizePerSide,
  sameTick,
  tickSizeIs,
} from "./buckets.js";

const count = ({ violations }: { readonly violations: readonly unknown[] }) => violations.length;
const asks = (...prices: readonly number[]) => bookBody([], side(...prices.map((price): Short => [price, 1])));

describe("tick sizes", () => {
  test("are the same within a relative 1e-9 (B9)", () => {
    expect(sameTick(1e-8, 0.000_000_01)).toBe(true);
    expect(sameTick(0.1 + 1e-17, 0.1)).toBe(true);
    expect(sameTick(Math.fround(0.1), 0.1)).toBe(false);
    expect(sameTick(1e-12, 0)).toBe(false);
  });

  test("of an answer are the ones applied; an absent one is 0", () => {
    expect(count(tickSizeIs(bookBody([], []), 0, "off"))).toBe(0);
    expect(tickSizeIs(bookBody([], [], { tickSize: 10 }), 0.1, "the requested one").violations).toEqual([
      { path: "orderBook.tickSize", expected: "0.1 (the requested one)", seen: "10" },
    ]);
    expect(tickSizeIs(bookBody([], [], { tickSize: "fine" }), 0.1, "why").examined).toBe(0);
  });
});

describe("the spacing of buckets", () => {
  test("is a whole number of ticks, from whatever price they start", () => {
    expect(bucketsSpaced(asks(100.5, 101.5, 107.5), 1)).toMatchObject({ examined: 2, violations: [] });
    expect(bucketsSpaced(asks(100, 101.5, 103), 1).violations).toEqual([
      {
        path: "orderBook.book.asks[1].price",
        expected: "a whole multiple of 1 away from 100 (the best price of the side)",
        seen: "101.5",
      },
    ]);
    expect(bucketsSpaced(asks(100), 1)).toMatchObject({ examined: 0, missing: "a side with two levels" });
  });

  test("may be off by a millionth of a tick, not by more", () => {
    expect(count(bucketsSpaced(asks(100, 101.000_000_5), 1))).toBe(0);
    expect(count(bucketsSpaced(asks(100, 101.000_01), 1))).toBe(1);
  });

  test("is right for prices of any precision, computed in either way, and wrong when one price is off", () => {
    const cases = fc.record({
      decimals: fc.integer({ min: 0, max: 8 }),
      power: fc.integer({ min: 0, max: 6 }),
      first: fc.integer({ min: 0, max: 1e9 }),
      gaps: fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 20 }),
      compute: fc.constantFrom(
        (buckets: number, tick: number) => buckets * tick,
        (buckets: number, tick: number) => buckets / (1 / tick),
        (buckets: number, tick: number) => Number((buckets * tick).toPrecision(15)),
      ),
    });
    fc.assert(
      fc.property(cases, ({ decimals, power, first, gaps, compute }) => {
        const tick = tickSizeOf(1, power, decimals).value;
        let bucket = first;
        const prices = [first, ...gaps.map((gap) => (bucket += gap))].map((buckets) => compute(buckets, tick));
        expect(count(bucketsSpaced(asks(...prices), tick))).toBe(0);
        expect(count(bucketsAligned(asks(...prices), tick))).toBe(0);
        const off = prices.map((price, index) => (index === 0 ? price : price + 0.3 * tick));
        expect(count(bucketsSpaced(asks(...off), tick))).toBe(gaps.length);
        expect(count(bucketsAligned(asks(...off), tick))).toBe(gaps.length);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

test("aligned buckets are labelled by multiples of the tick, 0 included", () => {
  expect(bucketsAligned(asks(0, 100_000), 100_000)).toMatchObject({ examined: 2, violations: [] });
  expect(count(bucketsAligned(asks(0.000_5, 0.001_5), 0.001))).toBe(2);
  expect(count(bucketsAligned(asks(0.3), 0.1))).toBe(0);
  expect(bucketsAligned(bookBody([], []), 1).examined).toBe(0);
});

describe("the size of a side", () => {
  const plain = bookBody(side([100, 1.5, 2], [99, 2]), side([101, 4]));

  test("is the same with buckets as without", () => {
    expect(sameSizePerSide(plain, bookBody(side([90, 3.5, 3]), side([110, 4])))).toMatchObject({
      examined: 2,
      violations: [],
    });
    expect(sameSizePerSide(plain, bookBody(side([90, 2.5, 3]), side([110, 4]))).violations).toEqual([
      {
        path: "orderBook.book.bids",
        expected: "a total size of 3.5 (as without bucketing)",
        seen: "a total size of 2.5",
        answer: 1,
      },
    ]);
    expect(count(sameSizePerSide(plain, bookBody(side([90, 2, 2]), side([110, 8]))))).toBe(2);
    expect(count(sameSizePerSide(plain, bookBody([], side([110, 4]))))).toBe(1);
  });

  test("says nothing when the plain side was cut off, or both are empty", () => {
    expect(sameSizePerSide(plain, bookBody(side([90, 9, 4]), [])).violations.map(({ path }) => path)).toEqual([
      "orderBook.book.asks",
    ]);
    expect(sameSizePerSide(bookBody([], []), bookBody([], [])).examined).toBe(0);
  });
});

test("a book without buckets has no fewer levels than with the finest ones", () => {
  const plain = asks(1, 2, 3);
  expect(count(noCoarserThan(plain, asks(1, 2)))).toBe(0);
  expect(count(noCoarserThan(plain, plain))).toBe(0);
  expect(noCoarserThan(plain, asks(1, 2, 3, 4)).violations).toMatchObject([{ path: "orderBook.book.asks" }]);
  expect(noCoarserThan(bookBody([], []), bookBody([], [])).examined).toBe(0);
});

test("buckets hold prices of no more than a tick (B9)", () => {
  const plain = asks(1, 2, 3, 11, 12);
  for (const bucketed of [
    [1, 11],
    [0, 10],
    [3, 13],
    [2, 12],
    [0, 5, 10],
  ])
    expect(count(noWiderThan(plain, withOrders(bucketed, 5), 2))).toBe(0);
  expect(noWiderThan(plain, withOrders([10], 5), 2).violations).toEqual([
    {
      path: "orderBook.book.asks",
      expected: "at least 2 levels (what the prices without bucketing fill, 2 to each)",
      seen: "1 level",
      answer: 1,
    },
  ]);
  expect(count(noWiderThan(plain, withOrders([10], 4), 2))).toBe(0);
  expect(noWiderThan(bookBody([], []), bookBody([], []), 2).examined).toBe(0);
});

/** Asks at these prices, with so many orders in all. */
function withOrders(prices: readonly number[], orders: number) {
  const [first = 0, ...others] = prices;
  return bookBody([], side([first, 1, orders - others.length], ...others.map((price): Short => [price, 1])));
}
