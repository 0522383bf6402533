import { suite } from "../src/engine/define.js";
import { withSearchedPlaces } from "../src/judge/judgement.js";
import { configInWords, feeConfigIsOfTheMarket } from "../src/judge/markets.js";
import { marketConfigOf } from "../src/judge/read.js";
import { judgeWireRule } from "../src/judge/wire-rule.js";
import { marketConfigs } from "./support/selectors.js";

export default suite("§2 MarketConfig", ({ check, observe }) => {
  // creator: string (EVM address). maintenanceMarginRate: string (decimal).
  for (const rule of ["market-config.creator-address", "market-config.maintenance-margin-rate-decimal"] as const) {
    check(rule, async (context) => {
      for (const { answer } of await marketConfigs(context)) {
        context.verify(answer).satisfies((body) => {
          const configs = [marketConfigOf(body)].filter((config) => config !== undefined);
          return withSearchedPlaces(
            configs,
            judgeWireRule(rule, "GetMarketConfigs", body, "a market configuration in which the field is set"),
          );
        });
      }
    });
  }

  // feeConfig: object: marketId (string), ...
  check("market-config.fee-config-market", async (context) => {
    for (const { answer } of await marketConfigs(context)) context.verify(answer).satisfies(feeConfigIsOfTheMarket);
  });

  // Units and meanings of market-configuration fields: not shown beyond names and types.
  observe("market-config.meanings", async (context) => {
    for (const { market, answer } of await marketConfigs(context)) {
      context.record(`market ${market.marketId}`, configInWords(context.verify(answer).body()));
    }
  });
});
