import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4.8. */
export const getMarketConfigs: readonly Mutant[] = [];
