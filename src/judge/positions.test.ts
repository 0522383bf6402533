import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import { knownOrders } from "./associated.js";
import {
  associatedListsAgree,
  associatedMarkets,
  associatedOwners,
  eachPositionOnce,
  effectiveSizes,
  leveragesAtOpening,
  openingOrders,
  referencesNameOrders,
  unrealizedPnlSigns,
} from "./positions.js";
import { readOrder } from "./read.js";
import { OTHER_WALLET, orderJson, positionJson, positions, reduceJson, refJson, WALLET } from "./rows.fixture.js";
import { contestedTriggers, triggerPrices } from "./triggers.js";

const paths = ({ violations }: { readonly violations: readonly { readonly path: string }[] }) =>
  violations.map(({ path }) => path);
const known = (...rows: readonly JsonObject[]) => knownOrders(rows.map(readOrder));

test("a position appears once in a list (R14)", () => {
  expect(eachPositionOnce(positions(positionJson(), positionJson({ marketId: "2" })))).toMatchObject({
    examined: 2,
    violations: [],
  });
  expect(paths(eachPositionOnce(positions(positionJson(), positionJson({ leverage: 9 }))))).toEqual(["positions[1]"]);
  expect(eachPositionOnce(positions(positionJson())).examined).toBe(0);
  const [first] = positions(positionJson());
  if (!first) throw new Error("no position");
  const twoSnapshots = [first, { ...first, list: "messages[1].positions" }];
  expect(eachPositionOnce(twoSnapshots).violations).toEqual([]);
});

test("effectiveSize equals nominalSize within the tolerance, absent ones are 0 (R1, W1)", () => {
  expect(effectiveSizes(positions(positionJson(), positionJson({ effectiveSize: 2.0000001 })))).toMatchObject({
    examined: 2,
    violations: [],
  });
  const { effectiveSize: _, ...without } = positionJson();
  const precise = positionJson({ nominalSize: 0.125, effectiveSize: 0.125 });
  expect(effectiveSizes(positions(positionJson({ effectiveSize: 1.9 }), without, precise)).violations).toEqual([
    { path: "positions[0].effectiveSize", expected: "2 (= nominalSize)", seen: "1.9" },
    { path: "positions[1].effectiveSize", expected: "2 (= nominalSize)", seen: "0" },
  ]);
  const rounded = positionJson({ nominalSize: 0.13, effectiveSize: 0.125 });
  expect(effectiveSizes(positions(rounded)).violations).toEqual([]);
  expect(effectiveSizes(positions(positionJson({ effectiveSize: "NaN" }))).examined).toBe(0);
});

describe("the sign of unrealizedPnl (R5)", () => {
  test.each([
    ["a long in profit", {}, true],
    ["a long in loss", { markPrice: 90, unrealizedPnl: -20 }, true],
    ["a short in profit", { side: "SIDE_SHORT", markPrice: 90, unrealizedPnl: 20 }, true],
    ["another formula", { unrealizedPnl: 0.01 }, true],
    ["next to nothing, rounded away", { entryPrice: 100.01, markPrice: 100.02, unrealizedPnl: 0 }, true],
    ["a short whose loss is a profit", { side: "SIDE_SHORT", unrealizedPnl: 20 }, false],
    ["a profit that is not there", { unrealizedPnl: 0 }, false],
    ["a loss of a long in profit", { unrealizedPnl: -20 }, false],
  ])("%s", (_, different, conforms) => {
    const judgement = unrealizedPnlSigns(positions(positionJson(different)));
    expect(judgement.examined).toBe(1);
    expect(paths(judgement)).toEqual(conforms ? [] : ["positions[0].unrealizedPnl"]);
  });

  test.each([
    ["equal prices", { markPrice: 100, unrealizedPnl: -5 }],
    ["no size", { nominalSize: 0, unrealizedPnl: -5 }],
    ["no side", { side: "" }],
    ["no mark price", { markPrice: 0, unrealizedPnl: 0, estimatedRebate: -1 }],
    ["an unreadable price", { markPrice: "high" }],
  ])("says nothing of %s", (_, different) => {
    expect(unrealizedPnlSigns(positions(positionJson(different)))).toMatchObject({ examined: 0, violations: [] });
  });
});

