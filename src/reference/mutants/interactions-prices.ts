import type { CandleInterval } from "../../specification/enums.js";
import { type Candle, laterInterval } from "../candles.js";
import {
  hasTimeOffset,
  hasTimeout,
  loses,
  marketAt,
  type RequestCondition,
  refuses,
  rewrites,
  selectedBy,
  symbolsOf,
  timeOffset,
} from "../conditional-interceptors.js";
import { candlesIn, type MutableJson, numberIn } from "../json.js";
import { breaking, type CallContext, type Mutant, on } from "../modification.js";
import { byId, marketNamed } from "../selector-interceptors.js";

const operation = "GetHistoricalPrices";

/** Changes the candles of an answer, when `when` holds. */
function candles(
  when: (context: CallContext) => boolean,
  change: (candles: readonly Candle[], context: CallContext) => readonly Candle[],
): Mutant["rows"] {
  return { candles: (rows, context) => (when(context) ? change(rows, context) : rows) };
}

function intervalOf({ effective }: CallContext): CandleInterval {
  return effective.interval as CandleInterval;
}

function isOf({ effective, dataset }: CallContext, place: number): boolean {
  return effective.marketId === marketAt(dataset, place)?.id;
}

/** The newest candles, as many as the limit. */
function newest(rows: readonly Candle[], { request }: CallContext): readonly Candle[] {
  return rows.slice(Math.max(0, rows.length - numberIn(request, "limit")));
}

/** Rewrites the UTC offset of a timestamp; returns other values unchanged. */
function withOffset(time: MutableJson | undefined, change: (offset: string) => string): MutableJson | undefined {
  return hasTimeOffset(time) ? time.replace(timeOffset, change) : time;
}

/** Rewrites the UTC offsets of both ends of the range. */
function readsOffset(when: RequestCondition, change: (offset: string) => string): Mutant["request"] {
  return rewrites(operation, when, (json) => ({
    ...json,
    startTime: withOffset(json.startTime, change),
    endTime: withOffset(json.endTime, change),
  }));
}

/** Whether a timestamp has fractional seconds and an offset west of UTC. */
function hasFractionWestOfUtc(time: MutableJson | undefined): boolean {
  return /\.\d+-\d\d:\d\d$/.test(String(time));
}

function yearOf(time: MutableJson | undefined): string {
  return String(time).slice(0, 4);
}

/** Whether daylight saving time starts or ends in Europe on a day. */
function changesTime(day: Date): boolean {
  return [2, 9].includes(day.getUTCMonth()) && day.getUTCDate() > 24 && day.getUTCDay() === 0;
}

const dayMs = 86_400_000;

/** Whether a new year starts within a week, but not on its first day. */
function holdsNewYear(start: number): boolean {
  return new Date(start).getUTCFullYear() !== new Date(start + 6 * dayMs).getUTCFullYear();
}

const fromTheLastDayOfAYear: RequestCondition = ({ startTime }) => {
  const start = new Date(String(startTime));
  return start.getUTCMonth() === 11 && start.getUTCDate() === 31;
};

const timesWithOffset: RequestCondition = ({ startTime, endTime }) =>
  hasTimeOffset(startTime) || hasTimeOffset(endTime);
const withLimit: RequestCondition = (json) => numberIn(json, "limit") > 0;

