import type { Mutant } from "../departure.js";

/** Servers that break one rule of §2 MarketConfig. */
export const marketConfig: readonly Mutant[] = [];
