import type { CheckResult, Verdict } from "../verdict/result.js";

/** The verdict of a rule, with a note where its checks did not agree. */
export interface RuleVerdict {
  readonly verdict: Verdict;
  readonly note?: string;
}

/**
 * The verdict of a rule from those of its checks: the worst of them in the order error, fail, warn, inconclusive, pass.
 *
 * Two departures from "the worst", both because evidence weighs more than its absence: a rule with one inconclusive and
 * one passing check is a pass with a note, and a rule is `unimplemented` only when all of its checks are.
 */
export function ruleVerdict(checks: readonly Pick<CheckResult, "verdict">[]): RuleVerdict {
  const count = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  const seen = (verdict: Verdict) => count(verdict) > 0;

  for (const grave of ["error", "fail", "warn"] as const) if (seen(grave)) return { verdict: grave };
  for (const settled of ["pass", "observed"] as const) {
    if (!seen(settled)) continue;
    const unsettled = (["inconclusive", "unimplemented"] as const).filter(seen);
    if (unsettled.length === 0) return { verdict: settled };
    const parts = unsettled.map((verdict) => `${count(verdict)} ${verdict}`);
    return { verdict: settled, note: `${parts.join(" and ")} of ${checks.length} checks` };
  }
  if (seen("inconclusive")) return { verdict: "inconclusive" };
  return { verdict: seen("unimplemented") ? "unimplemented" : "notRun" };
}
