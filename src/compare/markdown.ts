/** Renders a comparison as Markdown, for a pull request or the notes of a working group. */
import { labelsInWords } from "../config/labels.js";
import { countOf } from "../judge/judgement.js";
import { codeSpan } from "../report/markdown.js";
import { sanitizeShort } from "../report/sanitize.js";
import { answerDifferenceKinds } from "./answers.js";
import type { Comparison, ObservationRow, RuleGroup } from "./comparison.js";
import {
  answerKindTitles,
  cellText,
  groupTitle,
  headline,
  interactionsText,
  placesInWords,
  timesText,
  verdictWord,
} from "./wording.js";

/** Maximum length of text from a target in one cell. */
const maxCell = 200;

/** The first line of a comparison in Markdown. It is not shown. */
export const markdownMark = "<!-- perp-conformance compare -->";

/** A comparison as Markdown: the same parts as the page, with texts from targets in code spans. */
export function comparisonToMarkdown(comparison: Comparison): string {
  const { runs, notes, rules, observations, regressions, times, interactions } = comparison;
  const names = runs.map(({ name }) => code(name));
  const ofKind = observations.filter(({ difference }) => difference === "kind");
  const others = observations.filter(({ difference }) => difference === "amounts");
  return [
    `${markdownMark}\n# Comparison`,
    text(headline(comparison)),
    regressions.length > 0
      ? `**${countOf(regressions.length, "regression")} against ${code(runs[0]?.name ?? "")}**: ${regressions.map(code).join(", ")}`
      : "",
    runsTable(runs),
    notes.map((note) => `- ${text(note)}`).join("\n"),
    ...rules.groups.flatMap((group) => groupParts(group, comparison)),
    rules.onlyIn.length > 0
      ? `## Not in all catalogues (${rules.onlyIn.length})\n\n${rules.onlyIn.map(({ id, runs: who }) => `- ${code(id)}: ${who.map(code).join(", ")}`).join("\n")}`
      : "",
    answersParts(comparison),
    ofKind.length > 0
      ? `## Observations that differ in kind (${ofKind.length})\n\n${observationsTable(ofKind, names)}`
      : "",
    others.length > 0
      ? folded(`Observations that differ in amounts or texts (${others.length})`, observationsTable(others, names))
      : "",
    times.length > 0
      ? `## Time to answer\n\nMedian / 95 %.\n\n${table(
          ["Operation", ...names],
          times.map(({ operation, cells }) => [operation, ...cells.map(timesText)]),
        )}`
      : "",
    interactions.length > 0
      ? `## Combinations of fields tried\n\n${table(
          ["Operation", ...names],
          interactions.map(({ operation, cells }) => [operation, ...cells.map(interactionsText)]),
        )}`
      : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function runsTable(runs: Comparison["runs"]): string {
  const labelled = runs.some(({ labels }) => labels !== undefined);
  return table(
    [
      "Run",
      ...(labelled ? ["Labels"] : []),
      "Target",
      "Conclusion",
      "Passed",
      "Failed",
      "Warned about",
      "Inconclusive",
      "Profile",
      "Seed",
      "Made at",
    ],
    runs.map((run) => [
      code(run.name),
      ...(labelled ? [run.labels === undefined ? "" : code(labelsInWords(run.labels))] : []),
      code(run.implementation ?? run.target),
      run.conclusion,
      ...[run.verdicts.pass, run.verdicts.fail, run.verdicts.warn, run.verdicts.inconclusive].map(String),
      run.profile,
      String(run.seed),
      text(run.startedAt),
    ]),
  );
}

function groupParts(group: RuleGroup, comparison: Comparison): string[] {
  const names = comparison.runs.map(({ name }) => code(name));
  const title = `${text(groupTitle(group.difference, comparison))} (${group.rules.length})`;
  const rows = group.rules.map(({ id, cells }) => [code(id), ...cells.map(verdictWord)]);
  const verdicts = table(["Rule", ...names], rows);
  if (group.difference === "notCompared") return [folded(title, verdicts)];
  const details = group.rules.flatMap(({ id, cells }) =>
    cells.flatMap(({ violation, reason }, at) => {
      const said = violation?.message ?? reason;
      return said === undefined ? [] : [`- ${code(id)}, ${names[at]}: ${code(said)}`];
    }),
  );
  return [`## ${title}`, verdicts, ...(details.length > 0 ? [details.join("\n")] : [])];
}

function observationsTable(rows: readonly ObservationRow[], names: readonly string[]): string {
  return table(
    ["Observation", ...names],
    rows.map(({ check, what, cells }) => [
      `${code(check)}: ${code(what)}`,
      ...cells.map((cell) => (cell === null ? "-" : code(cellText(cell)))),
    ]),
  );
}

function answersParts({ answers, runs }: Comparison): string {
  if (!answers) return "";
  const names = runs.map(({ name }) => code(name));
  const head = `## Answers\n\n${answers.requests} requests to each, ${answers.sameRequests} of them the same; ${text(answers.sharedSubjects)}.`;
  const parts = answerDifferenceKinds.flatMap((kind) => {
    const groups = answers.differences.filter((group) => group.kind === kind);
    if (groups.length === 0) return [];
    const rows = groups.map(({ places, each, count, example, ruling, violates = [] }) => [
      code(placesInWords(places)),
      ...each.map(code),
      String(count),
      [...new Set(example)].map(code).join("<br>"),
      violates.length > 0 ? violates.map(code).join(", ") : (ruling ?? ""),
    ]);
    return [
      `### ${answerKindTitles[kind]} (${groups.length})\n\n${table(["Place", ...names, "Count", "Example", "Rules or reading"], rows)}`,
    ];
  });
  return [head, ...parts].join("\n\n");
}

function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Escapes plain text, so that Markdown leaves it as it is. */
function text(value: string): string {
  return sanitizeShort(value, 2_000).replace(/[\\`*_[\]<>|]/g, (character) => `\\${character}`);
}

/** Text from a target, in a code span that it cannot leave. */
function code(value: string): string {
  // Two backticks with nothing between them are no span.
  return codeSpan(sanitizeShort(value, maxCell) || "  ").replaceAll("|", "\\|");
}
