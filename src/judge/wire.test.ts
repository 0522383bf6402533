import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../connect/json.js";
import { catalogue } from "../specification/catalogue/index.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { packageRoot } from "../specification/package-root.js";
import { requestFaults } from "./request-faults.fixture.js";
import { judgeError, judgeWire, type WireJudgement } from "./wire.js";
import { surveyFields } from "./wire-fields.js";

const owner = "0x00000000000000000000000000000000000000ab";

const order: JsonObject = {
  owner,
  orderId: "9007199254740993",
  timestamp: "2026-01-02T03:04:05.123456789Z",
  marketId: "7",
  market: "BTC/USD",
  type: "ORDER_TYPE_MARKET",
  side: "SIDE_LONG",
  thresholdPrice: 1e-7,
  size: 2,
  leverage: 3,
  status: "ORDER_STATUS_PENDING",
  filledSize: 1.5,
  unfilledSize: 0.5,
  reduceOnly: true,
  canceled: false,
  initialMargin: 5,
  tickDecimals: 2,
  fees: 0.1,
  rebates: -0,
  reduceOrderType: "STOP_LOSS",
  initialNotional: 15,
  stopLossPrice: 1,
  takeProfitPrice: 4,
  createdAt: "2026-01-02T03:04:05+02:00",
  averageFillPrice: 1,
};

const position: JsonObject = {
  owner,
  positionId: "9007199254740993",
  marketId: "7",
  timestamp: "2026-01-02T03:04:05Z",
  market: "BTC/USD",
  side: "SIDE_SHORT",
  marginType: "MARGIN_TYPE_ISOLATED",
  nominalSize: 1,
  markPrice: 100.5,
  reduceOnly: false,
  associatedOrders: [order],
  associatedOrderIds: [{ orderId: 9007199254740993n, marketId: "7" }],
  tickDecimals: 2,
  estimatedRebate: -1,
  currentPnl: 3,
};

const good: Record<Endpoint, JsonObject> = {
  GetAllPositions: { positions: [position], pagination: { limit: 50, offset: 0, totalCount: 1 } },
  GetOpenPositionsStreaming: { positions: [{ ...position, associatedOrders: [] }] },
  GetAllOrders: { orders: [order], pagination: { limit: 50, totalCount: "1" } },
  GetOrders: { orders: [order] },
  GetPortfolio: {
    portfolio: {
      owner,
      timestamp: "2026-01-02T03:04:05Z",
      totalEquity: 1,
      totalTrades: "5",
      positions: [position],
      orders: [order],
    },
  },
  GetOrderBook: {
    orderBook: {
      marketId: "7",
      timestamp: "2026-01-02T03:04:05Z",
      pageSize: 50,
      totalOrderCount: 2,
      levels: 1,
      tickSize: 0.1,
      sizeInUsd: true,
      book: { bids: [{ price: 1, size: 2, orderCount: 1, cumulativeTotal: 2 }], asks: [] },
    },
  },
  GetHistoricalPrices: {
    priceCandleSticks: [{ timestamp: "2026-01-02T03:04:00Z", open: 1, high: 2, low: 1, close: 2, mid: 1.5, volume: 0 }],
    prices: [1, "anything"],
    totalCount: 1,
  },
  GetMarketConfigs: {
    marketConfig: {
      marketId: "7",
      marketName: "BTC/USD",
      maxLeverage: 100,
      tickDecimals: 2,
      creator: owner.toUpperCase().replace("0X", "0x"),
      feeConfig: { marketId: "7", tradeFeePct: 0.1 },
      adlConfig: { shockFactor: 1 },
      maintenanceMarginRate: "0.005",
    },
  },
  GetMarketIdByName: { marketId: "7" },
};

/** Rule ids with violations, each with the places. */
function broken(judgement: WireJudgement): Record<string, string[]> {
  return Object.fromEntries(
    [...judgement].flatMap(([rule, { violations }]) =>
      violations.length === 0 ? [] : [[rule, violations.map(({ path }) => path)]],
    ),
  );
}

function orders(change: Record<string, Json | undefined>): JsonObject {
  return { orders: [order, { ...order, ...change }], pagination: { totalCount: "2" } };
}

function positions(change: Record<string, Json | undefined>): JsonObject {
  return { positions: [{ ...position, ...change }], pagination: { totalCount: 1 } };
}

