/** Finds the formulas by which values are computed, on each target's own data. */
import { isJsonObject, type JsonObject } from "../../connect/json.js";
import { readFlag, readNumber, readObjects, readText } from "../../judge/read-values.js";
import { nearlyEqual } from "../../judge/tolerance.js";
import type { Endpoint } from "../../specification/endpoints.js";
import { getOrInsert } from "../../specification/get-or-insert.js";
import type { RulingId } from "../../specification/rulings.js";

/** A way in which a value may be computed. */
interface Formula {
  /** What follows `totalMargin is` in words: `the sum of allocatedMargin`. */
  readonly is: string;
  /** The value that the field would have; undefined if the formula does not apply. */
  readonly of: (object: JsonObject, request: JsonObject) => number | undefined;
}

interface Computed {
  /** The kind of object that has the field, named after the end of its path. */
  readonly objects: "position" | "order" | "portfolio" | "orderBook" | "candle" | "candles";
  readonly field: string;
  /** The field counts as 0 when it is absent. Otherwise it is skipped then. */
  readonly zeroWhenAbsent?: true;
  /** Selects the objects to look at; all if absent. */
  readonly on?: (object: JsonObject) => boolean;
  readonly formulas: readonly Formula[];
  /** The ruling that accepts more than one of them. */
  readonly ruling?: RulingId;
}

const number = (object: JsonObject, name: string) => readNumber(object[name]);
const sum = (object: JsonObject, rows: string, name: string) =>
  readObjects(object[rows]).reduce((total, row) => total + number(row, name), 0);
const count = (object: JsonObject, side: string) =>
  isJsonObject(object.book) && Array.isArray(object.book[side]) ? object.book[side].length : 0;
const orders = (object: JsonObject) =>
  (["bids", "asks"] as const).reduce(
    (total, side) => total + (isJsonObject(object.book) ? sum(object.book, side, "orderCount") : 0),
    0,
  );
const isReduceOnly = (order: JsonObject) => readFlag(order.reduceOnly);
const gain = (position: JsonObject) =>
  (number(position, "markPrice") - number(position, "entryPrice")) *
  number(position, "nominalSize") *
  (/short/i.test(readText(position.side)) ? -1 : 1);
const ratio = (a: number, b: number) => (b === 0 ? undefined : a / b);

const computed: readonly Computed[] = [
  {
    objects: "position",
    field: "unrealizedPnl",
    formulas: [
      { is: "the move of the price times the size, the other way round for shorts", of: gain },
      { is: "the move of the price", of: (p) => ratio(gain(p), number(p, "nominalSize")) },
    ],
  },
  {
    objects: "position",
    field: "currentPnl",
    formulas: [{ is: "unrealizedPnl", of: (p) => number(p, "unrealizedPnl") }],
  },
  ...["currentRoi", "cashRoi"].map(
    (field): Computed => ({
      objects: "position",
      field,
      formulas: [
        {
          is: "a share of allocatedMargin",
          of: (p) => ratio(number(p, "unrealizedPnl"), number(p, "allocatedMargin")),
        },
        {
          is: "percent of allocatedMargin",
          of: (p) => ratio(100 * number(p, "unrealizedPnl"), number(p, "allocatedMargin")),
        },
      ],
    }),
  ),
  {
    objects: "order",
    field: "initialMargin",
    on: isReduceOnly,
    formulas: [
      { is: "thresholdPrice times size", of: (o) => number(o, "thresholdPrice") * number(o, "size") },
      {
        is: "thresholdPrice times size over leverage",
        of: (o) => ratio(number(o, "thresholdPrice") * number(o, "size"), number(o, "leverage")),
      },
    ],
  },
  {
    objects: "order",
    field: "margin",
    formulas: [{ is: "initialMargin", of: (o) => number(o, "initialMargin") }],
  },
  {
    objects: "order",
    field: "filledQuoteSize",
    formulas: [
      { is: "filledSize times averageFillPrice", of: (o) => number(o, "filledSize") * number(o, "averageFillPrice") },
      { is: "filledSize times thresholdPrice", of: (o) => number(o, "filledSize") * number(o, "thresholdPrice") },
    ],
  },
  {
    objects: "portfolio",
    field: "totalMargin",
    formulas: [{ is: "the sum of allocatedMargin", of: (p) => sum(p, "positions", "allocatedMargin") }],
  },
  {
    objects: "portfolio",
    field: "totalUnrealizedPnl",
    formulas: [{ is: "the sum of unrealizedPnl", of: (p) => sum(p, "positions", "unrealizedPnl") }],
  },
  {
    objects: "portfolio",
    field: "totalEquity",
    formulas: [
      {
        is: "totalMargin and totalUnrealizedPnl",
        of: (p) => number(p, "totalMargin") + number(p, "totalUnrealizedPnl"),
      },
      {
        is: "totalMargin, totalUnrealizedPnl and totalRealizedPnl",
        of: (p) => number(p, "totalMargin") + number(p, "totalUnrealizedPnl") + number(p, "totalRealizedPnl"),
      },
    ],
  },
  {
    objects: "portfolio",
    field: "totalRealizedPnl",
    formulas: [
      { is: "totalProfit less totalLoss", of: (p) => number(p, "totalProfit") - Math.abs(number(p, "totalLoss")) },
      {
        is: "totalProfit less totalLoss and totalFees",
        of: (p) => number(p, "totalProfit") - Math.abs(number(p, "totalLoss")) - number(p, "totalFees"),
      },
    ],
  },
  {
    objects: "portfolio",
    field: "totalLoss",
    on: (p) => number(p, "totalLoss") !== 0,
    formulas: [
      { is: "written without a sign", of: (p) => Math.abs(number(p, "totalLoss")) },
      { is: "written with a sign", of: (p) => -Math.abs(number(p, "totalLoss")) },
    ],
  },
  {
    objects: "orderBook",
    field: "levels",
    zeroWhenAbsent: true,
    ruling: "B5",
    formulas: [
      { is: "the longer side", of: (b) => Math.max(count(b, "bids"), count(b, "asks")) },
      { is: "what was asked for", of: (_, { levels }) => readNumber(levels) },
      { is: "both sides together", of: (b) => count(b, "bids") + count(b, "asks") },
    ],
  },
  {
    objects: "orderBook",
    field: "pageSize",
    zeroWhenAbsent: true,
    ruling: "B1",
    formulas: [
      { is: "the orders that were aggregated", of: orders },
      { is: "the limit, 50 by default", of: (_, { limit }) => readNumber(limit) || 50 },
    ],
  },
  {
    objects: "orderBook",
    field: "tickSize",
    zeroWhenAbsent: true,
    on: (b) => Array.isArray((b.book as JsonObject | undefined)?.bids),
    formulas: [{ is: "what was asked for", of: (_, { tickSize }) => readNumber(tickSize) }],
  },
  {
    objects: "candles",
    field: "totalCount",
    zeroWhenAbsent: true,
    formulas: [
      { is: "the number of candles", of: (c) => readObjects(c.priceCandleSticks).length },
      { is: "not set", of: () => 0 },
    ],
  },
  {
    objects: "candle",
    field: "mid",
    formulas: [
      { is: "between high and low", of: (c) => (number(c, "high") + number(c, "low")) / 2 },
      { is: "between open and close", of: (c) => (number(c, "open") + number(c, "close")) / 2 },
      { is: "close", of: (c) => number(c, "close") },
    ],
  },
];

