import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4.5. */
export const getPortfolio: readonly Mutant[] = [];
