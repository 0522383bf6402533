import type { Json } from "../connect/json.js";
import type { AnswerOf } from "./answer.js";
import type { Moments } from "./moments.js";
import { bodyOfSample, isSample } from "./samples.js";
import { Inconclusive } from "./signals.js";

/** How often a bracketed reading is tried before the data counts as moving too fast (P3). */
const ATTEMPTS = 4;

/**
 * Reads A, B, and A again (P3). When both readings of A hold the same, A and B describe the same moment and may be
 * compared; otherwise it is tried again, a bounded number of times. Of samples the same rows must hold the same.
 *
 * @param stable what of A's body must not change in between, as comparable text
 * @param moments takes down what A held
 * @throws Inconclusive when the data kept changing
 */
export async function bracket<A, B>(
  readA: () => Promise<AnswerOf<A>>,
  readB: () => Promise<B>,
  stable: (body: A) => string,
  moments?: Moments,
): Promise<[a: AnswerOf<A>, b: B]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await readA();
    const between = await readB();
    const first = bodyIn(before);
    if (first === undefined) return [before, between];
    const after = await readA();
    const second = bodyIn(after);
    if (second === undefined) return [after, between];
    const states = [stable(first), stable(second)] as const;
    moments?.note(before, states[0]);
    moments?.note(after, states[1]);
    if (before.outcome.kind === after.outcome.kind && states[0] === states[1]) return [before, between];
  }
  throw new Inconclusive(
    `the data kept changing between the readings in each of ${ATTEMPTS} attempts; a quieter platform would settle it`,
  );
}

function bodyIn<A>(answer: AnswerOf<A>): A | undefined {
  if (answer.outcome.kind === "success") return answer.outcome.body;
  return isSample(answer) ? bodyOfSample(answer) : undefined;
}

/** Requests that a bracketed reading may send at most, when A and B take so many each. */
export function bracketBudget(requestsOfA: number, requestsOfB: number): number {
  return ATTEMPTS * (2 * requestsOfA + requestsOfB);
}

/** A whole body as comparable text. */
export function wholeBody(body: Json): string {
  return JSON.stringify(body, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}
