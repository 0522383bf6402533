/** Layers on positions and orders, used by mutants and variants. */
import type { Endpoint } from "../specification/endpoints.js";
import type { Dataset } from "./dataset/dataset.js";
import type { Market, OrderRecord, PositionRecord } from "./dataset/model.js";
import { type MutableJsonObject, objectsAt, ordersIn, positionsIn } from "./json.js";
import type { CallContext, Layers } from "./modification.js";

type ResponseLayer = Required<Layers>["response"];

/** Edits positions in place, in the answers of the given operations, or of all when none is given. */
export function editPositions(
  change: (position: MutableJsonObject, context: CallContext) => void,
  ...endpoints: readonly Endpoint[]
): ResponseLayer {
  return (endpoint, json, context) => {
    if (!isMeant(endpoint, endpoints)) return undefined;
    for (const position of positionsIn(json)) change(position, context);
    return json;
  };
}

/**
 * Edits orders in place, including those within positions, in the answers of the given operations, or of all when none is
 * given.
 */
export function editOrders(
  change: (order: MutableJsonObject, context: CallContext) => void,
  ...endpoints: readonly Endpoint[]
): ResponseLayer {
  return (endpoint, json, context) => {
    if (!isMeant(endpoint, endpoints)) return undefined;
    for (const order of ordersIn(json)) change(order, context);
    return json;
  };
}

/**
 * Edits listed orders in place, not those within positions. Applies to the given operations, or to all when none is given.
 */
export function editListedOrders(
  change: (order: MutableJsonObject, context: CallContext) => void,
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

/** A number field of a resource; 0 when absent. */
export function numberOf(json: MutableJsonObject, field: string): number {
  return Number(json[field] ?? 0);
}

/** The market of a resource. */
export function marketOf({ dataset }: CallContext, json: MutableJsonObject): Market | undefined {
  return dataset.markets.get(BigInt(String(json.marketId)));
}

const records = new WeakMap<Dataset, ReadonlyMap<string, PositionRecord>>();

/** The stored record of a position in an answer. */
export function recordOf({ dataset }: CallContext, position: MutableJsonObject): PositionRecord | undefined {
  let byKey = records.get(dataset);
  if (byKey === undefined) {
    byKey = new Map(dataset.positions.map((row) => [`${row.positionId} ${row.marketId}`, row]));
    records.set(dataset, byKey);
  }
  return byKey.get(`${position.positionId} ${position.marketId}`);
}

/** Whether a position in an answer is closed. */
export function isClosed(context: CallContext, position: MutableJsonObject): boolean {
  return recordOf(context, position)?.open === false;
}

/** The stored record of the order that a position's order reference names. */
export function referencedOrder(
  context: CallContext,
  position: MutableJsonObject,
  reference: MutableJsonObject,
): OrderRecord | undefined {
  return recordOf(context, position)?.orders.find(
    ({ orderId, reduceOnly }) =>
      String(orderId) === reference.orderId && reduceOnly === (reference.reduceOnly === true),
  );
}

/** Removes or adds positions in one operation's answers. */
export function positionRows(
  endpoint: "GetAllPositions" | "GetOpenPositionsStreaming" | "GetPortfolio",
  change: (rows: readonly PositionRecord[], context: CallContext) => readonly PositionRecord[],
): Pick<Layers, "rows"> {
  return { rows: { positions: (actual, rows, context) => (actual === endpoint ? change(rows, context) : rows) } };
}

/** Removes or adds orders in one operation's answers. */
export function orderRows(
  endpoint: "GetAllOrders" | "GetOrders" | "GetPortfolio",
  change: (rows: readonly OrderRecord[], context: CallContext) => readonly OrderRecord[],
): Pick<Layers, "rows"> {
  return { rows: { orders: (actual, rows, context) => (actual === endpoint ? change(rows, context) : rows) } };
}

/** Duplicates each row that passes the test, as a join without `distinct` would. */
export function repeated<Row>(rows: readonly Row[], test: (row: Row) => boolean): readonly Row[] {
  return rows.flatMap((row) => (test(row) ? [row, row] : [row]));
}
