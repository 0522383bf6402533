import type { QuotingRule } from "../rule.js";

/** §2 Portfolio. */
export const portfolio = {
  "portfolio.owner": {
    section: "§2 Portfolio",
    quotes: { "§2 Portfolio": ["owner | string"], "§4.5": ["Response: portfolio"] },
    statement: "The portfolio's `owner` is the requested wallet.",
    level: "mandatory",
    endpoints: ["GetPortfolio"],
    impact: "The client shows one wallet's portfolio under another address.",
    rulings: ["R13"],
  },
  "portfolio.nested-owners": {
    section: "§2 Portfolio",
    quotes: { "§2 Portfolio": ["owner | string"] },
    statement: "Every position and every order inside the portfolio is the requested wallet's.",
    level: "mandatory",
    endpoints: ["GetPortfolio"],
    impact: "Another wallet's exposure is shown as one's own.",
    rulings: ["R13"],
  },
  "portfolio.orders-open-only": {
    section: "§2 Portfolio",
    quotes: {
      "§2 Portfolio": ["array of Order (open orders only)"],
      "§3 Order status": [
        "Active (open) orders are those in PENDING, PARTIALLY_FILLED or PARTIALLY_MERGED",
        "what the open-orders listing of a portfolio holds",
        "the other statuses are terminal for listing purposes",
      ],
      "§4.5": ["positions and orders list open items only"],
    },
    statement: "The portfolio's `orders` lists orders of active status only.",
    level: "mandatory",
    endpoints: ["GetPortfolio"],
    impact: "The client shows orders as open that can no longer be filled.",
  },
  "portfolio.totals": {
    section: "§2 Portfolio",
    quotes: { "§2 Portfolio": ["Formulas of the portfolio totals: not shown"] },
    statement: "How the portfolio's totals are computed is left open.",
    level: "observation",
    endpoints: ["GetPortfolio"],
    impact: "None stated; a client should not recompute the totals.",
    rulings: ["R11"],
  },
} as const satisfies Record<string, QuotingRule>;
