/** Layers on positions and orders, as mutants and variants use them. */
import type { Endpoint } from "../specification/endpoints.js";
import type { Dataset } from "./dataset/dataset.js";
import type { Market, OrderRecord, PositionRecord } from "./dataset/model.js";
import { type JsonObject, objectsAt, ordersIn, positionsIn } from "./json.js";
import type { CallContext, Layers } from "./modification.js";

type ResponseLayer = Required<Layers>["response"];

/** Changes positions in place, in the answers of some operations; of all when none is named. */
export function editPositions(
  change: (position: JsonObject, context: CallContext) => void,
  ...endpoints: readonly Endpoint[]
): ResponseLayer {
  return (endpoint, json, context) => {
    if (!isMeant(endpoint, endpoints)) return undefined;
    for (const position of positionsIn(json)) change(position, context);
    return json;
  };
}

/** Changes orders in place, those within positions too, in the answers of some operations; of all when none is named. */
export function editOrders(
  change: (order: JsonObject, context: CallContext) => void,
  ...endpoints: readonly Endpoint[]
): ResponseLayer {
  return (endpoint, json, context) => {
    if (!isMeant(endpoint, endpoints)) return undefined;
    for (const order of ordersIn(json)) change(order, context);
    return json;
  };
}

/** Changes the orders that answers list as such, not those within positions. */
export function editListedOrders(
  change: (order: JsonObject, context: CallContext) => void,
  ...endpoints: readonly Endpoint[]
): ResponseLayer {
  return (endpoint, json, context) => {
    if (!isMeant(endpoint, endpoints)) return undefined;
    for (const order of [...objectsAt(json, "orders"), ...objectsAt(json, "portfolio", "orders")]) {
      change(order, context);
    }
    return json;
  };
}

function isMeant(endpoint: Endpoint, endpoints: readonly Endpoint[]): boolean {
  return endpoints.length === 0 || endpoints.includes(endpoint);
}

/** A number of a resource's JSON; absent is 0. */
export function numberOf(json: JsonObject, field: string): number {
  return Number(json[field] ?? 0);
}

/** The market that a resource's JSON is of. */
export function marketOf({ dataset }: CallContext, json: JsonObject): Market | undefined {
  return dataset.markets.get(BigInt(String(json.marketId)));
}

const records = new WeakMap<Dataset, ReadonlyMap<string, PositionRecord>>();

/** The record of the position that a JSON shows. */
export function recordOf({ dataset }: CallContext, position: JsonObject): PositionRecord | undefined {
  let byKey = records.get(dataset);
  if (byKey === undefined) {
    byKey = new Map(dataset.positions.map((row) => [`${row.positionId} ${row.marketId}`, row]));
    records.set(dataset, byKey);
  }
  return byKey.get(`${position.positionId} ${position.marketId}`);
}

/** Whether the position that a JSON shows is closed. */
export function isClosed(context: CallContext, position: JsonObject): boolean {
  return recordOf(context, position)?.open === false;
}

/** The record of the order that a reference of a position names. */
export function referencedOrder(
  context: CallContext,
  position: JsonObject,
  reference: JsonObject,
): OrderRecord | undefined {
  return recordOf(context, position)?.orders.find(
    ({ orderId, reduceOnly }) =>
      String(orderId) === reference.orderId && reduceOnly === (reference.reduceOnly === true),
  );
}

/** Leaves out or adds positions of one operation. */
export function positionRows(
  endpoint: "GetAllPositions" | "GetOpenPositionsStreaming" | "GetPortfolio",
  change: (rows: readonly PositionRecord[], context: CallContext) => readonly PositionRecord[],
): Pick<Layers, "rows"> {
  return { rows: { positions: (actual, rows, context) => (actual === endpoint ? change(rows, context) : rows) } };
}

/** Leaves out or adds orders of one operation. */
export function orderRows(
  endpoint: "GetAllOrders" | "GetOrders" | "GetPortfolio",
  change: (rows: readonly OrderRecord[], context: CallContext) => readonly OrderRecord[],
): Pick<Layers, "rows"> {
  return { rows: { orders: (actual, rows, context) => (actual === endpoint ? change(rows, context) : rows) } };
}

/** Each row that passes the test twice in a row, as a join without `distinct` gives them. */
export function repeated<Row>(rows: readonly Row[], test: (row: Row) => boolean): readonly Row[] {
  return rows.flatMap((row) => (test(row) ? [row, row] : [row]));
}
