import { endpointNames } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** §5 Authentication. */
export const authentication = {
  "authentication.missing-token": {
    section: "§5",
    quotes: {
      "§5": [
        "Declared scheme: HTTP bearer with JWT format",
        "header Authorization: Bearer <ACCESS_TOKEN>",
        "Endpoint definitions list it as required",
        "authentication will be introduced in a future API version",
        "its sample call carries no Authorization header",
        "Response to a missing or invalid token: not shown",
      ],
      "§4": ["Authorization | see Authentication | Bearer <ACCESS_TOKEN>"],
    },
    statement: "What a request without an `Authorization` header gets is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated in the text, which both requires the header and leaves it out of its sample call.",
    rulings: ["H3"],
  },
  "authentication.invalid-token": {
    section: "§5",
    quotes: {
      "§5": [
        "Declared scheme: HTTP bearer with JWT format",
        "header Authorization: Bearer <ACCESS_TOKEN>",
        "Endpoint definitions list it as required",
        "Response to a missing or invalid token: not shown",
      ],
      "§4": ["Authorization | see Authentication | Bearer <ACCESS_TOKEN>"],
    },
    statement: "What a request with an invalid bearer token gets is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; a client cannot know how an expired token shows.",
    rulings: ["H3"],
  },
} as const satisfies Record<string, QuotingRule>;
