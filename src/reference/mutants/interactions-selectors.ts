import type { Dataset } from "../dataset/dataset.js";
import type { Market } from "../dataset/model.js";
import { type JsonObject, objectAt } from "../json.js";
import {
  hasCapitals,
  hasTimeout,
  isPadded,
  lacksVersion,
  loses,
  type Meeting,
  marketAt,
  numberIn,
  refuses,
  symbolsOf,
  uncombined,
} from "../meeting-layer.js";
import { type CallContext, type Layers, type Mutant, on } from "../modification.js";
import { changeId, changeSelector, folded, isId, marketNamed, readSymbols, symbolsIn } from "../selector-layer.js";

const byName = "GetMarketIdByName";
const configs = "GetMarketConfigs";

const bySymbols: Meeting = (json) => symbolsOf(json) !== undefined;

/** Looks another pair up by name: that of the market given instead. */
function looksUp(
  instead: (
    symbols: { readonly asset: string; readonly quote: string },
    data: Dataset,
    json: JsonObject,
  ) => Market | undefined,
): Required<Layers>["request"] {
  return on(byName, (json: JsonObject, { dataset }: CallContext) => {
    const symbols = readSymbols(json);
    const market = symbols && instead(symbols, dataset, json);
    return market && { assetSymbol: market.assetSymbol, quoteSymbol: market.quoteSymbol };
  });
}

/** A known id that is one away from an unknown one. */
function neighbourOf(id: string, { markets }: Dataset): string | undefined {
  if (!isId(id) || markets.has(BigInt(id))) return undefined;
  return [BigInt(id) - 1n, BigInt(id) + 1n].find((other) => markets.has(other))?.toString();
}

/** Selectors that are taken wrongly for a pair, beside another field, or of one market. */
const selectors: readonly Mutant[] = [
  // two known symbols that no market combines
  {
    kind: "mutant",
    name: "market-configs-uncombined-symbols-resolved",
    summary: "GetMarketConfigs finds the asset's market for a known asset and a known quote that no market combines.",
    breaks: "selector.unknown-symbol",
    request: changeSelector(configs, (selector, data) => {
      const symbols = symbolsIn(selector);
      const market = symbols && uncombined(data, symbols);
      return market && { marketId: String(market.id) };
    }),
  },
  {
    kind: "mutant",
    name: "get-orders-uncombined-symbols-resolved",
    summary: "GetOrders finds the asset's market for a known asset and a known quote that no market combines.",
    breaks: "selector.unknown-symbol",
    request: changeSelector("GetOrders", (selector, data) => {
      const symbols = symbolsIn(selector);
      const market = symbols && uncombined(data, symbols);
      return market && { marketId: String(market.id) };
    }),
  },

  {
    kind: "mutant",
    name: "order-book-uncombined-symbols-resolved-with-a-tick",
    summary:
      "GetOrderBook finds the asset's market for known symbols that no market combines when a tick size comes with them.",
    breaks: "selector.unknown-symbol",
    request: changeSelector("GetOrderBook", (selector, data, { request }) => {
      const symbols = symbolsIn(selector);
      const market = symbols && numberIn(request, "tickSize") > 0 ? uncombined(data, symbols) : undefined;
      return market && { marketId: String(market.id) };
    }),
  },
  // ids next to known ones
  {
    kind: "mutant",
    name: "order-book-neighbouring-id-is-the-known-one",
    summary: "GetOrderBook shows the book of a market whose id is one away from an unknown id.",
    breaks: "selector.unknown-id-other-market",
    alsoFails: ["order-book.market-id", "selector.unknown-id-code"],
    request: changeId("GetOrderBook", neighbourOf),
  },
  {
    kind: "mutant",
    name: "get-orders-neighbouring-id-is-the-known-one",
    summary: "GetOrders lists the orders of a market whose id is one away from an unknown id.",
    breaks: "selector.unknown-id-other-market",
    alsoFails: ["selector.unknown-id-code"],
    request: changeId("GetOrders", neighbourOf),
  },

  // invalid selectors beside other fields
  {
    kind: "mutant",
    name: "order-book-both-alternatives-taken-beside-levels",
    summary: "GetOrderBook takes the id of a selector with both alternatives when a number of levels is asked for.",
    breaks: "selector.both-alternatives",
    request: changeSelector("GetOrderBook", (selector, _data, { request }) =>
      selector?.marketSymbol !== undefined && typeof selector.marketId === "string" && numberIn(request, "levels") > 0
        ? { marketId: selector.marketId }
        : undefined,
    ),
  },
  {
    kind: "mutant",
    name: "get-orders-zero-id-is-no-filter-for-an-address-with-capitals",
    summary: "GetOrders takes the id 0 for an omitted market when the address has capitals.",
    breaks: "selector.zero-id",
    request: loses("GetOrders", "market", (json) => {
      const market = objectAt(json, "market");
      return hasCapitals(json.address) && market?.marketId === "0" && market.marketSymbol === undefined;
    }),
  },
  {
    kind: "mutant",
    name: "order-book-blank-asset-found-in-usd",
    summary: "GetOrderBook takes a blank asset symbol for the first market when sizes are in USD.",
    breaks: "selector.blank-asset-symbol",
    request: changeSelector("GetOrderBook", (selector, data, { request }) =>
      symbolsIn(selector)?.asset.trim() === "" && request.sizeInUsd === true
        ? { marketId: String(marketAt(data, 0)?.id) }
        : undefined,
    ),
  },
];

