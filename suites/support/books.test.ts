import { describe, expect, test } from "vitest";
import { contextOn as fakeContext } from "../../src/engine/context.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";
import { bookMarkets, bookRequest, limitBeyond, steppedBooks, tickMarkets } from "./books.js";

const market = (marketId: string, bookOrders?: number, tickDecimals?: number): MarketSubject => ({
  marketId,
  rowsSeen: 1,
  ...(bookOrders !== undefined && { bookOrders }),
  ...(tickDecimals !== undefined && { tickDecimals }),
});

const contextOn = (markets: readonly MarketSubject[]) => fakeContext({ markets }, () => ({}));

const ids = (markets: readonly MarketSubject[]) => markets.map(({ marketId }) => marketId);

describe("markets with a book", () => {
  const markets = [market("1", 0, 2), market("2", 40), market("3", 300, 1), market("4")];

  test("are the fullest first, and those with enough orders", () => {
    expect(ids(bookMarkets(contextOn(markets)))).toEqual(["3", "2"]);
    expect(ids(bookMarkets(contextOn(markets), 41))).toEqual(["3"]);
  });

  test("include the empty ones for rules that need no orders", () => {
    expect(ids(bookMarkets(contextOn(markets), 0))).toEqual(["3", "2", "1"]);
    expect(ids(bookMarkets(contextOn([market("4"), market("5")]), 0))).toEqual(["4", "5"]);
  });

  test("are missing when there are none: the check is inconclusive, and says what it takes", () => {
    expect(() => bookMarkets(contextOn([market("1", 0)]))).toThrow("needs a market with orders in its book");
    expect(() => bookMarkets(contextOn(markets), 301)).toThrow("needs a market with 301 orders in its book");
    expect(() => bookMarkets(contextOn([]), 0)).toThrow(Inconclusive);
  });

  test("need a whole number of decimals to have a minimum tick", () => {
    expect(ids(tickMarkets(contextOn(markets), 1))).toEqual(["3"]);
    expect(ids(tickMarkets(contextOn(markets), 0))).toEqual(["3", "1"]);
    for (const decimals of [undefined, Number.NaN, 1.5, -1]) {
      expect(() => tickMarkets(contextOn([market("1", 9, decimals)]), 1)).toThrow("tickDecimals");
    }
  });
});

test("a limit reaches beyond the book", () => {
  expect(limitBeyond({ ...market("1"), bookOrders: 5_000 })).toBe(11_000);
  expect(bookRequest(market("9007199254740993"), { limit: 5 })).toEqual({
    market: { marketId: "9007199254740993" },
    limit: 5,
  });
});

test("stepped books are read at all seven steps of each market", async () => {
  const context = contextOn([market("1", 300, 1), market("2", 0, 8), market("3", 10)]);
  const books = await steppedBooks(context);
  expect(books.map(({ tick }) => tick)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6].map((power) => Number(`1e${power - 1}`)),
    ...[0, 1, 2, 3, 4, 5, 6].map((power) => Number(`1e${power - 8}`)),
  ]);
  expect(context.requests.at(7)).toBe('GetOrderBook {"market":{"marketId":"2"},"limit":120,"tickSize":0.00000001}');
});
