/** The data of a comparison of runs. Its terminal text, Markdown, JSON and page are made from it. */
import type { Verdict } from "../engine/result.js";
import type { Interactions } from "../exploration/covering-array.js";
import type { Conclusion, Identity, Results } from "../report/results.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Level } from "../specification/rule.js";
import type { Section } from "../specification/sections.js";
import type { AnswerComparison } from "./answers.js";
import type { OperationTimes, TimesRow } from "./times.js";

/** A run that is compared. */
export interface ComparedRun {
  /** Its name in the comparison, which is unique there. */
  readonly name: string;
  readonly results: Results;
  /** The folder of the run; absent if only its results are available. */
  readonly dir?: string;
  /** How long its operations took to answer; absent if there is no record of its exchanges. */
  readonly times?: readonly OperationTimes[];
}

/** One run as a whole, in a comparison. */
export interface RunSummary {
  readonly name: string;
  readonly dir?: string;
  readonly target: string;
  /** `Acme 1.2`, if the configuration of the run named it. */
  readonly implementation?: string;
  readonly conclusion: Conclusion;
  /** The reasons for the conclusion, and what limits it. */
  readonly reasons: readonly string[];
  readonly profile: string;
  readonly seed: number;
  readonly harness: Identity;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** What distinguishes the run, such as its build (`--label`); absent if there is nothing. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A rule's violation in one run, at its first place. */
export interface ShownViolation {
  readonly message: string;
  readonly exchange: string;
  readonly request: string;
  readonly expected: string;
  readonly seen: string;
  readonly curl: string;
}

/** What one run says about a rule. */
export interface RuleCell {
  readonly verdict: Verdict;
  /** Operations on which it is violated. */
  readonly violatedOn: readonly Endpoint[];
  /** Why it came to no conclusion. */
  readonly reason?: string;
  readonly violation?: ShownViolation;
  /** The command that repeats the rule with the same seed. */
  readonly command?: string;
}

/** A rule on which the runs differ. One cell for each run, in their order. */
export interface RuleRow {
  readonly id: string;
  readonly section: Section;
  readonly level: Level;
  readonly statement: string;
  readonly cells: readonly RuleCell[];
  /** Whether the rule regressed: in another run it is newly violated, or can no longer be judged. */
  readonly regression: boolean;
}

/** How the runs differ on a rule, most severe first. The others are compared with the first run. */
export const ruleDifferences = [
  "newlyFailing",
  "newlyFixed",
  "failsElsewhere",
  "noLongerConclusive",
  "newlyConclusive",
  "otherwise",
  "notCompared",
] as const;

/** How the runs differ on a rule. */
export type RuleDifference = (typeof ruleDifferences)[number];

/** Rules on which the runs differ in the same way. */
export interface RuleGroup {
  readonly difference: RuleDifference;
  readonly rules: readonly RuleRow[];
}

/** How the runs differ on an observation, most significant first: in what they do, in amounts or texts, in times. */
export const observationDifferences = ["kind", "amounts", "times", "none"] as const;

/** How the runs differ on an observation. */
export type ObservationDifference = (typeof observationDifferences)[number];

/** What one run observed; null if it observed nothing of the kind. */
export type ObservationCell = {
  readonly seen: string;
  /** What was looked at, if it is something else than in the first run. */
  readonly what?: string;
} | null;

/** What each run does at one point that the specification leaves open. */
export interface ObservationRow {
  readonly rule: string;
  readonly check: string;
  readonly what: string;
  readonly difference: ObservationDifference;
  readonly cells: readonly ObservationCell[];
}

/** Which combinations of one operation's fields each run tried; null if the operation was not explored. */
export interface InteractionsRow {
  readonly operation: Endpoint;
  readonly cells: readonly (Interactions | null)[];
}

/** A comparison of runs. */
export interface Comparison {
  readonly format: "perp-conformance/comparison";
  readonly formatVersion: 1;
  readonly harness: Identity;
  readonly runs: readonly RunSummary[];
  /** Whether all runs are of the same target, so that differences are changes. */
  readonly sameTarget: boolean;
  /** What limits the comparison: other rules, another profile, an interrupted run. */
  readonly notes: readonly string[];
  readonly rules: {
    /** Rules that all runs have. */
    readonly shared: number;
    /** How many of these at least one run was asked to judge. */
    readonly judged: number;
    /** How many of the shared rules have the same verdict in all runs. */
    readonly same: number;
    readonly groups: readonly RuleGroup[];
    /** Rules that only some of the catalogues have, with the names of the runs that have them. */
    readonly onlyIn: readonly { readonly id: string; readonly runs: readonly string[] }[];
  };
  /** Ids of the rules that regressed since the first run. */
  readonly regressions: readonly string[];
  readonly observations: readonly ObservationRow[];
  readonly times: readonly TimesRow[];
  readonly interactions: readonly InteractionsRow[];
  /** What a client would notice when it moves from one target to the other; only in a live comparison. */
  readonly answers?: AnswerComparison;
}
