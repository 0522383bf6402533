import type { QuotingRule } from "../rule.js";

const endpoints = ["GetMarketIdByName"] as const;

/** §4.9 GetMarketIdByName. */
export const getMarketIdByName = {
  "get-market-id-by-name.asset-symbol-required": {
    section: "§4.9",
    quotes: {
      "§4.9": ["assetSymbol | string | Required", "Blank fails with INVALID_ARGUMENT"],
      "§7": ["missing required field, malformed selector, out-of-range value"],
    },
    statement: "An omitted or empty `assetSymbol` is refused with `invalid_argument`.",
    level: "mandatory",
    endpoints,
    impact: "A client that forgot the symbol gets the id of a market that it did not choose.",
  },
  "get-market-id-by-name.asset-symbol-blank": {
    section: "§4.9",
    quotes: {
      "§4.9": ["Blank fails with INVALID_ARGUMENT"],
      "§7": ["GetMarketIdByName with a blank assetSymbol: INVALID_ARGUMENT"],
    },
    statement: "An `assetSymbol` of nothing but whitespace is refused with `invalid_argument`.",
    level: "mandatory",
    endpoints,
    impact: "A client cannot tell an empty input field from a market that does not exist.",
  },
  "get-market-id-by-name.asset-symbol-trimmed": {
    section: "§4.9",
    quotes: { "§4.9": ["Required; trimmed"] },
    statement: "Whitespace around `assetSymbol` is trimmed.",
    level: "mandatory",
    endpoints,
    impact: "A pasted symbol finds no market.",
  },
  "get-market-id-by-name.asset-symbol-case-insensitive": {
    section: "§4.9",
    quotes: { "§4.9": ["trimmed, case-insensitive"] },
    statement: "`assetSymbol` is matched without regard to case.",
    level: "mandatory",
    endpoints,
    impact: "A symbol typed in lower case finds no market.",
  },
  "get-market-id-by-name.quote-symbol-omitted": {
    section: "§4.9",
    quotes: { "§4.9": ["quoteSymbol | string | Optional", "targets a market named exactly by the asset symbol alone"] },
    statement: "Without `quoteSymbol` only a market named exactly by the asset symbol is found, else `not_found`.",
    level: "mandatory",
    endpoints,
    impact: "A client that left the quote out is given one of several markets at random.",
    rulings: ["S8"],
  },
  "get-market-id-by-name.quote-symbol-dressing": {
    section: "§4.9",
    quotes: { "§4.9": ["trimmed, case-insensitive"] },
    statement: "Whether case and whitespace around `quoteSymbol` matter is left open.",
    level: "observation",
    endpoints,
    impact: "None stated; clients should send the symbol as the market is named.",
    rulings: ["S6"],
  },
  "get-market-id-by-name.unknown-pair": {
    section: "§4.9",
    quotes: {
      "§4.9": ["Unknown asset/quote combination fails with NOT_FOUND"],
      "§7": ["Requested order, position, market or price does not exist", "unknown pair: NOT_FOUND"],
    },
    statement: "A combination of asset and quote that names no market is refused with `not_found`.",
    level: "mandatory",
    endpoints,
    impact: "A client cannot tell a market that does not exist from its own mistake, or is given another market.",
  },
} as const satisfies Record<string, QuotingRule>;
