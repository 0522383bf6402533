import type { UnaryEndpoint } from "../../specification/endpoints.js";
import { type JsonObject, objectsAt } from "../json.js";
import { breaking, type Layers, type Mutant, on, rulesOn } from "../modification.js";

/** Takes rows out of every `nth` answer of an operation. */
function everyNth(
  nth: number,
  endpoint: UnaryEndpoint,
  field: string,
  keep: (rows: readonly JsonObject[]) => readonly JsonObject[],
): Layers["response"] {
  let answers = 0;
  return on(endpoint, (json: JsonObject) => {
    const rows = objectsAt(json, field);
    return rows.length > 1 && answers++ % nth === nth - 1 ? { ...json, [field]: [...keep(rows)] } : json;
  });
}

const intermittently = { intermittent: true } as const;

/** Servers whose answers are incomplete now and then. Which requests are affected is a matter of chance. */
export const intermittent: readonly Mutant[] = [
  ...breaking("get-orders.no-result-limit", {
    "get-orders-without-the-oldest-now-and-then": {
      summary: "Every tenth answer of GetOrders lacks the oldest order.",
      alsoFails: rulesOn("GetOrders"),
      ...intermittently,
      response: everyNth(10, "GetOrders", "orders", (rows) => rows.slice(0, -1)),
    },
  }),

  ...breaking("pagination.row-count", {
    "positions-without-the-middle-now-and-then": {
      summary: "Every tenth page of GetAllPositions lacks the row in its middle.",
      alsoFails: rulesOn("GetAllPositions"),
      ...intermittently,
      response: everyNth(10, "GetAllPositions", "positions", (rows) =>
        rows.filter((_, index) => index !== Math.floor(rows.length / 2)),
      ),
    },
  }),

  ...breaking("get-historical-prices.no-result-limit", {
    "candles-with-a-hole-now-and-then": {
      summary: "Every tenth answer of GetHistoricalPrices lacks its second candle.",
      alsoFails: rulesOn("GetHistoricalPrices"),
      ...intermittently,
      response: everyNth(10, "GetHistoricalPrices", "priceCandleSticks", (rows) =>
        rows.filter((_, index) => index !== 1),
      ),
    },
  }),
];
