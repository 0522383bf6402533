import { labelsInWords } from "../config/labels.js";
import { countOf } from "../judge/judgement.js";
import { readingLines } from "../specification/readings.js";
import { baselineProblems, unexpectedRules } from "./baseline.js";
import type { EntryState } from "./baseline-report.js";
import { blockedRules, byCause } from "./causes.js";
import { deciding } from "./conclusion.js";
import { inert, inertShort } from "./inert.js";
import { type CheckEntry, type Results, type RuleEntry, rulesWith } from "./results.js";
import { sampledLines, samplingRemark } from "./sampled.js";
import {
  combinationsLine,
  commandFor,
  conclusionOf,
  countsLine,
  curlLine,
  detectionPowerLine,
  limitsOf,
  reasonOf,
  rulesByReason,
  sameCauseTitle,
  violationLines,
} from "./wording.js";

/** Longest text from the target in one line. */
const MAX_LINE = 300;

/** A command is shown whole: it is there to be pasted. */
const WHOLE = Number.POSITIVE_INFINITY;

/** Violations and observations of one check that are listed; `results.json` has all of them. */
const MAX_VIOLATIONS = 5;
const MAX_OBSERVATIONS = 20;
const MAX_SAMPLED = 20;

/**
 * A run as a short Markdown page: what it comes to, then what to act on (the baseline, violations, errors, warnings), then
 * what is known, then what was not settled and what would settle it, then what was merely observed. Texts from the target stand in code spans.
 */
