import { discoveryBudget, selects } from "../session/session.js";
import type { Selection } from "../session/session-data.js";
import type { CheckInfo } from "../session/suites.js";
import { includes, type Profile } from "../specification/profile.js";

/**
 * Request budget for what checks share: each worker makes shared reads once, outside of any check's budget. Retries
 * (throttled, or lost on an idle connection) come from the same run-wide budget.
 */
const sharedRequestBudget = 1_000;

/** Request budget of a user suite file. */
const ownSuiteAtMost = 2_000;

/** The most requests that a run sends. */
export interface Announcement {
  /** The suites that are run, in the specification's order. */
  readonly suites: readonly { readonly title: string; readonly checks: number; readonly requests: number }[];
  readonly discovery: number;
  readonly inCommon: number;
  /** For user suites. */
  readonly own: number;
  readonly total: number;
}

/** Adds up what a run may send by the request budgets of its checks. The total is enforced. */
export function announce(
  checks: readonly CheckInfo[],
  { selection, profile, ownSuites = [] }: { selection: Selection; profile: Profile; ownSuites?: readonly string[] },
): Announcement {
  const suites = new Map<string, { title: string; checks: number; requests: number }>();
  for (const check of checks) {
    if (!selects(selection, check.rule, check.suite) || !includes(profile, check.profile)) continue;
    const entry = suites.get(check.suite) ?? { title: check.suite, checks: 0, requests: 0 };
    entry.checks++;
    entry.requests += check.requests[profile];
    suites.set(check.suite, entry);
  }
  const own = ownSuites.length * ownSuiteAtMost;
  const ofSuites = [...suites.values()].reduce((sum, { requests }) => sum + requests, 0);
  return {
    suites: [...suites.values()],
    discovery: discoveryBudget,
    inCommon: sharedRequestBudget,
    own,
    total: discoveryBudget + sharedRequestBudget + own + ofSuites,
  };
}
