import { describe, expect, test } from "vitest";
import { errorAnswer, failure, success } from "../../src/engine/answers.fixture.js";
import { AssertionLog } from "../../src/engine/assertion-log.js";
import { contextOn } from "../../src/engine/context.fixture.js";
import { Inconclusive, TransportTrouble, Unimplemented } from "../../src/engine/signals.js";
import { verifyInto } from "../../src/engine/verify.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import type { MarketSubject, Subjects } from "../../src/subjects/subjects.js";
import {
  bringsData,
  marketAcceptedById,
  marketAcceptedBySymbol,
  pairedMarkets,
  refusedOr,
  selecting,
} from "./selectors.js";

const market = (marketId: string, assetSymbol?: string, quoteSymbol?: string): MarketSubject => ({
  marketId,
  rowsSeen: 1,
  ...(assetSymbol !== undefined && { symbols: { assetSymbol, ...(quoteSymbol === undefined ? {} : { quoteSymbol }) } }),
});
const btc = market("1", "BTC", "USD");
const gold = market("7", "GOLD");
const nameless = market("9");

const subjects: Partial<Subjects> = {
  markets: [nameless, gold, btc],
  wallets: [
    walletSubject("0xa", { orders: 5, markets: ["9"] }),
    walletSubject("0xb", { orders: 90, markets: ["9", "1"] }),
  ],
  totals: { latestOrder: "2026-01-01T12:00:00Z" },
};
const accepting = () => contextOn(subjects, () => ({}));
const refusing = (code: string) => contextOn(subjects, () => errorAnswer(code));

describe("an ordinary request with a selector", () => {
  test("differs between operations, but not between selectors", () => {
    const context = accepting();
    const by = (endpoint: Parameters<typeof selecting>[1]) => selecting(context, endpoint, { marketId: "1" });
    expect(by("GetMarketConfigs")).toEqual({ market: { marketId: "1" } });
    expect(by("GetOrderBook")).toEqual({ limit: 5, market: { marketId: "1" } });
    expect(by("GetOrders")).toEqual({ address: "0xa", market: { marketId: "1" } });
    expect(by("GetHistoricalPrices")).toEqual({
      startTime: "2026-01-01T08:00:00Z",
      endTime: "2026-01-01T12:00:00Z",
      interval: "60",
      market: { marketId: "1" },
    });
  });

  test("of GetOrders takes a wallet with orders", () => {
    expect(() =>
      selecting(
        contextOn({}, () => ({})),
        "GetOrders",
        {},
      ),
    ).toThrow(Inconclusive);
  });
});

describe("a market that an operation accepts", () => {
  test("was asked for just now, by id or by symbols", async () => {
    const context = accepting();
    expect(await marketAcceptedById(context, "GetMarketConfigs")).toBe(nameless);
    expect(await marketAcceptedBySymbol(context, "GetMarketConfigs")).toBe(btc);
    expect(context.requests).toEqual([
      'GetMarketConfigs {"market":{"marketId":"9"}}',
      'GetMarketConfigs {"market":{"marketSymbol":{"assetSymbol":"BTC","quoteSymbol":"USD"}}}',
    ]);
  });

  test("leaves it open what a refusal is about when there is none", async () => {
    await expect(marketAcceptedById(refusing("internal"), "GetOrderBook")).rejects.toThrow(Inconclusive);
    await expect(marketAcceptedBySymbol(refusing("not_found"), "GetOrderBook")).rejects.toThrow(Inconclusive);
    await expect(marketAcceptedById(refusing("unimplemented"), "GetOrderBook")).rejects.toThrow(Unimplemented);
    const empty = contextOn({}, () => ({}));
    await expect(marketAcceptedById(empty, "GetOrderBook")).rejects.toThrow(/needs a market/);
    const unnamed = contextOn({ ...subjects, markets: [nameless, gold] }, () => ({}));
    await expect(marketAcceptedBySymbol(unnamed, "GetOrderBook")).rejects.toThrow(/quote symbols are known/);
  });
});

describe("markets with symbols", () => {
  test("are those with a quote", () => {
    expect(pairedMarkets(accepting())).toEqual([btc]);
    expect(() => pairedMarkets(contextOn({ markets: [gold] }, () => ({})))).toThrow(Inconclusive);
  });
});

describe("an answer that is refused or judged", () => {
  const held = () => {
    const log = new AssertionLog();
    const reader = {
      verify: verifyInto(log),
      inconclusive(reason: string): never {
        throw new Inconclusive(reason);
      },
    };
    return { log, reader };
  };
  const violation = { path: "x", expected: "nothing", seen: "something" };

  test("holds no data when it is an error, of whatever code", () => {
    const { log, reader } = held();
    refusedOr(reader, errorAnswer("internal"), () => ({ examined: 1, violations: [violation] }));
    expect(log).toMatchObject({ assertions: 1, violated: false });
  });

  test("is judged when it is a success", () => {
    const { log, reader } = held();
    refusedOr(reader, success({}), () => ({ examined: 1, violations: [violation] }));
    expect(log).toMatchObject({ assertions: 1, violated: true });
  });

  test("says nothing when it is neither", () => {
    const { log, reader } = held();
    const judge = () => ({ examined: 1, violations: [] });
    expect(() => refusedOr(reader, failure("reset"), judge)).toThrow(Inconclusive);
    expect(() => refusedOr(reader, failure("timeout"), judge)).toThrow(TransportTrouble);
    expect(() => refusedOr(reader, errorAnswer("unimplemented"), judge)).toThrow(Unimplemented);
    expect(log.assertions).toBe(0);
  });
});

test("only a success with orders brings data", () => {
  const answer = success({ orders: [{}] });
  const error = errorAnswer("not_found");
  expect([answer, success({}), error].map((each) => bringsData("GetOrders", each))).toEqual([true, false, false]);
});
