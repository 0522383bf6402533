import { pageLimitDefault, pageLimitMax } from "../spec/limits.js";
import { type Judgement, nothingSeen } from "./judgement.js";
import type { PaginationView } from "./read.js";

/** The page size that a requested `limit` comes to: 50 when omitted or zero, at most 1000 (§4.1, §4.3, P1). */
export function effectiveLimit(limit: number | undefined): number {
  return limit === undefined || limit === 0 ? pageLimitDefault : Math.min(limit, pageLimitMax);
}

/**
 * The rows of a page: as many as the effective limit and the total leave (P3).
 *
 * @param requested `limit` and `offset` as they were asked for; the effective ones follow from them, not from the answer
 */
export function fullPage(
  field: string,
  rows: readonly unknown[],
  pagination: PaginationView | undefined,
  requested: { readonly limit?: number; readonly offset?: number },
): Judgement {
  if (!pagination || !Number.isFinite(pagination.totalCount)) return nothingSeen("a readable pagination.totalCount");
  const { limit, offset = 0 } = requested;
  const expected = Math.min(effectiveLimit(limit), Math.max(0, pagination.totalCount - offset));
  if (rows.length === expected) return { examined: 1, violations: [] };
  const reason = `min of the effective limit ${effectiveLimit(limit)} and totalCount ${pagination.totalCount} less offset ${offset}`;
  return {
    examined: 1,
    violations: [{ path: field, expected: `${expected} rows (${reason})`, seen: `${rows.length} rows` }],
  };
}
