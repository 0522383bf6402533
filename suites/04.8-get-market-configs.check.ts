import { isConfigOf } from "../src/judge/markets.js";
import { suite } from "../src/verdict/define.js";
import { marketConfigs } from "../src/verdict/selectors.js";

export default suite("§4.8 GetMarketConfigs", ({ check, invariant }) => {
  invariant("get-market-configs.market-id");

  // Request: market (market selector, by id or symbol). Response: marketConfig (MarketConfig).
  check("get-market-configs.market-id", async (context) => {
    for (const { market, answer } of await marketConfigs(context)) {
      context.verify(answer).satisfies((body) => isConfigOf(market.marketId, body));
    }
  });
});
