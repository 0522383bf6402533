import { describe, expect, test } from "vitest";
import {
  activeAreListed,
  emptyListing,
  isActive,
  isTerminal,
  marketIsComplete,
  marketsAreListed,
  onlyActive,
  ordersOfMarket,
  ordersOwnedBy,
  recognised,
  unlimited,
} from "./order-lists.js";
import { orderPage } from "./paging.js";
import { readOrder } from "./read.js";
import { OTHER_WALLET, orderJson, WALLET } from "./rows.fixture.js";

const order = (different = {}) => readOrder(orderJson(different));
const withStatus = (name: string, orderId = "1") => order({ status: `ORDER_STATUS_${name}`, orderId });

describe("statuses", () => {
  test.each([
    ["PENDING", true],
    ["PARTIALLY_FILLED", true],
    ["PARTIALLY_MERGED", true],
    ["FULLY_FILLED", false],
    ["CLOSED", false],
    ["CANCELLED", false],
    ["MERGED", false],
    ["PARTIALLY_CANCELLED", false],
  ])("%s is active: %s", (name, active) => {
    expect(isActive(withStatus(name))).toBe(active);
    expect(isTerminal(withStatus(name))).toBe(!active);
  });

  test("without a status an order is neither", () => {
    const none = order({ status: undefined });
    expect([isActive(none), isTerminal(none)]).toEqual([false, false]);
    expect(onlyActive([none]).examined).toBe(0);
  });

  test("terminal orders among open ones are named", () => {
    expect(onlyActive([withStatus("PENDING"), withStatus("PARTIALLY_CANCELLED")])).toMatchObject({
      examined: 2,
      violations: [{ path: "orders[1].status", seen: "ORDER_STATUS_PARTIALLY_CANCELLED" }],
    });
  });

  test("active orders that the open ones lack are named", () => {
    const all = [withStatus("PARTIALLY_MERGED", "1"), withStatus("PENDING", "2"), withStatus("CLOSED", "3")];
    expect(activeAreListed(all, [withStatus("PENDING", "2"), withStatus("PARTIALLY_MERGED", "1")])).toMatchObject({
      examined: 2,
      violations: [],
    });
    expect(activeAreListed(all, [withStatus("PENDING", "2")]).violations).toMatchObject([
      { answer: 1, expected: "the ORDER_STATUS_PARTIALLY_MERGED order 1/1/opening" },
    ]);
  });
});

describe("a wallet's orders", () => {
  test("are its own, in any case; an absent owner says nothing", () => {
    const judgement = ordersOwnedBy(WALLET, [
      order(),
      order({ owner: WALLET.toUpperCase() }),
      order({ owner: undefined }),
    ]);
    expect(judgement).toMatchObject({ examined: 2, violations: [] });
  });

  test("are not another wallet's", () => {
    expect(ordersOwnedBy(WALLET, [order(), order({ owner: OTHER_WALLET })]).violations).toEqual([
      { path: "orders[1].owner", expected: `${WALLET} (the requested wallet)`, seen: OTHER_WALLET },
    ]);
  });

  test("show that an address was recognised", () => {
    expect(recognised(WALLET, [order()]).violations).toEqual([]);
    expect(recognised(WALLET, []).violations).toEqual([
      { path: "orders", expected: `orders of ${WALLET}`, seen: "none" },
    ]);
    expect(recognised(WALLET, [order({ owner: OTHER_WALLET })]).violations).toHaveLength(1);
  });
});

describe("a market's orders", () => {
  const [first, second, third] = [
    order({ orderId: "1" }),
    order({ orderId: "2" }),
    order({ orderId: "3", marketId: "2" }),
  ];

  test("are of that market, also where a double cannot tell two ids apart (W4)", () => {
    expect(ordersOfMarket("1", [first, second])).toMatchObject({ examined: 2, violations: [] });
    const near = order({ marketId: "9007199254740992" });
    expect(ordersOfMarket("9007199254740993", [near]).violations).toMatchObject([{ path: "orders[0].marketId" }]);
  });

  test("are all there", () => {
    expect(marketIsComplete("1", [first, second, third], [second, first])).toMatchObject({
      examined: 2,
      violations: [],
    });
    expect(marketIsComplete("1", [first, second, third], [first]).violations).toMatchObject([
      { answer: 1, expected: "order 2/1/opening" },
    ]);
    expect(marketIsComplete("3", [first], [])).toMatchObject({ examined: 0, missing: "an order of market 3" });
  });

  test("are there for every market that is known", () => {
    expect(marketsAreListed([first, third], [second, third])).toMatchObject({ examined: 2, violations: [] });
    expect(marketsAreListed([first, third], [first]).violations).toMatchObject([{ expected: "orders of market 2" }]);
    expect(marketsAreListed([first, second], []).examined).toBe(0);
  });
});

test("an empty listing has no rows and no total (R12)", () => {
  const listing = (orders: readonly object[], totalCount?: string) =>
    emptyListing(orderPage({ orders: orders.map(() => orderJson()), pagination: { totalCount } }));
  expect(listing([])).toEqual({ examined: 1, violations: [] });
  expect(listing([], "0").violations).toEqual([]);
  expect(listing([], "3").violations).toMatchObject([{ path: "pagination.totalCount", seen: "3" }]);
  expect(listing([{}], "1").violations).toHaveLength(2);
  expect(emptyListing(orderPage({})).violations).toEqual([]);
});

describe("no result limit", () => {
  const rows = (count: number) => Array.from({ length: count }, () => order());

  test("shows in a wallet with more orders than any page holds", () => {
    expect(unlimited(rows(1001), 1001)).toMatchObject({ examined: 1, violations: [] });
    expect(unlimited(rows(1005), 1001)).toMatchObject({ examined: 1, violations: [] });
  });

  test("does not show in a smaller one", () => {
    expect(unlimited(rows(1000), 1000)).toMatchObject({ examined: 0, violations: [] });
  });

  test("is broken where orders are missing, however many", () => {
    expect(unlimited(rows(1000), 1050).violations).toMatchObject([{ seen: "1000 orders" }]);
    expect(unlimited(rows(50), 60)).toMatchObject({ examined: 1, violations: [{ path: "orders" }] });
  });
});
