import { describe, expect, test } from "vitest";
import { Side } from "../gen/common/v1/common_pb.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { isActiveStatus } from "../messages.js";
import { createDataset, type Dataset } from "./dataset.js";
import { generateDataset, sharedDataset } from "./generate.js";
import { brokenRelations } from "./invariants.fixture.js";
import type { OrderRecord, PositionRecord } from "./model.js";

const data = sharedDataset(1, 2_700);
const twoTo53 = 2n ** 53n;

/** Lengths of the runs of rows with one timestamp. */
function ties(instants: readonly bigint[]): number[] {
  const lengths: number[] = [];
  for (const [i, instant] of instants.entries()) {
    if (i > 0 && instants[i - 1] === instant) lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + 1;
    else lengths.push(1);
  }
  return lengths;
}

describe("relations", () => {
  test.each([
    [1, 2_700],
    [2, 2_700],
    [7, 150],
    [3, 12],
    [1, 0],
  ])("all hold in the dataset of seed %i with %i orders", (seed, orders) => {
    expect(brokenRelations(sharedDataset(seed, orders))).toEqual([]);
  });

  test("a broken relation is noticed", () => {
    const [first, ...rest] = data.positions;
    if (first === undefined) throw new Error("no position");
    const broken = createDataset(1, data.markets.values(), data.orders, [{ ...first, leverage: 7 }, ...rest]);
    expect(brokenRelations(broken)).toHaveLength(1);
  });
});

describe("determinism", () => {
  const rows = ({ orders, positions }: Dataset) => ({
    orders: orders.slice(0, 200),
    positions: positions.slice(0, 100),
  });

  test("the same seed and scale give the same rows", () => {
    expect(rows(generateDataset(1, 2_700))).toEqual(rows(data));
    expect([...generateDataset(1, 2_700).markets]).toEqual([...data.markets]);
  });

  test("another seed gives others", () => {
    expect(rows(generateDataset(2, 2_700))).not.toEqual(rows(data));
  });

  test("servers of one process share a dataset", () => {
    expect(sharedDataset(1, 2_700)).toBe(data);
  });
});

describe("scale", () => {
  test.each([5, 150, 2_700, 10_000])("%i orders asked, about as many made", (orders) => {
    const { length } = sharedDataset(1, orders).orders;
    expect(length).toBeGreaterThanOrEqual(orders);
    expect(length).toBeLessThan(orders + 10);
  });

  test("0 orders leave the markets alone", () => {
    const empty = sharedDataset(1, 0);
    expect([empty.orders.length, empty.positions.length, empty.wallets.size]).toEqual([0, 0, 0]);
    expect(empty.markets.size).toBe(data.markets.size);
  });

  test("default data pass both the default page and the cap", () => {
    expect(data.orders.length).toBeGreaterThan(2_000);
    expect(data.positions.length).toBeGreaterThan(1_050);
  });
});

