import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, parseJson, stringify } from "../connect/json.js";
import { requestFaults } from "../judge/wire.js";
import { endpointNames } from "../spec/endpoints.js";
import type { Subjects } from "../subjects/subjects.js";
import { documentedRequests } from "./documented-requests.js";

const platform = {
  markets: [
    {
      marketId: "9007199254740993",
      rowsSeen: 1,
      name: "BTC/USD",
      symbols: { assetSymbol: "BTC", quoteSymbol: "USD" },
      tickDecimals: 2,
      bookOrders: 90,
      candles: 168,
    },
  ],
  wallets: [
    {
      address: "0x00000000000000000000000000000000000000ab",
      orders: 12,
      ordersSeen: 12,
      markets: [],
      openPositions: 2,
      openStatuses: [],
    },
  ],
  totals: { latestOrder: "2026-01-03T00:00:00Z" },
  unknown: { marketId: "1", wallet: "0x00000000000000000000000000000000000000cd", symbols: {} },
} as unknown as Subjects;

describe.each(endpointNames)("documented requests of %s", (endpoint) => {
  const requests = fc.sample(documentedRequests(endpoint, platform) ?? fc.constant({}), { seed: 1, numRuns: 200 });

  test("are well-formed", () => {
    for (const request of requests) {
      const parsed = parseJson(stringify(request));
      if (!("value" in parsed) || !isJsonObject(parsed.value)) throw new Error("no JSON object");
      expect(requestFaults(endpoint, parsed.value), stringify(request)).toEqual([]);
    }
  });

  test("differ", () => {
    expect(new Set(requests.map(stringify)).size).toBeGreaterThan(1);
  });
});

test("leave out what nobody is known for, where an unknown subject has no documented outcome", () => {
  const empty = { ...platform, markets: [], wallets: [] } as unknown as Subjects;
  for (const endpoint of ["GetPortfolio", "GetOrderBook", "GetHistoricalPrices", "GetMarketConfigs"] as const) {
    expect(documentedRequests(endpoint, empty)).toBeUndefined();
  }
  expect(documentedRequests("GetOrders", empty)).toBeDefined();
});
