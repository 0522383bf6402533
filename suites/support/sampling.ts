import fc from "fast-check";

/** Picks `size` items: half from the head of the list, the others drawn from the rest by the seed. */
export function sampleWithHead<One>(all: readonly One[], size: number, seed: number): readonly One[] {
  if (all.length <= size) return all;
  const head = Math.ceil(size / 2);
  const drawn = fc.shuffledSubarray(all.slice(head), { minLength: size - head, maxLength: size - head });
  return [...all.slice(0, head), ...fc.sample(drawn, { numRuns: 1, seed }).flat()];
}