export function toMarkdown(results: Results): string {
  const limits = limitsOf(results);
  return [
    `# ${conclusionOf(results)}${limits ? ` (${limits})` : ""}`,
    deciding(results)
      .map((reason) => `- ${code(reason)}`)
      .join("\n"),
    factsTable(results),
    section(
      "Problems of the harness",
      results.problems.map((problem) => `- ${code(problem)}`),
    ),
    section(
      "The baseline does not hold",
      (results.baseline ? baselineProblems(results.baseline) : []).map((line) => `- ${code(line, WHOLE)}`),
    ),
    section("Failed rules", violatedRules(unexpectedRules(results, "fail"), results)),
    section("Blocked", blocked(results)),
    section("Rules in error", reasoned(rulesWith(results, "error"))),
    section(
      results.strict ? "Warnings (they count: the run is strict)" : "Warnings (advisory: they do not count)",
      violatedRules(unexpectedRules(results, "warn"), results),
    ),
    section("Read as a sample", sampled(results)),
    section("Known deviations", baselineLines(results, "known")),
    section("Inconclusive, and what would settle it", reasoned(rulesWith(results, "inconclusive"))),
    section(
      "Not applicable: what these rules speak of may be absent, and is",
      reasoned(rulesWith(results, "notApplicable")),
    ),
    section("Of the baseline, not judged", baselineLines(results, "notJudged")),
    section("Unimplemented", reasoned(rulesWith(results, "unimplemented"))),
    section("Observations", rulesWith(results, "observed").flatMap(observed)),
    section("Not run", notRun(results)),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function factsTable(results: Results): string {
  const { target, profile, seed, specification, harness, requests, summary, durationMs, labels } = results;
  const { conclusive, judged } = summary.conclusiveness;
  const implementation = Object.values(target.implementation ?? {}).join(" ");
  const combinations = combinationsLine(summary.interactions);
  const rows: (readonly [string, string])[] = [
    ["Target", cell(target.baseUrl)],
    ...(implementation ? [["Implementation", cell(implementation)] as const] : []),
    ["Profile", profile],
    ["Seed", String(seed)],
    ...(results.readings
      ? [
          [
            "Readings",
            readingLines(results.readings)
              .map((line) => cell(line))
              .join(", "),
          ] as const,
        ]
      : []),
    ...(labels ? [["Labels", cell(labelsInWords(labels))] as const] : []),
    ["Rules", countsLine(results)],
    ["Conclusive", `${conclusive} of ${countOf(judged, "judged rule")}`],
    ["Detection power", detectionPowerLine],
    ...(combinations ? [["Combinations", combinations] as const] : []),
    ["Requests", `${requests.count}, of them ${countOf(requests.streams, "stream")}`],
    ["Duration", `${(durationMs / 1000).toFixed(1)} s, from ${results.startedAt}`],
    [
      "Specification",
      `${specification.name} ${specification.version}, catalogue ${cell(specification.catalogueDigest)}`,
    ],
    ["Harness", `${harness.name} ${harness.version}`],
    ["Again", cell(results.command, WHOLE)],
  ];
  return ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`## ${title}`, "", ...lines].join("\n");
}

/** Violated rules; of those that may have one cause the first one, with a line for each other. */
function violatedRules(rules: readonly RuleEntry[], results: Results): string[] {
  return byCause(rules).flatMap(({ place, rules: [first, ...others] }) => [
    ...violated(first, results),
    ...(others.length === 0 ? [] : [`${sameCauseTitle(others.length, code(place))}:`, "", ...others.map(along), ""]),
  ]);
}

/** A rule that may be violated for the cause of another one, in a line. */
function along(rule: RuleEntry): string {
  const operations = rule.checks.flatMap(({ endpoint, violations }) => (violations ? [endpoint] : []));
  return `- ${rule.id} on ${[...new Set(operations)].join(", ")}: ${code(reasonOf(rule))}`;
}

function violated(rule: RuleEntry, results: Results): string[] {
  const blocks = rule.checks.flatMap((check) => {
    const violations = check.violations ?? [];
    const shown = violations.slice(0, MAX_VIOLATIONS).map((violation) => {
      const lines = violationLines(rule, violation, MAX_LINE);
      const { expected, seen, where, request, "compared to": other } = lines;
      return [
        `- ${check.endpoint}`,
        `  - expected: ${code(expected)}`,
        `  - seen: ${code(seen)}`,
        `  - where: ${code(where)}`,
        `  - request: ${code(request, WHOLE)}`,
        ...(other === undefined ? [] : [`  - compared to: ${code(other, WHOLE)}`]),
        `  - send it again: ${code(curlLine(violation), WHOLE)}`,
      ];
    });
    const rest = violations.length - shown.length;
    const smallest = check.counterexample
      ? [`- smallest request that shows it: ${code(check.counterexample.values)}`]
      : [];
    return [...shown.flat(), ...smallest, ...(rest > 0 ? [`- and ${countOf(rest, "other violation")}`] : [])];
  });
  return [
    `### ${rule.id}`,
    "",
    `${rule.section}: ${rule.statement} ${rule.impact}`,
    ...(rule.reading ?? []).flatMap(({ ruling, text }) => ["", `Read by ${ruling}: ${text}`]),
    "",
    ...blocks,
    `- reproduce: ${code(commandFor(results, rule), WHOLE)}`,
    "",
  ];
}

/** What could not be judged since an operation does not work: a line for each cause. */
function blocked(results: Results): string[] {
  return blockedRules(results).map(
    ({ cause, rules }) => `- ${countOf(rules.length, "rule")} blocked: ${code(cause)}: ${idsOf(rules)}`,
  );
}

/** Answers that were too large to be read whole. */
function sampled(results: Results): string[] {
  const lines = sampledLines(results);
  const rest = lines.length - MAX_SAMPLED;
  return [
    ...lines.slice(0, MAX_SAMPLED).map((line) => `- ${code(line)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(lines.length > 0 ? ["", `Of a sample ${samplingRemark}.`] : []),
  ];
}

function baselineLines({ baseline }: Results, state: EntryState): string[] {
  const entries = (baseline?.entries ?? []).filter((entry) => entry.state === state);
  return entries.map(({ message }) => `- ${code(message, WHOLE)}`);
}

function reasoned(rules: readonly RuleEntry[]): string[] {
  return rulesByReason(rules, reasonOf).map(({ reason, rules }) => `- ${code(reason)}: ${idsOf(rules)}`);
}

function observed(rule: RuleEntry): string[] {
  const lines = rule.checks.flatMap((check) => observationsOf(check).map((text) => `  - ${check.endpoint}: ${text}`));
  return [`- ${rule.id}: ${rule.statement}`, ...lines];
}

function observationsOf({ observations = [], message }: CheckEntry): string[] {
  const shown = observations.slice(0, MAX_OBSERVATIONS).map(({ what, seen }) => `${inert(what)}: ${code(seen)}`);
  const rest = observations.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : []), ...(message ? [code(message)] : [])];
}

function notRun(results: Results): string[] {
  const groups = rulesByReason(rulesWith(results, "notRun"), ({ reason = "" }) => reason);
  return groups.map(({ reason, rules }) => `- ${reason.replace(/\.$/, "")}: ${idsOf(rules)}`);
}

function idsOf(rules: readonly RuleEntry[]): string {
  return rules.map(({ id }) => id).join(", ");
}

/** The same in a cell of a table, which it cannot end either. */
function cell(text: string, maxLength = MAX_LINE): string {
  return code(text, maxLength).replaceAll("|", "\\|");
}

/** A text in a code span that it cannot leave: nothing in it is Markdown or HTML. */
function code(text: string, maxLength = MAX_LINE): string {
  const line = inertShort(text, maxLength);
  const longestRun = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return longestRun > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
