import { type Candle, type CandleInterval, candleIntervals, intervalStart, laterInterval } from "../candles.js";
import type { JsonObject } from "../json.js";
import { Answer, type CallContext, type Layers, type Mutant, on } from "../modification.js";
import { documented } from "../parameters.js";
import { changeCode, changeSymbols, marketNamed, symbolsIn } from "../selector-layer.js";

const day = 86_400_000;

/** A range of candles in milliseconds since 1970; an end that was omitted stays so. */
interface Range {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly interval: CandleInterval;
}

/** Answers another range than the one asked for. */
function changeRange(change: (range: Range) => Partial<Range>): Required<Layers>["request"] {
  return on("GetHistoricalPrices", (json: JsonObject) => {
    const { startTime, endTime, interval } = json;
    if (typeof startTime !== "string" || typeof endTime !== "string") return undefined;
    const range = { from: millisOf(startTime), to: millisOf(endTime), interval: intervalNamed(interval) };
    const { from, to } = { ...range, ...change(range) };
    return { ...json, startTime: timestampOf(from), endTime: timestampOf(to) };
  });
}

function millisOf(time: JsonObject[string]): number | undefined {
  const milliseconds = Date.parse(String(time));
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

function timestampOf(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}

function intervalNamed(name: JsonObject[string]): CandleInterval {
  return candleIntervals.find((interval) => interval === name) ?? "60";
}

/** Takes a name for that of another interval. */
function rename(name: CandleInterval, instead: CandleInterval): Layers["parameters"] {
  return { candleInterval: (asked) => (asked === name ? instead : documented.candleInterval(asked)) };
}

/** The requested limit; undefined when there is none. */
function limitIn({ limit }: JsonObject): number | undefined {
  return typeof limit === "number" && limit > 0 ? limit : undefined;
}

/** Cuts the candles of an answer off. */
function cut(keep: (candles: readonly Candle[], limit: number | undefined) => readonly Candle[]): Layers["rows"] {
  return { candles: (candles, { request }) => keep(candles, limitIn(request)) };
}

function newest(candles: readonly Candle[], count: number): readonly Candle[] {
  return candles.slice(Math.max(0, candles.length - count));
}

/** Servers that break one rule of §4.7. */
export const getHistoricalPrices: readonly Mutant[] = [
  // A marketSymbol selector is not resolved and is treated as unset.
  {
    kind: "mutant",
    name: "historical-prices-symbols-resolved",
    summary: "GetHistoricalPrices resolves selectors by symbol.",
    breaks: "get-historical-prices.symbol-selector",
    request: changeSymbols("GetHistoricalPrices", (symbols, data) => {
      const market = marketNamed(data, symbols);
      return market && { marketId: String(market.id) };
    }),
  },
  {
    kind: "mutant",
    name: "historical-prices-symbol-not-found",
    summary: "GetHistoricalPrices answers not_found to a selector by symbol.",
    breaks: "get-historical-prices.symbol-selector",
    error: changeCode("GetHistoricalPrices", "not_found", (given) => symbolsIn(given) !== undefined),
  },
  {
    kind: "mutant",
    name: "historical-prices-symbol-no-candles",
    summary: "GetHistoricalPrices returns no candles for a selector by symbol.",
    breaks: "get-historical-prices.symbol-selector",
    request: changeSymbols("GetHistoricalPrices", () => new Answer({ priceCandleSticks: [] })),
  },
  {
    kind: "mutant",
    name: "historical-prices-unknown-symbol-not-found",
    summary: "GetHistoricalPrices looks symbols up, refuses the known ones and answers not_found to others.",
    breaks: "get-historical-prices.symbol-selector",
    error: changeCode("GetHistoricalPrices", "not_found", (given, { dataset }) => {
      const symbols = symbolsIn(given);
      return symbols !== undefined && !marketNamed(dataset, symbols);
    }),
  },

  // startTime: Start of range. endTime: End of range.
  {
    kind: "mutant",
    name: "historical-prices-end-ignored",
    summary: "GetHistoricalPrices returns candles up to now, whatever the end of the range is.",
    breaks: "get-historical-prices.range",
    request: changeRange(({ interval, to }) => ({ to: to && laterInterval(interval, to, 50) })),
  },
  {
    kind: "mutant",
    name: "historical-prices-start-too-early",
    summary: "GetHistoricalPrices returns three candles from before the start of the range.",
    breaks: "get-historical-prices.range",
    request: changeRange(({ interval, from }) => ({ from: from && laterInterval(interval, from, -3) })),
  },
  {
    kind: "mutant",
    name: "historical-prices-two-candles-past-the-end",
    summary: "GetHistoricalPrices returns two candles from after the end of the range.",
    breaks: "get-historical-prices.range",
    request: changeRange(({ interval, to }) => ({
      to: to && laterInterval(interval, laterInterval(interval, intervalStart(interval, to)), 1),
    })),
  },
  {
    kind: "mutant",
    name: "historical-prices-range-in-local-time",
    summary: "GetHistoricalPrices takes the range for the local time of a place two hours ahead.",
    breaks: "get-historical-prices.range",
    request: changeRange(({ from, to }) => ({ from: from && from - 7_200_000, to: to && to - 7_200_000 })),
  },
  {
    kind: "mutant",
    name: "historical-prices-minutes-of-whole-hours",
    summary: "GetHistoricalPrices widens a range of minutes to whole hours.",
    breaks: "get-historical-prices.range",
    request: changeRange(({ interval, from, to }) =>
      interval === "1"
        ? { from: from && intervalStart("60", from), to: to && laterInterval("60", intervalStart("60", to)) - 1 }
        : {},
    ),
  },
  {
    kind: "mutant",
    name: "historical-prices-months-of-whole-years",
    summary: "GetHistoricalPrices widens a range of months to whole years.",
    breaks: "get-historical-prices.range",
    request: changeRange(({ interval, from }) =>
      interval === "1M" && from ? { from: Date.UTC(new Date(from).getUTCFullYear() - 1, 0) } : {},
    ),
  },

  {
    kind: "mutant",
    name: "historical-prices-empty-with-an-offset",
    summary: "GetHistoricalPrices finds no candles where the times of the range have an offset from UTC.",
    breaks: "get-historical-prices.range",
    alsoFails: ["get-historical-prices.no-result-limit"],
    response: on("GetHistoricalPrices", (json: JsonObject, { request }: CallContext) =>
      /[+-]\d\d:\d\d$/.test(String(request.startTime)) ? { ...json, priceCandleSticks: [] } : undefined,
    ),
  },

  // limit: Accepted and ignored; no limit applied.
  {
    kind: "mutant",
    name: "historical-prices-limit-keeps-oldest",
    summary: "GetHistoricalPrices returns the oldest candles of the range, as many as the limit says.",
    breaks: "get-historical-prices.limit-ignored",
    rows: cut((candles, limit) => candles.slice(0, limit)),
  },
  {
    kind: "mutant",
    name: "historical-prices-limit-keeps-newest",
    summary: "GetHistoricalPrices returns the newest candles of the range, as many as the limit says.",
    breaks: "get-historical-prices.limit-ignored",
    rows: cut((candles, limit = candles.length) => newest(candles, limit)),
  },
  {
    kind: "mutant",
    name: "historical-prices-limit-one-means-latest",
    summary: "GetHistoricalPrices returns the latest candle alone when the limit is 1.",
    breaks: "get-historical-prices.limit-ignored",
    rows: cut((candles, limit) => (limit === 1 ? newest(candles, 1) : candles)),
  },
  {
    kind: "mutant",
    name: "historical-prices-large-limit-refused",
    summary: "GetHistoricalPrices refuses a limit above 1000.",
    breaks: "get-historical-prices.limit-ignored",
    // An interval that is not supported makes it an error.
    request: on("GetHistoricalPrices", (json: JsonObject) =>
      (limitIn(json) ?? 0) > 1000 ? { ...json, interval: "none" } : undefined,
    ),
  },
  {
    kind: "mutant",
    name: "historical-prices-limit-extends-the-range",
    summary: "GetHistoricalPrices returns as many candles as the limit says, also where the range ends earlier.",
    breaks: "get-historical-prices.limit-ignored",
    alsoFails: ["get-historical-prices.range"],
    request: on("GetHistoricalPrices", (json: JsonObject) => {
      const [limit, end] = [limitIn(json), millisOf(json.endTime)];
      if (limit !== 50 || end === undefined) return undefined;
      return { ...json, startTime: timestampOf(laterInterval(intervalNamed(json.interval), end, -limit)) };
    }),
  },
  {
    kind: "mutant",
    name: "historical-prices-newest-1000",
    summary: "GetHistoricalPrices returns the newest 1000 candles of a range at most.",
    breaks: "get-historical-prices.no-result-limit",
    rows: cut((candles) => newest(candles, 1000)),
  },
  {
    kind: "mutant",
    name: "historical-prices-oldest-1000",
    summary: "GetHistoricalPrices returns the oldest 1000 candles of a range at most.",
    breaks: "get-historical-prices.no-result-limit",
    rows: cut((candles) => candles.slice(0, 1000)),
  },
  {
    kind: "mutant",
    name: "historical-prices-newest-100",
    summary: "GetHistoricalPrices returns the newest 100 candles of a range at most.",
    breaks: "get-historical-prices.no-result-limit",
    rows: cut((candles) => newest(candles, 100)),
  },
  {
    kind: "mutant",
    name: "historical-prices-thinned-out",
    summary: "GetHistoricalPrices returns every other candle of a range with more than 1000.",
    breaks: "get-historical-prices.no-result-limit",
    rows: cut((candles) => (candles.length > 1000 ? candles.filter((_, at) => at % 2 === 0) : candles)),
  },
  {
    kind: "mutant",
    name: "historical-prices-long-range-refused",
    summary: "GetHistoricalPrices refuses a range of seconds that is longer than fifteen minutes.",
    breaks: "get-historical-prices.no-result-limit",
    request: on("GetHistoricalPrices", (json: JsonObject) => {
      const [from = 0, to = 0] = [millisOf(json.startTime), millisOf(json.endTime)];
      return json.interval === "1S" && to - from > 900_000 ? { ...json, interval: "none" } : undefined;
    }),
  },

  // interval: Supported values: 1S, 1, 60, 1D, 1W, 1M.
  ...(["1S", "1W", "1M"] as const).map(
    (name): Mutant => ({
      kind: "mutant",
      name: `historical-prices-interval-${name.toLowerCase()}-refused`,
      summary: `GetHistoricalPrices does not support the interval ${name}.`,
      breaks: "get-historical-prices.intervals",
      parameters: { candleInterval: (asked) => (asked === name ? undefined : documented.candleInterval(asked)) },
    }),
  ),
  {
    kind: "mutant",
    name: "historical-prices-intervals-in-lower-case",
    summary: "GetHistoricalPrices supports intervals with letters in lower case only.",
    breaks: "get-historical-prices.intervals",
    parameters: {
      candleInterval: (asked) =>
        asked === asked.toLowerCase() ? documented.candleInterval(asked.toUpperCase()) : undefined,
    },
  },
  {
    kind: "mutant",
    name: "historical-prices-seconds-are-minutes",
    summary: "GetHistoricalPrices returns the candles of minutes for the interval 1S.",
    breaks: "get-historical-prices.interval-spacing",
    parameters: rename("1S", "1"),
  },
  {
    kind: "mutant",
    name: "historical-prices-one-is-an-hour",
    summary: "GetHistoricalPrices returns the candles of hours for the interval 1.",
    breaks: "get-historical-prices.interval-spacing",
    parameters: rename("1", "60"),
  },
  {
    kind: "mutant",
    name: "historical-prices-weeks-are-days",
    summary: "GetHistoricalPrices returns the candles of days for the interval 1W.",
    breaks: "get-historical-prices.interval-spacing",
    parameters: rename("1W", "1D"),
  },
  {
    kind: "mutant",
    name: "historical-prices-months-of-30-days",
    summary: "GetHistoricalPrices counts months of 30 days.",
    breaks: "get-historical-prices.interval-spacing",
    alsoFails: ["get-historical-prices.no-result-limit"],
    rows: {
      candles: (candles, { effective }) =>
        effective.interval === "1M"
          ? candles.map((candle, at) => ({ ...candle, start: (candles[0]?.start ?? 0) + at * 30 * day }))
          : candles,
    },
  },
  {
    kind: "mutant",
    name: "historical-prices-hour-listed-twice",
    summary: "GetHistoricalPrices returns the latest candle of an hour twice.",
    breaks: "get-historical-prices.interval-spacing",
    rows: {
      candles: (candles, { effective }) =>
        effective.interval === "60" ? [...candles, ...newest(candles, 1)] : candles,
    },
  },
  {
    kind: "mutant",
    name: "historical-prices-candles-at-their-last-trade",
    summary: "GetHistoricalPrices dates the candles of minutes by their last trade.",
    breaks: "get-historical-prices.interval-spacing",
    rows: {
      candles: (candles, { effective }) =>
        effective.interval === "1"
          ? candles.map((candle) => ({ ...candle, start: candle.start + (Math.round(candle.volume * 1e6) % 59_000) }))
          : candles,
    },
  },
];
