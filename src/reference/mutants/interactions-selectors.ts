import {
  bySymbols,
  hasCapitals,
  hasTimeout,
  isPadded,
  lacksVersion,
  loses,
  marketAt,
  refuses,
  symbolsOf,
  uncombined,
} from "../conditional-interceptors.js";
import type { Dataset } from "../dataset/dataset.js";
import type { Market } from "../dataset/model.js";
import { type MutableJsonObject, numberIn, objectAt } from "../json.js";
import { breaking, type Interceptors, type Mutant, on } from "../modification.js";
import { editMarketConfig } from "../resource-interceptors.js";
import {
  byId,
  changeId,
  changeSelector,
  changeSymbols,
  firstId,
  folded,
  isOfAsset,
  isOfQuote,
  isUnknownId,
  listedMarkets,
  marketNamed,
  readSymbols,
  type SelectorSymbols,
  symbolsIn,
} from "../selector-interceptors.js";

const byName = "GetMarketIdByName";
const configs = "GetMarketConfigs";

/** Whether a selector has symbols with a blank asset and no quote. */
function isBlankAlone(request: MutableJsonObject): boolean {
  const symbols = objectAt(request, "market", "marketSymbol");
  if (objectAt(request, "market")?.marketId !== undefined) return false;
  return symbols !== undefined && symbols.quoteSymbol === undefined && String(symbols.assetSymbol ?? "").trim() === "";
}

/** Looks up the pair of another market by name. */
function looksUp(
  instead: (symbols: SelectorSymbols, data: Dataset, json: MutableJsonObject) => Market | undefined,
): Required<Interceptors>["request"] {
  return on(byName, (json, { dataset }) => {
    const symbols = readSymbols(json);
    const market = symbols && instead(symbols, dataset, json);
    return market && { assetSymbol: market.assetSymbol, quoteSymbol: market.quoteSymbol };
  });
}

/** The known id next to an unknown one. */
function neighbourOf(id: string, data: Dataset): string | undefined {
  if (!isUnknownId(id, data)) return undefined;
  return [BigInt(id) - 1n, BigInt(id) + 1n].find((other) => data.markets.has(other))?.toString();
}

/** Whether an id below 1000 belongs to no market. */
function isSmallUnknownId(id: string, data: Dataset): boolean {
  return isUnknownId(id, data) && BigInt(id) < 1000n;
}

/** The market of the asset with a quote symbol like the given one, when no market has both symbols. */
function withQuoteLike(
  data: Dataset,
  { asset, quote }: SelectorSymbols,
  isLike: (quote: string, known: string) => boolean,
): Market | undefined {
  if (folded(quote) === "" || marketNamed(data, { asset, quote })) return undefined;
  return listedMarkets(data).find(
    (market) => isOfAsset(market, asset) && isLike(folded(quote), folded(market.quoteSymbol)),
  );
}

