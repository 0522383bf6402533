import type { QuotingRule } from "../rule.js";

/** §2 Candlestick. */
export const candlestick = {
  "candlestick.low-high": {
    section: "§2 Candlestick",
    quotes: { "§2 Candlestick": ["high, low"] },
    statement: "`open` and `close` lie between `low` and `high`.",
    level: "advisory",
    endpoints: ["GetHistoricalPrices"],
    impact: "The client draws a candle whose body sticks out of its wick.",
    rulings: ["C4"],
  },
} as const satisfies Record<string, QuotingRule>;
