import type { CheckContext } from "./context.js";

/**
 * How many samples to take: the usual number, or a third of it at strength 1, where each class of a field is only tried once
 * (as with most mutants).
 */
export function sampleSize(usual: number, { strength }: Pick<CheckContext, "strength">): number {
  return strength === 1 ? Math.ceil(usual / 3) : usual;
}
