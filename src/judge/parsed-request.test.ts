import { describe, expect, test } from "vitest";
import type { Endpoint } from "../specification/endpoints.js";
import { isOfUnknownWallet, nextWallets, parseRequest, zeroAddress } from "./parsed-request.js";

const address = "0x00000000000000000000000000000000000000ab";
const known = {
  markets: [{ marketId: "7", tickDecimals: 2, symbols: { assetSymbol: "BTC", quoteSymbol: "USD" } }],
  wallets: [{ address }],
  unknown: { wallet: "0x0000000000000000000000000000000000000000" },
};
const asked = (endpoint: Endpoint, request: unknown) =>
  parseRequest(endpoint, typeof request === "string" ? request : JSON.stringify(request), known);

const nothing = {
  onlyOpen: false,
  sizeInUsd: false,
  padded: false,
  recased: false,
  bySymbols: false,
  belowMinimum: false,
};

describe("what a request asks for", () => {
  test("is the same however an address is written", () => {
    const dressed = ` ${address.toUpperCase().replace("0X", "0x")}\n`;
    expect(asked("GetAllOrders", { address })).toMatchObject({ wallet: address, padded: false, recased: false });
    expect(asked("GetAllOrders", { address: dressed })).toMatchObject({ wallet: address, padded: true, recased: true });
  });

  test("is the same by id and by symbols", () => {
    const byId = asked("GetOrderBook", { market: { marketId: "7" } });
    const bySymbols = asked("GetOrderBook", {
      market: { marketSymbol: { assetSymbol: "BTC", quoteSymbol: "USD" } },
    });
    expect(byId).toMatchObject({ marketId: "7", bySymbols: false, tick: 0 });
    expect(bySymbols).toMatchObject({ marketId: "7", bySymbols: true, tick: 0 });
  });

  test.each([
    ["0.01", 0.01, false],
    ["1e-2", 0.01, false],
    ["10", 10, false],
    ["0.003", 0.01, true],
  ])("of a bucket size %s is the one that applies", (size, tick, belowMinimum) => {
    const request = `{"market":{"marketId":"7"},"tickSize":${size}}`;
    expect(asked("GetOrderBook", request)).toMatchObject({ tick, belowMinimum });
  });

  test("of a symbol is its market, whatever its case and the blanks around it", () => {
    const request = { assetSymbol: " btc", quoteSymbol: "USD" };
    expect(asked("GetMarketIdByName", request)).toMatchObject({ marketId: "7", padded: true, recased: true });
  });
});

test.each<[string, Endpoint, unknown]>([
  ["no JSON object", "GetAllOrders", "[]"],
  ["no JSON", "GetAllOrders", "{"],
  ["a negative limit", "GetAllOrders", { limit: -1 }],
  ["a limit beyond int32", "GetAllOrders", { limit: 2 ** 31 }],
  ["a fraction", "GetAllPositions", { offset: 0.5 }],
  ["a malformed address", "GetOrders", { address: "0x12" }],
  ["no address where one is needed", "GetPortfolio", {}],
  ["both alternatives", "GetMarketConfigs", { market: { marketId: "7", marketSymbol: {} } }],
  ["an unknown market", "GetMarketConfigs", { market: { marketId: "8" } }],
  ["no market where one is needed", "GetOrderBook", {}],
  ["a size between two steps", "GetOrderBook", { market: { marketId: "7" }, tickSize: 0.02 }],
  ["a negative size", "GetOrderBook", { market: { marketId: "7" }, tickSize: -1 }],
  [
    "a range without timestamps",
    "GetHistoricalPrices",
    { market: { marketId: "7" }, interval: "60", startTime: "yesterday", endTime: "today" },
  ],
  ["an interval that does not exist", "GetHistoricalPrices", { market: { marketId: "7" }, interval: "5" }],
  ["an unknown pair", "GetMarketIdByName", { assetSymbol: "BTC", quoteSymbol: "EUR" }],
])("%s is left to the rules on it", (_, endpoint, request) => {
  expect(asked(endpoint, request)).toBeUndefined();
});

describe("a wallet next to a known one", () => {
  const [one, other] = ["0x8a1f0c9e27b3d46512aa90bb7c3de41f560987e0", "0x11c2d3e4f5061728394a5b6c7d8e9f0a1b2c3d4e"];

  test("differs from it in the first or the last digit, and is not known", () => {
    expect(nextWallets({ wallets: [one, other].map((address) => ({ address })) })).toEqual([
      one.replace("0x8", "0x0"),
      `${one.slice(0, -1)}1`,
    ]);
    expect(nextWallets({ wallets: [{ address: other }] })).toEqual([
      other.replace("0x1", "0x0"),
      `${other.slice(0, -1)}0`,
    ]);
    const beside = { ...known, wallets: [{ address: one }] };
    expect(isOfUnknownWallet({ ...nothing, wallet: `${one.slice(0, -1)}1` }, beside)).toBe(true);
    expect(isOfUnknownWallet({ ...nothing, wallet: one.replace("0x8", "0x0") }, beside)).toBe(true);
    expect(isOfUnknownWallet({ ...nothing, wallet: one }, beside)).toBe(false);
    expect(isOfUnknownWallet({ ...nothing, wallet: known.unknown.wallet }, beside)).toBe(true);
    expect(isOfUnknownWallet(nothing, beside)).toBe(false);
  });

  test("is the zero address only where that is known to have no orders", () => {
    const named = { ...nothing, wallet: zeroAddress };
    const unknown = { wallet: other };
    expect(isOfUnknownWallet(named, { ...known, unknown: { ...unknown, zeroAddress: true } })).toBe(true);
    expect(isOfUnknownWallet(named, { ...known, unknown: { ...unknown, zeroAddress: false } })).toBe(false);
    expect(isOfUnknownWallet(named, { ...known, unknown })).toBe(false);
  });

  test("is not made up where addresses may be counted up", () => {
    const atEnd = [1, 2].map((last) => ({ address: `${one.slice(0, -1)}${last}` }));
    const atStart = [1, 2].map((start) => ({ address: `0x${start}${one.slice(3)}` }));
    for (const wallets of [[], known.wallets, atEnd, atStart]) expect(nextWallets({ wallets })).toEqual([]);
  });
});
