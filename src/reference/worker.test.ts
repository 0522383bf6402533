import { expect, test } from "vitest";
import { ask } from "./test-client.fixture.js";
import { startReferenceServerInWorker } from "./worker.js";

test("a server in a thread of its own answers as one in this thread, with a modification by name", async () => {
  const server = await startReferenceServerInWorker({
    orders: 50,
    modification: { kind: "mutant", name: "order-book-in-usd-with-total-crashes" },
  });
  try {
    expect((await ask(server, "GetAllOrders", { limit: 3 })).json.orders).toHaveLength(3);
    expect((await ask(server, "GetOrderBook", { sizeInUsd: true, totalOrderCount: 1 })).status).toBe(500);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  } finally {
    await server.close();
    await server.close();
  }
  await expect(ask(server, "GetAllOrders")).rejects.toThrow();
});

test("an unknown modification and a port in use are told as they are in this thread", async () => {
  const unknown = { modification: { kind: "variant", name: "nope" } } as const;
  await expect(startReferenceServerInWorker(unknown)).rejects.toThrow('there is no variant "nope"');
  const first = await startReferenceServerInWorker({ orders: 0 });
  await expect(startReferenceServerInWorker({ port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await first.close();
});
