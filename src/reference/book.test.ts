import { describe, expect, test } from "vitest";
import { aggregate, bucketOf, stepOf } from "./book.js";
import type { DepthOrder } from "./dataset/model.js";

describe("the bucket size", () => {
  test.each([
    [0, 2, 0],
    [0.01, 2, 1],
    [0.1, 2, 10],
    [1e-1, 2, 10],
    [1e9, 2, 1e11],
    [0.005, 2, 1],
    [3e-9, 8, 1],
    [1e-5, 5, 1],
    [0.00001 + 1e-17, 5, 1],
    [1, 0, 1],
    [0.5, 0, 1],
    [1_000_000, 0, 1_000_000],
  ])("of %d on a market with %i tick decimals is %d ticks", (tickSize, tickDecimals, step) => {
    expect(stepOf(tickSize, tickDecimals)).toBe(step);
  });

  test.each([-1, -1e-9, 2, 0.011, 9.99, 10.01, Number.NaN, Number.POSITIVE_INFINITY])(
    "of %d there is none",
    (tickSize) => {
      expect(stepOf(tickSize, 2)).toBeUndefined();
    },
  );

  test("is found for every power of ten on every tick", () => {
    for (let decimals = 0; decimals <= 8; decimals++) {
      for (let k = 0; k <= 9; k++) expect(stepOf(10 ** k / 10 ** decimals, decimals)).toBe(10 ** k);
    }
  });
});

describe("aggregation", () => {
  const bids: readonly DepthOrder[] = [
    { side: "bid", ticks: 1_999, size: 1 },
    { side: "bid", ticks: 1_999, size: 2 },
    { side: "bid", ticks: 1_991, size: 4 },
    { side: "bid", ticks: 1_985, size: 8 },
  ];
  const terms = { tickDecimals: 2, step: 0, sizeInUsd: false, levels: 0, bucket: bucketOf };

  test("merges equal prices, and adds up from the best one", () => {
    expect(aggregate(bids, terms)).toEqual([
      { price: 19.99, size: 3, orderCount: 2, cumulativeTotal: 3 },
      { price: 19.91, size: 4, orderCount: 1, cumulativeTotal: 7 },
      { price: 19.85, size: 8, orderCount: 1, cumulativeTotal: 15 },
    ]);
  });

  test("merges buckets: bids by the floor, asks by the ceiling", () => {
    const labels = (orders: readonly DepthOrder[]) =>
      aggregate(orders, { ...terms, step: 10 }).map(({ price }) => price);
    expect(labels(bids)).toEqual([19.9, 19.8]);
    expect(labels(bids.map((order) => ({ ...order, side: "ask" })))).toEqual(
      [20, 19.9].map((p) => (p === 19.9 ? 19.9 : p)),
    );
  });

  test("keeps the best levels, and takes sizes in USD order by order", () => {
    const [best, ...rest] = aggregate(bids, { ...terms, step: 10, sizeInUsd: true, levels: 1 });
    expect(rest).toEqual([]);
    expect(best).toMatchObject({ price: 19.9, orderCount: 3 });
    expect(best?.size).toBeCloseTo(3 * 19.99 + 4 * 19.91, 9);
  });
});
