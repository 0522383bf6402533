import { numberTolerance } from "../specification/limits.js";

/** Tolerance between two numbers beyond the default one. */
export interface Slack {
  /**
   * Magnitude of the numbers that the two were computed from, if it is larger: a small difference of large numbers is no
   * more precise than these.
   */
  readonly magnitude?: number;
  /** How far rounding may have moved each number that enters the relation: see {@link halfUnit}, {@link productHalfUnit}. */
  readonly rounding?: readonly number[];
}

/**
 * Whether two numbers are equal within the tolerance of R1: 1e-6 of the larger one or 1e-9, and in addition the rounding of
 * one of them, which may be a tie; or a little less than the rounding of all. So rounding never makes different numbers with
 * the same decimals equal: these differ by a whole unit, half a unit for each. Where three or more numbers enter, as in a sum,
 * several may be ties.
 */
export function nearlyEqual(a: number, b: number, { magnitude = 0, rounding = [] }: Slack = {}): boolean {
  if (a === b) return true;
  const { absolute, relative } = numberTolerance;
  const usual = Math.max(absolute, relative * Math.max(Math.abs(a), Math.abs(b), Math.abs(magnitude)));
  const ofAll = rounding.reduce((sum, each) => sum + each, 0);
  const ofTies = rounding.length > 2 ? ofAll : Math.max(0, ...rounding);
  return Math.abs(a - b) <= Math.max(usual + ofTies, (1 - relative) * ofAll);
}

/**
 * Half a unit of the last decimal shown, which is how far a number of a field may be rounded (R1).
 *
 * @param shown all numbers that an answer shows for the field; the most decimals of any of them count
 */
export function halfUnit(shown: Iterable<number>): number {
  let decimals = 0;
  for (const number of shown) decimals = Math.max(decimals, decimalsOf(number));
  return 0.5 * 10 ** -decimals;
}

/** How far a product may be off if its factors are rounded, each by its half unit (R1). */
export function productHalfUnit(
  [a, ofA]: readonly [number: number, halfUnit: number],
  [b, ofB]: readonly [number: number, halfUnit: number],
): number {
  return Math.abs(a) * ofB + Math.abs(b) * ofA + ofA * ofB;
}

const known = new Map<number, number>();
const mostKnown = 50_000;

/** Decimals of a number when written without an exponent: 3 for 0.125, 7 for 1.5e-6. */
function decimalsOf(number: number): number {
  if (Number.isInteger(number)) return 0;
  const before = known.get(number);
  if (before !== undefined) return before;
  const [, fraction = "", exponent = "0"] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? [];
  const decimals = Math.max(0, fraction.length - Number(exponent));
  if (known.size >= mostKnown) known.clear();
  known.set(number, decimals);
  return decimals;
}
