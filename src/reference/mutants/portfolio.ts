import type { Mutant } from "../departure.js";

/** Servers that break one rule of §2 Portfolio. */
export const portfolio: readonly Mutant[] = [];
