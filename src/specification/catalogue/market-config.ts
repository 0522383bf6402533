import type { QuotingRule } from "../rule.js";

const endpoints = ["GetMarketConfigs"] as const;

/** §2 MarketConfig. */
export const marketConfig = {
  "market-config.creator-address": {
    section: "§2 MarketConfig",
    quotes: { "§2 MarketConfig": ["string (EVM address)"] },
    statement: "`creator`, when set, is an EVM address.",
    level: "mandatory",
    endpoints,
    impact: "A client that parses the creator as an address fails.",
    rulings: ["W1"],
    mayBeAbsent: "a creator of a market (W1)",
  },
  "market-config.maintenance-margin-rate-decimal": {
    section: "§2 MarketConfig",
    quotes: { "§2 MarketConfig": ["maintenanceMarginRate | string (decimal)"] },
    statement: "`maintenanceMarginRate` is a string and, when set, a decimal number.",
    level: "mandatory",
    endpoints,
    impact: "The client cannot parse the rate that decides on liquidation.",
    rulings: ["W1"],
    mayBeAbsent: "a maintenance margin rate (W1)",
  },
  "market-config.fee-config-market": {
    section: "§2 MarketConfig",
    quotes: {
      "§2 MarketConfig": [
        "feeConfig | object: marketId",
        "Units and meanings of market-configuration fields: not shown",
      ],
    },
    statement: "`feeConfig.marketId` is the market's own id, or empty.",
    level: "advisory",
    endpoints,
    impact: "The client applies another market's fees.",
    rulings: ["R19"],
  },
  "market-config.meanings": {
    section: "§2 MarketConfig",
    quotes: { "§2 MarketConfig": ["Units and meanings of market-configuration fields: not shown"] },
    statement: "Units and meanings of the configuration's fields, beyond names and types, are left open.",
    level: "observation",
    endpoints,
    impact: "None stated; a client that computes with them relies on this server.",
  },
} as const satisfies Record<string, QuotingRule>;
