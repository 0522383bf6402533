import type { Mutant } from "../departure.js";

/** Servers that break one rule of §3. */
export const states: readonly Mutant[] = [];
