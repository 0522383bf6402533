/**
 * Typed views of resources and answers, with every absent field replaced by its default (W1). All judges but the wire
 * rules work on views, so that an answer that breaks a wire rule fails that rule and no other.
 */

import type { Json, JsonObject } from "../connect/json.js";
import { oncePer } from "../specification/once-per.js";
import {
  asObject,
  readEnum,
  readFlag,
  readId,
  readNumber,
  readObjects,
  readText,
  readTime,
  type Time,
} from "./read-values.js";

/** The identity of an order: `orderId`, `marketId` and `reduceOnly` (R14). */
export interface OrderRefView {
  /** Canonical decimal (W4, W5). */
  readonly orderId: string;
  /** Canonical decimal (W4, W5). */
  readonly marketId: string;
  readonly reduceOnly: boolean;
}

/** An order (§2 Order). Ids are canonical decimals, numbers that cannot be read are NaN. */
export interface OrderView extends OrderRefView {
  /** The JSON that the view was read from. */
  readonly json: JsonObject;
  readonly owner: string;
  readonly timestamp: Time;
  readonly market: string;
  /** Absent means `ORDER_TYPE_MARKET`, the only value (W2). */
  readonly type: string;
  /** Empty when absent (W2). */
  readonly side: string;
  readonly thresholdPrice: number;
  readonly size: number;
  readonly leverage: number;
  /** Empty when absent (W2). */
  readonly status: string;
  readonly filledSize: number;
  readonly unfilledSize: number;
  readonly canceled: boolean;
  readonly initialMargin: number;
  readonly tickDecimals: number;
  readonly fees: number;
  readonly rebates: number;
  readonly reduceOrderType: string;
  readonly initialNotional: number;
  readonly stopLossPrice: number;
  readonly takeProfitPrice: number;
}

/** A position (§2 Position). Ids are canonical decimals, numbers that cannot be read are NaN. */
export interface PositionView {
  /** The JSON that the view was read from. */
  readonly json: JsonObject;
  readonly owner: string;
  readonly positionId: string;
  readonly marketId: string;
  readonly timestamp: Time;
  readonly market: string;
  /** Empty when absent (W2). */
  readonly side: string;
  /** Absent means `MARGIN_TYPE_ISOLATED`, the only value (W2). */
  readonly marginType: string;
  readonly nominalSize: number;
  readonly entryPrice: number;
  readonly markPrice: number;
  readonly liquidationPrice: number;
  readonly allocatedMargin: number;
  readonly leverage: number;
  readonly unrealizedPnl: number;
  readonly reduceOnly: boolean;
  readonly associatedOrders: readonly OrderView[];
  readonly associatedOrderIds: readonly OrderRefView[];
  readonly tickDecimals: number;
  readonly revenueSpent: number;
  readonly effectiveSize: number;
  readonly estimatedRebate: number;
  readonly stopLossPrice: number;
  readonly takeProfitPrice: number;
}

/** The pagination of a listing (§2 PaginationInfo). */
export interface PaginationView {
  readonly limit: number;
  readonly offset: number;
  /** A number, whether the wire had an integer or a decimal string (P5). */
  readonly totalCount: number;
}

/** A wallet's portfolio (§2 Portfolio). */
export interface PortfolioView {
  readonly json: JsonObject;
  readonly owner: string;
  readonly timestamp: Time;
  readonly totalMargin: number;
  readonly totalUnrealizedPnl: number;
  readonly totalRealizedPnl: number;
  readonly totalVolume: number;
  readonly totalFees: number;
  readonly totalProfit: number;
  readonly totalLoss: number;
  readonly totalEquity: number;
  readonly maxDrawdown: number;
  readonly totalTrades: string;
  readonly positions: readonly PositionView[];
  readonly orders: readonly OrderView[];
}

/** One level of an order book (§2 OrderBook and level). */
export interface LevelView {
  readonly price: number;
  readonly size: number;
  readonly orderCount: number;
  readonly cumulativeTotal: number;
}

/** The aggregated depth of a market (§2 OrderBook and level). */
export interface OrderBookView {
  readonly json: JsonObject;
  readonly marketId: string;
  readonly timestamp: Time;
  readonly pageSize: number;
  readonly offset: number;
  readonly totalOrderCount: number;
  readonly levels: number;
  readonly tickSize: number;
  readonly sizeInUsd: boolean;
  /** In the order of the wire (B4). */
  readonly bids: readonly LevelView[];
  /** In the order of the wire (B4). */
  readonly asks: readonly LevelView[];
}

