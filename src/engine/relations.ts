/** Relations: rules that compare an explored answer with the answer to a rewritten request (P3). */

import { shuffled } from "../arbitraries/seed.js";
import { type JsonObject, stringify } from "../connect/json.js";
import type { PlannedRequest } from "../exploration/operations.js";
import type { Exploration } from "../exploration/plan.js";
import { canonicalFormOf, type Rewrite } from "../exploration/rewrites.js";
import { answersSwapped, combine, type Judgement } from "../judge/judgement.js";
import { messagesShowing, type ShownBody } from "../judge/located-rows.js";
import { type ParsedRequest, parseRequest } from "../judge/parsed-request.js";
import { sameAnswer } from "../judge/same-answer.js";
import { comparedState } from "../judge/stored-state.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { CheckContext } from "./context.js";
import {
  askInTurn,
  askOnce,
  askPlanned,
  type Explored,
  type ExploredOperation,
  explored,
  plannedRequestKey,
  unexplored,
} from "./explored.js";
import { parsedRequestOf } from "./invariant-judgement.js";
import { sampleSize } from "./sample-size.js";
import { shrink } from "./shrink.js";
import { Inconclusive } from "./signals.js";

/** A relation between the answers to two requests, one rewritten from the other. */
export interface Relation {
  /** Derives the first request from an explored one; by default the explored request itself. */
  readonly from?: Rewrite;
  readonly rewrite: Rewrite;
  /** What must hold between the original answer and the answer to the rewritten request. */
  readonly holds: (original: JsonObject, rewritten: JsonObject, asked: ParsedRequest) => Judgement;
  /** Which requests it applies to; by default all that can be rewritten. */
  readonly where?: (asked: ParsedRequest) => boolean;
  /** Applies only if both requests succeed; refusals are left to another rule. */
  readonly answered?: true;
  /** Tells which explored answers show most; they are chosen first. */
  readonly preferred?: (body: JsonObject, asked: ParsedRequest) => boolean;
  /** How many explored requests are rewritten, by profile; `all` to judge every one by the answer to its plain form. */
  readonly sample?: Readonly<Record<Profile, number>> | "all";
}

/** How many explored requests a relation rewrites by default, and how many pairs it reads again. */
const usualSample = { quick: 8, full: 16 } as const;

/** How many pairs are read again first. If the data changes during each of these rereads, the rest is not tried. */
const triedFirst = 3;

/** A rule on two requests that mean the same. */
export interface Equivalence extends Pick<Relation, "rewrite" | "where" | "answered"> {
  /** Why the requests are equivalent: `a limit of 0 is an omitted one`. */
  readonly why: string;
  /** Anything else that must agree. */
  readonly also?: (original: JsonObject, rewritten: JsonObject) => Judgement;
}

/** The relation that equivalent requests get the same answer, judged on all explored requests. */
export function sameFor(endpoint: Endpoint, { rewrite, where, answered, why, also }: Equivalence): Relation {
  const isLike = sameAnswer(endpoint, why);
  // The answer to the plainer request is the expected one.
  const same: Relation["holds"] = (one, other) => answersSwapped(isLike(other, one));
  return {
    rewrite,
    ...(where && { where }),
    ...(answered && { answered }),
    holds: also ? (one, other, asked) => combine([same(one, other, asked), also(one, other)]) : same,
    sample: "all",
  };
}

/** A request and the one that is made of it. */
interface RequestPair {
  readonly request: PlannedRequest;
  readonly rewritten: PlannedRequest;
  /** What the planned request that both are made of asked for. */
  readonly asked: ParsedRequest;
}

/** A pair that was made of an explored request. */
interface ExploredPair extends RequestPair {
  readonly original: AnswerOf<ShownBody>;
  readonly planned: Exploration;
  /** The plainest request equivalent to the rewritten one; many pairs share it. */
  readonly plain: PlannedRequest;
}

