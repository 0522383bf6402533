import { createColors } from "picocolors";
import { type Endpoint, endpointNames } from "../spec/endpoints.js";
import type { Verdict } from "../verdict/result.js";
import { baselineProblems, unexpectedRules } from "./baseline.js";
import { inert, inertShort } from "./inert.js";
import { checksOf, type Results, type RuleEntry, reportedVerdicts, rulesWith } from "./results.js";
import { sampledLines, samplingRemark } from "./sampled.js";
import {
  commandFor,
  conclusionOf,
  countOf,
  countsLine,
  fourLines,
  qualificationOf,
  reasonOf,
  rulesByReason,
} from "./wording.js";

/** Longest line about a violation: four of them and the command stay below 1 KB. */
const MAX_LINE = 160;

/** Reasons of one kind that are listed; the summary has all of them. Failed rules are always listed. */
const MAX_LISTED = 12;

/** A line about an entry of the baseline is shown whole: it says what to do. */
const MAX_BASELINE_LINE = 600;

/** How a report looks on this terminal. */
export interface Style {
  readonly color: boolean;
}

const columnTitles: Readonly<Record<Verdict, string>> = {
  pass: "pass",
  fail: "fail",
  warn: "warn",
  inconclusive: "inconclusive",
  blocked: "blocked",
  notApplicable: "not applicable",
  unimplemented: "unimplemented",
  observed: "observed",
  notRun: "not run",
  error: "error",
};

