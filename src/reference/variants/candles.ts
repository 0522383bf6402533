import type { CandleInterval } from "../../specification/enums.js";
import { type Candle, intervalStart, laterInterval } from "../candles.js";
import { jsonReply } from "../endpoint-handler.js";
import { type MutableJsonObject, objectsAt } from "../json.js";
import { type CallContext, on, SubstituteResponse, type Variant } from "../modification.js";
import { documented } from "../parameters.js";
import { hash } from "../random.js";
import { invalidArgument } from "../service/selector.js";

const hour = 3_600_000;

/** Changes the candles before they are written. */
function rows(change: (candles: readonly Candle[], interval: CandleInterval) => readonly Candle[]): Variant["rows"] {
  return { candles: (candles, { effective }) => change(candles, effective.interval as CandleInterval) };
}

/** Refuses some requests. The decoder accepts them, so this sets an unsupported interval to cause the error. */
function refuse(picks: (request: MutableJsonObject) => boolean): Variant["request"] {
  return on("GetHistoricalPrices", (json) => (picks(json) ? { ...json, interval: "none" } : undefined));
}

/** Changes the JSON of a candle response. */
function response(change: (json: MutableJsonObject, context: CallContext) => void): Variant["response"] {
  return on("GetHistoricalPrices", (json, context) => {
    change(json, context);
    return json;
  });
}