/** A pair whose answers disagree. */
interface Disagreement extends RequestPair {
  /** The planned request that both are made of. */
  readonly planned: PlannedRequest;
  readonly answers: readonly [AnswerOf<ShownBody>, AnswerOf<ShownBody>];
}

/** Makes a pair of a planned request; undefined if it cannot be rewritten, or the relation does not apply. */
function pairOf(
  { from, rewrite, where }: Relation,
  planned: PlannedRequest,
  asked: ParsedRequest | undefined,
  subjects: Subjects,
): RequestPair | undefined {
  const request = from ? from(planned, subjects) : planned;
  const rewritten = request && rewrite(request, subjects);
  return rewritten && asked && (!where || where(asked)) ? { request, rewritten, asked } : undefined;
}

/**
 * Asserts a relation on some of an operation's explored answers. If it does not hold at first, both answers are read again,
 * so that a change of data between two reads is not held against the target.
 */
export async function holdsBetween(relation: Relation, endpoint: Endpoint, context: CheckContext): Promise<void> {
  const candidates = await relationCandidates(endpoint, context);
  const pairs = pairsFor(relation, endpoint, candidates, context);
  const askPlainly = (request: PlannedRequest) => askOnce(candidates, context, endpoint, request);
  const compared = await Promise.allSettled(pairs.map((pair) => comparePlainly(relation, pair, askPlainly, context)));
  const doubted = pairs.filter((_, index) => {
    const outcome = compared[index];
    return outcome?.status === "fulfilled" && outcome.value === undefined;
  });
  const again = mostDiverse(doubted, usualSample[context.profile]);
  const readAgain = (some: readonly ExploredPair[]) =>
    Promise.allSettled(some.map((pair) => compareAgain(relation, endpoint, pair, context)));
  const firstAgain = await readAgain(again.slice(0, triedFirst));
  const unstable = firstAgain.length > 0 && firstAgain.every(({ status }) => status === "rejected");
  const reread = [...firstAgain, ...(unstable ? [] : await readAgain(again.slice(triedFirst)))];
  const disagreements = reread.flatMap((outcome) =>
    outcome.status === "fulfilled" && typeof outcome.value === "object" ? [outcome.value] : [],
  );
  const smallest = await smallestOf(relation, endpoint, disagreements[0], context);
  const shown = await Promise.allSettled(
    [...smallest, ...disagreements].map(async (disagreement) => record(relation, disagreement, context)),
  );
  const outcomes = [...compared, ...reread, ...shown];
  const stopped = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  const settled = outcomes.some((outcome) => outcome.status === "fulfilled" && Number(outcome.value) > 0);
  for (const reason of stopped) if (!settled || !(reason instanceof Inconclusive)) throw reason;
}

/** What all relations of an operation choose from, computed once. */
interface RelationCandidates extends ExploredOperation {
  /** In the same order for all relations, so that relations which choose the same requests share their answers. */
  readonly shuffled: readonly Explored[];
  /** Keys of the explored requests and their plain forms, which are sent in any case. */
  readonly asked: ReadonlySet<string>;
}

const candidatesOf = new WeakMap<ExploredOperation, RelationCandidates>();

async function relationCandidates(endpoint: Endpoint, context: CheckContext): Promise<RelationCandidates> {
  const { subjects, runSeed: seed } = context;
  const operation = await explored(context, endpoint);
  const known = candidatesOf.get(operation);
  if (known) return known;
  const { exchanges } = operation;
  const asked = exchanges.flatMap(({ planned }) => [planned, canonicalFormOf(endpoint, planned, subjects)]);
  const candidates = {
    ...operation,
    shuffled: shuffled(exchanges, seed),
    asked: new Set(asked.map(plannedRequestKey)),
  };
  candidatesOf.set(operation, candidates);
  return candidates;
}

