import type { Profile } from "../spec/profile.js";
import type { Subjects } from "../subjects/subjects.js";
import type { Target } from "../target/target.js";

/** Which rules and suites the user asked for; empty lists mean all. */
export interface Selection {
  readonly rules: readonly string[];
  readonly suites: readonly string[];
}

/** What a run is about. Plain data: it travels to worker threads. */
export interface Session {
  readonly target: Target;
  readonly subjects: Subjects;
  readonly profile: Profile;
  readonly seed: number;
  readonly selection: Selection;
  /** Folder for the evidence; none is kept when it is absent. */
  readonly recordDir?: string;
}

/** Whether the selection includes a check of this rule in the suite of this title. */
export function selects({ rules, suites }: Selection, rule: string, suiteTitle: string): boolean {
  return (rules.length === 0 || rules.includes(rule)) && (suites.length === 0 || suites.includes(suiteTitle));
}
