import type { Mutant } from "../departure.js";

/** Servers that break one rule of §2 PaginationInfo. */
export const pagination: readonly Mutant[] = [];
