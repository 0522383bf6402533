/** Chooses the pairs of requests on which a relation is judged. */
import { shuffled } from "../arbitraries/seed.js";
import type { JsonObject } from "../connect/json.js";
import type { ExploredRequest } from "../exploration/plan.js";
import { type PlannedRequest, plannedRequestKey } from "../exploration/planned-request.js";
import { canonicalFormOf } from "../exploration/rewrites.js";
import type { ShownBody } from "../judge/located-rows.js";
import type { ParsedRequest } from "../judge/parsed-request.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { CheckContext } from "./context.js";
import { refusalCodes } from "./documented-outcome.js";
import { type ExploredAnswer, type ExploredOperation, explored, unexplored } from "./explored.js";
import { parsedRequestOf } from "./invariant-judgement.js";
import type { Relation } from "./relation.js";
import { sampleSize } from "./sample-size.js";

/** How many explored requests a relation rewrites by default, and how many pairs it reads again. */
export const usualSample = { quick: 8, full: 16 } as const;

/** A request and the one that it is rewritten to. */
export interface RequestPair {
  readonly request: PlannedRequest;
  readonly rewritten: PlannedRequest;
  /** What the planned request, from which both are derived, asked for. */
  readonly asked: ParsedRequest;
}

/** A pair that is derived from an explored request. */
export interface ExploredPair extends RequestPair {
  readonly original: AnswerOf<ShownBody>;
  readonly planned: ExploredRequest;
  /** The plainest request equivalent to the rewritten one, which many pairs share; the rewritten one if it must be sent. */
  readonly plain: PlannedRequest;
}

/** Derives a pair from a planned request; undefined if it cannot be rewritten, or the relation does not apply. */
export function pairOf(
  { from, rewrite, where }: Relation,
  planned: PlannedRequest,
  asked: ParsedRequest | undefined,
  subjects: Subjects,
): RequestPair | undefined {
  const request = from ? from(planned, subjects) : planned;
  const rewritten = request && rewrite(request, subjects);
  return rewritten && asked && (!where || where(asked)) ? { request, rewritten, asked } : undefined;
}

/** What all relations of an operation choose from, computed once. */
interface RelationCandidates extends ExploredOperation {
  /** In the same order for all relations, so that relations which choose the same requests share their answers. */
  readonly shuffled: readonly ExploredAnswer[];
  /** Keys of the explored requests and their plain forms, which are sent in any case. */
  readonly asked: ReadonlySet<string>;
}

const candidatesOf = new WeakMap<ExploredOperation, RelationCandidates>();

/** The explored exchanges of the check's operation, shuffled by the seed, from which relations take theirs. Computed once. */
export async function relationCandidates(context: CheckContext): Promise<RelationCandidates> {
  const { endpoint, subjects, runSeed: seed } = context;
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

/** The explored requests that a relation applies to, each with the request that it is rewritten to. */
export function pairsFor(
  relation: Relation,
  { shuffled: inOrder, asked }: RelationCandidates,
  context: CheckContext,
): readonly ExploredPair[] {
  const { answered, preferred, sample = usualSample, verbatim } = relation;
  const { endpoint, subjects, profile } = context;
  const pairs = inOrder.flatMap(({ planned, answer }): ExploredPair[] => {
    const pair = pairOf(relation, planned, parsedRequestOf(answer, subjects), subjects);
    if (!pair) return [];
    if (answered ? answer.outcome.kind !== "success" : !isComparable(answer)) return [];
    const plainest = canonicalFormOf(endpoint, pair.rewritten, subjects);
    const isOriginal = plannedRequestKey(plainest) === plannedRequestKey(pair.request);
    const plain = verbatim || isOriginal ? pair.rewritten : plainest;
    return [{ ...pair, original: answer, planned, plain }];
  });
  const worthOf = ({ plain, original, asked: parsed }: ExploredPair) => {
    const { outcome } = original;
    const isPreferred = outcome.kind === "success" && preferred?.(outcome.body as JsonObject, parsed);
    return (isPreferred ? 2 : 0) + (asked.has(plannedRequestKey(plain)) ? 1 : 0);
  };
  const chosen = sample === "all" ? pairs : mostDiverse(pairs, sampleSize(sample[profile], context), worthOf);
  context.required(chosen[0], unexplored(context, "to a request that can be asked in another way"));
  return chosen;
}

/**
 * Picks `size` requests that together cover as many field classes as possible; once all classes are covered, it starts over.
 *
 * @param preferred bonus of a request, counted as that many additional classes
 */
export function mostDiverse<Of extends { readonly planned: ExploredRequest }>(
  all: readonly Of[],
  size: number,
  preferred: (item: Of) => number = () => 0,
): readonly Of[] {
  const shown = new Set<string>();
  const left = all.map((item) => ({
    item,
    classes: Object.entries(item.planned.row).map(([field, name]) => `${field} ${name}`),
    more: item.planned.showsKnownDeviation ? Number.POSITIVE_INFINITY : preferred(item),
  }));
  const worth = ({ classes, more }: (typeof left)[number]) => classes.filter((name) => !shown.has(name)).length + more;
  const chosen: Of[] = [];
  while (chosen.length < size && left.length > 0) {
    const next = left.reduce((best, each) => (worth(each) > worth(best) ? each : best));
    left.splice(left.indexOf(next), 1);
    chosen.push(next.item);
    if (next.classes.every((name) => shown.has(name))) shown.clear();
    for (const name of next.classes) shown.add(name);
  }
  return chosen;
}

/**
 * Error codes that show how a request was understood; others are about access, or a busy target. A request that fails with
 * `internal` breaks only the rule on that code (E5).
 */
const comparableCodes: readonly string[] = [...refusalCodes, "unknown", "deadline_exceeded"];

/** A success, or a refusal of a request that is documented to succeed: nothing else can be compared. */
function isComparable({ outcome }: AnswerOf<unknown>): boolean {
  return outcome.kind === "success" || (outcome.kind === "error" && comparableCodes.includes(outcome.code));
}
