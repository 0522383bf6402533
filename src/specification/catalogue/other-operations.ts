import type { QuotingRule } from "../rule.js";

/** §4 Other operations. */
export const otherOperations = {
  "other-operations.listed": {
    section: "§4 Other operations",
    quotes: {
      "§4 Other operations": [
        "The service groups also list: order lookup by id (GetOrder)",
        "fee preview, executable-liquidity check, position-level fee info, current oracle price",
        "live market summaries, and wallet fill history",
        "Their request and response shapes: not shown",
      ],
      "§1": [
        "Seven service groups exist: Order, Position, Market, OrderBook, Price, Portfolio, FillHistory",
        "Only some operations are specified below",
      ],
      "§2 OrderRef": ["look up the full order via GetOrder"],
    },
    statement:
      "The service groups also list order lookup, fee preview, a liquidity check, position fees, oracle price, market summaries and fill history.",
    level: "unobservable",
    endpoints: [],
    impact: "The client cannot use an operation that the groups list.",
    rulings: ["H5"],
    reason: "Neither paths nor shapes of these operations are shown, so no request to them can be judged.",
  },
} as const satisfies Record<string, QuotingRule>;
