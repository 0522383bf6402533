/** Relations: rules that are judged on an explored answer and on the answer to a rewrite of its request (P3). */
import fc from "fast-check";
import type { JsonObject } from "../connect/json.js";
import type { ClassRow } from "../exploration/covering-array.js";
import type { PlannedRequest } from "../exploration/operations.js";
import type { Rewrite } from "../exploration/rewrites.js";
import type { Asked } from "../judge/asked.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/shown.js";
import type { Endpoint } from "../spec/endpoints.js";
import type { Profile } from "../spec/profile.js";
import type { AnswerOf } from "./answer.js";
import { bracketBudget } from "./bracket.js";
import type { CheckContext } from "./context.js";
import { ask, explored, unexplored } from "./explored.js";
import { askedBy } from "./invariant-judgement.js";
import { sampleSize } from "./sample-size.js";
import { Inconclusive } from "./signals.js";

/** A relation between the answers to two requests, one of which is rewritten from the other. */
export interface Relation {
  /** Makes the first request of an explored one; the explored one itself when absent. */
  readonly from?: Rewrite;
  readonly rewrite: Rewrite;
  /** What must hold of the answer as it was explored, and the one to the rewritten request. */
  readonly holds: (original: JsonObject, rewritten: JsonObject, asked: Asked) => Judgement;
  /** Which requests it is about; all that can be rewritten when absent. */
  readonly where?: (asked: Asked) => boolean;
  /** How many explored requests are rewritten, by profile. */
  readonly sample?: Readonly<Record<Profile, number>>;
  /** What of an answer must not change between two readings, as comparable text. */
  readonly stable?: (body: JsonObject) => string;
}

/** Explored requests that are rewritten for one relation, unless it says otherwise. */
const usualSample = { quick: 4, full: 16 } as const;

/** Requests that a relation sends at most. */
export function relationBudget({ from, sample = usualSample }: Relation): Record<Profile, number> {
  const perPair = (from ? 2 : 1) + bracketBudget(1, 1);
  return { quick: sample.quick * perPair, full: sample.full * perPair };
}

interface Pair {
  readonly original: AnswerOf<ShownBody>;
  readonly row: ClassRow;
  readonly request: PlannedRequest;
  readonly rewritten: PlannedRequest;
  readonly asked: Asked;
}

/**
 * Asserts a relation on some of an operation's explored answers. Where it does not hold at once, both are read again, so
 * that data which changed between two readings are not held against the target.
 */
export async function holdsBetween(relation: Relation, endpoint: Endpoint, context: CheckContext): Promise<void> {
  const pairs = await pairsFor(relation, endpoint, context);
  const outcomes = await Promise.allSettled(pairs.map((pair) => judgePair(relation, endpoint, pair, context)));
  const stopped = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  const settled = outcomes.some((outcome) => outcome.status === "fulfilled" && outcome.value > 0);
  for (const reason of stopped) if (!settled || !(reason instanceof Inconclusive)) throw reason;
}

async function pairsFor(
  { from, rewrite, where, sample = usualSample }: Relation,
  endpoint: Endpoint,
  context: CheckContext,
): Promise<readonly Pair[]> {
  const { subjects, profile, seed } = context;
  const { exchanges } = await explored(context, endpoint);
  const pairs = exchanges.flatMap(({ planned, answer }): Pair[] => {
    const request = from?.(planned, subjects) ?? planned;
    const rewritten = rewrite(request, subjects);
    const asked = askedBy(answer, subjects);
    if (!rewritten || !asked || (where && !where(asked)) || !isTelling(answer)) return [];
    return [{ original: answer, row: planned.row, request, rewritten, asked }];
  });
  const [shuffled = []] = fc.sample(fc.shuffledSubarray(pairs, { minLength: pairs.length }), { numRuns: 1, seed });
  const chosen = mostDiverse(shuffled, sampleSize(sample[profile], context));
  context.need(chosen[0], unexplored(context, endpoint, "to a request that can be asked in another way"));
  return chosen;
}

/** So many pairs that together show as many classes of the fields as so many can. */
function mostDiverse(pairs: readonly Pair[], size: number): readonly Pair[] {
  const shown = new Set<string>();
  const classesOf = ({ row }: Pair) => Object.entries(row).map(([field, name]) => `${field} ${name}`);
  const unseen = (pair: Pair) => classesOf(pair).filter((name) => !shown.has(name)).length;
  const left = [...pairs];
  const chosen: Pair[] = [];
  while (chosen.length < size && left.length > 0) {
    const next = left.reduce((best, pair) => (unseen(pair) > unseen(best) ? pair : best));
    left.splice(left.indexOf(next), 1);
    chosen.push(next);
    for (const name of classesOf(next)) shown.add(name);
  }
  return chosen;
}

/**
 * Codes of errors that tell how a request was taken; others tell of access, or of a busy target. What fails with `internal`
 * breaks the rule on that (E5), and no other one.
 */
const tellingCodes: readonly string[] = [
  "invalid_argument",
  "not_found",
  "out_of_range",
  "failed_precondition",
  "unknown",
  "deadline_exceeded",
];

/** A success, or a refusal of what is documented to succeed: of anything else nothing can be compared. */
function isTelling({ outcome }: AnswerOf<unknown>): boolean {
  return outcome.kind === "success" || (outcome.kind === "error" && tellingCodes.includes(outcome.code));
}

/** @returns how many assertions were made */
async function judgePair(
  { from, holds, stable }: Relation,
  endpoint: Endpoint,
  { original: explored, request, rewritten, asked }: Pair,
  context: CheckContext,
): Promise<number> {
  const { bracket, verify } = context;
  const readOriginal = () => ask(context, endpoint, request);
  const readRewritten = () => ask(context, endpoint, rewritten);
  const original = from ? await readOriginal() : explored;
  const other = await readRewritten();
  if (original.outcome.kind !== "success" && other.outcome.kind !== "success") return 0;
  if (original.outcome.kind === "success" && other.outcome.kind === "success") {
    const judgement = holds(original.outcome.body as JsonObject, other.outcome.body as JsonObject, asked);
    if (judgement.violations.length === 0) {
      verify(original, other).satisfies(() => judgement);
      return judgement.examined;
    }
  }
  const stableBody = stable && ((body: ShownBody) => stable(body as JsonObject));
  const [first, second] = await bracket(readOriginal, readRewritten, stableBody);
  let examined = 0;
  verify(first, second).satisfies((one, another) => {
    const judgement = holds(one as JsonObject, another as JsonObject, asked);
    examined = judgement.examined;
    return judgement;
  });
  return examined;
}