function pairsFor(
  relation: Relation,
  endpoint: Endpoint,
  { shuffled: inOrder, asked }: RelationCandidates,
  context: CheckContext,
): readonly ExploredPair[] {
  const { answered, preferred, sample = usualSample } = relation;
  const { subjects, profile } = context;
  const pairs = inOrder.flatMap(({ planned, answer }): ExploredPair[] => {
    const pair = pairOf(relation, planned, parsedRequestOf(answer, subjects), subjects);
    if (!pair) return [];
    if (answered ? answer.outcome.kind !== "success" : !isComparable(answer)) return [];
    const plainest = canonicalFormOf(endpoint, pair.rewritten, subjects);
    const plain = plannedRequestKey(plainest) === plannedRequestKey(pair.request) ? pair.rewritten : plainest;
    return [{ ...pair, original: answer, planned, plain }];
  });
  const worthOf = ({ plain, original, asked: about }: ExploredPair) => {
    const { outcome } = original;
    const isPreferred = outcome.kind === "success" && preferred?.(outcome.body as JsonObject, about);
    return (isPreferred ? 2 : 0) + (asked.has(plannedRequestKey(plain)) ? 1 : 0);
  };
  const chosen = sample === "all" ? pairs : mostDiverse(pairs, sampleSize(sample[profile], context), worthOf);
  context.required(chosen[0], unexplored(context, endpoint, "to a request that can be asked in another way"));
  return chosen;
}

/**
 * Picks `size` requests that together cover as many field classes as possible; once all classes are covered, it starts over.
 *
 * @param preferred bonus of a request, counted as that many additional classes
 */
