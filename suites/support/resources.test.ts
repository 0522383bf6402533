import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/connect/json.js";
import { errorAnswer } from "../../src/engine/answers.fixture.js";
import { contextOn, type FakeTarget } from "../../src/engine/context.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { positionKey } from "../../src/judge/read-stored.js";
import { OTHER_WALLET, orderJson, positionJson, positions, reduceJson, WALLET } from "../../src/judge/rows.fixture.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import type { PositionSubject } from "../../src/subjects/subjects.js";
import { answersOf, ordersAfter, positionsNow, readOpenAndClosed, walletsToRead } from "./resources.js";

const nothing: FakeTarget = () => ({});
const named = (name: string) => `0x${name.padStart(40, "0")}`;

function subject(positionId: string, owner: string, state: PositionSubject["state"]): PositionSubject {
  const rest = { marketId: "1", stopLossPrice: 0, takeProfitPrice: 0, associated: 1, provenance: "x" };
  return { positionId, owner, state, ...rest };
}

describe("the wallets that are read", () => {
  test("are in all the situations that rules ask for", () => {
    const wallets = [
      walletSubject(named("1"), { orders: 5, openPositions: 9 }),
      walletSubject(named("2"), { orders: 5, openStatuses: ["ORDER_STATUS_PARTIALLY_MERGED"] }),
      walletSubject(named("3"), { orders: 5, hasReduceOnlyOrders: true }),
      walletSubject(named("4"), { orders: 5 }),
      walletSubject(named("5"), { orders: 5 }),
      walletSubject(named("6"), { orders: 5, openStatuses: ["ORDER_STATUS_PENDING"] }),
      walletSubject(named("7"), { orders: 5 }),
    ];
    const positionsHeld = [{ ...subject("1", named("7"), "open"), stopLossPrice: 5 }];
    const read = walletsToRead(contextOn({ wallets, positions: positionsHeld }, nothing));
    expect(read.map(({ address }) => address)).toEqual(["1", "7", "6", "2", "3", "4"].map(named));
  });

  test("do not include one with very many orders, unless there is no other", () => {
    const heavy = walletSubject(named("1"), { orders: 5_002, openPositions: 50 });
    const light = walletSubject(named("2"), { orders: 3 });
    expect(walletsToRead(contextOn({ wallets: [heavy, light] }, nothing))).toEqual([light]);
    expect(walletsToRead(contextOn({ wallets: [heavy] }, nothing))).toEqual([heavy]);
  });

  test("are needed", () => {
    expect(() => walletsToRead(contextOn({}, nothing))).toThrow(Inconclusive);
  });
});

describe("representative answers", () => {
  const wallets = [walletSubject(WALLET, { openPositions: 1 }), walletSubject(OTHER_WALLET)];

  test("are the first pages of listings, and snapshots of wallets", async () => {
    const context = contextOn({ wallets }, nothing);
    await answersOf(context, "GetAllPositions");
    await answersOf(context, "GetAllOrders");
    await answersOf(context, "GetOpenPositionsStreaming");
    expect(context.requests).toEqual([
      'GetAllPositions {"limit":1000}',
      'GetAllOrders {"limit":1000}',
      'GetAllOrders {"limit":1000,"onlyOpen":true}',
      `GetOpenPositionsStreaming {"address":"${WALLET}","updateIntervalMs":100}`,
      `GetOpenPositionsStreaming {"address":"${OTHER_WALLET}","updateIntervalMs":100}`,
    ]);
  });

  test("are a later full page of a long listing, too", async () => {
    const context = contextOn({ wallets, totals: { positions: 2_001, orders: 1_000 } }, nothing);
    await answersOf(context, "GetAllPositions");
    await answersOf(context, "GetAllOrders");
    expect(context.requests).toContain('GetAllPositions {"limit":1000,"offset":1000}');
    expect(context.requests.filter((request) => request.includes("offset"))).toHaveLength(1);
  });

  test("are the successes among them", async () => {
    const refusesOne: FakeTarget = (_, { onlyOpen }) => (onlyOpen ? errorAnswer("internal") : {});
    expect(await answersOf(contextOn({ wallets }, refusesOne), "GetAllOrders")).toHaveLength(1);
    const refuses = contextOn({ wallets }, () => errorAnswer("internal"));
    await expect(answersOf(refuses, "GetAllOrders")).rejects.toThrow(Inconclusive);
  });

  test("can be read as they are now, of the wallet with most open positions", async () => {
    const context = contextOn({ wallets }, nothing);
    await positionsNow(context, "GetPortfolio");
    await positionsNow(context, "GetOpenPositionsStreaming");
    expect(context.requests.every((request) => request.includes(WALLET))).toBe(true);
  });
});

