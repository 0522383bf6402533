import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import { knownOrders } from "./associated.js";
import {
  eachOrderOnce,
  inheritedLeverages,
  inheritedSides,
  initialNotionals,
  noInitialNotionals,
  sizesAddUp,
  sizesMatchStatus,
} from "./orders.js";
import { readOrder, readPosition } from "./read.js";
import { orderJson, orders, positionJson, reduceJson } from "./rows.fixture.js";

const paths = ({ violations }: { readonly violations: readonly { readonly path: string }[] }) =>
  violations.map(({ path }) => path);

test("an order appears once in a list; ids may repeat across markets and kinds (R14)", () => {
  const distinct = orders(orderJson(), orderJson({ marketId: "2" }), orderJson({ reduceOnly: true }));
  expect(eachOrderOnce(distinct)).toMatchObject({ examined: 3, violations: [] });
  const events = orders(orderJson({ status: "ORDER_STATUS_PENDING" }), orderJson());
  expect(eachOrderOnce(events).violations).toEqual([
    {
      path: "orders[1]",
      expected: "each order once",
      seen: "7 of market 1 (opening) again, first in orders[0]",
    },
  ]);
});

test("initialNotional is margin times leverage, and 0 for reduce-only orders (R1)", () => {
  const rows = orders(orderJson(), orderJson({ initialNotional: 200.0001 }), reduceJson());
  expect(initialNotionals(rows)).toMatchObject({ examined: 2, violations: [] });
  expect(noInitialNotionals(rows)).toMatchObject({ examined: 1, violations: [] });
  const wrong = orders(orderJson({ initialNotional: 40 }), reduceJson({ initialNotional: 200 }));
  expect(initialNotionals(wrong).violations).toEqual([
    { path: "orders[0].initialNotional", expected: "200 (= initialMargin 40 x leverage 5)", seen: "40" },
  ]);
  expect(paths(noInitialNotionals(wrong))).toEqual(["orders[1].initialNotional"]);
});

test("initialNotional may be off by what each number is rounded by (R1)", () => {
  const cents = { initialMargin: 40.01, leverage: 2.5 };
  const of = (initialNotional: number) => initialNotionals(orders(orderJson({ ...cents, initialNotional }))).violations;
  // Half a cent of margin, times 2.5; a twentieth of leverage, times 40.01.
  expect(of(100.04)).toEqual([]);
  expect(of(102.03)).toEqual([]);
  expect(of(102.05)).toHaveLength(1);
});

test("an initialNotional that is off the same way in every order is not rounded (R1)", () => {
  const off = (by: (index: number) => number) =>
    orders(
      ...Array.from({ length: 24 }, (_, index) => {
        const leverage = 1.5 + (index % 6);
        const initialNotional = 40.01 * leverage * by(index);
        return orderJson({ orderId: String(index), leverage, initialMargin: 40.01, initialNotional });
      }),
    );
  expect(initialNotionals(off(() => 1)).violations).toEqual([]);
  expect(initialNotionals(off((index) => (index % 2 === 0 ? 1.001 : 0.999))).violations).toEqual([]);
  expect(initialNotionals(off((index) => (index === 7 ? 1 : 1.001))).violations).toEqual([]);
  expect(initialNotionals(off(() => 1.001)).violations).toHaveLength(24);
});

describe("amounts (R9)", () => {
  const of = (status: string, size: number, filledSize: number, unfilledSize: number): JsonObject =>
    orderJson({ status: `ORDER_STATUS_${status}`, size, filledSize, unfilledSize });

  test.each([
    [of("PENDING", 2, 0, 2), true, true],
    [of("PARTIALLY_FILLED", 2, 0.5, 1.5), true, true],
    [of("FULLY_FILLED", 2, 2, 0), true, true],
    [of("PARTIALLY_MERGED", 2, 0.5, 1.5), true, true],
    [of("PARTIALLY_MERGED", 2.5, 0.5, 1.5), false, true],
    [of("PENDING", 2, 1, 1), true, false],
    [of("PARTIALLY_FILLED", 2, 0, 2), true, false],
    [of("PARTIALLY_FILLED", 2, 2, 0), true, false],
    [of("FULLY_FILLED", 2, 1, 1), true, false],
    [of("FULLY_FILLED", 3, 1, 0), false, true],
    [of("CANCELLED", 2, 1, 0), true, true],
    [of("CLOSED", 2, 0, 0), true, true],
  ])("%j", (order, addUp, match) => {
    expect(sizesAddUp(orders(order)).violations).toHaveLength(addUp ? 0 : 1);
    expect(sizesMatchStatus(orders(order)).violations).toHaveLength(match ? 0 : 1);
  });

  test("of terminal orders other than filled ones say nothing", () => {
    const over = orders(of("CANCELLED", 2, 1, 0), of("CLOSED", 2, 0, 0), of("MERGED", 2, 0, 0));
    expect(sizesAddUp(over).examined + sizesMatchStatus(over).examined).toBe(0);
  });
});

describe("what a reduce-only order inherits (R8)", () => {
  const position = readPosition(positionJson());
  const none = new Map();

  test("side and leverage of the opening order", () => {
    expect(inheritedSides(orders(reduceJson()), [position], none)).toMatchObject({ examined: 1, violations: [] });
    expect(inheritedLeverages(orders(reduceJson()), [position], none)).toMatchObject({ examined: 1, violations: [] });
    const unavailable = orders(reduceJson({ leverage: 0 }));
    expect(inheritedLeverages(unavailable, [position], none)).toMatchObject({ examined: 1, violations: [] });
  });

  test("neither another side nor another leverage", () => {
    const wrong = orders(orderJson({ side: "SIDE_SHORT" }), reduceJson({ side: "SIDE_SHORT", leverage: 1 }));
    expect(inheritedSides(wrong, [position], none).violations).toEqual([
      { path: "orders[1].side", expected: "SIDE_LONG (that of the opening order 7)", seen: "SIDE_SHORT" },
    ]);
    expect(inheritedLeverages(wrong, [position], none).violations).toEqual([
      { path: "orders[1].leverage", expected: "5 (that of the opening order 7), or 0", seen: "1" },
    ]);
  });

  test("is judged only where a position links the orders and the opening one is known", () => {
    const wrong = orders(reduceJson({ side: "SIDE_SHORT" }));
    const referring = readPosition(positionJson({ associatedOrders: [] }));
    expect(inheritedSides(wrong, [], none).examined).toBe(0);
    expect(inheritedSides(orders(reduceJson({ orderId: "99", side: "SIDE_SHORT" })), [position], none).examined).toBe(
      0,
    );
    expect(inheritedSides(wrong, [referring], none).examined).toBe(0);
    expect(paths(inheritedSides(wrong, [referring], knownOrders([readOrder(orderJson())])))).toEqual([
      "orders[0].side",
    ]);
  });
});
