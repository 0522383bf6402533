import type { Blocker, CheckResult, Counterexample, Verdict, ViolationGroup } from "../engine/result.js";
import type { Interactions } from "../exploration/covering-array.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { Level } from "../specification/rule.js";
import type { Section } from "../specification/sections.js";
import type { Shard } from "../specification/shard.js";
import type { BaselineReport } from "./baseline-report.js";
import type { PowerScore } from "./power-score.js";

/** A product and its version. */
export interface Identity {
  readonly name: string;
  readonly version: string;
}

/** A violation in the results file: its first place is spelled out, the others follow in `places`. */
export interface ViolationEntry extends ViolationGroup {
  /** The exchange that shows the first place. */
  readonly exchange: string;
  /** The first place in the body, such as `orders[3].owner`. */
  readonly path: string;
}

/** One check in the results file. */
export interface CheckEntry {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly verdict: Verdict;
  readonly assertions: number;
  readonly message?: string;
  /** On a blocked check: what blocks it. */
  readonly blockedBy?: Blocker;
  readonly violations?: readonly ViolationEntry[];
  readonly counterexample?: Counterexample;
  readonly observations?: CheckResult["observations"];
  readonly interactions?: CheckResult["interactions"];
  readonly round?: CheckResult["round"];
  readonly sampled?: CheckResult["sampled"];
  readonly subjects: readonly string[];
  readonly exchanges: readonly string[];
  readonly requests: number;
  readonly durationMs: number;
}

/** One round of a run that went on for a time. */
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
  /** Its files are in `rounds/<index>`: it shows something that no earlier round does. */
  readonly kept?: true;
  /** The sealed record of a round that was kept. */
  readonly evidence?: { readonly digest: string };
}

/** How the text was read where it is silent or ambiguous. */
export interface ReadingEntry {
  readonly ruling: string;
  readonly text: string;
}

/** One rule in the results file. Every rule of the catalogue has one, also those that did not run. */
export interface RuleEntry {
  readonly id: string;
  /** A rule of the user's own: it is no part of the specification, and conformance does not depend on it. */
  readonly own?: true;
  readonly section: Section;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly statement: string;
  readonly impact: string;
  readonly endpoints: readonly Endpoint[];
  readonly reading?: readonly ReadingEntry[];
  /** On a rule that did not run: why not. */
  readonly reason?: string;
  /** Which of its checks found nothing to judge, on a pass or an observation; which of its operations were not looked at. */
  readonly note?: string;
  readonly checks: readonly CheckEntry[];
}

/** What a run has seen of an operation. */
export interface OperationEntry {
  readonly name: Endpoint;
  /** It gave at least one success. */
  readonly worked: boolean;
  /** How many successes it gave in the whole run, discovery included. */
  readonly successes: number;
  /** What it answers, in a few words, when it is known not to work. */
  readonly answered?: string;
  /** It answers `unimplemented` wherever it was asked. */
  readonly unimplemented?: true;
  /** The user declared that it is left out on purpose. */
  readonly declared?: true;
}

/** How a run differs from the run before: ids of rules that both have. */
export interface BeforeEntry {
  /** When that run began, RFC 3339, and its labels. */
  readonly startedAt: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Violated now, and not then. */
  readonly failing: readonly string[];
  /** Violated then, and passing now. */
  readonly fixed: readonly string[];
  /** Settled then, and not now. */
  readonly open: readonly string[];
}

/** What was tried together of an operation's fields. */
export interface InteractionEntry extends Interactions {
  /** The operation. */
  readonly name: Endpoint;
}

/** How many of the rules that were judged came to a conclusion. */
export interface Conclusiveness {
  /** Rules with the verdict pass, warn or fail. */
  readonly conclusive: number;
  /** Rules that could have come to one: selected, in the profile, mandatory or advisory. */
  readonly judged: number;
}

/** The `formatVersion` of results that this version writes and reads. */
export const resultsVersion = 2;

/** What a run comes to (rulings on the conclusion of a run). */
export type Conclusion = "conformant" | "not-conformant" | "undecided";

