/** Judges which market an answer is about (§1 Market selector, §4.8, §4.9). */
import type { JsonObject } from "../connect/json.js";
import type { selectorEndpoints } from "../specification/endpoints.js";
import {
  countOf,
  failed,
  type Judgement,
  judgeEach,
  judgeThat,
  nothingSeen,
  passed,
  show,
  type Violation,
} from "./judgement.js";
import { candlesOf, marketConfigOf, marketIdOf, orderBookOf, ordersOf } from "./read.js";
import { asObject, readId } from "./read-values.js";
import { errorInWords, type WholeAnswer } from "./whole-answer.js";

/** An operation that takes a market selector. */
export type SelectorEndpoint = (typeof selectorEndpoints)[number];

/** What an answer holds of a market, in words: `23 orders`; undefined if it holds nothing. */
export function heldData(endpoint: SelectorEndpoint, body: JsonObject): string | undefined {
  switch (endpoint) {
    case "GetOrders":
      return counted(ordersOf(body).length, "order");
    case "GetHistoricalPrices":
      return counted(candlesOf(body).length, "candle");
    case "GetOrderBook": {
      const book = orderBookOf(body);
      return counted((book?.bids.length ?? 0) + (book?.asks.length ?? 0), "level");
    }
    case "GetMarketConfigs": {
      const config = marketConfigOf(body);
      const isSet = config !== undefined && (config.marketId !== "0" || config.marketName !== "");
      return isSet ? `the configuration of market ${config.marketId}` : undefined;
    }
  }
}

function counted(count: number, what: string): string | undefined {
  return count === 0 ? undefined : countOf(count, what);
}

const places = {
  GetOrders: "orders",
  GetOrderBook: "orderBook.book",
  GetHistoricalPrices: "priceCandleSticks",
  GetMarketConfigs: "marketConfig",
} as const satisfies Record<SelectorEndpoint, string>;

/** An answer about a market that does not exist holds nothing, nor does it name another market (S4, S5). */
export function holdsNothing(marketId: string | undefined, endpoint: SelectorEndpoint, body: JsonObject): Judgement {
  const seen = heldData(endpoint, body);
  if (seen !== undefined) {
    return failed({ path: places[endpoint], expected: "nothing: there is no such market", seen });
  }
  return marketId === undefined ? passed : holdsOnlyMarket(marketId, endpoint, body);
}

/**
 * Everything in an answer is of the requested market, as far as it names one, which an empty order book does too (S4).
 * Candles name none and are not judged. An empty answer counts as evidence: the other market is known to have data.
 */
export function holdsOnlyMarket(marketId: string, endpoint: SelectorEndpoint, body: JsonObject): Judgement {
  const markets = namedMarkets(endpoint, body);
  if (markets.length === 0 && heldData(endpoint, body) === undefined) return passed;
  return judgeEach(markets, ({ path, named }): Violation | undefined =>
    named === marketId ? undefined : { path, expected: `${marketId} (the requested market)`, seen: named },
  );
}

function namedMarkets(endpoint: SelectorEndpoint, body: JsonObject): readonly { path: string; named: string }[] {
  switch (endpoint) {
    case "GetOrders":
      return ordersOf(body).map(({ marketId }, index) => ({ path: `orders[${index}].marketId`, named: marketId }));
    case "GetOrderBook":
      return named("orderBook.marketId", orderBookOf(body)?.marketId);
    case "GetMarketConfigs":
      return named("marketConfig.marketId", marketConfigOf(body)?.marketId);
    case "GetHistoricalPrices":
      return [];
  }
}

/** An answer without an id says nothing about the market: the wire rules cover required fields. */
function named(path: string, marketId: string | undefined): readonly { path: string; named: string }[] {
  return marketId === undefined || marketId === "0" ? [] : [{ path, named: marketId }];
}

/**
 * The configuration is that of the requested market (§4.8), or of the one that a name resolves to (S9).
 *
 * @param reason why it must be that market
 */
export function configuresMarket(marketId: string, body: JsonObject, reason = "the requested market"): Judgement {
  const config = marketConfigOf(body);
  if (!config) return nothingSeen("a configuration");
  return same("marketConfig.marketId", marketId, config.marketId, reason);
}

/** `feeConfig.marketId` is the id of the configuration's own market, or empty (R19). */
export function feeConfigIsOfTheMarket(body: JsonObject): Judgement {
  const config = marketConfigOf(body);
  const fees = asObject(config?.json.feeConfig);
  if (!config || !fees) return nothingSeen("a configuration with a feeConfig");
  const marketId = readId(fees.marketId);
  const expected = marketId === "0" ? "0" : config.marketId;
  return same("marketConfig.feeConfig.marketId", expected, marketId, "the market's own id, or empty");
}

function same(path: string, expected: string, seen: string, reason: string): Judgement {
  return judgeThat(seen === expected, { path, expected: `${expected} (${reason})`, seen });
}

/** A market that was found by an asset symbol without a quote has exactly that name, in any case (§4.9). */
export function marketIsNamed(assetSymbol: string, found: JsonObject, config: JsonObject): Judgement {
  const name = marketConfigOf(config)?.marketName;
  if (name === undefined || name.trim() === "") return nothingSeen("the name of the market that was found");
  return judgeThat(name.trim().toLowerCase() === assetSymbol.trim().toLowerCase(), {
    path: "marketId",
    expected: `a market named ${show(assetSymbol)}, or the error not_found`,
    seen: `${marketIdOf(found)} (which GetMarketConfigs names ${show(name)})`,
  });
}

/** A market is found by a symbol that is its whole name in GetMarketConfigs (§4.9). */
export function findsMarketNamed(name: string, marketId: string): (answer: WholeAnswer) => Judgement {
  const expected = `${marketId} (the market that GetMarketConfigs names ${show(name)})`;
  return ({ outcome, exchange }) => {
    if (outcome.kind === "error") {
      return failed({ expected, seen: errorInWords(outcome.code, outcome.message, exchange) });
    }
    if (outcome.kind !== "success") return nothingSeen("a Connect answer");
    const seen = marketIdOf(outcome.body as JsonObject);
    return judgeThat(seen === marketId, { path: "marketId", expected, seen });
  };
}

/** A truncated symbol does not resolve to the market of the whole symbol (§4.9). */
export function doesNotResolveTo(marketId: string, body: JsonObject): Judgement {
  const found = marketIdOf(body);
  const seen = `${found} (the market that the whole symbol names)`;
  return judgeThat(found !== marketId, { path: "marketId", expected: "the error not_found", seen });
}

/** A configuration as JSON, shortened if it is long, for the observation of what its fields mean (§2 MarketConfig). */
export function configInWords(body: JsonObject): string {
  const config = marketConfigOf(body);
  return config ? show(config.json, 1000) : "no configuration";
}
