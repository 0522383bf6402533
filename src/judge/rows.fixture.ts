import type { JsonObject } from "../connect/json.js";
import { type OrderRows, type PositionRows, rowsIn } from "./located-rows.js";
import { type MarketConfigView, readMarketConfig, readOrder, readPosition } from "./read.js";

export const WALLET = "0x00000000000000000000000000000000000000aa";
export const OTHER_WALLET = "0x00000000000000000000000000000000000000bb";

/** A fully filled opening order, number 7 of market 1, with whatever is to be different. */
export function orderJson(different: JsonObject = {}): JsonObject {
  return {
    owner: WALLET,
    orderId: "7",
    marketId: "1",
    timestamp: "2026-01-01T00:00:00Z",
    market: "BTC/USD",
    side: "SIDE_LONG",
    status: "ORDER_STATUS_FULLY_FILLED",
    size: 2,
    filledSize: 2,
    leverage: 5,
    initialMargin: 40,
    initialNotional: 200,
    tickDecimals: 2,
    ...different,
  };
}

/** An active stop-loss order, number 8 of market 1, with whatever is to be different. */
export function reduceJson(different: JsonObject = {}): JsonObject {
  return orderJson({
    orderId: "8",
    status: "ORDER_STATUS_PENDING",
    filledSize: 0,
    unfilledSize: 2,
    reduceOnly: true,
    reduceOrderType: "STOP_LOSS",
    initialNotional: 0,
    ...different,
  });
}

/** The reference to an order. */
export function refJson({ orderId = "0", marketId = "0", reduceOnly = false }: JsonObject): JsonObject {
  return { orderId, marketId, reduceOnly };
}

/** An open position with its opening order 7 and a stop-loss order 8, with whatever is to be different. */
export function positionJson(different: JsonObject = {}): JsonObject {
  return {
    owner: WALLET,
    positionId: "7",
    marketId: "1",
    timestamp: "2026-01-01T00:00:00Z",
    market: "BTC/USD",
    side: "SIDE_LONG",
    nominalSize: 2,
    effectiveSize: 2,
    entryPrice: 100,
    markPrice: 110,
    leverage: 5,
    unrealizedPnl: 20,
    tickDecimals: 2,
    revenueSpent: 3,
    estimatedRebate: 4.5,
    stopLossPrice: 90,
    associatedOrders: [orderJson(), reduceJson()],
    associatedOrderIds: [refJson(orderJson()), refJson(reduceJson())],
    ...different,
  };
}

/** Orders as `orders` of an answer. */
export function orders(...rows: readonly JsonObject[]): OrderRows {
  return rowsIn("orders", rows.map(readOrder));
}

/** Positions as `positions` of an answer. */
export function positions(...rows: readonly JsonObject[]): PositionRows {
  return rowsIn("positions", rows.map(readPosition));
}

/** The configuration of market 1, with whatever is to be different. */
export function configOf(different: JsonObject = {}): MarketConfigView {
  return readMarketConfig({
    marketId: "1",
    marketName: "BTC/USD",
    tickDecimals: 2,
    longRevenue: 7.5,
    shortRevenue: 9,
    ...different,
  });
}
