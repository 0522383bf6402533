import { describe, expect, test } from "vitest";
import {
  closedMarkPrices,
  estimatedRebates,
  impliedRevenues,
  type Markets,
  marketNames,
  namesOfOwnMarkets,
  noPlaceholders,
  noStoredNames,
  orderMarketNames,
  placeholders,
  placeholdersOfOwnMarkets,
  rebatesWithoutMarket,
  tickDecimals,
} from "./metadata.js";
import type { MarketConfigView } from "./read.js";
import { configOf, orderJson, orders, positionJson, positions } from "./rows.fixture.js";

const markets: Markets = new Map<string, MarketConfigView | "unknown">([
  ["1", configOf()],
  ["9", "unknown"],
]);
const paths = ({ violations }: { readonly violations: readonly { readonly path: string }[] }) =>
  violations.map(({ path }) => path);

test("a placeholder has the id of the order's own market", () => {
  const judged = placeholdersOfOwnMarkets(
    orders(
      orderJson({ marketId: "9", market: "MARKET-9" }),
      orderJson({ marketId: "9", market: "MARKET-8" }),
      orderJson({ marketId: "9", market: "MARKET-A" }),
    ),
  );
  expect([judged.examined, paths(judged)]).toEqual([2, ["orders[1].market"]]);
});

test("names and tick decimals are the configured ones; other markets are passed over", () => {
  const rows = positions(positionJson(), positionJson({ marketId: "2", market: "?", tickDecimals: 7 }));
  expect(marketNames(rows, markets)).toMatchObject({ examined: 1, violations: [] });
  expect(tickDecimals(rows, markets)).toMatchObject({ examined: 1, violations: [] });
  const wrong = positions(positionJson({ market: "BTC", tickDecimals: 1 }));
  expect(marketNames(wrong, markets).violations).toEqual([
    { path: "positions[0].market", expected: '"BTC/USD" (marketName of market 1)', seen: '"BTC"' },
  ]);
  expect(tickDecimals(wrong, markets).violations).toEqual([
    { path: "positions[0].tickDecimals", expected: "2 (configuration of market 1)", seen: "1" },
  ]);
  expect(marketNames(wrong, new Map([["1", configOf({ marketName: "" })]])).examined).toBe(0);
});

test("a name that leads to a market is not carried by rows of another one (S9)", () => {
  const named = new Map([["BTC/USD", "1"]]);
  const stored = positionJson({ marketId: "1", market: "XBT/USD" });
  expect(namesOfOwnMarkets(positions(positionJson(), stored), named)).toMatchObject({ examined: 1, violations: [] });
  expect(namesOfOwnMarkets(positions(positionJson({ marketId: "2" })), named).violations).toEqual([
    { path: "positions[0].market", expected: "a name of market 2", seen: '"BTC/USD", which leads to market 1' },
  ]);
});

describe("MARKET-<id> (R7)", () => {
  const fallback = orderJson({ marketId: "9", market: "MARKET-9" });

  test("is an order's market when the metadata is gone", () => {
    expect(placeholders(orders(fallback, orderJson()), markets)).toMatchObject({ examined: 1, violations: [] });
    for (const market of ["MARKET-1", ""]) {
      expect(paths(placeholders(orders({ ...fallback, market }), markets)), market).toEqual(["orders[0].market"]);
    }
  });

  test("may be the one name that the orders of the market have stored, which is advisory", () => {
    const stored = { ...fallback, market: "LUNA/USD" };
    expect(placeholders(orders(stored, fallback, stored), markets).violations).toEqual([]);
    expect(paths(noStoredNames(orders(stored, fallback), markets))).toEqual(["orders[0].market"]);
    const other = { ...fallback, market: "LUNC/USD" };
    expect(paths(placeholders(orders(stored, other, fallback), markets))).toEqual([
      "orders[0].market",
      "orders[1].market",
    ]);
    expect(noStoredNames(orders({ ...fallback, market: "" }), markets).examined).toBe(0);
  });

  test("is never one while there is metadata", () => {
    expect(noPlaceholders(orders(fallback, orderJson()), markets)).toMatchObject({ examined: 1, violations: [] });
    for (const market of ["MARKET-1", "MARKET-9", "", " "]) {
      expect(paths(noPlaceholders(orders(orderJson({ market })), markets)), market).toEqual(["orders[0].market"]);
      expect(orderMarketNames(orders(orderJson({ market })), markets).examined).toBe(0);
    }
    expect(noPlaceholders(orders(orderJson({ market: "MARKET-MAKER" })), markets).violations).toEqual([]);
  });

  test("may be the very name of a market", () => {
    const named = new Map([["1", configOf({ marketName: "MARKET-1" })]]);
    expect(noPlaceholders(orders(orderJson({ market: "MARKET-1" })), named).violations).toEqual([]);
  });
});

