/** Relations: rules that are judged on an explored answer and on the answer to a rewrite of its request (P3). */
import fc from "fast-check";
import type { JsonObject } from "../connect/json.js";
import type { PlannedRequest } from "../exploration/operations.js";
import type { Exploration } from "../exploration/plan.js";
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
  /** Only requests that were answered: what others are refused for is another rule. */
  readonly answered?: true;
  /** How many explored requests are rewritten, by profile. */
  readonly sample?: Readonly<Record<Profile, number>>;
  /** What of an answer must not change between two readings, as comparable text. */
  readonly stable?: (body: JsonObject) => string;
}

/** Explored requests that are rewritten for one relation, unless it says otherwise. */
const usualSample = { quick: 8, full: 16 } as const;

/** Explored requests that all relations of an operation rather take than others. */
const coreSize = { quick: 20, full: 60 } as const;

/** Requests that a relation sends at most. */
export function relationBudget({ whole, sample = usualSample }: Relation): Record<Profile, number> {
  const others = whole ? 2 : 1;
  const perPair = others + bracketBudget(1, others);
  return { quick: sample.quick * perPair, full: sample.full * perPair };
}

interface Pair {
  readonly original: AnswerOf<ShownBody>;
  readonly planned: Exploration;
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
  { from, rewrite, whole, where, answered, sample = usualSample }: Relation,
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
  const plain = (request: PlannedRequest) => keyOf(plainFormOf(endpoint, request, subjects));
  const core = mostDiverse(shuffled, coreSize[profile]);
  const asked = new Set([
    ...exchanges.map(({ planned }) => keyOf(planned)),
    ...core.map(({ planned }) => plain(planned)),
  ]);
  const pairs = shuffled.flatMap(({ planned, answer }): Pair[] => {
    const request = from ? from(planned, subjects) : planned;
    if (!request) return [];
    const rewritten = [rewrite, ...(whole ? [whole] : [])].map((each) => each(request, subjects));
    const about = askedBy(answer, subjects);
    if (!rewritten.every(isThere) || !about || (where && !where(about))) return [];
    if (answered ? answer.outcome.kind !== "success" : !isTelling(answer)) return [];
    return [{ original: answer, planned, request, rewritten, asked: about }];
  });
  const isAsked = ({ rewritten }: Pair) => rewritten.every((each) => asked.has(plain(each)));
  const chosen = mostDiverse(pairs, sampleSize(sample[profile], context), isAsked);
  context.need(chosen[0], unexplored(context, endpoint, "to a request that can be asked in another way"));
  return chosen;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/**
 * So many of some explored requests that together show as many classes of the fields as so many can; when all are shown, once more.
 *
 * @param preferred these count as if they showed one class more
 */
export function mostDiverse<Of extends { readonly planned: Exploration }>(
  all: readonly Of[],
  size: number,
  preferred: (one: Of) => boolean = () => false,
): readonly Of[] {
  const shown = new Set<string>();
  const left = all.map((one) => ({
    one,
    classes: Object.entries(one.planned.row).map(([field, name]) => `${field} ${name}`),
    more: preferred(one) ? 1 : 0,
  }));
  const worth = ({ classes, more }: (typeof left)[number]) => classes.filter((name) => !shown.has(name)).length + more;
  const chosen: Of[] = [];
  while (chosen.length < size && left.length > 0) {
    const next = left.reduce((best, each) => (worth(each) > worth(best) ? each : best));
    left.splice(left.indexOf(next), 1);
    chosen.push(next.one);
    if (next.classes.every((name) => shown.has(name))) shown.clear();
    for (const name of next.classes) shown.add(name);
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
  let examined = 0;
  /** Whether the other answers are such that nothing has to be read again. */
  const isSettled = (others: readonly AnswerOf<ShownBody>[]): boolean => {
    const answers = [original, ...others];
    const bodies = answers.flatMap(({ outcome }) => (outcome.kind === "success" ? [outcome.body] : []));
    if (bodies.length === 0) return true;
    if (bodies.length < answers.length) return false;
    const judgement = judge(bodies[0], bodies[1], bodies[2]);
    if (judgement.violations.length > 0) return false;
    verify(...answers).satisfies(() => judgement);
    examined = judgement.examined;
    return true;
  };
  if (isSettled(await Promise.all(plain.map((each) => askOnce(context, endpoint, each))))) return examined;
  if (isSettled(await Promise.all(rewritten.map((each) => ask(context, endpoint, each))))) return examined;
  const stableBody = stable && ((body: ShownBody) => stable(body as JsonObject));
  const [first, again] = await bracket(
    () => ask(context, endpoint, request),
    () => Promise.all(rewritten.map((each) => ask(context, endpoint, each))),
    stableBody,
  );
  verify(first, ...again).satisfies((one, ...others) => {
    const judgement = judge(one, others[0], others[1]);
    examined = judgement.examined;
    return judgement;
  });
  return examined;
}
