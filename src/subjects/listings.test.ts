import { expect, test } from "vitest";
import { walletSubject } from "./fake-target.fixture.js";
import { listingsOf } from "./listings.js";
import type { Subjects } from "./subjects.js";

const platform = {
  totals: { orders: 2700, openOrders: 60, positions: 1300 },
  wallets: [
    walletSubject("0xmany", { orders: 1050, openOrders: 3 }),
    walletSubject("0xfew", { orders: 12, openOrders: 7 }),
    walletSubject("0xsome", { orders: 300 }),
    walletSubject("0xlargest", { orders: 900 }),
    walletSubject("0xnone", { orders: 0, openOrders: 0 }),
  ],
} as unknown as Subjects;

test("positions have one listing", () => {
  expect(listingsOf(platform, "GetAllPositions")).toEqual([{ filter: {}, total: 1300 }]);
});

test("orders have one for each filter and for both together", () => {
  expect(listingsOf(platform, "GetAllOrders")).toEqual([
    { filter: {}, total: 2700 },
    { filter: { onlyOpen: true }, total: 60 },
    { filter: { address: "0xmany" }, total: 1050 },
    { filter: { address: "0xlargest" }, total: 900 },
    { filter: { address: "0xfew" }, total: 12 },
    { filter: { address: "0xfew", onlyOpen: true }, total: 7 },
  ]);
});

test("listings that are too short are left out", () => {
  expect(listingsOf(platform, "GetAllOrders", 100).map(({ total }) => total)).toEqual([2700, 1050, 900]);
  const empty = { totals: {}, wallets: [] } as unknown as Subjects;
  expect(listingsOf(empty, "GetAllOrders")).toEqual([]);
  expect(listingsOf(empty, "GetAllPositions")).toEqual([]);
  expect(listingsOf(empty, "GetAllPositions", 0)).toEqual([{ filter: {}, total: 0 }]);
});
