import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { catalogue } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import { appliesTo } from "./invariant.js";
import { invariants, invariantsFor } from "./invariants.js";
import { parseRequest } from "./parsed-request.js";

const address = "0x00000000000000000000000000000000000000ab";
const other = "0x00000000000000000000000000000000000000cd";
const known = {
  markets: [{ marketId: "7", tickDecimals: 2, symbols: { assetSymbol: "BTC", quoteSymbol: "USD" } }],
  wallets: [{ address }],
  unknown: { wallet: other },
};

/** What the invariants of a rule find in an answer; undefined where none applies to the request. */
function found(rule: RuleId, endpoint: Endpoint, request: unknown, body: JsonObject): number | undefined {
  const asked = parseRequest(endpoint, JSON.stringify(request), known);
  if (!asked) throw new Error("not a documented request");
  const own = invariantsFor(rule).filter((each) => each.endpoint === endpoint && appliesTo(each, asked, known));
  if (own.length === 0) return undefined;
  return own.flatMap(({ judge }) => judge(body, { asked, known, readings: {}, sentAt: 0 }).violations).length;
}

const page = (rows: number, limit: number, offset: number, totalCount: number) => ({
  positions: Array.from({ length: rows }, () => ({})),
  pagination: { limit, offset, totalCount },
});
const level = (price: number, size = 1, cumulativeTotal = size) => ({ price, size, orderCount: 1, cumulativeTotal });
const book = (fields: object, bids: readonly object[] = [level(9)], asks: readonly object[] = [level(10)]) =>
  ({ orderBook: { marketId: "7", totalOrderCount: 2, ...fields, book: { bids, asks } } }) as unknown as JsonObject;
const market = { marketId: "7" };

describe("an invariant", () => {
  test.each<[RuleId, Endpoint, unknown, JsonObject, JsonObject]>([
    ["get-all-positions.limit-default", "GetAllPositions", { offset: 3 }, page(50, 50, 3, 99), page(50, 20, 3, 99)],
    ["get-all-positions.limit-zero", "GetAllPositions", { limit: 0 }, page(5, 50, 0, 5), page(0, 0, 0, 5)],
    ["get-all-positions.limit-cap", "GetAllPositions", { limit: 2000 }, page(5, 1000, 0, 5), page(5, 2000, 0, 5)],
    ["pagination.limit", "GetAllPositions", { limit: 7 }, page(5, 7, 0, 5), page(5, 50, 0, 5)],
    ["pagination.offset", "GetAllPositions", { offset: 2 }, page(3, 50, 2, 5), page(3, 50, 0, 5)],
    ["pagination.row-count", "GetAllPositions", { limit: 3 }, page(3, 3, 0, 5), page(2, 3, 0, 5)],
    ["pagination.offset-beyond-end", "GetAllPositions", { offset: 9 }, page(0, 50, 9, 5), page(1, 50, 9, 5)],
    ["pagination.present", "GetAllPositions", {}, page(0, 50, 0, 0), { positions: [] }],
    [
      "get-all-orders.address-filter",
      "GetAllOrders",
      { address },
      { orders: [{ owner: address }] },
      { orders: [{ owner: other }] },
    ],
    [
      "get-all-orders.only-open",
      "GetAllOrders",
      { onlyOpen: true },
      { orders: [{ status: "ORDER_STATUS_PENDING" }] },
      { orders: [{ status: "ORDER_STATUS_CLOSED" }] },
    ],
    [
      "get-orders.market-filter",
      "GetOrders",
      { address, market },
      { orders: [{ marketId: "7" }] },
      { orders: [{ marketId: "8" }] },
    ],
    [
      "portfolio.owner",
      "GetPortfolio",
      { owner: ` ${address}` },
      { portfolio: { owner: address } },
      { portfolio: { owner: other } },
    ],
    ["order-book.offset", "GetOrderBook", { market, offset: 1, levels: 2 }, book({ offset: 1 }), book({ offset: 0 })],
    [
      "order-book.levels-maximum",
      "GetOrderBook",
      { market, levels: 1 },
      book({}),
      book({}, [level(9), level(8, 1, 2)]),
    ],
    ["order-book.size-in-usd-flag", "GetOrderBook", { market, sizeInUsd: true }, book({ sizeInUsd: true }), book({})],
    [
      "order-book.tick-size-applied",
      "GetOrderBook",
      { market, tickSize: 0.1 },
      book({ tickSize: 0.1 }),
      book({ tickSize: 1 }),
    ],
    ["order-book.cumulative-total", "GetOrderBook", { market }, book({}), book({}, [level(9, 1, 3)])],
    [
      "get-market-configs.market-id",
      "GetMarketConfigs",
      { market },
      { marketConfig: { marketId: "7" } },
      { marketConfig: { marketId: "8" } },
    ],
  ])("of %s on %s tells a right answer from a wrong one", (rule, endpoint, request, right, wrong) => {
    expect(found(rule, endpoint, request, right)).toBe(0);
    expect(found(rule, endpoint, request, wrong)).toBeGreaterThan(0);
  });

  test("does not apply to requests that it is not about", () => {
    expect(found("get-all-positions.limit-default", "GetAllPositions", { limit: 5 }, {})).toBeUndefined();
    expect(found("order-book.limit-zero", "GetOrderBook", { market, limit: 1 }, {})).toBeUndefined();
    expect(found("get-orders.market-filter", "GetOrders", { address }, {})).toBeUndefined();
  });
});

test("each is about an operation of its rule", () => {
  for (const { rule, endpoint } of invariants) {
    expect(catalogue.find(({ id }) => id === rule)?.endpoints, rule).toContain(endpoint);
  }
});
