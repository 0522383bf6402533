import type { CheckResult, Verdict } from "../engine/result.js";
import type { Endpoint } from "../specification/endpoints.js";

/** The verdict of a rule, with a note if its checks did not agree. */
export interface RuleVerdict {
  readonly verdict: Verdict;
  readonly note?: string;
}

/** Violations come first: what was proven holds, whatever else hung or broke. */
const problems = ["fail", "error", "warn"] as const;

/** The verdicts of a check that came to no conclusion, most severe first. */
const unsettled = ["inconclusive", "blocked", "unimplemented"] as const;

/**
 * Derives the verdict of a rule from those of its checks: the first that any of them has in the order fail, error, warn,
 * pass, observed, inconclusive, blocked, unimplemented, not applicable.
 *
 * Evidence weighs more than its absence: if one check passes, the rule passes, with a note on those that came to no
 * conclusion.
 *
 * @param endpoints the operations of the rule; if nothing applied but one of them was never checked, the rule is
 *   inconclusive
 */
export function ruleVerdict(
  checks: readonly (Pick<CheckResult, "verdict"> & Partial<Pick<CheckResult, "endpoint">>)[],
  endpoints: readonly Endpoint[] = [],
): RuleVerdict {
  const count = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  const seen = (verdict: Verdict) => count(verdict) > 0;

  for (const verdict of problems) if (seen(verdict)) return { verdict };
  const open = unsettled.filter(seen);
  for (const verdict of ["pass", "observed"] as const) {
    if (!seen(verdict)) continue;
    if (open.length === 0) return { verdict };
    const parts = open.map((each) => `${count(each)} ${each}`);
    return { verdict, note: `${parts.join(", ")} of ${checks.length} checks` };
  }
  const [mostSevere] = open;
  if (mostSevere !== undefined || !seen("notApplicable")) return { verdict: mostSevere ?? "notRun" };
  const passedOver = endpoints.filter((name) => !checks.some(({ endpoint }) => endpoint === name));
  if (passedOver.length === 0) return { verdict: "notApplicable" };
  return { verdict: "inconclusive", note: `not found; ${passedOver.join(", ")} could not be looked at` };
}
