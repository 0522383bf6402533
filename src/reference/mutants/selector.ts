import type { Dataset } from "../dataset/dataset.js";
import { jsonReply } from "../endpoint-handler.js";
import { isObject, type MutableJsonObject, objectAt } from "../json.js";
import { breaking, type Mutant, on, SubstituteResponse } from "../modification.js";
import {
  byId,
  changeCode,
  changeId,
  changeSelector,
  changeSymbols,
  firstId,
  folded,
  idIn,
  isId,
  isOfAsset,
  isOfQuote,
  isUnknownId,
  isUnknownPair,
  listedMarkets,
  marketNamed,
  readSymbols,
  type Selector,
  type SelectorSymbols,
  symbolsIn,
} from "../selector-interceptors.js";

/** Empty successes of the operations that may match nothing. */
const noOrders = () => new SubstituteResponse({ orders: [] });
const noCandles = () => new SubstituteResponse({ priceCandleSticks: [], totalCount: 0 });

/** Whether a selector has both alternatives. */
function hasBoth(given: Selector): given is MutableJsonObject {
  return given?.marketId !== undefined && given.marketSymbol !== undefined;
}

/** Whether a selector has neither alternative. */
function isEmpty(given: Selector): boolean {
  return given !== undefined && Object.keys(given).length === 0;
}

const int64Range = 2n ** 64n;

/** A decimal wrapped to a signed 64-bit integer. */
function wrapped(id: string): string {
  return String(BigInt.asIntN(64, BigInt(id)));
}

function isBeyondInt64(id: string): boolean {
  return /^\d{19,}$/.test(id) && !isId(id);
}

function isNegative(id: string): boolean {
  return /^-\d+$/.test(id);
}

const hasDigitsOnly = /^[+-]?\s*\d+\s*$/;

function isNoNumber(id: string): boolean {
  return !hasDigitsOnly.test(id.trim());
}

/** The integer at the start of a text, as a lenient parser reads it; undefined when there is none. */
function leadingInteger(id: string): string | undefined {
  return /^\d+(?=\D)/.exec(id)?.[0];
}

