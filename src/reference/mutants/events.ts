import type { Mutant } from "../departure.js";

/** Servers that break one rule of §6. */
export const events: readonly Mutant[] = [];
