/** Finds the rules on which several runs differ, and how. */
import { isViolated, type Verdict } from "../engine/result.js";
import { notRunReasons, type Results, type RuleEntry } from "../report/results.js";
import { commandFor, mainReasonOf } from "../report/wording.js";
import type { Endpoint } from "../specification/endpoints.js";
import {
  type ComparedRun,
  type Comparison,
  type RuleCell,
  type RuleDifference,
  type RuleGroup,
  type RuleRow,
  ruleDifferences,
} from "./comparison.js";

/** Verdicts that are a conclusion about the target. */
const conclusions: ReadonlySet<string> = new Set<Verdict>(["pass", "fail", "warn"]);

/** Verdicts that show that a rule can no longer be judged. */
const losses: ReadonlySet<string> = new Set<Verdict>(["blocked", "unimplemented", "error"]);

/** Compares rule by rule. The others are compared with the first run. */
export function compareRules(runs: readonly ComparedRun[]): Comparison["rules"] {
  const rules = runs.map(({ results }) => new Map(results.rules.map((rule) => [rule.id, rule])));
  const ids = [...new Set(runs.flatMap(({ results }) => results.rules.map(({ id }) => id)))];
  const shared = ids.filter((id) => rules.every((known) => known.has(id)));
  const entriesOf = (id: string) => rules.flatMap((known) => known.get(id) ?? []);
  const differing = shared.flatMap((id) => {
    const entries = entriesOf(id);
    const difference = differenceOf(entries);
    return difference === undefined ? [] : [{ difference, row: rowOf(entries, runs, difference) }];
  });
  const groups = ruleDifferences
    .map(
      (difference): RuleGroup => ({
        difference,
        rules: differing.filter((each) => each.difference === difference).map(({ row }) => row),
      }),
    )
    .filter((group) => group.rules.length > 0);
  return {
    shared: shared.length,
    judged: shared.filter((id) => entriesOf(id).some((entry) => !isLeftOut(entry))).length,
    same: shared.length - differing.length,
    groups,
    onlyIn: ids
      .filter((id) => !shared.includes(id))
      .map((id) => ({ id, runs: runs.filter((_, at) => rules[at]?.has(id)).map(({ name }) => name) })),
  };
}

/** How the runs differ on a rule; undefined if they do not. */
function differenceOf(entries: readonly RuleEntry[]): RuleDifference | undefined {
  const [first, ...others] = entries;
  if (!first) return undefined;
  if (others.every(({ verdict }) => verdict === first.verdict)) {
    const places = new Set(entries.map((entry) => violatedOn(entry).join()));
    if (!isViolated(first.verdict) || places.size === 1) return undefined;
    return others.some((entry) => isViolatedFurther(first, entry)) ? "newlyFailing" : "failsElsewhere";
  }
  const judged = entries.filter((entry) => !isLeftOut(entry));
  if (new Set(judged.map(({ verdict }) => verdict)).size <= 1) return "notCompared";
  if (isLeftOut(first)) return judged.some(({ verdict }) => isViolated(verdict)) ? "otherwise" : "notCompared";
  const seen = others.filter((entry) => !isLeftOut(entry));
  if (seen.some((entry) => isViolatedFurther(first, entry) || isMoreSevere(first, entry))) return "newlyFailing";
  if (isViolated(first.verdict) && seen.some(({ verdict }) => verdict === "pass")) return "newlyFixed";
  if (isConclusive(first) && seen.some((entry) => !isConclusive(entry))) return "noLongerConclusive";
  if (!isConclusive(first) && seen.some(isConclusive)) return "newlyConclusive";
  return "otherwise";
}

function rowOf(entries: readonly RuleEntry[], runs: readonly ComparedRun[], difference: RuleDifference): RuleRow {
  const [first, ...others] = entries as readonly [RuleEntry, ...RuleEntry[]];
  const { id, section, level, statement } = first;
  const isRegression = others.some((entry, at) => regresses(first, entry, runs[at + 1]?.results));
  return {
    id,
    section,
    level,
    statement,
    cells: entries.map((entry, at) => cellOf(entry, runs[at]?.results)),
    regression: difference !== "notCompared" && isRegression,
  };
}

/**
 * Whether a rule regresses from one run to another: it is newly violated, or violated on another operation, or it passed and
 * can no longer be judged because an operation does not work. Advisory rules count only if the later run is strict.
 */
function regresses(before: RuleEntry, after: RuleEntry, results: Results | undefined): boolean {
  const counts = after.verdict !== "warn" || results?.strict === true;
  if (isViolated(after.verdict))
    return counts && !isLeftOut(before) && (isViolatedFurther(before, after) || isMoreSevere(before, after));
  return before.verdict === "pass" && losses.has(after.verdict);
}

function cellOf(rule: RuleEntry, results: Results | undefined): RuleCell {
  const isOpen = !isConclusive(rule) && rule.verdict !== "observed";
  const reason = rule.reason ?? (isOpen ? mainReasonOf(rule) : "");
  const check = rule.checks.find(({ verdict, violations = [] }) => verdict === rule.verdict && violations.length > 0);
  const violation = check?.violations?.[0];
  const place = violation?.places[0];
  return {
    verdict: rule.verdict,
    violatedOn: violatedOn(rule),
    ...(reason !== "" && { reason }),
    ...(violation && {
      violation: {
        message: violation.message,
        exchange: violation.exchange,
        request: violation.request,
        expected: place?.expected ?? "",
        seen: place?.seen ?? "",
        curl: violation.curl,
      },
    }),
    ...(violation && results && { command: commandFor(results, rule) }),
  };
}

function isConclusive({ verdict }: RuleEntry): boolean {
  return conclusions.has(verdict);
}

/** A failure where there was a warning: the rule's level, or the reading of the text, has changed. */
function isMoreSevere(before: RuleEntry, after: RuleEntry): boolean {
  return before.verdict === "warn" && after.verdict === "fail";
}

function isViolatedFurther(before: RuleEntry, after: RuleEntry): boolean {
  if (!isViolated(after.verdict)) return false;
  const known = violatedOn(before);
  return !isViolated(before.verdict) || violatedOn(after).some((operation) => !known.includes(operation));
}

/** The operations on which a rule is violated, sorted by name. */
function violatedOn({ checks }: RuleEntry): readonly Endpoint[] {
  const operations = checks.flatMap(({ verdict, endpoint, violations = [] }) =>
    isViolated(verdict) ? (violations.length > 0 ? violations.map(({ operation }) => operation) : [endpoint]) : [],
  );
  return [...new Set(operations)].sort();
}

/** Whether a run was not asked to judge the rule. Such a verdict says nothing about the target. */
function isLeftOut({ verdict, reason }: RuleEntry): boolean {
  const ended: readonly (string | undefined)[] = [notRunReasons.ended, notRunReasons.lost];
  return verdict === "notRun" && !ended.includes(reason);
}
