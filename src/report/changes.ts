import { isViolated, type Verdict } from "../engine/result.js";
import { type BeforeEntry, leftOutReasons, type Results, type RuleEntry } from "./results.js";

/**
 * What changed in a run since an earlier one. Rules that either run left out on purpose are ignored.
 *
 * @returns undefined if the runs cannot be compared: the earlier one was incomplete or had problems, or only one of them
 *   tested the embedded reference server
 */
export function changesSince(before: Results, now: Results): BeforeEntry | undefined {
  if (before.incomplete || before.problems.length > 0 || before.target.embedded !== now.target.embedded)
    return undefined;
  const rulesBefore = new Map(before.rules.map((rule) => [rule.id, rule]));
  const pairs = now.rules.flatMap((rule) => {
    const earlier = rulesBefore.get(rule.id);
    return earlier === undefined || isLeftOut(earlier) || isLeftOut(rule) ? [] : [{ earlier: earlier.verdict, rule }];
  });
  const ids = (wanted: (earlier: Verdict, verdict: Verdict) => boolean) =>
    pairs.filter(({ earlier, rule: { verdict } }) => wanted(earlier, verdict)).map(({ rule: { id } }) => id);
  return {
    startedAt: before.startedAt,
    ...(before.labels && { labels: before.labels }),
    failing: ids((earlier, verdict) => isViolated(verdict) && !isViolated(earlier)),
    fixed: ids((earlier, verdict) => isViolated(earlier) && verdict === "pass"),
    open: ids((earlier, verdict) => isSettled(earlier) && !isSettled(verdict) && verdict !== "notApplicable"),
  };
}

/** The changes that there are, each with the ids of its rules. */
export function changesInWords({ failing, fixed, open }: BeforeEntry) {
  const changes: readonly (readonly [what: string, ids: readonly string[]])[] = [
    ["newly failing", failing],
    ["passing again", fixed],
    ["no longer settled", open],
  ];
  return changes.filter(([, ids]) => ids.length > 0);
}

function isSettled(verdict: Verdict): boolean {
  return verdict === "pass" || isViolated(verdict);
}

function isLeftOut({ verdict, reason }: RuleEntry): boolean {
  return verdict === "observed" || (verdict === "notRun" && leftOutReasons.includes(reason));
}
