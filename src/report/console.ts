import { createColors } from "picocolors";
import type { Verdict } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { groupBy } from "../specification/group-by.js";
import { baselineProblems } from "./baseline.js";
import { blockedRules, byCause } from "./causes.js";
import { firstIdsOf, limitations } from "./conclusion.js";
import { endingOf } from "./exit-code.js";
import { type Results, type RuleEntry, rulesWith } from "./results.js";
import { sampledLines, samplingRemark } from "./sampled.js";
import { sanitizeShort } from "./sanitize.js";
import { endpointTable } from "./terminal-tables.js";
import {
  maxLine,
  relatedRuleLine,
  type ViolationStyle,
  violatedRule,
  violatedSections,
} from "./terminal-violations.js";
import {
  conclusionInWords,
  countsLine,
  joinReasons,
  mainReasonOf,
  nothingToJudge,
  qualificationOf,
  rulesByReason,
} from "./wording.js";
import { wrappedLines } from "./wrap.js";

/** Maximum lines listed per part of the report. Failed rules are always listed. */
const maxListed = 12;
/** Maximum rules named per reason. */
const maxNamed = 2;

/** Maximum length of a line about a baseline entry. Such a line is shown whole, since it says what to do. */
const maxBaselineLine = 600;

/** How a report is printed on this terminal. */
export interface Style {
  readonly color: boolean;
  /** Violated rules to leave out because they are shown elsewhere. */
  readonly omit?: ReadonlySet<string>;
  /** Width of the terminal; absent if unknown. Prose is wrapped, commands are not. */
  readonly columns?: number;
}

/**
 * Renders a run for a terminal: each failed rule in a few lines, what was blocked or not settled, and, if nothing failed, the
 * checks by endpoint.
 * The conclusion is printed separately, after this.
 */
export function resultsToTerminal(results: Results, style: Style): string {
  const colors = createColors(style.color);
  const look: ViolationStyle = {
    badge: ({ verdict }) => (verdict === "warn" ? colors.yellow("WARN") : colors.red(colors.bold("FAIL"))),
    paint: { expected: colors.green, seen: colors.red, label: colors.dim },
    columns: style.columns ?? Number.POSITIVE_INFINITY,
  };
  const list = (verdict: Verdict, title: string) => listed(rulesWith(results, verdict), title);
  const isFailed = results.summary.conclusion === "not-conformant";
  const parts = [
    blockedLines(results),
    list("error", "In error"),
    results.problems.length > 0
      ? ["The harness had problems", ...results.problems.map((text) => `  ${sanitizeShort(text, maxLine)}`)].join("\n")
      : "",
    list("inconclusive", "Inconclusive"),
    // Of no interest to a reader who looks for a failure.
    ...(isFailed ? [] : [settledElsewhere(results), list("notApplicable", `Not applicable: ${nothingToJudge}`)]),
    list("unimplemented", "Unimplemented"),
    sampledPart(results),
  ];
  const told = [
    ...violatedSections(results, look, style.omit),
    ...(results.strict ? [] : warnings(results, look)),
    ...parts.map((part) => wrappedLines(part, look.columns)),
    isFailed ? "" : endpointTable(results),
    ...baselineParts(results).map((part) => wrappedLines(part, look.columns)),
  ];
  return told.filter((part) => part !== "").join("\n\n");
}

/** What a quiet run prints before its conclusion: the problems of the baseline, if any. */
export function toQuietTerminal({ baseline }: Results): string {
  return (baseline ? baselineProblems(baseline) : []).map((line) => sanitizeShort(line, maxBaselineLine)).join("\n");
}

/** The conclusion of a run in one line. If the exit code is not 0, the code and its reasons come before the counts. */
export function conclusionLine(results: Results, { color }: Style): string {
  const colors = createColors(color);
  const paint = { conformant: colors.green, "not-conformant": colors.red, undecided: colors.yellow };
  const conclusion = colors.bold(paint[results.summary.conclusion](conclusionInWords(results)));
  const { code, why } = endingOf(results);
  const warned = rulesWith(results, "warn");
  const remark = warned.length > 0 ? `, with ${countOf(warned.length, "warning")}: ${firstIdsOf(warned)}` : "";
  // The reasons of another exit code already say whether the baseline holds.
  const limited = code === 0 ? qualificationOf(results) : joinReasons(limitations(results, results.summary.conformant));
  const { requests, durationMs, profile, seed } = results;
  const qualified = limited ? ` (${limited})` : "";
  const counts = countsLine(results);
  return [
    code === 0
      ? `${conclusion}${remark}${qualified}${remark === "" ? ":" : ";"} ${counts}`
      : `${conclusion}, exit ${code}: ${joinReasons(why)}${qualified}; ${counts}`,
    `${profile} profile, seed ${seed}, ${requestsInWords(requests)}, ${(durationMs / 1000).toFixed(1)} s`,
  ].join("; ");
}

