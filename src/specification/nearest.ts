import { distance } from "fastest-levenshtein";

/** Largest share of a word that may have to change for it to count as near to another one. */
const mostChanged = 0.5;

/** The known words near to a mistyped one, nearest first; at most three. None if all differ in more than half of it. */
export function nearestOf<Word extends string>(word: string, known: readonly Word[]): readonly Word[] {
  return known
    .map((each) => ({ each, edits: distance(word, each) }))
    .filter(({ each, edits }) => edits <= mostChanged * Math.max(word.length, each.length))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ each }) => each);
}