describe("what the rules need to be seen", () => {
  const wallets = [...data.wallets.values()];
  const open = data.positions.filter((position) => position.open);
  const arrangementOf = (position: PositionRecord) =>
    position.orders
      .filter((order) => order.reduceOrderType === "STOP_LOSS" || order.reduceOrderType === "TAKE_PROFIT")
      .map((order) => `${isActiveStatus(order.status) ? "active" : "terminal"} ${order.reduceOrderType}`)
      .sort()
      .join(", ");

  test("listed markets of many tick sizes, ids on both sides of 2^53, one without metadata, one without revenue", () => {
    const markets = [...data.markets.values()];
    const listed = markets.filter((market) => market.listed);
    expect(listed.length).toBeGreaterThanOrEqual(7);
    expect(new Set(listed.map((market) => market.tickDecimals))).toEqual(new Set([0, 1, 2, 3, 5, 8]));
    expect(listed.filter((market) => market.id > twoTo53).length).toBeGreaterThanOrEqual(2);
    expect(listed.filter((market) => market.quoteSymbol === "" && market.name === market.assetSymbol)).toHaveLength(1);
    const gone = markets.filter((market) => !market.listed);
    expect(gone).toHaveLength(1);
    expect(data.orders.filter((order) => order.marketId === gone[0]?.id).length).toBeGreaterThan(3);
    expect(data.positions.filter((position) => position.marketId === gone[0]?.id).length).toBeGreaterThan(0);
    const noRevenue = listed.filter((market) => market.longRevenue === 0 && market.shortRevenue === 0);
    expect(noRevenue).toHaveLength(1);
    expect(data.positions.some((position) => position.marketId === noRevenue[0]?.id)).toBe(true);
  });

  test("ids that one double cannot tell apart, position ids in two markets, order ids of both kinds", () => {
    const doubles = new Set(
      data.orders.filter((o) => o.marketId === 1n && !o.reduceOnly).map((o) => Number(o.orderId)),
    );
    expect(doubles.size).toBeLessThan(data.orders.filter((o) => o.marketId === 1n && !o.reduceOnly).length);
    expect(new Set(data.positions.map(({ positionId }) => positionId)).size).toBeLessThan(data.positions.length);
    const kinds = (wallet: { orders: readonly OrderRecord[] }) =>
      new Set(wallet.orders.map((order) => `${order.marketId} ${order.orderId}`)).size;
    expect(wallets.some((wallet) => kinds(wallet) < wallet.orders.length)).toBe(true);
  });

  test("wallets with more than a thousand orders, with many, with few, with one", () => {
    const counts = wallets.map((wallet) => wallet.orders.length);
    expect(counts.filter((count) => count > 1_000)).toHaveLength(1);
    expect(counts.some((count) => count > 50 && count < 1_000)).toBe(true);
    expect(counts.some((count) => count > 1 && count < 10)).toBe(true);
    expect(counts).toContain(1);
  });

  test("wallets with open positions, with closed ones alone, with none, and no wallet with a huge snapshot", () => {
    const states = wallets.map((wallet) => new Set(wallet.positions.map((position) => position.open)));
    expect(states.some((state) => state.size === 0)).toBe(true);
    expect(states.some((state) => state.size === 1 && state.has(false))).toBe(true);
    expect(states.some((state) => state.size === 1 && state.has(true))).toBe(true);
    expect(Math.max(...wallets.map((wallet) => wallet.positions.filter((p) => p.open).length))).toBeLessThan(60);
    expect(data.positions.slice(0, 50).some((position) => position.open)).toBe(true);
    expect(data.positions.slice(0, 50).some((position) => !position.open)).toBe(true);
  });

  test("every arrangement of protective orders", () => {
    const seen = new Set(open.map(arrangementOf));
    expect([...seen]).toEqual(
      expect.arrayContaining([
        "",
        "active STOP_LOSS",
        "active TAKE_PROFIT",
        "active STOP_LOSS, active TAKE_PROFIT",
        "active STOP_LOSS, active STOP_LOSS, terminal STOP_LOSS",
        "active TAKE_PROFIT, active TAKE_PROFIT, terminal TAKE_PROFIT",
        "active TAKE_PROFIT, terminal STOP_LOSS",
        "terminal STOP_LOSS, terminal TAKE_PROFIT",
      ]),
    );
  });

  test("all statuses, sides and kinds of orders, and merged openings", () => {
    const openings = data.orders.filter((order) => !order.reduceOnly);
    const reduces = data.orders.filter((order) => order.reduceOnly);
    expect(new Set(openings.map((order) => order.status)).size).toBe(8);
    expect(new Set(reduces.map((order) => order.status))).toEqual(
      new Set([OrderStatus.PENDING, OrderStatus.PARTIALLY_FILLED, OrderStatus.FULLY_FILLED, OrderStatus.CANCELLED]),
    );
    expect(new Set(data.orders.map((order) => order.side))).toEqual(new Set([Side.LONG, Side.SHORT]));
    expect(new Set(reduces.map((order) => order.reduceOrderType)).size).toBe(5);
    expect(openings.some((order) => order.stopLossPrice > 0 && order.takeProfitPrice > 0)).toBe(true);
    expect(reduces.some((order) => order.leverage === 0)).toBe(true);
    expect(data.positions.some((position) => position.orders.filter((order) => !order.reduceOnly).length > 1)).toBe(
      true,
    );
  });

  test.each([
    ["orders", data.orders.map((order) => order.createdAt)],
    ["positions", data.positions.map((position) => position.timestamp)],
  ] as const)(
    "%s: groups of equal timestamps, and neighbours within one millisecond, across page borders",
    (_, instants) => {
      expect(ties(instants).filter((length) => length >= 3).length).toBeGreaterThan(10);
      const across = [50, 100, 150, 200, 250, 1_000].map((border) => {
        const [before = 0n, after = 0n] = [instants[border - 1], instants[border]];
        if (before === after) return "tie";
        return before / 1_000_000n === after / 1_000_000n ? "within a millisecond" : "apart";
      });
      expect(across).not.toContain("apart");
      expect(new Set(across)).toEqual(new Set(["tie", "within a millisecond"]));
    },
  );

  test("books of several hundred orders, with more than 50 levels a side that merge step by step", () => {
    for (const market of data.markets.values()) {
      const bids = market.depth.filter((order) => order.side === "bid");
      const levels = [1, 10, 100, 1_000].map((step) => new Set(bids.map(({ ticks }) => Math.floor(ticks / step))).size);
      expect(levels[0]).toBeGreaterThan(50);
      expect(levels[1]).toBeLessThan(levels[0] ?? 0);
      expect(levels[2]).toBeLessThan(levels[1] ?? 0);
      expect(levels[3]).toBeLessThan(levels[2] ?? 0);
      expect(Math.min(...bids.map(({ ticks }) => ticks))).toBeGreaterThan(0);
    }
  });
});
