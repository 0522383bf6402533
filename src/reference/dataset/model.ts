import type { ReduceOrderType } from "../../specification/enums.js";
import type { Side } from "../gen/common/v1/common_pb.js";
import type { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import type { EpochNanoseconds } from "../instant.js";

/** A market with its configuration, live prices and simulated depth. */
export interface Market {
  readonly id: bigint;
  readonly name: string;
  readonly assetSymbol: string;
  /** Empty when the market is named by its asset alone. */
  readonly quoteSymbol: string;
  /** False when the metadata is gone: orders then carry `MARKET-<id>` (R7). */
  readonly listed: boolean;
  readonly tickDecimals: number;
  readonly sizeDecimals: number;
  readonly maxLeverage: number;
  readonly maxTradeSize: number;
  readonly creator: string;
  /** A fraction: 0.004 is 0.4 %. */
  readonly maintenanceMarginRate: number;
  readonly tradeFeePct: number;
  /** Cumulative revenue per unit; 0 when revenue data is not yet available. */
  readonly longRevenue: number;
  readonly shortRevenue: number;
  readonly markPrice: number;
  /** The market's long-term price. Candles use it, so that past candles do not change with the mark price. */
  readonly basePrice: number;
  /** Underlying orders of the book, best first across both sides (B2). */
  readonly depth: readonly DepthOrder[];
}

/** One underlying order of a market's simulated depth. */
export interface DepthOrder {
  readonly side: "bid" | "ask";
  /** Price in minimum ticks. */
  readonly ticks: number;
  /** Size in underlying units. */
  readonly size: number;
}

/** The stored state of an order; (`orderId`, `marketId`, `reduceOnly`) identifies it (R14). */
export interface OrderRecord {
  readonly owner: string;
  readonly orderId: bigint;
  readonly marketId: bigint;
  readonly reduceOnly: boolean;
  readonly createdAt: EpochNanoseconds;
  readonly updatedAt: EpochNanoseconds;
  readonly side: Side;
  readonly status: OrderStatus;
  readonly thresholdPrice: number;
  readonly size: number;
  readonly filledSize: number;
  readonly unfilledSize: number;
  /** 0 on a reduce-only order whose opening order is unknown. */
  readonly leverage: number;
  readonly initialMargin: number;
  readonly fees: number;
  readonly rebates: number;
  /** Empty on an opening order. */
  readonly reduceOrderType: ReduceOrderType | "";
  /** Trigger prices attached to an opening order; 0 when none. */
  readonly stopLossPrice: number;
  readonly takeProfitPrice: number;
  /** Trigger price of a stop-loss or take-profit order; 0 otherwise. */
  readonly triggerPrice: number;
  readonly averageFillPrice: number;
}

/** The stored state of a position; (`positionId`, `marketId`) identifies it (R14). */
export interface PositionRecord {
  readonly owner: string;
  readonly positionId: bigint;
  readonly marketId: bigint;
  readonly open: boolean;
  /** Time of the most recent event applied to it. */
  readonly timestamp: EpochNanoseconds;
  readonly side: Side;
  readonly nominalSize: number;
  readonly entryPrice: number;
  readonly allocatedMargin: number;
  readonly leverage: number;
  readonly revenueSpent: number;
  /** Profit realized so far by closing all or part of it, in quote units. */
  readonly realizedPnl: number;
  /** Its opening order first, then merged openings and reduce-only orders by age. */
  readonly orders: readonly OrderRecord[];
}

/** All orders and positions of a wallet, newest first. */
export interface Wallet {
  readonly address: string;
  readonly orders: readonly OrderRecord[];
  readonly positions: readonly PositionRecord[];
}