function requestsInWords({ count, brokenOff = 0 }: Results["requests"]): string {
  const all = countOf(count, "request");
  return brokenOff === 0 ? all : `${all} (${countOf(brokenOff, "connection")} broke off)`;
}

/** What became of the baseline's entries. Problems come last, next to the conclusion. */
function baselineParts({ baseline }: Results): string[] {
  if (baseline === undefined) return [];
  const messages = (state: string) => baseline.entries.filter((entry) => entry.state === state).map((e) => e.message);
  const parts: [string, string[]][] = [
    ["Known deviations", messages("known")],
    ["Baseline entries that were not judged", messages("notJudged")],
    ["The baseline does not hold", baselineProblems(baseline)],
  ];
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      [`${title} (${lines.length})`, ...lines.map((line) => `  ${sanitizeShort(line, maxBaselineLine)}`)].join("\n"),
    );
}

/** Answers that were too large to be read in full. */
function sampledPart(results: Results): string {
  const lines = sampledLines(results);
  if (lines.length === 0) return "";
  const shown = lines.slice(0, maxListed).map((line) => `  ${sanitizeShort(line, maxLine)}`);
  return partOf(`Read as a sample: ${samplingRemark}`, shown, lines.length - shown.length, "results.json");
}

/** Maximum warnings that are shown in detail. */
const maxWarnings = 3;

/** The violated advisory rules: the first ones in detail, unless the run has failures to read about. */
function warnings(results: Results, look: ViolationStyle): string[] {
  const rules = rulesWith(results, "warn");
  const detailed = results.summary.conclusion === "not-conformant" ? [] : rules.slice(0, maxWarnings);
  const rest = rules.slice(detailed.length);
  const causes = byCause([...rulesWith(results, "fail"), ...rules]);
  const lines = rest.slice(0, maxListed).map((rule) => {
    const failed = causes.find((cause) => cause.rules.includes(rule))?.rules.find(({ verdict }) => verdict === "fail");
    const shared = failed ? `; may have the same cause as ${failed.id}` : "";
    return relatedRuleLine(rule, look, "  ", shared);
  });
  const title = `${detailed.length > 0 ? "Other warnings" : "Warnings"} (advisory) (${countOf(rest.length, "rule")})`;
  return [
    ...detailed.map((rule) => violatedRule(rule, results, look).join("\n")),
    rest.length > 0 ? partOf(title, lines, rest.length - maxListed, "summary.md") : "",
  ];
}

/** What could not be judged because an operation does not work, one line per cause. */
function blockedLines(results: Results): string {
  const lines = blockedRules(results).map(
    ({ cause, rules }) => `${countOf(rules.length, "rule")} blocked: ${sanitizeShort(cause, maxLine)}`,
  );
  return lines.join("\n");
}

/** Lists rules by the reason they share, to say in a dozen lines what would take a hundred. */
function listed(rules: readonly RuleEntry[], title: string): string {
  if (rules.length === 0) return "";
  const groups = rulesByReason(rules, mainReasonOf);
  const lines = groups
    .slice(0, maxListed)
    .map(({ reason, rules }) => `  ${named(rules)}: ${sanitizeShort(reason, maxLine)}`);
  const rest = groups.slice(maxListed).flatMap((group) => group.rules).length;
  return partOf(`${title} (${countOf(rules.length, "rule")})`, lines, rest, "summary.md");
}

/** A part of the report: its title, its lines, and where the rest is, if some are left out. */
function partOf(title: string, lines: readonly string[], rest: number, file: string): string {
  return [title, ...lines, ...(rest > 0 ? [`  and ${rest} more in ${file}`] : [])].join("\n");
}

/** Inconclusive checks of rules that other checks settled. The table counts them, so they need an explanation. */
function settledElsewhere(results: Results): string {
  const checks = results.rules
    .filter(({ verdict }) => verdict !== "inconclusive")
    .flatMap((rule) => rule.checks.filter(({ verdict }) => verdict === "inconclusive"));
  if (checks.length === 0) return "";
  // Reasons that differ only in numbers are the same.
  const groups = groupBy(checks, ({ message = "" }) => message.replace(/\d+/g, "0"));
  const lines = [...groups.values()].slice(0, maxListed).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more = others.length > 0 ? ` and ${countOf(others.length, "other check")}` : "";
    return [`  ${first.name}${more}: ${sanitizeShort(first.message ?? "", maxLine)}`];
  });
  const title = `Inconclusive, though other checks settled the rule (${countOf(checks.length, "check")})`;
  return partOf(title, lines, groups.size - lines.length, "results.json");
}

/** `one.rule`, or `25 rules (one.rule, another.rule, ...)`. */
function named(rules: readonly RuleEntry[]): string {
  const ids = firstIdsOf(rules, maxNamed);
  return rules.length === 1 ? ids : `${rules.length} rules (${ids})`;
}
