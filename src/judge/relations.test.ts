import { expect, test } from "vitest";
import {
  listsOrdersOf,
  listsPositionsOf,
  orderCountAgrees,
  resolvesTo,
  sameStoredOrders,
  sameStoredPositions,
  storedThroughout,
} from "./relations.js";
import { orderJson, orders, positionJson, positions, reduceJson, WALLET } from "./rows.fixture.js";

const listing = <Row>(rows: Row, from = "GetOrders") => ({ from, rows });

test("a listing has every row of another one (R14)", () => {
  const both = listing(orders(reduceJson(), orderJson()));
  const one = listing(orders(orderJson()), "GetAllOrders");
  expect(listsOrdersOf(both, one)).toMatchObject({ examined: 1, violations: [] });
  expect(listsOrdersOf(one, both).violations).toEqual([
    {
      path: "orders",
      expected: "order 8 of market 1 (reduce-only), which GetOrders shows as ORDER_STATUS_PENDING",
      seen: "1 order without it",
      row: "8 of market 1 (reduce-only)",
      otherPath: "orders[0]",
      lasting: true,
    },
  ]);
  expect(listsOrdersOf(listing([]), one).violations).toMatchObject([{ seen: "no orders" }]);
  expect(listsOrdersOf(both, listing([])).examined).toBe(0);
  const elsewhere = listing(positions(positionJson({ marketId: "2" })));
  expect(listsPositionsOf(elsewhere, listing(positions(positionJson()))).violations).toHaveLength(1);
});

test("what the missing rows of a listing have in common is told (R14)", () => {
  const withStatus = (status: string, ...ids: readonly string[]) =>
    ids.map((orderId) => orderJson({ orderId, status }));
  const open = withStatus("ORDER_STATUS_PENDING", "1", "2");
  const all = orders(...open, ...withStatus("ORDER_STATUS_CLOSED", "3", "4"));
  const seen = '2 orders without it; missing are 2 of 4 orders, exactly those with "status":"ORDER_STATUS_CLOSED"';
  const { violations } = listsOrdersOf(listing(orders(...open)), listing(all, "GetAllOrders"));
  expect(violations).toMatchObject([{ seen }, { seen }]);
});

test("a page that lists all orders of a wallet counts them (§4.4)", () => {
  const nine = { orders: Array.from({ length: 9 }, () => orderJson()) };
  expect(orderCountAgrees(nine, 9, nine)).toMatchObject({ examined: 1, violations: [] });
  expect(orderCountAgrees(nine, 10, nine).violations).toEqual([
    {
      answer: 1,
      path: "pagination.totalCount",
      expected: "9 (as many orders as GetOrders lists, and this page)",
      seen: "10",
    },
  ]);
  expect(orderCountAgrees(nine, undefined, nine).examined).toBe(0);
  expect(orderCountAgrees(nine, 10, { orders: [orderJson()] }).violations).toMatchObject([{ path: "orders" }]);
});

test("an order's stored fields are the same wherever it is shown (R16)", () => {
  const shown = listing(orders(reduceJson(), orderJson({ fees: 1 })));
  const other = listing(orders(orderJson({ fees: 1 + 1e-9 })), "GetAllOrders");
  expect(sameStoredOrders(shown, other)).toMatchObject({ examined: 1, violations: [] });
  const changed = listing(orders(orderJson({ fees: 2, orderId: 7 })), "GetAllOrders");
  expect(sameStoredOrders(shown, changed).violations).toEqual([
    {
      path: "orders[1].fees",
      expected: "2 (as GetAllOrders shows it)",
      seen: "1",
      row: "7 of market 1 (opening) 1 2",
      otherPath: "orders[0].fees",
    },
  ]);
  expect(sameStoredOrders(shown, listing([])).examined).toBe(0);
});

test("a position's stored fields are the same wherever it is shown, its computed ones need not be (R16)", () => {
  const shown = listing(positions(positionJson()));
  const live = listing(positions(positionJson({ markPrice: 90, unrealizedPnl: -20, estimatedRebate: 0 })));
  expect(sameStoredPositions(shown, live)).toMatchObject({ examined: 1, violations: [] });
  const older = listing(positions(positionJson({ timestamp: "2025-01-01T00:00:00Z", nominalSize: 1 })));
  expect(sameStoredPositions(shown, older).violations.map(({ path }) => path)).toEqual([
    "positions[0].timestamp",
    "positions[0].nominalSize",
  ]);
});

test("a position has the same stored fields in all messages between two that show it alike (R16)", () => {
  const stream = (...sizes: readonly number[]) => ({
    messages: sizes.map((nominalSize, at) => ({
      at,
      body: { positions: [positionJson({ nominalSize }), positionJson({ positionId: "9" })] },
    })),
  });
  const judged = (...[after = 2, ...sizes]: readonly number[]) => storedThroughout(stream(...sizes), stream(after));
  expect(judged(2, 2, 2, 2)).toMatchObject({ examined: 6, violations: [] });
  expect(judged(2, 2, 1, 2).violations.map(({ path }) => path)).toEqual(["messages[1].positions[0].nominalSize"]);
  // What a later read shows otherwise has changed, or is the business of the rule between operations.
  expect(judged(1, 2, 1, 1)).toMatchObject({ examined: 3, violations: [] });
  expect(storedThroughout(stream(2, 1), { messages: [] }).examined).toBe(0);
});