describe("conformant bodies", () => {
  test.each(endpointNames)("%s: no violation, and every field was examined", (endpoint) => {
    const judgement = judgeWire(endpoint, good[endpoint]);
    expect(broken(judgement)).toEqual({});
    expect(judgement.get("wire.no-null")?.examined).toBeGreaterThan(0);
  });

  test("every rule of the schemas that the endpoints carry is examined by one of the bodies", () => {
    const examined = new Set(endpointNames.flatMap((name) => [...judgeWire(name, good[name]).keys()]));
    expect([...examined].sort()).toEqual(
      [
        "market-config.creator-address",
        "market-config.maintenance-margin-rate-decimal",
        "order-ref.id-form",
        "order.additional-field-types",
        "order.canceled-never-set",
        "order.reduce-order-type-values",
        "order.type-market",
        "pagination.present",
        "pagination.total-count-decimal-string",
        "pagination.total-count-integer",
        "position.additional-field-types",
        "position.margin-type-isolated",
        "states.order-status-values",
        ...catalogue.flatMap(({ id, level }) => (id.startsWith("wire.") && level !== "observation" ? [id] : [])),
      ]
        .filter((id) => !["wire.content-type", "wire.streaming-content-type", "wire.json-object"].includes(id))
        .sort(),
    );
  });

  test("all defaults left out (W1): nothing but the pagination's own numbers is missing", () => {
    expect(broken(judgeWire("GetAllPositions", { pagination: {} }))).toEqual({});
    expect(broken(judgeWire("GetAllOrders", { pagination: {} }))).toEqual({});
    expect(broken(judgeWire("GetOpenPositionsStreaming", {}))).toEqual({});
    expect(broken(judgeWire("GetOrders", {}))).toEqual({});
    expect(broken(judgeWire("GetHistoricalPrices", {}))).toEqual({});
    expect(broken(judgeWire("GetMarketIdByName", {}))).toEqual({});
    const least = { owner, timestamp: "2026-01-02T03:04:05Z", side: "SIDE_LONG" };
    expect(broken(judgeWire("GetOrders", { orders: [{ ...least, status: "ORDER_STATUS_CLOSED" }] }))).toEqual({});
    expect(broken(judgeWire("GetOpenPositionsStreaming", { positions: [least] }))).toEqual({});
  });

  test("absent fields are no evidence", () => {
    expect(judgeWire("GetOrders", {}).get("wire.number-type")).toBeUndefined();
    expect(judgeWire("GetOrders", { orders: [] }).get("wire.side-values")).toBeUndefined();
  });

  test("each application of a rule is counted", () => {
    const one = judgeWire("GetOrders", { orders: [order] }).get("wire.number-type")?.examined ?? 0;
    expect(one).toBeGreaterThan(5);
    expect(judgeWire("GetOrders", { orders: [order, order, order] }).get("wire.number-type")?.examined).toBe(3 * one);
  });

  test("unlisted fields may hold anything (W10)", () => {
    const body = { ...orders({ novelty: null, other: { deep: [null, "x"] } }), extra: null };
    expect(broken(judgeWire("GetAllOrders", body))).toEqual({});
  });

  test("numbers of any size that a double holds (W6)", () => {
    expect(broken(judgeWire("GetAllOrders", orders({ size: 1.7e308 })))).toEqual({});
    expect(broken(judgeWire("GetAllOrders", orders({ novelty: Number.POSITIVE_INFINITY })))).toEqual({});
    expect(broken(judgeWire("GetAllOrders", orders({ size: 123456789012345678901n })))).toEqual({});
  });
});

