import type { CheckResult, ViolationGroup, ViolationPlace } from "../engine/result.js";
import { type Endpoint, type EndpointCounts, endpointNames } from "../specification/endpoints.js";
import { covers, type Profile } from "../specification/profile.js";
import { catalogueUnder, type Readings, readingLines, rulingsUnder } from "../specification/readings.js";
import type { Rule } from "../specification/rule.js";
import { inShard } from "../specification/shard.js";
import type { BrokenOperation } from "../subjects/subjects.js";
import { conclusionOf, type ResultsWithoutConclusion } from "./conclusion.js";
import {
  type CheckEntry,
  type Conclusiveness,
  countVerdicts,
  type InteractionEntry,
  leftOutReasons,
  notRunReasons,
  type OperationEntry,
  type Results,
  type RuleEntry,
  resultsVersion,
  type ViolationEntry,
} from "./results.js";
import { ruleVerdict } from "./rule-verdict.js";

/** The part of a check that the results depend on. */
export interface KnownCheck {
  readonly rule: string;
  readonly endpoint: Endpoint;
  /** Title of the suite that contains it. */
  readonly suite: string;
  readonly profile: Profile;
}

/** What is known when a run ends. */
export interface RunFacts
  extends Omit<Results, "format" | "formatVersion" | "durationMs" | "incomplete" | "summary" | "rules" | "problems"> {
  /** The catalogue of rules, in its own order. */
  readonly catalogue: readonly Rule[];
  /** The rulings by id. Their `reading` is quoted next to the rules that rest on them. */
  readonly rulings: Readonly<Record<string, { readonly reading: string }>>;
  /** Number of successful answers per operation. */
  readonly successes: EndpointCounts;
  /** The operations known not to work. */
  readonly broken: readonly BrokenOperation[];
  /** The operations that the user declared as not implemented on purpose. */
  readonly notImplemented: readonly Endpoint[];
  /** All checks that exist, whether run or not. */
  readonly checks: readonly KnownCheck[];
  readonly results: readonly CheckResult[];
  readonly problems: readonly string[];
  readonly interrupted: boolean;
}

/** What verdicts are given by: the rules as the text is read, and the checks of them. */
export type VerdictFacts = Pick<RunFacts, "catalogue" | "rulings" | "checks" | "readings">;

/** The rules under these readings, and the checks of them. */
export function verdictFacts(readings: Readings, checks: readonly KnownCheck[]): VerdictFacts {
  return {
    catalogue: catalogueUnder(readings),
    rulings: rulingsUnder(readings),
    checks,
    ...(readingLines(readings).length > 0 && { readings }),
  };
}

/**
 * Assembles the results of a run: a verdict for each rule of the catalogue, and the conclusion of the run.
 *
 * A result for a rule that is not in the catalogue is a problem of the harness and is reported as one. User-defined rules
 * follow those of the catalogue and are counted separately.
 */
export function assembleResults(facts: RunFacts): Results {
  const { catalogue, rulings, successes, broken, notImplemented, checks: _, ...others } = facts;
  const { results, interrupted, problems: seen, ...identity } = others;
  const rules = catalogue.map((rule) => entryOf(rule, facts));
  const ownEntries = ownRulesOf(results).map((rule) => ({ ...entryOf(rule, facts), own: true as const }));
  const known = new Set([...rules, ...ownEntries].map(({ id }) => id));
  const unknownRules = new Set(results.map(({ rule }) => rule).filter((id) => !known.has(id)));
  const lost = rules.filter(({ reason }) => reason === notRunReasons.lost);
  const problems = [
    ...seen,
    ...[...unknownRules].map((id) => `a check reported on ${id}, which is not in the catalogue`),
    ...lost.map(({ id }) => `the checks of ${id} gave no result`),
  ];
  const unconcluded: ResultsWithoutConclusion = {
    format: "perp-conformance/results",
    formatVersion: resultsVersion,
    ...identity,
    durationMs: Date.parse(facts.finishedAt) - Date.parse(facts.startedAt),
    ...(interrupted && { incomplete: true as const }),
    summary: {
      operations: operationsOf(facts),
      interactions: interactionsOf(rules),
      verdicts: countVerdicts(rules),
      conclusiveness: conclusivenessOf(rules, notImplemented),
      ...(ownEntries.length > 0 && { own: countVerdicts(ownEntries) }),
    },
    problems,
    rules: [...rules, ...ownEntries],
  };
  return { ...unconcluded, summary: { ...conclusionOf(unconcluded), ...unconcluded.summary } };
}

