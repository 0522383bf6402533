import type { Results } from "../report/results.js";
import { reasonOf, verdictWords } from "../report/wording.js";
import { mayBeAbsent, type RequirementSet } from "../specification/requirements.js";
import { dataInWords, dataNeeds } from "../subjects/data-needs.js";
import { implementationSchema } from "./statement.js";

/** Why no statement can be made on a run, a line each; empty when one can. */
export function refusals(results: Results, requirements: RequirementSet): string[] {
  const open = openRules(results, requirements);
  return [
    ...refusalsOfRun(results, requirements),
    ...open.map(({ id, verdict, reason }) => `${id} came to no conclusion: ${verdict} (${reason})`),
  ];
}

/**
 * Why no statement can be made on a run, whatever its rules came to. A statement is about a whole run in the full
 * profile, by the rulings as they stand, in which every mandatory rule came to a conclusion, a pass or a failure, or does not
 * apply. A failed run may be stated too: the statement says so.
 */
export function refusalsOfRun(results: Results, requirements: RequirementSet): string[] {
  const { profile, selection, incomplete, problems, evidence, readings, shards, rounds, specification, target } =
    results;
  const selected = [...selection.rules, ...selection.suites];
  return [
    ...(profile === "full" ? [] : [`the run was made in the ${profile} profile: make it with --profile full`]),
    ...(incomplete ? ["the run was interrupted"] : []),
    ...(selected.length > 0
      ? [`the run was narrowed to ${selected.join(", ")}: make it without --rule and --suite`]
      : []),
    ...(selection.shard || shards
      ? ["the run is a shard of another, or was merged from shards: make it as a whole"]
      : []),
    ...(rounds ? ["the run was made in rounds: make it without --for"] : []),
    ...(readings ? ["the run was judged by chosen readings: make it without --reading"] : []),
    ...problems.map((problem) => `the harness had a problem: ${problem}`),
    ...(evidence || shards || rounds ? [] : ["the run left no sealed evidence"]),
    ...(specification.catalogueDigest === requirements.catalogueDigest
      ? []
      : [`the run was judged by another catalogue than ${requirements.version}: make it again with this version`]),
    ...(implementationSchema.safeParse(target.implementation).success
      ? []
      : ['the configuration of the run does not say what was tested: give "implementation" a name and a version']),
  ];
}

/** A mandatory rule without a conclusion. */
export interface OpenRule {
  readonly id: string;
  readonly verdict: string;
  /** What the run says of it. */
  readonly reason: string;
  /** The data that would settle it, with the entry of the configuration that can name it; absent where it is not for data. */
  readonly data?: string;
}

/** The mandatory rules without a conclusion, each with what would settle it. One that does not apply is none of them. */
export function openRules({ rules }: Results, requirements: RequirementSet): readonly OpenRule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return requirements.mandatory.flatMap((id): readonly OpenRule[] => {
    const rule = byId.get(id);
    if (!rule) return [{ id, verdict: verdictWords.notRun, reason: "the run does not know it" }];
    const { verdict } = rule;
    if (verdict === "pass" || verdict === "fail") return [];
    if (verdict === "notApplicable" && mayBeAbsent(id, requirements)) return [];
    const data = verdict === "inconclusive" ? dataNeeds(id).map(dataInWords).join(", or ") : "";
    const reason = rule.reason ?? reasonOf(rule);
    return [{ id, verdict: verdictWords[verdict], reason, ...(data === "" ? {} : { data }) }];
  });
}
