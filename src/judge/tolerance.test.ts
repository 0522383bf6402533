import { expect, test } from "vitest";
import { nearlyEqual } from "./tolerance.js";

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
  expect(nearlyEqual(0.001, 0.0015, 1000)).toBe(true);
});
