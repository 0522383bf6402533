import { isViolated } from "../engine/result.js";
import { combined } from "../reference/combined.js";
import type { Variant } from "../reference/modification.js";
import { isFailure } from "./matrix.js";
import { verdictsOf } from "./trial.js";
import type { TrialReport } from "./trial-job.js";

/**
 * Groups variants that touch no aspect in common, so that none of them can mask a false positive of another. Each joins the
 * first group it fits; one without `touches` stays alone.
 */
export function groupsOf(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const groups: { readonly members: Variant[]; readonly touched: Set<string> }[] = [];
  for (const variant of variants) {
    const { touches = [] } = variant;
    const compatible = groups.filter(
      ({ touched }) => touched.size > 0 && !touches.some((aspect) => touched.has(aspect)),
    );
    const [first] = touches.length > 0 ? compatible : [];
    if (first) {
      first.members.push(variant);
      for (const aspect of touches) first.touched.add(aspect);
    } else groups.push({ members: [variant], touched: new Set(touches) });
  }
  return groups.map(({ members }) => members);
}

/**
 * Tries the variants of a group on one server. If no rule fails on it, none fails on its members. If one does, or the trial has
 * problems, each member is tried on its own. If all members pass, the group is tried again: rules that fail again are
 * reported under its name, others came from a busy machine.
 *
 * @param runTrials runs the trials of one server
 */
export async function tryGroup(
  members: readonly Variant[],
  runTrials: (variant: Variant) => Promise<readonly TrialReport[]>,
): Promise<readonly TrialReport[]> {
  const together = await runTrials(combined(members));
  const verdicts = [...verdictsOf(together).values()].map(({ verdict }) => verdict);
  const isSound = together.every(({ trouble, differing = [] }) => trouble === undefined && differing.length === 0);
  if (isSound && !verdicts.some(isFailure))
    return members.flatMap(({ kind, name }) =>
      together.map((report) => ({ ...report, job: { ...report.job, modification: { kind, name } } })),
    );
  const alone = await Promise.all(members.map(runTrials));
  if (alone.some(hasViolation) || !hasViolation(together)) return alone.flat();
  const again = await runTrials(combined(members));
  return hasViolation(again) ? [...alone.flat(), ...again] : alone.flat();
}

/** Whether a rule is violated in these trials. */
function hasViolation(reports: readonly TrialReport[]): boolean {
  return [...verdictsOf(reports).values()].some(({ verdict }) => isViolated(verdict));
}
