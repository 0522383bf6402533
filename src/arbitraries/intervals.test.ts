import fc from "fast-check";
import { expect, test } from "vitest";
import { int32Max, int32Min } from "../specification/limits.js";
import { intervalsAboveRange, intervalsBelowRange, intervalsInRange, longIntervals } from "./intervals.js";

const seeds = fc.nat(int32Max);

test("intervals of every length are drawn in the range, the shorter ones in both profiles", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      expect(intervalsInRange("quick", seed)).toHaveLength(5);
      for (const profile of ["quick", "full"] as const) {
        const drawn = intervalsInRange(profile, seed);
        expect(drawn).toEqual([...drawn].sort((a, b) => a - b));
        for (const ms of drawn) expect(ms > 100 && ms <= (profile === "quick" ? 2_400 : 20_000)).toBe(true);
      }
    }),
  );
});

test("long intervals are either side of what 16 bits hold, and no whole seconds", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const [above = 0, shorter = 0, twice = 0, middle = 0, longer = 0, longest = 0] = longIntervals(seed);
      expect(above > 1_000 && above <= 2_000).toBe(true);
      expect(twice > 5_000 && twice < 10_000 && longest === 60_000).toBe(true);
      expect(shorter > 2_000 && shorter < 5_000 && middle > 9_500 && middle <= 32_767).toBe(true);
      expect(longer > 32_767 && longer < 60_000).toBe(true);
      for (const ms of [above, shorter, twice, middle, longer])
        expect(Math.abs(((ms + 500) % 1_000) - 500)).toBeGreaterThanOrEqual(250);
    }),
  );
});

test("intervals beside the range are drawn on its right side, within int32", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const [positive = 0, near = 0, negative = 0, farBelow = 0] = intervalsBelowRange(seed);
      expect(positive > 1 && positive <= 50).toBe(true);
      expect(near > 50 && near < 80).toBe(true);
      expect(negative < -1 && negative >= -1_000).toBe(true);
      expect(farBelow < -1_000 && farBelow >= int32Min).toBe(true);
      const above = intervalsAboveRange(seed);
      expect(above.every((ms) => ms > 60_000 && ms <= int32Max)).toBe(true);
      expect(above[1] ?? 0).toBeGreaterThan(65_535);
      expect((above[1] ?? 0) % 65_536).toBeLessThan(4_000);
    }),
  );
});

test("the same seed draws the same intervals, others draw others", () => {
  expect(intervalsInRange("full", 7)).toEqual(intervalsInRange("full", 7));
  expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => intervalsAboveRange(seed)[2])).size).toBeGreaterThan(3);
});
