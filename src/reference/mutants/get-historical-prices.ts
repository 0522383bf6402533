import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4.7. */
export const getHistoricalPrices: readonly Mutant[] = [];
