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

/** Pairs in the wrong order that are tried. */
const turnedPairs = 2;

/**
 * Pairs of an asset that some market has and a quote that some market has, in no market together: up to `count` of them, of as
 * many assets as there are (S5). The first ones are pairs of markets in the wrong order.
 *
 * @param known the symbols that markets go by; some go by their asset alone
 */
export function uncombinedPairs(known: readonly Partial<SymbolPair>[], count: number): readonly SymbolPair[] {
  const taken = new Set(known.map(textOf));
  const assets = [...new Set(known.flatMap(({ assetSymbol = "" }) => (assetSymbol === "" ? [] : [assetSymbol])))];
  const quotes = [...new Set(known.flatMap(({ quoteSymbol = "" }) => (quoteSymbol === "" ? [] : [quoteSymbol])))];
  const byAsset = assets.map((assetSymbol) =>
    quotes.map((quoteSymbol) => ({ assetSymbol, quoteSymbol })).filter((pair) => !taken.has(textOf(pair))),
  );
  const inTurn = quotes.flatMap((_, turn) => byAsset.flatMap((pairs) => pairs.slice(turn, turn + 1)));
  const turned = known.flatMap(({ assetSymbol = "", quoteSymbol = "" }) =>
    assetSymbol === "" ||
    quoteSymbol === "" ||
    taken.has(textOf({ assetSymbol: quoteSymbol, quoteSymbol: assetSymbol }))
      ? []
      : [{ assetSymbol: quoteSymbol, quoteSymbol: assetSymbol }],
  );
  return [...turned.slice(0, turnedPairs), ...inTurn].slice(0, count);
}

/** A market's symbols as they are compared: their case makes no difference (§1). */
function textOf({ assetSymbol, quoteSymbol }: Partial<SymbolPair>): string {
  return JSON.stringify([assetSymbol, quoteSymbol]).toUpperCase();
}

/**
 * Pairs that name no market: `unknown` has two symbols that no market has, `known` is a market's pair. One of them is
 * unknown, or both, or a known one goes on with unknown letters, or the last letter of the asset went over to the quote;
 * that last pair may be the one of another market in `markets`, and is left out then.
 */
export function unknownPairs(
  known: SymbolPair,
  unknown: SymbolPair,
  markets: readonly Partial<SymbolPair>[],
): readonly SymbolPair[] {
  const { assetSymbol, quoteSymbol } = known;
  const taken = new Set(markets.map(textOf));
  const pairs = [
    unknown,
    { assetSymbol, quoteSymbol: unknown.quoteSymbol },
    { assetSymbol: unknown.assetSymbol, quoteSymbol },
    { assetSymbol: assetSymbol + unknown.assetSymbol, quoteSymbol },
    { assetSymbol: unknown.assetSymbol + assetSymbol, quoteSymbol },
    { assetSymbol, quoteSymbol: quoteSymbol + unknown.quoteSymbol },
    ...(assetSymbol.length > 1
      ? [{ assetSymbol: assetSymbol.slice(0, -1), quoteSymbol: assetSymbol.slice(-1) + quoteSymbol }]
      : []),
  ];
  return pairs.filter((pair) => !taken.has(textOf(pair)));
}
