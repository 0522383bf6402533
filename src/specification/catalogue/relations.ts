import { orderEndpoints, positionEndpoints } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** Rules that relate two or more operations, each under the section with the sentence it follows from. */
export const relations = {
  "relations.position-stored-state": {
    section: "§2 Position",
    quotes: { "§2 Position": ["Current stored state of a position"] },
    statement: "A position is shown in its current stored state: its stored fields are the same in every operation.",
    level: "mandatory",
    endpoints: positionEndpoints,
    impact: "What the client knows of a position depends on where it looked.",
    rulings: ["P3", "R14", "R16"],
  },
  "relations.order-stored-state": {
    section: "§2 Order",
    quotes: {
      "§2 Order": ["Current stored state of a position-opening or a reduce-only order"],
      "§4.4": ["Latest stored state of each order of the wallet"],
    },
    statement: "An order is shown in its current stored state: its stored fields are the same in every operation.",
    level: "mandatory",
    endpoints: orderEndpoints,
    impact: "What the client knows of an order depends on where it looked.",
    rulings: ["P3", "R14", "R16"],
  },
  "relations.open-orders-agree": {
    section: "§3 Order status",
    quotes: {
      "§3 Order status": ["what the open-orders listing of a portfolio holds"],
      "§2 Portfolio": ["array of Order (open orders only)"],
      "§4.5": ["positions and orders list open items only"],
    },
    statement: "A wallet's portfolio and its `onlyOpen` listing hold the same orders: all that are active.",
    level: "mandatory",
    endpoints: ["GetAllOrders", "GetPortfolio"],
    impact: "An order is open on one page and missing on the other.",
    rulings: ["P3", "R14"],
  },
  "relations.open-positions-agree": {
    section: "§3 Position",
    quotes: {
      "§3 Position": [
        "Positions are either open or closed",
        "closed ones appear only in the platform-wide position listing",
      ],
      "§2 Position": ["Closed positions are included by some endpoints"],
      "§2 Portfolio": ["array of Position (open positions only)"],
      "§4.2": ["a full snapshot of the wallet's open positions, not a diff"],
      "§4.5": ["positions and orders list open items only"],
    },
    statement: "A wallet's portfolio and its stream list the same positions: all that are open and no closed one.",
    level: "mandatory",
    endpoints: ["GetOpenPositionsStreaming", "GetPortfolio"],
    impact: "A position is open on one page and missing on the other.",
    rulings: ["P3", "R10", "R14"],
  },
  "relations.wallet-orders-agree": {
    section: "§4.4",
    quotes: {
      "§4.4": [
        "Latest stored state of each order of the wallet",
        "opening and reduce-only, active and terminal statuses",
      ],
    },
    statement:
      "GetOrders lists every order of the wallet, both kinds and all statuses, as GetAllOrders does for its address.",
    level: "mandatory",
    endpoints: ["GetAllOrders", "GetOrders"],
    impact: "Orders of one kind or status are missing from the wallet's history.",
    rulings: ["P3", "R14"],
  },
  "relations.market-id-configs": {
    section: "§4.9",
    quotes: { "§4.9": ["Response: marketId (string, int64)"] },
    statement:
      "The id found by name is the one under which GetMarketConfigs knows the market, by id and by the same symbols.",
    level: "mandatory",
    endpoints: ["GetMarketConfigs", "GetMarketIdByName"],
    impact: "The client goes on with the id of another market.",
    rulings: ["S8", "S9"],
  },
  "relations.market-id-listings": {
    section: "§4.9",
    quotes: { "§4.9": ["Response: marketId (string, int64)"] },
    statement: "A market name that orders or positions carry for one id does not resolve to another.",
    level: "mandatory",
    endpoints: ["GetMarketIdByName"],
    impact: "The client goes on with the id of another market.",
    rulings: ["S8", "S9"],
    mayBeAbsent: "a market name that GetMarketIdByName resolves (S8)",
  },
} as const satisfies Record<string, QuotingRule>;
