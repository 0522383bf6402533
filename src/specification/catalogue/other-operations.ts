import type { RuleText } from "../rule.js";

/** §4 Other operations. */
export const otherOperations = {
  "other-operations.listed": {
    section: "§4 Other operations",
    statement:
      "The service groups also list order lookup, fee preview, a liquidity check, position fees, oracle price, market summaries and fill history.",
    level: "unobservable",
    endpoints: [],
    impact: "The client cannot use an operation that the groups list.",
    rulings: ["H5"],
    reason: "Neither paths nor shapes of these operations are shown, so no request to them can be judged.",
  },
} as const satisfies Record<string, RuleText>;
