import type { Verdict } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { readingLines } from "../specification/readings.js";
import { byCause } from "./causes.js";
import type { Results } from "./results.js";

/** The default share of judged rules, in percent, that must be conclusive. */
export const defaultRequireConclusive = 60;

/** The results of a run before its conclusion is added. */
export type ResultsWithoutConclusion = Omit<Results, "summary"> & {
  readonly summary: Omit<Results["summary"], "conformant" | "conclusion" | "reasons">;
};

/** The conclusion of a run and its reasons. Violations come first, then problems of the run, then a lack of evidence. */
export function conclusionOf(
  results: ResultsWithoutConclusion,
): Pick<Results["summary"], "conformant" | "conclusion" | "reasons"> {
  const reasons = decidingReasons(results);
  const conformant = reasons.length === 0;
  const conclusion = conformant ? "conformant" : violations(results).length > 0 ? "not-conformant" : "undecided";
  return { conformant, conclusion, reasons: [...reasons, ...limitations(results, conformant)] };
}

/** Why the target is not conformant, or the run undecided; empty if the target is conformant. */
export function decidingReasons(results: ResultsWithoutConclusion): string[] {
  return [...violations(results), ...problemsOfRun(results), ...missingEvidence(results)];
}

/** Maximum rules that the conclusion names. */
const maxNamed = 3;

/** The ids of the first rules, for one line; by default as many as the conclusion names. */
export function firstIdsOf(rules: readonly { readonly id: string }[], atMost = maxNamed): string {
  const named = rules.slice(0, atMost).map(({ id }) => id);
  return [...named, ...(rules.length > atMost ? ["..."] : [])].join(", ");
}

/** What makes the target not conformant. */
export function violations({ rules, strict, summary: { verdicts } }: ResultsWithoutConclusion): string[] {
  const warned = strict ? verdicts.warn : 0;
  const failed = byCause(rules.filter(({ own, verdict }) => !own && verdict === "fail")).flatMap(
    (cause) => cause.rules,
  );
  return [
    ...countedReason(verdicts.fail, "mandatory rule", `failed: ${firstIdsOf(failed)}`),
    ...countedReason(warned, "advisory rule", "violated, which counts with --strict"),
  ];
}

/** `2 rules ended in an error`, as a list; empty if there are none. */
export function countedReason(count: number, what: string, predicate: string): string[] {
  return count > 0 ? [`${countOf(count, what)} ${predicate}`] : [];
}

/** What kept the run from being complete and without errors. */
export function problemsOfRun({ incomplete, problems, summary: { verdicts } }: ResultsWithoutConclusion): string[] {
  return [
    ...(incomplete ? ["the run was interrupted"] : []),
    ...countedReason(verdicts.error, "rule", "ended in an error"),
    ...problems,
  ];
}

/** Why the run gives too little evidence to call the target conformant. */
export function missingEvidence({ requireConclusive, summary }: ResultsWithoutConclusion): string[] {
  const { conclusive, judged } = summary.conclusiveness;
  const percent = judged === 0 ? 0 : Math.floor((100 * conclusive) / judged);
  const share = `${conclusive} of ${countOf(judged, "rule")} conclusive (${percent} %), ${requireConclusive} % required`;
  const none = summary.own && judged === 0 ? "only own rules were judged" : "no rule came to a conclusion";
  return [
    ...operationsNotSeen(summary.operations),
    ...(conclusive > 0 && 100 * conclusive < requireConclusive * judged ? [share] : []),
    ...(conclusive === 0 ? [none] : []),
  ];
}

/** The operations that were not seen to work and that the user did not declare as not implemented. */
function operationsNotSeen(operations: ResultsWithoutConclusion["summary"]["operations"]): string[] {
  const missing = operations.filter(({ worked, declared }) => !worked && !declared);
  const reasons = missing
    .filter(({ unimplemented }) => !unimplemented)
    .map(({ name, answered }) => `${name} was not seen to work${answered === undefined ? "" : ` (${answered})`}`);
  const names = missing.filter(({ unimplemented }) => unimplemented).map(({ name }) => name);
  if (names.length === 0) return reasons;
  const answer = `${names.join(", ")} ${names.length === 1 ? "answers" : "answer"} unimplemented`;
  const options = names.map((name) => `--not-implemented ${name}`).join(" ");
  return [...reasons, `${answer}; if that is on purpose, declare it: ${options}`];
}

/** What limits the scope of the conclusion. */
export function limitations(results: ResultsWithoutConclusion, conformant: boolean): string[] {
  const { selection, target, readings, summary } = results;
  const { conclusive, judged } = summary.conclusiveness;
  const { shard } = selection;
  const declared = summary.operations.filter((operation) => operation.declared);
  const left = declared.filter(({ worked }) => !worked).map(({ name }) => name);
  const works = declared.filter(({ worked }) => worked).map(({ name }) => name);
  return [
    ...(target.embedded && conformant ? ["the harness's own reference server was tested"] : []),
    ...(conformant && conclusive < judged ? [`${conclusive} of ${judged} rules were conclusive`] : []),
    ...(left.length > 0 ? [`without ${left.join(", ")}, declared as not implemented`] : []),
    ...works.map((name) => `${name} is declared as not implemented, and works`),
    ...(selection.rules.length + selection.suites.length > 0 ? ["selected rules only"] : []),
    ...(target.insecure ? ["the server's certificate was not checked"] : []),
    ...(shard ? [`shard ${shard.index} of ${shard.count} only`] : []),
    ...(readings ? [`with the reading ${readingLines(readings).join(", ")}`] : []),
  ];
}

/** How many user-defined rules have this verdict. */
export function ownRulesWith({ summary }: ResultsWithoutConclusion, verdict: Verdict): number {
  return summary.own?.[verdict] ?? 0;
}
