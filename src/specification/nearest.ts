import { distance } from "fastest-levenshtein";

/** The known words nearest to a mistyped one, best first; at most `count`. */
export function nearestOf<Word extends string>(word: string, known: readonly Word[], count = 3): readonly Word[] {
  return known
    .map((each) => ({ each, edits: distance(word, each) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ each }) => each);
}
