import { describe, expect, test } from "vitest";
import { type JsonObject, type JsonObjectInput, parseJsonObject, stringify } from "../connect/json.js";
import { requestFaults } from "../judge/request-faults.fixture.js";
import { endpointNames, walletEndpoints } from "../specification/endpoints.js";
import { walletSubject } from "./fake-target.fixture.js";
import {
  documentedErrors,
  selectingRequest,
  simpleRequest,
  simpleRequestBySymbols,
  unknownRequest,
  walletRequest,
} from "./requests.js";
import { noSubjects, type Subjects } from "./subjects.js";

const address = (digit: string) => `0x${digit.repeat(40)}`;
const nothing = noSubjects({
  marketId: "424242",
  wallet: address("e"),
  symbols: { assetSymbol: "ZQA", quoteSymbol: "QZB" },
});

const market = (marketId: string, facts: Partial<Subjects["markets"][number]>) => ({ marketId, rowsSeen: 1, ...facts });

const platform: Subjects = {
  ...nothing,
  markets: [
    market("7", { name: "BTC/USD", symbols: { assetSymbol: "BTC", quoteSymbol: "USD" }, bookOrders: 90, candles: 168 }),
    market("8", { name: "GOLD", symbols: { assetSymbol: "GOLD" }, bookOrders: 20 }),
  ],
  wallets: [
    walletSubject(address("a"), { orders: 12, openOrders: 2, openPositions: 2 }),
    walletSubject(address("b"), { orders: 1200, openPositions: 0, openOrders: 0 }),
  ],
  totals: { orders: 2700, positions: 900, latestOrder: "2026-01-03T00:00:00Z" },
};

const objectOf = (request: JsonObjectInput): JsonObject => {
  const parsed = parseJsonObject(stringify(request));
  if (!parsed) throw new Error("no JSON object");
  return parsed;
};

describe.each(endpointNames)("requests of %s", (endpoint) => {
  test("are well-formed, whether anything is known or not", () => {
    const made = [platform, nothing].flatMap((subjects) => [
      simpleRequest(endpoint, subjects),
      selectingRequest(endpoint, subjects),
      unknownRequest(endpoint, subjects),
      ...[simpleRequestBySymbols(endpoint, subjects)].filter((request) => request !== undefined),
    ]);
    for (const request of made) expect(requestFaults(endpoint, objectOf(request)), stringify(request)).toEqual([]);
  });

  test("that are documented to fail are no well-formed ones, but for what nobody knows", () => {
    for (const { request, code } of documentedErrors(endpoint, platform)) {
      expect(requestFaults(endpoint, objectOf(request)).length > 0).toBe(code === "invalid_argument");
    }
  });
});

test("markets are named by their symbols where operations resolve them", () => {
  expect(simpleRequestBySymbols("GetHistoricalPrices", platform)).toBeUndefined();
  expect(simpleRequestBySymbols("GetOrderBook", platform)).toMatchObject({
    market: { marketSymbol: { assetSymbol: "BTC", quoteSymbol: "USD" } },
  });
});

test("a wallet is the owner of a portfolio, and the address elsewhere", () => {
  for (const endpoint of walletEndpoints) {
    expect(Object.keys(walletRequest(endpoint, "x"))).toEqual([endpoint === "GetPortfolio" ? "owner" : "address"]);
  }
});

test("prices are asked for three hours that ended a day before the latest activity", () => {
  const range = { startTime: "2026-01-01T21:00:00Z", endTime: "2026-01-02T00:00:00Z" };
  expect(simpleRequest("GetHistoricalPrices", platform)).toMatchObject(range);
});
