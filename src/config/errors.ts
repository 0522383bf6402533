import { closest, distance } from "fastest-levenshtein";
import type { z } from "zod";

/** The settings of a run are invalid. Each problem is a sentence for the user, and never contains a secret. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/** The known word that a mistyped one must stand for; undefined when none is so close. */
export function correctionOf(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, known);
  return distance(word.toLowerCase(), best.toLowerCase()) <= Math.max(2, word.length / 3) ? best : undefined;
}

/**
 * Up to three known words similar to a mistyped or unfinished one: first those that begin with it, then by how little has to
 * change. None if more than half of each would have to change.
 */
function similarTo(word: string, known: readonly string[]): readonly string[] {
  return known
    .map((each) => ({ each, edits: distance(word, each), begins: word !== "" && each.startsWith(word) }))
    .filter(({ each, edits, begins }) => begins || edits <= Math.max(word.length, each.length) / 2)
    .sort((a, b) => Number(b.begins) - Number(a.begins) || a.edits - b.edits)
    .slice(0, 3)
    .map(({ each }) => each);
}

/** Maximum number of known names that are listed in full. */
const maxListed = 30;

/** The message for an unknown name: suggests close ones, or else lists all known names if they are few. */
export function noSuch(kind: string, name: string, known: readonly string[]): string {
  return `there is no ${kind} ${JSON.stringify(name)} (${suggestion(name, known)})`;
}

function suggestion(name: string, known: readonly string[]): string {
  const begun = name === "" ? [] : known.filter((each) => each.startsWith(name));
  const meant = begun.length > 1 ? undefined : (begun[0] ?? correctionOf(name, known));
  if (meant !== undefined) return `did you mean ${JSON.stringify(meant)}?`;
  if (begun.length === 0 && known.length <= maxListed) return `known: ${known.join(", ")}`;
  const similar = similarTo(name, known);
  return similar.length > 0 ? `the nearest are ${similar.join(", ")}` : `and none of the ${known.length} is like it`;
}

/** Kinds of values whose bounds are reported as numbers. */
const numeric: ReadonlySet<string> = new Set(["number", "int"]);

/** The message of a schema issue in plain words; for an invalid key, the message about the key. */
export function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_small" && numeric.has(issue.origin)) return `it must be at least ${issue.minimum}`;
  if (issue.code === "too_big" && numeric.has(issue.origin)) return `it must be at most ${issue.maximum}`;
  return (issue.code === "invalid_key" ? issue.issues[0]?.message : undefined) ?? issue.message;
}
