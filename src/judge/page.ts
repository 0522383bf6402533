/** Reads pages of the two listings (§2 PaginationInfo, §4.1, §4.3). */
import type { JsonObject } from "../connect/json.js";
import type { PagedEndpoint } from "../specification/endpoints.js";
import { pageLimitDefault, pageLimitMax } from "../specification/limits.js";
import { countOf } from "./judgement.js";
import { type OrderView, ordersOf, type PaginationView, type PositionView, paginationOf, positionsOf } from "./read.js";
import { orderKey, positionKey } from "./read-stored.js";
import { type Time, timeOf } from "./read-values.js";

/** The parts of a row that the rules on pages need. */
export interface PagedRow {
  /** Its identity (R14). */
  readonly key: string;
  /** Lower case. */
  readonly owner: string;
  /** The sort key. */
  readonly timestamp: Time;
}

/** One page of a listing. */
export interface Page {
  /** Name of the array that holds the rows, for the paths of violations. */
  readonly field: "positions" | "orders";
  readonly rows: readonly PagedRow[];
  /** Undefined when the answer has none (P8). */
  readonly pagination: PaginationView | undefined;
  /** Whether it has fewer rows than its own limit, so that nothing comes after it. */
  readonly isLast: boolean;
  /** For joined pages: timestamps of ties with rows that occur on two pages. Other rows of these may be on none (P4). */
  readonly unsettled?: ReadonlySet<string>;
}

/** The requested limit and offset; absent when not sent. */
export interface PageRequest {
  readonly limit?: number;
  readonly offset?: number;
}

/** Reads the page that an answer holds. */
export function pageOf(endpoint: PagedEndpoint, body: JsonObject): Page {
  const pagination = paginationOf(body);
  const isOrders = endpoint === "GetAllOrders";
  const rows = isOrders ? ordersOf(body).map(orderRow) : positionsOf(body).map(positionRow);
  const isLast = pagination !== undefined && rows.length < pagination.limit;
  return { field: isOrders ? "orders" : "positions", rows, pagination, isLast };
}

/** The page in an answer of GetAllPositions. */
export const positionPage = (body: JsonObject): Page => pageOf("GetAllPositions", body);

/** The page in an answer of GetAllOrders. */
export const orderPage = (body: JsonObject): Page => pageOf("GetAllOrders", body);

/**
 * Joins pages of one listing, with each row once. Stops at the first page that shares no row with those before it, since
 * rows may be missing in between. `pagination` is that of the first page.
 *
 * @throws RangeError without a page
 */
export function joinPages(pages: readonly Page[]): Page {
  const [first, ...others] = pages;
  if (!first) throw new RangeError("there are no pages to join");
  const rows = new Map(first.rows.map((row) => [row.key, row]));
  const unsettled = new Set<string>();
  let { isLast } = first;
  for (const page of others) {
    if (!page.rows.some(({ key }) => rows.has(key))) break;
    const before = rows.size;
    for (const row of page.rows) rows.set(row.key, row);
    const last = (page.pagination?.offset ?? Number.NaN) + page.rows.length;
    if (rows.size < last - (first.pagination?.offset ?? Number.NaN)) {
      const times = new Set([...rows.values()].slice(0, before).map(timeOf));
      for (const time of page.rows.map(timeOf)) if (times.has(time)) unsettled.add(time);
    }
    isLast = page.isLast;
  }
  return { ...first, rows: [...rows.values()], isLast, unsettled };
}

/** Tests whether a row has the timestamp of one that occurs twice. Other rows of such a tie may be on no page (P4). */
export function tiedWithRepeated(rows: readonly PagedRow[]): (row: PagedRow) => boolean {
  const keys = new Set<string>();
  const times = new Set<string>();
  for (const row of rows) {
    if (keys.has(row.key)) times.add(timeOf(row));
    keys.add(row.key);
  }
  return (row) => times.has(timeOf(row));
}

/** Reads an order or a position as a row. */
export const orderRow = (order: OrderView): PagedRow => rowOf(orderKey(order), order);

export const positionRow = (position: PositionView): PagedRow => rowOf(positionKey(position), position);

function rowOf(key: string, { owner, timestamp }: { readonly owner: string; readonly timestamp: Time }): PagedRow {
  return { key, owner: owner.toLowerCase(), timestamp };
}

/** The effective page size for a requested `limit`: 50 when omitted or zero, at most 1000 (§4.1, §4.3, P1). */
export function effectiveLimit(limit: number | undefined): number {
  return limit === undefined || limit === 0 ? pageLimitDefault : Math.min(limit, pageLimitMax);
}

/** A row in words: what it is, its key and its timestamp. */
export function rowInWords(field: Page["field"], { key, timestamp: { text } }: PagedRow): string {
  return `${field === "orders" ? "order" : "position"} ${key}, timestamp ${text || "unknown"}`;
}

/** What must not change between reads for totals to be compared (P3), as comparable text. */
export function stableTotal({ pagination }: Page): string {
  return String(pagination?.totalCount);
}

/**
 * What must not change between reads for the number of rows to be judged (P3): the total, unless a full page lies well
 * before the end.
 */
export function stableEnd(page: Page): string {
  const { limit, offset, totalCount } = page.pagination ?? { limit: 0, offset: 0, totalCount: 0 };
  return page.rows.length >= limit && totalCount > offset + limit ? "further rows" : stableTotal(page);
}

/**
 * What must not change between reads for the places of rows to be judged (P3): the rows with their times, and the total.
 * Times are those of whole seconds, since two answers may show different precisions (R16).
 */
export function stableRows(page: Page): string {
  const rows = page.rows.map(({ key, timestamp: { instant, text } }) => `${key} ${instant?.seconds ?? text}`);
  return [stableTotal(page), ...rows].join("\n");
}

/** A page in a few words: `50 rows, limit 50, offset 0, totalCount 2700`. */
export function pageInWords({ rows, pagination }: Page): string {
  if (!pagination) return `${countOf(rows.length, "row")}, no pagination`;
  const { limit, offset, totalCount } = pagination;
  return `${countOf(rows.length, "row")}, limit ${limit}, offset ${offset}, totalCount ${totalCount}`;
}
