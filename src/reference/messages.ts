import { create } from "@bufbuild/protobuf";
import type { Dataset } from "./dataset/dataset.js";
import type { Market, OrderRecord, PositionRecord } from "./dataset/model.js";
import { money, significant } from "./dataset/platform.js";
import { Side } from "./gen/common/v1/common_pb.js";
import { type MarketConfig, MarketConfigSchema } from "./gen/market_service/v1/market_service_pb.js";
import {
  type Order,
  type OrderRef,
  OrderRefSchema,
  OrderSchema,
  OrderStatus,
  OrderType,
} from "./gen/order_service/v1/order_service_pb.js";
import { MarginType, type Position, PositionSchema } from "./gen/position_service/v1/position_service_pb.js";
import { timestampOf } from "./instant.js";

/**
 * Whether an order in this status is open (§3): listed by `onlyOpen` and portfolios, and able to protect a position (R3).
 */
export function isActiveStatus(status: OrderStatus): boolean {
  return (
    status === OrderStatus.PENDING || status === OrderStatus.PARTIALLY_FILLED || status === OrderStatus.PARTIALLY_MERGED
  );
}

/** A market's name on orders and positions; `MARKET-<id>` when its metadata is unavailable (R7). */
function nameOf(market: Market | undefined, id: bigint): string {
  return market?.listed ? market.name : `MARKET-${id}`;
}

/** An order as the API shows it. */
export function orderMessage(dataset: Dataset, record: OrderRecord): Order {
  const market = dataset.markets.get(record.marketId);
  return create(OrderSchema, {
    owner: record.owner,
    orderId: record.orderId,
    timestamp: timestampOf(record.createdAt),
    marketId: record.marketId,
    market: nameOf(market, record.marketId),
    type: OrderType.MARKET,
    side: record.side,
    thresholdPrice: record.thresholdPrice,
    size: record.size,
    leverage: record.leverage,
    status: record.status,
    filledSize: record.filledSize,
    unfilledSize: record.unfilledSize,
    reduceOnly: record.reduceOnly,
    initialMargin: record.initialMargin,
    tickDecimals: market?.tickDecimals ?? 0,
    fees: record.fees,
    rebates: record.rebates,
    reduceOrderType: record.reduceOrderType,
    initialNotional: record.reduceOnly ? 0 : significant(record.initialMargin * record.leverage),
    stopLossPrice: record.stopLossPrice,
    takeProfitPrice: record.takeProfitPrice,
    createdAt: timestampOf(record.createdAt),
    updatedAt: timestampOf(record.updatedAt),
    averageFillPrice: record.averageFillPrice,
    filledQuoteSize: significant(record.filledSize * record.averageFillPrice),
    margin: record.initialMargin,
    triggerPrice: record.triggerPrice,
  });
}

/** The fields of a position that depend on live market data (§2 Position). */
export interface LiveFigures {
  readonly markPrice: number;
  readonly unrealizedPnl: number;
  readonly liquidationPrice: number;
  readonly estimatedRebate: number;
}

/** The live fields of a position, whether open or closed. */
export function liveFigures(market: Market | undefined, record: PositionRecord): LiveFigures {
  const markPrice = market?.markPrice ?? record.entryPrice;
  const direction = record.side === Side.LONG ? 1 : -1;
  const maintenance = record.entryPrice * (market?.maintenanceMarginRate ?? 0);
  const room = record.allocatedMargin / record.nominalSize - maintenance;
  return {
    markPrice,
    unrealizedPnl: significant(direction * (markPrice - record.entryPrice) * record.nominalSize),
    liquidationPrice: Math.max(0, significant(record.entryPrice - direction * room)),
    estimatedRebate: estimatedRebate(market, record),
  };
}

function estimatedRebate(market: Market | undefined, record: PositionRecord): number {
  if (!market?.listed) return -1;
  const revenue = record.side === Side.LONG ? market.longRevenue : market.shortRevenue;
  return revenue === 0 ? 0 : significant(revenue - record.revenueSpent);
}

/** A position as the API shows it, with its orders and their references. */
export function positionMessage(dataset: Dataset, record: PositionRecord): Position {
  const market = dataset.markets.get(record.marketId);
  return create(PositionSchema, {
    owner: record.owner,
    positionId: record.positionId,
    marketId: record.marketId,
    timestamp: timestampOf(record.timestamp),
    market: nameOf(market, record.marketId),
    side: record.side,
    marginType: MarginType.ISOLATED,
    nominalSize: record.nominalSize,
    entryPrice: record.entryPrice,
    allocatedMargin: record.allocatedMargin,
    leverage: record.leverage,
    associatedOrders: record.orders.map((order) => orderMessage(dataset, order)),
    associatedOrderIds: record.orders.map(orderRef),
    tickDecimals: market?.tickDecimals ?? 0,
    revenueSpent: record.revenueSpent,
    effectiveSize: record.nominalSize,
    stopLossPrice: protectivePrice(record, "STOP_LOSS"),
    takeProfitPrice: protectivePrice(record, "TAKE_PROFIT"),
    ...liveFigures(market, record),
  });
}

/** The position as a stream entry, with order references only (§4.2). */
export function streamPositionMessage(dataset: Dataset, record: PositionRecord): Position {
  return { ...positionMessage(dataset, record), associatedOrders: [] };
}

/** The position as a portfolio entry, with the fields that only portfolios carry (§2). */
export function portfolioPositionMessage(dataset: Dataset, record: PositionRecord): Position {
  const message = positionMessage(dataset, record);
  const currentPnl = money(message.unrealizedPnl + record.realizedPnl);
  return {
    ...message,
    currentPnl,
    cashRoi: significant(message.unrealizedPnl / record.allocatedMargin),
    currentRoi: significant(currentPnl / record.allocatedMargin),
  };
}

/** The trigger price of the position's newest active reduce-only order of a type; 0 when none is active (R3). */
function protectivePrice(record: PositionRecord, type: "STOP_LOSS" | "TAKE_PROFIT"): number {
  const active = record.orders.filter((order) => order.reduceOrderType === type && isActiveStatus(order.status));
  return active.at(-1)?.triggerPrice ?? 0;
}

function orderRef({ orderId, marketId, reduceOnly }: OrderRecord): OrderRef {
  return create(OrderRefSchema, { orderId, marketId, reduceOnly });
}

/** A market's configuration (§2 MarketConfig). */
export function marketConfigMessage(market: Market): MarketConfig {
  return create(MarketConfigSchema, {
    marketId: market.id,
    marketName: market.name,
    minLeverage: 1,
    maxLeverage: market.maxLeverage,
    minTradeSize: 1 / 10 ** market.sizeDecimals,
    maxTradeSize: market.maxTradeSize,
    tickDecimals: market.tickDecimals,
    lotSize: 1 / 10 ** market.sizeDecimals,
    sizeDecimals: market.sizeDecimals,
    creator: market.creator,
    feeConfig: {
      marketId: market.id,
      tradeFeePct: market.tradeFeePct,
      maxEntitlement: 0.5,
      insuranceFundEntitlementPct: 10,
      maxImbalance: 0.25,
    },
    adlConfig: {
      maintenanceMarginRatio: market.maintenanceMarginRate,
      seizureThreshold: 0.8,
      adlThreshold: 0.9,
      shockFactor: 1.5,
      maxIfFractionAllowed: 0.2,
    },
    maintenanceMarginRate: String(market.maintenanceMarginRate),
    tradeFeePct: market.tradeFeePct,
    longRevenue: market.longRevenue,
    shortRevenue: market.shortRevenue,
  });
}
