import fc from "fast-check";
import { blank } from "./addresses.js";

/** A pair of symbols, as GetMarketIdByName and selectors take it. */
export interface SymbolPair {
  readonly assetSymbol: string;
  readonly quoteSymbol: string;
}

/** Nothing but whitespace, of all kinds that ASCII has: at least one character. */
export const blankTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(" ", "\t", "\n", "\r", "   "),
  fc.array(blank, { minLength: 1, maxLength: 6 }).map((characters) => characters.join("")),
);

/** Whether the symbol has letters whose case can be changed. */
export function hasCase(symbol: string): boolean {
  return symbol.toLowerCase() !== symbol.toUpperCase();
}

/** The symbol with some of its letters in the other case; never as it was. It must have letters. */
export function recasedSymbol(symbol: string): fc.Arbitrary<string> {
  const places = [...symbol].flatMap((letter, place) => (hasCase(letter) ? [place] : []));
  return fc
    .oneof(fc.constant(places), fc.subarray(places, { minLength: 1 }))
    .map((changed) =>
      [...symbol].map((letter, place) => (changed.includes(place) ? swapCase(letter) : letter)).join(""),
    );
}

function swapCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

/**
 * Pairs that name no market: `unknown` has two symbols that no market has, `known` is a market's pair. One of them is
 * unknown, or both, or the known asset goes on with unknown letters.
 */
export function unknownPairs(known: SymbolPair, unknown: SymbolPair): fc.Arbitrary<SymbolPair> {
  const { assetSymbol, quoteSymbol } = known;
  return fc.constantFrom(
    unknown,
    { assetSymbol, quoteSymbol: unknown.quoteSymbol },
    { assetSymbol: unknown.assetSymbol, quoteSymbol },
    { assetSymbol: assetSymbol + unknown.assetSymbol, quoteSymbol },
    { assetSymbol: unknown.assetSymbol + assetSymbol, quoteSymbol },
    { assetSymbol, quoteSymbol: quoteSymbol + unknown.quoteSymbol },
  );
}
