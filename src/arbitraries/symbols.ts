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

/** How often an unknown symbol is repeated to make a long one: 36 characters of 3. */
const longRepeat = 12;

/** How many swapped pairs to try. */
const swappedPairs = 2;

/**
 * Up to `count` pairs of a known asset and a known quote that no market combines (S5). Up to half of them are close to an
 * existing pair, which a careless lookup would find instead. Then come the pairs of existing markets, swapped, and others,
 * spread over as many assets as possible.
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
  const pairs = known.filter(isPair);
  const close = closePairs(pairs, byAsset.flat()).slice(0, Math.floor(count / 2));
  const turned = pairs
    .map(({ assetSymbol, quoteSymbol }) => ({ assetSymbol: quoteSymbol, quoteSymbol: assetSymbol }))
    .filter((pair) => !taken.has(textOf(pair)));
  return withoutRepetition([...close, ...turned.slice(0, swappedPairs), ...inTurns(byAsset)]).slice(0, count);
}

function isPair(symbols: Partial<SymbolPair>): symbols is SymbolPair {
  return (symbols.assetSymbol ?? "") !== "" && (symbols.quoteSymbol ?? "") !== "";
}

/** Ways in which a symbol may be mistaken for a known one: compared by its start, its end, or all but one character. */
const likenesses: readonly ((text: string, known: string) => boolean)[] = [
  (text, known) => known.startsWith(text),
  (text, known) => text.startsWith(known),
  (text, known) => known.endsWith(text) || text.endsWith(known),
  (text, known) =>
    text.length === known.length && [...text].filter((letter, place) => letter !== known[place]).length === 1,
];

/** Those of the pairs that share a symbol with a known pair and have a similar other one; the ways of likeness take turns. */
function closePairs(known: readonly SymbolPair[], pairs: readonly SymbolPair[]): readonly SymbolPair[] {
  const byLikeness = (["quoteSymbol", "assetSymbol"] as const).flatMap((part) => {
    const other = part === "quoteSymbol" ? "assetSymbol" : "quoteSymbol";
    const twinsOf = (pair: SymbolPair) => known.filter((market) => folded(market[other]) === folded(pair[other]));
    return likenesses.map((isLike) =>
      pairs.filter((pair) => twinsOf(pair).some((twin) => isLike(folded(pair[part]), folded(twin[part])))),
    );
  });
  return withoutRepetition(inTurns(byLikeness));
}

/** The first of each list, then the second of each, and so on. */
function inTurns(lists: readonly (readonly SymbolPair[])[]): readonly SymbolPair[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

function withoutRepetition(pairs: readonly SymbolPair[]): readonly SymbolPair[] {
  return [...new Map(pairs.map((pair) => [textOf(pair), pair])).values()];
}

/**
 * A market's pair with the last letter of one of its symbols missing, or of its asset symbol replaced by a wildcard of SQL,
 * where that names no other of the `markets`.
 */
export function shortenedPairs(
  { assetSymbol, quoteSymbol }: SymbolPair,
  markets: readonly Partial<SymbolPair>[],
): readonly SymbolPair[] {
  const taken = new Set(markets.map(textOf));
  const shortened = assetSymbol.slice(0, -1);
  const assets = shortened === "" ? [] : [shortened, `${shortened}_`, `${shortened}%`];
  return [
    { assetSymbol, quoteSymbol: quoteSymbol.slice(0, -1) },
    ...assets.map((asset) => ({ assetSymbol: asset, quoteSymbol })),
  ].filter((pair) => pair.assetSymbol.trim() !== "" && pair.quoteSymbol.trim() !== "" && !taken.has(textOf(pair)));
}

/**
 * Pairs close to a market's own that are not it: its asset symbol without the last letter, with a wildcard in its place, and
 * in spellings that may or may not be valid symbols; and its quote symbol without the last letter.
 */
export function misspelledPairs({ assetSymbol, quoteSymbol }: SymbolPair): readonly SymbolPair[] {
  const shortened = assetSymbol.slice(0, -1);
  const assets = [
    shortened,
    ...["%", "_", "*", "."].map((wildcard) => shortened + wildcard),
    withAccent(assetSymbol),
    withoutAccents(assetSymbol),
    `${shortened} ${assetSymbol.slice(-1)}`,
    `${shortened}'`,
    `${assetSymbol}\u00c9\u{1f4b0}`,
    assetSymbol.repeat(40).slice(0, 200),
    // Members that every object of JavaScript has, which a lookup may take for entries of a table.
    "constructor",
    "__proto__",
  ];
  const shortenedQuote = quoteSymbol.slice(0, -1);
  return [
    // A blank before a symbol of one letter is trimmed.
    ...assets.filter((text) => text.trim() !== assetSymbol).map((asset) => ({ assetSymbol: asset, quoteSymbol })),
    ...(shortenedQuote === "" ? [] : [{ assetSymbol, quoteSymbol: shortenedQuote }]),
  ];
}

/** The symbol with an accent on its first letter. */
function withAccent(symbol: string): string {
  const [first = "", ...others] = symbol;
  return `${first}\u0301${others.join("")}`.normalize("NFC");
}

/** The symbol without the accents of its letters; often the symbol itself. */
function withoutAccents(symbol: string): string {
  return symbol.normalize("NFD").replace(/\p{M}/gu, "");
}

/** A market's symbols as a comparison key: case does not matter (§1). */
function textOf({ assetSymbol, quoteSymbol }: Partial<SymbolPair>): string {
  return folded(JSON.stringify([assetSymbol, quoteSymbol]));
}

function folded(text: string): string {
  return text.toUpperCase();
}

/**
 * Pairs that name no market, built from a market's pair (`known`) and two symbols that no market has (`unknown`): both
 * unknown, one of them unknown or long, a known symbol extended by unknown letters, or a letter moved from one symbol to the
 * other. Pairs that belong to another of the `markets` are left out.
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
    // Longer than any usual symbol: a server may have a limit of its own.
    { assetSymbol: unknown.assetSymbol.repeat(longRepeat), quoteSymbol },
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
