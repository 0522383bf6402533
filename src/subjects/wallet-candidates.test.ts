import { describe, expect, test } from "vitest";
import { readOrder, readPosition } from "../judge/read.js";
import { wallet } from "./fake-target.fixture.js";
import type { ListingPages } from "./listing-pages.js";
import { chooseCandidates, tracesOf } from "./wallet-candidates.js";

function seenOrders(owner: string, count: number, change: Record<string, string | boolean> = {}) {
  return Array.from({ length: count }, (_, index) => ({
    row: readOrder({
      owner,
      orderId: `${index}`,
      marketId: `${1 + (index % 2)}`,
      status: "ORDER_STATUS_CLOSED",
      ...change,
    }),
    exchange: "orders",
  }));
}

function seenPosition(owner: string, change: Record<string, number> = {}) {
  return { row: readPosition({ owner, positionId: "1", marketId: "1", ...change }), exchange: "positions" };
}

const [many, few, stop, take, both, pending, idle, unlisted] = Array.from({ length: 8 }, (_, index) =>
  wallet(`${index}a`),
);
const crowd = Array.from({ length: 50 }, (_, index) => wallet(`${index}c`));

const pages: ListingPages = {
  orders: [
    ...seenOrders(String(many), 60),
    ...crowd.flatMap((owner) => seenOrders(owner, 25)),
    ...seenOrders(String(few), 10),
    ...seenOrders(String(pending), 1, { status: "ORDER_STATUS_PENDING" }),
  ],
  positions: [
    seenPosition(String(stop), { stopLossPrice: 1 }),
    seenPosition(String(take), { takeProfitPrice: 1 }),
    seenPosition(String(both), { stopLossPrice: 1, takeProfitPrice: 1 }),
    seenPosition(String(idle).toUpperCase()),
  ],
  totalOrders: 4000,
  totalOpenOrders: undefined,
  totalPositions: undefined,
};

describe("chooseCandidates", () => {
  const configured = [String(unlisted)];
  const traces = tracesOf(pages, configured);

  test("takes a wallet of each situation out of a crowd, the configured ones first", () => {
    const chosen = chooseCandidates(traces, { configured, share: 0.5, most: 16, seed: 1 }).map(
      ({ address }) => address,
    );
    expect(chosen[0]).toBe(unlisted);
    expect(chosen).toEqual(expect.arrayContaining([many, few, stop, take, both, pending, idle]));
    expect(chosen).toHaveLength(16);
    expect(new Set(chosen).size).toBe(16);
  });

  test("takes a few orders in a few pages for many", () => {
    const [, , third] = chooseCandidates(traces, { configured: [], share: 1, most: 3, seed: 1 });
    const [, , other] = chooseCandidates(traces, { configured: [], share: 0.5, most: 3, seed: 1 });
    expect(third?.orders).toHaveLength(25);
    expect(other?.address).toBe(few);
  });

  test("takes others with another seed, where all are alike", () => {
    const withSeed = (seed: number) =>
      chooseCandidates(traces, { configured: [], share: 0.5, most: 16, seed }).map(({ address }) => address);
    expect(withSeed(2)).toEqual(withSeed(2));
    expect(new Set([...withSeed(1), ...withSeed(2)]).size).toBeGreaterThan(16);
  });

  test("gathers what was seen of one owner, whatever the case", () => {
    expect(traces.find(({ address }) => address === idle)?.positions).toHaveLength(1);
    expect(traces.find(({ address }) => address === unlisted)?.exchange).toBeUndefined();
  });
});
