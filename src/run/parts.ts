/** Reads the results of the parts of a run, which are shards or rounds, to combine them. */
import type { CheckResult, ViolationGroup } from "../engine/result.js";
import { type CheckEntry, type Results, type RuleEntry, successesIn } from "../report/results.js";
import type { Traffic } from "../session/traffic.js";
import type { Rule } from "../specification/rule.js";

/** The facts that all parts of a run have in common, taken from one of them. */
export function commonFacts(part: Results) {
  const { harness, specification, target, profile, seed, strict, requireConclusive, selection, command, subjects } =
    part;
  const facts = { harness, specification, target, profile, seed, strict, requireConclusive, selection, command };
  return subjects === undefined ? facts : { ...facts, subjects };
}

/** The traffic of a part. */
export function trafficOf(part: Results): Traffic {
  return { ...part.requests, successes: successesIn(part) };
}

/** Converts an entry of the results back to a check result; `named` maps the ids of its exchanges. */
export function checkResultFrom(
  rule: RuleEntry,
  { violations = [], sampled, ...check }: CheckEntry,
  named: (id: string) => string,
): CheckResult {
  return {
    ...check,
    rule: rule.id,
    ...(rule.own && { own: ruleOf(rule) }),
    exchanges: check.exchanges.map(named),
    ...(sampled && { sampled: sampled.map((answer) => ({ ...answer, exchange: named(answer.exchange) })) }),
    violations: violations.map(
      ({ exchange: _, path: __, ...violation }): ViolationGroup => ({
        ...violation,
        ...(violation.comparedWith && {
          comparedWith: { ...violation.comparedWith, exchange: named(violation.comparedWith.exchange) },
        }),
        places: violation.places.map((place) => ({ ...place, exchange: named(place.exchange) })),
      }),
    ),
  };
}

function ruleOf({ id, section, level, statement, endpoints, impact }: RuleEntry): Rule {
  return { id, section, level, statement, endpoints, impact };
}
