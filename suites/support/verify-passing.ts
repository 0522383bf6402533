import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import type { Judgement } from "../../src/judge/judgement.js";

/**
 * Verifies the items that pass. Returns up to `most` failing ones, to be read again: the data may have changed between two
 * reads (P3).
 *
 * @param judge the judgement and the answers it is about; undefined if there is nothing to judge
 */
export async function verifyPassing<Item>(
  { verify }: CheckContext,
  items: readonly Item[],
  most: number,
  judge: (item: Item) => Promise<[Judgement, ...Answer[]] | undefined> | [Judgement, ...Answer[]],
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (const item of items) {
    const [judgement, ...answers] = (await judge(item)) ?? [];
    if (!judgement) continue;
    if (judgement.violations.length > 0) found.push(item);
    else verify(...answers).satisfies(judgement);
  }
  return found.slice(0, most);
}
