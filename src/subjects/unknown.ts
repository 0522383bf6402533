import { hash } from "node:crypto";
import type { UnknownSubjects } from "./subjects.js";

/** Everything mentioned in the answers seen so far. */
export interface Mentions {
  readonly marketIds: ReadonlySet<string>;
  /** Lower case. */
  readonly wallets: ReadonlySet<string>;
  /** Upper case. */
  readonly symbols: ReadonlySet<string>;
}

/**
 * Chooses a well-formed market id, wallet and symbol pair that no answer mentions. The choice depends only on the seed and
 * the mentions (S4, S5, R12).
 */
export function chooseUnknown(seed: number, mentions: Mentions): UnknownSubjects {
  return {
    // At most 15 digits, so that no server can reject the id for its size: it merely does not exist.
    marketId: choose(seed, "market", mentions.marketIds, (hex) => String(1 + Number.parseInt(hex.slice(0, 12), 16))),
    wallet: choose(seed, "wallet", mentions.wallets, (hex) => `0x${hex.slice(0, 40)}`),
    symbols: {
      assetSymbol: choose(seed, "asset", mentions.symbols, (hex) => `ZQ${letters(hex)}`),
      quoteSymbol: choose(seed, "quote", mentions.symbols, (hex) => `QZ${letters(hex)}`),
    },
  };
}

function choose(seed: number, what: string, taken: ReadonlySet<string>, write: (hex: string) => string): string {
  for (let attempt = 0; ; attempt++) {
    const value = write(hash("sha256", `${seed}/${what}/${attempt}`));
    if (!taken.has(value)) return value;
  }
}

/** Six capital letters. */
function letters(hex: string): string {
  return [...hex.slice(0, 6)].map((digit) => String.fromCharCode(65 + Number.parseInt(digit, 16))).join("");
}
