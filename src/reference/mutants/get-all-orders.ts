import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4.3. */
export const getAllOrders: readonly Mutant[] = [];
