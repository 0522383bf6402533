import { compareInstants } from "./instant.js";
import type { Judgement, Violation } from "./judgement.js";
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
          expected: `${before.text} or earlier (the newest row comes first)`,
          seen: timestamp.text,
        });
      }
    }
    before = timestamp;
  }
  return { examined, violations, missing: `two ${field} in one answer` };
}
