import type { Verdict } from "../engine/result.js";

/** A known deviation: one rule, one rule on one operation, one check of a rule, or everything on one operation. */
export interface BaselineEntry {
  /** Absent if the entry covers all rules on the operation. */
  readonly rule?: string | undefined;
  /** Only this operation; all operations of the rule when absent. */
  readonly endpoint?: string | undefined;
  /** Only this check of the rule, by its name; all checks when absent. */
  readonly check?: string | undefined;
  readonly reason: string;
  /** The smallest request that showed it, as printed in reports. A run with the baseline makes it, whatever its seed. */
  readonly request?: string | undefined;
  /** Link to the issue. */
  readonly issue?: string | undefined;
  /** The last day on which the entry is valid, UTC: `2026-12-31`. */
  readonly expires: string;
}

/**
 * The state of an entry after a run:
 *
 * - `known`: the deviation was seen, as listed;
 * - `passes`: the deviation is gone, so the entry must be removed;
 * - `expired`: its last day is over, and the run does not show that the deviation is gone;
 * - `unknown`: no such rule, operation or check, or a rule that never fails;
 * - `notJudged`: the run cannot tell.
 */
export type EntryState = "known" | "passes" | "expired" | "unknown" | "notJudged";

/** A baseline entry, its state after a run, and what to do about it. */
export interface BaselineOutcome extends BaselineEntry {
  readonly state: EntryState;
  /** One line for human readers. */
  readonly message: string;
}

/** A violation that no baseline entry covers. */
export interface Unlisted {
  readonly rule: string;
  readonly endpoint: string;
  readonly verdict: Verdict;
  /** The checks that no entry covers, if an entry names another check of the rule. */
  readonly checks?: readonly string[];
}

/** A run compared with its baseline. */
export interface BaselineReport {
  /** The baseline file, as the user named it. */
  readonly file: string;
  /** True if exactly the known deviations were seen. This does not make the target conformant. */
  readonly green: boolean;
  readonly entries: readonly BaselineOutcome[];
  readonly unlisted: readonly Unlisted[];
}

/**
 * The display name of an entry, which no other entry has: its check, its rule (and operation, if it names one), or its
 * operation alone.
 */
export function nameOfEntry({ rule, endpoint, check }: Pick<BaselineEntry, "rule" | "endpoint" | "check">): string {
  if (check !== undefined) return `the check "${check}"`;
  if (rule === undefined) return endpoint ?? "";
  return endpoint === undefined ? rule : `${rule} on ${endpoint}`;
}
