import type { AnswerOf } from "./answer.js";
import { Inconclusive } from "./signals.js";
import { describeOutcome, rejectTrouble } from "./verify.js";

/**
 * The answers that brought a body. A rule on what bodies say has nothing to judge where there is none: that the answer
 * should have been a success is the concern of the rules on errors, and must not fail every other rule as well.
 *
 * Ends the check when no answer has a body: as unimplemented, as trouble on the way, or as inconclusive.
 */
export function usable<Answer extends AnswerOf<unknown>>(answers: readonly Answer[]): readonly Answer[] {
  const successes = answers.filter(({ outcome }) => outcome.kind === "success");
  const [first] = answers;
  if (first && successes.length === 0) {
    rejectTrouble(first);
    throw new Inconclusive(`${first.endpoint} gave ${describeOutcome(first)} where a success would settle it`);
  }
  return successes;
}
