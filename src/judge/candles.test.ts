import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import {
  bodyWithinWick,
  notTheCandlesOf,
  orderInWords,
  pricesInWords,
  rangeContainsParts,
  sameCandles,
  spacedBy,
  spacingInWords,
  withinRange,
} from "./candles.js";
import { readCandlestick } from "./read.js";

const candle = (timestamp: string, values: JsonObject = {}) =>
  readCandlestick({ timestamp, open: 2, high: 4, low: 1, close: 3, ...values });
const at = (...timestamps: readonly string[]) => timestamps.map((timestamp) => candle(timestamp));
/** So many candles at a distance of so many seconds. */
const every = (seconds: number, count: number) =>
  at(...Array.from({ length: count }, (_, n) => new Date(Date.UTC(2026, 0, 1) + n * seconds * 1000).toISOString()));

describe("the range (C2)", () => {
  const range = { startTime: "2026-01-01T10:00:00Z", endTime: "2026-01-01T12:00:00Z", interval: "60" } as const;

  test("may be left by one interval at both ends, bounds inclusive", () => {
    expect(withinRange(range, at("2026-01-01T09:00:00Z", "2026-01-01T11:00:00Z", "2026-01-01T13:00:00Z"))).toEqual({
      examined: 3,
      violations: [],
      missing: "candles in the range asked for",
    });
  });

  test.each(["2026-01-01T08:59:59.999999999Z", "2026-01-01T13:00:00.000000001Z"])("is left by %s", (timestamp) => {
    const { violations } = withinRange(range, at("2026-01-01T11:00:00Z", timestamp));
    expect(violations).toEqual([
      {
        path: "priceCandleSticks[1].timestamp",
        expected: "2026-01-01T10:00:00Z to 2026-01-01T12:00:00Z, give or take one interval of 60",
        seen: timestamp,
      },
    ]);
  });

  test("is compared in instants, whatever the zone", () => {
    expect(withinRange(range, at("2026-01-01T14:30:00+02:00")).violations).toEqual([]);
    expect(withinRange(range, at("2026-01-01T16:30:00+02:00")).violations).toHaveLength(1);
  });

  test("of months allows 31 days", () => {
    const months = { startTime: "2026-03-01T00:00:00Z", endTime: "2026-05-31T00:00:00Z", interval: "1M" } as const;
    expect(withinRange(months, at("2026-01-29T00:00:00Z", "2026-07-01T00:00:00Z")).violations).toEqual([]);
    expect(withinRange(months, at("2026-01-01T00:00:00Z")).violations).toHaveLength(1);
  });

  test("is not judged on a timestamp that cannot be read", () => {
    expect(withinRange(range, at("soon", "")).examined).toBe(0);
  });
});

