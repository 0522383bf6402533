import { describe, expect, test } from "vitest";
import { listedOrders, type OrderEndpoint } from "./located-rows.js";
import { type OrdersRead, upToDateOrders } from "./order-changes.js";
import { orderJson } from "./rows.fixture.js";

const PENDING = "ORDER_STATUS_PENDING";
const CANCELLED = "ORDER_STATUS_CANCELLED";

/** What an operation shows at a time: the status of order 7, or none, beside an order that stays as it is. */
function read(endpoint: OrderEndpoint, at: number, status: string | undefined, answer = 0): OrdersRead {
  const changing = status === undefined ? [] : [orderJson({ orderId: "7", status })];
  const orders = [...changing, orderJson({ orderId: "8", status: CANCELLED })];
  const body = endpoint === "GetPortfolio" ? { portfolio: { orders: changing } } : { orders };
  const lists = endpoint === "GetPortfolio" ? "open" : "all";
  const isPage = endpoint === "GetAllOrders";
  return { endpoint, from: at, to: at + 5, orders: listedOrders(endpoint, body), lists, isPage, answer };
}

/** GetAllOrders and GetOrders, every 2.6 s: the statuses that each shows. */
function watch(all: readonly (string | undefined)[], own: readonly (string | undefined)[]): OrdersRead[] {
  return all.flatMap((status, round) => [
    read("GetAllOrders", 2_600 * round, status, 2 * round),
    read("GetOrders", 2_600 * round, own[round], 2 * round + 1),
  ]);
}

const ofOrders = (reads: readonly OrdersRead[]) => upToDateOrders("GetOrders", reads);

describe("orders that change (R16)", () => {
  test("are shown as they are by every operation", () => {
    const statuses = [PENDING, CANCELLED, CANCELLED, CANCELLED];
    for (const endpoint of ["GetOrders", "GetAllOrders"] as const) {
      const judgement = upToDateOrders(endpoint, watch(statuses, statuses));
      expect(judgement).toMatchObject({ violations: [] });
      expect(judgement.examined).toBeGreaterThan(0);
    }
  });

  test("are not still open where they have been over for more than 2.5 s, twice", () => {
    const over = [PENDING, CANCELLED, CANCELLED, CANCELLED];
    const { violations } = ofOrders(watch(over, [PENDING, PENDING, PENDING, PENDING]));
    expect(violations).toEqual([
      {
        answer: 7,
        path: "orders[0].status",
        expected: expect.stringMatching(
          /^order 7 .* no longer open, which GetAllOrders has shown as ORDER_STATUS_CANCELLED for 5\.2 s$/,
        ),
        seen: PENDING,
        row: "an order that is over",
      },
    ]);
    // A cache for a moment, and one of several processes that is late.
    expect(ofOrders(watch(over, [PENDING, PENDING, PENDING, CANCELLED])).violations).toEqual([]);
    expect(ofOrders(watch(over.slice(0, 3), [PENDING, PENDING, PENDING])).violations).toEqual([]);
  });

  test("may be open again", () => {
    const reopened = [PENDING, CANCELLED, PENDING, PENDING];
    expect(ofOrders(watch(reopened, [PENDING, PENDING, PENDING, PENDING])).violations).toEqual([]);
  });

  test("are not missing from the list of all orders of a wallet", () => {
    const opened = [undefined, PENDING, PENDING, PENDING];
    const never = [undefined, undefined, undefined, undefined];
    expect(ofOrders(watch(opened, never)).violations).toMatchObject([
      { answer: 7, path: "orders", seen: "1 order without it" },
    ]);
    expect(ofOrders(watch(opened, [undefined, undefined, PENDING, PENDING])).violations).toEqual([]);
    // A page of the newest orders need not show it, unless it has all.
    expect(upToDateOrders("GetAllOrders", watch(never, opened)).violations).toEqual([]);
    const whole = watch(never, opened).map((each): OrdersRead => ({ ...each, isPage: false }));
    expect(upToDateOrders("GetAllOrders", whole).violations).toHaveLength(1);
  });

  test("are not missing from the orders of their market, and need not be among those of another", () => {
    const opened = [undefined, PENDING, PENDING, PENDING];
    const never = [undefined, undefined, undefined, undefined];
    const inMarket = (marketId: string) =>
      watch(opened, never).map((each): OrdersRead => (each.endpoint === "GetOrders" ? { ...each, marketId } : each));
    expect(ofOrders(inMarket("1")).violations).toHaveLength(1);
    expect(ofOrders(inMarket("2")).violations).toEqual([]);
  });

  test("are among the open ones while no operation shows them as over", () => {
    const portfolios = (statuses: readonly (string | undefined)[]) =>
      statuses.flatMap((status, round) => [
        read("GetOrders", 2_600 * round, status, 2 * round),
        read("GetPortfolio", 2_600 * round, undefined, 2 * round + 1),
      ]);
    const judged = (...statuses: readonly (string | undefined)[]) =>
      upToDateOrders("GetPortfolio", portfolios(statuses)).violations;
    expect(judged(undefined, PENDING, PENDING, PENDING, PENDING)).toMatchObject([{ path: "portfolio.orders" }]);
    expect(judged(undefined, PENDING, PENDING, CANCELLED, CANCELLED)).toEqual([]);
  });

  test("differ at rest without a second look", () => {
    expect(ofOrders(watch([CANCELLED, CANCELLED], [PENDING, PENDING])).violations).toHaveLength(1);
    const portfolios = [0, 2_600].flatMap((at) => [
      read("GetOrders", at, CANCELLED),
      read("GetPortfolio", at, PENDING, 1),
    ]);
    expect(upToDateOrders("GetPortfolio", portfolios).violations).toMatchObject([
      { path: "portfolio.orders[0].status" },
    ]);
  });

  test("need several operations, and more than 2.5 s", () => {
    const missing = expect.stringContaining("in several operations");
    expect(ofOrders([read("GetOrders", 0, PENDING)])).toMatchObject({ examined: 0, missing });
    expect(ofOrders(watch([PENDING], [PENDING]))).toMatchObject({ examined: 0, missing });
  });
});
