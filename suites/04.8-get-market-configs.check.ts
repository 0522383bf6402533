import { suite } from "../src/engine/define.js";

export default suite("§4.8 GetMarketConfigs", ({ invariant }) => {
  // Request: market (market selector, by id or symbol). Response: marketConfig (MarketConfig).
  invariant("get-market-configs.market-id");
});
