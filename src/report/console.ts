import { createColors } from "picocolors";
import type { Verdict } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { aligned } from "./aligned.js";
import { baselineProblems } from "./baseline.js";
import { blockedRules, causesIn, type OneCause } from "./causes.js";
import { endingOf } from "./exit-code.js";
import { inert, inertShort } from "./inert.js";
import {
  type CheckEntry,
  checkEntriesOf,
  type Results,
  type RuleEntry,
  reportedVerdicts,
  rulesWith,
  type ViolationEntry,
} from "./results.js";
import { sampledLines, samplingRemark } from "./sampled.js";
import {
  commandFor,
  comparedCommand,
  conclusionInWords,
  countsLine,
  curlLine,
  joinReasons,
  limitsOf,
  mainReasonOf,
  qualificationOf,
  rulesByReason,
  sameCauseTitle,
  violationLines,
} from "./wording.js";

/** Maximum length of text from the target on one line. */
const maxLine = 240;

/** Maximum lines listed per part of the report. Failed rules are always listed. */
const maxListed = 12;

/** Maximum causes of failures that are shown in detail. */
const maxAtLength = 12;

/** Maximum other requests that are shown with a violation. */
const maxOthers = 3;

/** Maximum rules named per reason. */
const maxNamed = 2;

/** Maximum length of a line about a baseline entry. Such a line is shown whole, since it says what to do. */
const maxBaselineLine = 600;

/** How violated rules are printed. */
interface ViolationStyle {
  /** Printed before the rule. */
  readonly badge: (rule: RuleEntry) => string;
  readonly paint: Readonly<Record<"expected" | "seen" | "label", (text: string) => string>>;
  readonly columns: number;
}

/** Width of the label column in the lines about a violation. */
const labelColumns = 14;

/** Lines that are meant to be copied are not wrapped. */
const whole: ReadonlySet<string> = new Set(["request", "compared to", "send again", "and compare", "reproduce"]);

