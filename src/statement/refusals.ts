import type { Results, RuleEntry } from "../report/results.js";
import { reasonOf } from "../report/wording.js";
import type { RequirementSet } from "../spec/requirements.js";
import { implementationSchema } from "./statement.js";

/**
 * Why no statement can be made on a run, a line each; empty when one can. A statement is about a whole run in the full
 * profile, by the rulings as they stand, in which every mandatory rule came to a conclusion: a pass or a failure. A failed
 * run may be stated too: the statement says so.
 */
export function refusals(results: Results, requirements: RequirementSet): string[] {
  const { profile, selection, incomplete, problems, evidence, readings, shards, specification, target } = results;
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
    ...(readings ? ["the run was judged by chosen readings: make it without --reading"] : []),
    ...problems.map((problem) => `the harness had a problem: ${problem}`),
    ...(evidence || shards ? [] : ["the run left no sealed evidence"]),
    ...(specification.catalogueDigest === requirements.catalogueDigest
      ? []
      : [`the run was judged by another catalogue than ${requirements.version}: make it again with this version`]),
    ...(implementationSchema.safeParse(target.implementation).success
      ? []
      : ['the configuration of the run does not say what was tested: give "implementation" a name and a version']),
    ...missing(results, requirements),
  ];
}

/** The mandatory rules without a conclusion, each with what would settle it. */
function missing({ rules }: Results, { mandatory }: RequirementSet): string[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return mandatory.flatMap((id) => {
    const rule = byId.get(id);
    if (rule?.verdict === "pass" || rule?.verdict === "fail") return [];
    return [`${id} came to no conclusion: ${rule ? whyNot(rule) : "the run does not know it"}`];
  });
}

function whyNot(rule: RuleEntry): string {
  return `${rule.verdict === "notRun" ? "not run" : rule.verdict} (${rule.reason ?? reasonOf(rule)})`;
}