describe("the spacing (C1)", () => {
  test.each([
    ["1S", 1],
    ["1", 60],
    ["60", 3600],
    ["1D", 86_400],
    ["1W", 604_800],
  ] as const)("of %s is %i s", (interval, seconds) => {
    expect(spacedBy(interval, every(seconds, 6))).toMatchObject({ examined: 5, violations: [] });
    expect(spacedBy(interval, every(seconds * 1.5, 6)).violations).not.toEqual([]);
    expect(spacedBy(interval, every(seconds / 60, 6)).violations).toHaveLength(5);
  });

  test("does not depend on the order of candles", () => {
    expect(spacedBy("60", [...every(3600, 6)].reverse()).violations).toEqual([]);
  });

  test("may leave out times without trades", () => {
    const hours = every(3600, 12);
    expect(
      spacedBy(
        "60",
        hours.filter((_, n) => ![1, 2, 7].includes(n)),
      ).violations,
    ).toEqual([]);
    expect(spacedBy("1S", every(5, 8)).violations).toEqual([]);
  });

  test.each([
    ["1S", 60, "one for each 1 s", "one every 60 s, as for 1"],
    ["1", 3600, "one for each 60 s", "one every 3600 s, as for 60"],
    ["60", 86_400, "one for each 3600 s", "one every 86400 s, as for 1D"],
    ["1D", 604_800, "one for each 86400 s", "one every 604800 s, as for 1W"],
  ] as const)("of %s is not that of a coarser interval", (interval, seconds, expected, seen) => {
    const violations = [{ path: "priceCandleSticks", expected, seen }];
    expect(spacedBy(interval, every(seconds, 4)).violations).toEqual(violations);
    expect(spacedBy(interval, every(seconds, 3)).violations).toEqual([]);
  });

  test("of sparse candles may be about that of a coarser interval", () => {
    const days = at("2026-03-01T10:00:00Z", "2026-03-02T11:00:00Z", "2026-03-03T10:00:00Z", "2026-03-04T09:00:00Z");
    expect(spacedBy("60", days).violations).toEqual([]);
  });

  test("of a candle that comes twice is none", () => {
    const twice = at("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z");
    expect(spacedBy("60", twice).violations).toHaveLength(1);
    expect(spacedBy("1M", twice).violations).toHaveLength(1);
  });

  const months = Array.from({ length: 36 }, (_, n) => new Date(Date.UTC(2024, n)));

  test("of months is that of the calendar, in any zone and dated by start or end", () => {
    const starts = months.map((month) => month.toISOString());
    const elsewhere = months.map((month) => new Date(month.getTime() - 8 * 3_600_000).toISOString());
    const ends = months.map((month) => new Date(month.getTime() - 1).toISOString());
    for (const timestamps of [starts, elsewhere, ends, starts.filter((_, n) => n % 5 !== 2)]) {
      expect(spacedBy("1M", at(...timestamps)).violations).toEqual([]);
    }
  });

  test("of months is neither 30 days nor four weeks", () => {
    expect(spacedBy("1M", every(30 * 86_400, 12)).violations).not.toEqual([]);
    expect(spacedBy("1M", every(28 * 86_400, 12)).violations).not.toEqual([]);
    expect(spacedBy("1M", every(7 * 86_400, 6)).violations).not.toEqual([]);
  });

  test("of days may change by an hour, as a clock for summer does", () => {
    const days = at("2026-03-27T23:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", "2026-03-30T22:00:00Z");
    expect(spacedBy("1D", days).violations).toEqual([]);
  });

  test("is not to be seen of a single candle", () => {
    expect(spacedBy("60", every(3600, 1))).toEqual({
      examined: 0,
      violations: [],
      missing: "two candles of the interval 60",
    });
  });
});

describe("open and close", () => {
  const judged = (values: JsonObject) => bodyWithinWick([candle("2026-01-01T00:00:00Z", values)]);

  test("lie between low and high, edges included", () => {
    expect(judged({})).toEqual({ examined: 2, violations: [] });
    expect(judged({ open: 1, close: 4 }).violations).toEqual([]);
    expect(judged({ open: 0, high: 0, low: 0, close: 0 }).violations).toEqual([]);
  });

  test("may stick out by what is within the tolerance of R1", () => {
    const precise = { open: 2.000_000_1, low: 1.000_000_1, high: 4.000_000_1 };
    expect(judged({ ...precise, close: 4.000_003 }).violations).toEqual([]);
    expect(judged({ ...precise, close: 4.500_01 }).violations).toHaveLength(1);
    expect(judged({ close: 4.9 }).violations).toEqual([]);
  });

  test("do not stick out, each with its place", () => {
    expect(judged({ open: -0.5, close: 5 }).violations).toEqual([
      { path: "priceCandleSticks[0].open", expected: "1 to 4 (= low to high)", seen: "-0.5" },
      { path: "priceCandleSticks[0].close", expected: "1 to 4 (= low to high)", seen: "5" },
    ]);
    expect(judged({ high: 1, low: 4 }).violations).toHaveLength(2);
  });

  test("are not judged where a price cannot be read", () => {
    expect(judged({ high: "much" }).examined).toBe(0);
  });
});

describe("the same candles with and without a limit (C3)", () => {
  const all = every(3600, 3);

  test("are the same in any order", () => {
    expect(sameCandles(all, [...all].reverse(), "as without a limit")).toEqual({ examined: 3, violations: [] });
  });

  test("are not fewer, not others, and have no other prices", () => {
    expect(sameCandles(all, all.slice(1), "as without a limit").violations).toEqual([
      {
        answer: 1,
        path: "priceCandleSticks",
        expected: "3 candles (as without a limit)",
        seen: "2 candles, without that of 2026-01-01T00:00:00Z",
      },
    ]);
    expect(sameCandles(all, every(1800, 3), "as without a limit").violations).toHaveLength(1);
    const dearer = all.map(({ json }) => readCandlestick({ ...json, close: 4 }));
    expect(sameCandles(all, dearer, "as without a limit").violations).toHaveLength(3);
  });

  test("are missed also where the first answer has one or none of them", () => {
    for (const few of [[], all.slice(0, 1)])
      expect(sameCandles(few, all, "as with a timeout").violations).toHaveLength(1);
  });

  test("say nothing when there is one at most: a limit of 1 would not show", () => {
    expect(sameCandles(every(3600, 1), [], "as without a limit")).toEqual({
      examined: 0,
      violations: [],
      missing: "a range with two candles",
    });
  });
});

