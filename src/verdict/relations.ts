/** Relations: rules that are judged on an explored answer and on the answer to a rewrite of its request (P3). */
import fc from "fast-check";
import type { JsonObject } from "../connect/json.js";
import type { ClassRow } from "../exploration/covering-array.js";
import type { PlannedRequest } from "../exploration/operations.js";
import { plainFormOf, type Rewrite } from "../exploration/rewrites.js";
import type { Asked } from "../judge/asked.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/shown.js";
import type { Endpoint } from "../spec/endpoints.js";
import type { Profile } from "../spec/profile.js";
import type { AnswerOf } from "./answer.js";
import { bracketBudget } from "./bracket.js";
import type { CheckContext } from "./context.js";
import { ask, askOnce, explored, keyOf, unexplored } from "./explored.js";
import { askedBy } from "./invariant-judgement.js";
import { sampleSize } from "./sample-size.js";
import { Inconclusive } from "./signals.js";

/** A relation between the answers to two requests, one of which is rewritten from the other. */
export interface Relation {
  /** Makes the first request of an explored one; the explored one itself when absent. */
  readonly from?: Rewrite;
  readonly rewrite: Rewrite;
  /** Makes a third request of the first one, where the two are parts of a whole. */
  readonly whole?: Rewrite;
  /** What must hold of the answer as it was explored, the one to the rewritten request, and the one with the whole. */
  readonly holds: (original: JsonObject, rewritten: JsonObject, asked: Asked, whole: JsonObject) => Judgement;
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
export function relationBudget({ whole, sample = usualSample }: Relation): Record<Profile, number> {
  const perPair = bracketBudget(1, whole ? 2 : 1);
  return { quick: sample.quick * perPair, full: sample.full * perPair };
}

interface Pair {
  readonly original: AnswerOf<ShownBody>;
  readonly row: ClassRow;
  readonly request: PlannedRequest;
  /** The requests that are made of it. */
  readonly rewritten: readonly PlannedRequest[];
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
  { from, rewrite, whole, where, sample = usualSample }: Relation,
  endpoint: Endpoint,
  context: CheckContext,
): Promise<readonly Pair[]> {
  const { subjects, profile, runSeed: seed } = context;
  const { exchanges } = await explored(context, endpoint);
  // In the same order for all relations: those that choose the same requests share their answers.
  const [shuffled = []] = fc.sample(fc.shuffledSubarray([...exchanges], { minLength: exchanges.length }), {
    numRuns: 1,
    seed,
  });
  const pairs = shuffled.flatMap(({ planned, answer }): Pair[] => {
    const request = from?.(planned, subjects) ?? planned;
    const rewritten = [rewrite, ...(whole ? [whole] : [])].map((each) => each(request, subjects));
    const asked = askedBy(answer, subjects);
    if (!rewritten.every(isThere) || !asked || (where && !where(asked)) || !isTelling(answer)) return [];
    return [{ original: answer, row: planned.row, request, rewritten, asked }];
  });
  const chosen = mostDiverse(pairs, sampleSize(sample[profile], context));
  context.need(chosen[0], unexplored(context, endpoint, "to a request that can be asked in another way"));
  return chosen;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
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

/**
 * Judges the answer beside those to the plainest requests that mean the same as the rewritten ones, which many pairs have in
 * common. Where that finds anything, both are asked as they were meant.
 *
 * @returns how many assertions were made
 */
async function judgePair(
  { from, holds, stable }: Relation,
  endpoint: Endpoint,
  { original: explored, request, rewritten, asked }: Pair,
  context: CheckContext,
): Promise<number> {
  const { bracket, subjects, verify } = context;
  const judge = (first: unknown, second: unknown, whole: unknown) =>
    holds(first as JsonObject, second as JsonObject, asked, whole as JsonObject);
  const original = from ? await askOnce(context, endpoint, request) : explored;
  const own = keyOf(request);
  const plain = rewritten.map((each) => {
    const plainest = plainFormOf(endpoint, each, subjects);
    return keyOf(plainest) === own ? each : plainest;
  });
  const others = await Promise.all(plain.map((each) => askOnce(context, endpoint, each)));
  const answers = [original, ...others];
  if (!answers.some(({ outcome }) => outcome.kind === "success")) return 0;
  const bodies = answers.flatMap(({ outcome }) => (outcome.kind === "success" ? [outcome.body] : []));
  if (bodies.length === answers.length) {
    const judgement = judge(bodies[0], bodies[1], bodies[2]);
    if (judgement.violations.length === 0) {
      verify(...answers).satisfies(() => judgement);
      return judgement.examined;
    }
  }
  const stableBody = stable && ((body: ShownBody) => stable(body as JsonObject));
  const [first, again] = await bracket(
    () => ask(context, endpoint, request),
    () => Promise.all(rewritten.map((each) => ask(context, endpoint, each))),
    stableBody,
  );
  let examined = 0;
  verify(first, ...again).satisfies((one, ...others) => {
    const judgement = judge(one, others[0], others[1]);
    examined = judgement.examined;
    return judgement;
  });
  return examined;
}
