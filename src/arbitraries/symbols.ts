import fc from "fast-check";
import { blank } from "./addresses.js";

/** A pair of symbols, as used by GetMarketIdByName and by selectors. */
export interface SymbolPair {
  readonly assetSymbol: string;
  readonly quoteSymbol: string;
}

/** Empty, a space, and whitespace that a server may forget to trim. */
export const blankForms = ["", " ", "\r\n"] as const;

/** Strings of ASCII whitespace only, at least one character long. */
export const blankTexts: fc.Arbitrary<string> = fc
  .array(blank, { minLength: 1, maxLength: 6 })
  .map((characters) => characters.join(""));

/** Whether the symbol has letters that can change case. */
export function hasCase(symbol: string): boolean {
  return [...symbol].some(hasTwoCases);
}

/**
 * Whether a letter has another case that leads back to it. Of letters such as the German sharp s, whose capital is written
 * `SS`, it depends on how a server folds case whether both are the same (§1).
 */
function hasTwoCases(letter: string): boolean {
  const other = swapCase(letter);
  return other !== letter && [...other].length === 1 && swapCase(other) === letter;
}

/** The symbol in upper and in lower case, as far as these differ from it: at least one does if the symbol has letters. */
export function inOneCase(symbol: string): readonly string[] {
  const inCase = (change: (letter: string) => string) =>
    [...symbol].map((letter) => (hasTwoCases(letter) ? change(letter) : letter)).join("");
  const forms = [inCase((letter) => letter.toUpperCase()), inCase((letter) => letter.toLowerCase())];
  return forms.filter((form) => form !== symbol);
}

/** The symbol with the case of some letters swapped. Always differs from the input, which must contain letters. */
export function recasedSymbol(symbol: string): fc.Arbitrary<string> {
  const places = [...symbol].flatMap((letter, place) => (hasTwoCases(letter) ? [place] : []));
  return fc.subarray(places, { minLength: 1 }).map((changed) => swapped(symbol, changed));
}

function swapped(symbol: string, places: readonly number[]): string {
  return [...symbol].map((letter, place) => (places.includes(place) ? swapCase(letter) : letter)).join("");
}

function swapCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

/** How many swapped pairs to try. */
const swappedPairs = 2;

/**
 * Up to `count` pairs of a known asset and a known quote that no market combines, spread over as many assets as possible
 * (S5). The first ones are the pairs of existing markets, swapped.
 *
 * @param known the symbols of known markets; some have an asset symbol only
 */
export function unlistedPairs(known: readonly Partial<SymbolPair>[], count: number): readonly SymbolPair[] {
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
  return [...turned.slice(0, swappedPairs), ...inTurn].slice(0, count);
}

/** A market's symbols as a comparison key: case does not matter (§1). */
function textOf({ assetSymbol, quoteSymbol }: Partial<SymbolPair>): string {
  return JSON.stringify([assetSymbol, quoteSymbol]).toUpperCase();
}

/**
 * Pairs that name no market, built from a market's pair (`known`) and two symbols that no market has (`unknown`): both
 * unknown, one of them unknown, a known symbol extended by unknown letters, or a letter moved from one symbol to the other.
 * Pairs that belong to another of the `markets` are left out.
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
    ...(quoteSymbol.length > 1
      ? [{ assetSymbol: assetSymbol + quoteSymbol.slice(0, 1), quoteSymbol: quoteSymbol.slice(1) }]
      : []),
  ];
  return pairs.filter((pair) => !taken.has(textOf(pair)));
}
