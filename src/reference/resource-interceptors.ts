/** Interceptors on positions and orders, used by mutants and variants. */
import type { Endpoint } from "../specification/endpoints.js";
import { memoize } from "../specification/memoize.js";
import type { Dataset } from "./dataset/dataset.js";
import type { Market, OrderRecord, PositionRecord, Wallet } from "./dataset/model.js";
import { type MutableJsonObject, objectAt, objectsAt, ordersIn, positionsIn } from "./json.js";
import type { CallContext, Interceptors } from "./modification.js";

type ResponseInterceptor = Required<Interceptors>["response"];

/** Edits one object of an answer in place; `answer` is the whole of it. */
type Edit = (object: MutableJsonObject, context: CallContext, answer: MutableJsonObject) => void;

/** Creates an interceptor that edits what `select` finds in the answers of some operations, of all when none is given. */
function editing(select: (answer: MutableJsonObject) => readonly MutableJsonObject[]) {
  return (edit: Edit, ...endpoints: readonly Endpoint[]): ResponseInterceptor =>
    (endpoint, answer, context) => {
      if (endpoints.length > 0 && !endpoints.includes(endpoint)) return undefined;
      for (const object of select(answer)) edit(object, context, answer);
      return answer;
    };
}

/** Edits the object in one member of answers, where it is there. */
function editingMember(name: string) {
  return editing((answer) => {
    const object = objectAt(answer, name);
    return object ? [object] : [];
  });
}

/** Edits positions. */
export const editPositions = editing(positionsIn);

/** Edits orders, including those within positions. */
export const editOrders = editing(ordersIn);

/** Edits listed orders, not those within positions. */
export const editListedOrders = editing((answer) => [
  ...objectsAt(answer, "orders"),
  ...objectsAt(answer, "portfolio", "orders"),
]);

/** Edits positions and orders, including those within positions. */
export const editResources = editing((answer) => [...positionsIn(answer), ...ordersIn(answer)]);

/** Edits the pagination of listings. */
export const editPagination = editingMember("pagination");

/** Edits the portfolio of GetPortfolio. */
export const editPortfolio = editingMember("portfolio");

/** Edits the configuration of GetMarketConfigs. */
export const editMarketConfig = editingMember("marketConfig");

/** The market of a resource. */
export function marketOf({ dataset }: CallContext, json: MutableJsonObject): Market | undefined {
  return dataset.markets.get(BigInt(String(json.marketId)));
}

/** The wallet that a call asks about; an empty one when it is unknown. */
export function walletOf({ dataset, effective }: CallContext): Wallet {
  const address = String(effective.address);
  return dataset.wallets.get(address) ?? { address, orders: [], positions: [] };
}

const recordsByKey = memoize(
  ({ positions }: Dataset) => new Map(positions.map((row) => [`${row.positionId} ${row.marketId}`, row])),
);

/** The stored record of a position in an answer. */
export function recordOf({ dataset }: CallContext, position: MutableJsonObject): PositionRecord | undefined {
  return recordsByKey(dataset).get(`${position.positionId} ${position.marketId}`);
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
): Pick<Interceptors, "rows"> {
  return { rows: { positions: (actual, rows, context) => (actual === endpoint ? change(rows, context) : rows) } };
}

/** Removes or adds orders in one operation's answers. */
export function orderRows(
  endpoint: "GetAllOrders" | "GetOrders" | "GetPortfolio",
  change: (rows: readonly OrderRecord[], context: CallContext) => readonly OrderRecord[],
): Pick<Interceptors, "rows"> {
  return { rows: { orders: (actual, rows, context) => (actual === endpoint ? change(rows, context) : rows) } };
}

/** Duplicates each row that passes the test, as a join without `distinct` would. */
export function repeated<Row>(rows: readonly Row[], test: (row: Row) => boolean): readonly Row[] {
  return rows.flatMap((row) => (test(row) ? [row, row] : [row]));
}

/** Rearranges rows so that a page at `offset` starts with row `first`, keeping their number. */
export function startingAt<Row>(rows: readonly Row[], offset: number, first: number): readonly Row[] {
  return [...rows.slice(0, offset), ...rows.slice(first), ...rows].slice(0, rows.length);
}

/** Sorts rows by a number, greatest first. */
export function descending<Row>(rows: readonly Row[], numberOf: (row: Row) => bigint): readonly Row[] {
  return [...rows].sort((a, b) => (numberOf(a) < numberOf(b) ? 1 : numberOf(a) > numberOf(b) ? -1 : 0));
}
