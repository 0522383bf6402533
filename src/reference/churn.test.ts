import { describe, expect, test } from "vitest";
import { Churn } from "./churn.js";
import { sharedDataset } from "./dataset/generate.js";
import { brokenRelations } from "./dataset/invariants.fixture.js";
import { startReferenceServer } from "./server.js";
import { ask } from "./test-client.fixture.js";

const beginning = Date.UTC(2025, 6, 1);

/** A clock that moves on by 150 ms each time it is asked. */
function movingClock(): () => number {
  let now = beginning;
  return () => (now += 150);
}

describe("churn", () => {
  test.each([0, 12, 400])("keeps every relation through 300 changes of %i orders", (orders) => {
    const churn = new Churn(sharedDataset(1, orders), movingClock());
    for (let step = 0; step < 300; step++) {
      churn.step();
      if (step % 10 === 0) expect(brokenRelations(churn.dataset)).toEqual([]);
    }
    expect(brokenRelations(churn.dataset)).toEqual([]);
  });

  test("every kind of change happens", () => {
    const start = sharedDataset(1, 400);
    const churn = new Churn(start, movingClock());
    for (let step = 0; step < 300; step++) churn.step();
    const { orders, positions, markets } = churn.dataset;
    const known = new Set(start.positions.map(({ positionId, marketId }) => `${positionId}/${marketId}`));
    const now = (position: { timestamp: bigint }) => position.timestamp > BigInt(beginning) * 1_000_000n;
    expect(orders.length).toBeGreaterThan(start.orders.length);
    expect(
      orders.some((order) => order.createdAt < order.updatedAt && order.updatedAt > BigInt(beginning) * 1_000_000n),
    ).toBe(true);
    expect(positions.some((position) => !known.has(`${position.positionId}/${position.marketId}`))).toBe(true);
    expect(positions.some((position) => now(position) && position.open)).toBe(true);
    expect(positions.some((position) => now(position) && !position.open)).toBe(true);
    expect([...markets.values()].some((market) => market.markPrice !== start.markets.get(market.id)?.markPrice)).toBe(
      true,
    );
    expect([...markets.values()].some((market) => market.depth !== start.markets.get(market.id)?.depth)).toBe(true);
  });

  test("changes margins time and again where it is asked to", () => {
    const churn = new Churn(sharedDataset(1, 150), movingClock(), true);
    const marginOf = (key: string) =>
      churn.dataset.positions.find(({ positionId, marketId }) => `${positionId}/${marketId}` === key)?.allocatedMargin;
    const keys = churn.dataset.positions.filter(({ open }) => open).map((row) => `${row.positionId}/${row.marketId}`);
    const margins = keys.map(() => new Set<number | undefined>());
    for (let step = 0; step < 100; step++) {
      churn.step();
      keys.forEach((key, index) => void margins[index]?.add(marginOf(key)));
    }
    expect(margins.filter(({ size }) => size > 3).length).toBeGreaterThan(keys.length / 2);
    expect(brokenRelations(churn.dataset)).toEqual([]);
  });

  test("is the same for the same seed and clock, and leaves the shared data alone", () => {
    const start = sharedDataset(1, 400);
    const before = structuredClone(start.orders);
    const [one, other] = [new Churn(start, movingClock()), new Churn(start, movingClock())];
    for (let step = 0; step < 60; step++) {
      one.step();
      other.step();
    }
    expect(one.dataset).toEqual(other.dataset);
    expect(start.orders).toEqual(before);
  });

  test("goes on in a server, and ends with it", async () => {
    const server = await startReferenceServer({ churn: true, orders: 200 });
    const seen = new Set([server.dataset]);
    for (let i = 0; i < 40; i++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      seen.add(server.dataset);
      expect((await ask(server, "GetAllPositions", { limit: 1_000 })).status).toBe(200);
    }
    await server.close();
    const last = server.dataset;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(seen.size).toBeGreaterThan(2);
    expect(server.dataset).toBe(last);
  });
});
