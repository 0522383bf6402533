/** Checks again what two targets answered differently. */
import type { PlannedRequest } from "../../exploration/planned-request.js";
import { essentialFields } from "../../exploration/rewrites.js";
import type { Both } from "../answers.js";
import type { PairedAnswer, TwoTargets } from "./ask-both.js";
import { answerInWords, type DifferenceGroup, differencesOf, sizeOf } from "./differences.js";
import { valueDifferences } from "./values.js";

/** What is needed to ask again. */
type PairClient = Pick<TwoTargets, "ask" | "pause">;

/** Milliseconds before both are asked again. By then, cached or changing data is different. */
const secondLookMs = 1_200;

/** Maximum groups that are checked again. */
const maxRechecks = 80;

/**
 * Checks differences in values, rows and outcomes again. Keeps those that are still there, with as few fields as needed to
 * show them, and those that could not be checked. Data that changed in the meantime is reported as moving.
 */
export async function confirmed(
  groups: readonly DifferenceGroup[],
  asking: PairClient,
  signal: AbortSignal,
): Promise<readonly DifferenceGroup[]> {
  const checked = groups.filter(({ kind }) => ["value", "rows", "outcome", "error-code"].includes(kind));
  if (checked.length === 0) return groups;
  await asking.pause(secondLookMs);
  const kept = new Map(groups.filter((group) => !checked.includes(group)).map((group) => [group, group]));
  const moving: DifferenceGroup[] = [];
  for (const [at, group] of checked.entries()) {
    if (at >= maxRechecks || signal.aborted) {
      kept.set(group, group);
      continue;
    }
    const again = await asking.ask(group.example);
    const state = stateOf(group, again);
    if (state === "there") kept.set(group, await shrinkGroup(group, asking));
    else if (state === "unknown") kept.set(group, group);
    else if (state === "moves") moving.push(group);
  }
  return [...groups.flatMap((group) => kept.get(group) ?? []), ...movingGroup(moving)];
}

/** Whether a difference is still there, is gone, or is in data that changed in the meantime; unknown without an answer. */
function stateOf(
  { kind, example, places, each }: DifferenceGroup,
  again: PairedAnswer,
): "there" | "moves" | "gone" | "unknown" {
  const kinds = again.answers.map((answer) => answer.kind);
  if (kinds.includes("unknown")) return "unknown";
  if (kind === "outcome" || kind === "error-code")
    return again.answers.every((answer, side) => answerInWords(answer) === each[side]) ? "there" : "gone";
  if (kinds.some((answered) => answered !== "success")) return "gone";
  const isAt = (found: readonly { readonly place: string }[]) =>
    found.some(({ place }) => places.some((known) => known.place === place));
  const moved = ([0, 1] as const).some((side) => {
    const [before, after] = [example.answers[side], again.answers[side]];
    return before.kind === "success" && after.kind === "success" && isAt(valueDifferences(before.body, after.body));
  });
  return !moved && isAt(differencesOf(again)) ? "there" : "moves";
}

/** All groups with moving data, as one group. */
function movingGroup(groups: readonly DifferenceGroup[]): readonly DifferenceGroup[] {
  const [first] = groups;
  if (!first) return [];
  return [
    {
      kind: "moving",
      each: ["changes between two readings", "changes between two readings"],
      places: groups.flatMap(({ places }) => places),
      count: groups.reduce((sum, { count }) => sum + count, 0),
      example: first.example,
    },
  ];
}

/** Shrinks the request of a group: drops its headers, then its fields one by one, while the difference still shows. */
async function shrinkGroup(group: DifferenceGroup, asking: PairClient): Promise<DifferenceGroup> {
  if (group.example.unusual) return group;
  let smallest = group.example;
  const names = new Set(smallest.requests.flatMap(({ body }) => Object.keys(body)));
  const changes = [
    ({ body }: PlannedRequest): PlannedRequest => ({ body, headers: {} }),
    ...[...names]
      .filter((name) => !essentialFields.has(name))
      .map(
        (name) =>
          ({ body: { [name]: _, ...body }, headers }: PlannedRequest): PlannedRequest => ({ body, headers }),
      ),
  ];
  for (const change of changes) {
    const requests = [change(smallest.requests[0]), change(smallest.requests[1])] as const;
    if (sizeOf({ ...smallest, requests }) >= sizeOf(smallest)) continue;
    const answer = await asking.ask({ ...smallest, requests });
    if (stateOf({ ...group, example: answer }, answer) === "there") smallest = answer;
  }
  return { ...group, example: smallest, each: eachOf(group, smallest) };
}

/** What each target does with the request that is shown. */
function eachOf({ kind, each, places }: DifferenceGroup, shown: PairedAnswer): Both<string> {
  if (kind !== "value") return each;
  return differencesOf(shown).find(({ place }) => places.some((known) => known.place === place))?.each ?? each;
}
