import { positionEndpoints } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** §2 OrderRef. */
export const orderRef = {
  "order-ref.id-form": {
    section: "§2 OrderRef",
    quotes: {
      "§2 OrderRef": ["orderId | integer or string (int64)", "marketId | integer or string (int64)"],
      "§1 Wire conventions": ["OrderRef.orderId and OrderRef.marketId may appear as a JSON integer or a string"],
    },
    statement: "`orderId` and `marketId` of a reference are JSON integers or decimal strings within the 64-bit range.",
    level: "mandatory",
    endpoints: positionEndpoints,
    impact: "The client cannot parse the id of the order.",
    rulings: ["W4", "W5"],
  },
  "order-ref.names-an-order": {
    section: "§2 OrderRef",
    quotes: {
      "§2 OrderRef": [
        "Combine with marketId and reduceOnly to look up the full order",
        "Market of the referenced order",
        "Whether the referenced order is reduce-only",
      ],
      "§2 Position": ["Lightweight identifiers of associated orders"],
      "§2 Order": ["False for orders that open or increase exposure", "true for orders that reduce exposure"],
    },
    statement:
      "`orderId`, `marketId` and `reduceOnly` of a reference together name an order that the owner's orders contain.",
    level: "mandatory",
    endpoints: positionEndpoints,
    impact: "The client follows a reference to no order, or to one of the other kind.",
    rulings: ["R13", "R14"],
  },
} as const satisfies Record<string, QuotingRule>;
