import fc from "fast-check";

/**
 * A seed of its own for each name, derived from the run's seed, so that a check generates the same values whether it
 * is made alone or among all the others. FNV-1a over the name, mixed with the seed; 31 bits, as fast-check takes them.
 */
export function seedFor(runSeed: number, name: string): number {
  let hash = 0x811c9dc5 ^ runSeed;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return hash & 0x7fffffff;
}

/** All of some things, in an order that the seed draws. */
export function shuffled<One>(all: readonly One[], seed: number): readonly One[] {
  const inAnyOrder = fc.shuffledSubarray([...all], { minLength: all.length });
  return fc.sample(inAnyOrder, { numRuns: 1, seed })[0] ?? [];
}
