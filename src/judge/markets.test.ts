import { describe, expect, test } from "vitest";
import {
  configInWords,
  configuresMarket,
  doesNotResolveTo,
  findsMarketNamed,
  heldData,
  holdsNothing,
  holdsOnlyMarket,
  marketIsNamed,
} from "./markets.js";
import { answered, broken, refused } from "./whole-answer.fixture.js";

const order = (orderId: string, marketId: string) => ({ orderId, marketId });
const orders = (...rows: readonly ReturnType<typeof order>[]) => ({ orders: rows });
const config = (marketId: string, marketName = "BTC/USD") => ({ marketConfig: { marketId, marketName } });
const book = (marketId: string, levels = 1) => ({
  orderBook: { marketId, book: { bids: Array.from({ length: levels }, (_, price) => ({ price })) } },
});
const clean = { examined: 1, violations: [] };
/** Beyond 2^53, where neighbours are the same JavaScript number. */
const [large, next] = ["9007199254740993", "9007199254740992"];

describe("what an answer holds", () => {
  test("is told in words, and nothing is nothing", () => {
    expect(heldData("GetOrders", orders(order("1", "2"), order("2", "2")))).toBe("2 orders");
    expect(heldData("GetHistoricalPrices", { priceCandleSticks: [{}] })).toBe("1 candle");
    expect(heldData("GetOrderBook", book("1", 3))).toBe("3 levels");
    expect(heldData("GetMarketConfigs", config("1"))).toBe("the configuration of market 1");
    expect(heldData("GetMarketConfigs", { marketConfig: { marketName: "BTC" } })).toBe("the configuration of market 0");
    for (const endpoint of ["GetOrders", "GetHistoricalPrices", "GetOrderBook", "GetMarketConfigs"] as const) {
      expect(heldData(endpoint, {})).toBeUndefined();
    }
    expect(heldData("GetMarketConfigs", { marketConfig: {} })).toBeUndefined();
    expect(heldData("GetOrderBook", book("1", 0))).toBeUndefined();
  });

  test("must be nothing where there is no such market (S4, S5)", () => {
    expect(holdsNothing("9", "GetOrders", orders())).toEqual(clean);
    expect(holdsNothing(undefined, "GetOrders", {})).toEqual(clean);
    expect(holdsNothing("9", "GetOrderBook", book("1", 2)).violations).toEqual([
      { path: "orderBook.book", expected: "nothing: there is no such market", seen: "2 levels" },
    ]);
  });

  test("is nothing in an empty order book only if that names no other market (S4)", () => {
    for (const named of ["9", "0", ""]) expect(holdsNothing("9", "GetOrderBook", book(named, 0))).toEqual(clean);
    const other = { path: "orderBook.marketId", expected: "9 (the requested market)", seen: "1" };
    expect(holdsNothing("9", "GetOrderBook", book("1", 0)).violations).toEqual([other]);
    expect(holdsOnlyMarket("9", "GetOrderBook", book("1", 0)).violations).toEqual([other]);
  });

  test("must be of the requested market, compared in all digits (S4)", () => {
    expect(holdsOnlyMarket(large, "GetMarketConfigs", config(large))).toEqual(clean);
    expect(holdsOnlyMarket(next, "GetMarketConfigs", config(large)).violations).toEqual([
      { path: "marketConfig.marketId", expected: `${next} (the requested market)`, seen: large },
    ]);
    expect(holdsOnlyMarket("1", "GetOrderBook", book("2")).violations).toHaveLength(1);
    expect(holdsOnlyMarket("1", "GetOrders", orders(order("5", "1"), order("6", "2"))).violations).toEqual([
      { path: "orders[1].marketId", expected: "1 (the requested market)", seen: "2" },
    ]);
  });

  test("may be nothing at all, which is evidence too; data that names no market is none", () => {
    expect(holdsOnlyMarket("1", "GetOrders", {})).toEqual(clean);
    expect(holdsOnlyMarket("1", "GetOrderBook", { orderBook: { book: { asks: [{ price: 1 }] } } }).examined).toBe(0);
    expect(holdsOnlyMarket("1", "GetHistoricalPrices", { priceCandleSticks: [{}] }).examined).toBe(0);
  });
});

describe("a configuration", () => {
  test("is that of the market asked for, its id a string or a number (§4.8)", () => {
    expect(configuresMarket("7", config("7"))).toEqual(clean);
    expect(configuresMarket("7", { marketConfig: { marketId: 7 } })).toEqual(clean);
    expect(configuresMarket("7", config("8")).violations).toEqual([
      { path: "marketConfig.marketId", expected: "7 (the requested market)", seen: "8" },
    ]);
    expect(configuresMarket("7", { marketConfig: {} }).violations).toHaveLength(1);
    expect(configuresMarket("7", {}).examined).toBe(0);
  });

  test("is told as it is, for the observation of its meanings", () => {
    expect(configInWords(config("7"))).toBe('{"marketId":"7","marketName":"BTC/USD"}');
    expect(configInWords({})).toBe("no configuration");
  });
});

describe("a market found by name (§4.9)", () => {
  test("without a quote is named exactly by the asset symbol, in any case", () => {
    const found = { marketId: "7" };
    expect(marketIsNamed("gold", found, config("7", " GOLD "))).toEqual(clean);
    expect(marketIsNamed("BTC", found, config("7")).violations).toEqual([
      {
        path: "marketId",
        expected: 'a market named "BTC", or the error not_found',
        seen: '7 (which GetMarketConfigs names "BTC/USD")',
      },
    ]);
    expect(marketIsNamed("BTC", found, {}).examined).toBe(0);
    expect(marketIsNamed("BTC", found, config("7", "")).examined).toBe(0);
  });

  test("by the whole name that its configuration has is that market", () => {
    const judge = findsMarketNamed("GOLD", "7");
    expect(judge(answered(JSON.stringify({ marketId: "7" })))).toEqual(clean);
    const expected = '7 (the market that GetMarketConfigs names "GOLD")';
    expect(judge(answered(JSON.stringify({ marketId: "8" }))).violations).toEqual([
      { path: "marketId", expected, seen: "8" },
    ]);
    expect(judge(refused("not_found", 404)).violations).toMatchObject([{ path: "", expected }]);
    expect(judge(broken()).examined).toBe(0);
  });

  test("by a part of its symbol is another one", () => {
    expect(doesNotResolveTo("7", { marketId: "8" })).toEqual(clean);
    expect(doesNotResolveTo("7", { marketId: "7" }).violations).toEqual([
      { path: "marketId", expected: "the error not_found", seen: "7 (the market that the whole symbol names)" },
    ]);
  });
});
