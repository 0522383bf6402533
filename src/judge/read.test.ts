import { describe, expect, test } from "vitest";
import {
  candlesOf,
  marketConfigOf,
  marketIdOf,
  orderBookOf,
  ordersOf,
  paginationOf,
  portfolioOf,
  positionsOf,
  readOrder,
  readOrderRef,
  readPosition,
} from "./read.js";
import {
  canonicalStored,
  orderKey,
  positionKey,
  positionState,
  precisionOf,
  storedOrderDifferences,
  storedOrderText,
  storedPositionDifferences,
} from "./read-stored.js";
import { readEnum, readFlag, readId, readNumber, readText, readTime } from "./read-values.js";

describe("single values", () => {
  test.each([
    ["9007199254740993", "9007199254740993"],
    [9007199254740993n, "9007199254740993"],
    [42, "42"],
    [1e3, "1000"],
    ["007", "7"],
    [" 7 ", "7"],
    ["-7", "-7"],
    ["+7", "7"],
    ["", "0"],
    [undefined, "0"],
    [null, "0"],
    ["abc", "abc"],
    ["1.5", "1.5"],
    [1.5, "1.5"],
  ])("reads the id %s as %s", (json, id) => {
    expect(readId(json)).toBe(id);
  });

  test.each([
    [1.5, 1.5],
    [10n, 10],
    ["1e-7", 1e-7],
    [undefined, 0],
    [null, 0],
    ["NaN", Number.NaN],
    ["", Number.NaN],
    [{}, Number.NaN],
    [true, Number.NaN],
  ])("reads the number %s as %s", (json, number) => {
    expect(readNumber(json)).toBe(number);
  });

  test("reads text and flags, absent ones as their defaults (W1)", () => {
    expect([readText("x"), readText(undefined), readText(null), readText(5), readText([])]).toEqual([
      "x",
      "",
      "",
      "5",
      "",
    ]);
    expect([readFlag(true), readFlag(undefined), readFlag(false), readFlag("true")]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test("reads enum values in the specification's spelling", () => {
    expect(readEnum("SIDE_LONG", "SIDE_")).toBe("SIDE_LONG");
    expect(readEnum("long", "SIDE_")).toBe("SIDE_LONG");
    expect(readEnum("side_long", "SIDE_")).toBe("SIDE_LONG");
    expect(readEnum(undefined, "SIDE_")).toBe("");
    expect(readEnum(undefined, "ORDER_TYPE_", "ORDER_TYPE_MARKET")).toBe("ORDER_TYPE_MARKET");
  });

  test("reads timestamps, also in notations that break W8", () => {
    const half = { seconds: 1_767_323_045, leap: false, fraction: "5" };
    expect(readTime("2026-01-02T03:04:05.5Z")).toEqual({ text: "2026-01-02T03:04:05.5Z", instant: half });
    expect(readTime("2026-01-02 03:04:05.500").instant).toEqual(half);
    expect(readTime(1_767_323_045_500).instant).toEqual(half);
    expect(readTime(1_767_323_045.5).instant).toEqual(half);
    expect(readTime("soon")).toEqual({ text: "soon" });
    expect(readTime(undefined)).toEqual({ text: "" });
    expect(readTime(null)).toEqual({ text: "" });
  });
});

describe("views", () => {
  test("an empty order has the defaults of all its fields, and the only order type (W1, W2)", () => {
    const { json, timestamp, ...rest } = readOrder({});
    expect(timestamp).toEqual({ text: "" });
    expect(rest).toMatchObject({ owner: "", orderId: "0", side: "", status: "", type: "ORDER_TYPE_MARKET", size: 0 });
    expect(rest).toMatchObject({ reduceOnly: false, canceled: false, reduceOrderType: "", takeProfitPrice: 0 });
    expect(json).toEqual({});
  });

  test("an empty position likewise", () => {
    expect(readPosition({})).toMatchObject({
      owner: "",
      positionId: "0",
      marketId: "0",
      marginType: "MARGIN_TYPE_ISOLATED",
      associatedOrders: [],
      associatedOrderIds: [],
      markPrice: 0,
    });
  });

  test("ids that break the wire rules identify the same order", () => {
    const id = "9007199254740993";
    const good = readOrder({ orderId: id, marketId: "7", reduceOnly: true });
    const bad = readOrder({ orderId: 9007199254740993n, marketId: 7, reduceOnly: true });
    expect(orderKey(bad)).toBe(orderKey(good));
    expect(orderKey(readOrderRef({ orderId: 9007199254740993n, marketId: "7", reduceOnly: true }))).toBe(
      orderKey(good),
    );
    expect(orderKey(readOrder({ orderId: id, marketId: "7" }))).not.toBe(orderKey(good));
  });

  test("positions of different markets differ although they share an id (R14)", () => {
    expect(positionKey(readPosition({ positionId: "5", marketId: "1" }))).not.toBe(
      positionKey(readPosition({ positionId: "5", marketId: "2" })),
    );
  });

  test("answers are read once, and absent or misshapen lists are empty", () => {
    const body = { orders: [{ orderId: "1" }], pagination: { limit: 50, totalCount: "1" } };
    expect(ordersOf(body)).toBe(ordersOf(body));
    expect(ordersOf(body)).toHaveLength(1);
    expect(paginationOf(body)).toEqual({ limit: 50, offset: 0, totalCount: 1 });
    expect(paginationOf({})).toBeUndefined();
    expect(ordersOf({})).toEqual([]);
    expect(positionsOf({ positions: "none" })).toEqual([]);
    expect(positionsOf({ positions: [null] })).toHaveLength(1);
  });

  test("single resources of an answer, undefined when absent", () => {
    expect(portfolioOf({})).toBeUndefined();
    expect(portfolioOf({ portfolio: { owner: "0xa", orders: [{}], totalTrades: 3 } })).toMatchObject({
      owner: "0xa",
      orders: [{ orderId: "0" }],
      positions: [],
      totalTrades: "3",
    });
    expect(orderBookOf({ orderBook: { marketId: "1", book: { asks: [{ price: 2, size: 1 }] } } })).toMatchObject({
      bids: [],
      asks: [{ price: 2, size: 1, orderCount: 0, cumulativeTotal: 0 }],
      tickSize: 0,
    });
    expect(orderBookOf({ orderBook: null })).toBeUndefined();
    expect(marketConfigOf({ marketConfig: { marketId: "3", marketName: "A/B" } })).toMatchObject({ marketName: "A/B" });
    expect(candlesOf({ priceCandleSticks: [{ timestamp: "2026-01-02T03:04:05Z", open: 1 }] })).toMatchObject([
      { open: 1, close: 0 },
    ]);
    expect(marketIdOf({ marketId: 5 })).toBe("5");
    expect(marketIdOf({})).toBe("0");
  });
});

describe("stored state", () => {
  const order = {
    owner: "0xa",
    orderId: "1",
    marketId: "2",
    timestamp: "2026-01-02T03:04:05.5Z",
    type: "ORDER_TYPE_MARKET",
    side: "SIDE_LONG",
    status: "ORDER_STATUS_PENDING",
    size: 2,
  };
  const position = {
    owner: "0xa",
    positionId: "1",
    marketId: "2",
    timestamp: "2026-01-02T03:04:05Z",
    markPrice: 10,
    unrealizedPnl: 5,
    associatedOrderIds: [{ orderId: 1, marketId: "2" }],
  };

  test("canonicalStored ignores how the same state is written", () => {
    const written = {
      status: "ORDER_STATUS_PENDING",
      size: 2,
      side: "SIDE_LONG",
      timestamp: "2026-01-02t05:04:05.500+02:00",
      marketId: 2,
      orderId: 1n,
      owner: "0xa",
      canceled: false,
      fees: 0,
      reduceOrderType: "",
    };
    expect(canonicalStored(written)).toBe(canonicalStored(order));
  });

  test.each([
    { size: 3 },
    { status: "ORDER_STATUS_CLOSED" },
    { timestamp: "2026-01-02T03:04:05.5000000001Z" },
    { fees: 1 },
  ])("canonicalStored sees %j", (change) => {
    expect(canonicalStored({ ...order, ...change })).not.toBe(canonicalStored(order));
  });

  test("canonicalStored leaves out what is computed on read", () => {
    const body = { positions: [position], pagination: { limit: 50, totalCount: 1 } };
    const later = { ...body, positions: [{ ...position, markPrice: 11, unrealizedPnl: 6, estimatedRebate: 1 }] };
    expect(canonicalStored(later)).toBe(canonicalStored(body));
    expect(canonicalStored({ ...body, positions: [] })).not.toBe(canonicalStored(body));
    const portfolio = {
      portfolio: { owner: "0xa", timestamp: "2026-01-02T03:04:05Z", totalEquity: 1, orders: [order] },
    };
    const again = { portfolio: { owner: "0xa", timestamp: "2026-01-02T03:04:06Z", totalEquity: 2, orders: [order] } };
    expect(canonicalStored(again)).toBe(canonicalStored(portfolio));
    const book = { orderBook: { marketId: "1", timestamp: "2026-01-02T03:04:05Z", book: {} } };
    expect(canonicalStored({ orderBook: { ...book.orderBook, timestamp: "2026-01-02T03:04:09Z" } })).toBe(
      canonicalStored(book),
    );
  });

  test("canonicalStored leaves out what is not documented, which may change with each answer (W10)", () => {
    const named = (requestId: string) => ({ requestId, orders: [{ ...order, shownTo: requestId }] });
    expect(canonicalStored(named("a"))).toBe(canonicalStored(named("b")));
  });

  test("canonicalStored tells levels and rows apart by their order", () => {
    const rows = [order, { ...order, orderId: "9" }];
    expect(canonicalStored({ orders: rows })).not.toBe(canonicalStored({ orders: [...rows].reverse() }));
  });

  test("two readings of one order: same within R1, and an inherited leverage may be missing (R8)", () => {
    const differences = (one: object, other: object) => {
      const [first, second] = [readOrder({ ...order, ...one }), readOrder({ ...order, ...other })];
      return storedOrderDifferences(first, second, [precisionOf([first]), precisionOf([second])]);
    };
    const inherited = { leverage: 3, reduceOnly: true };
    expect(differences(inherited, { size: 2.0000000001, reduceOnly: true })).toEqual([]);
    expect(differences({}, { size: 3.1, leverage: 3 })).toEqual([
      { field: "size", first: "2", second: "3.1" },
      { field: "leverage", first: "0", second: "3" },
    ]);
  });

  test("two readings of one position: computed fields and lists of orders may differ", () => {
    const first = readPosition(position);
    const differences = (changes: object) => {
      const second = readPosition({ ...position, ...changes });
      return storedPositionDifferences(first, second, [precisionOf([first]), precisionOf([second])]);
    };
    expect(differences({ markPrice: 11, associatedOrderIds: [] })).toEqual([]);
    expect(differences({ nominalSize: 1, side: "SIDE_SHORT" })).toEqual([
      { field: "side", first: "", second: "SIDE_SHORT" },
      { field: "nominalSize", first: "0", second: "1" },
    ]);
  });

  test("as text: the same for the same state, whatever is computed and in whatever order associated orders come", () => {
    const orderText = (different: object) => storedOrderText(readOrder({ ...order, ...different }));
    expect(orderText({ orderId: 1, canceled: false, unlisted: 5 })).toBe(orderText({}));
    expect(orderText({ status: "ORDER_STATUS_CLOSED" })).not.toBe(orderText({}));
    const other = { ...order, orderId: "9" };
    const positionText = (different: object) => positionState(readPosition({ ...position, ...different }));
    const text = positionText({ associatedOrders: [order, other] });
    expect(positionText({ associatedOrders: [other, order], markPrice: 99, liquidationPrice: 1 })).toBe(text);
    expect(positionText({ associatedOrders: [order, other], timestamp: "2026-02-01T00:00:00Z" })).toBe(text);
    expect(positionText({ associatedOrders: [order] })).not.toBe(text);
    expect(positionText({ associatedOrders: [order, { ...other, status: "ORDER_STATUS_CLOSED" }] })).not.toBe(text);
    expect(positionText({ associatedOrders: [order, other], nominalSize: 7 })).not.toBe(text);
  });
});
