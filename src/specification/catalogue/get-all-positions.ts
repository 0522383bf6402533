import type { RuleText } from "../rule.js";

const endpoints = ["GetAllPositions"] as const;

/** §4.1 GetAllPositions. */
export const getAllPositions = {
  "get-all-positions.limit-default": {
    section: "§4.1",
    statement: "Without a `limit` the page size is 50.",
    level: "mandatory",
    endpoints,
    impact: "The client pages with a wrong stride.",
  },
  "get-all-positions.limit-zero": {
    section: "§4.1",
    statement: "A `limit` of 0 is an omitted one: the page size is 50.",
    level: "mandatory",
    endpoints,
    impact: "A client that writes defaults out gets an empty or an unlimited page.",
    rulings: ["P1"],
  },
  "get-all-positions.limit-cap": {
    section: "§4.1",
    statement: "A `limit` above 1000 is capped to 1000, not rejected.",
    level: "mandatory",
    endpoints,
    impact: "A client that asks for as much as possible gets an error, or a page that it cannot hold.",
  },
  "get-all-positions.offset-default": {
    section: "§4.1",
    statement: "Without an `offset` the listing starts at its first row.",
    level: "mandatory",
    endpoints,
    impact: "The client never sees the latest positions.",
    rulings: ["P3"],
  },
  "get-all-positions.all-wallets": {
    section: "§4.1",
    statement: "The listing covers all wallets and markets: it contains every position that a portfolio lists as open.",
    level: "mandatory",
    endpoints,
    impact: "The platform's open interest is understated.",
    rulings: ["P3", "R14"],
  },
  "get-all-positions.closed-included": {
    section: "§4.1",
    statement: "The listing includes closed positions.",
    level: "mandatory",
    endpoints,
    impact: "The client finds no trace of a position once it is closed.",
    rulings: ["R10"],
  },
  "get-all-positions.sorted-by-timestamp": {
    section: "§4.1",
    statement: "Positions are ordered by `timestamp` descending.",
    level: "mandatory",
    endpoints,
    impact: "A client that stops at the last row that it knows misses newer ones.",
    rulings: ["P4", "W8"],
  },
} as const satisfies Record<string, RuleText>;
