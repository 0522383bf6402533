/** Reads of data that must not change meanwhile (P3). */
import type { Answer } from "../../src/engine/answer.js";
import type { ReadContext } from "../../src/engine/context.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { portfolioState } from "../../src/judge/stored-state.js";

/** Reads something between two reads of a wallet's portfolio that show the same state (P3). */
export function readWithStablePortfolio<Read>(
  { ask, bracket }: ReadContext,
  owner: string,
  read: () => Promise<Read>,
): Promise<[portfolio: Answer, read: Read]> {
  return bracket(() => ask("GetPortfolio", { owner }), read, portfolioState);
}

/** The reads whose data stayed stable. If there are none, or if one failed for another reason, rethrows that reason. */
export async function stableReads<T>(reads: readonly Promise<T>[]): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(reads);
  const settled = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    if (settled.length === 0 || !(outcome.reason instanceof Inconclusive)) throw outcome.reason;
  }
  return settled;
}
