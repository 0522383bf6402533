import type { QuotingRule } from "../rule.js";

/** §4.8 GetMarketConfigs. */
export const getMarketConfigs = {
  "get-market-configs.market-id": {
    section: "§4.8",
    quotes: {
      "§4.8": ["market selector, by id or symbol"],
      "§1 Market selector": ["by id | { marketId: string(int64 decimal) }"],
    },
    statement: "The configuration answered for a market id is that market's: its `marketId` is the requested one.",
    level: "mandatory",
    endpoints: ["GetMarketConfigs"],
    impact: "The client checks orders against another market's limits.",
  },
} as const satisfies Record<string, QuotingRule>;
