import type { Endpoint, PagedEndpoint } from "../specification/endpoints.js";
import { type CandleInterval, candleIntervals } from "../specification/enums.js";
import { bucketOf, stepOf } from "./book.js";
import type { DepthOrder, Market, OrderRecord } from "./dataset/model.js";
import { isActiveStatus } from "./messages.js";

/** Operations that take a wallet address. */
export type WalletEndpoint = "GetOpenPositionsStreaming" | "GetAllOrders" | "GetOrders" | "GetPortfolio";

/** Operations that take a market selector, plus the lookup by name. */
export type MarketEndpoint =
  | "GetOrders"
  | "GetOrderBook"
  | "GetHistoricalPrices"
  | "GetMarketConfigs"
  | "GetMarketIdByName";

/** The documented numbers and small decisions of the service. A modification may override any of them. */
export interface Parameters {
  /** Effective page size of a listing. `requested` is 0 when omitted. */
  pageLimit(endpoint: PagedEndpoint, requested: number): number;
  /** Number of rows a listing skips. */
  pageOffset(endpoint: PagedEndpoint, requested: number): number;
  /** Normalizes an address input to a wallet's address. */
  address(endpoint: WalletEndpoint, input: string): string;
  /** Normalizes a market's symbol or name for comparison. */
  symbol(endpoint: MarketEndpoint, input: string): string;
  /** Whether an order is listed as open. */
  isOpen(endpoint: Endpoint, order: OrderRecord): boolean;
  /** Effective interval of the stream in milliseconds. `requestedMs` is 0 when omitted. */
  streamInterval(requestedMs: number): number;
  /** Effective number of underlying orders to aggregate. */
  bookLimit(requested: number): number;
  /** Number of underlying orders to skip. */
  bookOffset(requested: number): number;
  /** Levels to keep per side; 0 keeps all. */
  bookLevels(requested: number): number;
  /** Bucket size in minimum ticks, 0 for none; undefined when the requested tick size is invalid. */
  bookStep(tickSize: number, market: Market): number | undefined;
  /** The underlying orders to aggregate. `orders` is best first across both sides. */
  bookWindow(orders: readonly DepthOrder[], offset: number, limit: number): readonly DepthOrder[];
  /** The bucket of a price, in steps. */
  bookBucket(ticks: number, step: number, side: DepthOrder["side"]): number;
  /** The candle interval for a name; undefined when not supported. */
  candleInterval(name: string): CandleInterval | undefined;
}

function isCandleInterval(name: string): name is CandleInterval {
  return (candleIntervals as readonly string[]).includes(name);
}

/** The values from the specification. */
export const documented: Parameters = {
  // The specification leaves negative values open (P2); here they count as omitted.
  pageLimit: (_endpoint, requested) => (requested <= 0 ? 50 : Math.min(requested, 1_000)),
  pageOffset: (_endpoint, requested) => Math.max(0, requested),
  address: (_endpoint, input) => input.trim().toLowerCase(),
  symbol: (_endpoint, input) => input.trim().toLowerCase(),
  isOpen: (_endpoint, order) => isActiveStatus(order.status),
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

/** Normalizes the addresses of one operation with `read`, those of the others as documented. */
export function addressesOf(endpoint: WalletEndpoint, read: (input: string) => string): Partial<Parameters> {
  return { address: (actual, input) => (actual === endpoint ? read(input) : documented.address(actual, input)) };
}

/** Gives the pages of one listing another effective size, those of the other the documented one. */
export function pageLimitsOf(endpoint: PagedEndpoint, sizeOf: (requested: number) => number): Partial<Parameters> {
  return {
    pageLimit: (actual, requested) =>
      actual === endpoint ? sizeOf(requested) : documented.pageLimit(actual, requested),
  };
}
