import { Code } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import { endpoints } from "../specification/endpoints.js";
import { mapMarkets, mapOrders, mapPositions } from "./dataset/dataset.js";
import { positionsIn, raw } from "./json.js";
import { type Interceptors, type OutgoingFrame, on, SubstituteResponse } from "./modification.js";
import { documented } from "./parameters.js";
import { type ReferenceServer, startReferenceServer } from "./server.js";
import { ask, firstFrames, medianFrameGap, watch } from "./test-client.fixture.js";

let server: ReferenceServer | undefined;
afterEach(() => server?.close());

/** A server with these interceptors. */
async function serverWith(interceptors: Interceptors): Promise<ReferenceServer> {
  server = await startReferenceServer({
    modification: { kind: "variant", name: "tested", summary: "Tested.", ...interceptors },
  });
  return server;
}

const ownerOf = ({ dataset }: ReferenceServer) => dataset.positions.find((position) => position.open)?.owner;
const bytes = (text: string) => new TextEncoder().encode(text);

describe("interceptors on data and service", () => {
  test("parameters replace a documented decision, for one endpoint or all", async () => {
    const target = await serverWith({
      parameters: {
        pageLimit: (endpoint, requested) =>
          endpoint === "GetAllOrders" ? 3 : documented.pageLimit(endpoint, requested),
      },
    });
    expect((await ask(target, "GetAllOrders", { limit: 9 })).json.orders).toHaveLength(3);
    expect((await ask(target, "GetAllPositions", { limit: 9 })).json.positions).toHaveLength(9);
  });

  test("a changed dataset shares what it leaves alone, and positions follow their orders", async () => {
    const target = await serverWith({
      dataset: (data) => {
        const [first] = data.positions;
        const withOrders = mapOrders(data, (order) =>
          order === first?.orders[0] ? { ...order, fees: 12_345 } : order,
        );
        const withPositions = mapPositions(withOrders, (row) =>
          row.positionId === first?.positionId && row.marketId === first.marketId ? { ...row, leverage: 77 } : row,
        );
        return mapMarkets(withPositions, (market) => (market.id === 1n ? { ...market, markPrice: 1 } : market));
      },
    });
    const rows = (await ask(target, "GetAllPositions", { limit: 1_000 })).json.positions ?? [];
    expect(rows[0]).toMatchObject({ leverage: 77, associatedOrders: [{ fees: 12_345 }] });
    expect(new Set(rows.filter((row) => String(row.marketId) === "1").map((row) => row.markPrice))).toEqual(
      new Set([1]),
    );
    // The texts of shared rows are kept per market: the untouched server next to it is not affected.
    const other = await startReferenceServer();
    const marks = (await ask(other, "GetAllPositions", { limit: 1_000 })).json.positions ?? [];
    expect(marks.some((row) => Number(row.markPrice) === 1 || Number(row.leverage) === 77)).toBe(false);
    expect(other.dataset.orders.filter((order) => !target.dataset.orders.includes(order))).toHaveLength(1);
    await other.close();
  });

  test("rows are changed after sorting and before paging, with the effective parameters at hand", async () => {
    const seen: unknown[] = [];
    const target = await serverWith({
      rows: {
        positions: (endpoint, rows, context) => {
          seen.push(
            endpoint,
            context.effective,
            context.request,
            context.now() > 0,
            context.dataset === target.dataset,
          );
          return rows.slice(0, 2);
        },
        orders: (_endpoint, rows) => rows.filter((order) => order.reduceOnly),
        depth: (rows) => rows.slice(0, 4),
        candles: (rows) => rows.slice(1),
      },
    });
    expect((await ask(target, "GetAllPositions", { limit: 5 })).json.pagination).toEqual({ limit: 5, totalCount: 2 });
    expect(seen).toEqual(["GetAllPositions", { limit: 5, offset: 0 }, { limit: 5 }, true, true]);
    const orders = (await ask(target, "GetAllOrders", {})).json.orders ?? [];
    expect(new Set(orders.map((order) => order.reduceOnly))).toEqual(new Set([true]));
    const market = { marketId: "1" };
    expect((await ask(target, "GetOrderBook", { market })).json.orderBook?.totalOrderCount).toBe(4);
    expect((await ask(target, "GetHistoricalPrices", { market })).json.totalCount).toBe(299);
  });
});

