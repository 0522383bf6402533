import { selectorEndpoints } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** The operations in which the selector is required (S3). */
const requiringEndpoints = ["GetOrderBook", "GetHistoricalPrices", "GetMarketConfigs"] as const;

/** The operations that resolve symbols (S8). */
const symbolEndpoints = ["GetOrders", "GetOrderBook", "GetMarketConfigs"] as const;

/** §1 Market selector, shared by four operations. */
export const selector = {
  "selector.both-alternatives": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": [
        "Object market with exactly one of two alternatives",
        "An invalid selector yields invalid_argument",
      ],
    },
    statement: "A selector with both `marketId` and `marketSymbol` is refused with `invalid_argument`.",
    level: "mandatory",
    endpoints: symbolEndpoints,
    impact: "A contradictory request is answered for one of two markets, and the client cannot know which.",
    rulings: ["S1"],
  },
  "selector.neither-alternative": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": [
        "Object market with exactly one of two alternatives",
        "An invalid selector yields invalid_argument",
      ],
      "§7": ["Selector without a non-zero market id or a valid asset symbol: invalid_argument"],
    },
    statement: "A selector object with neither alternative is refused with `invalid_argument`.",
    level: "mandatory",
    endpoints: selectorEndpoints,
    impact: "A client that forgot to fill the selector gets data of some or of every market.",
    rulings: ["S1"],
  },
  "selector.null-alternative": {
    section: "§1 Market selector",
    quotes: { "§1 Market selector": ["Object market with exactly one of two alternatives"] },
    statement: "How an alternative that is `null` is taken is left open.",
    level: "observation",
    endpoints: selectorEndpoints,
    impact: "None stated; clients should leave the other alternative out.",
    rulings: ["S1"],
  },
  "selector.required": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": [
        "Object market with exactly one of two alternatives",
        "An invalid selector yields invalid_argument",
      ],
      "§4.6": ["market | market selector | Required"],
      "§4.7": ["Only the marketId form is supported and it must be non-zero"],
      "§4.8": ["market selector, by id or symbol"],
      "§7": ["missing required field, malformed selector, out-of-range value"],
    },
    statement: "Where the selector is required, a request without `market` is refused with `invalid_argument`.",
    level: "mandatory",
    endpoints: requiringEndpoints,
    impact: "A client that forgot the market gets data of a market it did not choose.",
    rulings: ["S3"],
  },
  "selector.wrong-type": {
    section: "§1 Market selector",
    quotes: { "§1 Market selector": ["An invalid selector yields invalid_argument"] },
    statement:
      "A selector, or a field of one, of a JSON type that no reading accepts for it is answered with an error, never with a success.",
    level: "mandatory",
    endpoints: selectorEndpoints,
    impact: "A mistyped selector is dropped, and the client gets data of a market that it did not ask for.",
    rulings: ["E6"],
  },
  "selector.zero-id": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": ["A non-zero numeric id is required", "An invalid selector yields invalid_argument"],
      "§4.7": ["Only the marketId form is supported and it must be non-zero"],
      "§7": ["Selector without a non-zero market id or a valid asset symbol: invalid_argument"],
    },
    statement: 'The market id `"0"` is refused with `invalid_argument`.',
    level: "mandatory",
    endpoints: selectorEndpoints,
    impact: "An unset id is answered as if a market had been chosen.",
    rulings: ["S2"],
  },
  "selector.non-numeric-id": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": [
        "by id | { marketId: string(int64 decimal) }",
        "A non-zero numeric id is required",
        "An invalid selector yields invalid_argument",
      ],
      "§7": ["Selector without a non-zero market id or a valid asset symbol: invalid_argument"],
    },
    statement: "A market id that is empty, has letters or is a fraction is refused with `invalid_argument`.",
    level: "mandatory",
    endpoints: selectorEndpoints,
    impact: "A mistyped id is truncated to a number and answered for another market.",
    rulings: ["S2"],
  },
  "selector.id-beyond-int64": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": [
        "by id | { marketId: string(int64 decimal) }",
        "An invalid selector yields invalid_argument",
      ],
    },
    statement: "A market id beyond the int64 range is refused with `invalid_argument`.",
    level: "mandatory",
    endpoints: selectorEndpoints,
    impact: "The id wraps around or is rounded, and another market answers.",
    rulings: ["S2"],
  },
  "selector.negative-id": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": ["A non-zero numeric id is required", "An invalid selector yields invalid_argument"],
    },
    statement: "A negative market id is refused with `invalid_argument` or `not_found`.",
    level: "mandatory",
    endpoints: selectorEndpoints,
    impact: "An impossible id looks like a market without data.",
    rulings: ["S2"],
  },
  "selector.unsettled-id-forms": {
    section: "§1 Market selector",
    quotes: { "§1 Market selector": ["by id | { marketId: string(int64 decimal) }"] },
    statement:
      "How ids with surrounding whitespace, leading zeros, an exponent, or as a JSON number are taken is left open.",
    level: "observation",
    endpoints: selectorEndpoints,
    impact: "None stated; clients should send the plain decimal string.",
    rulings: ["S2"],
  },
  "selector.by-symbol": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": [
        "{ marketSymbol: { assetSymbol: string, quoteSymbol: string } }",
        "Accepted by most endpoints; not resolved by GetHistoricalPrices",
      ],
      "§4.6": ["Required; by id or symbol"],
      "§4.8": ["market selector, by id or symbol"],
    },
    statement: "A selector by symbol selects the same market as the selector by that market's id.",
    level: "mandatory",
    endpoints: symbolEndpoints,
    impact: "A client that knows the symbols only cannot reach the market, or reaches another.",
    rulings: ["S8"],
  },
  "selector.unknown-id-other-market": {
    section: "§1 Market selector",
    quotes: { "§1 Market selector": ["An invalid selector yields invalid_argument"] },
    statement: "A well-formed id of no market never yields another market's data.",
    level: "mandatory",
    endpoints: selectorEndpoints,
    impact: "A client trades on prices of a market it did not ask for.",
    rulings: ["S4"],
  },
  "selector.unknown-id-code": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": ["An invalid selector yields invalid_argument"],
      "§7": ["Requested order, position, market or price does not exist"],
    },
    statement:
      "A well-formed id of no market is refused with `not_found`, or matches nothing in GetOrders and GetHistoricalPrices.",
    level: "advisory",
    endpoints: selectorEndpoints,
    impact: "A client cannot tell a market that does not exist from one without data, or from its own mistake.",
    rulings: ["S4"],
  },
  "selector.unknown-symbol": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": ["An invalid selector yields invalid_argument"],
      "§7": ["Requested order, position, market or price does not exist"],
    },
    statement:
      "A symbol pair of no market is refused with `invalid_argument` or `not_found`, or matches nothing in GetOrders.",
    level: "mandatory",
    endpoints: symbolEndpoints,
    impact: "A mistyped symbol is answered with another market's data.",
    rulings: ["S5"],
  },
  "selector.blank-asset-symbol": {
    section: "§1 Market selector",
    quotes: {
      "§1 Market selector": ["An invalid selector yields invalid_argument"],
      "§7": ["Selector without a non-zero market id or a valid asset symbol: invalid_argument"],
    },
    statement: "A symbol selector whose `assetSymbol` is absent or blank is refused with `invalid_argument`.",
    level: "mandatory",
    endpoints: symbolEndpoints,
    impact: "A request without an asset is answered as if a market had been chosen.",
    rulings: ["S6"],
  },
  "selector.symbol-dressing": {
    section: "§1 Market selector",
    quotes: { "§1 Market selector": ["{ marketSymbol: { assetSymbol: string, quoteSymbol: string } }"] },
    statement: "Whether case and whitespace around the symbols of a selector matter is left open.",
    level: "observation",
    endpoints: symbolEndpoints,
    impact: "None stated; clients should send the symbols as the market is named.",
    rulings: ["S6"],
  },
  "selector.symbol-without-quote": {
    section: "§1 Market selector",
    quotes: { "§1 Market selector": ["{ marketSymbol: { assetSymbol: string, quoteSymbol: string } }"] },
    statement: "What a symbol selector without `quoteSymbol` selects is left open.",
    level: "observation",
    endpoints: symbolEndpoints,
    impact: "None stated; clients should send both symbols.",
    rulings: ["S8"],
  },
  "selector.pair-name-as-asset-symbol": {
    section: "§1 Market selector",
    quotes: { "§1 Market selector": ["{ marketSymbol: { assetSymbol: string, quoteSymbol: string } }"] },
    statement: "What a symbol selector with a full market name as `assetSymbol` alone selects is left open.",
    level: "observation",
    endpoints: symbolEndpoints,
    impact: "None stated; clients should send both symbols.",
    rulings: ["S8"],
  },
} as const satisfies Record<string, QuotingRule>;
