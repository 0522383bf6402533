import type { Endpoint } from "../specification/endpoints.js";
import { bucketOf, stepOf } from "./book.js";
import { type CandleInterval, candleIntervals } from "./candles.js";
import type { DepthOrder, Market, OrderRecord } from "./dataset/model.js";
import { isActive } from "./messages.js";

/** Operations that return pages (§8). */
export type PagedEndpoint = "GetAllPositions" | "GetAllOrders";

/** Operations that take a wallet address. */
export type WalletEndpoint = "GetOpenPositionsStreaming" | "GetAllOrders" | "GetOrders" | "GetPortfolio";

/** Operations that take a market selector, and the lookup by name. */
export type MarketEndpoint =
  | "GetOrders"
  | "GetOrderBook"
  | "GetHistoricalPrices"
  | "GetMarketConfigs"
  | "GetMarketIdByName";

/** The documented numbers and tiny decisions that the service is written with; a modification may replace any of them. */
export interface Parameters {
  /** Effective page size of a listing, from the requested one (0 when omitted). */
  pageLimit(endpoint: PagedEndpoint, requested: number): number;
  /** Rows that a listing skips. */
  pageOffset(endpoint: PagedEndpoint, requested: number): number;
  /** The wallet that an address input stands for. */
  address(endpoint: WalletEndpoint, input: string): string;
  /** A market's symbol or name in the form in which it is compared. */
  symbol(endpoint: MarketEndpoint, input: string): string;
  /** Whether an order in this state is listed as open. */
  isOpen(endpoint: Endpoint, order: OrderRecord): boolean;
  /** Effective interval of the stream in milliseconds, from the requested one (0 when omitted). */
  streamInterval(requestedMs: number): number;
  /** Effective number of underlying orders to aggregate. */
  bookLimit(requested: number): number;
  /** Underlying orders to skip. */
  bookOffset(requested: number): number;
  /** Levels to keep per side; 0 keeps all. */
  bookLevels(requested: number): number;
  /** Bucket size in minimum ticks, 0 for none; undefined when the requested tick size is invalid. */
  bookStep(tickSize: number, market: Market): number | undefined;
  /** The underlying orders that are aggregated, of a sequence that is best first over both sides. */
  bookWindow(orders: readonly DepthOrder[], offset: number, limit: number): readonly DepthOrder[];
  /** The bucket, in steps, in which a price lies. */
  bookBucket(ticks: number, step: number, side: DepthOrder["side"]): number;
  /** The candle interval that a name stands for; undefined when it is not supported. */
  candleInterval(name: string): CandleInterval | undefined;
}

function isCandleInterval(name: string): name is CandleInterval {
  return (candleIntervals as readonly string[]).includes(name);
}

/** What the specification says. */
export const documented: Parameters = {
  // Negative values are left open (P2): they count as omitted.
  pageLimit: (_endpoint, requested) => (requested <= 0 ? 50 : Math.min(requested, 1_000)),
  pageOffset: (_endpoint, requested) => Math.max(0, requested),
  address: (_endpoint, input) => input.trim().toLowerCase(),
  symbol: (_endpoint, input) => input.trim().toLowerCase(),
  isOpen: (_endpoint, order) => isActive(order.status),
  streamInterval: (requestedMs) => (requestedMs === 0 ? 250 : Math.min(Math.max(requestedMs, 100), 60_000)),
  bookLimit: (requested) => (requested <= 0 ? 50 : requested),
  bookOffset: (requested) => Math.max(0, requested),
  bookLevels: (requested) => Math.max(0, requested),
  bookStep: (tickSize, market) => stepOf(tickSize, market.tickDecimals),
  bookWindow: (orders, offset, limit) => orders.slice(offset, offset + limit),
  bookBucket: bucketOf,
  candleInterval: (name) => {
    const wanted = name.trim() === "" ? "60" : name;
    return isCandleInterval(wanted) ? wanted : undefined;
  },
};
