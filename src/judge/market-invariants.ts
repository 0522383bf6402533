/** The invariants of configurations, the lookup by name, and candles (§4.7 to §4.9). */
import { bodyWithinWick, spacedBy, withinRange } from "./candles.js";
import { type Invariant, onBody } from "./invariant.js";
import { configuresMarket } from "./markets.js";
import { candlesOf, marketIdOf } from "./read.js";
import { resolvesTo } from "./relations.js";

const ofRequestedMarket: Parameters<typeof onBody>[2] = (body, { asked: { marketId = "" } }) =>
  configuresMarket(marketId, body);

export const marketInvariants: readonly Invariant[] = [
  onBody("GetMarketConfigs", "get-market-configs.market-id", ofRequestedMarket, {
    where: ({ bySymbols }) => !bySymbols,
  }),
  onBody("GetMarketConfigs", "selector.by-symbol", ofRequestedMarket, { where: ({ bySymbols }) => bySymbols }),
  onBody(
    "GetMarketIdByName",
    "relations.market-id-configs",
    (body, { asked: { marketId = "" } }) => resolvesTo(marketId, marketIdOf(body)),
    { where: ({ padded, recased }) => !padded && !recased },
  ),
  onBody(
    "GetHistoricalPrices",
    "get-historical-prices.range",
    (body, { asked: { interval = "60", startTime = "", endTime = "" } }) =>
      withinRange({ interval, startTime, endTime }, candlesOf(body)),
    { ofAnyRows: true },
  ),
  onBody(
    "GetHistoricalPrices",
    "get-historical-prices.interval-spacing",
    (body, { asked: { interval = "60" } }) => spacedBy(interval, candlesOf(body)),
    { ofAnyRows: true },
  ),
  onBody("GetHistoricalPrices", "candlestick.low-high", (body) => bodyWithinWick(candlesOf(body)), { ofAnyRows: true }),
];
