import { afterEach, describe, expect, test } from "vitest";
import { type JsonObject, parseJsonObject } from "../connect/json.js";
import type { Modification } from "../reference/modification.js";
import { mutants } from "../reference/mutants/index.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { variants } from "../reference/variants/index.js";
import { endpoints, type UnaryEndpoint } from "../specification/endpoints.js";
import { ordersOf, portfolioOf, positionsOf } from "./read.js";
import { canonicalStored, orderKey, positionKey } from "./read-stored.js";
import { judgeError, judgeWire } from "./wire.js";
import { surveyFields } from "./wire-fields.js";

let server: ReferenceServer | undefined;
afterEach(() => server?.close());

/** Answers of every unary operation of a small reference server, in the order of the operations. */
async function answersOf(modification?: Modification): Promise<readonly [UnaryEndpoint, JsonObject][]> {
  server = await startReferenceServer({ orders: 300, ...(modification && { modification }) });
  const { url } = server;
  const ask = async (endpoint: UnaryEndpoint, request: JsonObject): Promise<[UnaryEndpoint, JsonObject]> => {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(url + endpoints[endpoint].path, {
      method: "POST",
      headers,
      body: JSON.stringify(request),
    });
    const body = parseJsonObject(await response.text());
    if (!body) throw new Error(`${endpoint} answered no JSON object`);
    return [endpoint, body];
  };
  const positions = await ask("GetAllPositions", { limit: 1000 });
  const orders = await ask("GetAllOrders", { limit: 1000 });
  const owner = positionsOf(positions[1])[0]?.owner ?? "";
  const market = { marketId: ordersOf(orders[1]).find((order) => !order.market.startsWith("MARKET-"))?.marketId ?? "" };
  const range = { startTime: "2025-06-01T00:00:00Z", endTime: "2025-06-02T00:00:00Z", interval: "60" };
  return [
    positions,
    orders,
    await ask("GetOrders", { address: owner }),
    await ask("GetPortfolio", { owner }),
    await ask("GetOrderBook", { market }),
    await ask("GetHistoricalPrices", { market, ...range }),
    await ask("GetMarketConfigs", { market }),
    await ask("GetMarketIdByName", { assetSymbol: "BTC", quoteSymbol: "USD" }),
  ];
}

function brokenRules(answers: readonly (readonly [UnaryEndpoint, JsonObject])[]): readonly string[] {
  return answers.flatMap(([endpoint, body]) =>
    [...judgeWire(endpoint, body)].flatMap(([rule, { violations }]) => (violations.length > 0 ? [rule] : [])),
  );
}

describe("the reference server and what may differ from it", () => {
  const wireVariants = ["defaults-emitted", "order-ref-ids-as-numbers", "timestamps-with-offset"];
  const modifications = variants.filter(({ name }) => wireVariants.includes(name));

  test("the variants are there", () => {
    expect(modifications.map(({ name }) => name)).toEqual(wireVariants);
  });

  test("the reference breaks no wire rule and has no unlisted field", async () => {
    const answers = await answersOf();
    expect(brokenRules(answers)).toEqual([]);
    for (const [endpoint, body] of answers) expect([...surveyFields(endpoint, body).unlisted.keys()]).toEqual([]);
  });

  test.each(modifications)("$name: no wire rule broken, and the same stored state is read", async (variant) => {
    const reference = await answersOf();
    await server?.close();
    const answers = await answersOf(variant);
    expect(brokenRules(answers)).toEqual([]);
    for (const [index, [endpoint, body]] of reference.entries()) {
      if (endpoint === "GetHistoricalPrices") continue;
      expect(canonicalStored(answers[index]?.[1])).toBe(canonicalStored(body));
    }
  });
});

test("a server that writes ids as numbers breaks that rule alone, and its ids are read as ever", async () => {
  const mutant = mutants.find(({ name }) => name === "position-id-as-number");
  const reference = await answersOf();
  await server?.close();
  const answers = await answersOf(mutant);
  expect(new Set(brokenRules(answers))).toEqual(new Set(["wire.int64-as-string"]));
  const keys = (all: typeof answers) => {
    const bodyOf = (name: UnaryEndpoint) => all.find(([endpoint]) => endpoint === name)?.[1] ?? {};
    const listed = positionsOf(bodyOf("GetAllPositions"));
    const open = portfolioOf(bodyOf("GetPortfolio"))?.positions ?? [];
    return [...[...listed, ...open].map(positionKey), ...ordersOf(bodyOf("GetAllOrders")).map(orderKey)];
  };
  expect(keys(reference).length).toBeGreaterThan(300);
  expect(keys(answers)).toEqual(keys(reference));
});

test("errors of the reference server have the shape and codes of §7", async () => {
  server = await startReferenceServer({ orders: 0 });
  const response = await fetch(server.url + endpoints.GetMarketConfigs.path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ market: { marketId: "0" } }),
  });
  const body = (await response.json()) as JsonObject;
  expect(body.code).toBe("invalid_argument");
  for (const [, { violations }] of judgeError("GetMarketConfigs", body)) expect(violations).toEqual([]);
});
