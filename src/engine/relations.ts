/** Asserts relations: compares an explored answer with the answer to a rewritten request (P3). */
import { type JsonObject, stringify } from "../connect/json.js";
import type { PlannedRequest } from "../exploration/planned-request.js";
import { answersSwapped, foundCorrect, type Judgement } from "../judge/judgement.js";
import { messagesShowing, type ShownBody, type Snapshots } from "../judge/located-rows.js";
import { type ParsedRequest, parseRequest } from "../judge/parsed-request.js";
import { comparedState } from "../judge/stored-state.js";
import type { AnswerOf } from "./answer.js";
import { isLarge } from "./bracket.js";
import { isSignal } from "./conclude.js";
import type { CheckContext } from "./context.js";
import { askInTurn, askOnce, askPlanned } from "./explored.js";
import type { Relation } from "./relation.js";
import {
  type ExploredPair,
  mostDiverse,
  pairOf,
  pairsFor,
  type RequestPair,
  relationCandidates,
  usualSample,
} from "./relation-pairs.js";
import { neededInWords, shrink } from "./shrink.js";
import { Inconclusive } from "./signals.js";

/** How many pairs are read again first. If the data changes during each of these rereads, the rest is not tried. */
const triedFirst = 3;

/** A pair whose answers disagree. */
interface Disagreement extends RequestPair {
  /** The planned request from which both are derived. */
  readonly planned: PlannedRequest;
  readonly answers: readonly [AnswerOf<ShownBody>, AnswerOf<ShownBody>];
}

/**
 * Asserts a relation on some of the explored answers of the check's operation. If it does not hold at first, both answers
 * are read again, so that a change of data between two reads is not held against the target.
 */
export async function holdsBetween(relation: Relation, context: CheckContext): Promise<void> {
  const candidates = await relationCandidates(context);
  const pairs = pairsFor(relation, candidates, context);
  const askPlainly = (request: PlannedRequest) => askOnce(candidates, context, request);
  const compared = await Promise.allSettled(
    pairs.map((pair) => compareWithPlainest(relation, pair, askPlainly, context)),
  );
  const doubted = pairs.filter((_, index) => {
    const outcome = compared[index];
    return outcome?.status === "fulfilled" && outcome.value === undefined;
  });
  // One large answer shows what is wrong with all of them.
  const firstLarge = doubted.find(({ original }) => isLarge(original));
  const pairsToRepeat = mostDiverse(
    doubted.filter((pair) => pair === firstLarge || !isLarge(pair.original)),
    usualSample[context.profile],
  );
  const readAgain = (pairsToRead: readonly ExploredPair[]) =>
    Promise.allSettled(pairsToRead.map((pair) => compareAgain(relation, pair, context)));
  const firstAgain = await readAgain(pairsToRepeat.slice(0, triedFirst));
  const unstable = firstAgain.length > 0 && firstAgain.every(({ status }) => status === "rejected");
  const reread = [...firstAgain, ...(unstable ? [] : await readAgain(pairsToRepeat.slice(triedFirst)))];
  const disagreements = reread.flatMap((outcome) =>
    outcome.status === "fulfilled" && typeof outcome.value === "object" ? [outcome.value] : [],
  );
  const shownAgain = disagreements.find((each) => kindOf(relation, each) !== "");
  const smallest = await smallestOf(relation, shownAgain, context);
  const shown = await Promise.allSettled(
    [...smallest, ...disagreements].map(async (disagreement) => assertOn(relation, disagreement, context)),
  );
  const outcomes = [...compared, ...reread, ...shown];
  const stopped = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  const settled = outcomes.some(
    (outcome) => outcome.status === "fulfilled" && typeof outcome.value === "number" && outcome.value > 0,
  );
  for (const reason of stopped) if (!settled || !(reason instanceof Inconclusive)) throw reason;
}

/**
 * First comparison: judges the answer against the one to the plainest request equivalent to the rewritten one.
 *
 * @returns how many assertions were made; undefined if both must be read again
 */
async function compareWithPlainest(
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
  { original, planned, ...pair }: ExploredPair,
  context: CheckContext,
): Promise<number | Disagreement> {
  const { endpoint } = context;
  const { request, rewritten, asked } = pair;
  const first = relation.from ? await askInTurn(context, endpoint, request) : original;
  const second = await askInTurn(context, endpoint, rewritten);
  const seen = agreed(relation, [first, second], asked, context);
  if (seen !== undefined) return seen;
  const answers = await readTogether(relation, pair, [first, second], context);
  return { ...pair, planned, answers };
}

