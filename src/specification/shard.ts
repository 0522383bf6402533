import { createHash } from "node:crypto";

/** One of several parts of a run, made on several machines: the `index`-th of `count`, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Parts of a run at most: more than there are rules are of no use. */
export const MAX_SHARDS = 9_999;

/**
 * Whether the checks of a rule belong to a shard. They stay together, and which shard has them follows from the rule's id
 * alone: neither the order of suites nor a rule that is added moves another rule.
 */
export function inShard(rule: string, shard: Shard | undefined): boolean {
  if (shard === undefined) return true;
  const number = createHash("sha256").update(rule).digest().readUInt32BE();
  return number % shard.count === shard.index - 1;
}
