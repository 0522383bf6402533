import { combined } from "../reference/combined.js";
import type { Variant } from "../reference/modification.js";
import { foundBroken } from "./matrix.js";
import { type TrialReport, verdictsOf } from "./trial.js";

/**
 * Parts variants into groups whose members touch nothing in common, so that none of them hides from a check what it finds
 * wrong with another. Each goes into the first group that it suits; one that does not say what it touches is alone.
 */
export function groupsOf(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const groups: { readonly members: Variant[]; readonly touched: Set<string> }[] = [];
  for (const variant of variants) {
    const { touches = [] } = variant;
    const suiting = groups.filter(({ touched }) => touched.size > 0 && !touches.some((one) => touched.has(one)));
    const [first] = touches.length > 0 ? suiting : [];
    if (first) {
      first.members.push(variant);
      for (const one of touches) first.touched.add(one);
    } else groups.push({ members: [variant], touched: new Set(touches) });
  }
  return groups.map(({ members }) => members);
}

/**
 * Tries the variants of a group on one server. If it is blamed for nothing, none of them is; if it is, or the trial is not
 * made in order, each is tried by itself. Where that clears them all, the blame on the group is reported under its name.
 *
 * @param tryOut makes the trials of one server
 */
export async function tryGroup(
  members: readonly Variant[],
  tryOut: (variant: Variant) => Promise<readonly TrialReport[]>,
): Promise<readonly TrialReport[]> {
  const together = await tryOut(combined(members));
  if (members.length === 1) return together;
  const verdicts = [...verdictsOf(together).values()].map(({ verdict }) => verdict);
  const inOrder = together.every(({ trouble, differing = [] }) => trouble === undefined && differing.length === 0);
  if (inOrder && !verdicts.some((verdict) => foundBroken(verdict) || verdict === "error"))
    return members.flatMap(({ kind, name }) =>
      together.map((report) => ({ ...report, job: { ...report.job, modification: { kind, name } } })),
    );
  const alone = await Promise.all(members.map(tryOut));
  const isBlamed = alone.some((reports) =>
    [...verdictsOf(reports).values()].some(({ verdict }) => foundBroken(verdict)),
  );
  return isBlamed || !verdicts.some(foundBroken) ? alone.flat() : [...alone.flat(), ...together];
}
