import type { Mutant } from "../departure.js";

/** Servers that break one rule of the agreement between operations. */
export const relations: readonly Mutant[] = [];
