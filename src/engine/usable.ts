import type { AnswerOf } from "./answer.js";
import { isSample, rejectSample } from "./samples.js";
import { Inconclusive } from "./signals.js";
import { describeOutcome, rejectTrouble } from "./verify.js";

/**
 * The answers that brought a body. A rule on what bodies say has nothing to judge where there is none: that the answer
 * should have been a success is the concern of the rules on errors, and must not fail every other rule as well.
 *
 * Ends the check when no answer has a body: as unimplemented, as trouble on the way, or as inconclusive.
 *
 * @param samples whether answers of which only a sample is known will do: for rules that hold for any rows
 */
export function usable<Answer extends AnswerOf<unknown>>(
  answers: readonly Answer[],
  samples: "whole" | "or samples" = "whole",
): readonly Answer[] {
  const successes = answers.filter(
    (answer) => answer.outcome.kind === "success" || (samples === "or samples" && isSample(answer)),
  );
  const [first] = answers;
  if (first && successes.length === 0) {
    answers.filter(isSample).forEach(rejectSample);
    rejectTrouble(first);
    throw new Inconclusive(`${first.endpoint} gave ${describeOutcome(first)} where a success would settle it`);
  }
  return successes;
}
