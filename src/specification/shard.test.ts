import { expect, test } from "vitest";
import { catalogue } from "./catalogue/index.js";
import { inShard } from "./shard.js";

test.each([1, 2, 3, 7])("each rule is in exactly one of %i shards, and none of them is empty", (count) => {
  const shards = Array.from({ length: count }, (_, index) => ({ index: index + 1, count }));
  for (const { id } of catalogue) expect(shards.filter((shard) => inShard(id, shard))).toHaveLength(1);
  for (const shard of shards) expect(catalogue.some(({ id }) => inShard(id, shard))).toBe(true);
});

test("which shard has a rule is fixed: shards may run on machines of different age", () => {
  const shardOf = (id: string) => [1, 2, 3].find((index) => inShard(id, { index, count: 3 }));
  expect(["get-all-positions.limit-default", "wire.int64-as-string", "x-acme.few"].map(shardOf)).toEqual([1, 2, 1]);
});

test("a run that is made as a whole has every rule", () => {
  expect(catalogue.every(({ id }) => inShard(id, undefined))).toBe(true);
});
