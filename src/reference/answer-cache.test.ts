import { afterEach, expect, test } from "vitest";
import type { Interceptors } from "./modification.js";
import { type ReferenceServer, startReferenceServer } from "./server.js";
import { ask } from "./test-client.fixture.js";

const running: ReferenceServer[] = [];
afterEach(() => Promise.all(running.splice(0).map((server) => server.close())));

/** A server that remembers, with its own time and interceptors. */
async function remembering(now: number, interceptors: Interceptors = {}, seed = 1): Promise<ReferenceServer> {
  const server = await startReferenceServer({
    seed,
    cachesAnswers: true,
    clock: { now: () => now },
    modification: { kind: "variant", name: "tested", summary: "Tested.", ...interceptors },
  });
  running.push(server);
  return server;
}

const request = { market: { marketId: "1" }, limit: 7 };

/** When the server's book is from, which tells who wrote the answer; and how many orders it is said to have. */
async function bookOf(server: ReferenceServer, headers = {}) {
  const { json } = await ask(server, "GetOrderBook", request, { headers });
  const book = json.orderBook as unknown as { timestamp: string; totalOrderCount: number };
  return { at: Date.parse(book.timestamp), orders: book.totalOrderCount };
}

test("a request is answered as it was by another server with the same data, and interceptors see the answer", async () => {
  const first = await bookOf(await remembering(1_700_000_000_000));
  const interceptors: Interceptors = {
    response(endpoint, json) {
      const book = json.orderBook as { totalOrderCount: number };
      if (endpoint === "GetOrderBook") book.totalOrderCount++;
      return undefined;
    },
  };
  const other = await remembering(1_800_000_000_000, interceptors);
  expect(await bookOf(other)).toEqual({ at: first.at, orders: first.orders + 1 });
  expect(await bookOf(other)).toEqual({ at: first.at, orders: first.orders + 1 });
});

test("a server with other data, or a service of its own, answers for itself", async () => {
  await bookOf(await remembering(1_700_000_000_000));
  const rows: Interceptors = { rows: { orders: (_, orders) => orders } };
  const own = [
    await remembering(1_800_000_000_000, {}, 2),
    await remembering(1_800_000_000_000, { dataset: (data) => ({ ...data }) }),
    await remembering(1_800_000_000_000, rows),
    await remembering(1_800_000_000_000, { parameters: { pageOffset: () => 0 } }),
  ];
  for (const server of own) expect((await bookOf(server)).at).toBe(1_800_000_000_000);
});

test("another header or a short deadline makes it another request", async () => {
  const first = await bookOf(await remembering(1_700_000_000_000));
  const server = await remembering(1_800_000_000_000);
  expect((await bookOf(server, { "x-conformance-check": "another" })).at).toBe(first.at);
  for (const [name, value] of Object.entries({ "x-tenant": "one", "connect-timeout-ms": "900" })) {
    expect((await bookOf(server, { [name]: value })).at).toBe(1_800_000_000_000);
  }
});
