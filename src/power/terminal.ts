/** Renders the power report for a terminal. */
import { countOf } from "../judge/judgement.js";
import { aligned } from "../report/aligned.js";
import { killedShare, powerLine } from "../report/power-score.js";
import { sanitizeShort } from "../report/sanitize.js";
import { type FaultEntry, notExercisedByReason, type PowerReport } from "./power-report.js";

/** Maximum length of a line. */
const maxLine = 200;

/** Maximum number of faults named per reason. */
const maxNamed = 3;

/** The report as text: by operation, then survivors and faults not exercised, and finally the score. */
export function powerToTerminal({ operations, faults, score, rules }: PowerReport): string {
  const survived = faults.filter(({ outcome }) => outcome === "survived");
  const rows = operations.map(({ name, ...counts }) => [
    name,
    killedShare(counts),
    ...[counts.killed, counts.survived, counts.notExercised].map(String),
  ]);
  const parts = [
    aligned([["Operation", "score", "killed", "survived", "not exercised"], ...rows], 1),
    ...(survived.length > 0
      ? [["Survived: the run would not have detected these", ...survived.flatMap(survivor)].join("\n")]
      : []),
    notExercised(faults),
    `for ${rules.filter(({ killed }) => killed > 0).length} of ${rules.length} rules, a fault against the rule would have been noticed`,
    powerLine(score),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function survivor({ name, rule, words, shownBy }: FaultEntry): string[] {
  const lines = [`  ${name} (${rule}): ${words}`];
  if (!shownBy) return lines;
  const { operation, request, path, before, after, answers } = shownBy;
  return [
    ...lines,
    sanitizeShort(`    it shows in ${countOf(answers, "answer")}, such as that to ${operation} ${request}`, maxLine),
    sanitizeShort(`    ${path === "" ? "the answer" : path}: ${before} -> ${after}`, maxLine),
  ];
}

/** Reasons why faults were not exercised, each with a few examples. */
function notExercised(faults: readonly FaultEntry[]): string {
  const lines = notExercisedByReason(faults).map(([why, group]) => {
    const names = group.map(({ name }) => name);
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
    return sanitizeShort(`  ${why}: ${names.slice(0, maxNamed).join("; ")}${more}`, 2 * maxLine);
  });
  return lines.length === 0 ? "" : ["Not exercised, and what would exercise them", ...lines].join("\n");
}