describe("each fault shows under one rule", () => {
  const place = "orders[1]";
  test.each<[Record<string, Json | undefined>, string, string]>([
    [{ owner: undefined }, "wire.owner-evm-address", `${place}.owner`],
    [{ owner: "" }, "wire.owner-evm-address", `${place}.owner`],
    [{ owner: "0x12" }, "wire.owner-evm-address", `${place}.owner`],
    [{ owner: ` ${owner}` }, "wire.owner-evm-address", `${place}.owner`],
    [{ owner: owner.replace("ab", "AB") }, "wire.owner-lowercase", `${place}.owner`],
    [{ owner: 5 }, "wire.string-type", `${place}.owner`],
    [{ market: ["x"] }, "wire.string-type", `${place}.market`],
    [{ orderId: 5 }, "wire.int64-as-string", `${place}.orderId`],
    [{ orderId: 9007199254740993n }, "wire.int64-as-string", `${place}.orderId`],
    [{ orderId: "007" }, "wire.int64-decimal", `${place}.orderId`],
    [{ orderId: "" }, "wire.int64-decimal", `${place}.orderId`],
    [{ orderId: "-1" }, "wire.int64-decimal", `${place}.orderId`],
    [{ orderId: "1e3" }, "wire.int64-decimal", `${place}.orderId`],
    [{ orderId: " 7" }, "wire.int64-decimal", `${place}.orderId`],
    [{ marketId: "18446744073709551616" }, "wire.int64-decimal", `${place}.marketId`],
    [{ marketId: "99999999999999999999999" }, "wire.int64-decimal", `${place}.marketId`],
    [{ size: "NaN" }, "wire.number-type", `${place}.size`],
    [{ size: "2" }, "wire.number-type", `${place}.size`],
    [{ size: Number.POSITIVE_INFINITY }, "wire.number-type", `${place}.size`],
    [{ size: -(10n ** 400n) }, "wire.number-type", `${place}.size`],
    [{ tickDecimals: Number.POSITIVE_INFINITY }, "wire.integer-type", `${place}.tickDecimals`],
    [{ tickDecimals: 2.5 }, "wire.integer-type", `${place}.tickDecimals`],
    [{ tickDecimals: "2" }, "wire.integer-type", `${place}.tickDecimals`],
    [{ reduceOnly: "true" }, "wire.boolean-type", `${place}.reduceOnly`],
    [{ canceled: "false" }, "wire.boolean-type", `${place}.canceled`],
    [{ canceled: true }, "order.canceled-never-set", `${place}.canceled`],
    [{ timestamp: undefined }, "wire.timestamp-present", `${place}.timestamp`],
    [{ timestamp: "" }, "wire.timestamp-rfc3339", `${place}.timestamp`],
    [{ timestamp: 1767323045 }, "wire.timestamp-rfc3339", `${place}.timestamp`],
    [{ timestamp: "2026-01-02 03:04:05" }, "wire.timestamp-rfc3339", `${place}.timestamp`],
    [{ timestamp: "2026-02-30T03:04:05Z" }, "wire.timestamp-rfc3339", `${place}.timestamp`],
    [{ timestamp: "2026-01-02t03:04:05Z" }, "wire.timestamp-letters", `${place}.timestamp`],
    [{ timestamp: "2026-01-02T03:04:05z" }, "wire.timestamp-letters", `${place}.timestamp`],
    [{ timestamp: "2026-01-02 03:04:05+01:00" }, "wire.timestamp-letters", `${place}.timestamp`],
    [{ side: undefined }, "wire.enum-values-written", `${place}.side`],
    [{ side: "SIDE_UNSPECIFIED" }, "wire.side-values", `${place}.side`],
    [{ side: 1 }, "wire.side-values", `${place}.side`],
    [{ status: undefined }, "wire.enum-values-written", `${place}.status`],
    [{ status: "PENDING" }, "states.order-status-values", `${place}.status`],
    [{ type: "ORDER_TYPE_LIMIT" }, "order.type-market", `${place}.type`],
    [{ size: null }, "wire.no-null", `${place}.size`],
    [{ orderId: null }, "wire.no-null", `${place}.orderId`],
    [{ timestamp: null }, "wire.no-null", `${place}.timestamp`],
    [{ side: null }, "wire.no-null", `${place}.side`],
    [{ status: null }, "wire.no-null", `${place}.status`],
    [{ reduceOrderType: null }, "wire.no-null", `${place}.reduceOrderType`],
    [{ updatedAt: null }, "wire.no-null", `${place}.updatedAt`],
    [{ reduceOrderType: "LIMIT" }, "order.reduce-order-type-values", `${place}.reduceOrderType`],
    [{ reduceOrderType: "" }, "order.reduce-order-type-values", `${place}.reduceOrderType`],
    [{ reduceOrderType: undefined }, "order.reduce-order-type-values", `${place}.reduceOrderType`],
    [{ reduceOnly: false }, "order.reduce-order-type-empty", `${place}.reduceOrderType`],
    [{ reduceOnly: undefined }, "order.reduce-order-type-empty", `${place}.reduceOrderType`],
    [{ updatedAt: 5 }, "order.additional-field-types", `${place}.updatedAt`],
    [{ margin: "5" }, "order.additional-field-types", `${place}.margin`],
  ])("an order with %o", (change, rule, path) => {
    expect(broken(judgeWire("GetAllOrders", orders(change)))).toEqual({ [rule]: [path] });
  });

  test.each<[Record<string, Json | undefined>, string, string]>([
    [{ marginType: "MARGIN_TYPE_CROSS" }, "position.margin-type-isolated", "positions[0].marginType"],
    [{ currentRoi: "5" }, "position.additional-field-types", "positions[0].currentRoi"],
    [{ associatedOrders: {} }, "wire.container-type", "positions[0].associatedOrders"],
    [{ associatedOrders: null }, "wire.no-null", "positions[0].associatedOrders"],
    [{ associatedOrders: [5] }, "wire.container-type", "positions[0].associatedOrders[0]"],
    [{ associatedOrderIds: [{ orderId: "x" }] }, "order-ref.id-form", "positions[0].associatedOrderIds[0].orderId"],
    [{ associatedOrderIds: [{ marketId: 1.5 }] }, "order-ref.id-form", "positions[0].associatedOrderIds[0].marketId"],
    [{ associatedOrderIds: [{ reduceOnly: 1 }] }, "wire.boolean-type", "positions[0].associatedOrderIds[0].reduceOnly"],
  ])("a position with %o", (change, rule, path) => {
    expect(broken(judgeWire("GetAllPositions", positions(change)))).toEqual({ [rule]: [path] });
  });

  test.each<[Endpoint, JsonObject, string, string]>([
    ["GetAllPositions", {}, "pagination.present", "pagination"],
    ["GetAllOrders", { pagination: null }, "wire.no-null", "pagination"],
    ["GetAllOrders", { pagination: [] }, "wire.container-type", "pagination"],
    [
      "GetAllOrders",
      { pagination: { totalCount: 5 } },
      "pagination.total-count-decimal-string",
      "pagination.totalCount",
    ],
    ["GetAllPositions", { pagination: { totalCount: "5" } }, "pagination.total-count-integer", "pagination.totalCount"],
    ["GetAllPositions", { pagination: { limit: "5" } }, "wire.integer-type", "pagination.limit"],
    ["GetOrders", { orders: {} }, "wire.container-type", "orders"],
    ["GetOrders", { orders: [null] }, "wire.no-null", "orders[0]"],
    ["GetPortfolio", {}, "wire.result-present", "portfolio"],
    ["GetPortfolio", { portfolio: {} }, "wire.nested-objects-present", "portfolio.timestamp"],
    [
      "GetPortfolio",
      { portfolio: { owner: "0xAB", timestamp: "2026-01-02T03:04:05Z" } },
      "wire.owner-lowercase",
      "portfolio.owner",
    ],
    ["GetOrderBook", {}, "wire.result-present", "orderBook"],
    ["GetMarketConfigs", {}, "wire.result-present", "marketConfig"],
    ["GetMarketIdByName", { marketId: 7 }, "wire.int64-as-string", "marketId"],
    [
      "GetHistoricalPrices",
      { priceCandleSticks: [{ open: 1 }] },
      "wire.timestamp-present",
      "priceCandleSticks[0].timestamp",
    ],
    ["GetHistoricalPrices", { prices: 5 }, "wire.container-type", "prices"],
    ["GetHistoricalPrices", { totalCount: "5" }, "wire.integer-type", "totalCount"],
  ])("%s answering %o", (endpoint, body, rule, path) => {
    expect(broken(judgeWire(endpoint, body))).toEqual({ [rule]: [path] });
  });

  test("a book and a configuration", () => {
    const book = (change: JsonObject) => ({ orderBook: { ...(good.GetOrderBook.orderBook as JsonObject), ...change } });
    const judged = (change: JsonObject) => broken(judgeWire("GetOrderBook", book(change)));
    expect(judged({ book: undefined })).toEqual({ "wire.nested-objects-present": ["orderBook.book"] });
    expect(judged({ book: { asks: [{ orderCount: 1.5 }] } })).toEqual({
      "wire.integer-type": ["orderBook.book.asks[0].orderCount"],
    });
    expect(judged({ tickSize: "0" })).toEqual({ "wire.number-type": ["orderBook.tickSize"] });
    expect(judged({ sizeInUsd: 1 })).toEqual({ "wire.boolean-type": ["orderBook.sizeInUsd"] });
    const config = (change: JsonObject) => ({
      marketConfig: { ...(good.GetMarketConfigs.marketConfig as JsonObject), ...change },
    });
    const configured = (change: JsonObject) => broken(judgeWire("GetMarketConfigs", config(change)));
    expect(configured({ creator: "me" })).toEqual({ "market-config.creator-address": ["marketConfig.creator"] });
    expect(configured({ creator: "" })).toEqual({});
    for (const rate of ["half", 0.005]) {
      expect(configured({ maintenanceMarginRate: rate })).toEqual({
        "market-config.maintenance-margin-rate-decimal": ["marketConfig.maintenanceMarginRate"],
      });
    }
    expect(configured({ feeConfig: undefined, adlConfig: undefined })).toEqual({
      "wire.nested-objects-present": ["marketConfig.feeConfig", "marketConfig.adlConfig"],
    });
    expect(configured({ feeConfig: { marketId: 7 } })).toEqual({
      "wire.int64-as-string": ["marketConfig.feeConfig.marketId"],
    });
  });
});

