/** What a comparison of runs holds: plain data, from which its terminal text, Markdown, JSON and page are made. */
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
  /** What it is called in the comparison; unique in it. */
  readonly name: string;
  readonly results: Results;
  /** The folder of the run; absent when only its results are there. */
  readonly dir?: string;
  /** How long its operations took to answer; absent when there is no record of its exchanges. */
  readonly times?: readonly OperationTimes[];
}

/** What a comparison says of one run as a whole. */
export interface RunSummary {
  readonly name: string;
  readonly dir?: string;
  readonly target: string;
  /** `Acme 1.2`, when the configuration of the run said so. */
  readonly implementation?: string;
  readonly conclusion: Conclusion;
  /** The first reasons of the conclusion, and what limits it. */
  readonly reasons: readonly string[];
  readonly profile: string;
  readonly seed: number;
  readonly harness: Identity;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
}

/** What a rule's violation looks like in one run: the first place of it. */
export interface ShownViolation {
  readonly message: string;
  readonly exchange: string;
  readonly request: string;
  readonly expected: string;
  readonly seen: string;
  readonly curl: string;
}

/** What one run says of a rule; `absent` when its catalogue does not have the rule. */
export interface RuleCell {
  readonly verdict: Verdict | "absent";
  /** Operations on which it is violated. */
  readonly violatedOn: readonly Endpoint[];
  /** Why it came to no conclusion. */
  readonly reason?: string;
  readonly violation?: ShownViolation;
  /** The command that repeats the rule with the same seed. */
  readonly command?: string;
}

/** A rule of which the runs do not say the same. One cell for each run, in their order. */
export interface RuleRow {
  readonly id: string;
  readonly section: Section;
  readonly level: Level;
  readonly statement: string;
  readonly cells: readonly RuleCell[];
  /** It holds in the first run, and not any more in another one. */
  readonly regression: boolean;
}

/** How the runs differ about a rule, the gravest first. The first run is what the others are held against. */
export const ruleDifferences = [
  "newlyFailing",
  "newlyFixed",
  "failsElsewhere",
  "noLongerConclusive",
  "newlyConclusive",
  "otherwise",
  "notCompared",
] as const;

/** How the runs differ about a rule. */
export type RuleDifference = (typeof ruleDifferences)[number];

/** Rules about which the runs differ in the same way. */
export interface RuleGroup {
  readonly difference: RuleDifference;
  readonly rules: readonly RuleRow[];
}

/** How the runs differ about an observation, the most telling first: what they do, only amounts or texts, only times. */
export const observationDifferences = ["kind", "amounts", "times", "none"] as const;

/** How the runs differ about an observation. */
export type ObservationDifference = (typeof observationDifferences)[number];

/** What one run observed; null when it observed nothing of the kind. */
export type ObservationCell = {
  readonly seen: string;
  /** What was looked at, where that is another thing than in the first run. */
  readonly what?: string;
} | null;

/** What each run does at one place that the specification leaves open. */
export interface ObservationRow {
  readonly rule: string;
  readonly check: string;
  readonly what: string;
  readonly difference: ObservationDifference;
  readonly cells: readonly ObservationCell[];
}

/** What was tried together of one operation's fields in each run; null where it was not explored. */
export interface InteractionsRow {
  readonly operation: Endpoint;
  readonly cells: readonly (Interactions | null)[];
}

/** Runs side by side. */
export interface Comparison {
  readonly format: "perp-conformance/comparison";
  readonly formatVersion: 1;
  readonly harness: Identity;
  readonly runs: readonly RunSummary[];
  /** All runs are of the same target, so that differences are changes. */
  readonly sameTarget: boolean;
  /** What limits the comparison: other rules, another profile, an interrupted run. */
  readonly notes: readonly string[];
  readonly rules: {
    /** Rules that all runs have. */
    readonly shared: number;
    /** Of these, how many have the same verdict everywhere. */
    readonly same: number;
    readonly groups: readonly RuleGroup[];
    /** Rules that only some of the catalogues have: with the names of the runs that have them. */
    readonly onlyIn: readonly { readonly id: string; readonly runs: readonly string[] }[];
  };
  /** Ids of the rules that hold in the first run and not any more in another one. */
  readonly regressions: readonly string[];
  readonly observations: readonly ObservationRow[];
  readonly times: readonly TimesRow[];
  readonly interactions: readonly InteractionsRow[];
  /** What a client would notice when it is moved from one target to the other; only of a live comparison. */
  readonly answers?: AnswerComparison;
}
