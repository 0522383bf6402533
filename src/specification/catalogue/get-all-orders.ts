import type { RuleText } from "../rule.js";

const endpoints = ["GetAllOrders"] as const;

/** §4.3 GetAllOrders. */
export const getAllOrders = {
  "get-all-orders.limit-default": {
    section: "§4.3",
    statement: "Without a `limit` the page size is 50.",
    level: "mandatory",
    endpoints,
    impact: "The client pages with a wrong stride.",
  },
  "get-all-orders.limit-zero": {
    section: "§4.3",
    statement: "A `limit` of 0 is an omitted one: the page size is 50.",
    level: "mandatory",
    endpoints,
    impact: "A client that writes defaults out gets an empty or an unlimited page.",
    rulings: ["P1"],
  },
  "get-all-orders.limit-cap": {
    section: "§4.3",
    statement: "A `limit` above 1000 is capped to 1000, not rejected.",
    level: "mandatory",
    endpoints,
    impact: "A client that asks for as much as possible gets an error, or a page that it cannot hold.",
  },
  "get-all-orders.offset-default": {
    section: "§4.3",
    statement: "Without an `offset` the listing starts at its first row.",
    level: "mandatory",
    endpoints,
    impact: "The client never sees the latest orders.",
    rulings: ["P3"],
  },
  "get-all-orders.address-filter": {
    section: "§4.3",
    statement: "With an `address` only that wallet's orders are listed.",
    level: "mandatory",
    endpoints,
    impact: "Other wallets' orders are shown as one's own.",
    rulings: ["R13"],
  },
  "get-all-orders.address-trimmed": {
    section: "§4.3",
    statement: "Whitespace around `address` is trimmed.",
    level: "mandatory",
    endpoints,
    impact: "A pasted address lists nothing.",
  },
  "get-all-orders.address-case-insensitive": {
    section: "§4.3",
    statement: "`address` is matched without regard to case.",
    level: "mandatory",
    endpoints,
    impact: "A checksummed address lists nothing.",
  },
  "get-all-orders.address-blank": {
    section: "§4.3",
    statement: "Whether a blank `address` is an omitted one or refused is left open.",
    level: "observation",
    endpoints,
    impact: "None by the text; clients should leave the field out.",
    rulings: ["P7"],
  },
  "get-all-orders.unknown-wallet": {
    section: "§4.3",
    statement: "For a wallet without orders the listing is empty and its `totalCount` 0.",
    level: "mandatory",
    endpoints,
    impact: "A new user's order page shows an error, or other people's orders.",
    rulings: ["R12"],
  },
  "get-all-orders.all-wallets": {
    section: "§4.3",
    statement: "Without an `address` the orders of all wallets are listed.",
    level: "mandatory",
    endpoints,
    impact: "The platform's activity is understated.",
    rulings: ["P3", "R14"],
  },
  "get-all-orders.only-open": {
    section: "§4.3",
    statement:
      "With `onlyOpen` true the pending, partially filled and partially merged orders are listed, and no others.",
    level: "mandatory",
    endpoints,
    impact: "The client shows orders as open that can no longer be filled.",
  },
  "get-all-orders.any-status": {
    section: "§4.3",
    statement: "With `onlyOpen` omitted or false orders of any status are listed, terminal ones too.",
    level: "mandatory",
    endpoints,
    impact: "The client's history lacks what is done.",
    rulings: ["P3"],
  },
  "get-all-orders.sorted-by-timestamp": {
    section: "§4.3",
    statement: "Orders are ordered by `timestamp` descending.",
    level: "mandatory",
    endpoints,
    impact: "A client that stops at the last row that it knows misses newer ones.",
    rulings: ["P4", "W8"],
  },
} as const satisfies Record<string, RuleText>;