describe("interceptors on JSON", () => {
  test("request: changed before it is decoded, on unary calls and on the stream", async () => {
    const target = await serverWith({
      request: (_endpoint, json) => ({ ...json, limit: undefined, address: ownerOf(target), updateIntervalMs: 100 }),
    });
    expect((await ask(target, "GetAllOrders", { limit: 3, address: "0x1" })).json.pagination?.limit).toBe(50);
    const frames = await firstFrames(target, { address: "0x1", updateIntervalMs: 60_000 }, 2);
    expect(frames[1]?.json.positions?.[0]?.owner).toBe(ownerOf(target));
  });

  test("request: answered straight away", async () => {
    const target = await serverWith({
      request: on("GetMarketIdByName", () => new SubstituteResponse({ marketId: raw("1e3") })),
    });
    expect((await ask(target, "GetMarketIdByName")).text).toBe('{"marketId":1e3}');
    expect((await ask(target, "GetAllOrders")).status).toBe(200);
  });

  test("response: of unary calls and of each stream message, with its index", async () => {
    const target = await serverWith({
      response: (_endpoint, json, { messageIndex }) => {
        for (const position of positionsIn(json)) position.leverage = raw(`${messageIndex}.50`);
        return json;
      },
    });
    expect((await ask(target, "GetAllPositions", { limit: 1 })).text).toContain('"leverage":0.50,');
    const frames = await firstFrames(target, { address: ownerOf(target), updateIntervalMs: 100 }, 3);
    expect(frames.map(({ json }) => json.positions?.[0]?.leverage)).toEqual([0.5, 1.5, 2.5]);
  });

  test("error: of unary calls, and at the end of a stream", async () => {
    const target = await serverWith({
      error: (_endpoint, { json }) => ({ status: 418, json: { ...json, code: String(json.code).toUpperCase() } }),
    });
    expect(await ask(target, "GetMarketIdByName")).toMatchObject({ status: 418, json: { code: "INVALID_ARGUMENT" } });
    const [end] = await firstFrames(target, { address: 5 }, 1);
    expect(end?.json.error?.code).toBe("INVALID_ARGUMENT");
  });

  test("codec options write what they say", async () => {
    const target = await serverWith({ codec: { enumAsInteger: true } });
    expect((await ask(target, "GetAllOrders", { limit: 1 })).json.orders?.[0]?.type).toBe(1);
  });
});

describe("interceptors on HTTP", () => {
  test("intercept answers before Connect does", async () => {
    const target = await serverWith({
      intercept: ({ method, path, headers }) =>
        headers.has("authorization")
          ? undefined
          : { status: 401, headers: { "x-seen": `${method} ${path}` }, body: bytes('{"code":"unauthenticated"}') },
    });
    const answer = await ask(target, "GetAllOrders");
    expect([answer.status, answer.headers.get("x-seen")]).toEqual([401, `POST ${endpoints.GetAllOrders.path}`]);
    expect((await ask(target, "GetAllOrders", {}, { headers: { authorization: "Bearer x" } })).status).toBe(200);
  });

  test("http sees and replaces the complete reply", async () => {
    const target = await serverWith({
      http: (endpoint, reply) =>
        endpoint === "GetMarketIdByName" ? { ...reply, headers: { ...reply.headers, connection: "close" } } : undefined,
    });
    const answer = await ask(target, "GetMarketIdByName", { assetSymbol: "GOLD" });
    expect([answer.text, answer.headers.get("connection")]).toEqual(['{"marketId":"7"}', "close"]);
    expect(answer.headers.get("content-length")).toBe("16");
  });

  test("a reply may come in chunks, broken off, or not at all", async () => {
    const target = await serverWith({
      http: (endpoint, reply) => {
        if (endpoint === "GetAllOrders") return { ...reply, delivery: { chunks: 100 } };
        if (endpoint === "GetOrders") return { ...reply, delivery: { truncate: 10 } };
        return { ...reply, delivery: "reset" };
      },
    });
    const chunked = await ask(target, "GetAllOrders", { limit: 2 });
    expect(chunked.json.orders).toHaveLength(2);
    expect(chunked.headers.get("transfer-encoding")).toBe("chunked");
    await expect(ask(target, "GetOrders", { address: ownerOf(target) })).rejects.toThrow();
    await expect(ask(target, "GetPortfolio", { owner: "0x1" })).rejects.toThrow();
  });
});

