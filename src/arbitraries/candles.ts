import fc from "fast-check";
import type { CandleRange } from "../judge/candles.js";
import { formatInstant, type Instant, instantFromMillis, millisOf } from "../judge/instant.js";
import { candleIntervals } from "../spec/enums.js";
import { candleIntervalSeconds, int32Max } from "../spec/limits.js";

/**
 * Ranges that end some intervals before an instant and hold few candles. They begin and end anywhere within an interval, to
 * the millisecond, or right at `end` less whole intervals.
 */
export function candleRangesBefore(end: Instant): fc.Arbitrary<CandleRange> {
  return fc
    .record({
      interval: fc.constantFrom(...candleIntervals),
      before: fc.oneof(fc.integer({ min: 2, max: 12 }), fc.double({ min: 2, max: 12, noNaN: true })),
      length: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.double({ min: 0.2, max: 30, noNaN: true })),
    })
    .map(({ interval, before, length }): CandleRange => {
      const milliseconds = candleIntervalSeconds[interval] * 1000;
      const endMs = millisOf(end) - before * milliseconds;
      return {
        startTime: formatInstant(instantFromMillis(endMs - length * milliseconds)),
        endTime: formatInstant(instantFromMillis(endMs)),
        interval,
      };
    });
}

/** Limits for a range of so many candles: below and above their number, those of listings, the greatest int32. */
export function candleLimits(candles: number): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(1, 2, Math.max(1, candles - 1), 10) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: Math.max(1, candles - 1) }) },
    { weight: 2, arbitrary: fc.constantFrom(50, candles + 1, 1000, 1001, int32Max) },
  );
}
