import { type CandleInterval, candleIntervals } from "../../specification/enums.js";
import { type Candle, intervalStart, laterInterval } from "../candles.js";
import { refuses, rewrites } from "../conditional-interceptors.js";
import type { MutableJsonObject } from "../json.js";
import { breaking, type Interceptors, type Mutant, on, SubstituteResponse } from "../modification.js";
import { documented, type Parameters } from "../parameters.js";
import { byId, changeCode, changeSymbols, marketNamed, symbolsIn } from "../selector-interceptors.js";

const day = 86_400_000;

/** A range of candles in milliseconds since 1970; undefined for an end that is not a valid time. */
interface CandlePeriod {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly interval: CandleInterval;
}

/** Answers with another range than requested. */
function changeRange(change: (range: CandlePeriod) => Partial<CandlePeriod>): Required<Interceptors>["request"] {
  return on("GetHistoricalPrices", (json) => {
    const { startTime, endTime, interval } = json;
    if (typeof startTime !== "string" || typeof endTime !== "string") return undefined;
    const range = { from: millisOf(startTime), to: millisOf(endTime), interval: intervalNamed(interval) };
    const { from, to } = { ...range, ...change(range) };
    return { ...json, startTime: timestampOf(from), endTime: timestampOf(to) };
  });
}

