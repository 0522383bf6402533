import type { Interactions } from "../exploration/covering-array.js";
import { type Endpoint, type EndpointCounts, endpointNames } from "../spec/endpoints.js";
import { includes, type Profile } from "../spec/profile.js";
import type { Readings } from "../spec/readings.js";
import type { Level, Rule } from "../spec/rule.js";
import type { Section } from "../spec/sections.js";
import { inShard, type Shard } from "../spec/shard.js";
import type { BrokenOperation } from "../subjects/subjects.js";
import type { Blocker, CheckResult, Counterexample, Finding, Place, Verdict } from "../verdict/result.js";
import type { BaselineReport } from "./baseline.js";
import { type Conclusion, type Counted, concluded } from "./conclusion.js";
import { ruleVerdict } from "./rule-verdict.js";

/** A product and its version. */
export interface Identity {
  readonly name: string;
  readonly version: string;
}

/** A finding in the results file: its first place is spelled out, the others follow in `places`. */
export interface ViolationEntry extends Finding {
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
  /** What the checks were made on. */
  readonly subjects?: unknown;
  /** The catalogue's, then the user's own. */
  readonly rules: readonly RuleEntry[];
}

/** A check as far as results depend on it. */
export interface KnownCheck {
  readonly rule: string;
  readonly endpoint: Endpoint;
  /** Title of the suite that holds it. */
  readonly suite: string;
  readonly profile: Profile;
}

