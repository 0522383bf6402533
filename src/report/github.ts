import type { Verdict } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { baselineProblems, unexpectedRules } from "./baseline.js";
import { blockedRules, sharedCauseOf } from "./causes.js";
import { conclusionLine } from "./console.js";
import { type Results, type RuleEntry, rulesWith, violationsOf } from "./results.js";
import { sanitizeShort } from "./sanitize.js";
import { commandFor, labelledLines, reasonOf, sameCauseLine } from "./wording.js";

type AnnotationLevel = "error" | "warning" | "notice";

/** GitHub shows at most this many annotations of a kind per step. The last one says how many are left out. */
const maxShown = 10;

/** Maximum length of one line of an annotation. */
const maxLine = 300;

/**
 * Renders a run as workflow commands of GitHub Actions, one line each. There is an error for each failed rule (except known
 * deviations), rule in error, harness problem and baseline problem. There is a warning for each operation that blocks rules
 * and each violated advisory rule; in a strict run the advisory rules are errors. The conclusion is a notice.
 *
 * @param name name of the target, if there are several
 */
export function annotations(results: Results, name?: string): string[] {
  const where = name === undefined ? "" : `${name}: `;
  const rule = (kind: AnnotationLevel) => (entry: RuleEntry) =>
    command(kind, where + titleOf(entry), textOf(entry, results));
  const stale = results.baseline ? baselineProblems({ ...results.baseline, unlisted: [] }) : [];
  const errors = [
    ...unexpectedRules(results, "fail").map(rule("error")),
    ...stale.map((text) => command("error", `${where}the baseline does not hold`, text)),
    ...results.problems.map((text) => command("error", `${where}the harness had a problem`, text)),
    ...rulesWith(results, "error").map(rule("error")),
    ...(results.strict ? unexpectedRules(results, "warn").map(rule("error")) : []),
  ];
  const blocked = blockedRules(results).map(({ cause, rules }) =>
    command("warning", `${where}${countOf(rules.length, "rule")} blocked`, cause),
  );
  const warnings = results.strict ? [] : rulesWith(results, "warn").map(rule("warning"));
  return [
    ...atMost(errors, "error", where),
    ...atMost([...blocked, ...warnings], "warning", where),
    command("notice", `${where}perp-conformance`, conclusionLine(results, { color: false })),
  ];
}

/** The violated rules that have an error of their own in {@link annotations}. */
export function annotatedRules(results: Results): ReadonlySet<string> {
  const titles = new Set(annotations(results).map((line) => line.split("::")[1]));
  const violated = [...unexpectedRules(results, "fail"), ...unexpectedRules(results, "warn")];
  return new Set(
    violated
      .filter((rule) => titles.has(`error title=${property(sanitizeShort(titleOf(rule), maxLine))}`))
      .map(({ id }) => id),
  );
}

function atMost(lines: readonly string[], kind: AnnotationLevel, where: string): string[] {
  if (lines.length <= maxShown) return [...lines];
  const rest = lines.length - maxShown + 1;
  return [
    ...lines.slice(0, maxShown - 1),
    command(kind, `${where}and ${countOf(rest, "other")}`, "The summary of the job has all of them."),
  ];
}

const words: Readonly<Partial<Record<Verdict, string>>> = { warn: " (advisory)", error: " in error" };

function titleOf({ id, verdict, checks }: RuleEntry): string {
  const endpoints = checks.filter((check) => check.verdict === verdict).map(({ endpoint }) => endpoint);
  return `${id}${words[verdict] ?? ""} on ${[...new Set(endpoints)].join(", ")}`;
}

function textOf(rule: RuleEntry, results: Results): string {
  const [violation] = violationsOf(rule);
  if (violation === undefined) return reasonOf(rule);
  const lines = labelledLines(rule, violation, maxLine);
  const cause = sharedCauseOf(results, rule);
  return [...lines, ...(cause ? [sameCauseLine(rule, cause)] : []), `run again: ${commandFor(results, rule)}`].join(
    "\n",
  );
}

/** The annotation of a command that failed before it had results. */
export function failureAnnotation(lines: readonly string[]): string {
  return command("error", "perp-conformance", lines.map((line) => line.replace(/^error: /, "")).join("\n"));
}

/** A workflow command. Its text may come from the target, so it is escaped: it cannot end the command or start another. */
function command(kind: AnnotationLevel, title: string, text: string): string {
  const lines = text.split("\n").map((line) => sanitizeShort(line, 2 * maxLine));
  return `::${kind} title=${property(sanitizeShort(title, maxLine))}::${data(lines.join("\n"))}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
