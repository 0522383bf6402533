import type { Verdict } from "../engine/result.js";

/** A deviation that is known: one rule, one rule on one operation, what one check of a rule finds, or whatever is wrong with one operation. */
export interface BaselineEntry {
  /** Absent where all rules are meant, on the operation. */
  readonly rule?: string | undefined;
  /** Only this operation; all operations of the rule when absent. */
  readonly endpoint?: string | undefined;
  /** Only this check of the rule, by its name; all checks when absent. */
  readonly check?: string | undefined;
  readonly reason: string;
  /** The smallest request that showed it, as reports show it: a run with the baseline makes it as well, whatever its seed. */
  readonly request?: string | undefined;
  /** Link to the issue. */
  readonly issue?: string | undefined;
  /** The last day, `2026-12-31`, on which the entry holds (UTC). */
  readonly expires: string;
}

/**
 * What an entry is worth on a run:
 *
 * - `known`: it fails, as the entry says;
 * - `passes`: it fails no more, so the entry hides nothing and must go;
 * - `expired`: its day is over;
 * - `unknown`: no such rule, not on that operation, or a rule that never fails;
 * - `notJudged`: the run cannot tell.
 */
export type EntryState = "known" | "passes" | "expired" | "unknown" | "notJudged";

/** An entry, what it is worth on a run, and what to do about it. */
export interface BaselineOutcome extends BaselineEntry {
  readonly state: EntryState;
  /** One line for people. */
  readonly message: string;
}

/** A violation that no entry names. */
export interface Unlisted {
  readonly rule: string;
  readonly endpoint: string;
  readonly verdict: Verdict;
}

/** A run compared with its baseline. */
export interface BaselineReport {
  /** The file, as it was named. */
  readonly file: string;
  /** Exactly the known deviations were seen. The target is not conformant for that. */
  readonly green: boolean;
  readonly entries: readonly BaselineOutcome[];
  readonly unlisted: readonly Unlisted[];
}

/** What an entry is called: by the check, by the rule and where it is about one operation by that, or by the operation alone. */
export function nameOfEntry({ rule, endpoint, check }: BaselineEntry): string {
  if (check !== undefined) return check;
  if (rule === undefined) return endpoint ?? "";
  return endpoint === undefined ? rule : `${rule} on ${endpoint}`;
}
