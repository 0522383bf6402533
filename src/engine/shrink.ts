/** Finds the smallest request that still shows a violation. */
import { isDeepStrictEqual } from "node:util";
import type { PlannedRequest } from "../exploration/planned-request.js";
import { canonicalRewrites, essentialFields, type Rewrite, withoutField } from "../exploration/rewrites.js";
import type { ShownBody } from "../judge/located-rows.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { CheckContext } from "./context.js";
import { askPlanned, type PlannedAnswer } from "./explored.js";

/** How many smaller requests are tried. */
const attemptsAtMost = 10;

/** Whether a field may be omitted, including the wallet of GetAllOrders and the market of GetOrders (§4.3, §4.4). */
export function isOptionalField(endpoint: Endpoint, field: string): boolean {
  const isOptional =
    (endpoint === "GetAllOrders" && field === "address") || (endpoint === "GetOrders" && field === "market");
  return isOptional || !essentialFields.has(field);
}

/** What is shrunk, and how far. */
export interface Shrinking {
  readonly endpoint: Endpoint;
  readonly subjects: Subjects;
  /** A field that is left as it is. */
  readonly kept?: string | undefined;
}

/** What the smallest request found, and the fields without which the same request was answered correctly. */
export interface Shrunk<Found> {
  readonly smallest: Found;
  readonly neededFields: readonly string[];
}

/**
 * Shrinks a request: writes it more plainly and drops one optional field at a time, keeping each change that still shows the
 * finding. A field that had to stay is tried again once another one is gone.
 *
 * @param attempt sends a smaller request and resolves to what it found, to `correct` if it was answered correctly, or to
 *   undefined if it tells nothing; returns undefined at once if there is nothing to send, which does not count as an attempt
 */
export async function shrink<Found extends { readonly planned: PlannedRequest }>(
  found: Found,
  { endpoint, subjects, kept }: Shrinking,
  attempt: (smaller: PlannedRequest) => Promise<Found | "correct" | undefined> | undefined,
): Promise<Shrunk<Found>> {
  let smallest = found;
  let attemptsLeft = attemptsAtMost;
  const smallerBy = (rewrite: Rewrite) => {
    const smaller = rewrite(smallest.planned, subjects);
    const isTried = smaller && attemptsLeft > 0 && (kept === undefined || isSameIn(kept, smaller, smallest.planned));
    const pending = isTried ? attempt(smaller) : undefined;
    if (pending) attemptsLeft--;
    return pending;
  };
  for (const rewrite of canonicalRewrites) {
    const outcome = await smallerBy(rewrite);
    if (typeof outcome === "object") smallest = outcome;
  }
  const fields = Object.keys(found.planned.body).filter((field) => field !== kept && isOptionalField(endpoint, field));
  const needed = new Set<string>();
  for (const field of fields) {
    const outcome = await smallerBy(withoutField(field));
    if (outcome === "correct") needed.add(field);
    if (typeof outcome !== "object") continue;
    smallest = outcome;
    fields.push(...needed);
    needed.clear();
  }
  return { smallest, neededFields: [...needed] };
}

function isSameIn(field: string, one: PlannedRequest, other: PlannedRequest): boolean {
  return isDeepStrictEqual(one.body[field], other.body[field]);
}

/** Says of a violation without which fields of the request it does not show; undefined if that is not known. */
export function neededInWords(fields: readonly string[]): string | undefined {
  if (fields.length === 0) return undefined;
  const without = fields.length === 1 ? "it" : "one of them";
  return `shows only with ${fields.join(" and ")}: without ${without}, the same request was answered correctly`;
}

/** How an answer is judged while a request is shrunk. */
export interface ShrinkOptions extends Pick<Shrinking, "kept"> {
  /** Whether an answer that does not show the finding is known to be correct. */
  readonly isCorrect?: (answer: AnswerOf<ShownBody>) => boolean;
}

/**
 * Like {@link shrink}, for a finding that one answer shows.
 *
 * @param shows whether an answer shows the finding
 */
export function shrinkRequest(
  context: CheckContext,
  violating: PlannedAnswer,
  shows: (answer: AnswerOf<ShownBody>) => boolean,
  { kept, isCorrect }: ShrinkOptions = {},
): Promise<Shrunk<PlannedAnswer>> {
  const { endpoint } = violating.answer;
  return shrink(violating, { endpoint, subjects: context.subjects, kept }, async (planned) => {
    const answer = await askPlanned(context, endpoint, planned);
    if (shows(answer)) return { planned, answer };
    return isCorrect?.(answer) ? "correct" : undefined;
  });
}