/** The content of `results.json`: the source of truth of a run, from which every other report is made. */
export interface Results {
  readonly format: "perp-conformance/results";
  readonly formatVersion: typeof resultsVersion;
  readonly harness: Identity;
  readonly specification: Identity & { readonly catalogueDigest: string };
  readonly target: {
    readonly baseUrl: string;
    readonly implementation?: Readonly<Record<string, string>>;
    /** Who answered is not certain: the certificate was not checked. */
    readonly insecure?: true;
    /** The embedded reference server was tested: the run says nothing about any other server, and cannot be stated. */
    readonly embedded?: true;
  };
  readonly profile: Profile;
  readonly seed: number;
  /** Advisory violations count against conformance. */
  readonly strict: boolean;
  /** The share of judged rules, in percent, that must have come to a conclusion. */
  readonly requireConclusive: number;
  readonly selection: {
    readonly rules: readonly string[];
    readonly suites: readonly string[];
    /** The part of the run that was made here; absent when it was made as a whole. */
    readonly shard?: Shard;
  };
  /** The alternatives that verdicts were given under, by ruling; absent when none was chosen. */
  readonly readings?: Readings;
  /** What tells the run from others, such as a build or a commit, in the user's words; absent when there are none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The command that repeats this run, its seed included and its selection not; quoted for a POSIX shell, without secrets. */
  readonly command: string;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  /** The run was interrupted; rules that had no result by then are `notRun`. */
  readonly incomplete?: true;
  readonly requests: { readonly count: number; readonly streams: number; readonly bytesReceived: number };
  readonly summary: {
    readonly conformant: boolean;
    readonly conclusion: Conclusion;
    /** Why the run is undecided or the target not conformant, and what limits the conclusion; a line each, the gravest first. */
    readonly reasons: readonly string[];
    /** The operations that the run was to see: those of the rules that it was to judge, in the order of the specification. */
    readonly operations: readonly OperationEntry[];
    /** Of each operation that was explored: how many combinations of two or three fields' classes there are, and were tried. */
    readonly interactions: readonly InteractionEntry[];
    readonly verdicts: Readonly<Record<Verdict, number>>;
    readonly conclusiveness: Conclusiveness;
    /** How many of the user's own rules have each verdict; all the above is about the specification's rules alone. */
    readonly own?: Readonly<Record<Verdict, number>>;
  };
  /** What is new against the run before in the same folder; absent when there was none, or it was of something else. */
  readonly before?: BeforeEntry;
  /** What went wrong with the harness itself. */
  readonly problems: readonly string[];
  /** The known deviations that the run was gated by; they change the exit code, and neither verdicts nor conformance. */
  readonly baseline?: BaselineReport;
  /** The sealed record of all exchanges; absent when the run ended before it was complete. */
  readonly evidence?: { readonly digest: string };
  /** Of a run that was merged from shards: the sealed record of each. */
  readonly shards?: readonly { readonly index: number; readonly evidence?: { readonly digest: string } }[];
  /** Of a run that went on for a time: its rounds. */
  readonly rounds?: readonly RoundEntry[];
  /** Of the faults that were planted into the answers of the run, what became of them; absent when none were. */
  readonly power?: PowerScore;
  /** What the checks were made on. */
  readonly subjects?: unknown;
  /** The catalogue's, then the user's own. */
  readonly rules: readonly RuleEntry[];
}

/** Why a rule did not run; an unobservable one carries its own reason. */
export const notRunReasons = {
  notSelected: "not selected",
  fullProfile: "only in the full profile",
  otherShard: "in another shard",
  ended: "the run ended before",
  unchecked: "no check exists",
  lost: "its checks gave no result",
} as const;

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
export function* checksOf(results: Results): Generator<{ rule: RuleEntry; check: CheckEntry }> {
  for (const rule of results.rules) for (const check of rule.checks) yield { rule, check };
}

/** The rules that have this verdict, in the catalogue's order. */
export function rulesWith(results: Results, verdict: Verdict): RuleEntry[] {
  return results.rules.filter((rule) => rule.verdict === verdict);
}