describe("violations", () => {
  test("say what was expected and what was seen, with all digits", () => {
    const judgement = judgeWire("GetAllOrders", orders({ orderId: 9007199254740993n, status: undefined }));
    expect(judgement.get("wire.int64-as-string")?.violations).toEqual([
      { path: "orders[1].orderId", expected: "a JSON string", seen: "9007199254740993" },
    ]);
    expect(judgement.get("wire.enum-values-written")?.violations).toEqual([
      { path: "orders[1].status", expected: "a status, whichever it is", seen: "nothing" },
    ]);
  });

  test("one judgement does not leak into the next", () => {
    const bad = judgeWire("GetOrders", { orders: [{ ...order, size: "2" }] });
    const fine = judgeWire("GetOrders", { orders: [order] });
    expect(broken(bad)).toEqual({ "wire.number-type": ["orders[0].size"] });
    expect(broken(fine)).toEqual({});
  });

  test("are kept up to a bound, and one rule's flood does not hide another's", () => {
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      ...order,
      orderId: index,
      size: index === 2999 ? "2" : 2,
    }));
    const judgement = judgeWire("GetOrders", { orders: rows });
    expect(judgement.get("wire.int64-as-string")).toMatchObject({ violations: { length: 2000 } });
    expect(judgement.get("wire.number-type")?.violations).toMatchObject([{ path: "orders[2999].size" }]);
  });

  test("of many rows are those of each row, with its place", () => {
    const pagination = { limit: 50, totalCount: "1" };
    const rows = Array.from({ length: 2_500 }, (_, index) => (index % 1_000 === 700 ? { ...order, size: "2" } : order));
    const judgement = judgeWire("GetAllOrders", { orders: rows, pagination });
    const few = judgeWire("GetAllOrders", { orders: rows.slice(600, 800), pagination });
    const none = judgeWire("GetAllOrders", { orders: [], pagination });
    expect(broken(judgement)).toEqual({ "wire.number-type": [700, 1_700].map((index) => `orders[${index}].size`) });
    for (const [rule, { examined }] of judgement) {
      const outside = none.get(rule)?.examined ?? 0;
      expect([rule, examined]).toEqual([rule, outside + (((few.get(rule)?.examined ?? 0) - outside) / 200) * 2_500]);
    }
  });

  test("name rules of the catalogue that hold for the endpoint", () => {
    const streamed = judgeWire("GetOpenPositionsStreaming", good.GetOpenPositionsStreaming);
    for (const rule of streamed.keys()) {
      expect(catalogue.find(({ id }) => id === rule)?.endpoints).toContain("GetOpenPositionsStreaming");
    }
    const withOrders = { positions: [{ ...position, associatedOrders: [{ ...order, type: "ORDER_TYPE_LIMIT" }] }] };
    expect(broken(judgeWire("GetOpenPositionsStreaming", withOrders))).toEqual({});
  });
});

