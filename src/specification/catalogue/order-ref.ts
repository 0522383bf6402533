import { positionEndpoints } from "../endpoints.js";
import type { RuleText } from "../rule.js";

/** §2 OrderRef. */
export const orderRef = {
  "order-ref.id-form": {
    section: "§2 OrderRef",
    statement: "`orderId` and `marketId` of a reference are JSON integers or decimal strings within the 64-bit range.",
    level: "mandatory",
    endpoints: positionEndpoints,
    impact: "The client cannot parse the id of the order.",
    rulings: ["W4", "W5"],
  },
  "order-ref.names-an-order": {
    section: "§2 OrderRef",
    statement:
      "`orderId`, `marketId` and `reduceOnly` of a reference together name an order that the owner's orders contain.",
    level: "mandatory",
    endpoints: positionEndpoints,
    impact: "The client follows a reference to no order, or to one of the other kind.",
    rulings: ["R13", "R14"],
  },
} as const satisfies Record<string, RuleText>;
