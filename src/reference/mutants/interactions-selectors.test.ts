import {
  btc,
  bySymbols,
  capitals,
  doge,
  eth,
  eur,
  type InteractionExample,
  pepe,
  type RequestSpec,
  selectorById,
  sol,
  testInteractions,
  timeout,
  version,
  walletAt,
  withWhitespace,
} from "./interactions.fixture.js";
import { selectorInteractions } from "./interactions-selectors.js";

const { address } = walletAt(0);

/** Both symbols are known; no market combines them. */
const uncombined = symbols("BTC", "JPY");
const unknownQuote = symbols("BTC", "XAU");

function symbols(assetSymbol: string, quoteSymbol: string) {
  return { marketSymbol: { assetSymbol, quoteSymbol } };
}

const range = { startTime: "2025-08-31T20:00:00Z", endTime: "2025-09-01T00:00:00Z", interval: "60" };

function book(shows: object, hides: object): InteractionExample {
  return { endpoint: "GetOrderBook", shows: { body: shows }, hides: { body: hides } };
}

function orders(shows: object, hides: object): InteractionExample {
  return { endpoint: "GetOrders", shows: { body: shows }, hides: { body: hides } };
}

function configs(shows: object, hides: object, headers?: Pick<RequestSpec, "headers">): InteractionExample {
  const [body, beside] = [{ market: shows }, { market: hides }];
  return { endpoint: "GetMarketConfigs", shows: { body, ...headers }, hides: { body: beside } };
}

function name(shows: readonly [string, string?], hides: readonly [string, string?]): InteractionExample {
  const bodyOf = ([assetSymbol, quoteSymbol]: readonly [string, string?]) => ({ body: { assetSymbol, quoteSymbol } });
  return { endpoint: "GetMarketIdByName", shows: bodyOf(shows), hides: bodyOf(hides) };
}

testInteractions(selectorInteractions, {
  "market-configs-uncombined-symbols-resolved": configs(uncombined, unknownQuote),
  "get-orders-uncombined-symbols-resolved": orders({ address, market: uncombined }, { address, market: unknownQuote }),
  "order-book-quote-by-its-start": book({ market: symbols("SOL", "USD") }, { market: symbols("SOL", "JPY") }),
  "market-configs-quote-that-goes-on": configs(symbols("BTC", "USDC"), symbols("BTC", "JPY")),
  "order-book-uncombined-symbols-resolved-with-a-tick": book(
    { market: uncombined, tickSize: 10 },
    { market: uncombined },
  ),
  "market-configs-blank-asset-without-a-quote-not-found": configs(
    { marketSymbol: { assetSymbol: " " } },
    { marketSymbol: { assetSymbol: " ", quoteSymbol: "USD" } },
  ),
  "order-book-crashes-on-empty-symbols": book({ market: { marketSymbol: {} } }, { market: {} }),
  "name-lookup-crashes-on-an-apostrophe": name(["O'X", "USD"], ["OX", "USD"]),
  "name-lookup-crashes-on-members-of-objects": name(["constructor", "USD"], ["constructors", "USD"]),
  "name-lookup-turned-pair-found": name(["USD", "BTC"], ["BTC", "USD"]),
  "order-book-neighbouring-id-is-the-known-one": book({ market: { marketId: "45" } }, { market: { marketId: "46" } }),
  "get-orders-neighbouring-id-is-the-known-one": orders(
    { address, market: { marketId: "13" } },
    { address, market: { marketId: "14" } },
  ),
  "historical-prices-small-unknown-id-first-market": {
    endpoint: "GetHistoricalPrices",
    shows: { body: { market: { marketId: "500" }, ...range } },
    hides: { body: { market: { marketId: "5000" }, ...range } },
  },
  "order-book-small-unknown-id-first-market": book({ market: { marketId: "500" } }, { market: { marketId: "5000" } }),
  "get-orders-small-unknown-id-is-no-filter": orders(
    { address, market: { marketId: "500" } },
    { address, market: { marketId: "5000" } },
  ),
  "market-configs-unknown-symbols-beside-an-id": configs(
    { ...selectorById(eth), ...unknownQuote },
    { ...selectorById(eth), ...bySymbols(eth) },
  ),
  "get-orders-symbols-beside-an-unknown-id": orders(
    { address, market: { marketId: "5000", ...bySymbols(btc) } },
    { address, market: { ...selectorById(btc), ...bySymbols(btc) } },
  ),
  "order-book-both-alternatives-taken-beside-levels": book(
    { market: { ...selectorById(eth), ...bySymbols(eth) }, levels: 3 },
    { market: { ...selectorById(eth), ...bySymbols(eth) } },
  ),
  "get-orders-zero-id-is-no-filter-for-an-address-with-capitals": orders(
    { address: capitals(walletAt(1)), market: { marketId: "0" } },
    { address: walletAt(1).address, market: { marketId: "0" } },
  ),
  "order-book-blank-asset-found-in-usd": book(
    { market: { marketSymbol: { assetSymbol: " ", quoteSymbol: "USD" } }, sizeInUsd: true },
    { market: { marketSymbol: { assetSymbol: " ", quoteSymbol: "USD" } } },
  ),

  "market-configs-leverage-of-one-market-wrong-by-symbols": configs(bySymbols(pepe), selectorById(pepe)),
  "market-configs-of-one-market-another-by-symbols": configs(bySymbols(eur), bySymbols(doge)),
  "market-configs-symbols-not-found-with-a-timeout": configs(bySymbols(eth), bySymbols(eth), { headers: timeout }),
  "market-configs-symbols-refused-without-the-version-header": {
    endpoint: "GetMarketConfigs",
    shows: { body: { market: bySymbols(eth) } },
    hides: { body: { market: bySymbols(eth) }, headers: version },
  },
  "market-configs-rate-of-one-market-as-number": configs(selectorById(sol), selectorById(btc)),

  "name-lookup-uncombined-symbols-resolved": name(["BTC", "JPY"], ["BTC", "XAU"]),
  "name-lookup-unknown-quote-of-later-markets": name(["PEPE", "QZA"], ["BTC", "QZA"]),
  "name-lookup-quote-by-its-start": name(["SOL", "USD"], ["SOL", "USDT"]),
  "name-lookup-neighbouring-asset-is-the-known-one": name(["BTX", "USD"], ["XBT", "USD"]),
  "name-lookup-padded-asset-in-another-case-not-found": name(
    [withWhitespace("btc"), "USD"],
    [withWhitespace("BTC"), "USD"],
  ),
  "name-lookup-padded-asset-in-lower-case-not-found": name(
    [withWhitespace("btc"), "USD"],
    [withWhitespace("Btc"), "USD"],
  ),
  "name-lookup-of-one-market-case-sensitive": name(["pepe", "USD"], ["btc", "USD"]),
  "name-lookup-padded-asset-without-quote-not-found": name([withWhitespace("GOLD")], [withWhitespace("BTC"), "USD"]),
  "name-lookup-padded-asset-finds-the-next-market": name([withWhitespace("SOL"), "USDC"], ["SOL", "USDC"]),
});
