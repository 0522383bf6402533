import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4.4. */
export const getOrders: readonly Mutant[] = [];
