/** Layers on market selectors, as mutants and variants use them. */
import type { UnaryEndpoint } from "../specification/endpoints.js";
import type { Dataset } from "./dataset/dataset.js";
import type { Market } from "./dataset/model.js";
import { isObject, type Json, type JsonObject } from "./json.js";
import { Answer, type CallContext, type ErrorReply, type Layers } from "./modification.js";

/** A selector as it came: undefined when the request has none. */
export type Selector = JsonObject | undefined;

/** What a selector is replaced by: another one, none (`null`), an answer straight away, or itself (`undefined`). */
export type Replacement = JsonObject | null | Answer | undefined;

/** Replaces selectors of one operation before they are decoded. */
export function changeSelector(
  endpoint: UnaryEndpoint,
  change: (selector: Selector, data: Dataset, context: CallContext) => Replacement,
): Required<Layers>["request"] {
  return (actual, json, context) => {
    if (actual !== endpoint) return undefined;
    const changed = change(selectorOf(json), context.dataset, context);
    if (changed === undefined || changed instanceof Answer) return changed;
    const { market: _, ...rest } = json;
    return changed === null ? rest : { ...rest, market: changed };
  };
}

/** Replaces the ids in selectors of one operation. */
export function changeId(
  endpoint: UnaryEndpoint,
  change: (id: string, data: Dataset) => string | null | Answer | undefined,
): Required<Layers>["request"] {
  return changeSelector(endpoint, (selector, data) => {
    const id = idIn(selector);
    const changed = id === undefined ? undefined : change(id, data);
    return typeof changed === "string" ? { marketId: changed } : changed;
  });
}

/** Replaces the selectors by symbol of one operation. */
export function changeSymbols(
  endpoint: UnaryEndpoint,
  change: (symbols: Symbols, data: Dataset) => Replacement,
): Required<Layers>["request"] {
  return changeSelector(endpoint, (selector, data) => {
    const symbols = symbolsIn(selector);
    return symbols === undefined ? undefined : change(symbols, data);
  });
}

/** Sends another code with the errors of one operation that a test picks by the selector. */
export function changeCode(
  endpoint: UnaryEndpoint,
  code: string,
  picks: (selector: Selector, context: CallContext) => boolean,
): Required<Layers>["error"] {
  return (actual, error, context): ErrorReply | undefined =>
    actual === endpoint && picks(selectorOf(context.request), context)
      ? { ...error, json: { ...error.json, code } }
      : undefined;
}

/** The two symbols of a selector; empty when absent. */
export interface Symbols {
  readonly asset: string;
  readonly quote: string;
}

/** The id in a selector that has nothing else. */
export function idIn(selector: Selector): string | undefined {
  const id = selector?.marketId;
  return typeof id === "string" && selector?.marketSymbol === undefined ? id : undefined;
}

/** The symbols in a selector that has nothing else. */
export function symbolsIn(selector: Selector): Symbols | undefined {
  const symbols = selector?.marketSymbol;
  return isObject(symbols) && selector?.marketId === undefined ? readSymbols(symbols) : undefined;
}

/** The symbols among the members of an object; undefined when one of them is no text, which is the decoder's business. */
export function readSymbols({ assetSymbol = "", quoteSymbol = "" }: JsonObject): Symbols | undefined {
  if (typeof assetSymbol !== "string" || typeof quoteSymbol !== "string") return undefined;
  return { asset: assetSymbol, quote: quoteSymbol };
}

/** Whether a text is an id that a server may have markets for: a positive int64. */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;
}

/** Whether a text is an id that no market has, not even one whose metadata is gone. */
export function isUnknownId(text: string, { markets }: Dataset): boolean {
  return isId(text) && !markets.has(BigInt(text));
}

/** The id of the market that was created first. */
export function firstId({ markets }: Dataset): string {
  const [first = ""] = [...markets.keys()].map(String);
  return first;
}

/** The market that these symbols name, compared as the specification says; undefined when there is none. */
export function marketNamed({ markets }: Dataset, { asset, quote }: Symbols): Market | undefined {
  const [wantedAsset, wantedQuote] = [folded(asset), folded(quote)];
  return [...markets.values()].find(
    ({ listed, assetSymbol, quoteSymbol }) =>
      listed && folded(assetSymbol) === wantedAsset && folded(quoteSymbol) === wantedQuote,
  );
}

/** A symbol without what the specification does not look at. */
export function folded(symbol: string): string {
  return symbol.trim().toLowerCase();
}

function selectorOf({ market }: JsonObject): Selector {
  return isObject(market) ? market : undefined;
}

/** A text member; empty when absent. */
export function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
