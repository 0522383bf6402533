import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import { errorAnswer, success } from "../../src/engine/answers.fixture.js";
import { AssertionLog } from "../../src/engine/assertion-log.js";
import { type FakeTarget, contextOn as fakeContext } from "../../src/engine/context.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { verifyInto } from "../../src/engine/verify.js";
import { formatInstant, millisOf, parseInstant } from "../../src/judge/instant.js";
import { candlesOf } from "../../src/judge/read.js";
import { type CandleInterval, candleIntervals } from "../../src/specification/enums.js";
import { candleIntervalSeconds } from "../../src/specification/limits.js";
import type { MarketSubject, Subjects } from "../../src/subjects/subjects.js";
import { intoTheFuture, lacksCandles } from "./candle-parts.js";
import { candleAnswers, candleRequest, candleSample, candlesInWords, rangeEnding } from "./candles.js";
import { limitedCandles, manyCandles, silentLimit } from "./long-candle-range.js";

const market = (marketId: string, candles?: number): MarketSubject => ({
  marketId,
  rowsSeen: 1,
  ...(candles !== undefined && { candles }),
});
const active: Partial<Subjects> = {
  markets: [market("1", 20), market("2", 168)],
  totals: { latestOrder: "2026-01-01T12:00:00Z" },
};

interface Asked {
  readonly market: { readonly marketId: string };
  readonly startTime: string;
  readonly endTime: string;
  readonly interval: CandleInterval;
}

const millis = (time: string) => millisOf(parseInstant(time) ?? { seconds: 0, leap: false, fraction: "" });

/** A target with a candle for every interval of a range, changed by `keep`. */
function target(
  keep: (candles: readonly JsonObject[], asked: Asked) => readonly JsonObject[] | Answer = (all) => all,
): FakeTarget {
  return (_, request) => {
    const asked = request as unknown as Asked;
    const length = candleIntervalSeconds[asked.interval] * 1000;
    const [from, to] = [millis(asked.startTime), millis(asked.endTime)];
    const first = Math.ceil(from / length) * length;
    const count = Math.max(0, Math.floor((to - first) / length) + 1);
    const all = Array.from({ length: count }, (_, n) => ({ timestamp: new Date(first + n * length).toISOString() }));
    const kept = keep(all, asked);
    return "outcome" in kept ? (kept as Answer) : success({ priceCandleSticks: kept as JsonObject[] });
  };
}

function contextOn(subjects: Partial<Subjects>, answers: FakeTarget) {
  const context = fakeContext(subjects, answers, "GetHistoricalPrices");
  const call = { getHistoricalPrices: (request: JsonObject) => context.ask("GetHistoricalPrices", request) };
  return Object.assign(context, { call, verify: verifyInto(new AssertionLog()) });
}

/** The candles at whole multiples of so many minutes. */
const everyMinutes = (minutes: number, candles: readonly JsonObject[]) =>
  candles.filter(({ timestamp }) => Date.parse(String(timestamp)) % (minutes * 60_000) === 0);

const sizes = (answers: readonly Answer[]) =>
  answers.map(({ outcome }) => (outcome.kind === "success" ? candlesOf(outcome.body).length : -1));

test("a range ends where it is told to, so many intervals long", () => {
  const end = parseInstant("2026-01-01T12:00:00.25Z");
  expect(end && rangeEnding(end, "60", 3)).toEqual({
    startTime: "2026-01-01T09:00:00.25Z",
    endTime: "2026-01-01T12:00:00.25Z",
    interval: "60",
  });
  const range = { startTime: "a", endTime: "b", interval: "1D" } as const;
  expect(candleRequest({ marketId: "1" }, range, { limit: 5, endTime: undefined })).toEqual({
    market: { marketId: "1" },
    startTime: "a",
    endTime: undefined,
    interval: "1D",
    limit: 5,
  });
});

