import type { RuleText } from "../rule.js";

/** §4.8 GetMarketConfigs. */
export const getMarketConfigs = {
  "get-market-configs.market-id": {
    section: "§4.8",
    statement: "The configuration answered for a market id is that market's: its `marketId` is the requested one.",
    level: "mandatory",
    endpoints: ["GetMarketConfigs"],
    impact: "The client checks orders against another market's limits.",
  },
} as const satisfies Record<string, RuleText>;