function millisOf(time: MutableJsonObject[string]): number | undefined {
  const milliseconds = Date.parse(String(time));
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

function timestampOf(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}

function intervalNamed(name: MutableJsonObject[string]): CandleInterval {
  return candleIntervals.find((interval) => interval === name) ?? "60";
}

/** Treats one interval name as another. */
function rename(name: CandleInterval, instead: CandleInterval): Interceptors["parameters"] {
  return { candleInterval: (asked) => (asked === name ? instead : documented.candleInterval(asked)) };
}

/** The requested limit; undefined when absent or not positive. */
function limitIn({ limit }: MutableJsonObject): number | undefined {
  return typeof limit === "number" && limit > 0 ? limit : undefined;
}

/** Reduces the candles of an answer. */
function cut(keep: (candles: readonly Candle[], limit: number | undefined) => readonly Candle[]): Interceptors["rows"] {
  return { candles: (candles, { request }) => keep(candles, limitIn(request)) };
}

function beginsMonth(milliseconds: number): boolean {
  return /-01T00:00:00/.test(new Date(milliseconds).toISOString());
}

function newest(candles: readonly Candle[], count: number): readonly Candle[] {
  return candles.slice(Math.max(0, candles.length - count));
}

/** Refuses one of the intervals. */
function withoutInterval(refused: string): Partial<Parameters> {
  return { candleInterval: (asked) => (asked === refused ? undefined : documented.candleInterval(asked)) };
}

/** Servers that break one rule of §4.7. */
export const getHistoricalPrices: readonly Mutant[] = [
  ...breaking("get-historical-prices.symbol-selector", {
    // A marketSymbol selector is not resolved and is treated as unset.
    "historical-prices-symbols-resolved": {
      summary: "GetHistoricalPrices resolves selectors by symbol.",
      request: changeSymbols("GetHistoricalPrices", (symbols, data) => byId(marketNamed(data, symbols))),
    },
    "historical-prices-symbol-not-found": {
      summary: "GetHistoricalPrices answers not_found to a selector by symbol.",
      error: changeCode("GetHistoricalPrices", "not_found", (given) => symbolsIn(given) !== undefined),
    },
    "historical-prices-symbol-no-candles": {
      summary: "GetHistoricalPrices returns no candles for a selector by symbol.",
      request: changeSymbols("GetHistoricalPrices", () => new SubstituteResponse({ priceCandleSticks: [] })),
    },
    "historical-prices-unknown-symbol-not-found": {
      summary: "GetHistoricalPrices looks symbols up, refuses the known ones and answers not_found to others.",
      error: changeCode("GetHistoricalPrices", "not_found", (given, { dataset }) => {
        const symbols = symbolsIn(given);
        return symbols !== undefined && !marketNamed(dataset, symbols);
      }),
    },
  }),

  ...breaking("get-historical-prices.range", {
    // startTime: Start of range. endTime: End of range.
    "historical-prices-end-ignored": {
      summary: "GetHistoricalPrices returns candles up to now, whatever the end of the range is.",
      request: changeRange(({ interval, to }) => ({ to: to && laterInterval(interval, to, 50) })),
    },
    "historical-prices-start-too-early": {
      summary: "GetHistoricalPrices returns three candles from before the start of the range.",
      request: changeRange(({ interval, from }) => ({ from: from && laterInterval(interval, from, -3) })),
    },
    "historical-prices-two-candles-past-the-end": {
      summary: "GetHistoricalPrices returns two candles from after the end of the range.",
      request: changeRange(({ interval, to }) => ({
        to: to && laterInterval(interval, laterInterval(interval, intervalStart(interval, to)), 1),
      })),
    },
    "historical-prices-range-in-local-time": {
      summary: "GetHistoricalPrices takes the range for the local time of a place two hours ahead.",
      request: changeRange(({ from, to }) => ({ from: from && from - 7_200_000, to: to && to - 7_200_000 })),
    },
    "historical-prices-minutes-of-whole-hours": {
      summary: "GetHistoricalPrices widens a range of minutes to whole hours.",
      request: changeRange(({ interval, from, to }) =>
        interval === "1"
          ? { from: from && intervalStart("60", from), to: to && laterInterval("60", intervalStart("60", to)) - 1 }
          : {},
      ),
    },
    "historical-prices-months-of-whole-years": {
      summary: "GetHistoricalPrices widens a range of months to whole years.",
      request: changeRange(({ interval, from }) =>
        interval === "1M" && from ? { from: Date.UTC(new Date(from).getUTCFullYear() - 1, 0) } : {},
      ),
    },
    "historical-prices-empty-with-an-offset": {
      summary: "GetHistoricalPrices finds no candles where the times of the range have an offset from UTC.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      response: on("GetHistoricalPrices", (json, { request }) =>
        /[+-]\d\d:\d\d$/.test(String(request.startTime)) ? { ...json, priceCandleSticks: [] } : undefined,
      ),
    },
  }),

  ...breaking("get-historical-prices.limit-ignored", {
    // limit: Accepted and ignored; no limit applied.
    "historical-prices-limit-heeded-without-an-interval": {
      summary: "GetHistoricalPrices heeds the limit when the interval is omitted.",
      rows: {
        candles: (candles, { request }) =>
          request.interval === undefined && typeof request.limit === "number"
            ? newest(candles, request.limit)
            : candles,
      },
    },
    "historical-prices-limit-keeps-oldest": {
      summary: "GetHistoricalPrices returns the oldest candles of the range, as many as the limit says.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      rows: cut((candles, limit) => candles.slice(0, limit)),
    },
    "historical-prices-limit-keeps-newest": {
      summary: "GetHistoricalPrices returns the newest candles of the range, as many as the limit says.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      rows: cut((candles, limit = candles.length) => newest(candles, limit)),
    },
    "historical-prices-limit-one-means-latest": {
      summary: "GetHistoricalPrices returns the latest candle alone when the limit is 1.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      rows: cut((candles, limit) => (limit === 1 ? newest(candles, 1) : candles)),
    },
    "historical-prices-large-limit-refused": {
      summary: "GetHistoricalPrices refuses a limit above 1000.",
      alsoFails: ["errors.documented-outcome"],
      // The unsupported interval causes the error.
      request: on("GetHistoricalPrices", (json) =>
        (limitIn(json) ?? 0) > 1000 ? { ...json, interval: "none" } : undefined,
      ),
    },
    "historical-prices-limit-extends-the-range": {
      summary: "GetHistoricalPrices returns as many candles as the limit says, also where the range ends earlier.",
      alsoFails: ["get-historical-prices.range"],
      request: on("GetHistoricalPrices", (json) => {
        const [limit, end] = [limitIn(json), millisOf(json.endTime)];
        if (limit !== 50 || end === undefined) return undefined;
        return { ...json, startTime: timestampOf(laterInterval(intervalNamed(json.interval), end, -limit)) };
      }),
    },
  }),

  ...breaking("get-historical-prices.no-result-limit", {
    "historical-prices-newest-1000": {
      summary: "GetHistoricalPrices returns the newest 1000 candles of a range at most.",
      rows: cut((candles) => newest(candles, 1000)),
    },
    "historical-prices-year-one-taken-for-no-start": {
      summary:
        "GetHistoricalPrices takes a start at the beginning of the year 1 for an omitted one: a year before the end.",
      request: rewrites(
        "GetHistoricalPrices",
        ({ startTime }) => String(startTime).startsWith("0001-01-01T00:00:00"),
        (json) => ({ ...json, startTime: new Date(Date.parse(String(json.endTime)) - 365 * 86_400_000).toISOString() }),
      ),
    },
    "historical-prices-oldest-1000": {
      summary: "GetHistoricalPrices returns the oldest 1000 candles of a range at most.",
      rows: cut((candles) => candles.slice(0, 1000)),
    },
    "historical-prices-newest-100": {
      summary: "GetHistoricalPrices returns the newest 100 candles of a range at most.",
      rows: cut((candles) => newest(candles, 100)),
    },
    "historical-prices-thinned-out": {
      summary: "GetHistoricalPrices returns every other candle of a range with more than 1000.",
      rows: cut((candles) => (candles.length > 1000 ? candles.filter((_, at) => at % 2 === 0) : candles)),
    },
    "historical-prices-one-in-the-middle-of-many-lost": {
      summary: "GetHistoricalPrices leaves out a candle in the middle of a range with more than 800.",
      rows: cut((candles) => (candles.length > 800 ? candles.filter((_, at) => at !== candles.length >> 1) : candles)),
    },
    "historical-prices-first-hour-of-a-month-lost": {
      summary:
        "GetHistoricalPrices leaves out the first candle of hours of each month, unless the range begins with it.",
      rows: {
        candles: (candles, { effective }) =>
          candles.filter(({ start }, at) => at === 0 || effective.interval !== "60" || !beginsMonth(start)),
      },
    },
    "historical-prices-last-second-of-hours-lost": {
      summary: "GetHistoricalPrices leaves out the last second of each hour, if the range has more than ten minutes.",
      rows: {
        candles: (candles, { effective }) =>
          effective.interval === "1S" && candles.length > 600
            ? candles.filter(({ start }) => (start + 1_000) % 3_600_000 !== 0)
            : candles,
      },
    },
    "historical-prices-long-range-refused": {
      summary: "GetHistoricalPrices refuses a range of seconds that is longer than fifteen minutes.",
      request: on("GetHistoricalPrices", (json) => {
        const [from = 0, to = 0] = [millisOf(json.startTime), millisOf(json.endTime)];
        return json.interval === "1S" && to - from > 900_000 ? { ...json, interval: "none" } : undefined;
      }),
    },
  }),

  ...breaking("get-historical-prices.intervals", {
    // interval: Supported values: 1S, 1, 60, 1D, 1W, 1M.
    "historical-prices-interval-1s-refused": {
      summary: "GetHistoricalPrices does not support the interval 1S.",
      parameters: withoutInterval("1S"),
    },
    "historical-prices-interval-1-not-found": {
      summary: "GetHistoricalPrices says that no price exists for the interval 1.",
      alsoFails: ["get-historical-prices.no-result-limit", "get-historical-prices.range", "errors.documented-outcome"],
      http: refuses("GetHistoricalPrices", "not_found", ({ request }) => request.interval === "1"),
    },
    "historical-prices-interval-1w-refused": {
      summary: "GetHistoricalPrices does not support the interval 1W.",
      parameters: withoutInterval("1W"),
    },
    "historical-prices-interval-1m-refused": {
      summary: "GetHistoricalPrices does not support the interval 1M.",
      parameters: withoutInterval("1M"),
    },
    "historical-prices-intervals-in-lower-case": {
      summary: "GetHistoricalPrices supports intervals with letters in lower case only.",
      parameters: {
        candleInterval: (asked) =>
          asked === asked.toLowerCase() ? documented.candleInterval(asked.toUpperCase()) : undefined,
      },
    },
  }),

  ...breaking("get-historical-prices.interval-spacing", {
    "historical-prices-seconds-are-minutes": {
      summary: "GetHistoricalPrices returns the candles of minutes for the interval 1S.",
      parameters: rename("1S", "1"),
    },
    "historical-prices-one-is-an-hour": {
      summary: "GetHistoricalPrices returns the candles of hours for the interval 1.",
      parameters: rename("1", "60"),
    },
    "historical-prices-weeks-are-days": {
      summary: "GetHistoricalPrices returns the candles of days for the interval 1W.",
      parameters: rename("1W", "1D"),
    },
    "historical-prices-months-of-30-days": {
      summary: "GetHistoricalPrices counts months of 30 days.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      rows: {
        candles: (candles, { effective }) =>
          effective.interval === "1M"
            ? candles.map((candle, at) => ({ ...candle, start: (candles[0]?.start ?? 0) + at * 30 * day }))
            : candles,
      },
    },
    "historical-prices-hour-listed-twice": {
      summary: "GetHistoricalPrices returns the latest candle of an hour twice.",
      rows: {
        candles: (candles, { effective }) =>
          effective.interval === "60" ? [...candles, ...newest(candles, 1)] : candles,
      },
    },
    "historical-prices-candles-at-their-last-trade": {
      summary: "GetHistoricalPrices dates the candles of minutes by their last trade.",
      rows: {
        candles: (candles, { effective }) =>
          effective.interval === "1"
            ? candles.map((candle) => ({ ...candle, start: candle.start + (Math.round(candle.volume * 1e6) % 59_000) }))
            : candles,
      },
    },
  }),
];
