import { describe, expect, test } from "vitest";
import { errorAnswer } from "../../src/engine/answers.fixture.js";
import { contextOn, type FakeTarget } from "../../src/engine/context.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { orderJson } from "../../src/judge/rows.fixture.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import type { MarketSubject, Subjects, WalletSubject } from "../../src/subjects/subjects.js";
import { marketWithoutOrders, walletOfSize, walletsAcrossMarkets } from "./listings.js";

const market = (marketId: string): MarketSubject => ({ marketId, name: marketId, tickDecimals: 2, rowsSeen: 1 });
const unknown: Subjects["unknown"] = {
  marketId: "99",
  wallet: "0xnobody",
  symbols: { assetSymbol: "ZQ", quoteSymbol: "QZ" },
};

/** A context with two markets and these wallets, on a target that lists orders in the given markets for every wallet. */
function beside(wallets: readonly WalletSubject[], listed: readonly string[] = [], change: Partial<Subjects> = {}) {
  const target: FakeTarget = () => ({ orders: listed.map((marketId) => orderJson({ marketId })) });
  return contextOn({ markets: [market("1"), market("2")], wallets, unknown, ...change }, target);
}

describe("a market in which a wallet has no orders", () => {
  test("needs no request where all of a wallet's orders were seen", async () => {
    const context = beside([
      walletSubject("0xa", { orders: 3, ordersSeen: 3, markets: ["1", "2"] }),
      walletSubject("0xb", { orders: 9, ordersSeen: 9, markets: ["1"] }),
    ]);
    expect(await marketWithoutOrders(context)).toEqual({ address: "0xb", marketId: "2" });
    expect(context.requests).toEqual([]);
  });

  test("is read from the list of a wallet of which not all orders were seen", async () => {
    const context = beside([walletSubject("0xa", { orders: 300, ordersSeen: 3, markets: ["2"] })], ["2"]);
    expect(await marketWithoutOrders(context)).toEqual({ address: "0xa", marketId: "1" });
    expect(context.requests).toEqual(['GetOrders {"address":"0xa"}']);
  });

  test("may be one that no check runs on otherwise", async () => {
    const wallets = [walletSubject("0xa", { orders: 2, ordersSeen: 2, markets: ["1", "2"] })];
    expect(await marketWithoutOrders(beside(wallets, [], { otherMarkets: ["3"] }))).toMatchObject({ marketId: "3" });
  });

  test("is any for a wallet without orders, where every other one has orders in every market", async () => {
    const wallets = ["0xa", "0xb", "0xc", "0xd"].map((address) => walletSubject(address, { orders: 9, ordersSeen: 1 }));
    const context = beside(wallets, ["1", "2"]);
    expect(await marketWithoutOrders(context)).toEqual({
      address: unknown.wallet,
      marketId: "1",
      remark: expect.stringContaining("every market"),
    });
    expect(context.requests).toHaveLength(3);
  });

  test("is found also where lists are refused, and never without a market", async () => {
    const wallets = [walletSubject("0xa", { orders: 9, ordersSeen: 1 })];
    const refusing = contextOn({ markets: [market("1")], wallets, unknown }, () => errorAnswer("internal"));
    expect(await marketWithoutOrders(refusing)).toMatchObject({ address: unknown.wallet });
    await expect(marketWithoutOrders(beside(wallets, [], { markets: [] }))).rejects.toThrow(Inconclusive);
  });
});

test("large wallets are read where there are no others", () => {
  const large = [
    walletSubject("0xa", { orders: 5000, markets: ["1", "2"] }),
    walletSubject("0xb", { orders: 900, markets: ["1", "2"] }),
  ];
  expect(walletOfSize(beside(large), 100).address).toBe("0xb");
  expect(walletsAcrossMarkets(beside(large), 3).map(({ address }) => address)).toEqual(["0xb"]);
  const some = [...large, walletSubject("0xc", { orders: 90, markets: ["1", "2"] })];
  expect(walletOfSize(beside(some), 100).address).toBe("0xc");
  expect(() => walletsAcrossMarkets(beside([walletSubject("0xd", { orders: 1, markets: ["1"] })]), 1)).toThrow(
    /a wallet with orders in two markets/,
  );
});