describe("the opening order (R2)", () => {
  const silent = positionJson({ associatedOrders: [], associatedOrderIds: [] });

  test("is found in either list", () => {
    const judgement = openingOrders(
      positions(positionJson({ associatedOrders: [] }), positionJson({ associatedOrderIds: [] })),
    );
    expect(judgement).toMatchObject({ examined: 2, violations: [] });
  });

  test.each([
    ["another id", { positionId: "8" }],
    ["another market", { marketId: "2" }],
    [
      "only a reduce-only order of that id",
      { positionId: "8", associatedOrders: [], associatedOrderIds: [refJson(reduceJson())] },
    ],
  ])("is missed: %s", (_, different) => {
    expect(paths(openingOrders(positions(positionJson(different))))).toEqual(["positions[0].positionId"]);
  });

  test("is looked for among the owner's orders where both lists are empty", () => {
    expect(openingOrders(positions(silent)).examined).toBe(0);
    expect(openingOrders(positions(silent), () => known(orderJson()))).toMatchObject({ examined: 1, violations: [] });
    expect(openingOrders(positions(silent), () => known(reduceJson())).violations[0]).toMatchObject({
      path: "positions[0].positionId",
      seen: "7",
    });
  });

  test("gives the position its leverage", () => {
    expect(leveragesAtOpening(positions(positionJson()))).toMatchObject({ examined: 1, violations: [] });
    expect(leveragesAtOpening(positions(positionJson({ leverage: 4 }))).violations).toEqual([
      {
        path: "positions[0].leverage",
        expected: "5 (that of the opening order 7)",
        seen: "4",
        row: "7 of market 1 4 5",
      },
    ]);
    expect(leveragesAtOpening(positions(silent)).examined).toBe(0);
    expect(paths(leveragesAtOpening(positions(silent), known(orderJson({ leverage: 3 }))))).toHaveLength(1);
  });
});

test("associated orders are of the position's market", () => {
  expect(associatedMarkets(positions(positionJson()))).toMatchObject({ examined: 4, violations: [] });
  const foreign = orderJson({ orderId: "9", marketId: "2" });
  const judgement = associatedMarkets(
    positions(positionJson({ associatedOrders: [orderJson(), foreign], associatedOrderIds: [refJson(foreign)] })),
  );
  expect(paths(judgement)).toEqual([
    "positions[0].associatedOrders[1].marketId",
    "positions[0].associatedOrderIds[0].marketId",
  ]);
});

test("associated orders have the position's owner, however it is written", () => {
  const mixed = positionJson({ associatedOrders: [orderJson({ owner: WALLET.toUpperCase() })] });
  expect(associatedOwners(positions(mixed))).toMatchObject({ examined: 1, violations: [] });
  const foreign = positionJson({ associatedOrders: [orderJson({ owner: OTHER_WALLET })] });
  expect(paths(associatedOwners(positions(foreign)))).toEqual(["positions[0].associatedOrders[0].owner"]);
});

describe("associatedOrders and associatedOrderIds (R15)", () => {
  test.each([
    ["the same in another order", { associatedOrderIds: [refJson(reduceJson()), refJson(orderJson())] }, 1],
    ["ids as numbers", { associatedOrderIds: [refJson({ ...orderJson(), orderId: 7 }), refJson(reduceJson())] }, 1],
    ["no orders", { associatedOrders: [] }, 0],
    ["no references", { associatedOrderIds: [] }, 0],
  ])("agree: %s", (_, different, examined) => {
    expect(associatedListsAgree(positions(positionJson(different)))).toMatchObject({ examined, violations: [] });
  });

  test.each([
    ["one missing", { associatedOrderIds: [refJson(orderJson())] }],
    ["one more", { associatedOrders: [orderJson()] }],
    ["one twice", { associatedOrderIds: [refJson(orderJson()), refJson(reduceJson()), refJson(reduceJson())] }],
    ["one of the other kind", { associatedOrderIds: [refJson(orderJson()), refJson(orderJson({ orderId: "8" }))] }],
  ])("disagree: %s", (_, different) => {
    expect(paths(associatedListsAgree(positions(positionJson(different))))).toEqual([
      "positions[0].associatedOrderIds",
    ]);
  });
});

test("references name orders of the owner (R14)", () => {
  const all = known(orderJson(), reduceJson());
  expect(referencesNameOrders(positions(positionJson()), () => all)).toMatchObject({ examined: 2, violations: [] });
  expect(referencesNameOrders(positions(positionJson()), () => undefined).examined).toBe(0);
  const wrongKind = positionJson({
    associatedOrderIds: [refJson(orderJson()), refJson({ orderId: "8", marketId: "1" })],
  });
  expect(referencesNameOrders(positions(wrongKind), () => all).violations).toEqual([
    {
      path: "positions[0].associatedOrderIds[1]",
      expected: `an order of ${WALLET}, as GetOrders or GetAllOrders lists it`,
      seen: "orderId 8, marketId 1, reduceOnly false",
    },
  ]);
});

