import { endpointNames } from "../endpoints.js";
import type { RuleText } from "../rule.js";

/** §5 Authentication. */
export const authentication = {
  "authentication.missing-token": {
    section: "§5",
    statement: "What a request without an `Authorization` header gets is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None by the text, which both requires the header and leaves it out of its sample call.",
    rulings: ["H3"],
  },
  "authentication.invalid-token": {
    section: "§5",
    statement: "What a request with an invalid bearer token gets is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None by the text; a client cannot know how an expired token shows.",
    rulings: ["H3"],
  },
} as const satisfies Record<string, RuleText>;
