import { describe, expect, test } from "vitest";
import { wallet, walletSubject } from "./fake-target.fixture.js";
import {
  anyMarket,
  marketsWithBook,
  marketsWithSymbols,
  openPositionsByTrigger,
  walletToFollow,
  walletWithFewOrders,
  walletWithManyOrders,
  walletWithMostOrders,
  walletWithOnlyClosedPositions,
  walletWithOpenOrders,
  walletWithOpenPositions,
  walletWithOpenStatus,
  walletWithoutOpenPositions,
  walletWithReduceOnlyOrders,
} from "./select.js";
import { type MarketSubject, noSubjects, type PositionSubject, type Subjects, type WalletSubject } from "./subjects.js";

const none = noSubjects({ marketId: "9", wallet: wallet("9"), symbols: { assetSymbol: "ZQ", quoteSymbol: "QZ" } });

function withWallets(...wallets: Partial<WalletSubject>[]): Subjects {
  return { ...none, wallets: wallets.map((known, index) => walletSubject(wallet(`${index}`), known)) };
}

function withMarkets(...markets: Partial<MarketSubject>[]): Subjects {
  return { ...none, markets: markets.map((change, index) => ({ marketId: `${index}`, rowsSeen: 0, ...change })) };
}

function indexOf(subject: WalletSubject | undefined): number | undefined {
  return subject && Number(subject.address);
}

test("nothing is found where nothing is", () => {
  const choices = [
    anyMarket,
    walletWithFewOrders,
    walletWithManyOrders,
    walletWithMostOrders,
    walletWithOnlyClosedPositions,
    walletWithOpenOrders,
    walletWithOpenPositions,
    walletWithoutOpenPositions,
    walletWithReduceOnlyOrders,
  ];
  for (const choose of choices) expect(choose(none)).toBeUndefined();
  expect(walletWithMostOrders(withWallets({}))).toBeUndefined();
});

describe("markets", () => {
  test("with both symbols", () => {
    const subjects = withMarkets(
      {},
      { symbols: { assetSymbol: "GOLD" } },
      { symbols: { assetSymbol: "BTC", quoteSymbol: "USD" } },
    );
    expect(marketsWithSymbols(subjects).map(({ marketId }) => marketId)).toEqual(["2"]);
  });

  test("with a book, the fullest first", () => {
    const subjects = withMarkets(
      { bookOrders: 5, tickDecimals: 2 },
      { bookOrders: 9, tickDecimals: 2 },
      { bookOrders: 0, tickDecimals: 3 },
      { bookOrders: 7, tickDecimals: 5 },
      { tickDecimals: 4 },
    );
    expect(marketsWithBook(subjects).map(({ marketId }) => marketId)).toEqual(["1", "3", "0"]);
    expect(marketsWithBook(subjects, 6).map(({ marketId }) => marketId)).toEqual(["1", "3"]);
  });
});

describe("wallets", () => {
  test("by their number of orders, counted or else seen", () => {
    const subjects = withWallets(
      { ordersSeen: 50 },
      { orders: 1500, ordersSeen: 3 },
      { orders: 7, ordersSeen: 7, markets: ["1"] },
    );
    expect(indexOf(walletWithMostOrders(subjects))).toBe(1);
    expect(indexOf(walletWithManyOrders(subjects))).toBe(1);
    expect(walletWithManyOrders(withWallets({ orders: 1000 }))).toBeUndefined();
    expect(indexOf(walletWithFewOrders(subjects))).toBe(2);
  });

  test("by open and closed positions; an unread portfolio tells nothing", () => {
    const subjects = withWallets(
      { closedPositions: 9 },
      { openPositions: 2, closedPositions: 1 },
      { openPositions: 5 },
      { openPositions: 0 },
      { openPositions: 0, closedPositions: 3 },
    );
    expect(indexOf(walletWithOpenPositions(subjects))).toBe(2);
    expect(indexOf(walletWithoutOpenPositions(subjects))).toBe(4);
    expect(indexOf(walletWithOnlyClosedPositions(subjects))).toBe(4);
  });

  test("by their open orders", () => {
    const subjects = withWallets(
      { openOrders: 1, openStatuses: ["ORDER_STATUS_PENDING"] },
      {
        openOrders: 2,
        openStatuses: ["ORDER_STATUS_PENDING", "ORDER_STATUS_PARTIALLY_FILLED"],
        hasReduceOnlyOrders: true,
      },
    );
    expect(indexOf(walletWithOpenOrders(subjects))).toBe(1);
    expect(indexOf(walletWithOpenStatus(subjects, "ORDER_STATUS_PENDING"))).toBe(0);
    expect(walletWithOpenStatus(subjects, "ORDER_STATUS_PARTIALLY_MERGED")).toBeUndefined();
    expect(indexOf(walletWithReduceOnlyOrders(subjects))).toBe(1);
  });
});

test("open positions by their triggers (R3)", () => {
  const position = { marketId: "1", owner: wallet("1"), associated: 0, provenance: "x" };
  const positions: PositionSubject[] = [
    { ...position, positionId: "1", state: "open", stopLossPrice: 1, takeProfitPrice: 0 },
    { ...position, positionId: "2", state: "open", stopLossPrice: 1, takeProfitPrice: 2 },
    { ...position, positionId: "3", state: "open", stopLossPrice: 0, takeProfitPrice: 0 },
    { ...position, positionId: "4", state: "closed", stopLossPrice: 1, takeProfitPrice: 0 },
  ];
  const { stopLoss, takeProfit } = openPositionsByTrigger({ ...none, positions });
  const ids = (list: readonly PositionSubject[]) => list.map(({ positionId }) => positionId);
  expect([ids(stopLoss), ids(takeProfit)]).toEqual([["1", "2"], ["2"]]);
});

test("a wallet to follow has few open positions, two at least where there is one", () => {
  const follow = (...counts: number[]) =>
    indexOf(walletToFollow(withWallets(...counts.map((openPositions) => ({ openPositions })))));
  expect(follow(9, 0, 2, 1, 3)).toBe(2);
  expect(follow(0, 1)).toBe(1);
  expect(follow(0)).toBeUndefined();
});
