import fc from "fast-check";
import type { CandleRange } from "../judge/candles.js";
import { formatInstant, type Instant, instantFromMillis, millisOf } from "../judge/instant.js";
import type { CandleInterval } from "../spec/enums.js";
import { candleIntervalSeconds, int32Max, pageLimitDefault, pageLimitMax } from "../spec/limits.js";

/**
 * Ranges that end some intervals before an instant and hold few candles. They begin and end anywhere within an interval, to
 * the millisecond, or right at `end` less whole intervals.
 */
export function candleRangesBefore(end: Instant, intervals: readonly CandleInterval[]): fc.Arbitrary<CandleRange> {
  return fc
    .record({
      interval: fc.constantFrom(...intervals),
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

/** Limits that a server may have in mind: one, a page of the listings, a little less than there is, and too many. */
export function limitForms(candles: number): readonly number[] {
  return [1, pageLimitDefault, Math.max(1, candles - 1), pageLimitMax + 1, int32Max];
}

/** Limits below the number of candles, and some above it. */
export function candleLimits(candles: number): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: Math.max(1, candles - 1) }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: int32Max }) },
  );
}
