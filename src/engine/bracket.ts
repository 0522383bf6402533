import type { JsonObject } from "../connect/json.js";
import { shortDigest } from "../judge/digest.js";
import type { ShownBody } from "../judge/located-rows.js";
import { asObject, readId } from "../judge/read-values.js";
import { storedState } from "../judge/stored-state.js";
import { cacheAgeMs } from "../specification/limits.js";
import type { AnswerOf } from "./answer.js";
import { knownBody } from "./samples.js";
import { Inconclusive } from "./signals.js";

/** How many times a bracketed read is attempted before the data counts as changing too fast (P3). */
const tries = 4;
/** The same for a large answer, which costs the most, and in which something has changed the most often. */
const triesOfLarge = 2;

/** Whether an answer is large: a full page of orders or positions is. */
export function isLarge({ exchange: { response } }: AnswerOf<unknown>): boolean {
  return (response?.bytes ?? 0) > 200_000;
}

/** What must not change in a body by default. */
export const stableBody = (body: unknown) => storedState(body as ShownBody);

/** Called when reads show that the data changed, so that a match may be a coincidence. */
type OnMotion = () => void;

/**
 * Reads A, B, then A again (P3). If both reads of A agree, A and B describe the same moment and may be compared; otherwise
 * it retries a bounded number of times. For samples, the same rows must agree.
 *
 * @param stable the part of A's body that must not change in between, as comparable text
 * @param onMotion called when reads show that the data changed
 * @throws Inconclusive when the data kept changing
 */
export async function bracket<A, B>(
  readA: () => Promise<AnswerOf<A>>,
  readB: () => Promise<B>,
  stable: (body: A) => string,
  onMotion: OnMotion = () => {},
): Promise<[a: AnswerOf<A>, b: B]> {
  let most: number = tries;
  for (let attempt = 0; attempt < most; attempt++) {
    if (attempt > 0) onMotion();
    const before = await readA();
    if (isLarge(before)) most = triesOfLarge;
    const between = await readB();
    const first = knownBody(before);
    if (first === undefined) return [before, between];
    const after = await readA();
    const second = knownBody(after);
    if (second === undefined) return [after, between];
    if (before.outcome.kind === after.outcome.kind && stable(first) === stable(second)) {
      if (totalsDiffer([before, ...answersIn(between)])) onMotion();
      return [before, between];
    }
  }
  throw keptChanging(most);
}

/** Tries in a later attempt of a check, each of which needs more reads. */
const laterTries = 2;

/**
 * A bracketed read for the second attempt (P3), in the other order and with consecutive reads: B, B, A, A, B. What a cache or a
 * replica showed late the first time is not shown late in both reads, and data that alternates between a few states is
 * unlikely to match in all five.
 *
 * @param stable the part of A's body that must not change; also applied to B's answers if they are of the same operation
 */
export async function steadyBracket<A, B>(
  readA: () => Promise<AnswerOf<A>>,
  readB: () => Promise<B>,
  stable: (body: A) => string,
  onMotion: OnMotion = () => {},
): Promise<[a: AnswerOf<A>, b: B]> {
  for (let attempt = 0; attempt < laterTries; attempt++) {
    if (attempt > 0) onMotion();
    const before = [await readB(), await readB()] as const;
    const between = [await readA(), await readA()] as const;
    const state = (answer: AnswerOf<unknown>) =>
      stateOf(answer, answer.endpoint === between[0].endpoint ? (body) => stable(body as A) : stableBody);
    const isSame = (reads: readonly unknown[]) =>
      new Set(reads.map((read) => answersIn(read).map(state).join("\n"))).size === 1;
    if (isSame([...before, await readB()]) && isSame(between)) {
      if (totalsDiffer([between[0], ...answersIn(before[0])])) onMotion();
      return [between[0], before[0]];
    }
  }
  throw keptChanging(laterTries);
}

/** Pause between the reads of the third attempt, in milliseconds: longer than a short-lived cache keeps an answer (P3). */
const apartMs = cacheAgeMs + 200;

/**
 * A bracketed read for the third attempt, at data that was seen to change (P3): A, B, A, far enough apart that each is a fresh
 * answer. Attempted only once, since two reads of changing data would eventually match by chance.
 *
 * @param pause waits `ms` milliseconds
 */
export async function spreadBracket<A, B>(
  readA: () => Promise<AnswerOf<A>>,
  readB: () => Promise<B>,
  stable: (body: A) => string,
  pause: (ms: number) => Promise<void>,
): Promise<[a: AnswerOf<A>, b: B]> {
  const before = await readA();
  await pause(apartMs);
  const between = await readB();
  await pause(apartMs);
  const state = (answer: AnswerOf<unknown>) => stateOf(answer, (body) => stable(body as A));
  if (state(before) !== state(await readA())) throw keptChanging(1);
  return [before, between];
}

function keptChanging(attempts: number): Inconclusive {
  const often = attempts === 1 ? "" : ` in each of ${attempts} attempts`;
  return new Inconclusive(
    `the data kept changing between the reads${often}; a run while the data is stable would settle it`,
  );
}

/** Whether answers of one operation report different totals, and so describe different moments if about the same records. */
function totalsDiffer(answers: readonly AnswerOf<unknown>[]): boolean {
  const totals = answers.map((answer) => {
    const { pagination, orderBook } = (knownBody(answer) ?? {}) as JsonObject;
    const total = asObject(pagination)?.totalCount ?? asObject(orderBook)?.totalOrderCount;
    return [answer.endpoint, readId(total)];
  });
  return totals.some(([endpoint, total]) => totals.some(([other, another]) => other === endpoint && another !== total));
}

/** A digest of the stable part of an answer's body, which may be large, or how the answer ended if it has none. */
function stateOf(answer: AnswerOf<unknown>, stable: (body: unknown) => string): string {
  const body = knownBody(answer);
  return body === undefined ? `no body: ${answer.outcome.kind}` : shortDigest(stable(body));
}

/** The answers contained in a value, at any depth. */
function answersIn(value: unknown): readonly AnswerOf<unknown>[] {
  if (Array.isArray(value)) return value.flatMap(answersIn);
  if (typeof value !== "object" || value === null) return [];
  if ("outcome" in value && "exchange" in value) return [value as AnswerOf<unknown>];
  return Object.values(value).flatMap(answersIn);
}
