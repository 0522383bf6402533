import type { CheckResult, Verdict, ViolationGroup } from "../engine/result.js";
import type { Interactions } from "../exploration/covering-array.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { Level } from "../specification/rule.js";
import type { Section } from "../specification/sections.js";
import type { Shard } from "../specification/shard.js";
import type { BrokenOperation } from "../subjects/subjects.js";
import type { BaselineReport } from "./baseline-report.js";
import type { PowerScore } from "./power-score.js";

/** A product and its version. */
export interface Identity {
  readonly name: string;
  readonly version: string;
}

/** A violation in the results file. Its first place is also spelled out in `exchange` and `path`. */
export interface ViolationEntry extends ViolationGroup {
  /** The exchange that shows the first place. */
  readonly exchange: string;
  /** The first place in the body, such as `orders[3].owner`. */
  readonly path: string;
}

/** One check in the results file. */
export interface CheckEntry extends Omit<CheckResult, "rule" | "own" | "violations" | "seenValues" | "moved"> {
  readonly violations?: readonly ViolationEntry[];
}

/** One round of a run that went on for a set time. */
export interface RoundEntry {
  /** Counted from 1. */
  readonly index: number;
  readonly seed: number;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Requests sent. */
  readonly requests: number;
  readonly conclusion: Conclusion;
  /** The files of the round are kept in `rounds/<index>`, since it shows something that no earlier round does. */
  readonly kept?: true;
  /** The sealed record of a round that is kept. */
  readonly evidence?: { readonly digest: string };
}

/** How the text was read where it is silent or ambiguous. */
export interface ReadingEntry {
  readonly ruling: string;
  readonly text: string;
}

/** One rule in the results file. Every rule of the catalogue has an entry, even if it did not run. */
export interface RuleEntry {
  readonly id: string;
  /** A user-defined rule: it is not part of the specification, and conformance does not depend on it. */
  readonly own?: true;
  readonly section: Section;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly statement: string;
  readonly impact: string;
  readonly endpoints: readonly Endpoint[];
  readonly reading?: readonly ReadingEntry[];
  /** Why the rule did not run, if it did not. */
  readonly reason?: string;
  /** For a pass or an observation: how many checks came to no conclusion. Otherwise: which operations were not looked at. */
  readonly note?: string;
  readonly checks: readonly CheckEntry[];
}

/** What a run has seen of an operation. */
export interface OperationEntry {
  readonly name: Endpoint;
  /** Whether it gave at least one success. */
  readonly worked: boolean;
  /** Number of successes in the whole run, discovery included. */
  readonly successes: number;
  /** What it answers, in a few words, if it is known not to work. */
  readonly answered?: string;
  /** It answers `unimplemented` whenever it is called. */
  readonly unimplemented?: true;
  /** The user declared it as not implemented on purpose. */
  readonly declared?: true;
}

/** How a run differs from the previous run, as ids of rules that both have. */
export interface BeforeEntry {
  /** When that run began, RFC 3339, and its labels. */
  readonly startedAt: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Violated now, but not then. */
  readonly failing: readonly string[];
  /** Violated then, and passing now. */
  readonly fixed: readonly string[];
  /** Settled then, but not now. */
  readonly open: readonly string[];
}

/** Which combinations of an operation's fields were tried. */
export interface InteractionEntry extends Interactions {
  /** The operation. */
  readonly name: Endpoint;
}

/** How many of the judged rules came to a conclusion. */
export interface Conclusiveness {
  /** Rules with the verdict pass, warn or fail. */
  readonly conclusive: number;
  /** Rules that could have come to a conclusion: mandatory or advisory, selected, in the profile, and applicable. */
  readonly judged: number;
}

/** The `formatVersion` of results that this version writes and reads. */
export const resultsVersion = 1;

/** The conclusion of a run (see the rulings on the conclusion of a run). */
export type Conclusion = "conformant" | "not-conformant" | "undecided";

