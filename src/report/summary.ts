import { labelsInWords } from "../config/labels.js";
import { countOf } from "../judge/judgement.js";
import { readingLines } from "../specification/readings.js";
import { baselineProblems, unexpectedRules } from "./baseline.js";
import type { EntryState } from "./baseline-report.js";
import { blockedRules, byCause } from "./causes.js";
import { changesInWords } from "./changes.js";
import { decidingReasons } from "./conclusion.js";
import { codeSpan } from "./markdown.js";
import { powerLine } from "./power-score.js";
import { type Results, type RuleEntry, rulesWith } from "./results.js";
import { sampledLines, samplingRemark } from "./sampled.js";
import { sanitizeShort } from "./sanitize.js";
import {
  combinationsLine,
  commandFor,
  commandOf,
  comparedCommand,
  conclusionInWords,
  countsLine,
  curlLine,
  detectionPowerLine,
  implementationOf,
  limitationsLine,
  nothingToJudge,
  reasonOf,
  rulesByReason,
  sameCauseTitle,
  violationLines,
} from "./wording.js";

/** Maximum length of text from the target on one line. */
const maxLine = 300;

/** Commands are shown whole, since they are meant to be copied. */
const unlimited = Number.POSITIVE_INFINITY;

/** Maximum length of text in an overview line. Its fold, or `results.json`, has the rest. */
const maxShort = 80;

/** Maximum failures listed in one line each, before the fold with all details. */
const maxFailedLines = 10;

/** Maximum violations listed per check, and maximum answers read as a sample. `results.json` has all of them. */
const maxViolations = 5;
const maxSampled = 20;

/** Maximum observations and rules not run that are named. The report and `results.json` have all of them. */
const maxObserved = 10;
const maxNotRun = 5;

/**
 * Renders a run as a short Markdown page: the conclusion, the failures in a few lines, and what changed. Then come the facts
 * and, in folds, the details of the failures, what was not settled and what would settle it, and the observations. Text from
 * the target is put in code spans.
 */
export function resultsToMarkdown(results: Results): string {
  const limits = limitationsLine(results);
  const failed = unexpectedRules(results, "fail");
  const undecided = results.summary.conclusion === "undecided";
  return [
    `# ${conclusionInWords(results)}${limits ? ` (${limits})` : ""}`,
    decidingReasons(results)
      .map((reason) => `- ${code(reason)}`)
      .join("\n"),
    section(
      "Problems of the harness",
      results.problems.map((problem) => `- ${code(problem)}`),
    ),
    section("Failed rules", failuresInShort(failed)),
    fold("All about the failed rules", violatedRules(failed, results)),
    section("Rules in error", linesByReason(rulesWith(results, "error"))),
    section("Blocked", blocked(results)),
    section(
      "The baseline does not hold",
      (results.baseline ? baselineProblems(results.baseline) : []).map((line) => `- ${code(line, unlimited)}`),
    ),
    changes(results),
    factsTable(results),
    foldOf(
      results.strict ? "Warnings (they count: the run is strict)" : "Warnings (advisory: they do not count)",
      unexpectedRules(results, "warn"),
      (rules) => violatedRules(rules, results),
      results.strict,
    ),
    fold("Read as a sample", sampled(results)),
    fold("Known deviations", baselineLines(results, "known")),
    foldOf("Inconclusive, and what would settle it", rulesWith(results, "inconclusive"), linesByReason, undecided),
    foldOf(`Not applicable: ${nothingToJudge}`, rulesWith(results, "notApplicable"), (rules) =>
      linesByReason(rules, 2 * maxShort),
    ),
    fold("Baseline entries that were not judged", baselineLines(results, "notJudged")),
    foldOf("Unimplemented", rulesWith(results, "unimplemented"), linesByReason, undecided),
    foldOf("Observations", rulesWith(results, "observed"), observationLines),
    foldOf("Not run", rulesWith(results, "notRun"), notRunLines),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** The failures, one line per cause; only the first ones if there are many. */
function failuresInShort(rules: readonly RuleEntry[]): string[] {
  const causes = byCause(rules);
  const shown = causes.length > maxFailedLines ? causes.slice(0, maxFailedLines - 1) : causes;
  const rest = causes.slice(shown.length).reduce((sum, cause) => sum + cause.rules.length, 0);
  return [
    ...shown.map(({ rules: [first, ...others] }) => {
      const check = first.checks.find(({ violations = [] }) => violations.length > 0);
      const place = check?.violations?.[0]?.places[0];
      const values = place ? `: expected ${code(place.expected, maxShort)}, seen ${code(place.seen, maxShort)}` : "";
      const more = others.length > 0 ? ` (and ${countOf(others.length, "other rule")} at the same place)` : "";
      return `- **${first.id}**${check ? ` on ${check.endpoint}` : ""}${values}${more}`;
    }),
    ...(rest > 0 ? [`- and ${countOf(rest, "other rule")}`] : []),
  ];
}

/** What changed since the previous run in the same folder. */
function changes({ before }: Results): string {
  if (before === undefined) return "";
  const { startedAt, labels } = before;
  const when = `${startedAt.slice(0, 16).replace("T", " ")} UTC`;
  const which = `the run of ${when}${labels ? ` (${code(labelsInWords(labels))})` : ""}`;
  const lines = changesInWords(before).map(([what, ids]) => `- ${what}: ${named(ids, 2 * maxFailedLines)}`);
  return lines.length === 0 ? `Nothing is new since ${which}.` : section(`Since ${which}`, lines);
}

function factsTable(results: Results): string {
  const { target, profile, seed, specification, harness, requests, summary, durationMs, labels } = results;
  const { conclusive, judged } = summary.conclusiveness;
  const implementation = implementationOf(results);
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
    ["Detection power of the harness", detectionPowerLine],
    ...(results.power ? [["Power on these data", powerLine(results.power)] as const] : []),
    ...(combinations ? [["Combinations", combinations] as const] : []),
    ["Requests", `${requests.count}, of them ${countOf(requests.streams, "stream")}${brokenOff(requests)}`],
    ["Duration", `${(durationMs / 1000).toFixed(1)} s, from ${results.startedAt}`],
    [
      "Specification",
      `${specification.name} ${specification.version}, catalogue ${cell(specification.catalogueDigest)}`,
    ],
    ["Harness", `${harness.name} ${harness.version}`],
    ["Repeat the run", cell(commandOf(results), unlimited)],
  ];
  return ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`## ${title}`, "", ...lines].join("\n");
}