/** Conformant ways to answer with candles (C1 to C4). */
export const candles: readonly Variant[] = [
  {
    kind: "variant",
    name: "candles-newest-first",
    summary: "Candles are returned newest first (C4).",
    touches: ["candles"],
    rows: rows((all) => [...all].reverse()),
  },
  {
    kind: "variant",
    name: "candles-in-no-order",
    summary: "Candles are returned in no order of time (C4).",
    touches: ["candles"],
    rows: rows((all) => [...all].sort((a, b) => hash(a.start) - hash(b.start))),
  },
  {
    kind: "variant",
    name: "candles-with-gaps",
    summary: "Times without trades have no candle (C1).",
    touches: ["candles"],
    rows: rows((all) => all.filter(({ start }) => hash("traded", start) % 3 !== 0)),
  },
  {
    kind: "variant",
    name: "candles-every-five-seconds",
    summary: "Prices come every five seconds, so that there is a candle of a second for each fifth only (C1).",
    touches: ["candles"],
    rows: rows((all, interval) => (interval === "1S" ? all.filter(({ start }) => start % 5_000 === 0) : all)),
  },
  {
    kind: "variant",
    name: "candles-dated-by-their-end",
    summary:
      "The timestamp of a candle is the end of its interval, to the millisecond before the next one begins (C1).",
    touches: ["candles"],
    rows: rows((all, interval) =>
      all.map((candle) => ({ ...candle, start: laterInterval(interval, candle.start) - 1 })),
    ),
  },
  {
    kind: "variant",
    name: "candles-around-the-range",
    summary: "The candle in which the range begins is returned, and the one in which it ends is not (C2).",
    touches: ["candles"],
    request: on("GetHistoricalPrices", (json) => {
      const [from, to] = [Date.parse(String(json.startTime)), Date.parse(String(json.endTime))];
      const interval = documented.candleInterval(String(json.interval ?? ""));
      if (interval === undefined || Number.isNaN(from) || Number.isNaN(to)) return undefined;
      return {
        ...json,
        startTime: new Date(intervalStart(interval, from)).toISOString(),
        endTime: new Date(intervalStart(interval, to) - 1).toISOString(),
      };
    }),
  },
  {
    kind: "variant",
    name: "candles-of-another-time-zone",
    summary: "Days, weeks and months begin at 16:00 UTC the day before, and an hour later in winter (C1).",
    touches: ["candles"],
    rows: rows((all, interval) => {
      if (!["1D", "1W", "1M"].includes(interval)) return all;
      const isWinter = (start: number) => [10, 11, 0, 1, 2].includes(new Date(start).getUTCMonth());
      return all.map((candle) => ({ ...candle, start: candle.start - (isWinter(candle.start) ? 7 : 8) * hour }));
    }),
  },
  {
    kind: "variant",
    name: "candles-of-a-young-platform",
    summary: "There are candles of the last three hours only.",
    rows: rows((all) => all.filter(({ start }) => start >= Date.UTC(2025, 5, 30, 9))),
  },
  {
    kind: "variant",
    name: "candles-not-found-without-trades",
    summary: "Markets are closed at night, and a range without a trade gets not_found: its price does not exist (§7).",
    rows: rows((all, interval) =>
      ["1S", "1", "60"].includes(interval) ? all.filter(({ start }) => new Date(start).getUTCHours() >= 6) : all,
    ),
    http: (endpoint, reply) => {
      if (endpoint !== "GetHistoricalPrices" || reply.status !== 200) return reply;
      const isEmpty = !Buffer.from(reply.body).includes('"timestamp"');
      return isEmpty ? jsonReply(404, { code: "not_found", message: "there is no price in the range" }) : reply;
    },
  },
  {
    kind: "variant",
    name: "candles-flat",
    summary: "Prices never move: open, high, low and close are equal (C4).",
    touches: ["candles"],
    rows: rows((all) => all.map((candle) => ({ ...candle, high: candle.low, open: candle.low, close: candle.low }))),
  },
  {
    kind: "variant",
    name: "no-candles",
    summary: "There are no candles at all.",
    rows: rows(() => []),
  },
  {
    kind: "variant",
    name: "candles-beside-prices",
    summary: "The array of prices is filled as well, and totalCount counts its elements (C4).",
    touches: ["candles"],
    response: response((json) => {
      const sticks = objectsAt(json, "priceCandleSticks");
      json.prices = sticks.flatMap(({ timestamp, open = 0, close = 0 }) => [
        { timestamp, price: open },
        { timestamp, price: close },
      ]);
      json.totalCount = 2 * sticks.length;
    }),
  },
  {
    kind: "variant",
    name: "candles-total-unset",
    summary: "The number of candles is not told: totalCount is 0 (C4).",
    touches: ["candles"],
    response: response((json) => {
      json.totalCount = 0;
    }),
  },
  {
    kind: "variant",
    name: "candles-of-further-intervals",
    summary: "Further intervals are supported, and an omitted one is a day (C4).",
    touches: ["candles"],
    parameters: {
      candleInterval: (name) => {
        const further: Record<string, CandleInterval> = {
          "": "1D",
          "5": "1",
          "15": "1",
          "1H": "60",
          "1s": "1S",
          "1m": "1",
        };
        return further[name.trim()] ?? documented.candleInterval(name);
      },
    },
  },
  {
    kind: "variant",
    name: "candles-of-unsupported-intervals",
    summary: "An unsupported interval gets no candles (C4).",
    touches: ["candles"],
    request: on("GetHistoricalPrices", ({ interval = "" }) =>
      typeof interval === "string" && documented.candleInterval(interval) === undefined
        ? new SubstituteResponse({ priceCandleSticks: [], totalCount: 0 })
        : undefined,
    ),
  },
  {
    kind: "variant",
    name: "candles-need-a-whole-range",
    summary: "A range without start or end, or that ends before it starts, is refused (C4).",
    touches: ["candles", "selectors"],
    request: refuse(
      ({ startTime, endTime }) =>
        startTime === undefined ||
        endTime === undefined ||
        Date.parse(String(startTime)) >= Date.parse(String(endTime)),
    ),
  },
  {
    kind: "variant",
    name: "candles-negative-limit-refused",
    summary: "A negative limit of candles is refused (P2).",
    touches: ["candles"],
    request: refuse(({ limit }) => typeof limit === "number" && limit < 0),
  },
  {
    kind: "variant",
    name: "candles-need-an-interval",
    summary: "An omitted interval is refused (C4).",
    touches: ["candles", "selectors"],
    parameters: {
      candleInterval: (name) => {
        if (name === "") throw invalidArgument("interval is required");
        return documented.candleInterval(name);
      },
    },
  },
];
