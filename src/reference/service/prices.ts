import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { candleSeries, historyStart, intervalCount, intervalStart, intervalStarts, laterInterval } from "../candles.js";
import { GetHistoricalPricesResponseSchema, type PriceService } from "../gen/price_service/v1/price_service_pb.js";
import { instantOf, instantOfMs, timestampOf } from "../instant.js";
import { candlesText } from "../row-text.js";
import { invalidArgument, selectedMarket } from "./selector.js";
import { type ServiceOptions, unary } from "./unary.js";

/** Maximum number of candles per request. The documented `limit` never shortens an answer (C3). */
const maxCandles = 2_000_000;

/** Number of candles returned when no start is given. */
const defaultCandles = 300;

/** Candles of a market (§4.7). */
export function priceService(options: ServiceOptions): ServiceImpl<typeof PriceService> {
  const { parameters, rows } = options;
  return {
    getHistoricalPrices: unary(options, (request, call) => {
      const { dataset } = call;
      if (request.market?.selector.case === "marketSymbol") {
        throw invalidArgument("market.marketId is required: symbols are not resolved here");
      }
      const market = selectedMarket("GetHistoricalPrices", request.market, dataset, parameters);
      const interval = parameters.candleInterval(request.interval);
      if (interval === undefined) throw invalidArgument(`unsupported interval: ${request.interval}`);

      const now = call.now();
      const to = request.endTime === undefined ? now : Math.min(now, floorMs(instantOf(request.endTime)));
      const from =
        request.startTime === undefined
          ? laterInterval(interval, intervalStart(interval, to), 1 - defaultCandles)
          : ceilMs(instantOf(request.startTime));
      const first = Math.max(from, historyStart);
      call.effective = { marketId: market.id, interval, from: first, to };
      if (intervalCount(interval, first, to) > maxCandles) {
        throw invalidArgument(`the range holds more than ${maxCandles} candles`);
      }
      const candles = intervalStarts(interval, first, to).map(candleSeries(dataset.seed, market, interval));
      const all = rows.candles?.(candles, call) ?? candles;
      if (call.takesText) {
        call.text = candlesText(all);
        return create(GetHistoricalPricesResponseSchema);
      }
      return create(GetHistoricalPricesResponseSchema, {
        priceCandleSticks: all.map(({ start, ...prices }) => ({
          timestamp: timestampOf(instantOfMs(start)),
          ...prices,
        })),
        totalCount: all.length,
      });
    }),
  };
}

function floorMs(instant: bigint): number {
  return Number(instant / 1_000_000n) - (instant % 1_000_000n < 0n ? 1 : 0);
}

function ceilMs(instant: bigint): number {
  return Number(instant / 1_000_000n) + (instant % 1_000_000n > 0n ? 1 : 0);
}
