import { describe, expect, test } from "vitest";
import { candleIntervals } from "../specification/enums.js";
import { candleSeries, intervalCount, intervalStart, intervalStarts, laterInterval } from "./candles.js";
import { sharedDataset } from "./dataset/generate.js";

const at = (text: string) => Date.parse(text);

describe("intervals", () => {
  test("are aligned to the calendar", () => {
    const moment = at("2025-05-15T13:37:42.500Z");
    const starts = candleIntervals.map((interval) => new Date(intervalStart(interval, moment)).toISOString());
    expect(starts).toEqual([
      "2025-05-15T13:37:42.000Z",
      "2025-05-15T13:37:00.000Z",
      "2025-05-15T13:00:00.000Z",
      "2025-05-15T00:00:00.000Z",
      "2025-05-12T00:00:00.000Z",
      "2025-05-01T00:00:00.000Z",
    ]);
  });

  test("months are calendar months, weeks begin on Monday", () => {
    expect(new Date(laterInterval("1M", at("2024-12-01T00:00:00Z"))).toISOString()).toBe("2025-01-01T00:00:00.000Z");
    expect(new Date(laterInterval("1M", at("2025-01-01T00:00:00Z"), -11)).toISOString()).toBe(
      "2024-02-01T00:00:00.000Z",
    );
    for (const start of intervalStarts("1W", at("2025-01-01T00:00:00Z"), at("2025-03-01T00:00:00Z"))) {
      expect(new Date(start).getUTCDay()).toBe(1);
    }
  });

  test.each(candleIntervals)("%s: a range holds those that start in it, bounds included", (interval) => {
    const first = intervalStart(interval, at("2025-02-10T00:00:00Z"));
    const last = laterInterval(interval, first, 5);
    expect(intervalStarts(interval, first, last)).toHaveLength(6);
    expect(intervalStarts(interval, first + 1, last - 1)).toHaveLength(4);
    expect(intervalStarts(interval, last, first)).toEqual([]);
    expect(intervalCount(interval, first, last)).toBeGreaterThanOrEqual(6);
  });
});

describe("candles", () => {
  const { markets } = sharedDataset(1, 0);

  test("are low at the low and high at the high, and begin where the one before ended", () => {
    for (const market of markets.values()) {
      for (const interval of candleIntervals) {
        let close: number | undefined;
        for (const start of intervalStarts(
          interval,
          at("2025-02-01T00:00:00Z"),
          at("2025-02-01T00:01:00Z") + 40 * (interval === "1S" ? 0 : 3_600_000),
        )) {
          const candle = candleSeries(1, market, interval)(start);
          expect(candle.low).toBeLessThanOrEqual(Math.min(candle.open, candle.close));
          expect(candle.high).toBeGreaterThanOrEqual(Math.max(candle.open, candle.close));
          expect(candle.low).toBeGreaterThan(0);
          expect(candle.volume).toBeGreaterThan(0);
          if (close !== undefined) expect(candle.open).toBe(close);
          close = candle.close;
        }
      }
    }
  });

  test("follow from seed, market and interval alone", () => {
    const [market, other] = [...markets.values()];
    if (market === undefined || other === undefined) throw new Error("no markets");
    const start = at("2025-02-01T00:00:00Z");
    expect(candleSeries(1, market, "60")(start)).toEqual(candleSeries(1, market, "60")(start));
    expect(candleSeries(2, market, "60")(start)).not.toEqual(candleSeries(1, market, "60")(start));
    expect(candleSeries(1, other, "60")(start)).not.toEqual(candleSeries(1, market, "60")(start));
  });
});
