/**
 * Typed views of resources and answers, with every absent field replaced by its default (W1). All judges but the wire
 * rules work on views, so that an answer that breaks a wire rule fails that rule and no other. Ids are canonical
 * decimals, numbers that cannot be read are NaN, and `json` is what the view was read from.
 */
import type { Json, JsonObject } from "../connect/json.js";
import { memoize } from "../specification/memoize.js";
import { asObject, readEnum, readFlag, readId, readNumber, readObjects, readText, readTime } from "./read-values.js";

/** The identity of an order: `orderId`, `marketId` and `reduceOnly` (R14). */
export type OrderRefView = Readonly<ReturnType<typeof readOrderRef>>;

/** An order (§2 Order). */
export type OrderView = Readonly<ReturnType<typeof readOrder>>;

/** A position (§2 Position). */
export type PositionView = Readonly<ReturnType<typeof readPosition>>;

/** The pagination of a listing (§2 PaginationInfo). */
export type PaginationView = Readonly<ReturnType<typeof readPagination>>;

/** A wallet's portfolio (§2 Portfolio). */
export type PortfolioView = Readonly<ReturnType<typeof readPortfolio>>;

/** One level of an order book (§2 OrderBook and level). */
export type LevelView = Readonly<ReturnType<typeof readLevel>>;

/** The aggregated depth of a market (§2 OrderBook and level). */
export type OrderBookView = Readonly<ReturnType<typeof readOrderBook>>;

/** One candle (§2 Candlestick). */
export type CandlestickView = Readonly<ReturnType<typeof readCandlestick>>;

/** The configuration of a market (§2 MarketConfig). */
export type MarketConfigView = Readonly<ReturnType<typeof readMarketConfig>>;

/** Reads the identity of an order (R14); its ids may be integers or strings (W5). */
export function readOrderRef(json: JsonObject) {
  return { orderId: readId(json.orderId), marketId: readId(json.marketId), reduceOnly: readFlag(json.reduceOnly) };
}

/** Reads an order (W1, W4, W6, W8). An absent `type` means the only documented value; other absent enums are empty (W2). */
export function readOrder(json: JsonObject) {
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

/** Reads a position (W1, W4, W6, W8). An absent `marginType` means the only documented value; an absent `side` is empty (W2). */
export function readPosition(json: JsonObject) {
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
    associatedOrders: readEach(json.associatedOrders, readOrder),
    associatedOrderIds: readEach(json.associatedOrderIds, readOrderRef),
    tickDecimals: readNumber(json.tickDecimals),
    revenueSpent: readNumber(json.revenueSpent),
    effectiveSize: readNumber(json.effectiveSize),
    estimatedRebate: readNumber(json.estimatedRebate),
    stopLossPrice: readNumber(json.stopLossPrice),
    takeProfitPrice: readNumber(json.takeProfitPrice),
  };
}

/** Reads a pagination object (W7); `totalCount` may be an integer or a decimal string (P5). */
function readPagination(json: JsonObject) {
  return {
    limit: readNumber(json.limit),
    offset: readNumber(json.offset),
    totalCount: readNumber(json.totalCount),
  };
}

/** Reads a portfolio with its open positions and orders (W1). */
export function readPortfolio(json: JsonObject) {
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
    positions: readEach(json.positions, readPosition),
    orders: readEach(json.orders, readOrder),
  };
}

/** Reads one level of a book (W6, W7). */
function readLevel(json: JsonObject) {
  return {
    price: readNumber(json.price),
    size: readNumber(json.size),
    orderCount: readNumber(json.orderCount),
    cumulativeTotal: readNumber(json.cumulativeTotal),
  };
}

/**
 * Reads an order book, with the levels in the order of the wire (B4). An absent side is empty (W1), an absent
 * `tickSize` is 0 (B7).
 */
function readOrderBook(json: JsonObject) {
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
    bids: readEach(book.bids, readLevel),
    asks: readEach(book.asks, readLevel),
  };
}

/** Reads a candle (W6, W8). */
export function readCandlestick(json: JsonObject) {
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
export function readMarketConfig(json: JsonObject) {
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
export const positionsOf = memoize((body: JsonObject): readonly PositionView[] =>
  readEach(body.positions, readPosition),
);

/** `orders` of GetAllOrders (§4.3) or GetOrders (§4.4). Read once per body. */
export const ordersOf = memoize((body: JsonObject): readonly OrderView[] => readEach(body.orders, readOrder));

/** `pagination` of a listing; undefined when there is none (P8). */
export const paginationOf = memoize((body: JsonObject) => member(body.pagination, readPagination));

/** `portfolio` of GetPortfolio (§4.5); undefined when there is none. Read once per body. */
export const portfolioOf = memoize((body: JsonObject) => member(body.portfolio, readPortfolio));

/** `orderBook` of GetOrderBook (§4.6); undefined when there is none. Read once per body. */
export const orderBookOf = memoize((body: JsonObject) => member(body.orderBook, readOrderBook));

/** `priceCandleSticks` of GetHistoricalPrices (§4.7), in the order of the wire (C4). Read once per body. */
export const candlesOf = memoize((body: JsonObject): readonly CandlestickView[] =>
  readEach(body.priceCandleSticks, readCandlestick),
);

/** `marketConfig` of GetMarketConfigs (§4.8); undefined when there is none. Read once per body. */
export const marketConfigOf = memoize((body: JsonObject) => member(body.marketConfig, readMarketConfig));

/** `marketId` of GetMarketIdByName (§4.9) as a canonical decimal; "0" when absent (W1). */
export const marketIdOf = (body: JsonObject): string => readId(body.marketId);

/** A view of each object of an array (W1). */
function readEach<View>(value: Json | undefined, read: (json: JsonObject) => View): readonly View[] {
  return readObjects(value).map((json) => read(json));
}

function member<View>(value: Json | undefined, read: (json: JsonObject) => View): View | undefined {
  const json = asObject(value);
  return json && read(json);
}
