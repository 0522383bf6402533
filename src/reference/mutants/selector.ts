import type { Mutant } from "../departure.js";

/** Servers that break one rule of §1 on market selectors. */
export const selector: readonly Mutant[] = [];
