import { compareInstants } from "./instant.js";
import { type Judgement, nothingSeen, type Violation } from "./judgement.js";
import type { Page } from "./paging.js";
import type { Time } from "./read-values.js";

/**
 * Rows ordered by `timestamp` descending (§4.1, §4.3, §4.4): no row is later than the one before it. Equal timestamps may
 * come in any order (P4); instants are compared with all their digits (W8). Rows whose timestamp cannot be read are
 * passed over: that is the wire rules' business.
 *
 * @param field name of the array, for the places of violations
 */
export function newestFirst(field: string, rows: readonly { readonly timestamp: Time }[]): Judgement {
  const violations: Violation[] = [];
  let examined = 0;
  let before: Time | undefined;
  for (const [index, { timestamp }] of rows.entries()) {
    if (!timestamp.instant) continue;
    if (before?.instant) {
      examined++;
      if (compareInstants(timestamp.instant, before.instant) > 0) {
        violations.push({
          path: `${field}[${index}].timestamp`,
          expected: `no later than the row before it (${before.text})`,
          seen: timestamp.text,
        });
      }
    }
    before = timestamp;
  }
  return { examined, violations, missing: `two ${field} in one answer` };
}

/**
 * The same order from one page to the next (§4.1, §4.3): the second page does not start later than the first one ends. Pages
 * with a row in common show nothing: they do not follow each other, which breaks another rule.
 */
export function newestFirstAcross(first: Page, second: Page): Judgement {
  const last = first.rows.at(-1)?.timestamp;
  const next = second.rows[0]?.timestamp;
  const keys = new Set(first.rows.map(({ key }) => key));
  if (!last?.instant || !next?.instant || second.rows.some(({ key }) => keys.has(key))) {
    return nothingSeen(`two pages of ${first.field}`);
  }
  if (compareInstants(next.instant, last.instant) <= 0) return { examined: 1, violations: [] };
  const expected = `no later than the last row of the page before it (${last.text})`;
  return { examined: 1, violations: [{ answer: 1, path: `${second.field}[0].timestamp`, expected, seen: next.text }] };
}
