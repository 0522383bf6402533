import type { QuotingRule } from "../rule.js";

const endpoints = ["GetAllPositions"] as const;

/** §4.1 GetAllPositions. */
export const getAllPositions = {
  "get-all-positions.limit-default": {
    section: "§4.1",
    quotes: {
      "§4.1": ["limit | integer | Page size", "Default 50 when omitted"],
      "§8": ["GetAllPositions, GetAllOrders | limit default 50"],
    },
    statement: "Without a `limit` the page size is 50.",
    level: "mandatory",
    endpoints,
    impact: "The client pages with a wrong stride.",
  },
  "get-all-positions.limit-zero": {
    section: "§4.1",
    quotes: { "§4.1": ["Default 50 when omitted or zero"] },
    statement: "A `limit` of 0 is an omitted one: the page size is 50.",
    level: "mandatory",
    endpoints,
    impact: "A client that writes defaults out gets an empty or an unlimited page.",
    rulings: ["P1"],
  },
  "get-all-positions.limit-cap": {
    section: "§4.1",
    quotes: {
      "§4.1": ["Values above 1000 are capped to 1000, not rejected"],
      "§7": ["Over-large limit (above 1000)"],
      "§8": ["maximum 1000 (capped)"],
    },
    statement: "A `limit` above 1000 is capped to 1000, not rejected.",
    level: "mandatory",
    endpoints,
    impact: "A client that asks for as much as possible gets an error, or a page that it cannot hold.",
  },
  "get-all-positions.offset-default": {
    section: "§4.1",
    quotes: { "§4.1": ["Rows to skip. Default 0"], "§8": ["offset default 0"] },
    statement: "Without an `offset` the listing starts at its first row.",
    level: "mandatory",
    endpoints,
    impact: "The client never sees the latest positions.",
    rulings: ["P3"],
  },
  "get-all-positions.all-wallets": {
    section: "§4.1",
    quotes: { "§4.1": ["all wallets and markets"] },
    statement: "The listing covers all wallets and markets: it contains every position that a portfolio lists as open.",
    level: "mandatory",
    endpoints,
    impact: "The platform's open interest is understated.",
    rulings: ["P3", "R14"],
  },
  "get-all-positions.closed-included": {
    section: "§4.1",
    quotes: {
      "§4.1": ["including closed"],
      "§2 Position": ["Closed positions are included by some endpoints"],
      "§3 Position": ["closed ones appear only in the platform-wide position listing"],
    },
    statement: "The listing includes closed positions.",
    level: "mandatory",
    endpoints,
    impact: "The client finds no trace of a position once it is closed.",
    rulings: ["R10"],
  },
  "get-all-positions.sorted-by-timestamp": {
    section: "§4.1",
    quotes: { "§4.1": ["ordered by timestamp descending"] },
    statement: "Positions are ordered by `timestamp` descending.",
    level: "mandatory",
    endpoints,
    impact: "A client that stops at the last row that it knows misses newer ones.",
    rulings: ["P4", "W8"],
  },
} as const satisfies Record<string, QuotingRule>;
