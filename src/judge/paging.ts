/**
 * Judges pages of the two listings (§2 PaginationInfo, §4.1, §4.3). All but the wire rules judge what a page means, so
 * without a readable `pagination` they have nothing to judge: that breaks other rules.
 */
import type { JsonObject } from "../connect/json.js";
import type { PagedEndpoint } from "../specification/endpoints.js";
import type { AlternativeId } from "../specification/readings.js";
import { compareInstants } from "./instant.js";
import { combine, countOf, type Judgement, judgeEach, judgeThat, nothingSeen, show } from "./judgement.js";
import { effectiveLimit, type Page, type PagedRow, type PageRequest, rowInWords } from "./page.js";
import { asObject, timeOf } from "./read-values.js";

const noPagination = nothingSeen("a page with a readable pagination object");

/** `pagination.limit` is the effective page size, even if fewer rows are left (§2 PaginationInfo). */
export function paginationLimitIs({ pagination }: Page, expected: number, reason: string): Judgement {
  if (!pagination || Number.isNaN(pagination.limit)) return noPagination;
  return oneOf("pagination.limit", pagination.limit, [[expected, reason]]);
}

/**
 * A page has the effective size, in `pagination.limit` and in rows: the default without a limit, the cap above it (§4.1,
 * §4.3). It may be shorter if the listing ends there by its own `totalCount`; other rules judge how many rows it has then.
 */
export function pageOfSize(page: Page, request: PageRequest, reason: string): Judgement {
  const size = effectiveLimit(request.limit);
  const { field, rows, pagination } = page;
  if (!pagination || Number.isNaN(pagination.totalCount)) return noPagination;
  const left = Math.min(size, Math.max(0, pagination.totalCount - (request.offset ?? 0)));
  const expected =
    rows.length > size ? `at most ${countOf(size, "row")} (${reason})` : `at least ${countOf(left, "row")} (${reason})`;
  const fits = rows.length <= size && (rows.length >= left || isLastPage(page, request));
  const sized = judgeThat(fits, { path: field, expected, seen: countOf(rows.length, "row") });
  return combine([paginationLimitIs(page, size, reason), sized]);
}

/** Whether this is the last page, by its own `totalCount` and limit. False unless the limit is the effective one. */
export function isLastPage({ pagination }: Page, { limit, offset = 0 }: PageRequest): boolean {
  const size = effectiveLimit(limit);
  return pagination?.limit === size && pagination.totalCount - offset < size;
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
export function paginationOffsetIs({ pagination }: Page, expected: number): Judgement {
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
 * PaginationInfo). A page that is full by a lower limit of its own does not say where they end: it breaks the rule on limits.
 */
export function totalIsWhereRowsEnd({ rows, pagination }: Page, { limit, offset = 0 }: PageRequest): Judgement {
  if (!pagination || Number.isNaN(pagination.totalCount)) return noPagination;
  const { totalCount } = pagination;
  const shown = offset + rows.length;
  const isFull = rows.length >= Math.min(effectiveLimit(limit), pagination.limit || Number.POSITIVE_INFINITY);
  const [holds, expected] = isFull
    ? [totalCount >= shown, `at least ${shown}`]
    : rows.length > 0 || offset === 0
      ? [totalCount === shown, `${shown}`]
      : [totalCount <= offset, `at most ${offset}`];
  const reason = `the page has ${countOf(rows.length, "row")} from offset ${offset} on, of ${effectiveLimit(limit)} at most`;
  const violation = { path: "pagination.totalCount", expected: `${expected} (${reason})`, seen: String(totalCount) };
  return judgeThat(holds, violation);
}

/** `totalCount` is the same whatever limit and offset are asked for (§2 PaginationInfo). */
export function sameTotalCount(first: Page, others: readonly Page[]): Judgement {
  const total = first.pagination?.totalCount ?? Number.NaN;
  if (Number.isNaN(total)) return noPagination;
  const newest = first.rows[0] ? rowInWords(first.field, first.rows[0]) : "";
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

/** Like {@link allListed}, for rows that may be newer than the page: only those older than its newest row are due (P3). */
export function listedBefore(seen: readonly PagedRow[], page: Page, missing: string): Judgement {
  const newest = page.rows[0]?.timestamp.instant;
  const older = seen.filter(({ timestamp: { instant } }) => instant && newest && compareInstants(instant, newest) < 0);
  return allListed(older, page, missing);
}

/**
 * Rows that are older than the first row of a listing's last page are on it (§4.3), since nothing comes after it. Older by
 * more than a second, since another operation may show times less precisely (R16).
 *
 * @param missing the data that it takes to examine anything
 */
export function listedLast(seen: readonly PagedRow[], page: Page, missing: string): Judgement {
  const newest = page.rows[0]?.timestamp.instant;
  const isDue = ({ timestamp: { instant } }: PagedRow) =>
    instant !== undefined && newest !== undefined && page.isLast && instant.seconds < newest.seconds - 1;
  return rowsAreListed(seen.filter(isDue), page, missing);
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
  return rowsAreListed(seen.filter(isDue), { field, rows }, missing);
}

function rowsAreListed(
  due: readonly PagedRow[],
  { field, rows }: Pick<Page, "field" | "rows">,
  missing: string,
): Judgement {
  const keys = new Set(rows.map(({ key }) => key));
  return judgeEach(
    due,
    (row) =>
      keys.has(row.key)
        ? undefined
        : { path: field, expected: `${rowInWords(field, row)}, as seen before`, seen: "no such row" },
    missing,
  );
}

function oneOf(path: string, seen: number, accepted: readonly (readonly [value: number, reason: string])[]): Judgement {
  const expected = accepted.map(([value, reason]) => `${value} (${reason})`).join(" or ");
  const holds = accepted.some(([value]) => value === seen);
  return judgeThat(holds, { path, expected, seen: String(seen) });
}
