import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { int32Max } from "../spec/limits.js";
import { offsetsBeyond, offsetsWithin, pageLimits, pageLimitsAboveCap, placesIn, smallPageLimits } from "./paging.js";

const sample = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { seed: 1, numRuns: 400 });
const between = (values: readonly number[], min: number, max: number) =>
  values.every((value) => Number.isInteger(value) && value >= min && value <= max);

describe("page sizes", () => {
  test("are taken as they are up to the cap, whose edges come up", () => {
    const limits = sample(pageLimits);
    expect(between(limits, 1, 1000)).toBe(true);
    expect(limits).toEqual(expect.arrayContaining([1, 49, 50, 51, 500, 501, 999, 1000]));
    expect(between(sample(smallPageLimits), 1, 120)).toBe(true);
  });

  test("above the cap reach up to int32", () => {
    const limits = sample(pageLimitsAboveCap);
    expect(between(limits, 1001, int32Max)).toBe(true);
    expect(limits).toEqual(expect.arrayContaining([1001, int32Max]));
  });
});

describe("offsets", () => {
  test.each([1, 2, 50, 51, 1001, 2700, 5_000_000])("within %i records are there", (total) => {
    const offsets = sample(offsetsWithin(total));
    expect(between(offsets, 0, total - 1)).toBe(true);
    expect(offsets).toEqual(expect.arrayContaining([0, total - 1]));
  });

  test.each([0, 1, 2700, int32Max])("beyond %i records are not, and stay in int32", (total) => {
    expect(between(sample(offsetsBeyond(total)), Math.min(total + 1, int32Max), int32Max)).toBe(true);
  });

  test("are drawn from every listing", () => {
    const listings = [10, 20, 30].map((total) => ({ filter: {}, total }));
    const places = sample(placesIn(listings));
    for (const listing of listings) expect(places.some((place) => place.listing === listing)).toBe(true);
    expect(places.every(({ listing, offset }) => offset < listing.total)).toBe(true);
  });
});
