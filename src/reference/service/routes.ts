import type { ConnectRouter } from "@connectrpc/connect";
import { MarketService } from "../gen/market_service/v1/market_service_pb.js";
import { OrderService } from "../gen/order_service/v1/order_service_pb.js";
import { OrderBookService } from "../gen/orderbook_service/v1/orderbook_service_pb.js";
import { PortfolioService } from "../gen/portfolio/v1/portfolio_pb.js";
import { PositionService } from "../gen/position_service/v1/position_service_pb.js";
import { PriceService } from "../gen/price_service/v1/price_service_pb.js";
import { marketService } from "./markets.js";
import { orderBookService } from "./order-book.js";
import { orderService } from "./orders.js";
import { portfolioService } from "./portfolio.js";
import { positionService } from "./positions.js";
import { priceService } from "./prices.js";
import type { ServiceOptions } from "./unary.js";

/** Registers the nine operations. */
export function routes(router: ConnectRouter, options: ServiceOptions): void {
  router
    .service(PositionService, positionService(options))
    .service(OrderService, orderService(options))
    .service(PortfolioService, portfolioService(options))
    .service(OrderBookService, orderBookService(options))
    .service(PriceService, priceService(options))
    .service(MarketService, marketService(options));
}
