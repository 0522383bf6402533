import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObjectInput, parseJsonObject, stringify } from "../connect/json.js";
import { requestFaults } from "../judge/request-faults.fixture.js";
import { endpointNames } from "../specification/endpoints.js";
import { faultPlace, malformedBodies, malformedBody, wrongType, wrongTypes } from "./json-faults.js";

const wallet = "0x00000000000000000000000000000000000000ab";
const byId = { market: { marketId: "7" } };
const bySymbols = { market: { marketSymbol: { assetSymbol: "BTC", quoteSymbol: "USD" } } };
const requests = {
  GetAllPositions: [{ limit: 3 }],
  GetOpenPositionsStreaming: [{ address: wallet }],
  GetAllOrders: [{ limit: 3 }],
  GetOrders: [{ address: wallet }, { address: wallet, ...byId }, { address: wallet, ...bySymbols }],
  GetPortfolio: [{ owner: wallet }],
  GetOrderBook: [byId, bySymbols],
  GetHistoricalPrices: [{ ...byId, interval: "60" }],
  GetMarketConfigs: [byId, bySymbols],
  GetMarketIdByName: [{ assetSymbol: "BTC" }],
} as const satisfies Record<string, readonly JsonObjectInput[]>;

const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns = 300) => fc.sample(arbitrary, { seed: 1, numRuns });

describe("malformed bodies", () => {
  test("are no JSON objects, each of another kind", () => {
    const texts = malformedBodies({ limit: 3 }).map(({ body }) => stringify(body));
    expect(texts.map(parseJsonObject)).toEqual(texts.map(() => undefined));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test("of any kind are none either", () => {
    for (const request of [{ limit: 3 }, {}, bySymbols]) {
      for (const { body } of sample(malformedBody(request))) expect(parseJsonObject(stringify(body))).toBeUndefined();
    }
  });
});

describe.each(endpointNames)("wrong types for %s", (endpoint) => {
  test.each([...requests[endpoint]] as JsonObjectInput[])("in %j: one fault each", (request) => {
    expect(requestFaults(endpoint, parseJsonObject(stringify(request)) ?? {})).toEqual([]);
    const all = wrongTypes(endpoint, request);
    for (const { fault, body } of [...all, ...sample(wrongType(endpoint, request))]) {
      const faulty = parseJsonObject(stringify(body)) ?? {};
      expect(requestFaults(endpoint, faulty), fault).not.toEqual([]);
      const [changed, ...others] = Object.keys(faulty).filter(
        (name) => JSON.stringify(faulty[name]) !== JSON.stringify(request[name]),
      );
      expect([fault.startsWith(changed ?? "?"), others], fault).toEqual([true, []]);
    }
  });
});

test("every field is broken in every wrong way, the ignored ones are left alone", () => {
  expect(wrongTypes("GetAllOrders", { limit: 3 })).toHaveLength(3 + 3 + 2 + 1);
  expect(wrongTypes("GetAllOrders", {}).map(({ fault }) => fault)).toEqual(
    expect.arrayContaining(["limit: {}", "limit: true", 'limit: "ten"', "address: 12345", "onlyOpen: {}"]),
  );
  for (const [endpoint, field] of [
    ["GetOrderBook", "totalOrderCount"],
    ["GetHistoricalPrices", "limit"],
  ] as const) {
    expect(wrongTypes(endpoint, byId).some(({ fault }) => fault.startsWith(field))).toBe(false);
  }
});

test("in the selector and elsewhere are told apart", () => {
  expect([...new Set(wrongTypes("GetOrders", { address: wallet, ...byId }).map(faultPlace))].sort()).toEqual([
    "elsewhere",
    "selector",
  ]);
  const places = ["market: 1", "market.marketId: {}", "limit: {}"].map((fault) => faultPlace({ fault, body: {} }));
  expect(places).toEqual(["selector", "selector", "elsewhere"]);
});

test("of the selector only the alternative in use is broken", () => {
  const faults = (request: JsonObjectInput) => wrongTypes("GetMarketConfigs", request).map(({ fault }) => fault);
  expect(faults(byId).filter((fault) => fault.includes("Symbol"))).toEqual([]);
  expect(faults({ market: { marketId: "77" } })).toEqual(
    expect.arrayContaining(['market: "77"', 'market.marketId: ["77"]']),
  );
  expect(faults(bySymbols)).toEqual(expect.arrayContaining(['market.marketSymbol.assetSymbol: ["BTC"]']));
  expect(faults(bySymbols).filter((fault) => fault.includes("marketId"))).toEqual([]);
  expect(wrongTypes("GetOrders", { address: wallet }).every(({ fault }) => fault.startsWith("address"))).toBe(true);
});
