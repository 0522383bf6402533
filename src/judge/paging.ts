/**
 * Judges pages of the two listings (§2 PaginationInfo, §4.1, §4.3). All but the wire rules judge what a page means, so
 * without a readable `pagination` they have nothing to judge: that breaks other rules.
 */

import type { JsonObject } from "../connect/json.js";
import type { PagedEndpoint } from "../specification/endpoints.js";
import { pageLimitDefault, pageLimitMax } from "../specification/limits.js";
import { oncePer } from "../specification/once-per.js";
import type { AlternativeId } from "../specification/readings.js";
import { compareInstants, mostDigitsShown, sameInstant } from "./instant.js";
import {
  combine,
  countOf,
  type Judgement,
  judgeEach,
  judgeThat,
  nothingSeen,
  show,
  type Violation,
} from "./judgement.js";
import { type OrderView, ordersOf, type PaginationView, type PositionView, paginationOf, positionsOf } from "./read.js";
import { orderKey, positionKey } from "./read-stored.js";
import { asObject, type Time, timeOf } from "./read-values.js";

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

const noPagination = nothingSeen("a page with a readable pagination object");

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
export function besideRepeated(rows: readonly PagedRow[]): (row: PagedRow) => boolean {
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

/** `pagination.limit` is the effective page size, even if fewer rows are left (§2 PaginationInfo). */
export function limitInForce({ pagination }: Page, expected: number, reason: string): Judgement {
  if (!pagination || Number.isNaN(pagination.limit)) return noPagination;
  return oneOf("pagination.limit", pagination.limit, [[expected, reason]]);
}

/**
 * A page has the effective size, in `pagination.limit` and in rows: the default without a limit, the cap above it (§4.1,
 * §4.3). It may be shorter if the listing ends there by its own `totalCount`; another rule judges whether that is right.
 */
export function pageOfSize(page: Page, request: PageRequest, reason: string): Judgement {
  const size = effectiveLimit(request.limit);
  const { field, rows, pagination } = page;
  if (!pagination || Number.isNaN(pagination.totalCount)) return noPagination;
  const left = Math.min(size, Math.max(0, pagination.totalCount - (request.offset ?? 0)));
  const expected =
    rows.length > size ? `at most ${countOf(size, "row")} (${reason})` : `at least ${countOf(left, "row")} (${reason})`;
  const fits = rows.length <= size && rows.length >= left;
  const sized = judgeThat(fits, { path: field, expected, seen: countOf(rows.length, "row") });
  return combine([limitInForce(page, size, reason), sized]);
}

/** No page has more rows than its effective limit, whatever else the listing holds (§4.1, §4.3). */
export function atMostLimit({ field, rows }: Page, { limit }: PageRequest): Judgement {
  const most = effectiveLimit(limit);
  const violation = { path: field, expected: `at most ${countOf(most, "row")}`, seen: countOf(rows.length, "row") };
  return judgeThat(rows.length <= most, violation);
}

/**
 * A page that starts at least two rows before the end of the listing is not empty: offset plus limit did not overflow (§7).
 */
export function someRows({ field, rows, pagination }: Page, offset: number): Judgement {
  if (!pagination || !(pagination.totalCount - offset >= 2)) return nothingSeen("a listing of two records");
  const expected = `rows (totalCount is ${pagination.totalCount}, the offset ${offset})`;
  return judgeThat(rows.length > 0, { path: field, expected, seen: "no rows" });
}

/** `pagination.offset` is the number of records skipped (§2 PaginationInfo). */
export function offsetInForce({ pagination }: Page, expected: number): Judgement {
  if (!pagination || Number.isNaN(pagination.offset)) return noPagination;
  return oneOf("pagination.offset", pagination.offset, [[expected, "the requested offset"]]);
}

/**
 * A page has as many rows as the effective limit and the total leave (P3).
 *
 * @param request the requested limit and offset; the effective limit follows from these, not from the answer
 */
export function fullPage({ field, rows, pagination }: Page, { limit, offset = 0 }: PageRequest): Judgement {
  if (!pagination || Number.isNaN(pagination.totalCount)) return noPagination;
  const { totalCount } = pagination;
  const expected = Math.min(effectiveLimit(limit), Math.max(0, totalCount - offset));
  const reason = `min of the effective limit ${effectiveLimit(limit)} and totalCount ${totalCount} less offset ${offset}`;
  return judgeThat(rows.length === expected, {
    path: field,
    expected: `${countOf(expected, "row")} (${reason})`,
    seen: countOf(rows.length, "row"),
  });
}

/**
 * `totalCount` is where the rows end: a page that is not full ends with the last row, a full one gives a lower bound (§2
 * PaginationInfo).
 */
export function totalIsWhereRowsEnd({ rows, pagination }: Page, { limit, offset = 0 }: PageRequest): Judgement {
  if (!pagination || Number.isNaN(pagination.totalCount)) return noPagination;
  const { totalCount } = pagination;
  const shown = offset + rows.length;
  const [holds, expected] =
    rows.length >= effectiveLimit(limit)
      ? [totalCount >= shown, `at least ${shown}`]
      : rows.length > 0 || offset === 0
        ? [totalCount === shown, `${shown}`]
        : [totalCount <= offset, `at most ${offset}`];
  const reason = `offset ${offset} and a limit of ${effectiveLimit(limit)} bring ${countOf(rows.length, "row")}`;
  const violation = { path: "pagination.totalCount", expected: `${expected} (${reason})`, seen: String(totalCount) };
  return judgeThat(holds, violation);
}

/** `totalCount` is the same whatever limit and offset are asked for (§2 PaginationInfo). */
export function sameTotalCount(first: Page, others: readonly Page[]): Judgement {
  const total = first.pagination?.totalCount ?? Number.NaN;
  if (Number.isNaN(total)) return noPagination;
  const newest = first.rows[0] ? describe(first.field, first.rows[0]) : "";
  return combine(
    others.map(({ pagination }, index): Judgement => {
      if (!pagination || Number.isNaN(pagination.totalCount)) return noPagination;
      const judgement = oneOf("pagination.totalCount", pagination.totalCount, [[total, "as on the other page"]]);
      return {
        ...judgement,
        // A total may return to an earlier value, but then another row heads the listing.
        violations: judgement.violations.map((violation) => ({
          ...violation,
          answer: index + 1,
          row: `${violation.expected} ${violation.seen} ${newest}`,
        })),
      };
    }),
  );
}

/** `totalCount` is a JSON integer for positions and a decimal string for orders (P5). An absent one is no evidence. */
export function totalForm(endpoint: PagedEndpoint, body: JsonObject): Judgement {
  const total = asObject(body.pagination)?.totalCount;
  if (total === undefined) return nothingSeen("a totalCount that is not left out");
  const [holds, expected] =
    endpoint === "GetAllOrders"
      ? [typeof total === "string" && /^(0|[1-9]\d*)$/.test(total), "a decimal string"]
      : [typeof total === "bigint" || Number.isInteger(total), "a JSON integer"];
  return judgeThat(holds, { path: "pagination.totalCount", expected, seen: show(total) });
}

/**
 * A page past the last row has no rows, and its offset is the requested one or `totalCount` (P6).
 *
 * @param reading which of the two offsets it must be; both are accepted when absent
 */
export function emptyBeyondEnd(
  { field, rows, pagination }: Page,
  offset: number,
  reading?: AlternativeId<"P6">,
): Judgement {
  if (!pagination || Number.isNaN(pagination.totalCount)) return noPagination;
  if (pagination.totalCount > offset) return nothingSeen("an offset beyond the end of the listing");
  const empty = judgeThat(rows.length === 0, {
    path: field,
    expected: "no rows (the offset is beyond the end)",
    seen: countOf(rows.length, "row"),
  });
  const requested = [offset, "the requested offset"] as const;
  const total = [pagination.totalCount, "totalCount"] as const;
  const accepted = { "requested-offset": [requested], "clamped-offset": [total], either: [requested, total] }[
    reading ?? "either"
  ];
  return combine([empty, oneOf("pagination.offset", pagination.offset, accepted)]);
}

/**
 * A page that starts at row `skipped` of a longer one (`window`) holds the rows that follow there (§2 PaginationInfo). Rows
 * with equal timestamps may change places (P4), so they are compared as a set, and only if both pages hold all of them.
 */
export function continuesAt(window: Page, page: Page, skipped: number): Judgement {
  const times = timesOf(window);
  return judgeOverlap(window, page, skipped, (row, expected, at) => {
    if (row.key !== expected.key && !mayTie(row, page, expected, window)) return false;
    const { from, to } = tieAt(times, at);
    const inSight = from > 0 && to < times.length && from >= skipped && to <= skipped + page.rows.length;
    if (inSight) return window.rows.slice(from, to).some(({ key }) => key === row.key);
    return to - from > 1 ? undefined : true;
  });
}

/**
 * Rows with equal timestamps have the same order on a page that starts at row `skipped` of a longer one (P4). A page that
 * starts elsewhere breaks another rule and says nothing about ties.
 */
export function tiesKeepOrder(window: Page, page: Page, skipped: number): Judgement {
  if (continuesAt(window, page, skipped).violations.length > 0) return nothingSeen("pages that follow each other");
  const times = timesOf(window);
  return judgeOverlap(window, page, skipped, (row, expected, at) => {
    const { from, to } = tieAt(times, at);
    return to - from > 1 ? row.key === expected.key : undefined;
  });
}

/** Rows with equal timestamps: the index of the first, and the index after the last. */
export interface Tie {
  readonly from: number;
  readonly to: number;
}

/** The ties of a page in page order, without rows that have no timestamp. */
export function tiesOf(page: Page): readonly Tie[] {
  const times = timesOf(page);
  const ties: Tie[] = [];
  for (let tie = tieAt(times, 0); tie.from < times.length; tie = tieAt(times, tie.to)) {
    if (tie.to - tie.from > 1 && times[tie.from] !== "") ties.push(tie);
  }
  return ties;
}

/** Like {@link allListed}, for rows that may be newer than the page: only those older than its newest row are due (P3). */
export function listedBefore(seen: readonly PagedRow[], page: Page, missing: string): Judgement {
  const newest = page.rows[0]?.timestamp.instant;
  const older = seen.filter(({ timestamp: { instant } }) => instant && newest && compareInstants(instant, newest) < 0);
  return allListed(older, page, missing);
}

/**
 * Rows that were seen before the first page of a listing was read are on it (§4.1, §4.3): all of them if it holds the
 * whole listing, otherwise those that are newer than its last row. Rows never leave a listing; they can only move to the
 * front. Rows with equal timestamps may change places between pages, and then be on none (P4).
 *
 * @param missing the data that it takes to examine anything
 */
export function allListed(
  seen: readonly PagedRow[],
  { field, rows, pagination, isLast, unsettled }: Page,
  missing: string,
): Judgement {
  const keys = new Set(rows.map(({ key }) => key));
  const last = rows.at(-1)?.timestamp.instant;
  const whole = isLast && rows.length === pagination?.totalCount;
  const isDue = (row: PagedRow) => {
    const { instant } = row.timestamp;
    if (whole || keys.has(row.key)) return true;
    if (instant === undefined || unsettled?.has(timeOf(row))) return false;
    return last !== undefined && compareInstants(instant, last) > 0;
  };
  return judgeEach(
    seen.filter(isDue),
    (row) =>
      keys.has(row.key)
        ? undefined
        : { path: field, expected: `${describe(field, row)}, as seen before`, seen: "no such row" },
    missing,
  );
}

function oneOf(path: string, seen: number, accepted: readonly (readonly [value: number, reason: string])[]): Judgement {
  const expected = accepted.map(([value, reason]) => `${value} (${reason})`).join(" or ");
  const holds = accepted.some(([value]) => value === seen);
  return judgeThat(holds, { path, expected, seen: String(seen) });
}

/** Judges each row of a page that the longer page shows too. `holds` returns undefined for a row that is no evidence. */
function judgeOverlap(
  window: Page,
  page: Page,
  skipped: number,
  holds: (row: PagedRow, expected: PagedRow, at: number) => boolean | undefined,
): Judgement {
  let examined = 0;
  const violations: Violation[] = [];
  for (const [index, row] of page.rows.entries()) {
    const expected = window.rows[skipped + index];
    if (!expected || timeOf(row) === "" || timeOf(expected) === "") continue;
    const verdict = holds(row, expected, skipped + index);
    if (verdict === undefined) continue;
    examined++;
    if (verdict) continue;
    const path = `${page.field}[${index}]`;
    violations.push({
      answer: 1,
      path,
      expected: `${describe(page.field, expected)}, as on the longer page`,
      seen: describe(page.field, row),
      row: `${index} ${describe(page.field, expected)} ${describe(page.field, row)}`,
    });
  }
  return { examined, violations, missing: `${page.field} with timestamps of their own that two pages show` };
}

/** The most fractional digits that a page shows in timestamps. Cached, since many pages are compared with one listing. */
const digitsOf = oncePer(({ rows }: Page) => mostDigitsShown(rows.map(({ timestamp }) => timestamp)));

/** Whether two rows have the same timestamp, compared at the coarser precision of their pages (R16). */
function mayTie(row: PagedRow, page: Page, expected: PagedRow, window: Page): boolean {
  const [one, other] = [row.timestamp.instant, expected.timestamp.instant];
  if (!one || !other) return timeOf(row) === timeOf(expected);
  return sameInstant({ instant: one, digits: digitsOf(page) }, { instant: other, digits: digitsOf(window) });
}

/** The tie that the row at `at` is part of; a row with a timestamp of its own is one of length 1. */
function tieAt(times: readonly string[], at: number): Tie {
  let [from, to] = [at, at + 1];
  while (from > 0 && times[from - 1] === times[at]) from--;
  while (to < times.length && times[to] === times[at]) to++;
  return { from, to };
}

/** The timestamps of a page. Cached, since many pages are compared with one listing. */
const timesOf = oncePer(({ rows }: Page): readonly string[] => rows.map(timeOf));

function describe(field: Page["field"], { key, timestamp: { text } }: PagedRow): string {
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
