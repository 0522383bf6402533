import type { Mutant } from "../departure.js";

/** Servers that break one rule of §2 OrderRef. */
export const orderRef: readonly Mutant[] = [];
