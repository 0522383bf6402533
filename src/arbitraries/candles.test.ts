import fc from "fast-check";
import { expect, test } from "vitest";
import { formatInstant, instantFromMillis, millisOf, parseInstant } from "../judge/instant.js";
import { candleIntervals } from "../spec/enums.js";
import { candleIntervalSeconds } from "../spec/limits.js";
import { candleLimits, candleRangesBefore, limitForms } from "./candles.js";

const end = instantFromMillis(Date.UTC(2026, 0, 1));
const millis = (time: string) => millisOf(parseInstant(time) ?? instantFromMillis(Number.NaN));

test("a range starts before it ends, ends well before the instant, and holds few candles", () => {
  fc.assert(
    fc.property(candleRangesBefore(end, candleIntervals), ({ startTime, endTime, interval }) => {
      const length = candleIntervalSeconds[interval] * 1000;
      const [from, to] = [millis(startTime), millis(endTime)];
      expect(from, `${startTime} to ${endTime}`).toBeLessThan(to);
      expect(to).toBeLessThanOrEqual(millisOf(end) - 2 * length);
      expect((to - from) / length).toBeLessThanOrEqual(30.01);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("only the intervals that were given are asked for", () => {
  const intervals = new Set(
    fc.sample(candleRangesBefore(end, ["1D"]), { seed: 1, numRuns: 20 }).map((r) => r.interval),
  );
  expect([...intervals]).toEqual(["1D"]);
  expect(formatInstant(end)).toBe("2026-01-01T00:00:00Z");
});

test("limits are positive, and some are below the number of candles", () => {
  fc.assert(
    fc.property(candleLimits(60), (limit) => {
      expect(limit).toBeGreaterThan(0);
    }),
    { seed: 1, numRuns: 200 },
  );
  expect(fc.sample(candleLimits(60), { seed: 1, numRuns: 30 }).some((limit) => limit < 60)).toBe(true);
  expect(limitForms(60)).toEqual([1, 50, 59, 1001, 2_147_483_647]);
  expect(limitForms(0)).toContain(1);
});