/** Minimum number of objects from which a formula can be told. */
const enough = 5;

/** Counts which formulas hold for one target's values of a field. */
class FormulaCount {
  objects = 0;
  readonly holds: number[];
  readonly requests = new Set<number>();

  constructor(readonly of: Computed) {
    this.holds = of.formulas.map(() => 0);
  }

  /** Counts a value, and what it would be by each formula. */
  add(value: number, expected: readonly (number | undefined)[], request: number): void {
    this.objects++;
    this.requests.add(request);
    for (const [at, one] of expected.entries())
      if (one !== undefined && nearlyEqual(value, one, { rounding: [1e-4 * Math.max(1, Math.abs(value))] }))
        this.holds[at] = (this.holds[at] ?? 0) + 1;
  }

  /** The formula in words; undefined if too little was seen. */
  get words(): string | undefined {
    if (this.objects < enough) return undefined;
    const at = this.holds.findIndex((held) => held >= 0.98 * this.objects);
    return at < 0 ? "none of the usual formulas" : this.of.formulas[at]?.is;
  }
}

/** Counts how one target computes the values in its answers to an operation, by place. */
export class Formulas {
  readonly counts = new Map<string, FormulaCount>();

  /** Adds an answer to a request. */
  add(endpoint: Endpoint, body: JsonObject, asked: JsonObject, request: number): void {
    for (const [kind, place, object] of objectsOf(endpoint, body)) {
      for (const each of computed) {
        if (each.objects !== kind || each.on?.(object) === false) continue;
        const expected = expectedValues(each, object, asked);
        if (expected === undefined) continue;
        const path = place === "" ? each.field : `${place}.${each.field}`;
        getOrInsert(this.counts, path, () => new FormulaCount(each)).add(number(object, each.field), expected, request);
      }
    }
  }
}

/**
 * The value of a field by each formula; undefined if the field tells nothing: it is absent, no formula applies, or it is zero
 * by every formula, as it is in the answer.
 */
function expectedValues(
  { field, zeroWhenAbsent, formulas }: Computed,
  object: JsonObject,
  asked: JsonObject,
): readonly (number | undefined)[] | undefined {
  const value = number(object, field);
  if ((object[field] === undefined && !zeroWhenAbsent) || Number.isNaN(value)) return undefined;
  const expected = formulas.map(({ of }) => of(object, asked));
  return expected.every((one) => one === undefined || (one === 0 && value === 0)) ? undefined : expected;
}

/** The objects of an answer that have computed values, each with its kind and place. */
function* objectsOf(endpoint: Endpoint, body: JsonObject): Generator<[Computed["objects"], string, JsonObject]> {
  const rows = function* (kind: "position" | "order" | "candle", place: string, object: JsonObject, name: string) {
    for (const row of readObjects(object[name]))
      yield [kind, `${place}${name}[*]`, row] as [typeof kind, string, JsonObject];
  };
  switch (endpoint) {
    case "GetAllPositions":
    case "GetOpenPositionsStreaming":
      yield* rows("position", "", body, "positions");
      break;
    case "GetAllOrders":
    case "GetOrders":
      yield* rows("order", "", body, "orders");
      break;
    case "GetPortfolio":
      if (!isJsonObject(body.portfolio)) break;
      yield ["portfolio", "portfolio", body.portfolio];
      yield* rows("position", "portfolio.", body.portfolio, "positions");
      yield* rows("order", "portfolio.", body.portfolio, "orders");
      break;
    case "GetOrderBook":
      if (isJsonObject(body.orderBook)) yield ["orderBook", "orderBook", body.orderBook];
      break;
    case "GetHistoricalPrices":
      yield ["candles", "", body];
      yield* rows("candle", "", body, "priceCandleSticks");
      break;
    default:
  }
}