/** How a report is printed on this terminal. */
export interface Style {
  readonly color: boolean;
  /** Violated rules to leave out because they are shown elsewhere. */
  readonly omit?: ReadonlySet<string>;
  /** Width of the terminal; absent if unknown. Prose is wrapped, commands are not. */
  readonly columns?: number;
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

/**
 * Renders a run for a terminal: checks by endpoint, what was blocked or not settled, and each failed rule in a few lines.
 * What is read first comes last. The conclusion is printed separately, after this.
 */
export function resultsToTerminal(results: Results, style: Style): string {
  const colors = createColors(style.color);
  const look: ViolationStyle = {
    badge: ({ verdict }) => (verdict === "warn" ? colors.yellow("WARN") : colors.red(colors.bold("FAIL"))),
    paint: { expected: colors.green, seen: colors.red, label: colors.dim },
    columns: style.columns ?? Number.POSITIVE_INFINITY,
  };
  const list = (verdict: Verdict, title: string) => listed(rulesWith(results, verdict), title);
  const parts = [
    blockedLines(results),
    list("error", "In error"),
    results.problems.length > 0
      ? ["The harness had problems", ...results.problems.map((text) => `  ${inertShort(text, maxLine)}`)].join("\n")
      : "",
    results.strict ? "" : warnings(rulesWith(results, "warn"), look),
    list("inconclusive", "Inconclusive"),
    settledElsewhere(results),
    list("notApplicable", "Not applicable: the target shows nothing that the rule is about, and need not"),
    list("unimplemented", "Unimplemented"),
    sampledPart(results),
  ];
  const told = [
    endpointTable(results),
    ...parts.map((part) => wrappedLines(part, look.columns)),
    ...violatedSections(results, look, style.omit),
    ...baselineParts(results).map((part) => wrappedLines(part, look.columns)),
  ];
  return told.filter((part) => part !== "").join("\n\n");
}

/** What a quiet run prints before its conclusion: the problems of the baseline, if any. */
export function toQuietTerminal({ baseline }: Results): string {
  return (baseline ? baselineProblems(baseline) : []).map((line) => inertShort(line, maxBaselineLine)).join("\n");
}

/** The conclusion of a run in one line. If the exit code is not 0, the code and its reasons come before the counts. */
export function conclusionLine(results: Results, { color }: Style): string {
  const colors = createColors(color);
  const paint = { conformant: colors.green, "not-conformant": colors.red, undecided: colors.yellow };
  const conclusion = colors.bold(paint[results.summary.conclusion](conclusionInWords(results)));
  const { code, why } = endingOf(results);
  const limited = code === 0 ? qualificationOf(results) : limitsOf(results);
  const { requests, durationMs, profile, seed } = results;
  const qualified = limited ? ` (${limited})` : "";
  const counts = countsLine(results);
  return [
    code === 0
      ? `${conclusion}${qualified}: ${counts}`
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
      [`${title} (${lines.length})`, ...lines.map((line) => `  ${inertShort(line, maxBaselineLine)}`)].join("\n"),
    );
}

/** Answers that were too large to be read in full. */
function sampledPart(results: Results): string {
  const lines = sampledLines(results);
  const shown = lines.slice(0, maxListed).map((line) => `  ${inertShort(line, maxLine)}`);
  const rest = lines.length - shown.length;
  return lines.length === 0
    ? ""
    : [
        `Read as a sample: ${samplingRemark}`,
        ...shown,
        ...(rest > 0 ? [`  and ${rest} more in results.json`] : []),
      ].join("\n");
}

/** A table of several targets: rules by verdict, conclusion and exit code. */
export function targetsTable(
  targets: readonly { readonly name: string; readonly results: Results; readonly code: number }[],
): string {
  const columns = reportedVerdicts.filter((verdict) =>
    targets.some(({ results }) => results.summary.verdicts[verdict] > 0),
  );
  const rows = targets.map(({ name, results, code }) => [
    name,
    ...columns.map((verdict) => String(results.summary.verdicts[verdict] || "-")),
    conclusionInWords(results),
    String(code),
  ]);
  return aligned(
    [["Target", ...columns.map((verdict) => columnTitles[verdict]), "conclusion", "exit code"], ...rows],
    1,
  );
}

/** A table of checks by endpoint and verdict. Verdicts that no check has are left out. */
function endpointTable(results: Results): string {
  const counts = new Map<Endpoint, Map<Verdict, number>>();
  for (const { check } of checkEntriesOf(results)) {
    const row = counts.get(check.endpoint) ?? new Map<Verdict, number>();
    counts.set(check.endpoint, row.set(check.verdict, (row.get(check.verdict) ?? 0) + 1));
  }
  if (counts.size === 0) return "";
  const columns = reportedVerdicts.filter((verdict) => [...counts.values()].some((row) => row.has(verdict)));
  const rows = endpointNames.flatMap((endpoint) => {
    const row = counts.get(endpoint);
    return row ? [[endpoint, ...columns.map((verdict) => row.get(verdict) ?? 0)]] : [];
  });
  const total = columns.map((verdict) => [...counts.values()].reduce((sum, row) => sum + (row.get(verdict) ?? 0), 0));
  const cells = [...rows, ...(rows.length > 1 ? [["all", ...total]] : [])].map((row) =>
    row.map((cell) => String(cell || "-")),
  );
  return aligned([["Checks", ...columns.map((verdict) => columnTitles[verdict])], ...cells], 1);
}

/** The violated rules: the first dozen causes in detail, then one line for each remaining rule. */
function violatedSections(results: Results, look: ViolationStyle, omit: ReadonlySet<string> = new Set()): string[] {
  const causes = causesIn(results).flatMap(({ place, rules }) => {
    const [first, ...others] = rules.filter(({ id }) => !omit.has(id));
    return first === undefined ? [] : [{ place, rules: [first, ...others] as const }];
  });
  const inShort = causes.slice(maxAtLength).flatMap(({ rules }) => rules);
  return [
    ...causes.slice(0, maxAtLength).map((cause) => violatedRules(cause, results, look)),
    inShort.map((rule) => relatedRuleLine(rule, look, "")).join("\n"),
  ];
}

/** The violated rules of one possible cause: the first in detail, the others in one line each. */
function violatedRules({ place, rules: [first, ...others] }: OneCause, results: Results, look: ViolationStyle): string {
  const along = others.map((rule) => relatedRuleLine(rule, look, "    "));
  const title = `  ${sameCauseTitle(others.length, inertShort(place, maxLine))}:`;
  return [...violatedRule(first, results, look), ...(along.length > 0 ? [title, ...along] : [])].join("\n");
}

/** A rule with its first violation and the number of other violations. */
function violatedRule(rule: RuleEntry, results: Results, { badge, paint, columns }: ViolationStyle): string[] {
  const violations = rule.checks.flatMap(({ endpoint, message, violations = [] }) =>
    violations.map((violation) => ({ endpoint, message, violation })),
  );
  const [first, ...others] = violations;
  if (first === undefined) return [`${badge(rule)} ${rule.id}`];
  const compared = comparedCommand(first.violation);
  const elsewhere = [...new Set(others.map(({ endpoint }) => endpoint))].filter((other) => other !== first.endpoint);
  const also = elsewhere.length > 0 ? `, also on ${elsewhere.join(", ")}` : "";
  const more = others.length > 0 ? ` (and ${countOf(others.length, "other violation")}${also})` : "";
  const { exchange, ...described } = violationLines(rule, first.violation, maxLine);
  const lines = [
    ...Object.entries({
      ...described,
      ...(first.message === undefined ? {} : { note: inertShort(first.message, maxLine) }),
      "send again": curlLine(first.violation),
      ...(compared && { "and compare": curlLine(compared) }),
      reproduce: inert(commandFor(results, rule)),
      "recorded as": exchange,
    }),
    ...otherRequests(first.violation, others).map((text) => ["also", text] as const),
  ];
  return [
    `${badge(rule)} ${wrapped(`${rule.id} on ${first.endpoint}${more}`, columns, "FAIL ".length)}`,
    ...lines.map(([name, text]) => {
      const shown = whole.has(name) ? text : wrapped(text, columns, labelColumns);
      const painted = name === "expected" || name === "seen" ? paint[name](shown) : shown;
      return `  ${paint.label(name.padEnd(labelColumns - 2))}${painted}`;
    }),
  ];
}

/** Other requests whose answers violate a rule: what they have in common with the first one tells the cause. */
function otherRequests(
  { request, operation, otherRequests = [] }: ViolationEntry,
  others: readonly { readonly violation: ViolationEntry }[],
): string[] {
  const distinct = new Map(
    others
      .filter(({ violation }) => violation.request !== request && violation.operation === operation)
      .map(({ violation }) => [violation.request, violation.message]),
  );
  return [
    ...otherRequests.map((asked) => inertShort(asked, maxLine)),
    ...[...distinct].map(([asked, message]) => `${inertShort(asked, maxLine)}: ${inertShort(message, maxLine)}`),
  ].slice(0, maxOthers);
}

/** One line for a rule that may be violated for the same cause as another one. */
function relatedRuleLine(rule: RuleEntry, { badge, columns }: ViolationStyle, indent: string): string {
  const [first] = rule.checks.flatMap(({ endpoint, violations = [] }) =>
    violations.map(({ message }) => `on ${endpoint}: ${inertShort(message, maxLine)}`),
  );
  const hanging = indent.length + 2;
  // The first line has less room: the badge comes before it.
  const text = wrapped(`${rule.id} ${first ?? ""}`.trimEnd(), columns, hanging, indent.length + "FAIL ".length);
  return `${indent}${badge(rule)} ${text}`;
}

/** The violated advisory rules, with the request that shows each. */
function warnings(rules: readonly RuleEntry[], look: ViolationStyle): string {
  if (rules.length === 0) return "";
  const lines = rules.slice(0, maxListed).flatMap((rule) => {
    const [violation] = rule.checks.flatMap(({ violations = [] }) => violations);
    const request = violation ? [`    request ${inertShort(violation.request, maxLine)}`] : [];
    return [relatedRuleLine(rule, look, "  "), ...request];
  });
  return partOf("Warnings (advisory)", rules.length, lines, rules.length - maxListed, "summary.md");
}

/** What could not be judged because an operation does not work, one line per cause. */
function blockedLines(results: Results): string {
  const lines = blockedRules(results).map(
    ({ cause, rules }) => `${countOf(rules.length, "rule")} blocked: ${inertShort(cause, maxLine)}`,
  );
  return lines.join("\n");
}

/** Lists rules by the reason they share, to say in a dozen lines what would take a hundred. */
function listed(rules: readonly RuleEntry[], title: string): string {
  if (rules.length === 0) return "";
  const groups = rulesByReason(rules, mainReasonOf);
  const lines = groups
    .slice(0, maxListed)
    .map(({ reason, rules }) => `  ${named(rules)}: ${inertShort(reason, maxLine)}`);
  const rest = groups.slice(maxListed).flatMap((group) => group.rules).length;
  return partOf(title, rules.length, lines, rest, "summary.md");
}

/** A part of the report: its title, how many it is about, its lines, and where the rest is, if some are left out. */
function partOf(title: string, total: number, lines: readonly string[], rest: number, file: string): string {
  return [`${title} (${total})`, ...lines, ...(rest > 0 ? [`  and ${rest} more in ${file}`] : [])].join("\n");
}

/** Inconclusive checks of rules that other checks settled. The table counts them, so that they need an explanation. */
function settledElsewhere(results: Results): string {
  const checks = [...checkEntriesOf(results)].filter(
    ({ rule, check }) => check.verdict === "inconclusive" && rule.verdict !== "inconclusive",
  );
  if (checks.length === 0) return "";
  const groups = new Map<string, { readonly first: CheckEntry; count: number }>();
  for (const { check } of checks) {
    // Reasons that differ in their numbers only are one.
    const reason = (check.message ?? "").replace(/\d+/g, "0");
    const group = groups.get(reason);
    if (group) group.count++;
    else groups.set(reason, { first: check, count: 1 });
  }
  const lines = [...groups.values()].slice(0, maxListed).map(({ first, count }) => {
    const more = count > 1 ? ` and ${countOf(count - 1, "other check")}` : "";
    return `  ${first.name}${more}: ${inertShort(first.message ?? "", maxLine)}`;
  });
  const rest = groups.size - lines.length;
  return partOf("Inconclusive checks of rules that other checks settled", checks.length, lines, rest, "results.json");
}

/** `one.rule`, or `25 rules (one.rule, another.rule, ...)`. */
function named(rules: readonly RuleEntry[]): string {
  const ids = rules.slice(0, maxNamed).map(({ id }) => id);
  if (rules.length === 1) return ids.join();
  return `${rules.length} rules (${[...ids, ...(rules.length > maxNamed ? ["..."] : [])].join(", ")})`;
}

/** Wraps lines of prose to the width of the terminal, with a hanging indent. Lines that fit are left as they are. */
function wrappedLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      const [indent = ""] = /^ */.exec(line) ?? [];
      return line.length <= columns
        ? line
        : `${indent}${wrapped(line.trimStart(), columns, indent.length + 2, indent.length)}`;
    })
    .join("\n");
}

/**
 * Wraps a text to a width, breaking only at spaces.
 *
 * @param hanging indent of every line but the first
 * @param taken columns of the first line that are already used
 */
function wrapped(text: string, columns: number, hanging: number, taken = hanging): string {
  const lines: string[] = [];
  let room = columns - taken;
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      room = columns - hanging;
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(hanging)}`);
}