export function mostDiverse<Of extends { readonly planned: Exploration }>(
  all: readonly Of[],
  size: number,
  preferred: (one: Of) => number = () => 0,
): readonly Of[] {
  const shown = new Set<string>();
  const left = all.map((one) => ({
    one,
    classes: Object.entries(one.planned.row).map(([field, name]) => `${field} ${name}`),
    more: one.planned.known ? Number.POSITIVE_INFINITY : preferred(one),
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
 * Error codes that show how a request was understood; others are about access, or a busy target. A request that fails with
 * `internal` breaks only the rule on that code (E5).
 */
const comparableCodes: readonly string[] = [
  "invalid_argument",
  "not_found",
  "out_of_range",
  "failed_precondition",
  "unknown",
  "deadline_exceeded",
];

/** A success, or a refusal of a request that is documented to succeed: nothing else can be compared. */
function isComparable({ outcome }: AnswerOf<unknown>): boolean {
  return outcome.kind === "success" || (outcome.kind === "error" && comparableCodes.includes(outcome.code));
}

/**
 * First comparison: judges the answer against the one to the plainest request equivalent to the rewritten one.
 *
 * @returns how many assertions were made; undefined if both must be read again
 */
async function comparePlainly(
  relation: Relation,
  { original, request, plain, asked }: ExploredPair,
  askPlainly: (request: PlannedRequest) => Promise<AnswerOf<ShownBody>>,
  context: CheckContext,
): Promise<number | undefined> {
  const first = relation.from ? await askPlainly(request) : original;
  return agreed(relation, [first, await askPlainly(plain)], asked, context);
}

/**
 * Second comparison: sends both requests as planned. If the answers still disagree, reads both on stable data (P3).
 *
 * @returns how many assertions were made, or the disagreement
 */
async function compareAgain(
  relation: Relation,
  endpoint: Endpoint,
  { original, planned, ...pair }: ExploredPair,
  context: CheckContext,
): Promise<number | Disagreement> {
  const { request, rewritten, asked } = pair;
  const first = relation.from ? await askInTurn(context, endpoint, request) : original;
  const second = await askPlanned(context, endpoint, rewritten);
  const seen = agreed(relation, [first, second], asked, context);
  if (seen !== undefined) return seen;
  const answers = await readTogether(relation, endpoint, pair, [first, second], context);
  return { ...pair, planned, answers };
}

/** Reads both answers of a pair again on stable data (P3); of a stream, as many messages as showed the disagreement. */
function readTogether(
  relation: Relation,
  endpoint: Endpoint,
  { request, rewritten, asked }: RequestPair,
  before: Disagreement["answers"],
  context: CheckContext,
): Promise<Disagreement["answers"]> {
  const judgement = judged(relation, before, asked);
  const asking = { messages: judgement && messagesShowing(judgement) };
  return context.bracket(
    () => askInTurn(context, endpoint, request, asking),
    () => askPlanned(context, endpoint, rewritten, asking),
    comparedState(endpoint),
  );
}

/** Asserts the relation on the answers of a disagreement. Returns the number of assertions. */
function record({ holds }: Relation, { answers, asked }: Disagreement, { verify }: CheckContext): number {
  let examined = 0;
  verify(...answers).satisfies((one, other) => {
    const judgement = holds(one as JsonObject, other as JsonObject, asked);
    examined = judgement.examined;
    return judgement;
  });
  return examined;
}

/**
 * The same disagreement between smaller requests, read on stable data (P3); none if no smaller ones show it, or if the data
 * keeps changing.
 */
async function smallestOf(
  relation: Relation,
  endpoint: Endpoint,
  found: Disagreement | undefined,
  context: CheckContext,
): Promise<readonly Disagreement[]> {
  if (!found) return [];
  const { subjects } = context;
  const isShown = (other: Disagreement) =>
    kindOf(relation, other) !== "" && kindOf(relation, other) === kindOf(relation, found);
  const smaller = async (planned: PlannedRequest, pair: RequestPair): Promise<Disagreement | undefined> => {
    const answers = [
      await askPlanned(context, endpoint, pair.request),
      await askPlanned(context, endpoint, pair.rewritten),
    ] as const;
    return isShown({ ...pair, planned, answers }) ? { ...pair, planned, answers } : undefined;
  };
  const smallest = await shrink(found, { endpoint, subjects }, (planned) => {
    const pair = pairOf(relation, planned, parseRequest(endpoint, stringify(planned.body), subjects), subjects);
    return pair && smaller(planned, pair);
  });
  if (smallest === found) return [];
  const [again] = await Promise.allSettled([readTogether(relation, endpoint, smallest, smallest.answers, context)]);
  const confirmed = again.status === "fulfilled" ? { ...smallest, answers: again.value } : undefined;
  return confirmed && isShown(confirmed) ? [confirmed] : [];
}

/** How two answers disagree: in what a relation says of them, or in their outcomes; empty if they do not. */
function kindOf(relation: Relation, { answers, asked }: Disagreement): string {
  const [first, second] = answers.map(({ outcome }) => outcome.kind);
  if (first !== second) return `${first}, ${second}`;
  return (judged(relation, answers, asked)?.violations.length ?? 0) > 0 ? "judged" : "";
}

/** Judges two answers by a relation; undefined unless both are successes. */
function judged(
  { holds }: Relation,
  answers: readonly AnswerOf<ShownBody>[],
  asked: ParsedRequest,
): Judgement | undefined {
  const [first, second] = answers.flatMap(({ outcome }) => (outcome.kind === "success" ? [outcome.body] : []));
  return first && second && holds(first as JsonObject, second as JsonObject, asked);
}

/** Asserts the relation if the answers agree. Returns the number of assertions; undefined if they disagree. */
function agreed(
  relation: Relation,
  answers: readonly AnswerOf<ShownBody>[],
  asked: ParsedRequest,
  { verify }: CheckContext,
): number | undefined {
  if (answers.every(({ outcome }) => outcome.kind !== "success")) return 0;
  const judgement = judged(relation, answers, asked);
  if (!judgement) return relation.answered ? 0 : undefined;
  if (judgement.violations.length > 0) return undefined;
  verify(...answers).satisfies(judgement);
  return judgement.examined;
}
