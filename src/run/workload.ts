import { discoveryBudget, selects } from "../session/session.js";
import type { Selection } from "../session/session-data.js";
import type { CheckInfo } from "../session/suites.js";
import type { Profile } from "../specification/profile.js";

/** Approximate number of requests that all suites send to the reference server. */
export const typicalRequests: Readonly<Record<Profile, number>> = { quick: 2_500, full: 6_600 };

/**
 * Requests that a run may send beside those of its checks: explorations and other reads that checks share, and retries of
 * requests that were throttled, or lost on an idle connection.
 */
const sharedRequests: Readonly<Record<Profile, number>> = { quick: 1_000, full: 3_000 };

/** Requests that a run may send for each check. Few checks need as many, unless answers are wrong or the data change. */
const requestsPerCheck: Readonly<Record<Profile, number>> = { quick: 25, full: 45 };

/** Requests that a run may send for each file of user suites. */
const requestsPerOwnSuite = 2_000;

/** What a run checks, and the maximum number of requests that it sends. */
export interface Workload {
  /** The suites that are run, in the specification's order, and how many checks each has. */
  readonly suites: readonly { readonly title: string; readonly checks: number }[];
  /** The maximum number of requests that the run sends, discovery included. */
  readonly total: number;
}

/** Counts the checks of a run, and the maximum number of requests that it may send. That total is enforced. */
export function workloadOf(
  checks: readonly CheckInfo[],
  { selection, profile, ownSuites = [] }: { selection: Selection; profile: Profile; ownSuites?: readonly string[] },
): Workload {
  const suites = new Map<string, number>();
  for (const check of checks) {
    if (!selects({ selection, profile }, check, check.suite)) continue;
    suites.set(check.suite, (suites.get(check.suite) ?? 0) + 1);
  }
  const counts = [...suites].map(([title, count]) => ({ title, checks: count }));
  const forChecks = requestsPerCheck[profile] * counts.reduce((sum, { checks: count }) => sum + count, 0);
  const forOwn = requestsPerOwnSuite * ownSuites.length;
  return { suites: counts, total: discoveryBudget + sharedRequests[profile] + forChecks + forOwn };
}
