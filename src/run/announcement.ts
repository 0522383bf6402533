import { discoveryAtMost, selects } from "../session/session.js";
import type { Selection } from "../session/session-data.js";
import type { CheckInfo } from "../session/suites.js";
import { includes, type Profile } from "../specification/profile.js";

/**
 * Requests that checks have in common, at most: readings that several of them rest on are made once in each worker, on
 * nobody's budget. What is sent again (throttled, or lost on an idle connection) is taken from the same request budget.
 */
const inCommonAtMost = 1_000;

/** Requests of a suite file of the user's own, at most. */
const ownSuiteAtMost = 2_000;

/** How many requests a run sends at most. */
export interface Announcement {
  /** The suites that are made, in the specification's order. */
  readonly suites: readonly { readonly title: string; readonly checks: number; readonly requests: number }[];
  readonly discovery: number;
  readonly inCommon: number;
  /** Of suites of the user's own. */
  readonly own: number;
  readonly total: number;
}

/** What a run may send by the request budgets of its checks. The run is held to it. */
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
    discovery: discoveryAtMost,
    inCommon: inCommonAtMost,
    own,
    total: discoveryAtMost + inCommonAtMost + own + ofSuites,
  };
}
