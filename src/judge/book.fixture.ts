import type { JsonObject } from "../connect/json.js";

/** A level in short: price, size, and number of orders (1 when omitted). */
export type Short = readonly [price: number, size: number, orderCount?: number];

/** The levels of a side with their running totals, the best price first. */
export function side(...levels: readonly Short[]): JsonObject[] {
  let total = 0;
  return levels.map(([price, size, orderCount = 1]) => {
    total += size;
    return { price, size, orderCount, cumulativeTotal: total };
  });
}

/** The body of an answer with this book; `fields` are the other fields of `orderBook`. */
export function bookBody(
  bids: readonly JsonObject[],
  asks: readonly JsonObject[],
  fields: Record<string, JsonObject[string]> = {},
): JsonObject {
  return { orderBook: { marketId: "7", ...fields, book: { bids, asks } } };
}
