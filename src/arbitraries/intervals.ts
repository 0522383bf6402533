import fc from "fast-check";
import { int32Max, int32Min, streamIntervalMaxMs, streamIntervalMinMs } from "../specification/limits.js";
import type { Profile } from "../specification/profile.js";
import { draw } from "./seed.js";

/**
 * Intervals in each range of lengths that the profile has time for: eight gaps take at most eight seconds (quick) or a
 * minute (full), and three gaps suffice for intervals above two seconds (§4.2, T2).
 */
const inRange: Readonly<Record<Profile, readonly fc.Arbitrary<number>[]>> = {
  quick: [
    fc.integer({ min: streamIntervalMinMs + 1, max: 249 }),
    fc.integer({ min: 251, max: 500 }),
    // A server that rounds to whole seconds shows it here, and in the last range.
    fc.integer({ min: 501, max: 700 }),
    fc.integer({ min: 701, max: 1_000 }),
    fc.integer({ min: 2_260, max: 2_400 }),
  ],
  full: [
    fc.integer({ min: streamIntervalMinMs + 1, max: 149 }),
    fc.integer({ min: 150, max: 249 }),
    fc.integer({ min: 251, max: 450 }),
    fc.integer({ min: 451, max: 2_000 }),
    fc.integer({ min: 2_001, max: 7_000 }),
    fc.integer({ min: 7_001, max: 20_000 }),
  ],
};

/** One interval from each range of lengths, all within the documented range and so used as is (§4.2). */
export function intervalsInRange(profile: Profile, seed: number): readonly number[] {
  return inRange[profile].map((interval) => draw(interval, seed));
}

/**
 * Long intervals, watched for their second message but not always long enough to see it: up to 2 s, up to 5 s, up to twice
 * that, on either side of what 16 bits hold, and the maximum.
 */
export function longIntervals(seed: number): readonly number[] {
  const max16 = 32_767;
  const ranges = [
    fc.integer({ min: 1_001, max: 2_000 }),
    fc.integer({ min: 2_001, max: 4_500 }),
    fc.integer({ min: 5_001, max: 9_500 }),
    fc.integer({ min: 9_501, max: max16 }),
    fc.integer({ min: max16 + 1, max: streamIntervalMaxMs - 1 }),
  ];
  return [...ranges.map((range) => draw(range.filter(isNoWholeSecond), seed)), streamIntervalMaxMs];
}

/** Whether an interval is far enough from a whole number of seconds for rounding to show. */
function isNoWholeSecond(ms: number): boolean {
  return Math.abs(ms - 1_000 * Math.round(ms / 1_000)) >= 250;
}

/** Intervals below the range (T3): two positive ones, far from the minimum and near it, and two negative ones. */
export function intervalsBelowRange(seed: number): readonly number[] {
  const half = streamIntervalMinMs / 2;
  return [
    fc.integer({ min: 2, max: half }),
    // Closer to the minimum, the two paces could hardly be told apart.
    fc.integer({ min: half + 1, max: streamIntervalMinMs - 25 }),
    fc.integer({ min: -1_000, max: -2 }),
    fc.oneof(fc.constant(int32Min), fc.integer({ min: int32Min, max: -1_001 })),
  ].map((interval) => draw(interval, seed));
}

/** Intervals above the range (T3): the first, one of which 16 bits hold a short interval, one that is drawn, and the largest. */
export function intervalsAboveRange(seed: number): readonly number[] {
  const max16 = 65_535;
  const { min, max } = { min: streamIntervalMaxMs + 2, max: int32Max - 1 };
  const ranges = [
    fc.integer({ min: max16 + 1 + streamIntervalMinMs, max: max16 + 4_000 }),
    fc.oneof(fc.integer({ min, max: 2 * streamIntervalMaxMs }), fc.integer({ min, max })),
  ];
  return [streamIntervalMaxMs + 1, ...ranges.map((range) => draw(range, seed)), int32Max];
}

/** Interval literals whose meaning is left open: beyond int32, and fractions (T3). */
export const unsettledIntervals = ["2147483648", "4294967396", "1000000000000", "150.5", "99.9"] as const;
