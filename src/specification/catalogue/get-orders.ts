import type { QuotingRule } from "../rule.js";

const endpoints = ["GetOrders"] as const;

/** §4.4 GetOrders. */
export const getOrders = {
  "get-orders.address-trimmed": {
    section: "§4.4",
    quotes: {
      "§4.4": ["Wallet address; trimmed"],
      "§1": ["Every wallet-address input is trimmed of surrounding whitespace"],
    },
    statement: "Whitespace around `address` is trimmed.",
    level: "mandatory",
    endpoints,
    impact: "A pasted address lists nothing.",
  },
  "get-orders.address-case-insensitive": {
    section: "§4.4",
    quotes: { "§4.4": ["Wallet address; trimmed, case-insensitive"], "§1": ["and matched case-insensitively"] },
    statement: "`address` is matched without regard to case.",
    level: "mandatory",
    endpoints,
    impact: "A checksummed address lists nothing.",
  },
  "get-orders.owner": {
    section: "§4.4",
    quotes: { "§4.4": ["Latest stored state of each order of the wallet"] },
    statement: "Every order listed is the requested wallet's.",
    level: "mandatory",
    endpoints,
    impact: "Other wallets' orders are shown as one's own.",
    rulings: ["R13"],
  },
  "get-orders.market-filter": {
    section: "§4.4",
    quotes: {
      "§4.4": ["otherwise filters to that market"],
      "§1 Market selector": ["by id | { marketId: string(int64 decimal) }"],
    },
    statement: "With a `market` the wallet's orders of that market are listed, all of them and no others.",
    level: "mandatory",
    endpoints,
    impact: "Orders of another market appear on a market's page, or its own are missing.",
    rulings: ["P3"],
  },
  "get-orders.all-markets": {
    section: "§4.4",
    quotes: { "§4.4": ["market | market selector | Optional", "Omitted means all markets"] },
    statement: "Without a `market` the wallet's orders of all markets are listed.",
    level: "mandatory",
    endpoints,
    impact: "Orders of a market are missing from the wallet's page.",
    rulings: ["P3"],
  },
  "get-orders.sorted-by-timestamp": {
    section: "§4.4",
    quotes: { "§4.4": ["ordered by timestamp descending"] },
    statement: "Orders are ordered by `timestamp` descending.",
    level: "mandatory",
    endpoints,
    impact: "The client shows an old order as the latest.",
    rulings: ["P4", "W8"],
  },
  "get-orders.no-result-limit": {
    section: "§4.4",
    quotes: { "§4.4": ["No pagination or result limit"], "§8": ["GetOrders | no pagination, no result limit"] },
    statement: "All orders of the wallet are returned in one answer, without pagination or result limit.",
    level: "mandatory",
    endpoints,
    impact: "The orders of a busy wallet are cut off without a sign.",
    rulings: ["P3"],
  },
  "get-orders.unknown-wallet": {
    section: "§4.4",
    quotes: { "§4.4": ["Empty when nothing matches"] },
    statement: "For a wallet without orders the answer is an empty success.",
    level: "mandatory",
    endpoints,
    impact: "A new user's order page shows an error.",
    rulings: ["R12"],
  },
  "get-orders.market-without-orders": {
    section: "§4.4",
    quotes: { "§4.4": ["otherwise filters to that market", "Empty when nothing matches"] },
    statement: "For a known market in which the wallet has no orders the answer is an empty success.",
    level: "mandatory",
    endpoints,
    impact: "A market's page shows an error until the wallet trades there.",
    rulings: ["S4"],
  },
} as const satisfies Record<string, QuotingRule>;
