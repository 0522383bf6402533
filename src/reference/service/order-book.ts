import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { aggregate, type BookTerms, priceOf } from "../book.js";
import { GetOrderBookResponseSchema, type OrderBookService } from "../gen/orderbook_service/v1/orderbook_service_pb.js";
import { instantOfMs, timestampOf } from "../instant.js";
import { invalidArgument, selectedMarket } from "./selector.js";
import { type ServiceOptions, unary } from "./unary.js";

/** A market's depth, aggregated from its underlying orders (§4.6). */
export function orderBookService(options: ServiceOptions): ServiceImpl<typeof OrderBookService> {
  const { parameters, rows } = options;
  return {
    getOrderBook: unary(options, (request, call) => {
      const { dataset } = call;
      const market = selectedMarket("GetOrderBook", request.market, dataset, parameters);
      const step = parameters.bookStep(request.tickSize, market);
      if (step === undefined) {
        throw invalidArgument("tickSize must be 0 or a power-of-ten multiple of the market's minimum tick");
      }
      const limit = parameters.bookLimit(request.limit);
      const offset = parameters.bookOffset(request.offset);
      const levels = parameters.bookLevels(request.levels);
      const { sizeInUsd } = request;
      call.effective = { marketId: market.id, step, limit, offset, levels, sizeInUsd };

      const depth = rows.depth?.(market.depth, call) ?? market.depth;
      const window = parameters.bookWindow(depth, offset, limit);
      const { tickDecimals } = market;
      const terms: BookTerms = { tickDecimals, step, sizeInUsd, levels, bucket: parameters.bookBucket };
      const bids = aggregate(
        window.filter((order) => order.side === "bid"),
        terms,
      );
      const asks = aggregate(
        window.filter((order) => order.side === "ask"),
        terms,
      );
      return create(GetOrderBookResponseSchema, {
        orderBook: {
          marketId: market.id,
          timestamp: timestampOf(instantOfMs(call.now())),
          pageSize: window.length,
          offset,
          totalOrderCount: depth.length,
          levels: Math.max(bids.length, asks.length),
          tickSize: priceOf(step, tickDecimals),
          sizeInUsd,
          book: { bids, asks },
        },
      });
    }),
  };
}
