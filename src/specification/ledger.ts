import type { RuleId } from "./catalogue/index.js";
import type { RulingId } from "./rulings.js";
import type { Section } from "./sections.js";

/** A statement of the specification and the rules that carry it. */
export interface CarriedStatement {
  readonly section: Section;
  /** A few words of the statement, or a paraphrase, to find it by. */
  readonly quote: string;
  readonly rules: readonly RuleId[];
}

/** A statement of the specification that no rule carries, and why. */
export interface ExcludedStatement {
  readonly section: Section;
  readonly quote: string;
  /** Why the statement binds no server. */
  readonly excluded: string;
  readonly rulings?: readonly RulingId[];
}

/** One line of the ledger. */
export type LedgerEntry = CarriedStatement | ExcludedStatement;

/** Why a kind of statement is in no rule. */
const reasons = {
  scope: "It says what the document covers, not what a server does.",
  notShown: "Nothing is stated: there is nothing to break and nothing to record.",
  freedom: "It allows something and demands nothing.",
  advice: "It is addressed to clients.",
} as const;

/**
 * Every statement of the specification, in its order, with the rules that carry it or the reason why none does. A statement
 * that repeats an earlier one names the same rules.
 */
export const ledger: readonly LedgerEntry[] = [
  // Opening paragraph and §1
  { section: "§1", quote: "covers the read-only query interface; the only document", excluded: reasons.scope },
  { section: "§1", quote: "exposes data about a perpetual-futures trading platform", excluded: reasons.scope },
  {
    section: "§1",
    quote: "Every operation is an HTTP POST to {base_url}/<package.ServiceName>/<MethodName>",
    rules: ["protocol.post-path", "protocol.other-methods"],
  },
  { section: "§1", quote: "with a JSON body", rules: ["wire.json-object", "errors.malformed-body"] },
  {
    section: "§1",
    quote: "{base_url}",
    excluded: "It is for the harness to join prefix and path; the server's part is to answer there.",
    rulings: ["W11"],
  },
  {
    section: "§1",
    quote: "Seven service groups exist; only some operations are specified",
    rules: ["other-operations.listed"],
  },
  {
    section: "§1",
    quote: "Wallet addresses are EVM addresses",
    rules: ["wire.owner-evm-address", "errors.malformed-address"],
  },
  {
    section: "§1",
    quote: "Every wallet-address input is trimmed of surrounding whitespace",
    rules: [
      "get-open-positions-streaming.address-trimmed",
      "get-all-orders.address-trimmed",
      "get-orders.address-trimmed",
      "get-portfolio.owner-trimmed",
    ],
  },
  {
    section: "§1",
    quote: "and matched case-insensitively",
    rules: [
      "get-open-positions-streaming.address-case-insensitive",
      "get-all-orders.address-case-insensitive",
      "get-orders.address-case-insensitive",
      "get-portfolio.owner-case-insensitive",
    ],
  },
  { section: "§1", quote: "Addresses returned in `owner` fields are lowercase", rules: ["wire.owner-lowercase"] },
  { section: "§1", quote: "Positions are isolated-margin only", rules: ["position.margin-type-isolated"] },
  { section: "§1", quote: "Orders are market orders only", rules: ["order.type-market"] },
  { section: "§1", quote: "every write operation: not shown", excluded: reasons.notShown },

  // §1 Wire conventions
  {
    section: "§1 Wire conventions",
    quote: "Encoding: JSON request and response bodies",
    rules: [
      "wire.json-object",
      "wire.container-type",
      "wire.no-null",
      "wire.result-present",
      "wire.nested-objects-present",
    ],
  },
  {
    section: "§1 Wire conventions",
    quote: "Content-Type: application/json",
    rules: ["wire.content-type", "wire.streaming-content-type", "protocol.request-content-type"],
  },
  {
    section: "§1 Wire conventions",
    quote: "int64/uint64 identifiers are encoded in JSON as decimal strings",
    rules: ["wire.int64-as-string", "wire.int64-decimal"],
  },
  {
    section: "§1 Wire conventions",
    quote: "OrderRef ids may appear as a JSON integer or a string",
    rules: ["order-ref.id-form"],
  },
  {
    section: "§1 Wire conventions",
    quote: "Prices, sizes, margins, PnL are JSON numbers",
    rules: ["wire.number-type"],
  },
  {
    section: "§1 Wire conventions",
    quote: "(the type columns of section 2: integer, boolean, string, enum Side)",
    rules: [
      "wire.integer-type",
      "wire.boolean-type",
      "wire.string-type",
      "wire.side-values",
      "wire.enum-values-written",
    ],
  },
  {
    section: "§1 Wire conventions",
    quote: "Timestamps: RFC 3339 date-time strings",
    rules: ["wire.timestamp-rfc3339", "wire.timestamp-letters", "wire.timestamp-present"],
  },
  {
    section: "§1 Wire conventions",
    quote: "Fields holding zero, empty string or false may be present",
    rules: ["wire.defaults-emitted", "wire.unlisted-fields"],
  },
  {
    section: "§1 Wire conventions",
    quote: "Zero means unset for stop-loss and take-profit prices",
    rules: ["position.stop-loss-price", "position.take-profit-price", "order.trigger-prices"],
  },

  // §1 Market selector
  {
    section: "§1 Market selector",
    quote: "Object `market` with exactly one of two alternatives",
    rules: [
      "selector.both-alternatives",
      "selector.neither-alternative",
      "selector.null-alternative",
      "selector.required",
    ],
  },
  {
    section: "§1 Market selector",
    quote: "by id: string(int64 decimal)",
    rules: [
      "selector.non-numeric-id",
      "selector.id-beyond-int64",
      "selector.unsettled-id-forms",
      "get-market-configs.market-id",
      "order-book.market-id",
      "get-orders.market-filter",
      "get-historical-prices.intervals",
    ],
  },
  {
    section: "§1 Market selector",
    quote: "A non-zero numeric id is required",
    rules: ["selector.zero-id", "selector.non-numeric-id", "selector.negative-id"],
  },
  {
    section: "§1 Market selector",
    quote: "by symbol: assetSymbol and quoteSymbol",
    rules: [
      "selector.by-symbol",
      "selector.symbol-dressing",
      "selector.symbol-without-quote",
      "selector.pair-name-as-asset-symbol",
    ],
  },
  {
    section: "§1 Market selector",
    quote: "Accepted by most endpoints; not resolved by GetHistoricalPrices",
    rules: ["selector.by-symbol", "get-historical-prices.symbol-selector"],
  },
  {
    section: "§1 Market selector",
    quote: "An invalid selector yields invalid_argument",
    rules: [
      "selector.both-alternatives",
      "selector.neither-alternative",
      "selector.required",
      "selector.zero-id",
      "selector.non-numeric-id",
      "selector.id-beyond-int64",
      "selector.negative-id",
      "selector.unknown-id-other-market",
      "selector.unknown-id-code",
      "selector.unknown-symbol",
      "selector.blank-asset-symbol",
      "selector.wrong-type",
    ],
  },

  // §2 Position
  { section: "§2 Position", quote: "Current stored state of a position", rules: ["relations.position-stored-state"] },
  {
    section: "§2 Position",
    quote: "Closed positions are included by some endpoints",
    rules: ["get-all-positions.closed-included", "relations.open-positions-agree"],
  },
  {
    section: "§2 Position",
    quote: "For a closed position, markPrice is still computed against live market data",
    rules: ["position.closed-mark-price"],
  },
  {
    section: "§2 Position",
    quote: "likewise liquidationPrice, unrealizedPnl and estimatedRebate",
    rules: ["position.liquidation-price-estimate", "position.unrealized-pnl-sign", "position.estimated-rebate"],
  },
  {
    section: "§2 Position",
    quote: "owner: lowercase EVM address of the owner",
    rules: ["wire.owner-evm-address", "wire.owner-lowercase"],
  },
  {
    section: "§2 Position",
    quote: "positionId: on-chain position id",
    rules: ["position.on-chain-ids", "position.identity"],
  },
  {
    section: "§2 Position",
    quote: "equals the id of the order that opened it",
    rules: ["position.opening-order"],
  },
  { section: "§2 Position", quote: "marketId: on-chain market id", rules: ["position.on-chain-ids"] },
  {
    section: "§2 Position",
    quote: "timestamp: time of the most recent event applied",
    rules: ["position.timestamp-latest-event", "position.timestamp-not-before-opening", "wire.timestamp-present"],
  },
  { section: "§2 Position", quote: "market: human-readable market name", rules: ["position.market-name"] },
  { section: "§2 Position", quote: "side: SIDE_LONG or SIDE_SHORT", rules: ["wire.side-values"] },
  {
    section: "§2 Position",
    quote: "Only MARGIN_TYPE_ISOLATED exists; always that value",
    rules: ["position.margin-type-isolated"],
  },
  { section: "§2 Position", quote: "nominalSize: size in base-asset units", rules: ["position.units"] },
  {
    section: "§2 Position",
    quote: "entryPrice: average entry price, quote units",
    rules: ["position.entry-price-average", "position.units"],
  },
  {
    section: "§2 Position",
    quote: "markPrice: current mark price, quote units",
    rules: ["position.mark-price-current", "position.units"],
  },
  {
    section: "§2 Position",
    quote: "liquidationPrice: estimated, not a stored value",
    rules: ["position.liquidation-price-estimate", "position.units"],
  },
  {
    section: "§2 Position",
    quote: "allocatedMargin: current collateral including later adds and removes",
    rules: ["position.allocated-margin", "position.units"],
  },
  {
    section: "§2 Position",
    quote: "leverage: multiplier used at opening",
    rules: ["position.leverage-at-opening"],
  },
  {
    section: "§2 Position",
    quote: "unrealizedPnl: derived from markPrice vs entryPrice",
    rules: ["position.unrealized-pnl-sign", "position.units"],
  },
  {
    section: "§2 Position",
    quote: "recomputed on every read",
    rules: ["position.unrealized-pnl-recomputed"],
  },
  {
    section: "§2 Position",
    quote: "reduceOnly: legacy, not meaningful at position level",
    excluded: "The field is declared meaningless, so beyond its type no value of it can be wrong.",
  },
  {
    section: "§2 Position",
    quote: "associatedOrders: opening and reduce-only orders of the position",
    rules: ["position.opening-order", "position.associated-orders-market", "position.associated-orders-owner"],
  },
  {
    section: "§2 Position",
    quote: "associatedOrderIds: lightweight identifiers of associated orders",
    rules: ["position.associated-orders-agree", "position.associated-orders-market", "order-ref.names-an-order"],
  },
  {
    section: "§2 Position",
    quote: "tickDecimals: price precision used to convert raw on-chain prices",
    rules: ["position.tick-decimals"],
  },
  {
    section: "§2 Position",
    quote: "revenueSpent: revenue-per-unit snapshot at opening; earned revenue at close",
    rules: ["position.revenue-spent-snapshot"],
  },
  { section: "§2 Position", quote: "effectiveSize: always equal to nominalSize", rules: ["position.effective-size"] },
  {
    section: "§2 Position",
    quote: "estimatedRebate: cumulative revenue-per-unit for the side minus revenueSpent",
    rules: ["position.estimated-rebate"],
  },
  {
    section: "§2 Position",
    quote: "0 when revenue data is not yet available",
    rules: ["position.estimated-rebate-no-revenue"],
  },
  {
    section: "§2 Position",
    quote: "-1 when the market cannot be loaded",
    rules: ["position.estimated-rebate-market-unavailable"],
  },
  {
    section: "§2 Position",
    quote: "stopLossPrice: derived from active reduce orders; 0 when none",
    rules: ["position.stop-loss-price", "position.trigger-price-choice"],
  },
  {
    section: "§2 Position",
    quote: "takeProfitPrice: same, for take-profit",
    rules: ["position.take-profit-price", "position.trigger-price-choice"],
  },
  {
    section: "§2 Position",
    quote: "Additional fields in portfolio output: cashRoi, currentPnl, currentRoi (numbers)",
    rules: ["position.additional-field-types"],
  },
  {
    section: "§2 Position",
    quote: "Their meanings and formulas: not shown",
    rules: ["position.additional-fields"],
  },

  // §2 Order
  {
    section: "§2 Order",
    quote: "Current stored state of a position-opening or a reduce-only order",
    rules: ["relations.order-stored-state"],
  },
  {
    section: "§2 Order",
    quote: "Both kinds share this shape; some numeric fields differ in meaning",
    excluded: "What differs is stated field by field below.",
  },
  {
    section: "§2 Order",
    quote: "`reduceOnly` tells which",
    rules: ["order.reduce-order-type-values", "order.reduce-order-type-empty"],
  },
  {
    section: "§2 Order",
    quote: "uniquely identified by (orderId, marketId, reduceOnly)",
    rules: ["order.identity"],
  },
  {
    section: "§2 Order",
    quote: "owner: lowercase EVM address",
    rules: ["wire.owner-evm-address", "wire.owner-lowercase"],
  },
  { section: "§2 Order", quote: "orderId, marketId: on-chain ids", rules: ["order.on-chain-ids"] },
  {
    section: "§2 Order",
    quote: "timestamp: creation time from the submission event",
    rules: ["order.timestamp-creation", "wire.timestamp-present"],
  },
  { section: "§2 Order", quote: "market: market name", rules: ["order.market-name"] },
  {
    section: "§2 Order",
    quote: "falls back to MARKET-<marketId> when metadata is unavailable",
    rules: ["order.market-fallback", "order.market-fallback-stored-name", "order.market-fallback-only-then"],
  },
  { section: "§2 Order", quote: "type: only ORDER_TYPE_MARKET", rules: ["order.type-market"] },
  { section: "§2 Order", quote: "side: enum Side", rules: ["wire.side-values"] },
  {
    section: "§2 Order",
    quote: "for reduce-only orders inherited from the opening order",
    rules: ["order.reduce-only-side"],
  },
  {
    section: "§2 Order",
    quote: "thresholdPrice: execution price threshold, converted with tick precision",
    rules: ["order.threshold-price"],
  },
  { section: "§2 Order", quote: "not necessarily the fill price", excluded: reasons.freedom },
  {
    section: "§2 Order",
    quote: "size, filledSize, unfilledSize: amount exposed, filled, remaining",
    rules: ["order.sizes-add-up", "order.sizes-match-status"],
  },
  {
    section: "§2 Order",
    quote: "leverage: for reduce-only orders inherited when available",
    rules: ["order.reduce-only-leverage"],
  },
  { section: "§2 Order", quote: "status: see States", rules: ["states.order-status-values"] },
  {
    section: "§2 Order",
    quote: "reduceOnly: false for orders that open, true for those that reduce",
    rules: ["order.reduce-order-type-values", "order.reduce-order-type-empty", "order-ref.names-an-order"],
  },
  { section: "§2 Order", quote: "canceled: legacy; never populated", rules: ["order.canceled-never-set"] },
  {
    section: "§2 Order",
    quote: "initialMargin: initial collateral, or threshold-price notional",
    rules: ["order.initial-margin", "order.initial-margin-reduce-only"],
  },
  { section: "§2 Order", quote: "tickDecimals: market price precision", rules: ["order.tick-decimals"] },
  { section: "§2 Order", quote: "fees: fees recorded", rules: ["order.fees-and-rebates"] },
  {
    section: "§2 Order",
    quote: "rebates: recorded for reduce fills",
    rules: ["order.fees-and-rebates", "order.rebates-opening"],
  },
  {
    section: "§2 Order",
    quote: "reduceOrderType: one of MANUAL, STOP_LOSS, TAKE_PROFIT, LIQUIDATION, ADL",
    rules: ["order.reduce-order-type-values"],
  },
  {
    section: "§2 Order",
    quote: "empty for position-opening orders",
    rules: ["order.reduce-order-type-empty"],
  },
  {
    section: "§2 Order",
    quote: "initialNotional: initialMargin multiplied by leverage for opening orders",
    rules: ["order.initial-notional"],
  },
  { section: "§2 Order", quote: "0 for reduce-only orders", rules: ["order.initial-notional-reduce-only"] },
  {
    section: "§2 Order",
    quote: "stopLossPrice, takeProfitPrice: trigger attached to an opening order",
    rules: ["order.trigger-prices"],
  },
  {
    section: "§2 Order",
    quote: "Fields seen additionally: createdAt, updatedAt, averageFillPrice and others",
    rules: ["order.additional-field-types"],
  },
  { section: "§2 Order", quote: "Their meanings: not shown", rules: ["order.additional-fields"] },

  // §2 OrderRef
  {
    section: "§2 OrderRef",
    quote: "orderId, marketId: integer or string (int64)",
    rules: ["order-ref.id-form"],
  },
  {
    section: "§2 OrderRef",
    quote: "marketId, reduceOnly: market and kind of the referenced order",
    rules: ["order-ref.names-an-order", "position.associated-orders-market"],
  },
  {
    section: "§2 OrderRef",
    quote: "Combine to look up the full order via GetOrder",
    rules: ["order-ref.names-an-order", "other-operations.listed"],
  },

  // §2 PaginationInfo
  {
    section: "§2 PaginationInfo",
    quote: "(the object itself)",
    rules: ["pagination.present"],
  },
  {
    section: "§2 PaginationInfo",
    quote: "limit: effective page size after defaulting and capping",
    rules: ["pagination.limit", "pagination.row-count", "pagination.negative-values", "pagination.beyond-int32"],
  },
  {
    section: "§2 PaginationInfo",
    quote: "may exceed the number of rows returned",
    rules: ["pagination.limit", "pagination.row-count"],
  },
  {
    section: "§2 PaginationInfo",
    quote: "offset: number of matching records skipped",
    rules: [
      "pagination.offset",
      "pagination.offset-skips-rows",
      "pagination.offset-beyond-end",
      "pagination.tie-order",
      "pagination.negative-values",
    ],
  },
  {
    section: "§2 PaginationInfo",
    quote: "totalCount: integer (decimal string in order-list output)",
    rules: ["pagination.total-count-integer", "pagination.total-count-decimal-string"],
  },
  {
    section: "§2 PaginationInfo",
    quote: "total matching records across all pages",
    rules: ["pagination.total-count", "pagination.row-count"],
  },

  // §2 Portfolio
  { section: "§2 Portfolio", quote: "owner", rules: ["portfolio.owner", "portfolio.nested-owners"] },
  {
    section: "§2 Portfolio",
    quote: "timestamp, totals and totalTrades",
    rules: ["wire.timestamp-rfc3339", "wire.number-type", "wire.int64-as-string"],
  },
  {
    section: "§2 Portfolio",
    quote: "positions: open positions only",
    rules: ["relations.open-positions-agree"],
  },
  {
    section: "§2 Portfolio",
    quote: "orders: open orders only",
    rules: ["portfolio.orders-open-only", "relations.open-orders-agree"],
  },
  { section: "§2 Portfolio", quote: "Formulas of the portfolio totals: not shown", rules: ["portfolio.totals"] },

  // §2 OrderBook
  { section: "§2 OrderBook", quote: "marketId: market", rules: ["order-book.market-id"] },
  {
    section: "§2 OrderBook",
    quote: "timestamp",
    rules: ["wire.timestamp-rfc3339", "wire.nested-objects-present"],
  },
  {
    section: "§2 OrderBook",
    quote: "pageSize: effective number of underlying orders aggregated",
    rules: ["order-book.page-size"],
  },
  { section: "§2 OrderBook", quote: "offset: underlying orders skipped", rules: ["order-book.offset"] },
  {
    section: "§2 OrderBook",
    quote: "totalOrderCount: total underlying orders",
    rules: ["order-book.total-order-count"],
  },
  { section: "§2 OrderBook", quote: "levels: level count per side", rules: ["order-book.level-count"] },
  { section: "§2 OrderBook", quote: "tickSize: bucket size applied", rules: ["order-book.tick-size-applied"] },
  {
    section: "§2 OrderBook",
    quote: "sizeInUsd: whether sizes are USD notional",
    rules: ["order-book.size-in-usd-flag"],
  },
  {
    section: "§2 OrderBook",
    quote: "each level: price, size, orderCount",
    rules: ["wire.number-type", "wire.integer-type", "order-book.prices-distinct"],
  },
  {
    section: "§2 OrderBook",
    quote: "cumulativeTotal: running total of size from the best price outward",
    rules: ["order-book.cumulative-total"],
  },
  {
    section: "§2 OrderBook",
    quote: "Sorted toward the best price",
    rules: [
      "order-book.levels-sorted",
      "order-book.prices-distinct",
      "order-book.sides-sorted-alike",
      "order-book.sort-direction",
      "order-book.not-crossed",
    ],
  },

  // §2 Candlestick, MarketConfig
  {
    section: "§2 Candlestick",
    quote: "timestamp, open, high, low, close, mid, volume",
    rules: ["wire.timestamp-present", "wire.number-type", "candlestick.low-high"],
  },
  {
    section: "§2 MarketConfig",
    quote: "names and types of the fields",
    rules: ["wire.int64-as-string", "wire.string-type", "wire.number-type", "wire.integer-type"],
  },
  { section: "§2 MarketConfig", quote: "creator: EVM address", rules: ["market-config.creator-address"] },
  {
    section: "§2 MarketConfig",
    quote: "feeConfig, adlConfig: objects",
    rules: ["wire.container-type", "wire.nested-objects-present"],
  },
  {
    section: "§2 MarketConfig",
    quote: "maintenanceMarginRate: string (decimal)",
    rules: ["market-config.maintenance-margin-rate-decimal"],
  },
  {
    section: "§2 MarketConfig",
    quote: "Units and meanings: not shown beyond names and types",
    rules: ["market-config.meanings", "market-config.fee-config-market"],
  },
  {
    section: "§2 MarketConfig",
    quote: "Elements of the `prices` array: not shown",
    rules: ["get-historical-prices.prices-elements"],
  },

  // §3
  {
    section: "§3 Order status",
    quote: "the eight states of OrderStatus",
    rules: ["states.order-status-values"],
  },
  { section: "§3 Order status", quote: "Transitions: not shown", rules: ["states.order-transitions"] },
  {
    section: "§3 Order status",
    quote: "Active orders are PENDING, PARTIALLY_FILLED or PARTIALLY_MERGED",
    rules: [
      "get-all-orders.only-open",
      "portfolio.orders-open-only",
      "position.stop-loss-price",
      "position.take-profit-price",
    ],
  },
  {
    section: "§3 Order status",
    quote: "This set is what onlyOpen filters on and a portfolio holds",
    rules: ["relations.open-orders-agree", "get-all-orders.only-open", "portfolio.orders-open-only"],
  },
  {
    section: "§3 Order status",
    quote: "the other statuses are terminal for listing purposes",
    rules: ["get-all-orders.only-open", "portfolio.orders-open-only"],
  },
  {
    section: "§3 Position",
    quote: "Positions are either open or closed",
    rules: ["relations.open-positions-agree"],
  },
  {
    section: "§3 Position",
    quote: "closed ones appear only in the platform-wide position listing",
    rules: ["relations.open-positions-agree", "get-all-positions.closed-included"],
  },
  {
    section: "§3 Position",
    quote: "their aggregates are folded into portfolio totals",
    rules: ["get-portfolio.totals-include-closed"],
  },
  {
    section: "§3 Position",
    quote: "Position lifecycle transitions: not shown",
    rules: ["states.position-transitions"],
  },

  // §4
  {
    section: "§4",
    quote: "All endpoints: method POST, path, JSON body",
    rules: ["protocol.post-path", "protocol.other-methods", "errors.malformed-body"],
  },
  { section: "§4", quote: "Content-Type: required", rules: ["protocol.request-content-type"] },
  {
    section: "§4",
    quote: "Connect-Protocol-Version: only value 1; default 1 if omitted",
    rules: ["protocol.connect-version-optional", "protocol.connect-version-other"],
  },
  {
    section: "§4",
    quote: "Connect-Timeout-Ms: request timeout in milliseconds",
    rules: ["protocol.timeout-generous", "limits.timeout-elapsed"],
  },
  {
    section: "§4",
    quote: "Authorization: see Authentication",
    rules: ["authentication.missing-token", "authentication.invalid-token"],
  },

  // §4.1
  { section: "§4.1", quote: "path of GetAllPositions", rules: ["protocol.post-path"] },
  {
    section: "§4.1",
    quote: "limit: default 50 when omitted or zero",
    rules: ["get-all-positions.limit-default", "get-all-positions.limit-zero"],
  },
  {
    section: "§4.1",
    quote: "above 1000 capped to 1000, not rejected",
    rules: ["get-all-positions.limit-cap"],
  },
  {
    section: "§4.1",
    quote: "offset: rows to skip, default 0",
    rules: ["get-all-positions.offset-default", "pagination.offset-skips-rows"],
  },
  {
    section: "§4.1",
    quote: "positions: all wallets and markets",
    rules: ["get-all-positions.all-wallets"],
  },
  { section: "§4.1", quote: "including closed", rules: ["get-all-positions.closed-included"] },
  {
    section: "§4.1",
    quote: "ordered by timestamp descending",
    rules: ["get-all-positions.sorted-by-timestamp"],
  },
  { section: "§4.1", quote: "and pagination", rules: ["pagination.present"] },

  // §4.2
  { section: "§4.2", quote: "path of GetOpenPositionsStreaming", rules: ["protocol.post-path"] },
  {
    section: "§4.2",
    quote: "address: wallet address",
    rules: [
      "get-open-positions-streaming.address-trimmed",
      "get-open-positions-streaming.address-case-insensitive",
      "get-open-positions-streaming.owner",
    ],
  },
  {
    section: "§4.2",
    quote: "updateIntervalMs: default 250 when omitted",
    rules: ["get-open-positions-streaming.interval-default", "get-open-positions-streaming.interval-zero"],
  },
  {
    section: "§4.2",
    quote: "clamped into 100 to 60000 inclusive, not rejected",
    rules: [
      "get-open-positions-streaming.interval-clamped-up",
      "get-open-positions-streaming.interval-clamped-down",
      "get-open-positions-streaming.interval-unsettled",
    ],
  },
  {
    section: "§4.2",
    quote: "a full snapshot of the wallet's open positions, not a diff",
    rules: [
      "get-open-positions-streaming.full-snapshot",
      "relations.open-positions-agree",
      "get-open-positions-streaming.no-open-positions",
    ],
  },
  {
    section: "§4.2",
    quote: "One message is sent immediately",
    rules: ["get-open-positions-streaming.first-message"],
  },
  {
    section: "§4.2",
    quote: "then one per interval",
    rules: ["get-open-positions-streaming.interval", "get-open-positions-streaming.no-open-positions"],
  },
  {
    section: "§4.2",
    quote: "until the client disconnects",
    rules: ["get-open-positions-streaming.until-disconnect", "get-open-positions-streaming.ends-with-client"],
  },
  {
    section: "§4.2",
    quote: "Position entries carry associatedOrderIds references",
    rules: ["get-open-positions-streaming.order-references"],
  },
  { section: "§4.2", quote: "associatedOrders may be empty", excluded: reasons.freedom },

  // §4.3
  { section: "§4.3", quote: "path of GetAllOrders", rules: ["protocol.post-path"] },
  {
    section: "§4.3",
    quote: "limit: default 50 when omitted",
    rules: ["get-all-orders.limit-default", "get-all-orders.limit-zero"],
  },
  { section: "§4.3", quote: "above 1000 capped to 1000", rules: ["get-all-orders.limit-cap"] },
  {
    section: "§4.3",
    quote: "offset: default 0",
    rules: ["get-all-orders.offset-default", "pagination.offset-skips-rows"],
  },
  {
    section: "§4.3",
    quote: "address: optional wallet filter",
    rules: [
      "get-all-orders.address-filter",
      "get-all-orders.address-trimmed",
      "get-all-orders.unknown-wallet",
      "get-all-orders.address-blank",
    ],
  },
  { section: "§4.3", quote: "case-insensitive", rules: ["get-all-orders.address-case-insensitive"] },
  {
    section: "§4.3",
    quote: "when omitted all wallets are returned",
    rules: ["get-all-orders.all-wallets"],
  },
  {
    section: "§4.3",
    quote: "onlyOpen true: only the three active statuses",
    rules: ["get-all-orders.only-open"],
  },
  {
    section: "§4.3",
    quote: "when omitted or false, any status",
    rules: ["get-all-orders.any-status"],
  },
  {
    section: "§4.3",
    quote: "orders ordered by timestamp descending",
    rules: ["get-all-orders.sorted-by-timestamp"],
  },
  { section: "§4.3", quote: "and pagination", rules: ["pagination.present"] },

  // §4.4
  { section: "§4.4", quote: "path of GetOrders", rules: ["protocol.post-path"] },
  {
    section: "§4.4",
    quote: "address: wallet address; trimmed, case-insensitive",
    rules: ["get-orders.address-trimmed", "get-orders.address-case-insensitive"],
  },
  {
    section: "§4.4",
    quote: "market omitted means all markets",
    rules: ["get-orders.all-markets"],
  },
  {
    section: "§4.4",
    quote: "otherwise filters to that market",
    rules: ["get-orders.market-filter", "get-orders.market-without-orders"],
  },
  {
    section: "§4.4",
    quote: "Latest stored state of each order of the wallet",
    rules: ["relations.order-stored-state", "relations.wallet-orders-agree", "get-orders.owner"],
  },
  {
    section: "§4.4",
    quote: "opening and reduce-only, active and terminal statuses",
    rules: ["relations.wallet-orders-agree"],
  },
  {
    section: "§4.4",
    quote: "ordered by timestamp descending",
    rules: ["get-orders.sorted-by-timestamp"],
  },
  { section: "§4.4", quote: "No pagination or result limit", rules: ["get-orders.no-result-limit"] },
  {
    section: "§4.4",
    quote: "Empty when nothing matches",
    rules: ["get-orders.unknown-wallet", "get-orders.market-without-orders"],
  },
  {
    section: "§4.4",
    quote: "Lifecycle events and individual fills are not returned",
    rules: ["order.identity"],
  },

  // §4.5
  { section: "§4.5", quote: "path of GetPortfolio", rules: ["protocol.post-path"] },
  {
    section: "§4.5",
    quote: "owner: wallet address",
    rules: ["get-portfolio.owner-trimmed", "get-portfolio.owner-case-insensitive", "get-portfolio.unknown-wallet"],
  },
  { section: "§4.5", quote: "Response: portfolio", rules: ["wire.result-present", "portfolio.owner"] },
  {
    section: "§4.5",
    quote: "positions and orders list open items only",
    rules: ["relations.open-positions-agree", "portfolio.orders-open-only", "relations.open-orders-agree"],
  },
  {
    section: "§4.5",
    quote: "closed positions and terminal-status orders are folded into the totals",
    rules: ["get-portfolio.totals-include-closed"],
  },
  {
    section: "§4.5",
    quote: "Totals are recomputed on every request (no caching)",
    rules: ["get-portfolio.totals-not-cached"],
  },
  { section: "§4.5", quote: "the call is heavier than single lookups", excluded: reasons.advice },

  // §4.6
  { section: "§4.6", quote: "path of GetOrderBook", rules: ["protocol.post-path"] },
  {
    section: "§4.6",
    quote: "a simulated aggregated depth for one market",
    rules: ["order-book.market-id", "order-book.bucketing-keeps-size"],
  },
  {
    section: "§4.6",
    quote: "market: required; by id or symbol",
    rules: ["selector.required", "selector.by-symbol", "order-book.market-id"],
  },
  { section: "§4.6", quote: "tickSize 0 disables bucketing", rules: ["order-book.tick-size-zero"] },
  {
    section: "§4.6",
    quote: "otherwise a power-of-ten multiple of the market minimum tick",
    rules: [
      "order-book.tick-size-steps",
      "order-book.tick-size-larger-steps",
      "order-book.bucket-spacing",
      "order-book.bucket-alignment",
      "order-book.bucketing-keeps-size",
    ],
  },
  {
    section: "§4.6",
    quote: "below the minimum tick is clamped up to it",
    rules: ["order-book.tick-size-below-minimum"],
  },
  {
    section: "§4.6",
    quote: "Any other value fails with INVALID_ARGUMENT",
    rules: ["order-book.tick-size-no-step", "order-book.tick-size-negative"],
  },
  {
    section: "§4.6",
    quote: "sizeInUsd: USD notional or underlying units",
    rules: ["order-book.size-in-usd"],
  },
  {
    section: "§4.6",
    quote: "levels: max price levels per side",
    rules: ["order-book.levels-maximum", "order-book.levels-best", "order-book.unsettled-counts"],
  },
  { section: "§4.6", quote: "0 or omitted returns all", rules: ["order-book.levels-zero"] },
  {
    section: "§4.6",
    quote: "limit: max underlying orders aggregated before building levels",
    rules: [
      "order-book.limit-per-side",
      "order-book.limit-per-book",
      "order-book.limit-large",
      "order-book.unsettled-counts",
    ],
  },
  {
    section: "§4.6",
    quote: "default 50",
    rules: ["order-book.limit-default", "order-book.limit-zero"],
  },
  {
    section: "§4.6",
    quote: "offset: underlying orders skipped before aggregating",
    rules: ["order-book.offset-skips-orders", "order-book.parts-make-whole", "order-book.unsettled-counts"],
  },
  {
    section: "§4.6",
    quote: "totalOrderCount: accepted and ignored",
    rules: ["order-book.total-order-count-ignored"],
  },
  { section: "§4.6", quote: "Response: orderBook", rules: ["wire.result-present"] },

  // §4.7
  { section: "§4.7", quote: "path of GetHistoricalPrices", rules: ["protocol.post-path"] },
  {
    section: "§4.7",
    quote: "Only the marketId form is supported and it must be non-zero",
    rules: ["selector.required", "selector.zero-id"],
  },
  {
    section: "§4.7",
    quote: "a marketSymbol selector is not resolved and treated as unset",
    rules: ["get-historical-prices.symbol-selector", "get-historical-prices.both-alternatives"],
  },
  {
    section: "§4.7",
    quote: "startTime, endTime: start and end of range",
    rules: ["get-historical-prices.range", "get-historical-prices.empty-range", "get-historical-prices.open-range"],
  },
  {
    section: "§4.7",
    quote: "limit: accepted and ignored",
    rules: ["get-historical-prices.limit-ignored", "get-historical-prices.negative-limit"],
  },
  { section: "§4.7", quote: "no limit applied", rules: ["get-historical-prices.no-result-limit"] },
  {
    section: "§4.7",
    quote: "interval: candle interval",
    rules: ["get-historical-prices.interval-spacing"],
  },
  {
    section: "§4.7",
    quote: "Supported values: 1S, 1, 60, 1D, 1W, 1M",
    rules: ["get-historical-prices.intervals", "get-historical-prices.unsupported-interval"],
  },
  {
    section: "§4.7",
    quote: "Response: priceCandleSticks, prices, totalCount",
    rules: [
      "wire.container-type",
      "wire.integer-type",
      "get-historical-prices.candle-order",
      "get-historical-prices.prices-elements",
      "get-historical-prices.total-count",
    ],
  },
  {
    section: "§4.7",
    quote: "Default interval when omitted: not shown",
    rules: ["get-historical-prices.default-interval"],
  },

  // §4.8, §4.9
  { section: "§4.8", quote: "path of GetMarketConfigs", rules: ["protocol.post-path"] },
  {
    section: "§4.8",
    quote: "market selector, by id or symbol",
    rules: ["get-market-configs.market-id", "selector.by-symbol", "selector.required"],
  },
  { section: "§4.8", quote: "Response: marketConfig", rules: ["wire.result-present"] },
  { section: "§4.9", quote: "path of GetMarketIdByName", rules: ["protocol.post-path"] },
  {
    section: "§4.9",
    quote: "assetSymbol: required",
    rules: ["get-market-id-by-name.asset-symbol-required"],
  },
  {
    section: "§4.9",
    quote: "trimmed, case-insensitive",
    rules: [
      "get-market-id-by-name.asset-symbol-trimmed",
      "get-market-id-by-name.asset-symbol-case-insensitive",
      "get-market-id-by-name.quote-symbol-dressing",
    ],
  },
  {
    section: "§4.9",
    quote: "Blank fails with INVALID_ARGUMENT",
    rules: ["get-market-id-by-name.asset-symbol-blank", "get-market-id-by-name.asset-symbol-required"],
  },
  {
    section: "§4.9",
    quote: "quoteSymbol omitted: a market named exactly by the asset symbol",
    rules: ["get-market-id-by-name.quote-symbol-omitted"],
  },
  {
    section: "§4.9",
    quote: "Response: marketId (string, int64)",
    rules: ["relations.market-id-configs", "relations.market-id-listings", "wire.int64-as-string"],
  },
  {
    section: "§4.9",
    quote: "Unknown combination fails with NOT_FOUND",
    rules: ["get-market-id-by-name.unknown-pair"],
  },
  {
    section: "§4 Other operations",
    quote: "The service groups also list: GetOrder, fee preview and others",
    rules: ["other-operations.listed"],
  },

  // §5
  {
    section: "§5",
    quote: "HTTP bearer with JWT format; endpoint definitions list it as required",
    rules: ["authentication.missing-token", "authentication.invalid-token"],
  },
  {
    section: "§5",
    quote: "authentication will be introduced in a future API version",
    rules: ["authentication.missing-token"],
  },
  { section: "§5", quote: "Token issuance, lifetime and scopes: not shown", excluded: reasons.notShown },
  {
    section: "§5",
    quote: "Response to a missing or invalid token: not shown",
    rules: ["authentication.missing-token", "authentication.invalid-token"],
  },

  // §6
  {
    section: "§6",
    quote: "The only push mechanism shown is the server stream",
    excluded: reasons.scope,
  },
  {
    section: "§6",
    quote: "Connect server streaming, usable from Connect-capable clients",
    rules: ["events.envelope", "wire.streaming-content-type"],
  },
  {
    section: "§6",
    quote: "not from plain request/response explorers",
    rules: ["events.plain-request"],
  },
  {
    section: "§6",
    quote: "Each message is a full snapshot, on a fixed interval",
    rules: [
      "get-open-positions-streaming.full-snapshot",
      "get-open-positions-streaming.interval",
      "get-open-positions-streaming.until-disconnect",
    ],
  },
  { section: "§6", quote: "Webhooks or other event feeds: not shown", excluded: reasons.notShown },
  {
    section: "§6",
    quote: "Error or end-of-stream behavior inside a stream: not shown",
    rules: ["events.end-of-stream"],
  },

  // §7
  {
    section: "§7",
    quote: "Connect error JSON object with code and message",
    rules: ["errors.shape", "errors.malformed-request-answer"],
  },
  {
    section: "§7",
    quote: "code: string, lowercase snake case",
    rules: ["errors.code-lowercase", "errors.code-known"],
  },
  {
    section: "§7",
    quote: "invalid_argument: missing required field, malformed selector, out-of-range value",
    rules: [
      "errors.wrong-type",
      "errors.malformed-body",
      "errors.empty-body",
      "errors.malformed-request-code",
      "errors.lenient-types",
      "errors.ignored-field-values",
      "errors.malformed-address",
      "errors.missing-address",
      "selector.required",
      "get-market-id-by-name.asset-symbol-required",
    ],
  },
  {
    section: "§7",
    quote: "not_found: requested order, position, market or price does not exist",
    rules: ["selector.unknown-id-code", "selector.unknown-symbol", "get-market-id-by-name.unknown-pair"],
  },
  {
    section: "§7",
    quote: "internal: server-side failure",
    rules: ["errors.documented-outcome"],
  },
  { section: "§7", quote: "retry or report if persistent", excluded: reasons.advice },
  {
    section: "§7",
    quote: "unimplemented: endpoint is not functional yet",
    excluded: "It allows an operation to be missing; its rules then get the verdict unimplemented.",
  },
  {
    section: "§7",
    quote: "1. Selector without a non-zero id or a valid asset symbol",
    rules: [
      "selector.neither-alternative",
      "selector.zero-id",
      "selector.non-numeric-id",
      "selector.blank-asset-symbol",
    ],
  },
  {
    section: "§7",
    quote: "2. GetOrderBook with a negative or no power-of-ten tickSize",
    rules: ["order-book.tick-size-negative", "order-book.tick-size-no-step"],
  },
  {
    section: "§7",
    quote: "3. GetMarketIdByName with a blank assetSymbol; unknown pair",
    rules: ["get-market-id-by-name.asset-symbol-blank", "get-market-id-by-name.unknown-pair"],
  },
  {
    section: "§7",
    quote: "4. Over-large limit and out-of-range updateIntervalMs never error",
    rules: [
      "get-all-positions.limit-cap",
      "get-all-orders.limit-cap",
      "get-open-positions-streaming.interval-clamped-up",
      "get-open-positions-streaming.interval-clamped-down",
    ],
  },
  { section: "§7", quote: "HTTP status mapping: not shown", rules: ["errors.http-status"] },
  {
    section: "§7",
    quote: "Error codes of each remaining endpoint: not shown",
    rules: ["errors.other-codes"],
  },

  // §8
  {
    section: "§8",
    quote: "GetAllPositions, GetAllOrders: limit default 50, maximum 1000; offset default 0",
    rules: [
      "get-all-positions.limit-default",
      "get-all-positions.limit-cap",
      "get-all-positions.offset-default",
      "get-all-orders.limit-default",
      "get-all-orders.limit-cap",
      "get-all-orders.offset-default",
    ],
  },
  {
    section: "§8",
    quote: "GetOpenPositionsStreaming: default 250, range 100 to 60000 ms",
    rules: [
      "get-open-positions-streaming.interval-default",
      "get-open-positions-streaming.interval-clamped-up",
      "get-open-positions-streaming.interval-clamped-down",
    ],
  },
  {
    section: "§8",
    quote: "GetOrderBook: limit default 50; levels 0 means all",
    rules: ["order-book.limit-default", "order-book.levels-zero"],
  },
  {
    section: "§8",
    quote: "GetOrders: no pagination, no result limit",
    rules: ["get-orders.no-result-limit"],
  },
  {
    section: "§8",
    quote: "GetHistoricalPrices: limit ignored",
    rules: ["get-historical-prices.limit-ignored", "get-historical-prices.no-result-limit"],
  },
  { section: "§8", quote: "Rate limits: not shown", rules: ["limits.rate-limit"] },
  {
    section: "§8",
    quote: "Maximum request size and concurrent stream count: not shown",
    rules: ["limits.request-size", "limits.concurrent-streams"],
  },
  {
    section: "§8",
    quote: "behavior when Connect-Timeout-Ms elapses: not shown",
    rules: ["limits.timeout-elapsed"],
  },

  // §9
  { section: "§9", quote: "Interface version is 1.0.0", rules: ["versioning.interface-version"] },
  { section: "§9", quote: "packages carry a v1 segment in their names", rules: ["protocol.post-path"] },
  {
    section: "§9",
    quote: "Connect-Protocol-Version: only allowed value 1, the default when omitted",
    rules: ["protocol.connect-version-optional", "protocol.connect-version-other"],
  },
  { section: "§9", quote: "Deprecation policy: not shown", excluded: reasons.notShown },
];

/** Whether a line of the ledger is carried by rules. */
export function isCarried(entry: LedgerEntry): entry is CarriedStatement {
  return "rules" in entry;
}
