import { levelsIn, type MutableJsonObject, objectAt } from "../json.js";
import type { Variant } from "../modification.js";
import { editOrders, editPositions, editResources } from "../resource-interceptors.js";

/** Rounds number fields of an object to a number of decimals, in place. */
function rounded(json: MutableJsonObject, decimals: number, ...fields: readonly string[]): void {
  for (const field of fields) {
    const value = json[field];
    if (typeof value === "number") json[field] = Number(value.toFixed(decimals));
  }
}

/** Truncates a nanosecond timestamp to one fractional digit. */
function inTenths(json: MutableJsonObject): void {
  json.timestamp = String(json.timestamp ?? "").replace(/(\.\d)\d*Z$/, "$1Z");
}

/** Truncates or rounds a nanosecond timestamp to three fractional digits. */
function inMilliseconds(json: MutableJsonObject, mode: "cut off" | "rounded"): void {
  const text = String(json.timestamp ?? "");
  const fraction = Number(/\.(\d+)Z$/.exec(text)?.[1]?.padEnd(9, "0").slice(0, 9) ?? 0);
  const milliseconds = mode === "rounded" ? Math.round(fraction / 1e6) : Math.trunc(fraction / 1e6);
  const second = Date.parse(text.replace(/(\.\d+)?Z$/, "Z"));
  if (!Number.isNaN(second)) json.timestamp = new Date(second + milliseconds).toISOString();
}

/** Conformant ways to show numbers and timestamps with less precision than stored (R1, R16, B12). */
export const precision: readonly Variant[] = [
  {
    kind: "variant",
    name: "amounts-in-cents",
    summary:
      "Margins and notionals of orders, and sizes and running totals in USD, are rounded to cents, each by itself (R1).",
    touches: ["amounts", "book"],
    response: (endpoint, json, context) => {
      editOrders((order) => rounded(order, 2, "initialMargin", "initialNotional"))(endpoint, json, context);
      if (objectAt(json, "orderBook")?.sizeInUsd) {
        for (const level of levelsIn(json)) rounded(level, 2, "size", "cumulativeTotal");
      }
      return json;
    },
  },
  {
    kind: "variant",
    name: "leverage-in-whole-numbers",
    summary: "Positions and orders show their leverage, which has fractions, rounded to a whole number (R1).",
    response: editResources((row) => rounded(row, 0, "leverage")),
  },
  {
    kind: "variant",
    name: "listings-with-fewer-decimals",
    summary:
      "GetAllOrders and GetAllPositions round amounts and prices to four decimals, the other operations do not (R1, R16).",
    touches: ["amounts"],
    response: editResources(
      (row) => {
        rounded(row, 4, "nominalSize", "allocatedMargin", "revenueSpent");
        rounded(row, 4, "initialMargin", "initialNotional", "fees", "rebates", "size", "filledSize", "unfilledSize");
      },
      "GetAllOrders",
      "GetAllPositions",
    ),
  },
  {
    kind: "variant",
    name: "get-all-orders-times-in-milliseconds",
    summary: "GetAllOrders cuts timestamps down to the millisecond, the other operations do not (R16).",
    touches: ["times"],
    response: editOrders((order) => inMilliseconds(order, "cut off"), "GetAllOrders"),
  },
  {
    kind: "variant",
    name: "order-times-rounded-here-and-cut-off-there",
    summary:
      "GetAllOrders rounds timestamps to the millisecond, GetOrders cuts them down to tenths of a second: what rounding carries over, cutting off does not (R16).",
    touches: ["times"],
    response: (endpoint, json, context) => {
      editOrders((order) => inMilliseconds(order, "rounded"), "GetAllOrders")(endpoint, json, context);
      return editOrders(inTenths, "GetOrders")(endpoint, json, context);
    },
  },
  {
    kind: "variant",
    name: "position-times-rounded",
    summary:
      "GetPortfolio and the stream round the timestamps of positions to the millisecond, GetAllPositions does not (R16).",
    touches: ["times"],
    response: editPositions(
      (position) => inMilliseconds(position, "rounded"),
      "GetPortfolio",
      "GetOpenPositionsStreaming",
    ),
  },
];
