import type { QuotingRule } from "../rule.js";

const endpoints = ["GetPortfolio"] as const;

/** §4.5 GetPortfolio. */
export const getPortfolio = {
  "get-portfolio.owner-trimmed": {
    section: "§4.5",
    quotes: {
      "§4.5": ["owner (string, wallet address)"],
      "§1": ["Every wallet-address input is trimmed of surrounding whitespace"],
    },
    statement: "Whitespace around the requested `owner` is trimmed.",
    level: "mandatory",
    endpoints,
    impact: "A pasted address shows an empty portfolio.",
  },
  "get-portfolio.owner-case-insensitive": {
    section: "§4.5",
    quotes: { "§4.5": ["owner (string, wallet address)"], "§1": ["and matched case-insensitively"] },
    statement: "The requested `owner` is matched without regard to case.",
    level: "mandatory",
    endpoints,
    impact: "A checksummed address shows an empty portfolio.",
  },
  "get-portfolio.unknown-wallet": {
    section: "§4.5",
    quotes: { "§4.5": ["owner (string, wallet address)"] },
    statement: "What the portfolio of an unknown wallet is, empty or an error, is left open.",
    level: "observation",
    endpoints,
    impact: "None stated; a client has to be ready for both.",
    rulings: ["R12", "T6"],
  },
  "get-portfolio.totals-include-closed": {
    section: "§4.5",
    quotes: {
      "§4.5": ["closed positions and terminal-status orders are folded into the totals"],
      "§3 Position": ["their aggregates are folded into portfolio totals"],
    },
    statement: "Closed positions and terminal orders are folded into the totals.",
    level: "unobservable",
    endpoints,
    impact: "Realized profit and volume lack what is done.",
    reason: "The formulas of the totals are not given, so no share of them can be told apart.",
  },
  "get-portfolio.totals-not-cached": {
    section: "§4.5",
    quotes: { "§4.5": ["Totals are recomputed on every request (no caching)"] },
    statement: "The totals are recomputed on every request.",
    level: "mandatory",
    endpoints,
    impact: "The client shows the equity of an earlier price.",
    rulings: ["R17"],
    mayBeAbsent: "a mark price that changes for 2 s while it is watched (R17)",
  },
} as const satisfies Record<string, QuotingRule>;