/** One candle (§2 Candlestick). */
export interface CandlestickView {
  readonly json: JsonObject;
  readonly timestamp: Time;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly mid: number;
  readonly volume: number;
}

/** The configuration of a market (§2 MarketConfig). */
export interface MarketConfigView {
  readonly json: JsonObject;
  readonly marketId: string;
  readonly marketName: string;
  readonly minLeverage: number;
  readonly maxLeverage: number;
  readonly minTradeSize: number;
  readonly maxTradeSize: number;
  readonly tickDecimals: number;
  readonly lotSize: number;
  readonly sizeDecimals: number;
  readonly creator: string;
  readonly maintenanceMarginRate: string;
  readonly tradeFeePct: number;
  readonly longRevenue: number;
  readonly shortRevenue: number;
}

/** Reads an order reference; its ids may be integers or strings (W5). */
export function readOrderRef(json: JsonObject): OrderRefView {
  return { orderId: readId(json.orderId), marketId: readId(json.marketId), reduceOnly: readFlag(json.reduceOnly) };
}

/** Reads an order (W1, W2, W4, W6, W8). */
export function readOrder(json: JsonObject): OrderView {
  return {
    json,
    owner: readText(json.owner),
    orderId: readId(json.orderId),
    timestamp: readTime(json.timestamp),
    marketId: readId(json.marketId),
    market: readText(json.market),
    type: readEnum(json.type, "ORDER_TYPE_", "ORDER_TYPE_MARKET"),
    side: readEnum(json.side, "SIDE_"),
    thresholdPrice: readNumber(json.thresholdPrice),
    size: readNumber(json.size),
    leverage: readNumber(json.leverage),
    status: readEnum(json.status, "ORDER_STATUS_"),
    filledSize: readNumber(json.filledSize),
    unfilledSize: readNumber(json.unfilledSize),
    reduceOnly: readFlag(json.reduceOnly),
    canceled: readFlag(json.canceled),
    initialMargin: readNumber(json.initialMargin),
    tickDecimals: readNumber(json.tickDecimals),
    fees: readNumber(json.fees),
    rebates: readNumber(json.rebates),
    reduceOrderType: readText(json.reduceOrderType),
    initialNotional: readNumber(json.initialNotional),
    stopLossPrice: readNumber(json.stopLossPrice),
    takeProfitPrice: readNumber(json.takeProfitPrice),
  };
}

/** Reads a position (W1, W2, W4, W6, W8). */
export function readPosition(json: JsonObject): PositionView {
  return {
    json,
    owner: readText(json.owner),
    positionId: readId(json.positionId),
    marketId: readId(json.marketId),
    timestamp: readTime(json.timestamp),
    market: readText(json.market),
    side: readEnum(json.side, "SIDE_"),
    marginType: readEnum(json.marginType, "MARGIN_TYPE_", "MARGIN_TYPE_ISOLATED"),
    nominalSize: readNumber(json.nominalSize),
    entryPrice: readNumber(json.entryPrice),
    markPrice: readNumber(json.markPrice),
    liquidationPrice: readNumber(json.liquidationPrice),
    allocatedMargin: readNumber(json.allocatedMargin),
    leverage: readNumber(json.leverage),
    unrealizedPnl: readNumber(json.unrealizedPnl),
    reduceOnly: readFlag(json.reduceOnly),
    associatedOrders: readObjects(json.associatedOrders).map(readOrder),
    associatedOrderIds: readObjects(json.associatedOrderIds).map(readOrderRef),
    tickDecimals: readNumber(json.tickDecimals),
    revenueSpent: readNumber(json.revenueSpent),
    effectiveSize: readNumber(json.effectiveSize),
    estimatedRebate: readNumber(json.estimatedRebate),
    stopLossPrice: readNumber(json.stopLossPrice),
    takeProfitPrice: readNumber(json.takeProfitPrice),
  };
}

/** Reads a pagination object (W7, P5). */
function readPagination(json: JsonObject): PaginationView {
  return {
    limit: readNumber(json.limit),
    offset: readNumber(json.offset),
    totalCount: readNumber(json.totalCount),
  };
}

/** Reads a portfolio with its open positions and orders (W1). */
export function readPortfolio(json: JsonObject): PortfolioView {
  return {
    json,
    owner: readText(json.owner),
    timestamp: readTime(json.timestamp),
    totalMargin: readNumber(json.totalMargin),
    totalUnrealizedPnl: readNumber(json.totalUnrealizedPnl),
    totalRealizedPnl: readNumber(json.totalRealizedPnl),
    totalVolume: readNumber(json.totalVolume),
    totalFees: readNumber(json.totalFees),
    totalProfit: readNumber(json.totalProfit),
    totalLoss: readNumber(json.totalLoss),
    totalEquity: readNumber(json.totalEquity),
    maxDrawdown: readNumber(json.maxDrawdown),
    totalTrades: readId(json.totalTrades),
    positions: readObjects(json.positions).map(readPosition),
    orders: readObjects(json.orders).map(readOrder),
  };
}

