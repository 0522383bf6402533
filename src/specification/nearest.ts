import { distance } from "fastest-levenshtein";

/** Largest share of a word that may have to change for it to count as near to another one. */
const mostChanged = 0.5;

/**
 * The known words near to a mistyped or unfinished one, at most three: first those that begin with it, then by how little has
 * to change. None if all differ in more than half of it.
 */
export function nearestOf<Word extends string>(word: string, known: readonly Word[]): readonly Word[] {
  return known
    .map((each) => ({ each, edits: distance(word, each), begins: word !== "" && each.startsWith(word) }))
    .filter(({ each, edits, begins }) => begins || edits <= mostChanged * Math.max(word.length, each.length))
    .sort((a, b) => Number(b.begins) - Number(a.begins) || a.edits - b.edits)
    .slice(0, 3)
    .map(({ each }) => each);
}
