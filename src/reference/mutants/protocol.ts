import type { Mutant } from "../departure.js";

/** Servers that break one rule of §4 on request headers. */
export const protocol: readonly Mutant[] = [];
