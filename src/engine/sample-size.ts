import type { CheckContext } from "./context.js";

/** Of this many samples so many are taken: a third where each class of a field is only tried once, as with most mutants. */
export function sampleSize(usual: number, { strength }: Pick<CheckContext, "strength">): number {
  return strength === 1 ? Math.ceil(usual / 3) : usual;
}
