import { endpointNames } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** §4 up to its first endpoint: what all operations have in common. */
export const protocol = {
  "protocol.request-content-type": {
    section: "§4",
    quotes: {
      "§4": ["Content-Type | yes | application/json"],
      "§1 Wire conventions": ["Content-Type: application/json"],
    },
    statement:
      "What a request gets whose content type is missing, has parameters, or is not `application/json` is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; clients should send the documented content type.",
  },
  "protocol.connect-version-optional": {
    section: "§4",
    quotes: {
      "§4": ["only value 1; default 1 if omitted"],
      "§9": ["the only allowed value is 1, the default when omitted"],
    },
    statement: "`Connect-Protocol-Version: 1` and no such header behave the same.",
    level: "mandatory",
    endpoints: endpointNames,
    impact: "Either a plain HTTP client or a generated Connect client is shut out.",
    rulings: ["H1"],
  },
  "protocol.connect-version-other": {
    section: "§4",
    quotes: {
      "§4": ["only value 1; default 1 if omitted"],
      "§9": ["the only allowed value is 1, the default when omitted"],
    },
    statement: "What a `Connect-Protocol-Version` other than 1 gets is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; clients should send 1.",
    rulings: ["H1"],
  },
  "protocol.timeout-generous": {
    section: "§4",
    quotes: { "§4": ["request timeout in milliseconds"] },
    statement: "A `Connect-Timeout-Ms` that does not elapse changes nothing.",
    level: "mandatory",
    endpoints: endpointNames,
    impact: "A client that sets a deadline, as generated clients do, gets another answer or none.",
    rulings: ["H2"],
  },
} as const satisfies Record<string, QuotingRule>;
