import type { Json, JsonObject } from "../connect/json.js";
import { asObject, readId } from "../judge/read-values.js";
import { cacheAgeMs } from "../specification/limits.js";
import type { AnswerOf } from "./answer.js";
import { bodyKnown } from "./samples.js";
import { Inconclusive } from "./signals.js";

/** How often a bracketed reading is tried before the data counts as moving too fast (P3). */
const ATTEMPTS = 4;

/** How often a bracketed reading reads A at most (P3). */
export const bracketReads = 2 * ATTEMPTS;

/** Told when readings show that the data moved: what looks alike then may be a coincidence. */
type OnMotion = () => void;

/**
 * Reads A, B, and A again (P3). When both readings of A hold the same, A and B describe the same moment and may be
 * compared; otherwise it is tried again, a bounded number of times. Of samples the same rows must hold the same.
 *
 * @param stable what of A's body must not change in between, as comparable text
 * @param onMotion called when readings show that the data moved
 * @throws Inconclusive when the data kept changing
 */
export async function bracket<A, B>(
  readA: () => Promise<AnswerOf<A>>,
  readB: () => Promise<B>,
  stable: (body: A) => string,
  onMotion: OnMotion = () => {},
): Promise<[a: AnswerOf<A>, b: B]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) onMotion();
    const before = await readA();
    const between = await readB();
    const first = bodyKnown(before);
    if (first === undefined) return [before, between];
    const after = await readA();
    const second = bodyKnown(after);
    if (second === undefined) return [after, between];
    if (before.outcome.kind === after.outcome.kind && stable(first) === stable(second)) {
      if (totalsDiffer([before, ...answersIn(between)])) onMotion();
      return [before, between];
    }
  }
  throw keptChanging(ATTEMPTS);
}

/** How often a later look is tried: it takes more readings. */
const LATER_ATTEMPTS = 2;

/**
 * The same for a later look (P3), in the other order and with each reading made twice in a row: B, B, A, A, B. What a cache or a
 * replica showed too late the first time, it does not show too late both times; and data that go back and forth between a few
 * states are hardly met in the same two of them by five readings.
 *
 * @param stable what of A's body must not change in between; of B's answers as well where they are of the same operation
 * @param usual what of other answers must not change
 */
export async function steadyBracket<A, B>(
  readA: () => Promise<AnswerOf<A>>,
  readB: () => Promise<B>,
  stable: (body: A) => string,
  usual: (body: unknown) => string,
  onMotion: OnMotion = () => {},
): Promise<[a: AnswerOf<A>, b: B]> {
  for (let attempt = 0; attempt < LATER_ATTEMPTS; attempt++) {
    if (attempt > 0) onMotion();
    const before = [await readB(), await readB()] as const;
    const between = [await readA(), await readA()] as const;
    const state = (answer: AnswerOf<unknown>) =>
      stateOf(answer, answer.endpoint === between[0].endpoint ? (body) => stable(body as A) : usual);
    const isSame = (readings: readonly unknown[]) =>
      new Set(readings.map((reading) => answersIn(reading).map(state).join("\n"))).size === 1;
    if (isSame([...before, await readB()]) && isSame(between)) {
      if (totalsDiffer([between[0], ...answersIn(before[0])])) onMotion();
      return [between[0], before[0]];
    }
  }
  throw keptChanging(LATER_ATTEMPTS);
}

/** How long the readings of a last look are apart, in milliseconds: no short cache gives two of them the same answer (P3). */
const APART_MS = cacheAgeMs + 200;

/**
 * The same for a last look at data that were seen to move (P3): A, B and A again, so far apart that each is an answer of its own.
 * Tried once, since two readings of moving data would match by chance sooner or later.
 *
 * @param pause waits so many milliseconds
 */
export async function spreadBracket<A, B>(
  readA: () => Promise<AnswerOf<A>>,
  readB: () => Promise<B>,
  stable: (body: A) => string,
  pause: (ms: number) => Promise<void>,
): Promise<[a: AnswerOf<A>, b: B]> {
  const before = await readA();
  await pause(APART_MS);
  const between = await readB();
  await pause(APART_MS);
  const state = (answer: AnswerOf<unknown>) => stateOf(answer, (body) => stable(body as A));
  if (state(before) !== state(await readA())) throw keptChanging(1);
  return [before, between];
}

function keptChanging(attempts: number): Inconclusive {
  const often = attempts === 1 ? "" : ` in each of ${attempts} attempts`;
  return new Inconclusive(`the data kept changing between the readings${often}; a quieter platform would settle it`);
}

/** Whether answers of one operation tell different totals: of the same records they are of different moments. */
function totalsDiffer(answers: readonly AnswerOf<unknown>[]): boolean {
  const totals = answers.map((answer) => {
    const { pagination, orderBook } = (bodyKnown(answer) ?? {}) as JsonObject;
    const total = asObject(pagination)?.totalCount ?? asObject(orderBook)?.totalOrderCount;
    return [answer.endpoint, readId(total)];
  });
  return totals.some(([endpoint, total]) => totals.some(([other, another]) => other === endpoint && another !== total));
}

/** What an answer holds, or how it ended. */
function stateOf(answer: AnswerOf<unknown>, stable: (body: unknown) => string): string {
  const body = bodyKnown(answer);
  return body === undefined ? `no body: ${answer.outcome.kind}` : stable(body);
}

/** The answers in a value: itself, or those in its arrays and members. */
function answersIn(value: unknown): readonly AnswerOf<unknown>[] {
  if (Array.isArray(value)) return value.flatMap(answersIn);
  if (typeof value !== "object" || value === null) return [];
  if ("outcome" in value && "exchange" in value) return [value as AnswerOf<unknown>];
  return Object.values(value).flatMap(answersIn);
}

/** Requests that a bracketed reading may send at most, also in a later look, when A and B take so many each. */
export function bracketBudget(requestsOfA: number, requestsOfB: number): number {
  const first = ATTEMPTS * (2 * requestsOfA + requestsOfB);
  return Math.max(first, LATER_ATTEMPTS * (2 * requestsOfA + 3 * requestsOfB));
}

/** A whole body as comparable text. */
export function wholeBody(body: Json): string {
  return JSON.stringify(body, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}