describe("a range and its parts (C3)", () => {
  const whole = every(1, 12);
  const parts = [whole.slice(0, 5), whole.slice(4, 9), whole.slice(9)];

  test("the whole holds all that its parts hold", () => {
    expect(rangeContainsParts({ whole, parts }, 11)).toEqual({ examined: 12, violations: [] });
  });

  test("a silent limit shows at either end, and by thinning out, however few candles there are", () => {
    const timeOf = (index: number) => whole[index]?.timestamp.text.replace(".000Z", "Z");
    const without = (lost: string, seen: string, comparedAnswer: number) => [
      { path: "priceCandleSticks", comparedAnswer, expected: `${lost}, as parts of this range show`, seen },
    ];
    expect(rangeContainsParts({ whole: whole.slice(2), parts }, 1000).violations).toEqual(
      without(
        `2 candles from ${timeOf(0)} to ${timeOf(1)}`,
        `10 candles without them, from ${timeOf(2)} to ${timeOf(11)}`,
        1,
      ),
    );
    expect(rangeContainsParts({ whole: whole.slice(0, 10), parts }, 1000).violations).toMatchObject([
      { comparedAnswer: 3 },
    ]);
    const thinned = whole.filter((_, n) => n % 6 !== 1);
    expect(rangeContainsParts({ whole: thinned, parts }, 5).violations).toMatchObject([{ comparedAnswer: 1 }]);
    expect(rangeContainsParts({ whole: whole.slice(1, 2), parts }, 5).violations).toMatchObject([
      { seen: "1 candle without them" },
    ]);
    expect(rangeContainsParts({ whole: whole.slice(1), parts }, 5).violations).toEqual(
      without(`the candle of ${timeOf(0)}`, `11 candles without it, from ${timeOf(1)} to ${timeOf(11)}`, 1),
    );
  });

  test("few candles do not tell that there is no limit", () => {
    expect(rangeContainsParts({ whole, parts }, 12)).toMatchObject({ examined: 0, violations: [] });
    expect(rangeContainsParts({ whole, parts }, 12).missing).toContain("more than 12 candles");
  });
});

describe("candles of another market (S4)", () => {
  const other = { marketId: "7", candles: every(3600, 3) };

  test("are seen through", () => {
    expect(notTheCandlesOf(other, every(3600, 2)).violations).toEqual([
      {
        path: "priceCandleSticks",
        expected: "no candles of another market",
        seen: "2 candles of market 7",
      },
    ]);
  });

  test("are not there in an empty answer, nor where prices differ", () => {
    expect(notTheCandlesOf(other, [])).toEqual({ examined: 1, violations: [] });
    expect(notTheCandlesOf(other, [candle("2026-01-01T00:00:00Z", { open: 3 })]).violations).toEqual([]);
  });

  test("cannot be told without candles to compare with", () => {
    expect(notTheCandlesOf({ marketId: "7", candles: [] }, every(3600, 2)).examined).toBe(0);
  });
});

test("observations say how candles are ordered and spaced, and what prices are (C4)", () => {
  const hours = every(3600, 3);
  expect(orderInWords(hours)).toBe("oldest first");
  expect(orderInWords([...hours].reverse())).toBe("newest first");
  expect(orderInWords([...hours.slice(1), ...hours.slice(0, 1)])).toBe("in no order of time");
  expect(orderInWords(hours.slice(1, 2))).toBeUndefined();
  expect(spacingInWords(hours)).toBe("3 candles, 3600 s apart");
  expect(spacingInWords(hours.slice(0, 1))).toBe("1 candle");
  expect(pricesInWords({})).toBe("no elements");
  expect(pricesInWords({ prices: [{ price: 1 }, { price: 2 }] })).toBe('2 elements, the first of them {"price":1}');
});