/** Lines that are shown on demand. The title is not escaped, so it must contain nothing from the target. */
function fold(title: string, lines: readonly string[], open = false): string {
  if (lines.length === 0) return "";
  return [`<details${open ? " open" : ""}><summary>${title}</summary>`, "", ...lines, "", "</details>"].join("\n");
}

/** {@link fold} with lines about rules, and their number in the title. */
function foldOf(
  title: string,
  rules: readonly RuleEntry[],
  linesOf: (rules: readonly RuleEntry[]) => readonly string[],
  open = false,
): string {
  return fold(`${title} (${rules.length})`, linesOf(rules), open);
}

/** Violated rules by possible cause: the first rule in full, the others in one line each. */
function violatedRules(rules: readonly RuleEntry[], results: Results): string[] {
  return byCause(rules).flatMap(({ place, rules: [first, ...others] }) => [
    ...violatedRule(first, results),
    ...(others.length === 0 ? [] : [`${sameCauseTitle(others.length, code(place))}:`, "", ...others.map(related), ""]),
  ]);
}

function brokenOff({ brokenOff = 0 }: Results["requests"]): string {
  return brokenOff === 0 ? "" : `; ${countOf(brokenOff, "connection")} broke off`;
}

/** One line for a rule that may be violated for the same cause as another one. */
function related(rule: RuleEntry): string {
  const operations = rule.checks.flatMap(({ endpoint, violations }) => (violations ? [endpoint] : []));
  return `- ${rule.id} on ${[...new Set(operations)].join(", ")}: ${code(reasonOf(rule))}`;
}

