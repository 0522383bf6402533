import { pagedEndpoints } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** §2 PaginationInfo, in both paged listings. */
export const pagination = {
  "pagination.present": {
    section: "§2 PaginationInfo",
    quotes: {
      "§2 PaginationInfo": ["PaginationInfo"],
      "§4.1": ["and pagination (PaginationInfo)"],
      "§4.3": ["and pagination (PaginationInfo)"],
    },
    statement: "Every page carries the `pagination` object.",
    level: "mandatory",
    endpoints: pagedEndpoints,
    impact: "The client knows neither the page size in force nor whether there is a next page.",
    rulings: ["P8"],
  },
  "pagination.limit": {
    section: "§2 PaginationInfo",
    quotes: {
      "§2 PaginationInfo": [
        "Effective page size after defaulting and capping",
        "may exceed the number of rows returned",
      ],
    },
    statement: "`limit` is the effective page size: the requested one from 1 to 1000, also where fewer rows are left.",
    level: "mandatory",
    endpoints: pagedEndpoints,
    impact: "The client steps through the pages with a wrong stride and skips or repeats rows.",
  },
  "pagination.offset": {
    section: "§2 PaginationInfo",
    quotes: { "§2 PaginationInfo": ["Number of matching records skipped"] },
    statement: "`offset` is the number of matching records skipped: the requested offset, up to `totalCount`.",
    level: "mandatory",
    endpoints: pagedEndpoints,
    impact: "The client computes the next page from a wrong place.",
  },
  "pagination.offset-skips-rows": {
    section: "§2 PaginationInfo",
    quotes: {
      "§2 PaginationInfo": ["Number of matching records skipped"],
      "§4.1": ["Rows to skip"],
      "§4.3": ["offset | integer | Default 0"],
    },
    statement:
      "A page at an offset starts with the row that this many rows precede, so that consecutive pages join up.",
    level: "mandatory",
    endpoints: pagedEndpoints,
    impact: "A client that pages through the listing misses rows or sees them twice.",
    rulings: ["P3", "P4"],
  },
  "pagination.tie-order": {
    section: "§2 PaginationInfo",
    quotes: { "§2 PaginationInfo": ["Number of matching records skipped"] },
    statement: "Rows with equal timestamps keep their order from page to page.",
    level: "advisory",
    endpoints: pagedEndpoints,
    impact: "At a page border inside a tie a client misses one row and sees another twice.",
    rulings: ["P4"],
  },
  "pagination.row-count": {
    section: "§2 PaginationInfo",
    quotes: {
      "§2 PaginationInfo": [
        "Effective page size after defaulting and capping",
        "may exceed the number of rows returned",
        "Total matching records across all pages",
      ],
    },
    statement: "A page holds as many rows as the effective limit and the matching records after the offset allow.",
    level: "mandatory",
    endpoints: pagedEndpoints,
    impact: "A short page makes the client stop before the end; a long one overruns its buffers.",
    rulings: ["P3"],
  },
  "pagination.total-count": {
    section: "§2 PaginationInfo",
    quotes: { "§2 PaginationInfo": ["Total matching records across all pages"] },
    statement: "`totalCount` is the number of all matching records, the same whatever limit and offset are asked for.",
    level: "mandatory",
    endpoints: pagedEndpoints,
    impact: "The client shows a wrong number of pages and never reaches the last rows.",
    rulings: ["P3"],
  },
  "pagination.total-count-integer": {
    section: "§2 PaginationInfo",
    quotes: { "§2 PaginationInfo": ["totalCount | integer"] },
    statement: "`totalCount` of the position listing is a JSON integer.",
    level: "mandatory",
    endpoints: ["GetAllPositions"],
    impact: "A typed client refuses the page, or compares numbers with strings.",
    rulings: ["P5", "W7"],
  },
  "pagination.total-count-decimal-string": {
    section: "§2 PaginationInfo",
    quotes: { "§2 PaginationInfo": ["decimal string in order-list output"] },
    statement: "`totalCount` of the order listing is a decimal string.",
    level: "mandatory",
    endpoints: ["GetAllOrders"],
    impact: "A typed client refuses the page.",
    rulings: ["P5", "W4"],
  },
  "pagination.offset-beyond-end": {
    section: "§2 PaginationInfo",
    quotes: { "§2 PaginationInfo": ["Number of matching records skipped"] },
    statement:
      "An offset beyond the end is a success without rows, with the requested offset or `totalCount` as `offset`.",
    level: "mandatory",
    endpoints: pagedEndpoints,
    impact: "A client that pages until nothing is left ends in an error, or never ends.",
    rulings: ["P6"],
  },
  "pagination.negative-values": {
    section: "§2 PaginationInfo",
    quotes: {
      "§2 PaginationInfo": ["Effective page size after defaulting and capping", "Number of matching records skipped"],
    },
    statement: "What a negative `limit` or `offset` does is left open.",
    level: "observation",
    endpoints: pagedEndpoints,
    impact: "None stated; clients should not send one.",
    rulings: ["P2"],
  },
  "pagination.beyond-int32": {
    section: "§2 PaginationInfo",
    quotes: { "§2 PaginationInfo": ["Effective page size after defaulting and capping"] },
    statement: "What a `limit` or `offset` beyond the int32 range does is left open.",
    level: "observation",
    endpoints: pagedEndpoints,
    impact: "None stated; clients should not send one.",
    rulings: ["T3"],
  },
} as const satisfies Record<string, QuotingRule>;
