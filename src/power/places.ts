/** Paths to the resources in response bodies. Changing them copies only what changes. */
import { isJsonObject, type Json, type JsonObject } from "../connect/json.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";

/** The parts of an answer that a fault may affect. */
export type Resource =
  | "position"
  | "order"
  | "reference"
  | "pagination"
  | "portfolio"
  | "book"
  | "level"
  | "candle"
  | "config"
  | "feeConfig"
  | "adlConfig"
  | "body";

/** `*` stands for each element of an array. */
type Path = readonly string[];

const places: Readonly<Record<Resource, Partial<Record<Endpoint, readonly Path[]>>>> = {
  position: {
    GetAllPositions: [["positions", "*"]],
    GetOpenPositionsStreaming: [["positions", "*"]],
    GetPortfolio: [["portfolio", "positions", "*"]],
  },
  reference: {
    GetAllPositions: [["positions", "*", "associatedOrderIds", "*"]],
    GetOpenPositionsStreaming: [["positions", "*", "associatedOrderIds", "*"]],
    GetPortfolio: [["portfolio", "positions", "*", "associatedOrderIds", "*"]],
  },
  order: {
    GetAllOrders: [["orders", "*"]],
    GetOrders: [["orders", "*"]],
    GetAllPositions: [["positions", "*", "associatedOrders", "*"]],
    GetPortfolio: [
      ["portfolio", "orders", "*"],
      ["portfolio", "positions", "*", "associatedOrders", "*"],
    ],
  },
  pagination: { GetAllPositions: [["pagination"]], GetAllOrders: [["pagination"]] },
  portfolio: { GetPortfolio: [["portfolio"]] },
  book: { GetOrderBook: [["orderBook"]] },
  level: {
    GetOrderBook: [
      ["orderBook", "book", "bids", "*"],
      ["orderBook", "book", "asks", "*"],
    ],
  },
  candle: { GetHistoricalPrices: [["priceCandleSticks", "*"]] },
  config: { GetMarketConfigs: [["marketConfig"]] },
  feeConfig: { GetMarketConfigs: [["marketConfig", "feeConfig"]] },
  adlConfig: { GetMarketConfigs: [["marketConfig", "adlConfig"]] },
  body: Object.fromEntries(endpointNames.map((endpoint) => [endpoint, [[]]])),
};

/** The operations that show a resource. */
export function operationsShowing(resource: Resource): readonly Endpoint[] {
  return Object.keys(places[resource]) as Endpoint[];
}

/** Maps a row to itself, a replacement, several rows, or none. */
export type RowChange = (row: JsonObject) => JsonObject | readonly JsonObject[] | undefined;

/** The body with each occurrence of a resource changed; the same object when nothing changed. */
export function changeEach(endpoint: Endpoint, resource: Resource, body: JsonObject, change: RowChange): JsonObject {
  const paths = places[resource][endpoint] ?? [];
  return paths.reduce((changed, path) => changeAt(changed, path, change) as JsonObject, body);
}

function changeAt(value: Json | undefined, path: Path, change: RowChange): Json | readonly Json[] | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return isJsonObject(value) ? change(value) : value;
  if (step === "*") return Array.isArray(value) ? changeAll(value, rest, change) : value;
  if (!isJsonObject(value)) return value;
  const before = value[step];
  const after = changeAt(before, rest, change) as Json | undefined;
  return after === before ? value : { ...value, [step]: after };
}

function changeAll(rows: readonly Json[], path: Path, change: RowChange): readonly Json[] {
  let changed = false;
  const all = rows.flatMap((row): readonly Json[] => {
    const made = changeAt(row, path, change);
    if (made === row) return [row];
    changed = true;
    if (made === undefined) return [];
    return Array.isArray(made) ? (made as readonly Json[]) : [made as Json];
  });
  return changed ? all : rows;
}
