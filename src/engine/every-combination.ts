/** Judges an invariant on every explored answer, and finds the smallest request that violates it. */
import type { JsonObject } from "../connect/json.js";
import { appliesTo, type Invariant } from "../judge/invariant.js";
import { foundCorrect, type Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/located-rows.js";
import type { AnswerOf } from "./answer.js";
import type { CheckContext } from "./context.js";
import { isCombinationFailure, isContentRefusal } from "./documented-outcome.js";
import { askInTurn, askPlanned, explored, type PlannedAnswer, unexplored } from "./explored.js";
import { judgeInvariant, parsedRequestOf } from "./invariant-judgement.js";
import { neededInWords, shrinkRequest } from "./shrink.js";
import { Inconclusive } from "./signals.js";
import { usableAmong } from "./usable.js";

/**
 * Asserts an invariant on every explored answer that it applies to. A violation is tried again with fewer fields and
 * reported with the smallest request that still shows it, beside the one that first showed it.
 */
export async function holdsInEveryCombination(invariant: Invariant, context: CheckContext): Promise<void> {
  const { exchanges } = await explored(context, invariant.endpoint);
  if (invariant.answered) {
    await answersInsteadOfRefusing(invariant, exchanges, context);
  }
  const answered = usableAmong(exchanges, ({ answer }) => answer, invariant.ofAnyRows ? "or samples" : "whole");
  const judge = (answer: AnswerOf<ShownBody>) => judgeInvariant(invariant, answer, context);
  context.required(
    answered.map(({ answer }) => judge(answer)).find((judgement) => judgement !== undefined),
    unexplored(context, "that the rule applies to"),
  );
  const violating: PlannedAnswer[] = [];
  for (const made of answered) {
    const judgement = judge(made.answer);
    if (!judgement) continue;
    if (judgement.violations.length > 0) violating.push(made);
    else assertOn(context, invariant, made.answer, judgement);
  }
  const shows = (answer: AnswerOf<ShownBody>) => (judge(answer)?.violations.length ?? 0) > 0;
  const shown = invariant.stable ? await readUntil(shows, violating, invariant, context) : violating;
  const found = shown.find(({ answer }) => shows(answer)) ?? shown[0];
  if (!found) return;
  // A violation seen only right after another request may come from state remembered from that request.
  if (shows(found.answer) && violating.every(({ planned }) => planned.after)) await context.pause(forgetMs);
  const isCorrect = (answer: AnswerOf<ShownBody>) => foundCorrect(judge(answer));
  const smallest = shows(found.answer) ? [await smallestShowing(context, found, { shows, isCorrect })] : [];
  for (const answer of new Set([...smallest, ...shown].map((item) => item.answer))) {
    const judgement = judge(answer);
    if (judgement) assertOn(context, invariant, answer, judgement);
  }
}

/** How long to wait for a server to forget a previous request, in milliseconds. */
const forgetMs = 500;

/**
 * Finds the smallest request that shows the violation. If that request does not show it again, a note says so: the answer
 * depends on more than the request.
 */
async function smallestShowing(
  context: CheckContext,
  violating: PlannedAnswer,
  { shows, isCorrect }: Readonly<Record<"shows" | "isCorrect", (answer: AnswerOf<ShownBody>) => boolean>>,
): Promise<PlannedAnswer> {
  const { smallest, neededFields } = await shrinkRequest(context, violating, shows, { isCorrect });
  const { planned, answer } = smallest;
  const alone = await askPlanned(context, violating.answer.endpoint, planned);
  if (!shows(alone)) {
    context.note(
      "when sent again, the same request was answered correctly: the answer depends on earlier or concurrent requests, or the data changed",
    );
    return smallest;
  }
  const needed = neededInWords(neededFields);
  if (needed) context.note(needed);
  return { planned, answer: answer.after ? alone : answer };
}

function assertOn(
  { verify }: CheckContext,
  { ofAnyRows }: Invariant,
  answer: AnswerOf<ShownBody>,
  judgement: Judgement,
): void {
  if (ofAnyRows) verify(answer).holdsForAnyRows(judgement);
  else verify(answer).satisfies(judgement);
}

/** How many requests are sent again, at most, until one shows its violation again. */
const mostReadAgain = 3;

/**
 * Sends requests again, on stable data (P3), until one shows a violation again: what one of them showed may have been a change
 * of data, and what another shows a fault.
 *
 * @throws Inconclusive if the data kept changing during every read
 */
async function readUntil(
  shows: (answer: AnswerOf<ShownBody>) => boolean,
  violating: readonly PlannedAnswer[],
  { endpoint, stable }: Invariant,
  context: CheckContext,
): Promise<readonly PlannedAnswer[]> {
  const reread: PlannedAnswer[] = [];
  let unstable: Inconclusive | undefined;
  for (const { planned } of violating.slice(0, mostReadAgain)) {
    const read = () => askInTurn(context, endpoint, planned);
    try {
      const answer = await context.stableRead(read, (body) => stable?.(body as JsonObject) ?? "");
      reread.push({ planned, answer });
      if (shows(answer)) break;
    } catch (end) {
      if (!(end instanceof Inconclusive)) throw end;
      unstable = end;
    }
  }
  if (unstable && reread.length === 0) throw unstable;
  return reread;
}

/** Asserts that a server does not refuse a request because of what the invariant is about. */
async function answersInsteadOfRefusing(
  invariant: Invariant,
  exchanges: readonly PlannedAnswer[],
  context: CheckContext,
): Promise<void> {
  const { subjects, verify } = context;
  const isDue = (answer: AnswerOf<ShownBody>) => {
    const asked = parsedRequestOf(answer, subjects);
    return asked !== undefined && isContentRefusal(answer) && appliesTo(invariant, asked, subjects);
  };
  const refused = exchanges.find(({ answer }) => isDue(answer));
  if (!refused) return;
  const { smallest } = await shrinkRequest(context, refused, isDue);
  // Refusals due to headers or notation are left to the rules on those.
  const { headers, notation } = smallest.planned;
  const isUsual = Object.keys(headers).length === 0 && notation === undefined;
  if (isUsual && !isCombinationFailure(smallest, exchanges, subjects))
    verify(smallest.answer, refused.answer).succeeds();
}