describe("estimatedRebate (R4)", () => {
  test.each([
    ["a long's", {}, 1, true],
    ["a short's", { side: "SIDE_SHORT", estimatedRebate: 6 }, 1, true],
    ["as precise as the revenue", { revenueSpent: 7.49, estimatedRebate: 0.010001 }, 1, true],
    ["a stand-in 0", { estimatedRebate: 0 }, 0, true],
    ["a stand-in -1", { estimatedRebate: -1 }, 0, true],
    ["the other side's", { estimatedRebate: 6 }, 1, false],
    ["the revenue itself", { estimatedRebate: 7.5 }, 1, false],
    ["the wrong way round", { estimatedRebate: -4.5 }, 1, false],
  ])("%s", (_, different, examined, conforms) => {
    const judgement = estimatedRebates(positions(positionJson(different)), markets);
    expect(judgement.examined).toBe(examined);
    expect(paths(judgement)).toEqual(conforms ? [] : ["positions[0].estimatedRebate"]);
  });

  test("implies the revenue of a market's side, whichever positions there are", () => {
    const later = positionJson({ revenueSpent: 1, estimatedRebate: 6.5 });
    const text = impliedRevenues(positions(positionJson()));
    expect(impliedRevenues(positions(later, positionJson(), positionJson({ estimatedRebate: -1 })))).toBe(text);
    expect(impliedRevenues(positions(positionJson({ estimatedRebate: 4.6 })))).not.toBe(text);
  });

  test("is a stand-in where the market is not known", () => {
    const of = (estimatedRebate: number) => positions(positionJson({ marketId: "9", estimatedRebate }));
    expect(rebatesWithoutMarket(of(-1), markets)).toMatchObject({ examined: 1, violations: [] });
    expect(rebatesWithoutMarket(of(0), markets)).toMatchObject({ examined: 1, violations: [] });
    expect(paths(rebatesWithoutMarket(of(4.5), markets))).toEqual(["positions[0].estimatedRebate"]);
    expect(rebatesWithoutMarket(positions(positionJson()), markets).examined).toBe(0);
  });
});

describe("the mark price of closed positions (R6)", () => {
  const of = (positionId: string, markPrice: number, marketId = "1") =>
    positionJson({ positionId, marketId, markPrice });
  const openness = { open: new Set(["1 of market 1"]), closed: new Set(["2 of market 1", "3 of market 2"]) };

  test.each([
    [100, true],
    [100.9, true],
    [99.1, true],
    [101.1, false],
    [98.9, false],
  ])("%d beside an open position's 100: %s", (markPrice, conforms) => {
    const judgement = closedMarkPrices(positions(of("1", 100), of("2", markPrice)), openness);
    expect(judgement.examined).toBe(1);
    expect(paths(judgement)).toEqual(conforms ? [] : ["positions[1].markPrice"]);
  });

  test("is compared within its market, and only where it is certain which positions are open and closed", () => {
    expect(closedMarkPrices(positions(of("1", 100), of("3", 5, "2"), of("4", 7)), openness).examined).toBe(0);
  });
});
