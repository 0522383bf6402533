import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GetAllOrdersResponseSchema, GetOrdersResponseSchema } from "./gen/order_service/v1/order_service_pb.js";
import { GetAllPositionsResponseSchema } from "./gen/position_service/v1/position_service_pb.js";
import { GetHistoricalPricesResponseSchema } from "./gen/price_service/v1/price_service_pb.js";
import { listPieces, listText } from "./row-text.js";
import { type ReferenceServer, startReferenceServer } from "./server.js";
import { ask } from "./test-client.fixture.js";

const market = { marketId: "44" };
const year = { startTime: "2024-01-01T00:00:00Z", endTime: "2025-01-01T00:00:00Z" };

let server: ReferenceServer;
let stock: ReferenceServer;
beforeAll(async () => {
  server = await startReferenceServer();
  // Any codec option makes the service leave all writing to Connect; this one is Connect's own default.
  const modification = {
    kind: "variant",
    name: "stock",
    summary: "Stock.",
    codec: { alwaysEmitImplicit: false },
  } as const;
  stock = await startReferenceServer({ modification });
});
afterAll(() => Promise.all([server.close(), stock.close()]));

test("a wallet with very many orders has them all written, in one JSON text", async () => {
  await using busy = await opened(startReferenceServer({ orders: 60, walletOrders: 4_200 }));
  const wallets = [...busy.dataset.wallets.values()].sort((one, other) => other.orders.length - one.orders.length);
  const [busiest, next] = wallets;
  expect(busiest?.orders.length).toBeGreaterThan(4_100);
  expect(next?.orders.length).toBeLessThan(100);
  const { json } = await ask(busy, "GetOrders", { address: busiest?.address ?? "" });
  const ids = (json.orders as unknown as { orderId: string }[]).map(({ orderId }) => orderId);
  expect(ids).toEqual(busiest?.orders.map(({ orderId }) => String(orderId)));
});

test("long lists are written piece by piece as in one go", () => {
  for (const length of [0, 1, 499, 500, 501, 1_750]) {
    const rows = Array.from({ length }, (_, index) => `{"row":${index}}`);
    expect([...listPieces("orders", rows, (row) => row)].join("")).toBe(listText("orders", rows));
  }
});

async function opened(opening: Promise<ReferenceServer>): Promise<ReferenceServer & AsyncDisposable> {
  const running = await opening;
  return Object.assign(Object.create(running), { [Symbol.asyncDispose]: () => running.close() });
}

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
