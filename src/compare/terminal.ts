/** Renders a comparison for the terminal: differences first, and short. */
import { labelsInWords } from "../config/labels.js";
import { countOf } from "../judge/judgement.js";
import { aligned } from "../report/aligned.js";
import { sanitize, sanitizeShort } from "../report/sanitize.js";
import { groupBy } from "../specification/group-by.js";
import { answerDifferenceKinds } from "./answers.js";
import type { Comparison, ObservationRow, RuleGroup, RuleRow } from "./comparison.js";
import {
  answerKindTitles,
  cellText,
  groupTitle,
  headline,
  interactionsText,
  placesInWords,
  remarkOf,
  timesText,
  verdictWord,
} from "./wording.js";

/** Maximum length of text from a target on one line. */
const maxLine = 160;

/** Maximum rows listed per part. The page and the JSON document have all of them. */
const maxRows = 20;

/** The names of the runs, as heads of columns. */
function namesOf({ runs }: Comparison): readonly string[] {
  return runs.map(({ name }) => sanitizeShort(name, 24));
}

/** The rows that are shown, and a line that says how many are not. */
function firstRows<Row>(rows: readonly Row[]): { readonly shown: readonly Row[]; readonly more: readonly string[] } {
  const left = rows.length - maxRows;
  return { shown: rows.slice(0, maxRows), more: left > 0 ? [`  ... and ${left} more (--json, --html)`] : [] };
}

/**
 * Renders a comparison as text.
 *
 * @param parts `differences` leaves out the table of runs, the timings, and what was tried together
 */
export function comparisonToTerminal(comparison: Comparison, parts: "all" | "differences" = "all"): string {
  const { notes, rules, regressions } = comparison;
  return [
    sanitize(headline(comparison)),
    ...(parts === "all" ? [runsTable(comparison)] : []),
    notes.map((note) => `note: ${sanitize(note)}`).join("\n"),
    ...rules.groups.map((group) => groupPart(group, comparison)),
    answersPart(comparison),
    observationsPart(comparison),
    ...(parts === "all" ? [timesPart(comparison), interactionsPart(comparison)] : []),
    regressions.length > 0
      ? `${countOf(regressions.length, "regression")} against ${sanitize(comparison.runs[0]?.name ?? "")}: ${regressions.map(sanitize).join(", ")}`
      : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function runsTable({ runs }: Comparison): string {
  const labelled = runs.some(({ labels }) => labels !== undefined);
  return aligned([
    [
      "Run",
      ...(labelled ? ["labels"] : []),
      "target",
      "conclusion",
      "passed",
      "failed",
      "warned",
      "inconclusive",
      "profile",
      "seed",
      "made at",
    ],
    ...runs.map(({ name, labels, target, conclusion, verdicts, profile, seed, startedAt }) => [
      sanitizeShort(name, 40),
      ...(labelled ? [sanitizeShort(labelsInWords(labels ?? {}), 60)] : []),
      sanitizeShort(target, 60),
      conclusion,
      ...[verdicts.pass, verdicts.fail, verdicts.warn, verdicts.inconclusive].map(String),
      profile,
      String(seed),
      startedAt.slice(0, 19).replace("T", " "),
    ]),
  ]);
}

function groupPart(group: RuleGroup, comparison: Comparison): string {
  const names = namesOf(comparison);
  const title = `${groupTitle(group.difference, comparison)} (${group.rules.length})`;
  if (group.difference === "notCompared") return title;
  const { shown, more } = firstRows(group.rules);
  const [head, ...lines] = aligned([
    ["", ...names],
    ...shown.map(({ id, cells }) => [id, ...cells.map(verdictWord)]),
  ]).split("\n");
  // What was seen where a rule is violated, or why it came to no conclusion.
  const reasons = ({ cells }: RuleRow) => cells.map(({ violation, reason }) => violation?.message ?? reason);
  const body = shown.flatMap((row, at) => [`  ${lines[at]}`, ...linesByText(reasons(row), names)]);
  return [title, `  ${head}`, ...body, ...more].join("\n");
}

function observationsPart(comparison: Comparison): string {
  const { observations } = comparison;
  const ofKind = observations.filter(({ difference }) => difference === "kind");
  if (ofKind.length === 0) return "";
  const title = `Observations that differ in kind (${ofKind.length} of ${observations.length})`;
  const { shown, more } = firstRows(ofKind);
  return [title, ...shown.flatMap((row) => observationLines(row, namesOf(comparison))), ...more].join("\n");
}

function observationLines({ check, what, cells }: ObservationRow, names: readonly string[]): readonly string[] {
  return [`  ${sanitizeShort(`${check}: ${what}`, maxLine)}`, ...linesByText(cells.map(cellText), names)];
}

function timesPart(comparison: Comparison): string {
  const { times } = comparison;
  if (times.length === 0) return "";
  const rows = times.map(({ operation, cells }) => [operation, ...cells.map(timesText)]);
  return aligned([["Time to answer, median / 95 %", ...namesOf(comparison)], ...rows]);
}

function interactionsPart(comparison: Comparison): string {
  const { interactions } = comparison;
  if (interactions.length === 0) return "";
  const texts = interactions.map(({ cells }) => new Set(cells.map((cell) => JSON.stringify(cell))));
  if (texts.every(({ size }) => size === 1)) return "Combinations of fields tried: the same in all runs";
  const rows = interactions.map(({ operation, cells }) => [operation, ...cells.map(interactionsText)]);
  return aligned([["Combinations of fields tried", ...namesOf(comparison)], ...rows]);
}

function answersPart(comparison: Comparison): string {
  const { answers } = comparison;
  if (!answers) return "";
  const [first, second] = namesOf(comparison);
  const head = `Answers: ${countOf(answers.requests, "request")} to each, ${answers.sameRequests} of them the same; ${sanitize(answers.sharedSubjects)}`;
  const parts = answerDifferenceKinds.flatMap((kind) => {
    const groups = answers.differences.filter((group) => group.kind === kind);
    if (groups.length === 0) return [];
    const { shown, more } = firstRows(groups);
    const lines = shown.flatMap(({ places, each, count, example, ruling, violates = [] }) => [
      `  ${sanitizeShort(placesInWords(places), maxLine)} (${count})${remarkOf(violates, ruling)}`,
      `      ${first}: ${sanitizeShort(each[0], maxLine)}`,
      `      ${second}: ${sanitizeShort(each[1], maxLine)}`,
      ...[...new Set(example)].map((request) => `      ${sanitizeShort(request, maxLine)}`),
    ]);
    return [[`${answerKindTitles[kind]} (${groups.length})`, ...lines, ...more].join("\n")];
  });
  return [head, ...parts].join("\n\n");
}

/** The text of each run. Runs with the same text share a line, and runs without one have none. */
function linesByText(texts: readonly (string | undefined)[], names: readonly string[]): readonly string[] {
  const said = texts.flatMap((text, at) => (text === undefined ? [] : [{ text, name: names[at] ?? "" }]));
  return [...groupBy(said, ({ text }) => text)].map(
    ([text, who]) => `      ${who.map(({ name }) => name).join(", ")}: ${sanitizeShort(text, maxLine)}`,
  );
}
