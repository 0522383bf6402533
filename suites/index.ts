import type { SuiteDefinition } from "../src/engine/suite.js";
import marketSelector from "./01-market-selector.check.js";
import wireConventions from "./01-wire-conventions.check.js";
import candlestick from "./02-candlestick.check.js";
import marketConfig from "./02-market-config.check.js";
import order from "./02-order.check.js";
import orderBook from "./02-order-book.check.js";
import pagination from "./02-pagination.check.js";
import portfolio from "./02-portfolio.check.js";
import position from "./02-position.check.js";
import states from "./03-states.check.js";
import headers from "./04.0-headers.check.js";
import getAllPositions from "./04.1-get-all-positions.check.js";
import getOpenPositionsStreaming from "./04.2-get-open-positions-streaming.check.js";
import getAllOrders from "./04.3-get-all-orders.check.js";
import getOrders from "./04.4-get-orders.check.js";
import getPortfolio from "./04.5-get-portfolio.check.js";
import getOrderBook from "./04.6-get-order-book.check.js";
import getHistoricalPrices from "./04.7-get-historical-prices.check.js";
import getMarketConfigs from "./04.8-get-market-configs.check.js";
import getMarketIdByName from "./04.9-get-market-id-by-name.check.js";
import authentication from "./05-authentication.check.js";
import events from "./06-events.check.js";
import errors from "./07-errors.check.js";
import limits from "./08-limits.check.js";
import versioning from "./09-versioning.check.js";
import relations from "./10-relations.check.js";
import movingData from "./11-moving-data.check.js";

/** All suites by file name, in the order of the specification. */
export const suitesByFile: Readonly<Record<string, SuiteDefinition>> = {
  "01-wire-conventions": wireConventions,
  "01-market-selector": marketSelector,
  "02-position": position,
  "02-order": order,
  "02-pagination": pagination,
  "02-portfolio": portfolio,
  "02-order-book": orderBook,
  "02-candlestick": candlestick,
  "02-market-config": marketConfig,
  "03-states": states,
  "04.0-headers": headers,
  "04.1-get-all-positions": getAllPositions,
  "04.2-get-open-positions-streaming": getOpenPositionsStreaming,
  "04.3-get-all-orders": getAllOrders,
  "04.4-get-orders": getOrders,
  "04.5-get-portfolio": getPortfolio,
  "04.6-get-order-book": getOrderBook,
  "04.7-get-historical-prices": getHistoricalPrices,
  "04.8-get-market-configs": getMarketConfigs,
  "04.9-get-market-id-by-name": getMarketIdByName,
  "05-authentication": authentication,
  "06-events": events,
  "07-errors": errors,
  "08-limits": limits,
  "09-versioning": versioning,
  "10-relations": relations,
  "11-moving-data": movingData,
};