/** What a run knows when it ends. */
export interface RunFacts
  extends Omit<Results, "format" | "formatVersion" | "incomplete" | "summary" | "rules" | "problems"> {
  /** The catalogue, in its order. */
  readonly catalogue: readonly Rule[];
  /** The rulings by id; their `reading` is quoted beside the rules that rest on them. */
  readonly rulings: Readonly<Record<string, { readonly reading: string }>>;
  /** How many successes each operation gave. */
  readonly successes: EndpointCounts;
  /** The operations that are known not to work. */
  readonly broken: readonly BrokenOperation[];
  /** The operations that the user declared as left out on purpose. */
  readonly notImplemented: readonly Endpoint[];
  /** All checks that exist, run or not. */
  readonly checks: readonly KnownCheck[];
  readonly results: readonly CheckResult[];
  readonly problems: readonly string[];
  readonly interrupted: boolean;
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

/**
 * The results of a run: a verdict for each rule of the catalogue, and what the run comes to.
 *
 * A result for a rule that the catalogue does not have is a problem of the harness, and is reported as one. Rules of the
 * user's own follow those of the catalogue; they are counted apart.
 */
export function assembleResults(facts: RunFacts): Results {
  const { catalogue, rulings, successes, broken, notImplemented, checks: _, ...others } = facts;
  const { results, interrupted, problems: seen, ...identity } = others;
  const rules = catalogue.map((rule) => entryOf(rule, facts));
  const own = ownRulesOf(results).map((rule) => ({ ...entryOf(rule, facts), own: true as const }));
  const known = new Set([...rules, ...own].map(({ id }) => id));
  const strays = new Set(results.map(({ rule }) => rule).filter((id) => !known.has(id)));
  const lost = rules.filter(({ reason }) => reason === notRunReasons.lost);
  const problems = [
    ...seen,
    ...[...strays].map((id) => `a check reported on ${id}, which is not in the catalogue`),
    ...lost.map(({ id }) => `the checks of ${id} gave no result`),
  ];
  const counted: Counted = {
    format: "perp-conformance/results",
    formatVersion: resultsVersion,
    ...identity,
    ...(interrupted ? { incomplete: true as const } : {}),
    summary: {
      operations: operationsOf(facts),
      interactions: interactionsOf(rules),
      verdicts: countVerdicts(rules),
      conclusiveness: conclusivenessOf(rules, notImplemented),
      ...(own.length > 0 ? { own: countVerdicts(own) } : {}),
    },
    problems,
    rules: [...rules, ...own],
  };
  return { ...counted, summary: { ...concluded(counted), ...counted.summary } };
}

/** What was seen of the operations that the run was to see. */
function operationsOf(facts: RunFacts): OperationEntry[] {
  const { catalogue, checks, successes, broken, notImplemented } = facts;
  const judged = new Map(catalogue.filter(isJudged).map((rule) => [rule.id, rule]));
  const covered = new Set(
    checks.filter((check) => isMade(check, judged.get(check.rule), facts)).map(({ endpoint }) => endpoint),
  );
  return endpointNames
    .filter((name) => covered.has(name))
    .map((name) => {
      const count = successes[name] ?? 0;
      const broke = count > 0 ? undefined : broken.find(({ operation }) => operation === name);
      return {
        name,
        worked: count > 0,
        successes: count,
        ...(broke ? { answered: broke.answered } : {}),
        ...(broke?.kind === "unimplemented" ? { unimplemented: true as const } : {}),
        ...(notImplemented.includes(name) ? { declared: true as const } : {}),
      };
    });
}

/** Whether the run was to make a check. */
function isMade({ suite, profile }: KnownCheck, rule: Rule | undefined, facts: RunFacts): boolean {
  if (rule === undefined || !isSelected(rule, facts)) return false;
  const { selection } = facts;
  return inSuites(suite, selection.suites) && includes(facts.profile, profile) && inShard(rule.id, selection.shard);
}

function isJudged({ level }: Pick<Rule, "level">): boolean {
  return level === "mandatory" || level === "advisory";
}

function interactionsOf(rules: readonly RuleEntry[]): readonly InteractionEntry[] {
  const tried = rules.flatMap(({ checks }) =>
    checks.flatMap(({ endpoint, interactions }) => (interactions ? [{ name: endpoint, ...interactions }] : [])),
  );
  return tried.sort((one, other) => endpointNames.indexOf(one.name) - endpointNames.indexOf(other.name));
}

/** The checks of all rules, each with its rule, in the catalogue's order. */
export function* checksOf(results: Results): Generator<{ rule: RuleEntry; check: CheckEntry }> {
  for (const rule of results.rules) for (const check of rule.checks) yield { rule, check };
}

/** The rules that have this verdict, in the catalogue's order. */
export function rulesWith(results: Results, verdict: Verdict): RuleEntry[] {
  return results.rules.filter((rule) => rule.verdict === verdict);
}

function entryOf(rule: Rule, facts: RunFacts): RuleEntry {
  // Rules on every answer of the run are judged along with any selection; what nobody asked for is not reported.
  const results = isSelected(rule, facts) ? facts.results.filter((result) => result.rule === rule.id) : [];
  const { verdict, note } = ruleVerdict(results, rule.endpoints);
  const reading = rule.rulings?.map((ruling) => ({ ruling, text: facts.rulings[ruling]?.reading ?? "" }));
  return {
    id: rule.id,
    section: rule.section,
    level: rule.level,
    verdict,
    statement: rule.statement,
    impact: rule.impact,
    endpoints: rule.endpoints,
    ...(reading?.length ? { reading } : {}),
    ...(verdict === "notRun" ? { reason: whyNotRun(rule, facts) } : {}),
    ...(note === undefined ? {} : { note }),
    checks: results.map(checkEntry).sort(bySpecificationOrder),
  };
}

/** The user's own rules that something was found on, by id. */
function ownRulesOf(results: readonly CheckResult[]): Rule[] {
  const byId = new Map(results.flatMap(({ own }) => (own ? [[own.id, own] as const] : [])));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function checkEntry({ rule: _, own: __, findings, ...check }: CheckResult): CheckEntry {
  return findings.length === 0 ? check : { ...check, violations: findings.map(violationEntry) };
}

function violationEntry(finding: Finding): ViolationEntry {
  const first: Place | undefined = finding.places[0];
  return { ...finding, exchange: first?.exchange ?? "", path: first?.path ?? "" };
}

function bySpecificationOrder(one: CheckEntry, other: CheckEntry): number {
  const byEndpoint = endpointNames.indexOf(one.endpoint) - endpointNames.indexOf(other.endpoint);
  return byEndpoint || (one.name < other.name ? -1 : Number(one.name > other.name));
}

function whyNotRun(rule: Rule, facts: RunFacts): string {
  const { checks, selection, profile, interrupted, problems } = facts;
  if (rule.level === "unobservable") return `unobservable: ${rule.reason ?? "no black-box reader can see it"}`;
  if (!isSelected(rule, facts)) return notRunReasons.notSelected;
  const selected = checks.filter((check) => check.rule === rule.id && inSuites(check.suite, selection.suites));
  if (selected.length === 0) return notRunReasons.unchecked;
  if (profile === "quick" && selected.every((check) => check.profile === "full")) return notRunReasons.fullProfile;
  if (!inShard(rule.id, selection.shard)) return notRunReasons.otherShard;
  return interrupted || problems.length > 0 ? notRunReasons.ended : notRunReasons.lost;
}

function isSelected(rule: Rule, { checks, selection: { rules, suites } }: RunFacts): boolean {
  if (rules.length > 0 && !rules.includes(rule.id)) return false;
  return suites.length === 0 || checks.some((check) => check.rule === rule.id && inSuites(check.suite, suites));
}

function inSuites(suite: string, suites: readonly string[]): boolean {
  return suites.length === 0 || suites.includes(suite);
}

function countVerdicts(rules: readonly RuleEntry[]): Record<Verdict, number> {
  const counts = Object.fromEntries(reportedVerdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const rule of rules) counts[rule.verdict]++;
  return counts;
}

/**
 * What the user, the profile or the shard left out is no lack of evidence, and what does not apply needs none; what an
 * interruption cut off is.
 */
function conclusivenessOf(rules: readonly RuleEntry[], notImplemented: readonly Endpoint[]): Conclusiveness {
  const leftOut: readonly (string | undefined)[] = [
    notRunReasons.notSelected,
    notRunReasons.fullProfile,
    notRunReasons.otherShard,
  ];
  const judged = rules.filter(
    (rule) =>
      isJudged(rule) &&
      !leftOut.includes(rule.reason) &&
      rule.verdict !== "notApplicable" &&
      !isLeftOut(rule, notImplemented),
  );
  const conclusive = judged.filter(({ verdict }) => verdict === "pass" || verdict === "warn" || verdict === "fail");
  return { conclusive: conclusive.length, judged: judged.length };
}

/** Whether a rule is left open by operations alone that the user declared as left out on purpose. */
export function isLeftOut({ verdict, checks }: RuleEntry, notImplemented: readonly Endpoint[]): boolean {
  if (verdict !== "unimplemented" && verdict !== "blocked") return false;
  return checks
    .filter((check) => check.verdict !== "notApplicable")
    .every(({ endpoint, blockedBy }) => notImplemented.includes(blockedBy?.operation ?? endpoint));
}
