import type { Mutant } from "../departure.js";

/** Servers that break one rule of §2 Order. */
export const order: readonly Mutant[] = [];
