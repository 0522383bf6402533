import { expect, test } from "vitest";
import { errorAnswer } from "../../src/engine/answers.fixture.js";
import { contextOn, type FakeTarget } from "../../src/engine/context.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { orderJson, positionJson, WALLET } from "../../src/judge/rows.fixture.js";
import type { MarketSubject, OrphanMarket } from "../../src/subjects/subjects.js";
import { answersInOrphanMarkets, currentMarketConfigs, isNamedBy, namesCarried } from "./market-metadata.js";

const market = (marketId: string, name: string): MarketSubject => ({ marketId, name, tickDecimals: 2, rowsSeen: 1 });
const orphan: OrphanMarket = { marketId: "9", provenance: "a", denial: "b" };

/** A target with these market names; it knows no other market, and shows one row of each. */
function naming(names: Readonly<Record<string, string>>, tickDecimals = 2): FakeTarget {
  return (endpoint, request) => {
    if (endpoint === "GetAllPositions") {
      return { positions: Object.entries(names).map(([marketId, name]) => positionJson({ marketId, market: name })) };
    }
    if (endpoint === "GetAllOrders") return { orders: [orderJson({ marketId: "9", market: "MARKET-9" })] };
    if (endpoint === "GetPortfolio") return {};
    const { marketId } = request.market as { marketId: string };
    const marketName = names[marketId];
    return marketName === undefined
      ? errorAnswer("not_found")
      : { marketConfig: { marketId, marketName, tickDecimals } };
  };
}

test("a market counts as it was before and after the rows were read (P3)", async () => {
  const subjects = { markets: [market("1", "BTC/USD"), market("2", "ETH/USD")], orphanMarkets: [orphan] };
  const same = await currentMarketConfigs(contextOn(subjects, naming({ 1: "BTC/USD", 2: "ETH-USD" })));
  expect([...same.keys()]).toEqual(["1", "9"]);
  expect(same.get("9")).toBe("unknown");
  const listed = await currentMarketConfigs(contextOn(subjects, naming({ 1: "BTC/USD", 9: "LUNA/USD" }, 5)));
  expect([...listed.keys()]).toEqual([]);
});

test("names that rows carry, in all the ways that they can be asked for, but no ambiguous one (S8, S9)", async () => {
  const names = { 1: "BTC/USD", 2: "btc-usd", 3: "GOLD", 4: "SOL USD C" };
  const subjects = { markets: Object.entries(names).map(([marketId, name]) => market(marketId, name)) };
  const carried = await namesCarried(contextOn(subjects, naming(names)));
  expect(carried.map(({ marketId, spellings }) => [marketId, spellings])).toEqual([
    ["1", [{ assetSymbol: "BTC/USD" }]],
    ["2", [{ assetSymbol: "btc-usd" }]],
    ["3", [{ assetSymbol: "GOLD" }]],
    [
      "4",
      [
        { assetSymbol: "SOL USD C" },
        { assetSymbol: "SOL", quoteSymbol: "USD C" },
        { assetSymbol: "SOL USD", quoteSymbol: "C" },
      ],
    ],
  ]);
});

test("answers for wallets with orders in a market without metadata", async () => {
  const context = contextOn({ orphanMarkets: [orphan] }, naming({ 1: "BTC/USD" }), "GetOrders");
  const target = context.requests;
  expect(await answersInOrphanMarkets(context, "GetPortfolio")).toHaveLength(1);
  expect(target.at(-1)).toBe(`GetPortfolio {"owner":"${WALLET}"}`);
  const without = contextOn({ orphanMarkets: [{ ...orphan, marketId: "8" }] }, naming({}));
  await expect(answersInOrphanMarkets(without, "GetOrders")).rejects.toThrow(Inconclusive);
});

test("a market goes by the symbols of its configuration, or else by those that its name splits into (S8, S9)", async () => {
  const target: FakeTarget = (endpoint, request) => {
    const { marketSymbol } = request.market as { marketSymbol?: { assetSymbol: string } };
    if (!marketSymbol) return naming({ 7: "ETH_USD", 9: "BTC_USD" })(endpoint, request);
    return marketSymbol.assetSymbol === "BTC"
      ? naming({ 7: "ETH_USD" })(endpoint, { market: { marketId: "7" } })
      : errorAnswer("not_found");
  };
  const context = contextOn({}, target);
  expect(await isNamedBy(context, "7", { assetSymbol: "BTC", quoteSymbol: "USD" })).toBe(true);
  expect(await isNamedBy(context, "9", { assetSymbol: "BTC", quoteSymbol: "USD" })).toBe(false);
  expect(await isNamedBy(context, "7", { assetSymbol: "eth", quoteSymbol: "usd" })).toBe(true);
  expect(await isNamedBy(context, "9", { assetSymbol: "ETH", quoteSymbol: "USD" })).toBe(false);
  expect(await isNamedBy(context, "8", { assetSymbol: "ETH", quoteSymbol: "USD" })).toBe(false);
});
