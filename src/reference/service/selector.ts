import { Code, ConnectError } from "@connectrpc/connect";
import type { Dataset } from "../dataset/dataset.js";
import type { Market } from "../dataset/model.js";
import type { MarketSelector } from "../gen/common/v1/common_pb.js";
import type { MarketEndpoint, Parameters } from "../parameters.js";

/** The error for a request that fails validation (§7). */
export function invalidArgument(message: string): ConnectError {
  return new ConnectError(message, Code.InvalidArgument);
}

/** The error for something that does not exist (§7). */
export function notFound(message: string): ConnectError {
  return new ConnectError(message, Code.NotFound);
}

/**
 * The market id that a selector names (§1, S1 to S6). An id need not exist.
 *
 * @throws ConnectError `invalid_argument` for a malformed selector, `not_found` for unknown symbols.
 */
export function selectedMarketId(
  endpoint: MarketEndpoint,
  selector: MarketSelector | undefined,
  dataset: Dataset,
  parameters: Parameters,
): bigint {
  switch (selector?.selector.case) {
    case "marketId":
      if (selector.selector.value <= 0n) throw invalidArgument("market.marketId must be a positive market id");
      return selector.selector.value;
    case "marketSymbol": {
      const { assetSymbol, quoteSymbol } = selector.selector.value;
      return marketBySymbols(endpoint, assetSymbol, quoteSymbol, dataset, parameters).id;
    }
    default:
      throw invalidArgument("market is required: give either marketId or marketSymbol");
  }
}

/**
 * The listed market that a selector names.
 *
 * @throws ConnectError `invalid_argument` for a malformed selector, `not_found` for an unknown market.
 */
export function selectedMarket(
  endpoint: MarketEndpoint,
  selector: MarketSelector | undefined,
  dataset: Dataset,
  parameters: Parameters,
): Market {
  const id = selectedMarketId(endpoint, selector, dataset, parameters);
  const market = dataset.markets.get(id);
  if (!market?.listed) throw notFound(`no market with id ${id}`);
  return market;
}

/**
 * The listed market with these symbols. Without a quote, the one whose full name is the asset symbol (§4.9).
 *
 * @throws ConnectError `invalid_argument` for a blank asset symbol, `not_found` for an unknown pair.
 */
export function marketBySymbols(
  endpoint: MarketEndpoint,
  assetSymbol: string,
  quoteSymbol: string,
  dataset: Dataset,
  { symbol }: Parameters,
): Market {
  const asset = symbol(endpoint, assetSymbol);
  const quote = symbol(endpoint, quoteSymbol);
  if (asset.trim() === "") throw invalidArgument("assetSymbol must not be blank");
  for (const market of dataset.markets.values()) {
    if (!market.listed) continue;
    const matches =
      quote === ""
        ? symbol(endpoint, market.name) === asset
        : symbol(endpoint, market.assetSymbol) === asset && symbol(endpoint, market.quoteSymbol) === quote;
    if (matches) return market;
  }
  throw notFound(`no market for ${assetSymbol.trim()}${quoteSymbol.trim() === "" ? "" : `/${quoteSymbol.trim()}`}`);
}
