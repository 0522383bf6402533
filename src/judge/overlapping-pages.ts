/** Compares a page with a longer one that shows the same rows (§2 PaginationInfo, P4). */
import { memoize } from "../specification/memoize.js";
import { mostDigitsShown, sameInstant } from "./instant.js";
import { type Judgement, nothingSeen, type Violation } from "./judgement.js";
import { type Page, type PagedRow, rowInWords } from "./page.js";
import { timeOf } from "./read-values.js";

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
 * A page that starts at row `skipped` of a whole list from another operation (`whole`) holds the rows that stand there. Rows
 * that may have equal timestamps, at the coarser of the two precisions, may change places (P4, R16).
 */
export function holdsRowsAt(whole: Page, page: Page, skipped: number): Judgement {
  return judgeOverlap(whole, page, skipped, (row, expected) => {
    if (row.key === expected.key) return true;
    return mayTie(row, page, expected, whole) ? undefined : false;
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
    const there = window.rows.findIndex(({ key }) => key === row.key);
    violations.push({
      answer: 1,
      path,
      expected: `row ${skipped + index} of the longer page: ${rowInWords(page.field, expected)}`,
      seen: `${there < 0 ? "a row that is not on it" : `its row ${there}`}: ${rowInWords(page.field, row)}`,
      row: `${index} ${rowInWords(page.field, expected)} ${rowInWords(page.field, row)}`,
    });
  }
  return { examined, violations, missing: `${page.field} with timestamps of their own that two pages show` };
}

/** The most fractional digits that a page shows in timestamps. Cached, since many pages are compared with one listing. */
const digitsOf = memoize(({ rows }: Page) => mostDigitsShown(rows.map(({ timestamp }) => timestamp)));

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
const timesOf = memoize(({ rows }: Page): readonly string[] => rows.map(timeOf));
