import type { AnswerOf } from "./answer.js";
import { isSample, rejectSample } from "./samples.js";
import { Inconclusive } from "./signals.js";
import { outcomeInWords, rejectTrouble } from "./verify.js";

/**
 * The answers that have a body. A rule on bodies has nothing to judge without one: that the answer should have been a
 * success is left to the rules on errors, and must not fail every other rule as well.
 *
 * Ends the check if no answer has a body: as unimplemented, as a transport error, or as inconclusive.
 *
 * @param samples whether sampled answers are accepted: for rules that hold for any subset of rows
 */
export function usable<Answer extends AnswerOf<unknown>>(
  answers: readonly Answer[],
  samples: "whole" | "or samples" = "whole",
): readonly Answer[] {
  return usableAmong(answers, (answer) => answer, samples);
}

/** Ends the check if none of the answers has a body, as {@link usable} does. */
export function requireUsable(answers: readonly AnswerOf<unknown>[]): void {
  usable(answers);
}

/** Like {@link usable}, for items that each hold an answer. */
export function usableAmong<Item>(
  items: readonly Item[],
  answerOf: (item: Item) => AnswerOf<unknown>,
  samples: "whole" | "or samples" = "whole",
): readonly Item[] {
  const isUsable = (answer: AnswerOf<unknown>) =>
    answer.outcome.kind === "success" || (samples === "or samples" && isSample(answer));
  const found = items.filter((item) => isUsable(answerOf(item)));
  const answers = items.map(answerOf);
  const [first] = answers;
  if (first && found.length === 0) {
    answers.filter(isSample).forEach(rejectSample);
    rejectTrouble(first);
    throw new Inconclusive(`${first.endpoint} gave ${outcomeInWords(first)} where a success would settle it`);
  }
  return found;
}