/** Selectors that are wrong for a pair, beside another field, or for one market. */
const selectors: readonly Mutant[] = [
  ...breaking("selector.unknown-symbol", {
    // two known symbols that no market combines
    "market-configs-uncombined-symbols-resolved": {
      summary: "GetMarketConfigs finds the asset's market for a known asset and a known quote that no market combines.",
      request: changeSymbols(configs, (symbols, data) => byId(uncombined(data, symbols))),
    },
    "get-orders-uncombined-symbols-resolved": {
      summary: "GetOrders finds the asset's market for a known asset and a known quote that no market combines.",
      request: changeSymbols("GetOrders", (symbols, data) => byId(uncombined(data, symbols))),
    },
    "order-book-quote-by-its-start": {
      summary:
        "GetOrderBook finds the asset's market whose quote symbol begins with the one that no market combines it with.",
      request: changeSymbols("GetOrderBook", (symbols, data) =>
        byId(withQuoteLike(data, symbols, (quote, known) => known.startsWith(quote))),
      ),
    },
    "market-configs-quote-that-goes-on": {
      summary: "GetMarketConfigs finds the asset's market for another market's quote symbol that begins with its own.",
      request: changeSymbols(configs, (symbols, data) => {
        const isKnownQuote = [...data.markets.values()].some((market) => isOfQuote(market, symbols.quote));
        const goesOn = (quote: string, known: string) => isKnownQuote && known !== "" && quote.startsWith(known);
        return byId(withQuoteLike(data, symbols, goesOn));
      }),
    },
    "order-book-uncombined-symbols-resolved-with-a-tick": {
      summary:
        "GetOrderBook finds the asset's market for known symbols that no market combines when a tick size comes with them.",
      request: changeSelector("GetOrderBook", (selector, data, { request }) => {
        const symbols = symbolsIn(selector);
        return symbols && numberIn(request, "tickSize") > 0 ? byId(uncombined(data, symbols)) : undefined;
      }),
    },
  }),

  ...breaking("selector.blank-asset-symbol", {
    "market-configs-blank-asset-without-a-quote-not-found": {
      summary: "GetMarketConfigs knows no market by whitespace when the quote is left out, instead of refusing them.",
      error: on(configs, (error, { request }) =>
        isBlankAlone(request) ? { status: 404, json: { ...error.json, code: "not_found" } } : undefined,
      ),
    },
    "order-book-crashes-on-empty-symbols": {
      summary: "GetOrderBook fails with internal when the selector has symbols of which both are left out.",
      error: on("GetOrderBook", (error, { request }) =>
        isBlankAlone(request) && objectAt(request, "market", "marketSymbol")?.assetSymbol === undefined
          ? { status: 500, json: { ...error.json, code: "internal" } }
          : undefined,
      ),
    },
  }),

  ...breaking("selector.unknown-id-other-market", {
    // ids next to known ones
    "order-book-neighbouring-id-is-the-known-one": {
      summary: "GetOrderBook shows the book of a market whose id is one away from an unknown id.",
      alsoFails: ["order-book.market-id", "selector.unknown-id-code"],
      request: changeId("GetOrderBook", neighbourOf),
    },
    "get-orders-neighbouring-id-is-the-known-one": {
      summary: "GetOrders lists the orders of a market whose id is one away from an unknown id.",
      alsoFails: ["selector.unknown-id-code"],
      request: changeId("GetOrders", neighbourOf),
    },
    "historical-prices-small-unknown-id-first-market": {
      summary: "GetHistoricalPrices returns the first market's candles for an unknown id below 1000.",
      request: changeId("GetHistoricalPrices", (id, data) => (isSmallUnknownId(id, data) ? firstId(data) : undefined)),
    },
    "order-book-small-unknown-id-first-market": {
      summary: "GetOrderBook shows the first market's book for an unknown id below 1000.",
      alsoFails: ["order-book.market-id"],
      request: changeId("GetOrderBook", (id, data) => (isSmallUnknownId(id, data) ? firstId(data) : undefined)),
    },
    "get-orders-small-unknown-id-is-no-filter": {
      summary: "GetOrders lists the orders of all markets for an unknown id below 1000.",
      request: changeId("GetOrders", (id, data) => (isSmallUnknownId(id, data) ? null : undefined)),
    },
  }),

  ...breaking("selector.both-alternatives", {
    // invalid selectors beside other fields
    "order-book-both-alternatives-taken-beside-levels": {
      summary: "GetOrderBook takes the id of a selector with both alternatives when a number of levels is asked for.",
      request: changeSelector("GetOrderBook", (selector, _data, { request }) =>
        selector?.marketSymbol !== undefined && typeof selector.marketId === "string" && numberIn(request, "levels") > 0
          ? { marketId: selector.marketId }
          : undefined,
      ),
    },
    "market-configs-unknown-symbols-beside-an-id": {
      summary: "GetMarketConfigs takes the id of a selector with both alternatives when no market has the symbols.",
      request: changeSelector(configs, (selector, data) => {
        const symbols = readSymbols(objectAt(selector ?? {}, "marketSymbol") ?? {});
        const isUnknown = symbols !== undefined && symbols.asset !== "" && !marketNamed(data, symbols);
        return isUnknown && typeof selector?.marketId === "string" ? { marketId: selector.marketId } : undefined;
      }),
    },
    "get-orders-symbols-beside-an-unknown-id": {
      summary: "GetOrders takes the symbols of a selector with both alternatives when no market has the id.",
      request: changeSelector("GetOrders", (selector, data) =>
        selector?.marketSymbol !== undefined && isUnknownId(String(selector.marketId), data)
          ? { marketSymbol: selector.marketSymbol }
          : undefined,
      ),
    },
  }),

  ...breaking("selector.zero-id", {
    "get-orders-zero-id-is-no-filter-for-an-address-with-capitals": {
      summary: "GetOrders takes the id 0 for an omitted market when the address has capitals.",
      request: loses("GetOrders", "market", (json) => {
        const market = objectAt(json, "market");
        return hasCapitals(json.address) && market?.marketId === "0" && market.marketSymbol === undefined;
      }),
    },
  }),

  ...breaking("selector.blank-asset-symbol", {
    "order-book-blank-asset-found-in-usd": {
      summary: "GetOrderBook takes a blank asset symbol for the first market when sizes are in USD.",
      request: changeSelector("GetOrderBook", (selector, data, { request }) =>
        symbolsIn(selector)?.asset.trim() === "" && request.sizeInUsd === true ? byId(marketAt(data, 0)) : undefined,
      ),
    },
  }),
];

