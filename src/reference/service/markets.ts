import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  GetMarketConfigsResponseSchema,
  GetMarketIdByNameResponseSchema,
  type MarketService,
} from "../gen/market_service/v1/market_service_pb.js";
import { marketConfigMessage } from "../messages.js";
import { marketBySymbols, selectedMarket } from "./selector.js";
import { type ServiceOptions, unary } from "./unary.js";

/** Market configuration, and market lookup by name (§4.8, §4.9). */
export function marketService(options: ServiceOptions): ServiceImpl<typeof MarketService> {
  const { parameters } = options;
  return {
    getMarketConfigs: unary(options, (request, call) => {
      const market = selectedMarket("GetMarketConfigs", request.market, call.dataset, parameters);
      call.effective = { marketId: market.id };
      return create(GetMarketConfigsResponseSchema, { marketConfig: marketConfigMessage(market) });
    }),

    getMarketIdByName: unary(options, ({ assetSymbol, quoteSymbol }, call) => {
      const market = marketBySymbols("GetMarketIdByName", assetSymbol, quoteSymbol, call.dataset, parameters);
      call.effective = { marketId: market.id };
      return create(GetMarketIdByNameResponseSchema, { marketId: market.id });
    }),
  };
}
