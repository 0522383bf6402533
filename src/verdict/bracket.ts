import type { Json } from "../connect/json.js";
import type { AnswerOf } from "./answer.js";
import { bodyKnown } from "./samples.js";
import { Inconclusive } from "./signals.js";

/** How often a bracketed reading is tried before the data counts as moving too fast (P3). */
const ATTEMPTS = 4;

/** Is told what an answer held of what must not change, as comparable text. */
export type Note = (answer: AnswerOf<unknown>, state: string) => void;

/**
 * Reads A, B, and A again (P3). When both readings of A hold the same, A and B describe the same moment and may be
 * compared; otherwise it is tried again, a bounded number of times. Of samples the same rows must hold the same.
 *
 * @param stable what of A's body must not change in between, as comparable text
 * @param note is told what A held, each time
 * @throws Inconclusive when the data kept changing
 */
export async function bracket<A, B>(
  readA: () => Promise<AnswerOf<A>>,
  readB: () => Promise<B>,
  stable: (body: A) => string,
  note: Note = () => {},
): Promise<[a: AnswerOf<A>, b: B]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await readA();
    const between = await readB();
    const first = bodyKnown(before);
    if (first === undefined) return [before, between];
    const after = await readA();
    const second = bodyKnown(after);
    if (second === undefined) return [after, between];
    const states = [stable(first), stable(second)] as const;
    note(before, states[0]);
    note(after, states[1]);
    if (before.outcome.kind === after.outcome.kind && states[0] === states[1]) return [before, between];
  }
  throw new Inconclusive(
    `the data kept changing between the readings in each of ${ATTEMPTS} attempts; a quieter platform would settle it`,
  );
}

/** Requests that a bracketed reading may send at most, when A and B take so many each. */
export function bracketBudget(requestsOfA: number, requestsOfB: number): number {
  return ATTEMPTS * (2 * requestsOfA + requestsOfB);
}

/** A whole body as comparable text. */
export function wholeBody(body: Json): string {
  return JSON.stringify(body, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}
