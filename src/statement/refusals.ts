import type { Verdict } from "../engine/result.js";
import type { Results, RuleEntry } from "../report/results.js";
import { reasonOf, verdictWords } from "../report/wording.js";
import { mayBeAbsent, type RequirementSet } from "../specification/requirements.js";
import { dataNeeds } from "../subjects/data-needs.js";
import { implementationSchema } from "./statement.js";

/** Why no statement can be issued for a run, one line each; empty if one can. */
export function refusalReasons(results: Results, requirements: RequirementSet): string[] {
  const open = openRules(results, requirements);
  return [
    ...refusalsOfRun(results, requirements),
    ...open.map(({ id, verdict, reason }) => `${id} came to no conclusion: ${verdict} (${reason})`),
  ];
}

/**
 * Why no statement can be issued for a run, apart from its open rules. A statement is about a whole run in the full profile,
 * under the rulings as they stand. Every mandatory rule must have passed or failed, or not apply. A statement can also be
 * made on a failed run, and then says so.
 */
export function refusalsOfRun(results: Results, requirements: RequirementSet): string[] {
  const { profile, selection, incomplete, problems, evidence, readings, shards, rounds, specification, target } =
    results;
  const selected = [...selection.rules, ...selection.suites];
  return [
    ...(profile === "full" ? [] : [`the run was made in the ${profile} profile: make it with --profile full`]),
    ...(target.embedded ? ["the harness's own reference server was tested, which says nothing of any other"] : []),
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
  /** What the run says about it. */
  readonly reason: string;
  /** What would settle it; absent if the reason says it all. */
  readonly settledBy?: string;
  /** The configuration entries that can name what would settle it, such as `subjects.wallets`; empty if none can. */
  readonly configuration: readonly string[];
}

/** What settles a rule with this verdict, whatever the rule is about. */
const remedies: Readonly<Partial<Record<Verdict, string>>> = {
  unimplemented: "an operation that is implemented",
  notRun: "a whole run in the full profile",
  error: "a run in which its checks do not end in an error",
};

/** The mandatory rules without a conclusion, each with what would settle it. Rules that do not apply are not among them. */
export function openRules({ rules }: Results, requirements: RequirementSet): readonly OpenRule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return requirements.mandatory.flatMap((id): readonly OpenRule[] => {
    const rule = byId.get(id);
    if (!rule) return [{ id, verdict: verdictWords.notRun, reason: "the run does not know it", configuration: [] }];
    const { verdict } = rule;
    if (verdict === "pass" || verdict === "fail") return [];
    if (verdict === "notApplicable" && mayBeAbsent(id, requirements)) return [];
    const needs = verdict === "inconclusive" ? dataNeeds(id) : [];
    const settledBy = needs.map(({ what }) => what).join(", or ") || blockersOf(rule) || remedies[verdict];
    return [
      {
        id,
        verdict: verdictWords[verdict],
        reason: rule.reason ?? reasonOf(rule),
        ...(settledBy !== undefined && { settledBy }),
        configuration: [...new Set(needs.flatMap(({ named }) => named ?? []))],
      },
    ];
  });
}

/** The operations that must work before a blocked rule can be judged, in words; empty if the rule is not blocked. */
function blockersOf({ verdict, checks }: RuleEntry): string {
  if (verdict !== "blocked") return "";
  const operations = new Set(checks.flatMap(({ blockedBy }) => blockedBy?.operation ?? []));
  return `${[...operations].join(" and ")} that ${operations.size === 1 ? "works" : "work"}`;
}
