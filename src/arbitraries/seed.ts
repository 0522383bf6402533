import fc from "fast-check";

/**
 * Derives a separate seed for each name from the run's seed, so that a check generates the same values whether it runs alone
 * or with all the others. FNV-1a over the name, mixed with the seed; 31 bits, as fast-check expects.
 */
export function seedFor(runSeed: number, name: string): number {
  let hash = 0x811c9dc5 ^ runSeed;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return hash & 0x7fffffff;
}

/** One value of an arbitrary. The same seed draws the same value. */
export function draw<Value>(values: fc.Arbitrary<Value>, seed: number): Value {
  // Exactly one value is generated; it may be undefined.
  return fc.sample(values, { numRuns: 1, seed })[0] as Value;
}

/** All items, in an order drawn by the seed. */
export function shuffled<One>(all: readonly One[], seed: number): readonly One[] {
  return draw(fc.shuffledSubarray([...all], { minLength: all.length }), seed);
}