describe("errors", () => {
  const judged = (body: JsonObject) => broken(judgeError("GetOrders", body));

  test("an error with code and message, and whatever else (E2)", () => {
    expect(judged({ code: "not_found", message: "", details: [{ type: "x" }] })).toEqual({});
    expect(judged({ code: "unauthenticated", message: "no" })).toEqual({});
  });

  test("each fault shows under one rule", () => {
    expect(judged({ message: "x" })).toEqual({ "errors.shape": ["code"] });
    expect(judged({ code: "not_found" })).toEqual({ "errors.shape": ["message"] });
    expect(judged({ code: 5, message: "x" })).toEqual({ "errors.shape": ["code"] });
    expect(judged({ code: "not_found", message: null })).toEqual({ "errors.shape": ["message"] });
    expect(judged({ code: "INVALID_ARGUMENT", message: "x" })).toEqual({ "errors.code-lowercase": ["code"] });
    expect(judged({ code: "invalidArgument", message: "x" })).toEqual({ "errors.code-lowercase": ["code"] });
    expect(judged({ code: "bad_request", message: "x" })).toEqual({ "errors.code-known": ["code"] });
  });
});

describe("surveyFields", () => {
  test("finds nothing unlisted in documented bodies", () => {
    for (const endpoint of endpointNames) expect([...surveyFields(endpoint, good[endpoint]).unlisted]).toEqual([]);
  });

  test("names unlisted fields by their place, once, with their first value (W10)", () => {
    const body = {
      extra: null,
      positions: [
        { ...position, novelty: 5 },
        { ...position, novelty: 6, associatedOrders: [{ ...order, deep: "x" }] },
      ],
    };
    expect([...surveyFields("GetAllPositions", body).unlisted]).toEqual([
      ["extra", null],
      ["positions[].novelty", 5],
      ["positions[].associatedOrders[].deep", "x"],
    ]);
  });

  test("counts defaults that are written out, and fields that are absent (W1)", () => {
    const survey = surveyFields("GetAllOrders", { orders: [], pagination: { limit: 50, offset: 0 } });
    expect(survey).toMatchObject({ defaultsWritten: 2, absent: 1 });
    expect(surveyFields("GetMarketIdByName", {})).toMatchObject({ defaultsWritten: 0, absent: 1 });
  });
});

