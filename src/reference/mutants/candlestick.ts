import type { Mutant } from "../departure.js";

/** Servers that break one rule of §2 Candlestick. */
export const candlestick: readonly Mutant[] = [];
