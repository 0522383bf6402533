import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/connect/json.js";
import { success } from "../../src/engine/answers.fixture.js";
import { contextOn, type FakeTarget } from "../../src/engine/context.fixture.js";
import { orderJson, WALLET } from "../../src/judge/rows.fixture.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import { completeRows, orderListsOf } from "./wallet-orders.js";

const wallets = [walletSubject(WALLET, { orders: 2, openPositions: 2, markets: ["1"] })];
const page = (orders: readonly JsonObject[], totalCount = orders.length) => ({
  orders,
  pagination: { totalCount: String(totalCount) },
});

describe("lists of orders", () => {
  test("hold all pages of GetAllOrders", async () => {
    const many: FakeTarget = (endpoint, { offset = 0 }) =>
      endpoint === "GetAllOrders" ? page([orderJson({ orderId: String(offset) })], 2_500) : { orders: [] };
    const [lists] = await orderListsOf(contextOn({ wallets }, many));
    expect(lists?.pages).toHaveLength(3);
    expect(completeRows(lists?.pages ?? [])).toBeUndefined();
  });

  test("are whole when they hold as many orders as totalCount says", () => {
    expect(completeRows([success(page([orderJson()]))])).toHaveLength(1);
    expect(completeRows([success(page([orderJson()], 3)), success(page([orderJson()]))])).toBeUndefined();
    expect(completeRows([success(page([]))])).toEqual([]);
    expect(completeRows([success({ orders: [orderJson()] })])).toBeUndefined();
  });
});
