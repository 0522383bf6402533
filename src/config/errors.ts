import { closest, distance } from "fastest-levenshtein";

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

/** That there is nothing of a name: the nearest one that is known, or all of them when none is near. */
export function unknown(kind: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const help = near === undefined ? `known: ${known.join(", ")}` : `did you mean ${JSON.stringify(near)}?`;
  return `there is no ${kind} ${JSON.stringify(name)} (${help})`;
}
