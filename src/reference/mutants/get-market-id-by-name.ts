import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4.9. */
export const getMarketIdByName: readonly Mutant[] = [];
