import { orderEndpoints } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** §3 States and transitions. */
export const states = {
  "states.order-status-values": {
    section: "§3 Order status",
    quotes: {
      "§3 Order status": [
        "ORDER_STATUS_PENDING",
        "ORDER_STATUS_PARTIALLY_FILLED",
        "ORDER_STATUS_FULLY_FILLED",
        "ORDER_STATUS_CLOSED",
        "ORDER_STATUS_CANCELLED",
        "ORDER_STATUS_MERGED",
        "ORDER_STATUS_PARTIALLY_MERGED",
        "ORDER_STATUS_PARTIALLY_CANCELLED",
      ],
      "§2 Order": ["status | enum OrderStatus | See States", "Use status"],
    },
    statement:
      "`status` holds one of the eight order states, by name, and is there unless exactly one of them is written out nowhere.",
    level: "mandatory",
    endpoints: orderEndpoints,
    impact: "The client cannot tell whether the order is still open.",
    rulings: ["W2"],
  },
  "states.order-transitions": {
    section: "§3 Order status",
    quotes: { "§3 Order status": ["Transitions: not shown"] },
    statement: "Which status may follow which is left open.",
    level: "observation",
    endpoints: ["GetAllOrders", "GetOrders"],
    impact: "None stated; a client should not infer a history from two statuses.",
  },
  "states.position-transitions": {
    section: "§3 Position",
    quotes: { "§3 Position": ["Position lifecycle transitions: not shown"] },
    statement: "How a position's life goes from open to closed is left open.",
    level: "observation",
    endpoints: ["GetAllPositions", "GetOpenPositionsStreaming"],
    impact: "None stated; a client should not expect a closed position to stay closed.",
  },
} as const satisfies Record<string, QuotingRule>;
