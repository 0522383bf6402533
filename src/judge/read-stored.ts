/**
 * Defines when two reads are the same: identity (R14), stored state (R16), and equality of whole answers, for
 * bracketing reads (P3).
 */
import type { Json, JsonObject } from "../connect/json.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { formatInstant, mostDigitsShown, sameInstant } from "./instant.js";
import type { OrderRefView, OrderView, PositionView } from "./read.js";
import { readId, readTime, type Time } from "./read-values.js";
import { halfUnit, nearlyEqual } from "./tolerance.js";
import { wireSchemas } from "./wire-schemas.js";

/** Identity of an order within a target, in words: orderId, marketId and reduceOnly (R14). */
export function orderKey(order: OrderRefView): string {
  return `${order.orderId} of market ${order.marketId} (${order.reduceOnly ? "reduce-only" : "opening"})`;
}

/** Identity of a position within a target, in words: positionId and marketId (R14). */
export function positionKey(position: { readonly positionId: string; readonly marketId: string }): string {
  return `${position.positionId} of market ${position.marketId}`;
}

/** A stored field that differs between two reads of one resource. */
export interface StoredDifference {
  readonly field: string;
  readonly first: string;
  readonly second: string;
}

const storedOrderFields = [
  "owner",
  "orderId",
  "timestamp",
  "marketId",
  "market",
  "type",
  "side",
  "thresholdPrice",
  "size",
  "leverage",
  "status",
  "filledSize",
  "unfilledSize",
  "reduceOnly",
  "canceled",
  "initialMargin",
  "tickDecimals",
  "fees",
  "rebates",
  "reduceOrderType",
  "initialNotional",
  "stopLossPrice",
  "takeProfitPrice",
] as const satisfies readonly (keyof OrderView)[];

/** The precision with which an answer shows its values (R1, R16). */
export interface Precision {
  /** How far the numbers of a field may be rounded. */
  readonly roundingOf: (field: string) => number;
  /** Number of fractional digits of its timestamps. */
  readonly timeDigits: number;
}

/** Integer fields, which are never rounded (W7). */
const integers: ReadonlySet<string> = new Set(["tickDecimals"]);

/** The precision of rows: for each field, the most digits that any of them shows (R1). */
export function precisionOf(rows: readonly (OrderView | PositionView)[]): Precision {
  const known = new Map<string, number>();
  const measure = (field: string) => {
    const values = rows.map((row) => (row as unknown as Readonly<Record<string, unknown>>)[field]);
    return halfUnit(values.filter((value) => typeof value === "number"));
  };
  return {
    roundingOf: (field) => (integers.has(field) ? 0 : getOrInsert(known, field, () => measure(field))),
    timeDigits: mostDigitsShown(rows.map(({ timestamp }) => timestamp)),
  };
}

/**
 * The stored fields in which two reads of one order differ (R16). Numbers are equal within the tolerance of R1,
 * instants at the coarser of the two precisions. The leverage of a reduce-only order is inherited "when available", so 0
 * and another value are not a difference (R8). Fields without a documented meaning are not compared.
 */
export function storedOrderDifferences(
  first: OrderView,
  second: OrderView,
  precisions: readonly [Precision, Precision],
): readonly StoredDifference[] {
  return differences(storedOrderFields, first, second, precisions).filter(
    ({ field }) => !(field === "leverage" && first.reduceOnly && (first.leverage === 0 || second.leverage === 0)),
  );
}

const storedPositionFields = [
  "owner",
  "positionId",
  "marketId",
  "timestamp",
  "market",
  "side",
  "marginType",
  "nominalSize",
  "entryPrice",
  "allocatedMargin",
  "leverage",
  "reduceOnly",
  "tickDecimals",
  "revenueSpent",
  "effectiveSize",
  "stopLossPrice",
  "takeProfitPrice",
] as const satisfies readonly (keyof PositionView)[];

/** Those that must not change between two reads: without the time of the latest event (see {@link positionState}). */
const positionStateFields = storedPositionFields.filter((field) => field !== "timestamp");

/**
 * The stored fields in which two reads of one position differ (R16), as {@link storedOrderDifferences} compares them.
 * Fields that are computed on each read (mark price, liquidation price, PnL, rebate) are not compared, nor are the lists
 * of associated orders, since an operation may give references in place of orders (§4.2).
 */
export function storedPositionDifferences(
  first: PositionView,
  second: PositionView,
  precisions: readonly [Precision, Precision],
): readonly StoredDifference[] {
  return differences(storedPositionFields, first, second, precisions);
}

/** The stored fields of an order as comparable text: equal for two reads of the same state (R16). */
export function storedOrderText(order: OrderView): string {
  return storedOrderFields.map((field) => write(order[field])).join("|");
}

/** The first stored field in which two texts of {@link storedOrderText} differ; undefined if a value has the separator in it. */
export function storedOrderTextDifference(one: string, other: string): StoredDifference | undefined {
  const [first, second] = [one.split("|"), other.split("|")];
  if ([first, second].some(({ length }) => length !== storedOrderFields.length)) return undefined;
  const at = first.findIndex((value, index) => value !== second[index]);
  const field = storedOrderFields[at];
  return field && { field, first: first[at] ?? "", second: second[at] ?? "" };
}