describe("requests", () => {
  const id = { marketId: "7" };
  const symbols = { marketSymbol: { assetSymbol: "BTC", quoteSymbol: "USD" } };
  test.each<[Endpoint, JsonObject]>([
    ["GetAllPositions", {}],
    ["GetAllPositions", { limit: 5000, offset: 0 }],
    ["GetOpenPositionsStreaming", { address: owner, updateIntervalMs: 100 }],
    ["GetAllOrders", { address: ` ${owner.toUpperCase()} `, onlyOpen: true }],
    ["GetOrders", { address: owner, market: symbols }],
    ["GetPortfolio", { owner }],
    ["GetOrderBook", { market: symbols, tickSize: 0.01, sizeInUsd: false, levels: 5, limit: 10, offset: 0 }],
    ["GetHistoricalPrices", { market: id, startTime: "2026-01-02T03:04:05Z", interval: "1D" }],
    ["GetMarketConfigs", { market: id }],
    ["GetMarketIdByName", { assetSymbol: " btc " }],
  ])("%s %j is well-formed", (endpoint, request) => {
    expect(requestFaults(endpoint, request)).toEqual([]);
  });

  test.each<[Endpoint, JsonObject]>([
    ["GetAllPositions", { limit: "5" }],
    ["GetAllPositions", { limt: 5 }],
    ["GetOrders", {}],
    ["GetOrders", { address: owner, market: {} }],
    ["GetOrderBook", { market: { ...id, ...symbols } }],
    ["GetHistoricalPrices", { market: symbols }],
    ["GetHistoricalPrices", { market: id, interval: "5m" }],
    ["GetMarketConfigs", { market: { marketId: "0" } }],
    ["GetMarketIdByName", { assetSymbol: " " }],
  ])("%s %j is not", (endpoint, request) => {
    expect(requestFaults(endpoint, request).length).toBeGreaterThan(0);
  });
});

test.each(readdirSync(join(packageRoot, "schemas")).filter((name) => name.endsWith(".schema.json")))(
  "%s is a JSON Schema",
  (name) => {
    const schema = JSON.parse(readFileSync(join(packageRoot, "schemas", name), "utf8"));
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(new Ajv2020().validateSchema(schema)).toBe(true);
  },
);
