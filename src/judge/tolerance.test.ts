import { expect, test } from "vitest";
import { halfUnit, nearlyEqual, productHalfUnit } from "./tolerance.js";

test.each([
  [0, 0, true],
  [0, -0, true],
  [0, 1e-9, true],
  [0, 2e-9, false],
  [1e-12, 2e-12, true],
  [2.5, 2.5 * (1 + 9e-7), true],
  [2.5, 2.5 * (1 + 2e-6), false],
  [-1e12, -1e12 - 9e5, true],
  [1, -1, false],
  [1, Number.NaN, false],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, true],
])("%d and %d are equal within the tolerance: %s (R1)", (a, b, equal) => {
  expect(nearlyEqual(a, b)).toBe(equal);
});

test("a difference is as precise as the numbers that it was taken of", () => {
  expect(nearlyEqual(0.001, 0.0015)).toBe(false);
  expect(nearlyEqual(0.001, 0.0015, { magnitude: 1000 })).toBe(true);
});

test.each([
  [[1, 2, 3], 0.5],
  [[1.5, 2, 3], 0.05],
  [[1.5, 12.25, Number.NaN], 0.005],
  [[1e-7], 5e-8],
  [[1.25e-7], 5e-10],
  [[1e21, 7], 0.5],
  [[], 0.5],
])("numbers shown as %j may be rounded by %d (R1)", (shown, expected) => {
  expect(halfUnit(shown)).toBeCloseTo(expected, 12);
});

test("rounded numbers are equal up to their rounding, and no further", () => {
  expect(nearlyEqual(10.004, 10, { rounding: [halfUnit([10.25])] })).toBe(true);
  expect(nearlyEqual(10.006, 10, { rounding: [halfUnit([10.25])] })).toBe(false);
});

test.each([
  [27675.05, 27675.1, [5e-9, 0.05]],
  [1.25, 1.2, [0.005, 0.05]],
  [16_338.128, 24_507.19, [0.005, 8_169.064]],
])("%d and %d are equal if one of them was rounded by all of its half unit (R1)", (exact, rounded, rounding) => {
  expect(nearlyEqual(exact, rounded, { rounding })).toBe(true);
});

test.each([
  [10, 11, [0.5, 0.5]],
  [2.4, 2.5, [0.05, 0.05]],
])("%d and %d, with the same decimals, differ by a whole unit", (a, b, rounding) => {
  expect(nearlyEqual(a, b, { rounding })).toBe(false);
});

test("of a sum and its parts, several may be ties that were rounded in opposite directions (R1)", () => {
  // 29.595 was rounded down, and 29.595 + 19.6 = 49.195 up.
  expect(nearlyEqual(49.2, 29.59 + 19.6, { rounding: [0.005, 0.005, 5e-9] })).toBe(true);
  expect(nearlyEqual(49.21, 29.59 + 19.6, { rounding: [0.005, 0.005, 5e-9] })).toBe(false);
});

test("a product is off by what each factor is, times the other one", () => {
  expect(productHalfUnit([100, 0.5], [-3, 0.05])).toBeCloseTo(100 * 0.05 + 3 * 0.5 + 0.5 * 0.05, 12);
});
