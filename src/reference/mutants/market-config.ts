import { isObject, type MutableJson, raw } from "../json.js";
import { breaking, type Mutant } from "../modification.js";
import { editMarketConfig } from "../resource-interceptors.js";

/** Changes a text field of all configurations, or of one market's. */
function changeText(field: string, change: (text: string) => MutableJson, marketId?: string): Mutant["response"] {
  return editMarketConfig((config) => {
    const text = config[field];
    const isMeant = marketId === undefined || config.marketId === marketId;
    if (isMeant && typeof text === "string") config[field] = change(text);
  });
}

/** Servers that break one rule of §2 MarketConfig. */
export const marketConfig: readonly Mutant[] = [
  ...breaking("market-config.fee-config-market", {
    "market-config-fees-of-the-first-market": {
      summary: "The feeConfig of every market names the first one.",
      response: editMarketConfig(({ feeConfig }) => {
        if (isObject(feeConfig)) feeConfig.marketId = "1";
      }),
    },
  }),

  ...breaking("market-config.creator-address", {
    "market-config-creator-without-prefix": {
      summary: "The creator of a market is given without 0x.",
      response: changeText("creator", (creator) => creator.slice(2)),
    },
    "market-config-creator-shortened": {
      summary: "The creator of a market is shortened for display.",
      response: changeText("creator", (creator) => `${creator.slice(0, 6)}...${creator.slice(-4)}`),
    },
    "market-config-one-creator-a-name": {
      summary: "The creator of one market is a name.",
      response: changeText("creator", () => "treasury.eth", "44"),
    },
    "market-config-creator-padded-to-32-bytes": {
      summary: "The creator of a market is padded to 32 bytes.",
      response: changeText("creator", (creator) => `0x${"0".repeat(24)}${creator.slice(2)}`),
    },
  }),

  ...breaking("market-config.maintenance-margin-rate-decimal", {
    "market-config-margin-rate-as-number": {
      summary: "The maintenance margin rate is a JSON number.",
      response: changeText("maintenanceMarginRate", (rate) => raw(rate)),
    },
    "market-config-margin-rate-in-percent": {
      summary: "The maintenance margin rate carries a percent sign.",
      response: changeText("maintenanceMarginRate", (rate) => `${Number(rate) * 100}%`),
    },
    "market-config-margin-rate-with-comma": {
      summary: "The maintenance margin rate has a decimal comma.",
      response: changeText("maintenanceMarginRate", (rate) => rate.replace(".", ",")),
    },
    "market-config-one-margin-rate-not-available": {
      summary: "The maintenance margin rate of one market is n/a.",
      response: changeText("maintenanceMarginRate", () => "n/a", "12"),
    },
  }),
];
