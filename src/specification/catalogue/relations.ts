import { orderEndpoints, positionEndpoints } from "../endpoints.js";
import type { RuleText } from "../rule.js";

/** What two or more operations show together, each under the section whose sentence it follows from. */
export const relations = {
  "relations.position-stored-state": {
    section: "§2 Position",
    statement: "A position is shown in its current stored state: its stored fields are the same in every operation.",
    level: "mandatory",
    endpoints: positionEndpoints,
    impact: "What the client knows of a position depends on where it looked.",
    rulings: ["P3", "R14", "R16"],
  },
  "relations.order-stored-state": {
    section: "§2 Order",
    statement: "An order is shown in its current stored state: its stored fields are the same in every operation.",
    level: "mandatory",
    endpoints: orderEndpoints,
    impact: "What the client knows of an order depends on where it looked.",
    rulings: ["P3", "R14", "R16"],
  },
  "relations.open-orders-agree": {
    section: "§3 Order status",
    statement: "A wallet's portfolio and its `onlyOpen` listing hold the same orders: all that are active.",
    level: "mandatory",
    endpoints: ["GetAllOrders", "GetPortfolio"],
    impact: "An order is open on one page and missing on the other.",
    rulings: ["P3", "R14"],
  },
  "relations.open-positions-agree": {
    section: "§3 Position",
    statement: "A wallet's portfolio and its stream list the same positions: all that are open and no closed one.",
    level: "mandatory",
    endpoints: ["GetOpenPositionsStreaming", "GetPortfolio"],
    impact: "A position is open on one page and missing on the other.",
    rulings: ["P3", "R10", "R14"],
  },
  "relations.wallet-orders-agree": {
    section: "§4.4",
    statement:
      "GetOrders lists every order of the wallet, both kinds and all statuses, as GetAllOrders does for its address.",
    level: "mandatory",
    endpoints: ["GetAllOrders", "GetOrders"],
    impact: "Orders of one kind or status are missing from the wallet's history.",
    rulings: ["P3", "R14"],
  },
  "relations.market-id-configs": {
    section: "§4.9",
    statement:
      "The id found by name is the one under which GetMarketConfigs knows the market, by id and by the same symbols.",
    level: "mandatory",
    endpoints: ["GetMarketConfigs", "GetMarketIdByName"],
    impact: "The client goes on with the id of another market.",
    rulings: ["S8", "S9"],
  },
  "relations.market-id-listings": {
    section: "§4.9",
    statement: "A market name that orders or positions carry for one id does not resolve to another.",
    level: "mandatory",
    endpoints: ["GetMarketIdByName"],
    impact: "The client goes on with the id of another market.",
    rulings: ["S8", "S9"],
    mayBeAbsent: "a market name that GetMarketIdByName resolves (S8)",
  },
} as const satisfies Record<string, RuleText>;
