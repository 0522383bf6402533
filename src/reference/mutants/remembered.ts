import type { UnaryEndpoint } from "../../specification/endpoints.js";
import type { Json, JsonObject } from "../json.js";
import { breaking, type Layers, type Mutant, on } from "../modification.js";

/** For so long an answer is remembered, in milliseconds. */
const rememberedMs = 200;

/** Gives an answer again to requests that differ from its own in one field alone, or the part of it that `keep` keeps. */
function forgets(
  field: string,
  endpoint: UnaryEndpoint,
  keep: (remembered: JsonObject, json: JsonObject) => JsonObject = (remembered) => remembered,
): Layers["response"] {
  const known = new Map<string, { readonly until: number; readonly json: JsonObject }>();
  return on(endpoint, (json: JsonObject, { headers, now, request }): Json => {
    const { [field]: _, ...others } = request;
    const key = `${headers.get("host")} ${JSON.stringify(others)}`;
    const remembered = known.get(key);
    if (remembered && now() < remembered.until) return keep(structuredClone(remembered.json), json);
    if (known.size > 1_000) known.clear();
    known.set(key, { until: now() + rememberedMs, json: structuredClone(json) });
    return json;
  });
}

/** The sides of the book that is remembered, with all else as it was asked for. */
function sidesAlone(remembered: JsonObject, json: JsonObject): JsonObject {
  const [before, now] = [remembered.orderBook, json.orderBook] as [JsonObject, JsonObject];
  return { orderBook: { ...now, book: before.book } } as JsonObject;
}

/** Servers that remember answers for a moment, by all fields of their requests but one. */
export const remembered: readonly Mutant[] = [
  ...breaking("order-book.levels-maximum", {
    "order-book-remembered-without-levels": {
      summary:
        "GetOrderBook remembers the sides of a book for 200 ms, whatever number of levels they were asked for with.",
      response: forgets("levels", "GetOrderBook", sidesAlone),
    },
  }),
  ...breaking("order-book.size-in-usd", {
    "order-book-remembered-without-unit": {
      summary: "GetOrderBook remembers the sides of a book for 200 ms, whether they were asked for in USD or not.",
      response: forgets("sizeInUsd", "GetOrderBook", sidesAlone),
    },
  }),
  ...breaking("get-orders.market-filter", {
    "orders-remembered-without-market": {
      summary: "GetOrders remembers the orders of a wallet for 200 ms, whatever market they were asked for.",
      response: forgets("market", "GetOrders"),
    },
  }),
  ...breaking("get-historical-prices.range", {
    "candles-remembered-without-start": {
      summary: "GetHistoricalPrices remembers candles for 200 ms, wherever the range was to begin.",
      response: forgets("startTime", "GetHistoricalPrices"),
    },
  }),
];
