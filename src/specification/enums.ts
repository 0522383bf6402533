/** The wire names of enum `Side` (§2 Position). */
export const sides = ["SIDE_LONG", "SIDE_SHORT"] as const;

/** The wire names of enum `OrderStatus` (§3). */
export const orderStatuses = [
  "ORDER_STATUS_PENDING",
  "ORDER_STATUS_PARTIALLY_FILLED",
  "ORDER_STATUS_FULLY_FILLED",
  "ORDER_STATUS_CLOSED",
  "ORDER_STATUS_CANCELLED",
  "ORDER_STATUS_MERGED",
  "ORDER_STATUS_PARTIALLY_MERGED",
  "ORDER_STATUS_PARTIALLY_CANCELLED",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The statuses of an active (open) order; all others are terminal for listing purposes (§3). */
export const activeOrderStatuses = [
  "ORDER_STATUS_PENDING",
  "ORDER_STATUS_PARTIALLY_FILLED",
  "ORDER_STATUS_PARTIALLY_MERGED",
] as const satisfies readonly OrderStatus[];

/** Values of `reduceOrderType` on a reduce-only order; it is empty on an opening order (§2 Order). */
export const reduceOrderTypes = ["MANUAL", "STOP_LOSS", "TAKE_PROFIT", "LIQUIDATION", "ADL"] as const;
export type ReduceOrderType = (typeof reduceOrderTypes)[number];

/** The two arrays of `book`, in the order of the specification (§2 OrderBook). */
export const bookSides = ["bids", "asks"] as const;
export type BookSide = (typeof bookSides)[number];

/** The candle intervals that must be accepted (§4.7). Their lengths are in `candleIntervalSeconds`. */
export const candleIntervals = ["1S", "1", "60", "1D", "1W", "1M"] as const;
export type CandleInterval = (typeof candleIntervals)[number];

/**
 * The standard Connect codes, in the order of their numbers from 1, each with the HTTP status that the Connect protocol assigns
 * to it (E3, E4).
 */
export const connectCodes = {
  canceled: 499,
  unknown: 500,
  invalid_argument: 400,
  deadline_exceeded: 504,
  not_found: 404,
  already_exists: 409,
  permission_denied: 403,
  resource_exhausted: 429,
  failed_precondition: 400,
  aborted: 409,
  out_of_range: 400,
  unimplemented: 501,
  internal: 500,
  unavailable: 503,
  data_loss: 500,
  unauthenticated: 401,
} as const satisfies Record<string, number>;
export type ConnectCode = keyof typeof connectCodes;
