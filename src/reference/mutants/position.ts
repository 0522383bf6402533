import type { Mutant } from "../departure.js";

/** Servers that break one rule of §2 Position. */
export const position: readonly Mutant[] = [];
