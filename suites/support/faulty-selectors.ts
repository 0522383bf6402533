/** Selectors that name no market, two at once, or none clearly (§1). */
import fc from "fast-check";
import { paddedAddresses } from "../../src/arbitraries/addresses.js";
import { draw } from "../../src/arbitraries/seed.js";
import {
  formsBeyondInt64,
  idsBeyondInt64,
  type Lookalike,
  lookalikeIds,
  negativeForms,
  negativeIds,
  nonNumericForms,
  nonNumericIds,
  smallIds,
} from "../../src/arbitraries/selectors.js";
import { blankForms, blankTexts, type SymbolPair, unknownPairs } from "../../src/arbitraries/symbols.js";
import type { JsonObject, JsonObjectInput } from "../../src/connect/json.js";
import type { CheckContext } from "../../src/engine/context.js";
import type { InvalidValue, Refusal } from "../../src/engine/refusals.js";
import { holdsNothing, type SelectorEndpoint } from "../../src/judge/markets.js";
import { marketConfigOf } from "../../src/judge/read.js";
import { int64Max } from "../../src/specification/limits.js";
import { marketsWithSymbols, walletWithOrdersIn } from "../../src/subjects/select.js";
import type { Subjects } from "../../src/subjects/subjects.js";
import { selecting } from "./selectors.js";
import { confirmedUnlistedPairs, symbolsOfMarkets } from "./symbol-pairs.js";

type Values = Refusal["values"];

/** Both alternatives at once, each valid, unknown, or empty. */
export const bothAlternatives: Values = ({ marketId, symbols }, subjects) => {
  const { unknown } = subjects;
  const other = marketsWithSymbols(subjects).find((market) => market.marketId !== marketId);
  const ids = [marketId, unknown.marketId, "0", ""];
  const pairs = [
    other?.symbols,
    unknown.symbols,
    { ...symbols, assetSymbol: unknown.symbols.assetSymbol },
    {},
    { assetSymbol: "" },
  ];
  return [
    ...ids.map((id) => ({ marketId: id, marketSymbol: { ...(symbols ?? unknown.symbols) } })),
    ...pairs.flatMap((pair) => (pair ? [{ marketId, marketSymbol: { ...pair } }] : [])),
    { marketId: unknown.marketId, marketSymbol: { ...unknown.symbols } },
  ];
};

/** Selectors by an invalid id: fixed forms, and one that is drawn. */
const byIds =
  (forms: (marketId: string) => readonly string[], drawn: (marketId: string) => fc.Arbitrary<string>): Values =>
  ({ marketId }) => [
    ...forms(marketId).map((id) => ({ marketId: id })),
    drawn(marketId).map((id) => ({ marketId: id })),
  ];

export const nonNumeric = byIds(nonNumericForms, nonNumericIds);
export const beyondInt64 = byIds(formsBeyondInt64, () => idsBeyondInt64);
export const negative = byIds(negativeForms, () => negativeIds);

/** Pairs of symbols that no market has. Some must be looked up first, so that they are not those of an undiscovered market. */
export const unknownSymbols: Pick<Refusal, "values" | "lookedUp"> = {
  values({ symbols: { assetSymbol, quoteSymbol } = {} }, subjects) {
    if (assetSymbol === undefined || quoteSymbol === undefined) return [];
    const known = symbolsOfMarkets(subjects);
    return unknownPairs({ assetSymbol, quoteSymbol }, subjects.unknown.symbols, known).map(bySymbols);
  },
  lookedUp: async (context) => (await confirmedUnlistedPairs(context)).map(bySymbols),
};

/** The error codes that may refuse an unknown pair, by reading (S5). */
const unknownSymbolCodes = {
  "not-found": ["not_found"],
  "invalid-argument": ["invalid_argument"],
  "empty-success": ["invalid_argument", "not_found"],
} as const;

/** How an operation may refuse an unknown pair (S5). GetOrders may also list no orders, unless another reading was chosen. */
export function unknownSymbolAnswers(on: SelectorEndpoint): Pick<Refusal, "codes" | "instead"> {
  const holds = (body: JsonObject) => holdsNothing(undefined, "GetOrders", body);
  return {
    codes: ({ S5 = "empty-success" }) => unknownSymbolCodes[S5],
    ...(on === "GetOrders" && {
      instead: ({ S5: chosen }) =>
        (chosen ?? "empty-success") === "empty-success" ? { holds, only: chosen !== undefined } : undefined,
    }),
  };
}

