import { afterEach, describe, expect, test } from "vitest";
import type { Modification } from "./modification.js";
import { findModification, mutants, variants } from "./modifications.js";
import { type ReferenceServer, startReferenceServer } from "./server.js";
import { ask, firstFrames, medianFrameGap } from "./test-client.fixture.js";

let servers: ReferenceServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function start(kind: Modification["kind"], name: string): Promise<ReferenceServer> {
  const modification = findModification(kind, name);
  if (modification === undefined) throw new Error(`there is no ${kind} ${name}`);
  const server = await startReferenceServer({ modification });
  servers.push(server);
  return server;
}

async function reference(): Promise<ReferenceServer> {
  const server = await startReferenceServer();
  servers.push(server);
  return server;
}

const ownerWithOpenPositions = (server: ReferenceServer) =>
  [...server.dataset.wallets.values()].find((wallet) => wallet.positions.some((position) => position.open))?.address;

describe("the lists", () => {
  test.each([
    ["mutants", mutants],
    ["variants", variants],
  ] as const)("%s have unique kebab-case names and one sentence each", (_, modifications) => {
    const names = modifications.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, summary } of modifications) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(summary).toMatch(/^\S.*\.$/s);
    }
  });

  test("an unknown name finds nothing, and mutants are no variants", () => {
    expect(findModification("mutant", "nope")).toBeUndefined();
    expect(findModification("variant", "get-portfolio-html-500")).toBeUndefined();
  });
});

describe("mutants", () => {
  test("get-all-positions-default-49: without a limit 49, with one as documented", async () => {
    const server = await start("mutant", "get-all-positions-default-49");
    expect((await ask(server, "GetAllPositions", {})).json).toMatchObject({ pagination: { limit: 49 } });
    expect((await ask(server, "GetAllPositions", { limit: 0 })).json).toMatchObject({ pagination: { limit: 50 } });
    expect((await ask(server, "GetAllOrders", {})).json).toMatchObject({ pagination: { limit: 50 } });
  });

  test("position-id-as-number: a number with all its digits, and nothing else changed", async () => {
    const server = await start("mutant", "position-id-as-number");
    const { text } = await ask(server, "GetAllPositions", { limit: 1_000 });
    const { text: documented } = await ask(await reference(), "GetAllPositions", { limit: 1_000 });
    expect(text === documented).toBe(false);
    expect(text.replace(/"positionId":(\d+)/g, '"positionId":"$1"') === documented).toBe(true);
    const [frame] = await firstFrames(server, { address: ownerWithOpenPositions(server) }, 1);
    expect(frame?.json.positions?.[0]?.positionId).toBeTypeOf("number");
  });

  test("get-all-positions-ascending: oldest first", async () => {
    const server = await start("mutant", "get-all-positions-ascending");
    const { json } = await ask(server, "GetAllPositions", { limit: 5 });
    const oldest = server.dataset.positions.slice(-5).reverse();
    expect(json.positions?.map(({ positionId }) => positionId)).toEqual(
      oldest.map(({ positionId }) => `${positionId}`),
    );
  });

  test("stream-first-message-late: late the first time, then on its grid", { retry: 2 }, async () => {
    const server = await start("mutant", "stream-first-message-late");
    const frames = await firstFrames(server, { address: ownerWithOpenPositions(server), updateIntervalMs: 100 }, 6);
    expect((frames[0]?.at ?? Number.NaN) / 3_000).toBeGreaterThan(0.99);
    expect(medianFrameGap(frames) / 100).toBeGreaterThan(0.8);
    expect(medianFrameGap(frames) / 100).toBeLessThan(1.2);
  });

  test("stream-interval-not-clamped-up: faster than documented", { retry: 2 }, async () => {
    const server = await start("mutant", "stream-interval-not-clamped-up");
    const frames = await firstFrames(server, { address: ownerWithOpenPositions(server), updateIntervalMs: 20 }, 12);
    expect(medianFrameGap(frames) / 100).toBeLessThan(0.6);
  });

  test("order-book-any-multiple-of-the-tick: 2 is taken, -1 is not", async () => {
    const server = await start("mutant", "order-book-any-multiple-of-the-tick");
    const market = { marketId: "2" };
    const taken = await ask(server, "GetOrderBook", { market, tickSize: 2 });
    expect(taken.json.orderBook).toMatchObject({ tickSize: 2 });
    expect((await ask(server, "GetOrderBook", { market, tickSize: -1 })).json).toMatchObject({
      code: "invalid_argument",
    });
    const documented = await ask(await reference(), "GetOrderBook", { market, tickSize: 10 });
    const { timestamp: _, ...expected } = documented.json.orderBook ?? ({} as never);
    expect((await ask(server, "GetOrderBook", { market, tickSize: 10 })).json.orderBook).toMatchObject(expected);
  });

  test("order-book-in-usd-with-total-crashes: a reply of its own", async () => {
    const server = await start("mutant", "order-book-in-usd-with-total-crashes");
    const answer = await ask(server, "GetOrderBook", { sizeInUsd: true, totalOrderCount: 1 });
    expect([answer.status, answer.json]).toMatchObject([500, { code: "internal" }]);
  });
});

describe("variants", () => {
  test("defaults-emitted: zero, false, empty lists are there", async () => {
    const server = await start("variant", "defaults-emitted");
    const { json } = await ask(server, "GetAllOrders", { address: `0x${"7".repeat(40)}` });
    expect(json).toEqual({ orders: [], pagination: { limit: 50, offset: 0, totalCount: "0" } });
    const [order] = (await ask(server, "GetAllOrders", { limit: 1 })).json.orders ?? [];
    expect(order).toMatchObject({ canceled: false });
    const [frame] = await firstFrames(server, { address: `0x${"7".repeat(40)}` }, 1);
    expect(frame?.json).toEqual({ positions: [] });
  });

  test("order-ref-ids-as-numbers: both ids, all digits", async () => {
    const server = await start("variant", "order-ref-ids-as-numbers");
    const { text } = await ask(server, "GetAllPositions", { limit: 1_000 });
    const { text: documented } = await ask(await reference(), "GetAllPositions", { limit: 1_000 });
    expect(/"associatedOrderIds":\[\{"orderId":90071992547\d{5},"marketId":\d+/.test(text)).toBe(true);
    const restored = text.replace(/\{"orderId":(\d+),"marketId":(\d+)/g, '{"orderId":"$1","marketId":"$2"');
    expect(restored === documented).toBe(true);
  });

  test("timestamps-with-offset: the same instants, to the nanosecond", async () => {
    const server = await start("variant", "timestamps-with-offset");
    const { json } = await ask(server, "GetAllOrders", { limit: 100 });
    const { json: documented } = await ask(await reference(), "GetAllOrders", { limit: 100 });
    for (const [i, order] of (json.orders ?? ([] as never)).entries()) {
      for (const name of ["timestamp", "createdAt", "updatedAt"] as const) {
        const [written, expected] = [String(order[name]), String(documented.orders?.[i]?.[name])];
        expect(written).toMatch(/\+02:00$/);
        expect(Date.parse(written)).toBe(Date.parse(expected));
        expect(written.slice(19, -6)).toBe(expected.slice(19, -1));
      }
    }
  });
});
