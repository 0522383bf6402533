import { describe, expect, test } from "vitest";
import { pageLimitMax } from "../specification/limits.js";
import {
  activeAreListed,
  emptyListing,
  hasNoResultLimit,
  isActive,
  isTerminal,
  marketIsComplete,
  marketsAreListed,
  onlyActive,
  ordersOfMarket,
  ordersOwnedBy,
  reachesOldest,
} from "./order-lists.js";
import { orderPage } from "./page.js";
import { type OrderView, readOrder } from "./read.js";
import { OTHER_WALLET, orderJson, WALLET } from "./rows.fixture.js";

const order = (different = {}) => readOrder(orderJson(different));
const listed = (...rows: readonly OrderView[]) => rows.map((row, index) => ({ list: "orders", index, row }));
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

  test.each([undefined, 3, "ORDER_STATUS_EXPIRED"])("with the status %s an order is neither", (status) => {
    const other = order({ status });
    expect([isActive(other), isTerminal(other)]).toEqual([false, false]);
    expect(onlyActive(listed(other)).examined).toBe(0);
  });

  test("terminal orders among open ones are named", () => {
    expect(onlyActive(listed(withStatus("PENDING"), withStatus("PARTIALLY_CANCELLED")))).toMatchObject({
      examined: 2,
      violations: [{ path: "orders[1].status", seen: "ORDER_STATUS_PARTIALLY_CANCELLED" }],
    });
  });

  test("active orders that the open ones lack are named", () => {
    const all = [withStatus("PARTIALLY_MERGED", "1"), withStatus("PENDING", "2"), withStatus("CLOSED", "3")];
    expect(activeAreListed(all, [[withStatus("PENDING", "2"), withStatus("PARTIALLY_MERGED", "1")]])).toMatchObject({
      examined: 2,
      violations: [],
    });
    expect(activeAreListed(all, [[withStatus("PENDING", "2")]]).violations).toMatchObject([
      { answer: 1, expected: "order 1 of market 1 (opening), ORDER_STATUS_PARTIALLY_MERGED" },
    ]);
  });

  test("those that are older than a full page may be on the next one", () => {
    const at = (minute: number) =>
      order({
        status: "ORDER_STATUS_PENDING",
        orderId: String(minute),
        timestamp: `2026-01-01T12:${minute}:00Z`,
      });
    const page = Array.from({ length: pageLimitMax }, (_, index) => ({
      ...at(30),
      orderId: String(index === 0 ? 30 : 1_000 + index),
    }));
    expect(activeAreListed([at(10), at(30)], [page])).toMatchObject({ examined: 1, violations: [] });
    expect(activeAreListed([at(50), at(30), at(10)], [page]).violations).toMatchObject([
      { expected: "order 50 of market 1 (opening), ORDER_STATUS_PENDING", seen: "1000 orders without it" },
    ]);
    expect(activeAreListed([at(30), at(10)], [page.slice(0, -1)]).violations).toMatchObject([
      { expected: "order 10 of market 1 (opening), ORDER_STATUS_PENDING" },
    ]);
    expect(activeAreListed([at(30), at(10)], [page, [at(20)]]).violations).toMatchObject([
      { expected: "order 10 of market 1 (opening), ORDER_STATUS_PENDING" },
    ]);
    expect(activeAreListed([at(30), at(10)], [page, [at(10)]]).violations).toEqual([]);
  });

  test("those with the timestamp of one that two pages show may be on none (P4)", () => {
    const [first, second, third] = ["1", "2", "3"].map((orderId) => withStatus("PENDING", orderId));
    if (!first || !second || !third) return;
    expect(activeAreListed([first, second, third], [[first, second], [second]]).violations).toEqual([]);
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
});

describe("a market's orders", () => {
  const [first, second, third] = [
    order({ orderId: "1" }),
    order({ orderId: "2" }),
    order({ orderId: "3", marketId: "2" }),
  ];

  test("are of that market, also where a double cannot tell two ids apart (W4)", () => {
    expect(ordersOfMarket("1", [first, second])).toMatchObject({ examined: 2, violations: [] });
    expect(ordersOfMarket("1", [])).toMatchObject({ examined: 1, violations: [] });
    const near = order({ marketId: "9007199254740992" });
    expect(ordersOfMarket("9007199254740993", [near]).violations).toMatchObject([{ path: "orders[0].marketId" }]);
  });

  test("are all there", () => {
    expect(marketIsComplete("1", [first, second, third], [second, first])).toMatchObject({
      examined: 2,
      violations: [],
    });
    expect(marketIsComplete("1", [first, second, third], [first]).violations).toMatchObject([
      { answer: 1, expected: "order 2 of market 1 (opening)" },
    ]);
    expect(marketIsComplete("3", [first], [])).toMatchObject({ examined: 0, missing: "an order of market 3" });
  });

  test("are there for every market that is known", () => {
    expect(marketsAreListed(["1", "2"], [second, third])).toMatchObject({ examined: 2, violations: [] });
    expect(marketsAreListed(["1", "2"], [first]).violations).toMatchObject([
      { expected: expect.stringMatching(/^also orders of market 2,/), seen: "1 order, all of market 1" },
    ]);
    expect(marketsAreListed(["1", "2"], []).violations).toMatchObject([{ seen: "no orders" }, {}]);
    expect(marketsAreListed(["1"], []).examined).toBe(0);
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
  test("shows in one market by its oldest orders, of which one may be missing for another reason", () => {
    const rows = ["5", "4", "3", "2", "1"].map((orderId) => order({ orderId }));
    expect(reachesOldest(rows, rows.slice(0, 3))).toMatchObject({ examined: 1, violations: [] });
    expect(reachesOldest(rows, rows.slice(0, 2)).violations).toMatchObject([
      { answer: 1, seen: "2 orders, ending before that" },
    ]);
    expect(reachesOldest([], rows).examined).toBe(0);
  });

  const wallet = Array.from({ length: 1100 }, (_, index) => order({ orderId: String(index + 1) }));
  const oldest = wallet.slice(-3);

  test("shows in a wallet with more orders than any page holds", () => {
    expect(hasNoResultLimit(wallet, oldest)).toMatchObject({ examined: 1, violations: [] });
  });

  test("does not show in a smaller one, or in one whose oldest orders are not known", () => {
    expect(hasNoResultLimit(wallet.slice(100), oldest)).toMatchObject({ examined: 0, violations: [] });
    expect(hasNoResultLimit(wallet, [])).toMatchObject({ examined: 0, missing: "a wallet with more than 1000 orders" });
  });

  test("is broken where the orders end before the oldest, however many there are", () => {
    expect(hasNoResultLimit(wallet.slice(0, 1000), oldest)).toMatchObject({
      examined: 1,
      violations: [
        { expected: expect.stringContaining("1100 of market 1 (opening)"), seen: "1000 orders, ending before that" },
      ],
    });
    expect(hasNoResultLimit(wallet.slice(0, 50), wallet.slice(57, 60)).violations).toHaveLength(1);
  });

  test("is not broken by orders that are missing in between", () => {
    expect(hasNoResultLimit([...wallet.slice(0, 1050), ...wallet.slice(-2)], oldest).violations).toEqual([]);
  });
});
