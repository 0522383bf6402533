/** Pairs of symbols that name a market, or none (§4.9, S5). */
import fc from "fast-check";
import { draw, shuffled } from "../../src/arbitraries/seed.js";
import {
  blankForms,
  blankTexts,
  misspelledPairs,
  type SymbolPair,
  shortenedPairs,
  unknownPairs,
  unlistedPairs,
} from "../../src/arbitraries/symbols.js";
import type { CheckContext } from "../../src/engine/context.js";
import { requireUsable } from "../../src/engine/usable.js";
import { splits } from "../../src/subjects/markets.js";
import { isOnlyOneNamed, type MarketWithSymbols, marketsWithSymbols } from "../../src/subjects/select.js";
import type { MarketSubject, Subjects } from "../../src/subjects/subjects.js";
import { isNotFound, pairedMarkets } from "./selectors.js";

/** Symbols of whitespace only; an empty one may count as omitted. */
export const blankSymbols = [...blankForms.filter((form) => form !== ""), blankTexts, blankTexts];

/** The symbols that discovered markets go by. */
export function symbolsOfMarkets({ markets }: Subjects): readonly Partial<SymbolPair>[] {
  return markets.flatMap(({ symbols }) => (symbols ? [symbols] : []));
}

/**
 * The configured markets that are named by an asset symbol alone: by a single word, where the names of other markets are
 * pairs of symbols (S8). A word that ends with the quote symbol of another market may be a pair as well.
 */
export function marketsOfOneSymbol(subjects: Subjects): readonly { marketId: string; assetSymbol: string }[] {
  const paired = marketsWithSymbols(subjects);
  const areNamedByPairs = paired.some(({ name = "", symbols }) =>
    splits(name).some((split) => isSamePair(split, symbols)),
  );
  const quotes = paired.map(({ symbols }) => symbols.quoteSymbol.toLowerCase());
  const isOneWord = ({ name = "" }: MarketSubject) =>
    /^[\p{L}\p{N}]+$/u.test(name) && !quotes.some((quote) => name.toLowerCase().endsWith(quote));
  return subjects.markets
    .filter(({ symbols }) => areNamedByPairs && symbols?.quoteSymbol === undefined)
    .filter((market) => isOneWord(market) && isOnlyOneNamed(market, subjects))
    .map(({ marketId, name = "" }) => ({ marketId, assetSymbol: name }));
}

function isSamePair(one: SymbolPair, other: SymbolPair): boolean {
  return one.assetSymbol === other.assetSymbol && one.quoteSymbol === other.quoteSymbol;
}

/** A market's pair, seen to find it. What GetMarketIdByName refuses after that, it refuses for its fault. */
export async function foundPair(
  context: CheckContext,
  { symbols }: MarketWithSymbols = context.subject("marketWithSymbols"),
): Promise<SymbolPair> {
  requireUsable([await context.shared("GetMarketIdByName", { ...symbols })]);
  return symbols;
}

/** Pairs that resemble the one of a market drawn by the seed, and its name as an asset symbol; none is a market's. */
export async function pairsOfNoMarket(context: CheckContext): Promise<readonly SymbolPair[]> {
  const { seed, subjects } = context;
  const market = draw(fc.constantFrom(...pairedMarkets(context)), seed);
  const pair = await foundPair(context, market);
  const { name = "" } = market;
  const { symbols } = subjects.unknown;
  return [
    ...unknownPairs(pair, symbols, symbolsOfMarkets(subjects)),
    // S8 leaves a whole name open only if it stands alone. An empty one (W1) is no symbol.
    ...(name.trim() === "" ? [] : [{ assetSymbol: name, quoteSymbol: symbols.quoteSymbol }]),
  ];
}

/** How many pairs are looked up. Any of them may belong to a market that discovery did not see. */
const uncombinedTried = 10;

/** Pairs of a known asset and a known quote that no market combines. Without any the check is inconclusive. */
export function uncombinedPairs({ subjects, required }: CheckContext): readonly SymbolPair[] {
  const pairs = unlistedPairs(symbolsOfMarkets(subjects), uncombinedTried);
  required(pairs[0], "needs an asset and a quote symbol of two markets that no market combines");
  return pairs;
}

/**
 * Pairs of a known asset and a known quote that no market combines, first those close to an existing pair, and a market's
 * pair with a letter missing. Limited to those that GetMarketIdByName was just seen not to know (S5).
 */
export async function confirmedUnlistedPairs({ shared, subjects }: CheckContext): Promise<readonly SymbolPair[]> {
  const known = symbolsOfMarkets(subjects);
  const shortened = marketsWithSymbols(subjects)
    .slice(0, 1)
    .flatMap(({ symbols }) => shortenedPairs(symbols, known));
  const pairs = [...unlistedPairs(known, uncombinedTried), ...shortened];
  const answers = await Promise.all(pairs.map((pair) => shared("GetMarketIdByName", { ...pair })));
  return pairs.filter((_, index) => isNotFound(answers[index]));
}

/** In how many markets to try the symbols without their last letters. */
const shortenedTried = 8;

/**
 * Markets, each with pairs close to its own: all that come to mind for the first one, and for the others the asset symbol or
 * the quote symbol with a letter less.
 */
export function marketsMisspelled(
  context: CheckContext,
): readonly { readonly market: MarketWithSymbols; readonly pairs: readonly SymbolPair[] }[] {
  return shuffled(pairedMarkets(context), context.seed)
    .slice(0, shortenedTried)
    .map((market, index) => {
      const pairs = misspelledPairs(market.symbols);
      return { market, pairs: index === 0 ? pairs : [...pairs.slice(0, 1), ...pairs.slice(-1)] };
    });
}