/** The content of `results.json`, the source of truth of a run: every other report is made from it. */
export interface Results {
  readonly format: "perp-conformance/results";
  readonly formatVersion: typeof resultsVersion;
  readonly harness: Identity;
  readonly specification: Identity & { readonly catalogueDigest: string };
  readonly target: {
    readonly baseUrl: string;
    readonly implementation?: Readonly<Record<string, string>>;
    /** It is not certain who answered: the certificate was not checked. */
    readonly insecure?: true;
    /**
     * The embedded reference server was tested. The run says nothing about other servers, and no statement can be made of
     * it.
     */
    readonly embedded?: true;
  };
  readonly profile: Profile;
  readonly seed: number;
  /** Whether advisory violations count against conformance. */
  readonly strict: boolean;
  /** The share of judged rules, in percent, that must be conclusive. */
  readonly requireConclusive: number;
  readonly selection: {
    readonly rules: readonly string[];
    readonly suites: readonly string[];
    /** The shard that was run here; absent if the run was made as a whole. */
    readonly shard?: Shard;
  };
  /** The alternatives under which verdicts were given, by ruling; absent if none was chosen. */
  readonly readings?: Readings;
  /** What distinguishes the run, such as a build or a commit, in the user's words; absent if there is nothing. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The command that repeats this run: with its seed, without its selection or secrets, quoted for a POSIX shell. */
  readonly command: string;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  /** The run was interrupted. Rules that had no result by then are `notRun`. */
  readonly incomplete?: true;
  readonly requests: {
    readonly count: number;
    readonly streams: number;
    /** Set if connections broke before an answer was complete: how many. Such requests are sent again, a few times. */
    readonly brokenOff?: number;
    readonly bytesReceived: number;
  };
  readonly summary: {
    readonly conformant: boolean;
    readonly conclusion: Conclusion;
    /** Why the run is undecided or the target not conformant, and what limits that; one line each, most severe first. */
    readonly reasons: readonly string[];
    /** The operations that the run was to cover: those of the rules it was to judge, in the order of the specification. */
    readonly operations: readonly OperationEntry[];
    /** For each explored operation: how many combinations of two or three field classes there are and were tried. */
    readonly interactions: readonly InteractionEntry[];
    readonly verdicts: Readonly<Record<Verdict, number>>;
    readonly conclusiveness: Conclusiveness;
    /** How many user-defined rules have each verdict. All of the above is about the rules of the specification only. */
    readonly own?: Readonly<Record<Verdict, number>>;
  };
  /** What changed since the previous run in the same folder; absent if there was none, or if it cannot be compared. */
  readonly before?: BeforeEntry;
  /** What went wrong with the harness itself. */
  readonly problems: readonly string[];
  /** The run compared with its baseline. Known deviations change the exit code, but not verdicts or conformance. */
  readonly baseline?: BaselineReport;
  /** The sealed record of all exchanges; absent when the run ended before it was complete. */
  readonly evidence?: { readonly digest: string };
  /** For a run that was merged from shards: the sealed record of each. */
  readonly shards?: readonly { readonly index: number; readonly evidence?: { readonly digest: string } }[];
  /** For a run that went on for a set time: its rounds. */
  readonly rounds?: readonly RoundEntry[];
  /** What became of the faults that were planted into the answers of the run; absent if none were. */
  readonly power?: PowerScore;
  /** What the checks ran on. */
  readonly subjects?: unknown;
  /** The rules of the catalogue, then the user-defined ones. */
  readonly rules: readonly RuleEntry[];
}

/** Why a rule did not run. An unobservable rule has a reason of its own. */
export const notRunReasons = {
  notSelected: "not selected",
  fullProfile: "only in the full profile",
  otherShard: "in another shard",
  ended: "the run ended before",
  unchecked: "no check exists",
  lost: "its checks gave no result",
} as const;

/** Why a rule did not run that was left out on purpose. */
export const leftOutReasons: readonly (string | undefined)[] = [
  notRunReasons.notSelected,
  notRunReasons.fullProfile,
  notRunReasons.otherShard,
];

/** The verdicts in the order in which reports list them. */
export const reportedVerdicts = [
  "pass",
  "fail",
  "warn",
  "inconclusive",
  "blocked",
  "notApplicable",
  "unimplemented",
  "observed",
  "notRun",
  "error",
] as const satisfies readonly Verdict[];

/** The checks of all rules, each with its rule, in the catalogue's order. */
export function* checkEntriesOf(results: Results): Generator<{ rule: RuleEntry; check: CheckEntry }> {
  for (const rule of results.rules) for (const check of rule.checks) yield { rule, check };
}

/** The violations that the checks of a rule found. */
export function violationsOf({ checks }: Pick<RuleEntry, "checks">): ViolationEntry[] {
  return checks.flatMap(({ violations = [] }) => violations);
}

/** The exchanges that show a violation, the first place first. */
export function exchangesOf({ exchange, places, comparedWith }: ViolationEntry): string[] {
  return [exchange, ...places.map((place) => place.exchange), ...(comparedWith ? [comparedWith.exchange] : [])];
}

/** The operations that are broken, as discovery reported them. */
export function brokenIn({ summary }: Results): readonly BrokenOperation[] {
  return summary.operations.flatMap(({ name, answered, unimplemented }) =>
    answered === undefined ? [] : [{ operation: name, kind: unimplemented ? "unimplemented" : "absent", answered }],
  );
}

/** The operations that the user declared as left out on purpose. */
export function declaredIn({ summary }: Results): readonly Endpoint[] {
  return summary.operations.filter(({ declared }) => declared).map(({ name }) => name);
}

/** How many successes each operation gave. */
export function successesIn({ summary }: Results): Readonly<Record<string, number>> {
  return Object.fromEntries(summary.operations.map(({ name, successes }) => [name, successes]));
}

/** The rules that have this verdict, in the catalogue's order. */
export function rulesWith(results: Results, verdict: Verdict): RuleEntry[] {
  return results.rules.filter((rule) => rule.verdict === verdict);
}

/** How many rules have each verdict. */
export function countVerdicts(rules: readonly RuleEntry[]): Record<Verdict, number> {
  const counts = Object.fromEntries(reportedVerdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of rules) counts[verdict]++;
  return counts;
}