/** The operations that the run was meant to cover, with what was seen of them. */
function operationsOf(facts: RunFacts): OperationEntry[] {
  const { catalogue, checks, successes, broken, notImplemented } = facts;
  const judged = new Map(catalogue.filter(isJudged).map((rule) => [rule.id, rule]));
  const covered = new Set(
    checks.filter((check) => isPlanned(check, judged.get(check.rule), facts)).map(({ endpoint }) => endpoint),
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
        ...(broke && { answered: broke.answered }),
        ...(broke?.kind === "unimplemented" && { unimplemented: true as const }),
        ...(notImplemented.includes(name) && { declared: true as const }),
      };
    });
}

/** Whether the run was meant to make a check. */
function isPlanned({ suite, profile }: KnownCheck, rule: Rule | undefined, facts: RunFacts): boolean {
  if (rule === undefined || !isSelected(rule, facts)) return false;
  const { selection } = facts;
  return inSuites(suite, selection.suites) && covers(facts.profile, profile) && inShard(rule.id, selection.shard);
}

function isJudged({ level }: Pick<Rule, "level">): boolean {
  return level === "mandatory" || level === "advisory";
}

function interactionsOf(rules: readonly RuleEntry[]): readonly InteractionEntry[] {
  const tried = rules.flatMap(({ checks }) =>
    checks.flatMap(({ endpoint, interactions }) => (interactions ? [{ name: endpoint, ...interactions }] : [])),
  );
  return tried.sort((a, b) => endpointNames.indexOf(a.name) - endpointNames.indexOf(b.name));
}

function entryOf(rule: Rule, facts: RunFacts): RuleEntry {
  // Rules on every answer are judged whatever is selected. Those that nobody asked for are not reported.
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
    ...(reading?.length && { reading }),
    ...(verdict === "notRun" && { reason: whyNotRun(rule, facts) }),
    ...(note !== undefined && { note }),
    checks: results.map(checkEntry).sort(bySpecificationOrder),
  };
}

/** The user-defined rules that have results, sorted by id. */
function ownRulesOf(results: readonly CheckResult[]): Rule[] {
  const byId = new Map(results.flatMap(({ own }) => (own ? [[own.id, own] as const] : [])));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function checkEntry({ rule: _, own: __, violations, ...check }: CheckResult): CheckEntry {
  return violations.length === 0 ? check : { ...check, violations: violations.map(violationEntry) };
}

function violationEntry(violation: ViolationGroup): ViolationEntry {
  const first: ViolationPlace | undefined = violation.places[0];
  return { ...violation, exchange: first?.exchange ?? "", path: first?.path ?? "" };
}

function bySpecificationOrder(a: CheckEntry, b: CheckEntry): number {
  const byEndpoint = endpointNames.indexOf(a.endpoint) - endpointNames.indexOf(b.endpoint);
  return byEndpoint || (a.name < b.name ? -1 : Number(a.name > b.name));
}

function whyNotRun(rule: Rule, facts: RunFacts): string {
  const { checks, selection, profile, interrupted, problems } = facts;
  if (rule.level === "unobservable") return `unobservable: ${rule.reason ?? "it cannot be observed from outside"}`;
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

/**
 * Counts the judged rules and the conclusive ones among them. Rules that the user, the profile or the shard left out are not
 * counted, nor are rules that do not apply. Rules cut off by an interruption are counted as judged.
 */
function conclusivenessOf(rules: readonly RuleEntry[], notImplemented: readonly Endpoint[]): Conclusiveness {
  const judged = rules.filter(
    (rule) =>
      isJudged(rule) &&
      !leftOutReasons.includes(rule.reason) &&
      rule.verdict !== "notApplicable" &&
      !isLeftOut(rule, notImplemented),
  );
  const conclusive = judged.filter(({ verdict }) => verdict === "pass" || verdict === "warn" || verdict === "fail");
  return { conclusive: conclusive.length, judged: judged.length };
}

/** Whether a rule is unsettled only because of operations that the user declared as not implemented. */
function isLeftOut({ verdict, checks }: RuleEntry, notImplemented: readonly Endpoint[]): boolean {
  if (verdict !== "unimplemented" && verdict !== "blocked") return false;
  return checks
    .filter((check) => check.verdict !== "notApplicable")
    .every(({ endpoint, blockedBy }) => notImplemented.includes(blockedBy?.operation ?? endpoint));
}
