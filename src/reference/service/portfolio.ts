import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { PositionRecord } from "../dataset/model.js";
import { money } from "../dataset/platform.js";
import { GetPortfolioResponseSchema, type PortfolioService } from "../gen/portfolio/v1/portfolio_pb.js";
import { instantOfMs, timestampOf } from "../instant.js";
import { liveFigures, orderMessage, portfolioPositionMessage } from "../messages.js";
import { type ServiceOptions, unary } from "./unary.js";

/** A wallet's open positions, open orders and totals, recomputed on every request (§4.5). */
export function portfolioService(options: ServiceOptions): ServiceImpl<typeof PortfolioService> {
  const { parameters, rows } = options;
  return {
    getPortfolio: unary(options, (request, call) => {
      const endpoint = "GetPortfolio";
      const address = parameters.address(endpoint, request.owner);
      call.effective = { address };
      const { dataset } = call;
      const wallet = dataset.wallets.get(address) ?? { address, orders: [], positions: [] };
      const open = wallet.positions.filter((position) => position.open);
      const active = wallet.orders.filter((order) => parameters.isOpen(endpoint, order));
      const positions = rows.positions?.(endpoint, open, call) ?? open;
      const orders = rows.orders?.(endpoint, active, call) ?? active;

      const totalMargin = sumOf(open, (position) => position.allocatedMargin);
      const totalUnrealizedPnl = sumOf(
        open,
        (position) => liveFigures(dataset.markets.get(position.marketId), position).unrealizedPnl,
      );
      const realized = wallet.positions.map((position) => position.realizedPnl);
      return create(GetPortfolioResponseSchema, {
        portfolio: {
          owner: address,
          timestamp: timestampOf(instantOfMs(call.now())),
          totalMargin: money(totalMargin),
          totalUnrealizedPnl: money(totalUnrealizedPnl),
          totalRealizedPnl: money(sumOf(realized, (pnl) => pnl)),
          totalVolume: money(sumOf(wallet.orders, (order) => order.filledSize * order.averageFillPrice)),
          totalFees: money(sumOf(wallet.orders, (order) => order.fees)),
          totalProfit: money(sumOf(realized, (pnl) => Math.max(0, pnl))),
          totalLoss: money(sumOf(realized, (pnl) => Math.max(0, -pnl))),
          totalEquity: money(totalMargin + totalUnrealizedPnl),
          maxDrawdown: maxDrawdown(wallet.positions),
          totalTrades: BigInt(wallet.orders.filter((order) => order.filledSize > 0).length),
          positions: positions.map((position) => portfolioPositionMessage(dataset, position)),
          orders: orders.map((order) => orderMessage(dataset, order)),
        },
      });
    }),
  };
}

function sumOf<T>(rows: readonly T[], amount: (row: T) => number): number {
  return rows.reduce((total, row) => total + amount(row), 0);
}

/** The largest drop of the running realized profit below its peak, in quote units. */
function maxDrawdown(newestFirst: readonly PositionRecord[]): number {
  let running = 0;
  let peak = 0;
  let deepest = 0;
  for (let i = newestFirst.length - 1; i >= 0; i--) {
    running += newestFirst[i]?.realizedPnl ?? 0;
    peak = Math.max(peak, running);
    deepest = Math.max(deepest, peak - running);
  }
  return money(deepest);
}
