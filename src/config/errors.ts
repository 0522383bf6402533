import { closest, distance } from "fastest-levenshtein";
import { nearestOf } from "../specification/nearest.js";

/** The settings of a run cannot be used: each problem is a sentence for the user. Never holds a secret. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/** The known word that a mistyped one is nearest to; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, known);
  return distance(word.toLowerCase(), best.toLowerCase()) <= Math.max(2, word.length / 3) ? best : undefined;
}

/** More names than these are not listed. */
const listedAtMost = 30;

/** That there is nothing of a name: the nearest one that is known, or all of them when none is near; of very many the three nearest. */
export function unknown(kind: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const list =
    known.length <= listedAtMost
      ? `known: ${known.join(", ")}`
      : `the nearest are ${nearestOf(name, known).join(", ")}`;
  const help = near === undefined ? list : `did you mean ${JSON.stringify(near)}?`;
  return `there is no ${kind} ${JSON.stringify(name)} (${help})`;
}
