import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  GetMarketConfigsResponseSchema,
  GetMarketIdByNameResponseSchema,
  type MarketService,
} from "../gen/market_service/v1/market_service_pb.js";
import { marketConfigMessage } from "../messages.js";
import { type ServiceHost, unary } from "./host.js";
import { marketBySymbols, selectedMarket } from "./selector.js";

/** Market configuration, and market lookup by name (§4.8, §4.9). */
export function marketService(host: ServiceHost): ServiceImpl<typeof MarketService> {
  const { parameters } = host;
  return {
    getMarketConfigs: unary(host, (request, call) => {
      const market = selectedMarket("GetMarketConfigs", request.market, call.dataset, parameters);
      call.effective = { marketId: market.id };
      return create(GetMarketConfigsResponseSchema, { marketConfig: marketConfigMessage(market) });
    }),

    getMarketIdByName: unary(host, ({ assetSymbol, quoteSymbol }, call) => {
      const market = marketBySymbols("GetMarketIdByName", assetSymbol, quoteSymbol, call.dataset, parameters);
      call.effective = { marketId: market.id };
      return create(GetMarketIdByNameResponseSchema, { marketId: market.id });
    }),
  };
}