describe("interceptors on the stream", () => {
  const watched = async (interceptors: Interceptors, updateIntervalMs = 100) => {
    const target = await serverWith(interceptors);
    const frames = [];
    let failed = false;
    try {
      for await (const frame of watch(target, { address: ownerOf(target), updateIntervalMs })) frames.push(frame);
    } catch {
      failed = true;
    }
    return { frames, failed };
  };

  test("an end after some messages: with an end frame, with an error, without one, with a reset", async () => {
    const end = await watched({ schedule: () => ({ messages: 2 }) });
    expect(end.frames.map(({ flags, json }) => [flags, json.error])).toEqual([
      [0, undefined],
      [0, undefined],
      [2, undefined],
    ]);
    const error = await watched({
      schedule: () => ({ messages: 1, ending: { code: Code.Internal, message: "broken" } }),
    });
    expect(error.frames.at(-1)?.json.error).toEqual({ code: "internal", message: "broken" });
    const cut = await watched({ schedule: () => ({ messages: 2, ending: "cut" }) });
    expect([cut.frames.map(({ flags }) => flags), cut.failed]).toEqual([[0, 0], false]);
    const reset = await watched({ schedule: () => ({ messages: 2, ending: "reset" }) });
    // A reset may overtake what was sent before it.
    expect([reset.failed, reset.frames.some(({ flags }) => flags !== 0)]).toEqual([true, false]);
  });

  test("another grid: bursts, and another interval", async () => {
    const bursts = await watched({ schedule: () => ({ at: (index) => Math.floor(index / 3) * 300, messages: 6 }) });
    const at = bursts.frames.map((frame) => frame.at);
    expect((at[2] ?? 0) - (at[0] ?? 0)).toBeLessThan((at[3] ?? 0) - (at[2] ?? 0));
    const slower = await watched({
      schedule: ({ effectiveMs }) => ({ at: (index) => index * effectiveMs * 1.5, messages: 6 }),
    });
    expect(medianFrameGap(slower.frames.slice(0, 6)) / 150).toBeGreaterThan(0.85);
  });

  test("unchanged snapshots may be left out", async () => {
    const { frames } = await watched({ schedule: () => ({ skipUnchanged: true, messages: 4 }) });
    expect(frames.map(({ flags }) => flags)).toEqual([0, 2]);
  });

  test("frames may be replaced, multiplied, dropped, or written as raw bytes", async () => {
    const twice = (frame: OutgoingFrame) => (frame.flags === 0 ? [frame, frame] : undefined);
    const doubled = await watched({ frame: twice, schedule: () => ({ messages: 2 }) });
    expect(doubled.frames.map(({ flags }) => flags)).toEqual([0, 0, 0, 0, 2]);
    const dropped = await watched({
      frame: (frame, { messageIndex }) => (frame.flags === 0 && messageIndex === 1 ? [] : undefined),
      schedule: () => ({ messages: 3 }),
    });
    expect(dropped.frames.map(({ flags }) => flags)).toEqual([0, 0, 2]);
    const written = await watched({
      frame: (frame) => (frame.flags === 0 ? Buffer.from([0, 0, 0, 0, 2, 0x7b, 0x7d]) : undefined),
      schedule: () => ({ messages: 1 }),
    });
    expect(written.frames.map(({ json }) => json)).toEqual([{}, {}]);
  });
});
