import fc from "fast-check";
import { blank } from "./addresses.js";

/** A pair of symbols, as GetMarketIdByName and selectors take it. */
export interface SymbolPair {
  readonly assetSymbol: string;
  readonly quoteSymbol: string;
}

/** Nothing at all, a blank, and blanks that a server may forget when it trims. */
export const blankForms = ["", " ", "\r\n"] as const;

/** Nothing but whitespace, of all kinds that ASCII has: at least one character. */
export const blankTexts: fc.Arbitrary<string> = fc
  .array(blank, { minLength: 1, maxLength: 6 })
  .map((characters) => characters.join(""));

/** Whether the symbol has letters whose case can be changed. */
export function hasCase(symbol: string): boolean {
  return symbol.toLowerCase() !== symbol.toUpperCase();
}

/** The symbol with some of its letters in the other case; never as it was. It must have letters. */
export function recasedSymbol(symbol: string): fc.Arbitrary<string> {
  const places = [...symbol].flatMap((letter, place) => (hasCase(letter) ? [place] : []));
  return fc.subarray(places, { minLength: 1 }).map((changed) => swapped(symbol, changed));
}

function swapped(symbol: string, places: readonly number[]): string {
  return [...symbol].map((letter, place) => (places.includes(place) ? swapCase(letter) : letter)).join("");
}

function swapCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

/**
 * Pairs of an asset that some market has and a quote that some market has, in no market together: up to `count` of them (S5).
 *
 * @param known the pairs that markets have
 */
export function uncombinedPairs(known: readonly SymbolPair[], count: number): readonly SymbolPair[] {
  const textOf = ({ assetSymbol, quoteSymbol }: SymbolPair) => JSON.stringify([assetSymbol, quoteSymbol]).toUpperCase();
  const taken = new Set(known.map(textOf));
  return known
    .flatMap(({ assetSymbol }) => known.map(({ quoteSymbol }) => ({ assetSymbol, quoteSymbol })))
    .filter((pair) => !taken.has(textOf(pair)) && taken.add(textOf(pair)))
    .slice(0, count);
}

/**
 * Pairs that name no market: `unknown` has two symbols that no market has, `known` is a market's pair. One of them is
 * unknown, or both, or a known one goes on with unknown letters.
 */
export function unknownPairs(known: SymbolPair, unknown: SymbolPair): readonly SymbolPair[] {
  const { assetSymbol, quoteSymbol } = known;
  return [
    unknown,
    { assetSymbol, quoteSymbol: unknown.quoteSymbol },
    { assetSymbol: unknown.assetSymbol, quoteSymbol },
    { assetSymbol: assetSymbol + unknown.assetSymbol, quoteSymbol },
    { assetSymbol: unknown.assetSymbol + assetSymbol, quoteSymbol },
    { assetSymbol, quoteSymbol: quoteSymbol + unknown.quoteSymbol },
  ];
}