/** Market configurations and name lookups that are wrong for a market, a pair, or with a header. */
const markets: readonly Mutant[] = [
  ...breaking("selector.by-symbol", {
    // GetMarketConfigs
    "market-configs-leverage-of-one-market-wrong-by-symbols": {
      summary: "GetMarketConfigs gives the eighth market the leverage of the first when it is selected by symbols.",
      response: editMarketConfig((config, { request, effective, dataset }) => {
        if (symbolsOf(request) && effective.marketId === marketAt(dataset, 7)?.id) {
          config.maxLeverage = marketAt(dataset, 0)?.maxLeverage;
        }
      }),
    },
    "market-configs-of-one-market-another-by-symbols": {
      summary: "GetMarketConfigs gives the fourth market's configuration for the symbols of the seventh.",
      alsoFails: ["relations.market-id-configs", "get-market-configs.market-id"],
      request: changeSymbols(configs, (symbols, data) => {
        const asked = marketNamed(data, symbols);
        return asked && asked === marketAt(data, 6) ? byId(marketAt(data, 3)) : undefined;
      }),
    },
  }),

  ...breaking("protocol.timeout-generous", {
    "market-configs-symbols-not-found-with-a-timeout": {
      summary: "With Connect-Timeout-Ms GetMarketConfigs answers not_found to known symbols.",
      alsoFails: ["selector.by-symbol", "relations.market-id-configs", "errors.documented-outcome"],
      http: refuses(configs, "not_found", (context) => hasTimeout(context) && bySymbols(context.request, context)),
    },
  }),

  ...breaking("protocol.connect-version-optional", {
    "market-configs-symbols-refused-without-the-version-header": {
      summary: "Without Connect-Protocol-Version GetMarketConfigs refuses known symbols.",
      alsoFails: ["selector.by-symbol", "relations.market-id-configs", "errors.documented-outcome"],
      http: refuses(
        configs,
        "invalid_argument",
        (context) => lacksVersion(context) && bySymbols(context.request, context),
      ),
    },
  }),

  ...breaking("market-config.maintenance-margin-rate-decimal", {
    "market-configs-rate-of-one-market-as-number": {
      summary: "GetMarketConfigs writes maintenanceMarginRate of the third market as a JSON number.",
      alsoFails: ["wire.string-type"],
      response: editMarketConfig((config, { effective, dataset }) => {
        if (effective.marketId === marketAt(dataset, 2)?.id) {
          config.maintenanceMarginRate = Number(config.maintenanceMarginRate);
        }
      }),
    },
  }),

  ...breaking("get-market-id-by-name.unknown-pair", {
    // GetMarketIdByName
    "name-lookup-uncombined-symbols-resolved": {
      summary:
        "GetMarketIdByName finds the asset's market for a known asset and a known quote that no market combines.",
      request: looksUp((symbols, data) => uncombined(data, symbols)),
    },
    "name-lookup-unknown-quote-of-later-markets": {
      summary: "GetMarketIdByName finds a market from the fifth on by its asset, whatever the quote symbol is.",
      request: looksUp((symbols, data) =>
        symbols.quote === "" || marketNamed(data, symbols)
          ? undefined
          : listedMarkets(data)
              .slice(4)
              .find((market) => isOfAsset(market, symbols.asset)),
      ),
    },
    "name-lookup-quote-by-its-start": {
      summary: "GetMarketIdByName finds a market by the start of its quote symbol.",
      request: looksUp(({ asset, quote }, data) =>
        listedMarkets(data).find(
          (market) =>
            folded(quote) !== "" && isOfAsset(market, asset) && folded(market.quoteSymbol).startsWith(folded(quote)),
        ),
      ),
    },
    "name-lookup-neighbouring-asset-is-the-known-one": {
      summary: "GetMarketIdByName does not look at the last letter of an asset symbol that it does not know.",
      request: looksUp((symbols, data) => {
        const start = folded(symbols.asset).slice(0, -1);
        if (start === "" || symbols.quote === "" || marketNamed(data, symbols)) return undefined;
        return listedMarkets(data).find(
          (market) => folded(market.assetSymbol).slice(0, -1) === start && isOfQuote(market, symbols.quote),
        );
      }),
    },
  }),

  ...breaking("get-market-id-by-name.asset-symbol-trimmed", {
    "name-lookup-padded-asset-in-another-case-not-found": {
      summary: "GetMarketIdByName does not find an asset symbol with whitespace around it in another case.",
      alsoFails: ["get-market-id-by-name.asset-symbol-case-insensitive", "errors.documented-outcome"],
      http: refuses(byName, "not_found", ({ request, dataset, effective }) => {
        const asset = String(request.assetSymbol);
        const market = dataset.markets.get(effective.marketId as bigint);
        return asset !== asset.trim() && asset.trim() !== market?.assetSymbol;
      }),
    },
    "name-lookup-padded-asset-in-lower-case-not-found": {
      summary:
        "GetMarketIdByName does not find an asset symbol with whitespace around it when all of it is in lower case.",
      alsoFails: ["get-market-id-by-name.asset-symbol-case-insensitive", "errors.documented-outcome"],
      http: refuses(byName, "not_found", ({ request }) => {
        const asset = String(request.assetSymbol);
        return isPadded(asset) && asset === asset.toLowerCase();
      }),
    },
    "name-lookup-padded-asset-without-quote-not-found": {
      summary: "GetMarketIdByName does not trim the asset symbol when the quote symbol is omitted.",
      alsoFails: ["errors.documented-outcome"],
      http: refuses(
        byName,
        "not_found",
        ({ request }) => isPadded(request.assetSymbol) && (request.quoteSymbol ?? "") === "",
      ),
    },
    "name-lookup-padded-asset-finds-the-next-market": {
      summary:
        "GetMarketIdByName gives the id of the fourth market for the third one's asset symbol with whitespace around it.",
      alsoFails: ["relations.market-id-listings"],
      request: looksUp((symbols, data, json) =>
        isPadded(json.assetSymbol) && marketNamed(data, symbols) === marketAt(data, 2) ? marketAt(data, 3) : undefined,
      ),
    },
  }),

  ...breaking("get-market-id-by-name.unknown-pair", {
    "name-lookup-crashes-on-an-apostrophe": {
      summary: "GetMarketIdByName fails with internal when there is an apostrophe in the asset symbol.",
      error: on(byName, (error, { request }) =>
        String(request.assetSymbol).includes("'")
          ? { status: 500, json: { ...error.json, code: "internal" } }
          : undefined,
      ),
    },
    "name-lookup-crashes-on-members-of-objects": {
      summary: "GetMarketIdByName fails with internal on an asset symbol that is the name of a member of every object.",
      error: on(byName, (error, { request }) =>
        String(request.assetSymbol).trim() in {}
          ? { status: 500, json: { ...error.json, code: "internal" } }
          : undefined,
      ),
    },
    "name-lookup-turned-pair-found": {
      summary: "GetMarketIdByName finds a market by its symbols in the wrong order.",
      request: looksUp(({ asset, quote }, data) =>
        marketNamed(data, { asset, quote }) ? undefined : marketNamed(data, { asset: quote, quote: asset }),
      ),
    },
  }),

  ...breaking("get-market-id-by-name.asset-symbol-case-insensitive", {
    "name-lookup-of-one-market-case-sensitive": {
      summary: "GetMarketIdByName finds the eighth market by its asset symbol in capitals only.",
      http: refuses(byName, "not_found", ({ request, dataset, effective }) => {
        const market = marketAt(dataset, 7);
        return effective.marketId === market?.id && String(request.assetSymbol).trim() !== market?.assetSymbol;
      }),
    },
  }),
];

/** Selectors, configurations and lookups that are wrong for a pair, beside a field, or for one market. */
export const selectorInteractions: readonly Mutant[] = [...selectors, ...markets];