/** Reads one level of a book (W6, W7). */
function readLevel(json: JsonObject): LevelView {
  return {
    price: readNumber(json.price),
    size: readNumber(json.size),
    orderCount: readNumber(json.orderCount),
    cumulativeTotal: readNumber(json.cumulativeTotal),
  };
}

/** Reads an order book; an absent side is empty (W1), an absent `tickSize` is 0 (B7). */
function readOrderBook(json: JsonObject): OrderBookView {
  const book = asObject(json.book) ?? {};
  return {
    json,
    marketId: readId(json.marketId),
    timestamp: readTime(json.timestamp),
    pageSize: readNumber(json.pageSize),
    offset: readNumber(json.offset),
    totalOrderCount: readNumber(json.totalOrderCount),
    levels: readNumber(json.levels),
    tickSize: readNumber(json.tickSize),
    sizeInUsd: readFlag(json.sizeInUsd),
    bids: readObjects(book.bids).map(readLevel),
    asks: readObjects(book.asks).map(readLevel),
  };
}

/** Reads a candle (W6, W8). */
export function readCandlestick(json: JsonObject): CandlestickView {
  return {
    json,
    timestamp: readTime(json.timestamp),
    open: readNumber(json.open),
    high: readNumber(json.high),
    low: readNumber(json.low),
    close: readNumber(json.close),
    mid: readNumber(json.mid),
    volume: readNumber(json.volume),
  };
}

/** Reads a market configuration (W1, W4, W6, W7). */
export function readMarketConfig(json: JsonObject): MarketConfigView {
  return {
    json,
    marketId: readId(json.marketId),
    marketName: readText(json.marketName),
    minLeverage: readNumber(json.minLeverage),
    maxLeverage: readNumber(json.maxLeverage),
    minTradeSize: readNumber(json.minTradeSize),
    maxTradeSize: readNumber(json.maxTradeSize),
    tickDecimals: readNumber(json.tickDecimals),
    lotSize: readNumber(json.lotSize),
    sizeDecimals: readNumber(json.sizeDecimals),
    creator: readText(json.creator),
    maintenanceMarginRate: readText(json.maintenanceMarginRate),
    tradeFeePct: readNumber(json.tradeFeePct),
    longRevenue: readNumber(json.longRevenue),
    shortRevenue: readNumber(json.shortRevenue),
  };
}

/** `positions` of GetAllPositions (§4.1) or of one message of the stream (§4.2). Read once per body. */
export const positionsOf = oncePer((body: JsonObject): readonly PositionView[] =>
  readObjects(body.positions).map(readPosition),
);

/** `orders` of GetAllOrders (§4.3) or GetOrders (§4.4). Read once per body. */
export const ordersOf = oncePer((body: JsonObject): readonly OrderView[] => readObjects(body.orders).map(readOrder));

/** `pagination` of a listing; undefined when there is none (P8). */
export const paginationOf = oncePer((body: JsonObject) => member(body.pagination, readPagination));

/** `portfolio` of GetPortfolio (§4.5); undefined when there is none. Read once per body. */
export const portfolioOf = oncePer((body: JsonObject) => member(body.portfolio, readPortfolio));

/** `orderBook` of GetOrderBook (§4.6); undefined when there is none. Read once per body. */
export const orderBookOf = oncePer((body: JsonObject) => member(body.orderBook, readOrderBook));

/** `priceCandleSticks` of GetHistoricalPrices (§4.7), in the order of the wire (C4). Read once per body. */
export const candlesOf = oncePer((body: JsonObject): readonly CandlestickView[] =>
  readObjects(body.priceCandleSticks).map(readCandlestick),
);

/** `marketConfig` of GetMarketConfigs (§4.8); undefined when there is none. Read once per body. */
export const marketConfigOf = oncePer((body: JsonObject) => member(body.marketConfig, readMarketConfig));

/** `marketId` of GetMarketIdByName (§4.9) as a canonical decimal; "0" when absent (W1). */
export const marketIdOf = (body: JsonObject): string => readId(body.marketId);

function member<View>(value: Json | undefined, read: (json: JsonObject) => View): View | undefined {
  const json = asObject(value);
  return json && read(json);
}