/** Servers that break one rule of §1 on market selectors. */
export const selector: readonly Mutant[] = [
  ...breaking("selector.wrong-type", {
    // An invalid selector yields invalid_argument.
    "list-for-a-selector-ignored": {
      summary: "GetOrders takes a market selector that is a list for an omitted one.",
      request: on("GetOrders", ({ market, ...rest }) => (Array.isArray(market) ? rest : undefined)),
    },
    "false-for-a-selector-ignored": {
      summary: "GetOrders takes a market selector that is false for an omitted one.",
      request: on("GetOrders", ({ market, ...rest }) => (market === false ? rest : undefined)),
    },
    "true-for-an-id-is-one": {
      summary: "GetHistoricalPrices takes an id that is true for the id 1.",
      request: on("GetHistoricalPrices", (json) =>
        objectAt(json, "market")?.marketId === true ? { ...json, market: { marketId: "1" } } : undefined,
      ),
    },
    "name-of-a-market-for-its-symbols": {
      summary: "GetOrderBook takes a text in place of a symbol pair for the name of a market.",
      request: on("GetOrderBook", (json) => {
        const [assetSymbol, quoteSymbol] = String(objectAt(json, "market")?.marketSymbol).split("-");
        return quoteSymbol === undefined
          ? undefined
          : { ...json, market: { marketSymbol: { assetSymbol: assetSymbol ?? "", quoteSymbol } } };
      }),
    },
    "list-for-an-asset-symbol-unwrapped": {
      summary: "GetMarketConfigs takes a list of one symbol for the symbol.",
      alsoFails: ["errors.malformed-request-code"],
      request: on("GetMarketConfigs", (json) => {
        const symbols = objectAt(json, "market", "marketSymbol");
        if (!Array.isArray(symbols?.assetSymbol)) return undefined;
        return { ...json, market: { marketSymbol: { ...symbols, assetSymbol: symbols.assetSymbol[0] } } };
      }),
    },
  }),

  ...breaking("selector.wrong-type", {
    "get-orders-object-as-id-is-of-no-market": {
      summary: "GetOrders finds no orders for an object in place of an id.",
      alsoFails: ["errors.malformed-request-code"],
      request: on("GetOrders", (json) =>
        isObject(objectAt(json, "market")?.marketId) ? new SubstituteResponse({ orders: [] }) : undefined,
      ),
    },
    "market-configs-number-as-selector": {
      summary: "GetMarketConfigs finds market 1 for any number in place of a selector.",
      alsoFails: ["errors.malformed-request-code"],
      request: on("GetMarketConfigs", (json) =>
        typeof json.market === "number" ? { market: { marketId: "1" } } : undefined,
      ),
    },
  }),

  ...breaking("selector.both-alternatives", {
    // Exactly one of two alternatives.
    "get-orders-id-wins-over-symbol": {
      summary: "GetOrders takes the id of a selector that has both alternatives.",
      request: changeSelector("GetOrders", (given) => (hasBoth(given) ? { marketId: given.marketId } : undefined)),
    },
    "order-book-symbol-wins-over-id": {
      summary: "GetOrderBook takes the symbols of a selector that has both alternatives, unless they are empty.",
      request: changeSelector("GetOrderBook", (given) =>
        hasBoth(given) && Object.keys(given.marketSymbol ?? {}).length > 0
          ? { marketSymbol: given.marketSymbol }
          : undefined,
      ),
    },
    "order-book-disagreeing-alternatives-taken": {
      summary: "GetOrderBook takes the id of a selector whose symbols are those of another market.",
      request: changeSelector("GetOrderBook", (given, data) => {
        const symbols = isObject(given?.marketSymbol) ? readSymbols(given.marketSymbol) : undefined;
        const named = symbols && marketNamed(data, symbols);
        return named && isId(String(given?.marketId)) && String(named.id) !== given?.marketId
          ? { marketId: given?.marketId }
          : undefined;
      }),
    },
    "market-configs-empty-symbol-beside-id": {
      summary: "GetMarketConfigs overlooks an empty marketSymbol beside an id.",
      request: changeSelector("GetMarketConfigs", (given) =>
        given?.marketId !== undefined && given.marketSymbol && Object.keys(given.marketSymbol).length === 0
          ? { marketId: given.marketId }
          : undefined,
      ),
    },
    "get-orders-blank-symbol-beside-id": {
      summary: "GetOrders overlooks a marketSymbol with an empty asset symbol beside an id.",
      request: changeSelector("GetOrders", (given) =>
        given?.marketId !== undefined && isObject(given.marketSymbol) && given.marketSymbol.assetSymbol === ""
          ? { marketId: given.marketId }
          : undefined,
      ),
    },
    "order-book-both-alternatives-not-found": {
      summary: "GetOrderBook answers not_found to a selector with both alternatives.",
      error: changeCode("GetOrderBook", "not_found", hasBoth),
    },
  }),

  ...breaking("selector.neither-alternative", {
    "get-orders-empty-selector-is-no-filter": {
      summary: "GetOrders takes a selector with neither alternative for an omitted one.",
      request: changeSelector("GetOrders", (given) => (isEmpty(given) ? null : undefined)),
    },
    "order-book-empty-selector-first-market": {
      summary: "GetOrderBook takes a selector with neither alternative for the first market.",
      request: changeSelector("GetOrderBook", (given, data) =>
        isEmpty(given) ? { marketId: firstId(data) } : undefined,
      ),
    },
    "historical-prices-empty-selector-no-candles": {
      summary: "GetHistoricalPrices returns no candles for a selector with neither alternative.",
      request: changeSelector("GetHistoricalPrices", (given) => (isEmpty(given) ? noCandles() : undefined)),
    },
    "market-configs-empty-selector-not-found": {
      summary: "GetMarketConfigs answers not_found to a selector with neither alternative.",
      error: changeCode("GetMarketConfigs", "not_found", isEmpty),
    },
  }),

  ...breaking("selector.required", {
    "order-book-market-optional": {
      summary: "GetOrderBook shows the first market's book when no market is given.",
      alsoFails: ["errors.wrong-type", "selector.wrong-type"],
      request: changeSelector("GetOrderBook", (given, data) => (given ? undefined : { marketId: firstId(data) })),
    },
    "historical-prices-market-optional": {
      summary: "GetHistoricalPrices returns no candles when no market is given.",
      alsoFails: ["errors.wrong-type", "selector.wrong-type"],
      request: changeSelector("GetHistoricalPrices", (given) => (given ? undefined : noCandles())),
    },
    "market-configs-missing-market-not-found": {
      summary: "GetMarketConfigs answers not_found when no market is given.",
      alsoFails: ["errors.malformed-request-code"],
      error: changeCode("GetMarketConfigs", "not_found", (given) => given === undefined),
    },
  }),

  ...breaking("selector.zero-id", {
    // By id: a non-zero numeric id is required.
    "get-orders-zero-id-is-no-filter": {
      summary: "GetOrders takes the id 0 for an omitted market.",
      request: changeId("GetOrders", (id) => (id === "0" ? null : undefined)),
    },
    "get-orders-of-a-stranger-not-validated": {
      summary: "GetOrders lists nothing for a wallet that it does not know, whatever the market.",
      alsoFails: ["selector.non-numeric-id", "selector.neither-alternative"],
      error: on("GetOrders", (_, { request: { address, market }, dataset }) =>
        typeof address !== "string" || !isObject(market) || dataset.wallets.has(address.trim().toLowerCase())
          ? undefined
          : jsonReply(200, { orders: [] }),
      ),
    },
    "candles-outside-of-the-history-not-validated": {
      summary: "GetHistoricalPrices has no candles for a range of the far past or future, whatever the market.",
      alsoFails: ["selector.non-numeric-id", "selector.neither-alternative"],
      error: on("GetHistoricalPrices", (_, { request }) =>
        Math.abs(Date.parse(String(request.startTime)) - Date.UTC(2025, 0)) > 20 * 366 * 86_400_000
          ? jsonReply(200, { priceCandleSticks: [] })
          : undefined,
      ),
    },
    "order-book-zero-id-not-found": {
      summary: "GetOrderBook looks the market 0 up and answers not_found.",
      error: changeCode("GetOrderBook", "not_found", (given) => idIn(given) === "0"),
    },
    "historical-prices-zero-id-no-candles": {
      summary: "GetHistoricalPrices returns no candles for the id 0.",
      request: changeId("GetHistoricalPrices", (id) => (id === "0" ? noCandles() : undefined)),
    },
    "market-configs-zero-id-first-market": {
      summary: "GetMarketConfigs takes the id 0 for the first market.",
      request: changeId("GetMarketConfigs", (id, data) => (id === "0" ? firstId(data) : undefined)),
    },
  }),

  ...breaking("selector.non-numeric-id", {
    "market-configs-id-up-to-the-first-letter": {
      summary: "GetMarketConfigs reads an id up to the first character that is not a digit.",
      request: changeId("GetMarketConfigs", (id) => leadingInteger(id)),
    },
    "order-book-fractional-id-truncated": {
      summary: "GetOrderBook drops the fraction of an id.",
      request: changeId("GetOrderBook", (id) => (/^\d+\.\d+$/.test(id) ? leadingInteger(id) : undefined)),
    },
    "get-orders-empty-id-is-no-filter": {
      summary: "GetOrders takes an empty id for an omitted market.",
      request: changeId("GetOrders", (id) => (id === "" ? null : undefined)),
    },
    "get-orders-lettered-id-matches-nothing": {
      summary: "GetOrders lists nothing for an id with letters, since no order carries it.",
      request: changeId("GetOrders", (id) => (/^[a-z]+$/i.test(id) ? noOrders() : undefined)),
    },
    "historical-prices-lettered-id-not-found": {
      summary: "GetHistoricalPrices looks an id with letters up and answers not_found.",
      error: changeCode("GetHistoricalPrices", "not_found", (given) => isNoNumber(idIn(given) ?? "0")),
    },
    "get-orders-blank-id-is-no-filter": {
      summary: "GetOrders takes an id of nothing but whitespace for an omitted market.",
      request: changeId("GetOrders", (id) => (id !== "" && id.trim() === "" ? null : undefined)),
    },
    "historical-prices-id-that-is-nan-no-candles": {
      summary: 'GetHistoricalPrices takes the id "NaN" for a number, and finds no candles.',
      request: changeId("GetHistoricalPrices", (id) => (id === "NaN" ? noCandles() : undefined)),
    },
    "order-book-id-with-digits-in-groups": {
      summary: "GetOrderBook takes ids whose digits are grouped with underscores.",
      request: changeId("GetOrderBook", (id) =>
        /^\d+(_\d+)+$/.test(id) ? String(BigInt(id.replaceAll("_", ""))) : undefined,
      ),
    },
    "order-book-hexadecimal-id": {
      summary: "GetOrderBook takes hexadecimal ids.",
      request: changeId("GetOrderBook", (id) => (/^0x[0-9a-f]+$/i.test(id) ? String(BigInt(id)) : undefined)),
    },
  }),

  ...breaking("selector.id-beyond-int64", {
    "order-book-id-wraps-around": {
      summary: "GetOrderBook lets an id beyond int64 wrap around.",
      request: changeId("GetOrderBook", (id) => (isBeyondInt64(id) ? wrapped(id) : undefined)),
    },
    "market-configs-id-beyond-int64-not-found": {
      summary: "GetMarketConfigs looks an id beyond int64 up and answers not_found.",
      error: changeCode("GetMarketConfigs", "not_found", (given) => isBeyondInt64(idIn(given) ?? "")),
    },
    "get-orders-unsigned-ids": {
      summary: "GetOrders takes ids of 64 bits without a sign, and lists nothing for those beyond int64.",
      request: changeId("GetOrders", (id) => (isBeyondInt64(id) && BigInt(id) < int64Range ? noOrders() : undefined)),
    },
    "historical-prices-id-clamped": {
      summary: "GetHistoricalPrices takes the greatest int64 for an id beyond it, and finds no candles.",
      request: changeId("GetHistoricalPrices", (id) => (isBeyondInt64(id) ? noCandles() : undefined)),
    },
  }),

  ...breaking("selector.negative-id", {
    "get-orders-negative-id-matches-nothing": {
      summary: "GetOrders lists nothing for a negative id.",
      request: changeId("GetOrders", (id) => (isNegative(id) ? noOrders() : undefined)),
    },
    "historical-prices-negative-id-no-candles": {
      summary: "GetHistoricalPrices returns no candles for a negative id.",
      request: changeId("GetHistoricalPrices", (id) => (isNegative(id) ? noCandles() : undefined)),
    },
    "market-configs-sign-of-id-ignored": {
      summary: "GetMarketConfigs ignores the sign of an id.",
      request: changeId("GetMarketConfigs", (id) => (isNegative(id) ? id.slice(1) : undefined)),
    },
    "historical-prices-minus-zero-no-candles": {
      summary: 'GetHistoricalPrices returns no candles for the id "-0".',
      request: changeId("GetHistoricalPrices", (id) => (id === "-0" ? noCandles() : undefined)),
    },
    "get-orders-negative-id-wraps-around": {
      summary: "GetOrders lets a negative id below int64 wrap around.",
      request: changeId("GetOrders", (id) =>
        isNegative(id) && BigInt(id) < -int64Range / 2n ? wrapped(id) : undefined,
      ),
    },
    "order-book-negative-id-internal": {
      summary: "GetOrderBook breaks on a negative id.",
      error: changeCode("GetOrderBook", "internal", (given) => isNegative(idIn(given) ?? "")),
    },
  }),

  ...breaking("selector.unknown-id-other-market", {
    // An id of no market.
    "order-book-unknown-id-first-market": {
      summary: "GetOrderBook shows the first market's book for an unknown id.",
      request: changeId("GetOrderBook", (id, data) => (isUnknownId(id, data) ? firstId(data) : undefined)),
    },
    "order-book-unknown-id-empty-book-of-the-first-market": {
      summary: "GetOrderBook shows an empty book for an unknown id, under the id of the first market.",
      alsoFails: ["selector.unknown-id-code"],
      request: changeSelector("GetOrderBook", (given, data, { now }) =>
        isUnknownId(idIn(given) ?? "", data) ? new SubstituteResponse(emptyBook(firstId(data), now())) : undefined,
      ),
    },
    "market-configs-unknown-id-first-market": {
      summary: "GetMarketConfigs gives the first market's configuration for an unknown id.",
      request: changeId("GetMarketConfigs", (id, data) => (isUnknownId(id, data) ? firstId(data) : undefined)),
    },
    "get-orders-unknown-id-is-no-filter": {
      summary: "GetOrders lists the orders of all markets for an unknown id.",
      request: changeId("GetOrders", (id, data) => (isUnknownId(id, data) ? null : undefined)),
    },
    "historical-prices-unknown-id-first-market": {
      summary: "GetHistoricalPrices returns the first market's candles for an unknown id.",
      request: changeId("GetHistoricalPrices", (id, data) => (isUnknownId(id, data) ? firstId(data) : undefined)),
    },
    "market-configs-ids-as-doubles": {
      summary: "GetMarketConfigs compares ids as JavaScript numbers, so that neighbours beyond 2^53 are the same.",
      request: changeId("GetMarketConfigs", sameAsNumber),
    },
    "historical-prices-ids-as-doubles": {
      summary: "GetHistoricalPrices compares ids as JavaScript numbers, so that neighbours beyond 2^53 are the same.",
      request: changeId("GetHistoricalPrices", sameAsNumber),
    },
    "get-orders-ids-by-their-start": {
      summary: "GetOrders takes an id that it does not know for the market whose id begins with it.",
      request: changeId("GetOrders", (id, data) =>
        isUnknownId(id, data) ? [...data.markets.keys()].map(String).find((known) => known.startsWith(id)) : undefined,
      ),
    },
    "order-book-ids-of-32-bits": {
      summary: "GetOrderBook looks at the lowest 32 bits of an id that it does not know.",
      request: changeId("GetOrderBook", truncated),
    },
    "get-orders-ids-of-32-bits": {
      summary: "GetOrders looks at the lowest 32 bits of an id that it does not know.",
      request: changeId("GetOrders", truncated),
    },
  }),

  ...breaking("selector.unknown-id-code", {
    "order-book-unknown-id-invalid": {
      summary: "GetOrderBook answers invalid_argument to an unknown id.",
      error: changeCode("GetOrderBook", "invalid_argument", (given, { dataset }) =>
        isUnknownId(idIn(given) ?? "", dataset),
      ),
    },
    "order-book-unknown-id-empty-book": {
      summary: "GetOrderBook shows an empty book for an unknown id.",
      request: changeSelector("GetOrderBook", (given, data, { now }) => {
        const marketId = idIn(given) ?? "";
        return isUnknownId(marketId, data) ? new SubstituteResponse(emptyBook(marketId, now())) : undefined;
      }),
    },
    "market-configs-unknown-id-empty": {
      summary: "GetMarketConfigs answers an unknown id with an empty success.",
      request: changeId("GetMarketConfigs", (id, data) =>
        isUnknownId(id, data) ? new SubstituteResponse({}) : undefined,
      ),
    },
    "historical-prices-unknown-id-invalid": {
      summary: "GetHistoricalPrices answers invalid_argument to an unknown id.",
      error: changeCode("GetHistoricalPrices", "invalid_argument", (given, { dataset }) =>
        isUnknownId(idIn(given) ?? "", dataset),
      ),
    },
    "get-orders-unknown-id-invalid": {
      summary: "GetOrders answers invalid_argument to an unknown id.",
      // The reference lists nothing here; an id that no decoder accepts causes the error.
      request: changeId("GetOrders", (id, data) => (isUnknownId(id, data) ? "unknown" : undefined)),
    },
  }),

  ...breaking("selector.by-symbol", {
    // By symbol.
    "market-configs-symbols-not-resolved": {
      summary: "GetMarketConfigs refuses selectors by symbol.",
      alsoFails: ["relations.market-id-configs"],
      request: changeSymbols("GetMarketConfigs", () => ({})),
    },
    "order-book-symbol-id-through-a-double": {
      summary: "GetOrderBook takes the id that it finds for symbols through a JavaScript number.",
      alsoFails: ["errors.documented-outcome"],
      request: changeSymbols("GetOrderBook", (symbols, data) => {
        const market = marketNamed(data, symbols);
        return market && { marketId: String(BigInt(Number(market.id))) };
      }),
    },
    "market-configs-symbol-of-the-next-market": {
      summary: "GetMarketConfigs gives another market's configuration for the symbols of one market.",
      alsoFails: ["relations.market-id-configs"],
      request: changeSymbols("GetMarketConfigs", ({ asset, quote }) =>
        folded(asset) === "doge" && folded(quote) === "usd" ? { marketId: "2" } : undefined,
      ),
    },
    "get-orders-known-symbol-is-no-filter": {
      summary: "GetOrders lists the orders of all markets for known symbols.",
      alsoFails: ["get-orders.market-filter"],
      request: changeSymbols("GetOrders", (symbols, data) => (marketNamed(data, symbols) ? null : undefined)),
    },
    "get-orders-known-symbol-matches-nothing": {
      summary: "GetOrders lists nothing for known symbols.",
      alsoFails: ["get-orders.market-filter"],
      request: changeSymbols("GetOrders", (symbols, data) => (marketNamed(data, symbols) ? noOrders() : undefined)),
    },
  }),

  ...breaking("selector.unknown-symbol", {
    "order-book-unknown-symbol-first-market": {
      summary: "GetOrderBook shows the first market's book for unknown symbols.",
      request: changeSymbols("GetOrderBook", (symbols, data) =>
        isUnknownPair(symbols, data) ? { marketId: firstId(data) } : undefined,
      ),
    },
    "get-orders-unknown-symbol-is-no-filter": {
      summary: "GetOrders lists the orders of all markets for unknown symbols.",
      request: changeSymbols("GetOrders", (symbols, data) => (isUnknownPair(symbols, data) ? null : undefined)),
    },
    "market-configs-quote-symbol-ignored": {
      summary: "GetMarketConfigs finds a market by its asset symbol, whatever the quote symbol is.",
      request: changeSymbols("GetMarketConfigs", (symbols, data) =>
        marketNamed(data, symbols)
          ? undefined
          : byId(listedMarkets(data).find((market) => isOfAsset(market, symbols.asset))),
      ),
    },
    "get-orders-asset-symbol-as-pattern": {
      summary: "GetOrders takes an asset symbol for a pattern, in which _ stands for any character.",
      request: changeSymbols("GetOrders", matching),
    },
    "order-book-asset-symbol-as-pattern": {
      summary: "GetOrderBook takes an asset symbol for a pattern, in which _ stands for any character.",
      request: changeSymbols("GetOrderBook", matching),
    },
    "market-configs-asset-symbol-as-pattern": {
      summary: "GetMarketConfigs takes an asset symbol for a pattern, in which _ stands for any character.",
      request: changeSymbols("GetMarketConfigs", matching),
    },
    "order-book-symbols-by-their-start": {
      summary: "GetOrderBook finds a market whose asset symbol the given one starts with.",
      request: changeSymbols("GetOrderBook", ({ asset, quote }, data) =>
        byId(
          listedMarkets(data).find(
            (market) => folded(asset).startsWith(folded(market.assetSymbol)) && isOfQuote(market, quote),
          ),
        ),
      ),
    },
    "order-book-symbols-each-by-itself": {
      summary: "GetOrderBook finds a market of the asset when any market has the quote.",
      request: changeSymbols("GetOrderBook", ({ asset, quote }, data) => {
        const pairs = listedMarkets(data).filter(({ quoteSymbol }) => quoteSymbol !== "");
        const ofAsset = pairs.filter((market) => isOfAsset(market, asset));
        const isKnownQuote = pairs.some((market) => isOfQuote(market, quote));
        const isKnownPair = ofAsset.some((market) => isOfQuote(market, quote));
        return isKnownQuote && !isKnownPair ? byId(ofAsset[0]) : undefined;
      }),
    },
    "market-configs-unknown-symbol-internal": {
      summary: "GetMarketConfigs breaks on unknown symbols.",
      error: changeCode("GetMarketConfigs", "internal", (given, { dataset }) => {
        const symbols = symbolsIn(given);
        return symbols !== undefined && isUnknownPair(symbols, dataset);
      }),
    },
  }),

  ...breaking("selector.blank-asset-symbol", {
    "order-book-blank-asset-first-of-quote": {
      summary: "GetOrderBook takes a blank asset symbol for the first market with the quote symbol.",
      request: changeSymbols("GetOrderBook", ({ asset, quote }, { markets }) =>
        asset.trim() === "" ? byId([...markets.values()].find((market) => isOfQuote(market, quote))) : undefined,
      ),
    },
    "get-orders-blank-asset-is-no-filter": {
      summary: "GetOrders takes a blank asset symbol for an omitted market.",
      request: changeSymbols("GetOrders", ({ asset }) => (asset.trim() === "" ? null : undefined)),
    },
    "market-configs-tab-as-asset-not-found": {
      summary: "GetMarketConfigs looks up an asset symbol of tabs and line ends, and answers not_found.",
      error: changeCode("GetMarketConfigs", "not_found", (given) => {
        const { asset = "" } = symbolsIn(given) ?? {};
        return asset.trim() === "" && asset.replaceAll(" ", "") !== "";
      }),
    },
    "market-configs-absent-asset-not-found": {
      summary: "GetMarketConfigs answers not_found when the asset symbol is absent or empty.",
      error: changeCode("GetMarketConfigs", "not_found", (given) => symbolsIn(given)?.asset === ""),
    },
  }),
];

/** The known id that equals an unknown one as a JavaScript number. */
function sameAsNumber(id: string, data: Dataset): string | undefined {
  if (!isUnknownId(id, data)) return undefined;
  return [...data.markets.keys()].map(String).find((known) => Number(known) === Number(id));
}

/** The known id that equals the lowest 32 bits of an unknown one. */
function truncated(id: string, data: Dataset): string | undefined {
  if (!isUnknownId(id, data)) return undefined;
  const low = BigInt.asUintN(32, BigInt(id));
  return data.markets.has(low) ? String(low) : undefined;
}

/** The market whose asset symbol matches a pattern; undefined for a symbol that is none. */
function matching({ asset, quote }: SelectorSymbols, data: Dataset): MutableJsonObject | undefined {
  if (!asset.includes("_")) return undefined;
  const pattern = new RegExp(`^${folded(asset).replaceAll("_", ".")}$`);
  return byId(
    listedMarkets(data).find((market) => pattern.test(folded(market.assetSymbol)) && isOfQuote(market, quote)),
  );
}

function emptyBook(marketId: string, now: number): MutableJsonObject {
  return { orderBook: { marketId, timestamp: new Date(now).toISOString(), book: { bids: [], asks: [] } } };
}
