import { numberTolerance } from "../spec/limits.js";

/**
 * Whether two numbers are equal within the tolerance of R1: 1e-6 of the greater one, or 1e-9.
 *
 * @param magnitude size of the numbers that the two were computed from, where that is greater than they are: a small
 *   difference of great numbers is no more precise than these
 */
export function nearlyEqual(a: number, b: number, magnitude = 0): boolean {
  if (a === b) return true;
  const greatest = Math.max(Math.abs(a), Math.abs(b), Math.abs(magnitude));
  return Math.abs(a - b) <= Math.max(numberTolerance.absolute, numberTolerance.relative * greatest);
}