/** Candles that are wrong for one interval, in one market, or for a combination of request fields. */
export const priceInteractions: readonly Mutant[] = [
  ...breaking("get-historical-prices.limit-ignored", {
    // limit
    "candles-limit-heeded-for-weeks": {
      summary: "GetHistoricalPrices returns as many of the newest weeks as the limit says.",
      rows: candles((context) => withLimit(context.request, context) && intervalOf(context) === "1W", newest),
    },
    "candles-limit-heeded-with-a-time-offset": {
      summary: "GetHistoricalPrices heeds the limit when the range is written with an offset from UTC.",
      alsoFails: ["get-historical-prices.range", "get-historical-prices.no-result-limit"],
      rows: candles(
        (context) => withLimit(context.request, context) && timesWithOffset(context.request, context),
        newest,
      ),
    },
    "candles-of-the-first-market-with-a-limit-for-large-ids": {
      summary: "GetHistoricalPrices returns the first market's candles when a limit comes with an id beyond 2^53.",
      request: rewrites(
        operation,
        (json, { dataset }) => {
          const { id = 0n, listed = false } = selectedBy(json, dataset) ?? {};
          return numberIn(json, "limit") > 0 && symbolsOf(json) === undefined && listed && id > 2n ** 53n;
        },
        (json, { dataset }) => ({ ...json, market: byId(marketAt(dataset, 0)) }),
      ),
    },
    "candles-limit-above-1000-is-1000": {
      summary: "GetHistoricalPrices returns 1000 candles at most when the limit is above that.",
      rows: candles(
        ({ request }) => numberIn(request, "limit") > 1_000,
        (rows) => rows.slice(0, 1_000),
      ),
    },
  }),

  ...breaking("get-historical-prices.no-result-limit", {
    "candles-none-when-the-range-ends-in-the-future": {
      summary: "GetHistoricalPrices finds no candles when the range ends after now.",
      rows: candles(
        ({ request, now }) => Date.parse(String(request.endTime)) > now(),
        () => [],
      ),
    },
    "candles-none-when-nanoseconds-overflow": {
      summary: "GetHistoricalPrices counts nanoseconds in 64 bits: a range that ends after April 2262 holds nothing.",
      rows: candles(
        ({ request }) => Date.parse(String(request.endTime)) > Date.UTC(2262, 3, 11),
        () => [],
      ),
    },
  }),

  ...breaking("errors.documented-outcome", {
    "candles-from-before-1970-fail": {
      summary: "GetHistoricalPrices fails with internal when the range begins before 1970.",
      http: refuses(operation, "internal", ({ request }) => Date.parse(String(request.startTime)) < 0),
    },
  }),

  ...breaking("get-historical-prices.range", {
    "candles-offset-of-the-end-lost-beside-a-start-in-utc": {
      summary: "GetHistoricalPrices takes the end of a range for UTC, whatever its offset, when the start is in UTC.",
      request: rewrites(
        operation,
        ({ startTime, endTime }) => String(startTime).endsWith("Z") && hasTimeOffset(endTime),
        (json) => ({ ...json, endTime: withOffset(json.endTime, () => "Z") }),
      ),
    },
    "candles-offset-west-of-utc-lost-beside-a-fraction": {
      summary:
        "GetHistoricalPrices takes the start of a range for UTC when it has a fraction and an offset west of it.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      request: rewrites(
        operation,
        ({ startTime }) => hasFractionWestOfUtc(startTime),
        (json) => ({ ...json, startTime: withOffset(json.startTime, () => "Z") }),
      ),
    },
    "candles-nanoseconds-taken-for-microseconds": {
      summary: "GetHistoricalPrices begins a thousand times as late within a second when the start has nine decimals.",
      rows: candles(
        ({ request: { startTime } }) => /\.\d{9}\D/.test(String(startTime)) && /\.\d*[1-9]/.test(String(startTime)),
        (rows, { request }) => {
          const startTime = String(request.startTime);
          const [, fraction] = /\.(\d+)/.exec(startTime) ?? [];
          const late = Date.parse(startTime) + 1000 * Number(`0.${fraction}`) * 1000;
          return rows.filter(({ start }) => start >= late);
        },
      ),
    },
    "candles-months-from-the-end-of-a-month-begin-early": {
      summary:
        "GetHistoricalPrices begins two months early when months are asked for from the 29th of a month or later.",
      rows: candles(
        (context) => intervalOf(context) === "1M" && /^\d{4}-\d\d-(29|3\d)/.test(String(context.request.startTime)),
        ([first, ...rows]) =>
          first ? [{ ...first, start: laterInterval("1M", first.start, -2) }, first, ...rows] : rows,
      ),
    },
    // the range
    "candles-time-offset-ignored-for-minutes": {
      summary: "GetHistoricalPrices ignores the range's offset from UTC for minutes.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      request: readsOffset(
        (json, context) => json.interval === "1" && timesWithOffset(json, context),
        () => "Z",
      ),
    },
    "candles-time-offset-west-of-utc-read-as-east": {
      summary: "GetHistoricalPrices takes an offset west of UTC for one east of it.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      request: readsOffset(timesWithOffset, (offset) => offset.replace("-", "+")),
    },
    "candles-minutes-of-a-time-offset-ignored": {
      summary:
        "GetHistoricalPrices drops the minutes of an offset from UTC, as that of +05:30, for seconds and minutes.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      request: readsOffset(
        (json, context) => (json.interval === "1S" || json.interval === "1") && timesWithOffset(json, context),
        (offset) => `${offset.slice(0, 4)}00`,
      ),
    },
    "candles-of-one-market-two-intervals-late": {
      summary: "GetHistoricalPrices dates the candles of the sixth market two intervals late.",
      rows: candles(
        (context) => isOf(context, 5),
        (rows, context) =>
          rows.map((candle) => ({ ...candle, start: laterInterval(intervalOf(context), candle.start, 2) })),
      ),
    },
  }),

  ...breaking("get-historical-prices.no-result-limit", {
    "candles-5000-hours-at-most": {
      summary: "GetHistoricalPrices returns the newest 5000 candles of an hour at most.",
      rows: candles(
        (context) => intervalOf(context) === "60",
        (rows) => rows.slice(-5_000),
      ),
    },
    "candles-10000-at-most": {
      summary: "GetHistoricalPrices returns the newest 10000 candles at most.",
      rows: candles(
        () => true,
        (rows) => rows.slice(-10_000),
      ),
    },
    "candles-january-lost-in-months-over-a-new-year": {
      summary: "GetHistoricalPrices leaves January out of months that are asked for over a new year.",
      rows: candles(
        (context) =>
          intervalOf(context) === "1M" && yearOf(context.request.startTime) !== yearOf(context.request.endTime),
        (rows) => rows.filter(({ start }) => new Date(start).getUTCMonth() !== 0),
      ),
    },
    "candles-december-lost-over-a-new-year": {
      summary:
        "GetHistoricalPrices leaves December out of weeks and months over a new year, unless they begin with it.",
      rows: candles(
        (context) => ["1W", "1M"].includes(intervalOf(context)),
        (rows) => {
          const [first, last] = [rows[0], rows.at(-1)].map((candle) => new Date(candle?.start ?? 0).getUTCFullYear());
          return first === last
            ? rows
            : rows.filter(({ start }, at) => at === 0 || new Date(start).getUTCMonth() !== 11);
        },
      ),
    },
    "candles-of-hours-end-with-the-year": {
      summary: "GetHistoricalPrices returns hours up to the end of the year in which they begin.",
      rows: candles(
        (context) => intervalOf(context) === "60",
        (rows) =>
          rows.filter(
            ({ start }) => new Date(start).getUTCFullYear() === new Date(rows[0]?.start ?? 0).getUTCFullYear(),
          ),
      ),
    },
    "candles-day-of-summer-time-lost": {
      summary:
        "GetHistoricalPrices leaves out the day on which summer time begins or ends, unless a range begins with it.",
      rows: candles(
        (context) => intervalOf(context) === "1D",
        (rows) => rows.filter(({ start }, at) => at === 0 || !changesTime(new Date(start))),
      ),
    },
    "candles-hour-of-a-clock-change-lost": {
      summary:
        "GetHistoricalPrices leaves out the hour in which clocks of Europe are changed, unless a range begins with it.",
      rows: candles(
        (context) => intervalOf(context) === "60",
        (rows) =>
          rows.filter(({ start }, at) => {
            const date = new Date(start);
            return at === 0 || date.getUTCHours() !== 1 || !changesTime(date);
          }),
      ),
    },
    "candles-week-of-a-new-year-lost": {
      summary: "GetHistoricalPrices leaves out the week in which a year begins, unless a range begins with it.",
      rows: candles(
        (context) => intervalOf(context) === "1W",
        (rows) => rows.filter(({ start }, at) => at === 0 || !holdsNewYear(start)),
      ),
    },
    "candles-start-of-1970-taken-for-none": {
      summary: "GetHistoricalPrices takes a start at the beginning of 1970 for an omitted one: a year before the end.",
      request: rewrites(
        operation,
        ({ startTime }) => Date.parse(String(startTime)) === 0,
        (json) => ({ ...json, startTime: new Date(Date.parse(String(json.endTime)) - 365 * dayMs).toISOString() }),
      ),
    },
    "candles-from-the-end-of-december-a-year-late": {
      summary: "GetHistoricalPrices takes the last day of a year as a start for that of the next year.",
      request: rewrites(operation, fromTheLastDayOfAYear, (json) => ({
        ...json,
        startTime: String(json.startTime).replace(/^\d{4}/, (year) => String(Number(year) + 1)),
      })),
    },
    "candles-of-one-market-200-at-most": {
      summary: "GetHistoricalPrices returns the newest 200 candles of the eighth market at most.",
      rows: candles(
        (context) => isOf(context, 7),
        (rows) => rows.slice(-200),
      ),
    },
    "candles-last-of-a-month-lost-in-large-ids": {
      summary: "GetHistoricalPrices leaves out the last month of markets with ids beyond 2^53 when there are several.",
      rows: candles(
        ({ effective }) => (effective.marketId as bigint) > 2n ** 53n,
        (rows, context) => (intervalOf(context) === "1M" && rows.length > 1 ? rows.slice(0, -1) : rows),
      ),
    },
  }),

  ...breaking("wire.no-null", {
    // the candles themselves
    "candles-mid-null-in-one-market-for-months": {
      summary: "GetHistoricalPrices writes null for the mid price of the fifth market's months.",
      response: on(operation, (json, context) => {
        if (isOf(context, 4) && intervalOf(context) === "1M") for (const candle of candlesIn(json)) candle.mid = null;
        return json;
      }),
    },
  }),

  ...breaking("candlestick.low-high", {
    "candles-high-of-one-market-at-its-open-for-days": {
      summary:
        "GetHistoricalPrices gives the open as the high of the seventh market's days, also where they closed higher.",
      rows: candles(
        (context) => isOf(context, 6) && intervalOf(context) === "1D",
        (rows) => rows.map((candle) => ({ ...candle, high: candle.open })),
      ),
    },
  }),

  ...breaking("get-historical-prices.no-result-limit", {
    "candles-365-days-at-most": {
      summary: "GetHistoricalPrices returns the newest 365 days at most.",
      rows: candles(
        (context) => intervalOf(context) === "1D",
        (rows) => rows.slice(-365),
      ),
    },
  }),

  ...breaking("errors.documented-outcome", {
    // what is accepted
    "candles-from-a-leap-day-refused": {
      summary: "GetHistoricalPrices does not know the 29th of February.",
      alsoFails: ["get-historical-prices.range"],
      http: refuses(operation, "invalid_argument", ({ request }) => /-02-29/.test(String(request.startTime))),
    },
    "candles-not-found-in-a-leap-year": {
      summary: "GetHistoricalPrices says that there is no price in a range that begins in a leap year.",
      alsoFails: [
        "get-historical-prices.range",
        "get-historical-prices.no-result-limit",
        "get-historical-prices.intervals",
      ],
      http: refuses(operation, "not_found", ({ request }) =>
        /^"?20(?:04|08|12|16|20|24)-/.test(String(request.startTime)),
      ),
    },
    "candles-crash-on-a-range-within-an-interval": {
      summary:
        "GetHistoricalPrices fails with internal when the range is shorter than the interval, an hour or longer.",
      http: refuses(operation, "internal", (context) => {
        const [from, to] = [context.request.startTime, context.request.endTime].map((time) => Date.parse(String(time)));
        const interval = intervalOf(context);
        return interval !== "1S" && interval !== "1" && laterInterval(interval, from ?? 0) > (to ?? 0) && to !== from;
      }),
    },
    "candles-refused-for-a-range-within-a-second": {
      summary: "GetHistoricalPrices drops fractions of a second, and refuses a range that is then empty.",
      http: refuses(operation, "invalid_argument", ({ request }) => {
        const [from = 0, to = 0] = [request.startTime, request.endTime].map((time) => Date.parse(String(time)));
        return from < to && Math.floor(from / 1_000) === Math.floor(to / 1_000);
      }),
    },
    "candles-months-refused-with-a-time-offset": {
      summary: "GetHistoricalPrices does not support months when the range is written with an offset from UTC.",
      alsoFails: ["get-historical-prices.range", "get-historical-prices.intervals"],
      http: refuses(
        operation,
        "invalid_argument",
        (context) => intervalOf(context) === "1M" && timesWithOffset(context.request, context),
      ),
    },
    "candles-refused-in-one-market-with-a-limit": {
      summary: "GetHistoricalPrices refuses every request for the fourth market with a limit.",
      alsoFails: ["get-historical-prices.limit-ignored", "get-historical-prices.intervals"],
      http: refuses(
        operation,
        "invalid_argument",
        (context) => isOf(context, 3) && withLimit(context.request, context),
      ),
    },
    "candles-crash-on-a-limit-with-a-time-offset-for-hours": {
      summary: "GetHistoricalPrices fails with internal when a limit and an offset from UTC come with the interval 60.",
      alsoFails: ["get-historical-prices.limit-ignored"],
      http: refuses(
        operation,
        "internal",
        (context) =>
          intervalOf(context) === "60" &&
          withLimit(context.request, context) &&
          timesWithOffset(context.request, context),
      ),
    },
  }),

  ...breaking("selector.required", {
    "candles-of-the-first-market-without-a-market-and-an-interval": {
      summary: "GetHistoricalPrices returns the first market's candles when neither a market nor an interval is given.",
      request: rewrites(
        operation,
        ({ market, interval }) => market === undefined && !interval,
        (json, { dataset }) => ({ ...json, market: byId(marketAt(dataset, 0)), interval: "60" }),
      ),
    },
  }),

  ...breaking("get-historical-prices.symbol-selector", {
    "candles-symbols-resolved-for-days": {
      summary: "GetHistoricalPrices resolves known symbols when days are asked for.",
      request: rewrites(
        operation,
        (json) => json.interval === "1D" && symbolsOf(json) !== undefined,
        (json, { dataset }) => {
          const symbols = symbolsOf(json);
          const market = symbols && marketNamed(dataset, symbols);
          return market ? { ...json, market: byId(market) } : json;
        },
      ),
    },
  }),

  ...breaking("protocol.timeout-generous", {
    "candles-end-lost-with-a-timeout-for-hours": {
      summary: "With Connect-Timeout-Ms GetHistoricalPrices returns hours up to now, whatever the end of the range is.",
      alsoFails: ["get-historical-prices.range"],
      request: loses(operation, "endTime", (json, context) => json.interval === "60" && hasTimeout(context)),
    },
  }),
];
