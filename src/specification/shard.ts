import { createHash } from "node:crypto";

/** One part of a run that is split over several machines: number `index`, from 1, of `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Maximum number of shards: more shards than rules are of no use. */
export const maxShards = 9_999;

/**
 * Whether the checks of a rule belong to a shard. All checks of a rule are in the same shard, which depends on the rule's id
 * alone: reordering suites or adding rules never moves another rule.
 */
export function inShard(rule: string, shard: Shard | undefined): boolean {
  if (shard === undefined) return true;
  const number = createHash("sha256").update(rule).digest().readUInt32BE();
  return number % shard.count === shard.index - 1;
}
