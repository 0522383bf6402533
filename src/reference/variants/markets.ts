import { mapMarkets } from "../dataset/dataset.js";
import type { Market } from "../dataset/model.js";
import { isObject } from "../json.js";
import { on, SubstituteResponse, type Variant } from "../modification.js";
import { documented } from "../parameters.js";
import { editMarketConfig } from "../resource-interceptors.js";
import {
  byId,
  changeCode,
  changeId,
  changeSelector,
  changeSymbols,
  isOfAsset,
  isUnknownId,
  isUnknownPair,
  listedMarkets,
  marketNamed,
  readSymbols,
  symbolsIn,
  textOrEmpty,
} from "../selector-interceptors.js";

/** Operations that take a selector. */
const selecting = ["GetOrders", "GetOrderBook", "GetHistoricalPrices", "GetMarketConfigs"] as const;
/** Operations that resolve symbols. */
const resolving = ["GetOrders", "GetOrderBook", "GetMarketConfigs"] as const;

/** Changes the names of the listed markets. */
function named(name: (market: Market) => Partial<Market>): Variant["dataset"] {
  return (data) => mapMarkets(data, (market) => (market.listed ? { ...market, ...name(market) } : market));
}

/** Names markets by both symbols with a separator; a market without a quote keeps its name. */
function joined(separator: string): Variant["dataset"] {
  return named(({ assetSymbol, quoteSymbol }) =>
    quoteSymbol === "" ? {} : { name: `${assetSymbol}${separator}${quoteSymbol}` },
  );
}

