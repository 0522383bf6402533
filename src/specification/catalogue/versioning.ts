import { endpointNames } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** §9 Versioning. */
export const versioning = {
  "versioning.interface-version": {
    section: "§9",
    quotes: { "§9": ["Interface version is 1.0.0"] },
    statement: "The interface version is 1.0.0.",
    level: "unobservable",
    endpoints: endpointNames,
    impact: "The client speaks to another version than it was built for.",
    reason: "No operation reports the version; only the `v1` in the paths can be seen.",
  },
} as const satisfies Record<string, QuotingRule>;