/** Reads both answers of a pair again on stable data (P3); of a stream, as many messages as showed the disagreement. */
function readTogether(
  relation: Relation,
  { request, rewritten, asked }: RequestPair,
  before: Disagreement["answers"],
  context: CheckContext,
): Promise<Disagreement["answers"]> {
  const { endpoint } = context;
  const asking = { messages: messagesToRead(relation, before, asked) };
  return context.bracket(
    () => askInTurn(context, endpoint, request, asking),
    () => askInTurn(context, endpoint, rewritten, asking),
    comparedState(endpoint),
  );
}

/** How many messages of both streams show a disagreement; undefined if it takes all of them, or for other operations. */
function messagesToRead(
  relation: Relation,
  answers: readonly AnswerOf<ShownBody>[],
  asked: ParsedRequest,
): number | undefined {
  const judgement = judged(relation, answers, asked);
  const count = judgement && messagesShowing(judgement);
  if (count === undefined) return undefined;
  const [first, second] = answers.flatMap(({ outcome }) =>
    outcome.kind === "success" ? [{ messages: (outcome.body as Snapshots).messages.slice(0, count) }] : [],
  );
  const shorter = first && second && judgedBy(relation, first, second, asked);
  return shorter && shorter.violations.length > 0 ? count : undefined;
}

/** Asserts the relation on the answers of a disagreement. Returns the number of assertions. */
function assertOn(relation: Relation, { answers, asked }: Disagreement, { verify }: CheckContext): number {
  let examined = 0;
  verify(...answers).satisfies((one, other) => {
    const judgement = judgedBy(relation, one, other, asked);
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
  found: Disagreement | undefined,
  context: CheckContext,
): Promise<readonly Disagreement[]> {
  if (!found) return [];
  const { endpoint, subjects } = context;
  const isShown = (other: Disagreement) => kindOf(relation, other) === kindOf(relation, found);
  const smaller = async (planned: PlannedRequest, pair: RequestPair) => {
    const answers = [
      await askPlanned(context, endpoint, pair.request),
      await askPlanned(context, endpoint, pair.rewritten),
    ] as const;
    if (isShown({ ...pair, planned, answers })) return { ...pair, planned, answers };
    return foundCorrect(judged(relation, answers, pair.asked)) ? "correct" : undefined;
  };
  const { smallest, neededFields } = await shrink<Disagreement>(found, { endpoint, subjects }, (planned) => {
    const pair = pairOf(relation, planned, parseRequest(endpoint, stringify(planned.body), subjects), subjects);
    return pair && smaller(planned, pair);
  });
  const needed = neededInWords(neededFields);
  if (needed) context.note(needed);
  if (smallest === found) return [];
  const answers = await readTogether(relation, smallest, smallest.answers, context).catch((end) => {
    if (isSignal(end)) return undefined;
    throw end;
  });
  const confirmed = answers && { ...smallest, answers };
  return confirmed && isShown(confirmed) ? [confirmed] : [];
}

/** How two answers disagree: in what a relation says of them, or in their outcomes; empty if they do not. */
function kindOf(relation: Relation, { answers, asked }: Disagreement): string {
  const [first, second] = answers.map(({ outcome }) => outcome.kind);
  if (first !== second) return `${first}, ${second}`;
  return (judged(relation, answers, asked)?.violations.length ?? 0) > 0 ? "judged" : "";
}

/** Judges two bodies by a relation. Violations are in the first. */
function judgedBy({ holds }: Relation, original: ShownBody, rewritten: ShownBody, asked: ParsedRequest): Judgement {
  return answersSwapped(holds(rewritten as JsonObject, original as JsonObject, asked));
}

/** Judges two answers by a relation; undefined unless both are successes. */
function judged(
  relation: Relation,
  answers: readonly AnswerOf<ShownBody>[],
  asked: ParsedRequest,
): Judgement | undefined {
  const [first, second] = answers.flatMap(({ outcome }) => (outcome.kind === "success" ? [outcome.body] : []));
  return first && second && judgedBy(relation, first, second, asked);
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