/** Conformant ways to name and select markets (S1 to S9), and to configure them. */
export const markets: readonly Variant[] = [
  ...(
    [
      ["dash", "-"],
      ["underscore", "_"],
      ["colon", ":"],
      ["blanks", " / "],
    ] as const
  ).map(
    ([name, separator]): Variant => ({
      kind: "variant",
      name: `market-names-with-${name}`,
      summary: `Markets are named by both symbols with "${separator}" between them (S8).`,
      touches: ["market names", "selectors"],
      dataset: joined(separator),
    }),
  ),
  {
    kind: "variant",
    name: "market-names-without-separator",
    summary: "Markets are named by both symbols with nothing between them (S8).",
    dataset: joined(""),
  },
  {
    kind: "variant",
    name: "market-names-in-words",
    summary: "Market names are words that tell nothing of the symbols (S8).",
    dataset: named(({ assetSymbol }) => ({ name: `Perpetual on ${assetSymbol.toLowerCase()}` })),
  },
  {
    kind: "variant",
    name: "market-name-splits-into-another-pair",
    summary: "The first market is named BTC-USD-PERP, and the pair of BTC and USD-PERP belongs to the second one (S8).",
    dataset: named(({ id }) => {
      if (id === 1n) return { name: "BTC-USD-PERP" };
      return id === 2n ? { name: "BTCP", assetSymbol: "BTC", quoteSymbol: "USD-PERP" } : {};
    }),
  },
  {
    kind: "variant",
    name: "asset-symbols-of-one-letter",
    summary:
      "Assets have symbols of one letter, as some do, and one of them a letter without a capital of its own (S8).",
    touches: ["market names", "selectors"],
    dataset: (data) => {
      const letters = [..."\u00dfABCDEFGHIJKLMNOPQRSTUVWXYZ"];
      return mapMarkets(data, (market) => {
        const assetSymbol = market.listed && market.quoteSymbol !== "" ? letters.shift() : undefined;
        return assetSymbol ? { ...market, assetSymbol, name: `${assetSymbol}/${market.quoteSymbol}` } : market;
      });
    },
  },
  {
    kind: "variant",
    name: "market-names-in-lower-case",
    summary: "Market names are written in lower case (S8).",
    touches: ["market names", "selectors"],
    dataset: named(({ name }) => ({ name: name.toLowerCase() })),
  },
  {
    kind: "variant",
    name: "markets-named-by-their-asset",
    summary: "Markets have an asset symbol and no quote symbol (S8).",
    dataset: named(({ assetSymbol }) => ({ name: assetSymbol, quoteSymbol: "" })),
  },
  {
    kind: "variant",
    name: "markets-named-by-their-asset-with-a-quote",
    summary: "Markets are named by their asset symbol, and are found with and without their quote symbol (S8).",
    touches: ["market names", "selectors"],
    dataset: named(({ assetSymbol }) => ({ name: assetSymbol })),
  },

  {
    kind: "variant",
    name: "get-orders-unknown-id-not-found",
    summary: "GetOrders answers not_found to an id that no market has (S4).",
    touches: ["selectors"],
    // Errors for unknown symbols keep their code, which is also not_found.
    request: changeId("GetOrders", (id, data) => (isUnknownId(id, data) ? "-1" : undefined)),
    error: changeCode("GetOrders", "not_found", (given) => given?.marketId === "-1"),
  },
  {
    kind: "variant",
    name: "historical-prices-symbol-beside-id-ignored",
    summary: "GetHistoricalPrices, which does not resolve symbols, overlooks them beside an id (S1).",
    touches: ["selectors"],
    request: changeSelector("GetHistoricalPrices", (given) =>
      given?.marketId !== undefined && given.marketSymbol !== undefined ? { marketId: given.marketId } : undefined,
    ),
  },
  {
    kind: "variant",
    name: "historical-prices-unknown-id-no-candles",
    summary: "GetHistoricalPrices returns no candles for an id that no market has (S4).",
    touches: ["selectors"],
    request: changeId("GetHistoricalPrices", (id, data) =>
      isUnknownId(id, data) ? new SubstituteResponse({ priceCandleSticks: [] }) : undefined,
    ),
  },
  {
    kind: "variant",
    name: "negative-ids-not-found",
    summary: "A negative id is refused with not_found (S2).",
    touches: ["selectors"],
    error: changeCode(selecting, "not_found", (given) => /^-\d+$/.test(textOrEmpty(given?.marketId))),
  },
  {
    kind: "variant",
    name: "ids-in-one-notation",
    summary: "Ids with whitespace, leading zeros or a sign, and JSON numbers, are refused (S2).",
    touches: ["selectors"],
    request: changeSelector(selecting, (given) => {
      const id = given?.marketId;
      return id === undefined || (typeof id === "string" && /^-?[1-9]\d*$/.test(id)) ? undefined : { marketId: "x" };
    }),
  },
  {
    kind: "variant",
    name: "null-alternatives-are-absent",
    summary: "An alternative of a selector that is null counts as absent (S1).",
    touches: ["selectors"],
    request: changeSelector(selecting, (given) => {
      if (given?.marketId !== null && given?.marketSymbol !== null) return undefined;
      return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    }),
  },
  {
    kind: "variant",
    name: "selector-unknown-symbols-invalid",
    summary: "Selectors refuse unknown symbols with invalid_argument (S5).",
    touches: ["selectors"],
    error: changeCode(resolving, "invalid_argument", (given) => symbolsIn(given) !== undefined),
  },
  {
    kind: "variant",
    name: "get-orders-unknown-symbols-match-nothing",
    summary: "GetOrders lists nothing for unknown symbols (S5).",
    touches: ["selectors"],
    request: changeSymbols("GetOrders", (symbols, data) =>
      isUnknownPair(symbols, data) ? new SubstituteResponse({ orders: [] }) : undefined,
    ),
  },
  {
    kind: "variant",
    name: "selector-symbols-as-written",
    summary: "Selectors compare symbols as they are written, without trimming and folding (S6).",
    touches: ["selectors"],
    parameters: {
      symbol: (endpoint, input) => (endpoint === "GetMarketIdByName" ? documented.symbol(endpoint, input) : input),
    },
  },
  {
    kind: "variant",
    name: "selector-asset-alone-finds-first",
    summary: "A selector with an asset symbol alone selects the first market of that asset (S8).",
    touches: ["selectors"],
    request: changeSymbols(resolving, ({ asset, quote }, data) =>
      quote === "" ? byId(listedMarkets(data).find((market) => isOfAsset(market, asset))) : undefined,
    ),
  },
  {
    kind: "variant",
    name: "selector-asset-alone-refused",
    summary: "A selector with an asset symbol alone is refused (S8).",
    touches: ["selectors"],
    request: changeSymbols(resolving, ({ quote }) => (quote === "" ? {} : undefined)),
  },
  {
    kind: "variant",
    name: "name-lookup-quote-as-written",
    summary: "GetMarketIdByName compares quote symbols as they are written (S6).",
    touches: ["selectors"],
    request: on("GetMarketIdByName", (json, { dataset }) => {
      const symbols = readSymbols(json);
      const market = symbols && marketNamed(dataset, symbols);
      const differs = market !== undefined && market.quoteSymbol !== symbols?.quote;
      return differs ? { ...json, quoteSymbol: `${symbols?.quote}?` } : undefined;
    }),
  },

  {
    kind: "variant",
    name: "market-config-creator-unset",
    summary: "Configurations name no creator, and leave the maintenance margin rate out (W1).",
    touches: ["market configuration"],
    response: editMarketConfig((config) => {
      config.creator = "";
      delete config.maintenanceMarginRate;
    }),
  },
  {
    kind: "variant",
    name: "market-config-without-name",
    summary: "Configurations name no market, while orders and positions show its name (W1, S8).",
    touches: ["market configuration", "market names"],
    response: editMarketConfig((config) => {
      config.marketName = "";
    }),
  },
  {
    kind: "variant",
    name: "market-config-fees-without-market",
    summary: "The feeConfig of a market does not name it (R19).",
    touches: ["market configuration"],
    response: editMarketConfig((config) => {
      if (isObject(config.feeConfig)) config.feeConfig.marketId = "";
    }),
  },
  {
    kind: "variant",
    name: "market-config-creator-checksummed",
    summary: "The creator of a market is written with capitals, and its margin rate in exponent notation.",
    touches: ["market configuration"],
    response: editMarketConfig((config) => {
      config.creator = textOrEmpty(config.creator).replace(/[a-f]/g, (digit, at) =>
        at % 2 ? digit.toUpperCase() : digit,
      );
      config.maintenanceMarginRate = Number(config.maintenanceMarginRate).toExponential();
    }),
  },
  {
    kind: "variant",
    name: "market-config-meanings-differ",
    summary: "Fees are in basis points, and the nested objects have other figures than the configuration itself.",
    touches: ["market configuration"],
    response: editMarketConfig((config) => {
      config.tradeFeePct = 5;
      if (isObject(config.feeConfig)) config.feeConfig.tradeFeePct = 0.0005;
      if (isObject(config.adlConfig)) config.adlConfig.maintenanceMarginRatio = 12;
    }),
  },
];
