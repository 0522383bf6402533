import { breaking, type Mutant } from "../modification.js";
import { editMarketConfig } from "../resource-interceptors.js";

/** Changes the market id in configurations. */
function changeMarketId(change: (id: string) => string | undefined): Mutant["response"] {
  return editMarketConfig((config) => {
    config.marketId = change(String(config.marketId));
  });
}

/** Servers that break one rule of §4.8. */
export const getMarketConfigs: readonly Mutant[] = [
  ...breaking("get-market-configs.market-id", {
    "market-configs-id-through-a-double": {
      summary: "GetMarketConfigs takes the id of a configuration through a JavaScript number.",
      alsoFails: ["relations.market-id-configs", "selector.by-symbol", "market-config.fee-config-market"],
      response: changeMarketId((id) => String(BigInt(Number(id)))),
    },
    "market-configs-without-id": {
      summary: "GetMarketConfigs leaves the id of a configuration unset.",
      alsoFails: ["relations.market-id-configs", "selector.by-symbol", "market-config.fee-config-market"],
      response: changeMarketId(() => undefined),
    },
    "market-configs-one-id-is-another-markets": {
      summary: "GetMarketConfigs gives the configuration of one market the id of another.",
      alsoFails: ["relations.market-id-configs", "market-config.fee-config-market", "selector.by-symbol"],
      response: changeMarketId((id) => (id === "44" ? "12" : id)),
    },
  }),
];