describe("the read of each interval", () => {
  test("is of the market with most candles, up to the latest activity", async () => {
    const context = contextOn(active, target());
    const { market: read, end, answers } = await candleSample(context);
    expect(read.marketId).toBe("2");
    expect(formatInstant(end)).toBe("2026-01-01T12:00:00Z");
    expect(answers.map(({ range }) => range.interval)).toEqual(candleIntervals);
    expect(answers.every(({ range }) => range.endTime === "2026-01-01T12:00:00Z")).toBe(true);
    expect(context.requests).toHaveLength(candleIntervals.length);
  });

  test("looks for a market that has candles by now when none had any before", async () => {
    const quiet = { ...active, markets: [market("1", 0), market("2"), market("3")] };
    const context = contextOn(
      quiet,
      target((all, asked) => (asked.market.marketId === "2" ? all : [])),
    );
    const { market: read, end } = await candleSample(context);
    expect(read.marketId).toBe("2");
    expect(millisOf(end)).toBeGreaterThan(Date.UTC(2026, 0, 2));
    expect(context.requests.length).toBeLessThanOrEqual(10 + candleIntervals.length);

    const silent = await candleSample(
      contextOn(
        quiet,
        target(() => []),
      ),
    );
    expect(silent.market.marketId).toBe("1");
    expect(formatInstant(silent.end)).toBe("2026-01-01T12:00:00Z");
  });

  test("needs a market", () => {
    expect(() => candleSample(contextOn({}, target()))).toThrow(Inconclusive);
  });

  test("goes on without the intervals that are refused, unless all of them are", async () => {
    const refuse = (refused: (asked: Asked) => boolean) =>
      contextOn(
        active,
        target((all, asked) => (refused(asked) ? errorAnswer("invalid_argument") : all)),
      );
    const answers = await candleAnswers(refuse(({ interval }) => interval === "1S"));
    expect(answers.map(({ range }) => range.interval)).toEqual(["1", "60", "1D", "1W", "1M"]);
    await expect(candleAnswers(refuse(() => true))).rejects.toThrow(Inconclusive);
  });
});

test("a range into the future ends after the latest activity, though the target's clock be years ahead", async () => {
  const ahead = { ...active, totals: { latestOrder: "2036-01-01T12:00:00Z" } };
  const asked: Asked[] = [];
  const context = contextOn(
    ahead,
    target((all, request) => {
      asked.push(request);
      return all;
    }),
  );
  await intoTheFuture(Object.assign(context, { startedAt: Date.UTC(2026, 0, 1) }), "tomorrow");
  const { startTime = "", endTime } = asked.at(-1) ?? {};
  expect(endTime).toBe("2036-01-02T12:00:00Z");
  expect(startTime < "2036-01-01T12:00:00Z").toBe(true);
});