function violatedRule(rule: RuleEntry, results: Results): string[] {
  const told = new Set<string>();
  const blocks = rule.checks.flatMap((check) => {
    // Checks that share an exchange find the same there.
    const violations = (check.violations ?? []).filter(({ message, exchange }) => {
      const text = `${exchange} ${message}`;
      return !told.has(text) && told.add(text);
    });
    const shown = violations.slice(0, maxViolations).map((violation) => {
      const lines = violationLines(rule, violation, maxLine);
      const { expected, seen, where, request, exchange, "compared to": comparedTo } = lines;
      const compared = comparedCommand(violation);
      return [
        `- ${check.endpoint}`,
        `  - expected: ${code(expected)}`,
        `  - seen: ${code(seen)}`,
        `  - where: ${code(where)}`,
        `  - request: ${code(request, unlimited)}`,
        ...(comparedTo === undefined ? [] : [`  - compared to: ${code(comparedTo, unlimited)}`]),
        `  - exchange: ${code(exchange)}`,
        `  - send again: ${code(curlLine(violation), unlimited)}`,
        ...(compared ? [`  - and compare: ${code(curlLine(compared), unlimited)}`] : []),
      ];
    });
    const rest = violations.length - shown.length;
    const note = shown.length > 0 && check.message !== undefined ? [`  - note: ${code(check.message, maxLine)}`] : [];
    const smallest = check.counterexample
      ? [`- smallest request that shows it: ${code(check.counterexample.values)}`]
      : [];
    return [...shown.flat(), ...note, ...smallest, ...(rest > 0 ? [`- and ${countOf(rest, "other violation")}`] : [])];
  });
  return [
    `### ${rule.id}`,
    "",
    `${rule.section}: ${rule.statement} ${rule.impact}`,
    ...(rule.reading ?? []).flatMap(({ ruling, text }) => ["", `Read by ${ruling}: ${text}`]),
    "",
    ...blocks,
    `- run again: ${code(commandFor(results, rule), unlimited)}`,
    "",
  ];
}

/** What could not be judged because an operation does not work, one line per cause. */
function blocked(results: Results): string[] {
  return blockedRules(results).map(
    ({ cause, rules }) => `- ${countOf(rules.length, "rule")} blocked: ${code(cause)}: ${idsOf(rules)}`,
  );
}

/** Answers that were too large to be read in full. */
function sampled(results: Results): string[] {
  const lines = sampledLines(results);
  const rest = lines.length - maxSampled;
  return [
    ...lines.slice(0, maxSampled).map((line) => `- ${code(line)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(lines.length > 0 ? ["", `Of a sample ${samplingRemark}.`] : []),
  ];
}

function baselineLines({ baseline }: Results, state: EntryState): string[] {
  const entries = (baseline?.entries ?? []).filter((entry) => entry.state === state);
  return entries.map(({ message }) => `- ${code(message, unlimited)}`);
}

function linesByReason(rules: readonly RuleEntry[], maxLength = maxLine): string[] {
  return rulesByReason(rules, reasonOf).map(({ reason, rules }) => `- ${code(reason, maxLength)}: ${idsOf(rules)}`);
}

/** A few observations, one per line: the first one of a rule shows what kind of thing it observes. */
function observationLines(rules: readonly RuleEntry[]): string[] {
  const lines = rules.flatMap(({ id, checks }) => {
    const [first] = checks.flatMap(({ endpoint, observations = [], message }) =>
      observations.length > 0 || message === undefined
        ? observations.map(({ what, seen }) => `${endpoint}: ${sanitizeShort(what, maxShort)}: ${code(seen, maxShort)}`)
        : [`${endpoint}: ${code(message, maxShort)}`],
    );
    return first === undefined ? [] : [`- ${id}, ${first}`];
  });
  const rest = lines.length - maxObserved;
  return [
    ...lines.slice(0, maxObserved),
    ...(rest > 0 ? [`- and ${rest} more in \`results.json\` and in the report`] : []),
  ];
}

function notRunLines(rules: readonly RuleEntry[]): string[] {
  const groups = rulesByReason(rules, ({ level, reason = "" }) =>
    level === "unobservable" ? "they cannot be observed from outside (`explain` says why)" : reason,
  );
  return groups.map(({ reason, rules }) => {
    const ids = rules.map(({ id }) => id);
    return `- ${sanitizeShort(reason.replace(/\.$/, ""), 2 * maxShort)}: ${named(ids, maxNotRun)}`;
  });
}

/** The first ids, and the number of the others. */
function named(ids: readonly string[], atMost: number): string {
  const rest = ids.length - atMost;
  return rest > 1 ? `${ids.slice(0, atMost).join(", ")} and ${rest} others` : ids.join(", ");
}

function idsOf(rules: readonly RuleEntry[]): string {
  return rules.map(({ id }) => id).join(", ");
}

/** {@link code} for a table cell: the text cannot end the cell either. */
function cell(text: string, maxLength = maxLine): string {
  return code(text, maxLength).replaceAll("|", "\\|");
}

function code(text: string, maxLength = maxLine): string {
  return codeSpan(sanitizeShort(text, maxLength));
}
