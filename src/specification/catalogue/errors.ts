import { endpointNames, unaryEndpointNames, walletEndpoints } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** The operations whose requests have fields other than a market selector. */
const beyondSelector = [
  "GetAllPositions",
  "GetOpenPositionsStreaming",
  "GetAllOrders",
  "GetOrders",
  "GetPortfolio",
  "GetOrderBook",
  "GetHistoricalPrices",
  "GetMarketIdByName",
] as const;

/**
 * §7 Errors. The error object is judged on unary operations only. §6 leaves open how an error appears inside a stream, so
 * there it is only the observation `events.end-of-stream`.
 */
export const errors = {
  "errors.shape": {
    section: "§7",
    quotes: { "§7": ["the Connect error JSON object with fields code", "and message (string)"] },
    statement: "An error is a JSON object with the strings `code` and `message`.",
    level: "mandatory",
    endpoints: unaryEndpointNames,
    impact: "The client can neither act on the error nor show it.",
    rulings: ["E2", "W1"],
  },
  "errors.code-lowercase": {
    section: "§7",
    quotes: { "§7": ["code (string, lowercase snake case)"] },
    statement: "An error's `code` is written in lower snake case.",
    level: "mandatory",
    endpoints: unaryEndpointNames,
    impact: "A Connect client does not recognize the code and reports an unknown error.",
    rulings: ["E1"],
  },
  "errors.code-known": {
    section: "§7",
    quotes: { "§7": ["code (string, lowercase snake case)"] },
    statement: "An error's `code` is a documented one or another standard Connect code.",
    level: "mandatory",
    endpoints: unaryEndpointNames,
    impact: "A Connect client does not recognize the code and reports an unknown error.",
    rulings: ["E4"],
  },
  "errors.documented-outcome": {
    section: "§7",
    quotes: { "§7": ["internal | Server-side failure"] },
    statement:
      "A well-typed request whose outcome is documented is never answered with `internal` or with no Connect answer at all.",
    level: "mandatory",
    endpoints: endpointNames,
    impact: "A valid request crashes the server's handler, and the client shows an outage.",
    rulings: ["E5"],
  },
  "errors.malformed-body": {
    section: "§7",
    quotes: {
      "§7": ["missing required field, malformed selector, out-of-range value"],
      "§1": ["with a JSON body"],
      "§4": ["{base_url}/<package.Service>/<Method>, JSON body"],
    },
    statement: "A body that is not a JSON object is answered with an error, never with a success.",
    level: "advisory",
    endpoints: endpointNames,
    impact: "A broken request is answered as if it had been an empty one.",
    rulings: ["E6"],
  },
  "errors.empty-body": {
    section: "§7",
    quotes: { "§7": ["missing required field, malformed selector, out-of-range value"] },
    statement: "Whether a request without any body is an empty request or refused is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; clients should send a JSON object.",
    rulings: ["E6"],
  },
  "errors.wrong-type": {
    section: "§7",
    quotes: { "§7": ["missing required field, malformed selector, out-of-range value"] },
    statement:
      "Outside of a market selector, a field of a JSON type that no reading accepts for it is answered with an error, never with a success.",
    level: "advisory",
    endpoints: beyondSelector,
    impact: "A mistyped field is dropped, and the client gets data that it did not ask for.",
    rulings: ["E6"],
  },
  "errors.malformed-request-code": {
    section: "§7",
    quotes: { "§7": ["missing required field, malformed selector, out-of-range value"] },
    statement: "The Connect error for a malformed body or a wrong JSON type has the code `invalid_argument`.",
    level: "advisory",
    endpoints: unaryEndpointNames,
    impact: "The client retries a request that can never succeed.",
    rulings: ["E6"],
  },
  "errors.malformed-request-answer": {
    section: "§7",
    quotes: { "§7": ["the Connect error JSON object with fields code"] },
    statement:
      "A malformed body or a wrong JSON type is answered with a Connect error, not with HTML, nothing or a reset.",
    level: "advisory",
    endpoints: endpointNames,
    impact: "The client shows an outage where it made a mistake.",
    rulings: ["E5"],
  },
  "errors.lenient-types": {
    section: "§7",
    quotes: { "§7": ["missing required field, malformed selector, out-of-range value"] },
    statement: "Whether numeric strings for numbers, numbers for ids, and `null` are accepted is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; clients should send the documented types.",
    rulings: ["E6"],
  },
  "errors.ignored-field-values": {
    section: "§7",
    quotes: { "§7": ["missing required field, malformed selector, out-of-range value"] },
    statement: "What a value of another type does in a field that the operation ignores is left open.",
    level: "observation",
    endpoints: ["GetOrderBook", "GetHistoricalPrices"],
    impact: "None stated; clients should leave the field out.",
    rulings: ["E6"],
  },
  "errors.malformed-address": {
    section: "§7",
    quotes: {
      "§7": ["missing required field, malformed selector, out-of-range value"],
      "§1": ["Wallet addresses are EVM addresses"],
    },
    statement: "Whether a malformed wallet address is refused or names a wallet without data is left open.",
    level: "observation",
    endpoints: walletEndpoints,
    impact: "None stated; clients should check addresses themselves.",
    rulings: ["R12"],
  },
  "errors.missing-address": {
    section: "§7",
    quotes: { "§7": ["missing required field, malformed selector, out-of-range value"] },
    statement: "Whether a missing wallet address is refused or names a wallet without data is left open.",
    level: "observation",
    endpoints: ["GetOpenPositionsStreaming", "GetOrders", "GetPortfolio"],
    impact: "None stated; clients should send one.",
    rulings: ["R12"],
  },
  "errors.http-status": {
    section: "§7",
    quotes: { "§7": ["HTTP status mapping: not shown"] },
    statement: "Which HTTP status goes with an error is left open.",
    level: "observation",
    endpoints: unaryEndpointNames,
    impact: "None stated; clients should go by the code.",
    rulings: ["E3"],
  },
  "errors.other-codes": {
    section: "§7",
    quotes: { "§7": ["Error codes of each remaining endpoint beyond those above: not shown"] },
    statement: "Which codes an operation uses beyond those documented for it is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; clients have to be ready for any Connect code.",
    rulings: ["E4"],
  },
} as const satisfies Record<string, QuotingRule>;