/** What a run came to, for a terminal: checks by endpoint, each failed rule in four lines, what was not settled, the conclusion. */
export function toTerminal(results: Results, style: Style): string {
  const colors = createColors(style.color);
  const list = (verdict: Verdict, title: string) => listed(rulesWith(results, verdict), title);
  const parts = [
    endpointTable(results),
    ...unexpectedRules(results, "fail").map((rule) => violatedRule(rule, results, colors.red(colors.bold("FAIL")))),
    list("error", "In error"),
    results.problems.length > 0
      ? ["The harness had problems", ...results.problems.map((text) => `  ${inertShort(text, MAX_LINE)}`)].join("\n")
      : "",
    ...(results.strict
      ? unexpectedRules(results, "warn").map((rule) => violatedRule(rule, results, colors.yellow("WARN")))
      : [list("warn", "Warnings (advisory)")]),
    list("inconclusive", "Inconclusive"),
    list("unimplemented", "Unimplemented"),
    sampledPart(results),
    ...baselineParts(results),
    conclusionLine(results, style),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** All that a quiet run prints: its conclusion and, where the baseline does not hold, why. */
export function toQuietTerminal(results: Results, style: Style): string {
  const problems = results.baseline ? baselineProblems(results.baseline) : [];
  return [...problems.map((line) => inertShort(line, MAX_BASELINE_LINE)), conclusionLine(results, style)].join("\n");
}

/** The conclusion of a run in one line. */
export function conclusionLine(results: Results, { color }: Style): string {
  const colors = createColors(color);
  const conclusion = conclusionOf(results);
  const paint = { CONFORMANT: colors.green, "NOT CONFORMANT": colors.red, UNDECIDED: colors.yellow }[conclusion];
  const qualification = qualificationOf(results);
  const { requests, durationMs, profile, seed } = results;
  return [
    `${colors.bold(paint(conclusion))}${qualification ? ` (${qualification})` : ""}: ${countsLine(results)}`,
    `${profile} profile, seed ${seed}, ${countOf(requests.count, "request")}, ${(durationMs / 1000).toFixed(1)} s`,
  ].join("; ");
}

/** What became of the baseline's entries; what is wrong with it comes last, next to the conclusion. */
function baselineParts({ baseline }: Results): string[] {
  if (baseline === undefined) return [];
  const messages = (state: string) => baseline.entries.filter((entry) => entry.state === state).map((e) => e.message);
  const parts: [string, string[]][] = [
    ["Known deviations", messages("known")],
    ["Of the baseline, not judged", messages("notJudged")],
    ["The baseline does not hold", baselineProblems(baseline)],
  ];
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      [`${title} (${lines.length})`, ...lines.map((line) => `  ${inertShort(line, MAX_BASELINE_LINE)}`)].join("\n"),
    );
}

/** Answers that were too large to be read whole. */
function sampledPart(results: Results): string {
  const lines = sampledLines(results);
  const shown = lines.slice(0, MAX_LISTED).map((line) => `  ${inertShort(line, MAX_LINE)}`);
  const rest = lines.length - shown.length;
  return lines.length === 0
    ? ""
    : [
        `Read as a sample: ${samplingRemark}`,
        ...shown,
        ...(rest > 0 ? [`  and ${rest} more in results.json`] : []),
      ].join("\n");
}

/** Several targets beside each other: what each came to, its exit code, and its rules by verdict. */
export function targetsTable(
  targets: readonly { readonly name: string; readonly results: Results; readonly code: number }[],
): string {
  const columns = reportedVerdicts.filter((verdict) =>
    targets.some(({ results }) => results.summary.verdicts[verdict] > 0),
  );
  const rows = targets.map(({ name, results, code }) => [
    name,
    ...columns.map((verdict) => String(results.summary.verdicts[verdict] || "-")),
    conclusionOf(results),
    String(code),
  ]);
  return aligned([["Target", ...columns.map((verdict) => columnTitles[verdict]), "conclusion", "exit code"], ...rows]);
}

/** Checks by endpoint and verdict; verdicts that no check has are left out. */
function endpointTable(results: Results): string {
  const counts = new Map<Endpoint, Map<Verdict, number>>();
  for (const { check } of checksOf(results)) {
    const row = counts.get(check.endpoint) ?? new Map<Verdict, number>();
    counts.set(check.endpoint, row.set(check.verdict, (row.get(check.verdict) ?? 0) + 1));
  }
  if (counts.size === 0) return "";
  const columns = reportedVerdicts.filter((verdict) => [...counts.values()].some((row) => row.has(verdict)));
  const rows = endpointNames
    .filter((endpoint) => counts.has(endpoint))
    .map((endpoint) => [endpoint, ...columns.map((verdict) => String(counts.get(endpoint)?.get(verdict) ?? "-"))]);
  return aligned([["Checks", ...columns.map((verdict) => columnTitles[verdict])], ...rows]);
}

/** Lines of cells as columns: the first one to the left, the others to the right. */
function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** A rule with its first violation; the number of others follows. */
function violatedRule(rule: RuleEntry, results: Results, badge: string): string {
  const violations = rule.checks.flatMap(({ endpoint, violations = [] }) =>
    violations.map((violation) => ({ endpoint, violation })),
  );
  const [first, ...others] = violations;
  if (first === undefined) return `${badge} ${rule.id}`;
  const more = others.length > 0 ? ` (and ${countOf(others.length, "other violation")})` : "";
  return [
    `${badge} ${rule.id} on ${first.endpoint}${more}`,
    ...Object.entries(fourLines(rule, first.violation, MAX_LINE)).map(([name, text]) => `  ${name.padEnd(12)}${text}`),
    `  ${"reproduce".padEnd(12)}${inert(commandFor(results, rule))}`,
  ].join("\n");
}

/** Rules by the reason that they share: a dozen lines say more than a hundred. */
function listed(rules: readonly RuleEntry[], title: string): string {
  if (rules.length === 0) return "";
  const groups = rulesByReason(rules, reasonOf);
  const lines = groups.slice(0, MAX_LISTED).map(({ reason, rules: [first, ...others] }) => {
    const more = others.length > 0 ? ` and ${countOf(others.length, "other")}` : "";
    return `  ${first?.id}${more}: ${inertShort(reason, MAX_LINE)}`;
  });
  const rest = groups.slice(MAX_LISTED).flatMap((group) => group.rules).length;
  return [`${title} (${rules.length})`, ...lines, ...(rest > 0 ? [`  and ${rest} more in summary.md`] : [])].join("\n");
}
