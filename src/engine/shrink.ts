/** Finds the smallest request that still shows a violation. */
import type { PlannedRequest } from "../exploration/operation.js";
import { canonicalRewrites, essentialFields, withoutField } from "../exploration/rewrites.js";
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
  /** A field that must not be dropped. */
  readonly kept?: string | undefined;
}

/**
 * Shrinks a request: writes it more plainly and drops one optional field at a time, keeping each change that still shows the
 * finding.
 *
 * @param attempt sends a smaller request and resolves to what it found, or to undefined if the finding does not show;
 *   returns undefined at once if there is nothing to send, which does not count as an attempt
 * @returns what the smallest request found
 */
export async function shrink<Found extends { readonly planned: PlannedRequest }>(
  found: Found,
  { endpoint, subjects, kept }: Shrinking,
  attempt: (smaller: PlannedRequest) => Promise<Found | undefined> | undefined,
): Promise<Found> {
  const fields = Object.keys(found.planned.body).filter((field) => field !== kept && isOptionalField(endpoint, field));
  let smallest = found;
  let attemptsLeft = attemptsAtMost;
  for (const rewrite of [...canonicalRewrites, ...fields.map(withoutField)]) {
    const smaller = rewrite(smallest.planned, subjects);
    const pending = smaller && attemptsLeft > 0 ? attempt(smaller) : undefined;
    if (!pending) continue;
    attemptsLeft--;
    smallest = (await pending) ?? smallest;
  }
  return smallest;
}

/**
 * Like {@link shrink}, for a finding that one answer shows.
 *
 * @param shows whether an answer shows the finding
 * @param kept a field that must not be dropped
 */
export function shrinkRequest(
  context: CheckContext,
  violating: PlannedAnswer,
  shows: (answer: AnswerOf<ShownBody>) => boolean,
  kept?: string,
): Promise<PlannedAnswer> {
  const { endpoint } = violating.answer;
  const shrinking = { endpoint, subjects: context.subjects, kept };
  return shrink(violating, shrinking, async (planned) => {
    const answer = await askPlanned(context, endpoint, planned);
    return shows(answer) ? { planned, answer } : undefined;
  });
}
