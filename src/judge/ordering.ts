import { compareInstants } from "./instant.js";
import type { Judgement, Violation } from "./judgement.js";
import type { Time } from "./read-values.js";

/**
 * Rows are sorted by `timestamp`, newest first (§4.1, §4.3, §4.4): no row is later than the one before it. Equal
 * timestamps may come in any order (P4). Instants are compared with all their digits (W8). Rows with an unreadable
 * timestamp are skipped: the wire rules cover them.
 *
 * @param field name of the array, for the paths of violations
 */
export function newestFirst(field: string, rows: readonly { readonly timestamp: Time }[]): Judgement {
  const violations: Violation[] = [];
  let examined = 0;
  let before: { readonly index: number; readonly timestamp: Time } | undefined;
  for (const [index, { timestamp }] of rows.entries()) {
    if (!timestamp.instant) continue;
    if (before?.timestamp.instant) {
      examined++;
      if (compareInstants(timestamp.instant, before.timestamp.instant) > 0) {
        violations.push({
          path: `${field}[${index}].timestamp`,
          expected: `${before.timestamp.text} or earlier (that of ${field}[${before.index}]: the newest row comes first)`,
          seen: timestamp.text,
        });
      }
    }
    before = { index, timestamp };
  }
  return { examined, violations, missing: `two ${field} in one answer` };
}
