import type { Mutant } from "../modification.js";
import { candlestick } from "./candlestick.js";
import { errors } from "./errors.js";
import { events } from "./events.js";
import { getAllOrders } from "./get-all-orders.js";
import { getAllPositions } from "./get-all-positions.js";
import { getHistoricalPrices } from "./get-historical-prices.js";
import { getMarketConfigs } from "./get-market-configs.js";
import { getMarketIdByName } from "./get-market-id-by-name.js";
import { getOpenPositionsStreaming } from "./get-open-positions-streaming.js";
import { getOrders } from "./get-orders.js";
import { getPortfolio } from "./get-portfolio.js";
import { listingInteractions } from "./interactions-listings.js";
import { orderBookInteractions } from "./interactions-order-book.js";
import { priceInteractions } from "./interactions-prices.js";
import { selectorInteractions } from "./interactions-selectors.js";
import { streamInteractions } from "./interactions-streams.js";
import { walletInteractions } from "./interactions-wallets.js";
import { intermittent } from "./intermittent.js";
import { marketConfig } from "./market-config.js";
import { movingData } from "./moving-data.js";
import { order } from "./order.js";
import { orderBook } from "./order-book.js";
import { orderRef } from "./order-ref.js";
import { pagination } from "./pagination.js";
import { portfolio } from "./portfolio.js";
import { position } from "./position.js";
import { protocol } from "./protocol.js";
import { relations } from "./relations.js";
import { remembered } from "./remembered.js";
import { selector } from "./selector.js";
import { states } from "./states.js";
import { wire } from "./wire.js";

/** Every mutant, in the specification's order. Those that need a combination of properties come last. */
export const mutants: readonly Mutant[] = [
  ...wire,
  ...selector,
  ...position,
  ...order,
  ...orderRef,
  ...pagination,
  ...portfolio,
  ...orderBook,
  ...candlestick,
  ...marketConfig,
  ...states,
  ...protocol,
  ...getAllPositions,
  ...getOpenPositionsStreaming,
  ...getAllOrders,
  ...getOrders,
  ...getPortfolio,
  ...getHistoricalPrices,
  ...getMarketConfigs,
  ...getMarketIdByName,
  ...events,
  ...errors,
  ...relations,
  ...intermittent,
  ...remembered,
  ...listingInteractions,
  ...walletInteractions,
  ...orderBookInteractions,
  ...selectorInteractions,
  ...priceInteractions,
  ...streamInteractions,
  ...movingData,
];