/** Selectors by symbols with a blank asset symbol, or without one. */
export const blankAssetSymbols: Values = ({ symbols }) => {
  if (symbols?.quoteSymbol === undefined) return [];
  return [symbols.quoteSymbol, undefined].flatMap((quoteSymbol): InvalidValue[] => {
    const selector = (assetSymbol?: string) => ({ marketSymbol: { assetSymbol, quoteSymbol } });
    return [...[undefined, ...blankForms].map(selector), blankTexts.map(selector)];
  });
};

/** Selectors by a market's symbols in other case and with whitespace around them, each by what is odd about it. */
export function symbolVariants(
  { assetSymbol, quoteSymbol }: SymbolPair,
  seed: number,
): Record<string, JsonObjectInput> {
  const [asset, quote] = [assetSymbol.toLowerCase(), quoteSymbol.toLowerCase()];
  const padded = draw(fc.oneof(...paddedAddresses(assetSymbol)), seed);
  return {
    "both symbols in lower case": bySymbols({ assetSymbol: asset, quoteSymbol: quote }),
    "both symbols in lower case with blanks around them": bySymbols({
      assetSymbol: ` ${asset}\t`,
      quoteSymbol: ` ${quote}\t`,
    }),
    "blanks around the asset symbol": bySymbols({ assetSymbol: padded, quoteSymbol }),
    "blanks around the quote symbol": bySymbols({ assetSymbol, quoteSymbol: ` ${quoteSymbol}\t` }),
  };
}

function bySymbols(symbols: SymbolPair): JsonObjectInput {
  return { marketSymbol: { ...symbols } };
}

/**
 * Ids that appear in no answer: one far from all others, and the largest possible one, unless that is one of a market that
 * discovery did not see.
 */
export async function unknownIds({ shared, subjects }: CheckContext): Promise<readonly string[]> {
  const { markets, orphanMarkets, unknown } = subjects;
  const known = new Set([...markets, ...orphanMarkets].map(({ marketId }) => marketId));
  const largest = String(int64Max);
  const { outcome } = await shared("GetMarketConfigs", { market: { marketId: largest } });
  if (outcome.kind === "success" && marketConfigOf(outcome.body)?.marketId === largest) known.add(largest);
  return [unknown.marketId, largest].filter((id) => !known.has(id));
}

/** Ids that could be mistaken for those of markets, as many as one check asks for. */
export function lookalikesOf({ markets }: Subjects): readonly Lookalike[] {
  return lookalikeIds(markets.map(({ marketId }) => marketId)).slice(0, 8);
}

/** Such ids, each with a wallet that has orders in the market it could be mistaken for. */
export function lookalikesWithOrders(subjects: Subjects): readonly { readonly id: string; readonly address: string }[] {
  return lookalikesOf(subjects).flatMap(({ id, of }) => {
    const wallet = walletWithOrdersIn(subjects, of);
    return wallet ? [{ id, address: wallet.address }] : [];
  });
}

/** Small ids that none of the discovered markets has. */
export function unknownSmallIds({ subjects, seed, required }: CheckContext): readonly string[] {
  const { markets, orphanMarkets, otherMarkets } = subjects;
  const known = [...[...markets, ...orphanMarkets].map(({ marketId }) => marketId), ...otherMarkets];
  const ids = draw(smallIds(new Set(known)), seed);
  required(ids[0], "needs an id below 1000 that no market has");
  return ids;
}

/** Days on which no market has prices. */
const daysWithoutPrices = ["1990-01-01", "2100-01-01"] as const;

/** Requests with a selector about a wallet that does not exist, or about ranges that hold no prices. */
export function withNothingToFind(
  context: CheckContext,
  on: "GetOrders" | "GetHistoricalPrices",
  selector: JsonObjectInput,
): readonly JsonObjectInput[] {
  const request = selecting(context, on, selector);
  if (on === "GetOrders") return [{ ...request, address: context.subjects.unknown.wallet }];
  return daysWithoutPrices.map((day) => ({ ...request, startTime: `${day}T00:00:00Z`, endTime: `${day}T12:00:00Z` }));
}

/** Requests without a selector: without one more of their fields each, and without any. */
export function withFieldsLeftOut(context: CheckContext, on: SelectorEndpoint): readonly JsonObjectInput[] {
  const { market: _, ...request } = selecting(context, on, undefined);
  const fields = Object.entries(request);
  const withoutOne = fields.map(([omitted]) => Object.fromEntries(fields.filter(([name]) => name !== omitted)));
  return [...(fields.length > 1 ? withoutOne : []), {}];
}