describe("a long range and its parts", () => {
  test("are of an interval with more candles than the silent limit, its ends, and both sides of a boundary", async () => {
    const context = contextOn(active, target());
    const { whole, parts } = await manyCandles(context);
    expect(sizes([whole])[0]).toBeGreaterThan(silentLimit);
    expect(sizes(parts)).toEqual([694, 3, 4, 694]);
    // The parts and the whole of each interval, and the read of each of them, which is not shared here; and three more boundaries of the
    // calendar in days, weeks and months.
    // Weeks are also read across the three years before the last one, candles of seconds and minutes are counted first, and one
    // of the intervals is read throughout.
    expect(context.requests).toHaveLength((2 + 5) * candleIntervals.length + 3 * 3 + 3 + 2 + 14);
  });

  test("show a candle that is missing anywhere", async () => {
    for (const [runSeed, at] of [0.11, 0.5, 0.87].entries()) {
      const lost = target((all) =>
        all.filter((_, index) => all.length < 1_200 || index !== Math.floor(all.length * at)),
      );
      const { whole, parts } = await manyCandles(Object.assign(contextOn(active, lost), { runSeed }));
      expect(lacksCandles({ whole, parts })).toBe(true);
    }
  });

  test("are of a longer interval when there is not a candle for each second", async () => {
    const sparse = target((all, { interval }) => (interval === "1S" ? everyMinutes(5, all) : all));
    const context = contextOn(active, sparse);
    const { whole } = await manyCandles(context);
    expect(sizes([whole])[0]).toBeGreaterThan(silentLimit);
    expect(sizes([whole])[0]).toBeLessThanOrEqual(11101);
  });

  test("are the ones with most candles when there are nowhere enough", async () => {
    const few = target((all, { interval }) => everyMinutes(interval === "60" ? 1200 : 5000, all));
    const { whole } = await manyCandles(contextOn(active, few));
    expect(sizes([whole])).toEqual([253]);
  });

  test("are of a time in which even a market that rarely trades has many candles", async () => {
    const rare = target((all, { interval }) =>
      interval === "1S" ? everyMinutes(1, all).slice(0, 1200) : all.slice(0, 9),
    );
    const { whole, request } = await manyCandles(contextOn(active, rare));
    expect(sizes([whole])).toEqual([1200]);
    expect(request.interval).toBe("1S");
  });

  test("are those of the interval that alone is limited", async () => {
    const hours = target((all, { interval }) => (interval === "60" ? all.slice(-3000) : all));
    const { whole, request } = await manyCandles(contextOn(active, hours));
    expect(sizes([whole])).toEqual([3000]);
    expect(request.interval).toBe("60");
  });

  test("end now where the latest candles of an interval are newer than the latest order", async () => {
    const now = Date.parse("2026-01-03T00:00:00Z");
    const recent = target((all, { interval }) => {
      const kept = interval === "1S" ? all.filter(({ timestamp }) => millis(String(timestamp)) > now - 7_200_000) : all;
      return interval === "1S" ? kept.slice(-1000) : kept;
    });
    const { whole, request } = await manyCandles(Object.assign(contextOn(active, recent), { startedAt: now }));
    expect(sizes([whole])).toEqual([1000]);
    expect(request.interval).toBe("1S");
  });

  test("are read again when the whole lacks something, so that it counts only if it stays so", async () => {
    const capped = contextOn(
      active,
      target((all) => all.slice(0, 500)),
    );
    const { whole, parts } = await manyCandles(capped);
    expect(sizes([whole, ...parts])).toEqual([500, 500, 3, 4, 500, 500, 21]);

    let wholes = 0;
    const late = target((all) => (all.length > silentLimit && ++wholes === 1 ? all.slice(1) : all));
    const settled = await manyCandles(contextOn(active, late));
    expect(sizes([settled.whole])).toEqual([11101]);
  });

  test("begin at a boundary of the calendar, another one with each seed, or with the day or the hour that a range holds", async () => {
    const asked: Asked[] = [];
    const all = target((candles, one) => {
      asked.push(one);
      return candles;
    });
    for (const runSeed of [0, 1, 2, 3]) await manyCandles(Object.assign(contextOn(active, all), { runSeed }));
    const starts = (name: CandleInterval) =>
      asked.flatMap(({ interval, startTime }) => (interval === name ? startTime : []));
    expect(starts("1S")).toContainEqual(expect.stringMatching(/:00:00Z$/));
    expect(starts("1")).toContainEqual(expect.stringMatching(/T00:00:00Z$/));
    expect(starts("60")).toContainEqual(expect.stringMatching(/-01T00:00:00Z$/));
    for (const day of ["2025-01-01", "2025-03-30", "2024-02-29"])
      expect(starts("1M")).toContainEqual(`${day}T00:00:00Z`);
  });

  test("are longer in the full profile", async () => {
    const limited = target((all) => (all.length > 11_500 ? all.slice(-11_500) : all));
    const quick = await manyCandles(contextOn(active, limited));
    expect(sizes([quick.whole])).toEqual([11101]);
    const full = await manyCandles(Object.assign(contextOn(active, limited), { profile: "full" as const }));
    expect(sizes([full.whole])).toEqual([11_500]);
  });

  test("end with a refusal of the whole", async () => {
    const refused = target((all) => (all.length > silentLimit ? errorAnswer("invalid_argument") : all));
    const { whole, parts } = await manyCandles(contextOn(active, refused));
    expect(whole.outcome.kind).toBe("error");
    expect(parts).toEqual([]);
  });
});

describe("long ranges with a limit", () => {
  test("have one above the listings' cap where there are enough candles", async () => {
    const limits: number[] = [];
    const noted = target((all, asked) => {
      if ("limit" in asked) limits.push(Number(asked.limit));
      return all;
    });
    const ranges = await limitedCandles(contextOn(active, noted));
    const counts = sizes(ranges.map(({ part }) => part));
    expect(sizes(ranges.map(({ whole }) => whole))).toEqual(counts);
    expect(counts.length).toBe(6);
    counts.forEach((count, index) => {
      expect(limits[index]).toBeGreaterThan(count > silentLimit + 1 ? silentLimit : 0);
      expect(limits[index]).toBeLessThan(count);
    });
  });

  test("are read again with the whole when they lack something, which old candles may do", async () => {
    let limits = 0;
    const once = target((all, asked) => ("limit" in asked && ++limits === 1 ? all.slice(1) : all));
    for (const { whole, part } of await limitedCandles(contextOn(active, once))) {
      expect(sizes([whole])).toEqual(sizes([part]));
    }
  });

  test("show a limit that is honoured for one interval only", async () => {
    const honouring = target((all, asked) =>
      "limit" in asked && asked.interval === "1W" ? all.slice(0, Number(asked.limit)) : all,
    );
    const ranges = await limitedCandles(contextOn(active, honouring));
    expect(ranges.map(({ whole, part }) => sizes([whole]).join() === sizes([part]).join())).toEqual(
      candleIntervals.map((interval) => interval !== "1W"),
    );
  });
});

test("a success is described by how many candles it brings", () => {
  expect(candlesInWords({ priceCandleSticks: [{}] })).toBe("a success with 1 candle");
});