describe("trigger prices (R3)", () => {
  const cancelled = { status: "ORDER_STATUS_CANCELLED" };
  const holding = (orders: readonly JsonObject[], different: JsonObject = {}) =>
    positionJson({ associatedOrders: orders, associatedOrderIds: orders.map(refJson), ...different });

  test.each([
    ["an active order and a price", holding([orderJson(), reduceJson()]), true],
    ["a partially filled one", holding([orderJson(), reduceJson({ status: "ORDER_STATUS_PARTIALLY_FILLED" })]), true],
    ["an active and a cancelled one", holding([reduceJson(cancelled), reduceJson({ orderId: "9" })]), true],
    ["no reduce order and no price", holding([orderJson()], { stopLossPrice: 0 }), true],
    ["a cancelled order and no price", holding([orderJson(), reduceJson(cancelled)], { stopLossPrice: 0 }), true],
    ["an active order and no price", holding([orderJson(), reduceJson()], { stopLossPrice: 0 }), false],
    ["a negative price", holding([orderJson(), reduceJson()], { stopLossPrice: -1 }), false],
    ["a cancelled order and a price", holding([orderJson(), reduceJson(cancelled)]), false],
    ["an order of the other type", holding([reduceJson({ reduceOrderType: "TAKE_PROFIT" })]), false],
    ["an opening order with a trigger of its own", holding([orderJson({ stopLossPrice: 90 })]), false],
    ["an active order of another market", holding([orderJson(), reduceJson({ marketId: "2" })]), false],
  ])("%s", (_, position, conforms) => {
    const judgement = triggerPrices("stopLossPrice", positions(position));
    expect(judgement.examined).toBe(1);
    expect(paths(judgement)).toEqual(conforms ? [] : ["positions[0].stopLossPrice"]);
  });

  test("the field decides on the type", () => {
    const profit = holding([orderJson(), reduceJson({ reduceOrderType: "TAKE_PROFIT" })], { takeProfitPrice: 120 });
    expect(triggerPrices("takeProfitPrice", positions(profit)).violations).toEqual([]);
    expect(paths(triggerPrices("takeProfitPrice", positions(positionJson({ takeProfitPrice: 1 }))))).toHaveLength(1);
  });

  test("orders that are only referred to count with the state that is known of them", () => {
    const referring = positionJson({ associatedOrders: [] });
    expect(triggerPrices("stopLossPrice", positions(referring)).examined).toBe(0);
    const active = known(orderJson(), reduceJson());
    expect(triggerPrices("stopLossPrice", positions(referring), active)).toMatchObject({ examined: 1, violations: [] });
    const over = known(orderJson(), reduceJson(cancelled));
    expect(paths(triggerPrices("stopLossPrice", positions(referring), over))).toEqual(["positions[0].stopLossPrice"]);
  });

  test("where not all orders are known, a price may come from one of the others", () => {
    const referring = positionJson({ associatedOrders: [orderJson()] });
    expect(triggerPrices("stopLossPrice", positions(referring)).examined).toBe(0);
    const shown = positionJson({ associatedOrders: [reduceJson()], stopLossPrice: 0 });
    expect(paths(triggerPrices("stopLossPrice", positions(shown)))).toEqual(["positions[0].stopLossPrice"]);
  });

  test.each([
    ["type", { reduceOrderType: "stop_loss" }],
    ["status", { status: "" }],
  ])("an order of a %s that does not exist may be the one", (_, different) => {
    const unreadable = holding([orderJson(), reduceJson(different)]);
    expect(triggerPrices("stopLossPrice", positions(unreadable))).toMatchObject({ examined: 0, violations: [] });
  });

  test("several active orders of one type are on record", () => {
    const several = holding([orderJson(), reduceJson(), reduceJson({ orderId: "9" }), reduceJson(cancelled)]);
    const [contested, ...others] = contestedTriggers("stopLossPrice", positions(several, positionJson()));
    expect(contested?.active.map(({ orderId }) => orderId)).toEqual(["8", "9"]);
    expect(others).toEqual([]);
  });
});
