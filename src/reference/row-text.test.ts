import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GetAllOrdersResponseSchema, GetOrdersResponseSchema } from "./gen/order_service/v1/order_service_pb.js";
import { GetAllPositionsResponseSchema } from "./gen/position_service/v1/position_service_pb.js";
import { GetHistoricalPricesResponseSchema } from "./gen/price_service/v1/price_service_pb.js";
import { type ReferenceServer, startReferenceServer } from "./server.js";
import { ask } from "./test-client.fixture.js";

const market = { marketId: "44" };
const year = { startTime: "2024-01-01T00:00:00Z", endTime: "2025-01-01T00:00:00Z" };

let server: ReferenceServer;
let stock: ReferenceServer;
beforeAll(async () => {
  server = await startReferenceServer();
  // Any codec option makes the service leave all writing to Connect; this one is Connect's own default.
  const departure = {
    kind: "variant",
    name: "stock",
    summary: "Stock.",
    codec: { alwaysEmitImplicit: false },
  } as const;
  stock = await startReferenceServer({ departure });
});
afterAll(() => Promise.all([server.close(), stock.close()]));

test.each([
  ["GetAllOrders", { limit: 1_000, offset: 3 }, GetAllOrdersResponseSchema],
  ["GetAllOrders", { offset: 100_000 }, GetAllOrdersResponseSchema],
  ["GetAllOrders", { address: "0x1" }, GetAllOrdersResponseSchema],
  ["GetAllPositions", { limit: 1_000 }, GetAllPositionsResponseSchema],
  ["GetOrders", { address: "0x1" }, GetOrdersResponseSchema],
  ["GetHistoricalPrices", { market, interval: "60", ...year }, GetHistoricalPricesResponseSchema],
  ["GetHistoricalPrices", { market, endTime: "2020-01-01T00:00:00Z" }, GetHistoricalPricesResponseSchema],
] as const)("%s %j is written byte for byte as Connect writes it", async (endpoint, request, schema) => {
  const { text, headers } = await ask(server, endpoint, request);
  const expected = await ask(stock, endpoint, request);
  expect(text === expected.text).toBe(true);
  expect([...headers].filter(([name]) => name !== "date")).toEqual(
    [...expected.headers].filter(([name]) => name !== "date"),
  );
  expect(toJsonString(schema, fromJsonString(schema, text)) === text).toBe(true);
});