/** Market configurations and lookups by name that are wrong for a market, a pair, or beside a header. */
const markets: readonly Mutant[] = [
  // GetMarketConfigs
  {
    kind: "mutant",
    name: "market-configs-leverage-of-one-market-wrong-by-symbols",
    summary: "GetMarketConfigs gives the eighth market the leverage of the first when it is selected by symbols.",
    breaks: "selector.by-symbol",
    response: on(configs, (json: JsonObject, { request, effective, dataset }: CallContext) => {
      const config = objectAt(json, "marketConfig");
      if (config && symbolsOf(request) && effective.marketId === marketAt(dataset, 7)?.id) {
        config.maxLeverage = marketAt(dataset, 0)?.maxLeverage;
      }
      return json;
    }),
  },
  {
    kind: "mutant",
    name: "market-configs-of-one-market-another-by-symbols",
    summary: "GetMarketConfigs gives the fourth market's configuration for the symbols of the seventh.",
    breaks: "selector.by-symbol",
    alsoFails: ["relations.market-id-configs", "get-market-configs.market-id"],
    request: changeSelector(configs, (selector, data) => {
      const symbols = symbolsIn(selector);
      const asked = symbols && marketNamed(data, symbols);
      return asked && asked === marketAt(data, 6) ? { marketId: String(marketAt(data, 3)?.id) } : undefined;
    }),
  },
  {
    kind: "mutant",
    name: "market-configs-symbols-not-found-with-a-timeout",
    summary: "With Connect-Timeout-Ms GetMarketConfigs answers not_found to known symbols.",
    breaks: "protocol.timeout-generous",
    alsoFails: ["selector.by-symbol", "relations.market-id-configs", "errors.documented-outcome"],
    http: refuses(configs, "not_found", (context) => hasTimeout(context) && bySymbols(context.request, context)),
  },
  {
    kind: "mutant",
    name: "market-configs-symbols-refused-without-the-version-header",
    summary: "Without Connect-Protocol-Version GetMarketConfigs refuses known symbols.",
    breaks: "protocol.connect-version-optional",
    alsoFails: ["selector.by-symbol", "relations.market-id-configs", "errors.documented-outcome"],
    http: refuses(
      configs,
      "invalid_argument",
      (context) => lacksVersion(context) && bySymbols(context.request, context),
    ),
  },
  {
    kind: "mutant",
    name: "market-configs-rate-of-one-market-as-number",
    summary: "GetMarketConfigs writes maintenanceMarginRate of the third market as a JSON number.",
    breaks: "market-config.maintenance-margin-rate-decimal",
    alsoFails: ["wire.string-type"],
    response: on(configs, (json: JsonObject, { effective, dataset }: CallContext) => {
      const config = objectAt(json, "marketConfig");
      if (config && effective.marketId === marketAt(dataset, 2)?.id) {
        config.maintenanceMarginRate = Number(config.maintenanceMarginRate);
      }
      return json;
    }),
  },

  // GetMarketIdByName
  {
    kind: "mutant",
    name: "name-lookup-uncombined-symbols-resolved",
    summary: "GetMarketIdByName finds the asset's market for a known asset and a known quote that no market combines.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: looksUp((symbols, data) => uncombined(data, symbols)),
  },
  {
    kind: "mutant",
    name: "name-lookup-quote-by-its-start",
    summary: "GetMarketIdByName finds a market by the start of its quote symbol.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: looksUp(({ asset, quote }, { markets }) =>
      [...markets.values()].find(
        ({ listed, assetSymbol, quoteSymbol }) =>
          listed &&
          folded(quote) !== "" &&
          folded(assetSymbol) === folded(asset) &&
          folded(quoteSymbol).startsWith(folded(quote)),
      ),
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-neighbouring-asset-is-the-known-one",
    summary: "GetMarketIdByName does not look at the last letter of an asset symbol that it does not know.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: looksUp((symbols, data) => {
      const start = folded(symbols.asset).slice(0, -1);
      if (start === "" || symbols.quote === "" || marketNamed(data, symbols)) return undefined;
      return [...data.markets.values()].find(
        ({ listed, assetSymbol, quoteSymbol }) =>
          listed && folded(assetSymbol).slice(0, -1) === start && folded(quoteSymbol) === folded(symbols.quote),
      );
    }),
  },
  {
    kind: "mutant",
    name: "name-lookup-padded-asset-in-another-case-not-found",
    summary: "GetMarketIdByName does not find an asset symbol with whitespace around it in another case.",
    breaks: "get-market-id-by-name.asset-symbol-trimmed",
    alsoFails: ["get-market-id-by-name.asset-symbol-case-insensitive", "errors.documented-outcome"],
    http: refuses(byName, "not_found", ({ request, dataset, effective }) => {
      const asset = String(request.assetSymbol);
      const market = dataset.markets.get(effective.marketId as bigint);
      return asset !== asset.trim() && asset.trim() !== market?.assetSymbol;
    }),
  },
  {
    kind: "mutant",
    name: "name-lookup-of-one-market-case-sensitive",
    summary: "GetMarketIdByName finds the eighth market by its asset symbol in capitals only.",
    breaks: "get-market-id-by-name.asset-symbol-case-insensitive",
    http: refuses(byName, "not_found", ({ request, dataset, effective }) => {
      const market = marketAt(dataset, 7);
      return effective.marketId === market?.id && String(request.assetSymbol).trim() !== market?.assetSymbol;
    }),
  },
  {
    kind: "mutant",
    name: "name-lookup-padded-asset-without-quote-not-found",
    summary: "GetMarketIdByName does not trim the asset symbol when the quote symbol is omitted.",
    breaks: "get-market-id-by-name.asset-symbol-trimmed",
    http: refuses(
      byName,
      "not_found",
      ({ request }) => isPadded(request.assetSymbol) && (request.quoteSymbol ?? "") === "",
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-padded-asset-finds-the-next-market",
    summary:
      "GetMarketIdByName gives the id of the fourth market for the third one's asset symbol with whitespace around it.",
    breaks: "get-market-id-by-name.asset-symbol-trimmed",
    alsoFails: ["relations.market-id-listings"],
    request: looksUp((symbols, data, json) =>
      isPadded(json.assetSymbol) && marketNamed(data, symbols) === marketAt(data, 2) ? marketAt(data, 3) : undefined,
    ),
  },
];

/** Selectors, configurations and lookups that are wrong for some pair, beside some field, or of one market. */
export const selectorInteractions: readonly Mutant[] = [...selectors, ...markets];
