/** Interceptors on market selectors, used by mutants and variants. */
import type { UnaryEndpoint } from "../specification/endpoints.js";
import type { Dataset } from "./dataset/dataset.js";
import type { Market } from "./dataset/model.js";
import { isObject, type MutableJson, type MutableJsonObject } from "./json.js";
import { type CallContext, type Interceptors, on, SubstituteResponse } from "./modification.js";

/** A selector as received; undefined when the request has none. */
export type Selector = MutableJsonObject | undefined;

/** What replaces a selector: another selector, none (`null`), a direct answer, or no change (`undefined`). */
export type Replacement = MutableJsonObject | null | SubstituteResponse | undefined;

/** Replaces selectors in requests of one or more operations before they are decoded. */
export function changeSelector(
  endpoint: UnaryEndpoint | readonly UnaryEndpoint[],
  change: (selector: Selector, data: Dataset, context: CallContext) => Replacement,
): Required<Interceptors>["request"] {
  return on(endpoint, (json, context) => {
    const changed = change(selectorOf(json), context.dataset, context);
    if (changed === undefined || changed instanceof SubstituteResponse) return changed;
    const { market: _, ...rest } = json;
    return changed === null ? rest : { ...rest, market: changed };
  });
}

/** Replaces the ids in selectors of an operation. */
export function changeId(
  endpoint: UnaryEndpoint,
  change: (id: string, data: Dataset) => string | null | SubstituteResponse | undefined,
): Required<Interceptors>["request"] {
  return changeSelector(endpoint, (selector, data) => {
    const id = idIn(selector);
    const changed = id === undefined ? undefined : change(id, data);
    return typeof changed === "string" ? { marketId: changed } : changed;
  });
}

/** Replaces selectors by symbol in requests of one or more operations. */
export function changeSymbols(
  endpoint: UnaryEndpoint | readonly UnaryEndpoint[],
  change: (symbols: SelectorSymbols, data: Dataset) => Replacement,
): Required<Interceptors>["request"] {
  return changeSelector(endpoint, (selector, data) => {
    const symbols = symbolsIn(selector);
    return symbols === undefined ? undefined : change(symbols, data);
  });
}

/** Replaces the error code of one or more operations where `picks` holds for the selector. */
export function changeCode(
  endpoint: UnaryEndpoint | readonly UnaryEndpoint[],
  code: string,
  picks: (selector: Selector, context: CallContext) => boolean,
): Required<Interceptors>["error"] {
  return on(endpoint, (error, context) =>
    picks(selectorOf(context.request), context) ? { ...error, json: { ...error.json, code } } : undefined,
  );
}

/** The two symbols of a selector; an absent one is empty. */
export interface SelectorSymbols {
  readonly asset: string;
  readonly quote: string;
}

/** The id in a selector that has only an id. */
export function idIn(selector: Selector): string | undefined {
  const id = selector?.marketId;
  return typeof id === "string" && selector?.marketSymbol === undefined ? id : undefined;
}

/** The symbols in a selector that has only symbols. */
export function symbolsIn(selector: Selector): SelectorSymbols | undefined {
  const symbols = selector?.marketSymbol;
  return isObject(symbols) && selector?.marketId === undefined ? readSymbols(symbols) : undefined;
}

/** Reads the symbols of an object; undefined when one is not a string, which is left to the decoder. */
export function readSymbols({ assetSymbol = "", quoteSymbol = "" }: MutableJsonObject): SelectorSymbols | undefined {
  if (typeof assetSymbol !== "string" || typeof quoteSymbol !== "string") return undefined;
  return { asset: assetSymbol, quote: quoteSymbol };
}

/** Whether a text is a valid market id: a positive int64. */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;
}

/** Whether a text is a valid id of no market, not even one whose metadata is gone. */
export function isUnknownId(text: string, { markets }: Dataset): boolean {
  return isId(text) && !markets.has(BigInt(text));
}

/** The id of the market that was created first. */
export function firstId({ markets }: Dataset): string {
  const [first = ""] = [...markets.keys()].map(String);
  return first;
}

/** The listed markets, in order of creation. */
export function listedMarkets({ markets }: Dataset): readonly Market[] {
  return [...markets.values()].filter(({ listed }) => listed);
}

/** The listed market with these symbols, compared as specified; undefined when there is none. */
export function marketNamed(data: Dataset, { asset, quote }: SelectorSymbols): Market | undefined {
  return listedMarkets(data).find((market) => isOfAsset(market, asset) && isOfQuote(market, quote));
}

/** Whether the symbols name no market, though the asset symbol is not blank. */
export function isUnknownPair(symbols: SelectorSymbols, data: Dataset): boolean {
  return symbols.asset.trim() !== "" && marketNamed(data, symbols) === undefined;
}

/** Whether a market has this asset symbol, compared as specified. */
export function isOfAsset({ assetSymbol }: Market, asset: string): boolean {
  return folded(assetSymbol) === folded(asset);
}

/** Whether a market has this quote symbol, compared as specified. */
export function isOfQuote({ quoteSymbol }: Market, quote: string): boolean {
  return folded(quoteSymbol) === folded(quote);
}

/** A selector of a market by its id. */
export function byId(market: Market | undefined): MutableJsonObject | undefined {
  return market && { marketId: String(market.id) };
}

/** Normalizes a symbol for comparison as specified: trimmed, lower case. */
export function folded(symbol: string): string {
  return symbol.trim().toLowerCase();
}

function selectorOf({ market }: MutableJsonObject): Selector {
  return isObject(market) ? market : undefined;
}

/** A string value; empty for anything else. */
export function textOrEmpty(value: MutableJson | undefined): string {
  return typeof value === "string" ? value : "";
}