/**
 * The stored fields of a position and of its orders as comparable text, independent of list order: equal for two reads of the
 * same state (R16). The time of the latest event is left out, or a server that shows the time of the read would never hold
 * still. It never goes back, so it can be compared whenever it was read.
 */
export function positionState(position: PositionView): string {
  const orders = position.associatedOrders.map(storedOrderText).sort();
  const references = position.associatedOrderIds.map(orderKey).sort();
  return [...positionStateFields.map((field) => write(position[field])), ...orders, ...references].join("|");
}

/** The stored fields of a position as comparable text, without the orders that belong to it (R16). */
export function storedFieldsText(position: PositionView): string {
  return storedPositionFields.map((field) => write(position[field])).join("|");
}

type StoredValue = string | number | boolean | Time;

function differences<Field extends string>(
  fields: readonly Field[],
  first: Readonly<Record<Field, StoredValue>>,
  second: Readonly<Record<Field, StoredValue>>,
  [ofFirst, ofSecond]: readonly [Precision, Precision],
): readonly StoredDifference[] {
  const same = (field: Field) => {
    const [a, b] = [first[field], second[field]];
    if (typeof a === "number" && typeof b === "number") {
      const rounding = [ofFirst.roundingOf(field), ofSecond.roundingOf(field)];
      return Object.is(a, b) || nearlyEqual(a, b, { rounding });
    }
    if (write(a) === write(b)) return true;
    const [one, other] = [a, b].map((value) => (typeof value === "object" ? value.instant : undefined));
    if (!one || !other) return false;
    return sameInstant({ instant: one, digits: ofFirst.timeDigits }, { instant: other, digits: ofSecond.timeDigits });
  };
  return fields
    .filter((field) => !same(field))
    .map((field) => ({ field, first: write(first[field]), second: write(second[field]) }));
}

function write(value: StoredValue): string {
  if (typeof value !== "object") return String(value);
  return value.instant ? formatInstant(value.instant) : value.text;
}

/** Fields that are computed on each read, so they differ on unchanged data. */
const computedFields = new Set([
  "markPrice",
  "liquidationPrice",
  "unrealizedPnl",
  "estimatedRebate",
  "currentPnl",
  "currentRoi",
  "cashRoi",
  "totalMargin",
  "totalUnrealizedPnl",
  "totalRealizedPnl",
  "totalVolume",
  "totalFees",
  "totalProfit",
  "totalLoss",
  "totalEquity",
  "maxDrawdown",
  "totalTrades",
]);

/** Objects whose `timestamp` is the time of the read, recognized by the field that holds them or by their members. */
const snapshotFields = new Set(["portfolio", "orderBook"]);
const snapshotMembers = ["positions", "orders", "book", "pageSize", "totalEquity"];

/**
 * Canonical text of an answer or resource: two of them are equal exactly when their stored state is the same (P3, R16).
 * It does not depend on whether defaults are present (W1), on member order, on ids being numbers or strings (W5), or on
 * the notation of timestamps (W8). Left out are computed fields, the time of the read of a book or portfolio, and fields that
 * are not documented, which may change with each answer (W10).
 */
export function canonicalStored(value: Json | undefined): string {
  return JSON.stringify(stored(value, "", "all")) ?? "null";
}

/** Like {@link canonicalStored}, for what must not change between two reads (see {@link positionState}). */
export function canonicalState(value: Json | undefined): string {
  return JSON.stringify(stored(value, "", "state")) ?? "null";
}

/** Whether the time of a position's latest event is kept. */
type Kept = "all" | "state";

type Plain = string | number | boolean | undefined | readonly Plain[] | { [member: string]: Plain };

function stored(value: Json | undefined, field: string, kept: Kept): Plain {
  if (Array.isArray(value)) return value.map((element: Json) => stored(element, "", kept) ?? 0);
  if (typeof value === "object" && value !== null) return storedMembers(value as JsonObject, field, kept);
  if (value === undefined || value === null || defaults.has(value)) return undefined;
  if (field.endsWith("Id") || field === "totalCount") {
    const id = readId(value);
    return id === "0" ? undefined : id;
  }
  if (typeof value === "bigint") return value.toString();
  return timeFields.has(field) ? write(readTime(value)) : value;
}

/**
 * Values that mean the same as an absent scalar: the usual defaults (W1), and the only value of a single-valued enum (W2).
 */
const defaults: ReadonlySet<Json> = new Set<Json>([0, "", false, "MARGIN_TYPE_ISOLATED", "ORDER_TYPE_MARKET"]);

function storedMembers(json: JsonObject, field: string, kept: Kept): Plain {
  const members: { [member: string]: Plain } = {};
  const madeOnRead = snapshotFields.has(field) || snapshotMembers.some((name) => json[name] !== undefined);
  const withoutTime = madeOnRead || (kept === "state" && json.positionId !== undefined);
  for (const name of Object.keys(json).sort()) {
    if (computedFields.has(name) || !wireSchemas().members.has(name) || (withoutTime && name === "timestamp")) continue;
    const value = stored(json[name], name, kept);
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) members[name] = value;
  }
  return members;
}

const timeFields = new Set(["timestamp", "createdAt", "updatedAt"]);