test("each message of a stream has a precision of its own (R1, R16)", () => {
  const stream = (...times: readonly string[]) => ({
    messages: times.map((time, at) => ({
      at,
      body: { positions: [positionJson({ timestamp: `2026-01-01T00:00:00${time}Z` })] },
    })),
  });
  expect(storedThroughout(stream(".123456", ".123", ".123456"), stream(".123456")).violations).toEqual([]);
  expect(storedThroughout(stream(".123456", ".122", ".123456"), stream(".123456")).violations).toHaveLength(1);
});

test("what a position shows while it names other orders than before and afterwards is not compared (R3)", () => {
  const message = (stopLossPrice: number, ...orderIds: readonly string[]) => ({
    at: 0,
    body: {
      positions: [
        positionJson({
          stopLossPrice,
          associatedOrders: [],
          associatedOrderIds: orderIds.map((orderId) => ({ orderId, marketId: "1", reduceOnly: true })),
        }),
      ],
    },
  });
  const afterwards = { messages: [message(0, "1")] };
  const between = (...messages: readonly ReturnType<typeof message>[]) =>
    storedThroughout({ messages: [message(0, "1"), ...messages] }, afterwards);
  expect(between(message(90, "2", "1"), message(0, "1"))).toMatchObject({ examined: 2, violations: [] });
  expect(between(message(90, "1")).violations.map(({ path }) => path)).toEqual([
    "messages[1].positions[0].stopLossPrice",
  ]);
  expect(
    storedThroughout({ messages: [message(0, "1"), message(90, "1")] }, { messages: [message(0, "3")] }).examined,
  ).toBe(0);
});

test.each([
  ["an owner in capitals", { owner: WALLET.toUpperCase() }],
  ["no status", { status: "" }],
  ["a side that does not exist", { side: "SIDE_BUY" }],
  ["a date without time", { timestamp: "yesterday" }],
  ["a number that is none", { size: "NaN" }],
  ["a field that another rule fixes", { canceled: true }],
])("how a field is written is no difference of state: %s", (_, different) => {
  const judgement = sameStoredOrders(listing(orders(orderJson(different))), listing(orders(orderJson())));
  expect(judgement).toMatchObject({ examined: 1, violations: [] });
});

test.each([
  ["status", { status: "ORDER_STATUS_CLOSED" }],
  ["side", { side: "SIDE_SHORT" }],
  ["timestamp", { timestamp: "2026-01-01T00:00:01.000000001Z" }],
  ["market", { market: "" }],
  ["filledSize", { filledSize: 1 }],
  ["initialNotional", { initialNotional: 1 }],
])("another %s is one", (field, different) => {
  const judgement = sameStoredOrders(listing(orders(orderJson(different))), listing(orders(orderJson())));
  expect(judgement.violations.map(({ path }) => path)).toEqual([`orders[0].${field}`]);
});

test("the initial notional of a reduce-only order is not compared: another rule has it be 0", () => {
  const reduction = (initialNotional: number) => listing(orders(orderJson({ reduceOnly: true, initialNotional })));
  expect(sameStoredOrders(reduction(1), reduction(0))).toMatchObject({ examined: 1, violations: [] });
});

test("instants are compared at the coarser precision, rounded or cut off, and numbers by their decimals (R1, R16)", () => {
  const micros = { timestamp: "2026-01-01T00:00:00.123678Z", size: 1.2345 };
  const judged = (other: object) =>
    sameStoredOrders(listing(orders(orderJson(micros))), listing(orders(orderJson({ ...micros, ...other }))));
  for (const timestamp of ["00.123Z", "00.124Z", "00.1237Z", "00Z", "00.12367800Z"]) {
    expect(judged({ timestamp: `2026-01-01T00:00:${timestamp}` }).violations).toEqual([]);
  }
  for (const timestamp of ["00.122Z", "00.125Z", "01Z", "00.123679Z", "00.124000Z"]) {
    expect(judged({ timestamp: `2026-01-01T00:00:${timestamp}` }).violations).toHaveLength(1);
  }
  expect(judged({ size: 1.23 }).violations).toEqual([]);
  expect(judged({ size: 1.24 }).violations).toHaveLength(1);
  expect(judged({ size: 1.2346 }).violations).toHaveLength(1);
  expect(judged({ tickDecimals: 3 }).violations).toHaveLength(1);
});

test("orders within positions have a precision of their own, together (R1, R16)", () => {
  const at = (time: string) => orderJson({ timestamp: `2026-01-01T00:00:00${time}Z` });
  const within = (...times: readonly string[]) =>
    times.flatMap((time, index) =>
      orders(at(time)).map((place) => ({ ...place, list: `positions[${index}].associatedOrders` })),
    );
  const other = listing(orders(at(".123456")));
  const judged = (...times: readonly string[]) =>
    sameStoredOrders(listing([...orders(at(".123")), ...within(...times)]), other).violations;
  expect(judged(".123456")).toEqual([]);
  expect(judged(".123", ".123")).toEqual([]);
  expect(judged(".123456", ".123")).toHaveLength(1);
});

test("a name resolves to the market that goes by it (S9)", () => {
  expect(resolvesTo("1", "1")).toEqual({ examined: 1, violations: [] });
  expect(resolvesTo("1", "2").violations).toMatchObject([{ path: "marketId", seen: "2" }]);
});