describe("orders of the owners of positions", () => {
  const owned = (...owners: readonly string[]) => owners.map((owner) => positionJson({ owner: named(owner) }));
  const listing = (...orders: readonly JsonObject[]) => ({ orders });

  test("are looked up for those with most of the wanted positions", async () => {
    const rows = positions(...owned("1", "2", "2", "3", "3", "3", "4", "4", "4", "4"), ...owned("5"));
    const context = contextOn({ wallets: [walletSubject(named("4"), { orders: 5_001 })] }, (_, { address }) =>
      address === named("1") ? errorAnswer("internal") : listing(orderJson(), reduceJson()),
    );
    const ordersOf = await ordersAfter(context, rows, ({ owner }) => owner !== named("5"));
    expect(context.requests.filter((request) => request.startsWith("GetOrders"))).toEqual(
      ["3", "2", "1", "1"].map((owner) => `GetOrders {"address":"${named(owner)}"}`),
    );
    expect(ordersOf(named("3").toUpperCase())?.has("7 of market 1 (opening)")).toBe(true);
    expect(ordersOf(named("1"))).toBeUndefined();
    expect(ordersOf(named("5"))).toBeUndefined();
  });

  test("are looked for in GetAllOrders as well, where GetOrders leaves some out", async () => {
    const context = contextOn({}, (endpoint) => listing(endpoint === "GetOrders" ? reduceJson() : orderJson()));
    const ordersOf = await ordersAfter(context, positions(...owned("1")), () => true);
    expect([...(ordersOf(named("1"))?.keys() ?? [])]).toEqual([
      "7 of market 1 (opening)",
      "8 of market 1 (reduce-only)",
    ]);
    expect(context.requests.at(-1)).toBe(`GetAllOrders {"address":"${named("1")}","limit":1000}`);
  });
});

describe("which positions are certainly closed (R10)", () => {
  const discovered = [subject("1", WALLET, "open"), subject("2", WALLET, "closed"), subject("3", WALLET, "closed")];
  const showing =
    (inPortfolio: readonly string[], inStream: readonly string[]): FakeTarget =>
    (endpoint) => {
      const rows = (ids: readonly string[]) => ids.map((positionId) => positionJson({ positionId }));
      return endpoint === "GetPortfolio"
        ? { portfolio: { positions: rows(inPortfolio) } }
        : { positions: rows(inStream) };
    };
  const closed = async (target: FakeTarget) => [
    ...(await readOpenAndClosed(contextOn({ positions: discovered }, target))).closed,
  ];

  test("those that neither portfolio nor stream list now", async () => {
    expect(await closed(showing(["1"], ["1"]))).toEqual(["2 of market 1", "3 of market 1"]);
    expect(await closed(showing(["1"], ["1", "2"]))).toEqual(["3 of market 1"]);
    expect(await closed(showing(["1", "3"], ["1"]))).toEqual(["2 of market 1"]);
  });

  test("none, when one of the two cannot be read", async () => {
    expect(await closed((endpoint) => (endpoint === "GetPortfolio" ? {} : errorAnswer("internal")))).toEqual([]);
  });

  test("open ones are those of discovery", async () => {
    const { open } = await readOpenAndClosed(contextOn({ positions: discovered }, nothing));
    expect([...open]).toEqual([positionKey({ positionId: "1", marketId: "1" })]);
  });
});
