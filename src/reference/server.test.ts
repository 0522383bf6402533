import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { type ReferenceServer, startReferenceServer } from "./server.js";
import { ask, type TestJson } from "./test-client.fixture.js";

const noon = Date.UTC(2025, 6, 1, 12, 0, 0);

let server: ReferenceServer;
beforeAll(async () => {
  server = await startReferenceServer({ clock: { now: () => noon } });
});
afterAll(() => server.close());

/** The wallet that meets a condition on its open positions. */
function walletWhere(condition: (wallet: { orders: number; positions: number; open: number }) => boolean): string {
  for (const { address, orders, positions } of server.dataset.wallets.values()) {
    const open = positions.filter((position) => position.open).length;
    if (condition({ orders: orders.length, positions: positions.length, open })) return address;
  }
  throw new Error("no such wallet");
}

const dressed = (address: string) => `  0x${address.slice(2).toUpperCase()}\t`;
const unknown = `0x${"7".repeat(40)}`;
const refused = { status: 400, json: { code: "invalid_argument", message: expect.any(String) } };
const missing = { status: 404, json: { code: "not_found", message: expect.any(String) } };
const instant = (json: TestJson) => String(json.timestamp).padEnd(30, "0");

describe("GetAllPositions", () => {
  test.each([
    [{}, 50, 0],
    [{ limit: 0 }, 50, 0],
    [{ limit: 7, offset: 3 }, 7, 3],
    [{ limit: 1_001 }, 1_000, 0],
    [{ limit: 2_147_483_647, offset: 1_000 }, 1_000, 1_000],
    [{ limit: -1, offset: -1 }, 50, 0],
  ])("%j gives a page of %i rows from %i", async (request, limit, offset) => {
    const { status, json } = await ask(server, "GetAllPositions", request);
    const { positions } = server.dataset;
    expect(status).toBe(200);
    expect(json.pagination).toEqual({ limit, ...(offset > 0 && { offset }), totalCount: positions.length });
    const expected = positions.slice(offset, offset + limit).map((position) => String(position.positionId));
    expect(json.positions?.map((position) => position.positionId)).toEqual(expected);
  });

  test("lists positions newest first, open and closed, with their orders and the orders' references", async () => {
    const { json } = await ask(server, "GetAllPositions", { limit: 1_000 });
    const rows = json.positions ?? [];
    for (const [i, row] of rows.entries()) {
      const before = rows[i - 1];
      expect(before === undefined || instant(before) >= instant(row)).toBe(true);
      expect(
        row.associatedOrders?.map(({ orderId, marketId, reduceOnly }) => ({ orderId, marketId, reduceOnly })),
      ).toEqual(row.associatedOrderIds);
      expect(row.associatedOrderIds).toContainEqual({ orderId: row.positionId, marketId: row.marketId });
      expect(row.effectiveSize).toBe(row.nominalSize);
    }
    const states = server.dataset.positions.slice(0, 1_000).map((position) => position.open);
    expect(new Set(states)).toEqual(new Set([true, false]));
  });

  test("an offset beyond the end gives no rows", async () => {
    const { json } = await ask(server, "GetAllPositions", { offset: 1_000_000 });
    expect(json).toEqual({
      pagination: { limit: 50, offset: 1_000_000, totalCount: server.dataset.positions.length },
    });
  });
});

describe("GetAllOrders", () => {
  test.each([
    [{}, 50],
    [{ limit: 0 }, 50],
    [{ limit: 1_000 }, 1_000],
    [{ limit: 5_000 }, 1_000],
  ])("%j gives a page of %i rows and the total as a decimal string", async (request, limit) => {
    const { json } = await ask(server, "GetAllOrders", request);
    const { orders } = server.dataset;
    expect(json.pagination).toEqual({ limit, totalCount: String(orders.length) });
    expect(json.orders?.map((order) => order.orderId)).toEqual(
      orders.slice(0, limit).map((order) => String(order.orderId)),
    );
  });

  test("filters by wallet, however the address is dressed, and by openness", async () => {
    const address = walletWhere(({ orders, open }) => orders < 100 && open > 2);
    const all = await ask(server, "GetAllOrders", { address: dressed(address), limit: 1_000 });
    const open = await ask(server, "GetAllOrders", { address, onlyOpen: true, limit: 1_000 });
    expect(all.json.orders).toHaveLength(server.dataset.wallets.get(address)?.orders.length ?? 0);
    expect(new Set(all.json.orders?.map((order) => order.owner))).toEqual(new Set([address]));
    const active = ["ORDER_STATUS_PENDING", "ORDER_STATUS_PARTIALLY_FILLED", "ORDER_STATUS_PARTIALLY_MERGED"];
    expect(open.json.orders).toEqual(all.json.orders?.filter((order) => active.includes(String(order.status))));
    expect(open.json.orders).not.toHaveLength(0);
  });

  test("a blank address is an omitted one, an unknown wallet has no orders", async () => {
    const blank = await ask(server, "GetAllOrders", { address: "  " });
    const none = await ask(server, "GetAllOrders", { address: unknown });
    expect(blank.json.pagination?.totalCount).toBe(String(server.dataset.orders.length));
    expect(none.json).toEqual({ pagination: { limit: 50 } });
  });
});

describe("GetOrders", () => {
  test("returns every order of the busiest wallet, newest first, without a limit", async () => {
    const address = walletWhere(({ orders }) => orders > 1_000);
    const { json } = await ask(server, "GetOrders", { address: dressed(address) });
    const { orders = [] } = server.dataset.wallets.get(address) ?? {};
    expect(json.orders?.map((order) => order.orderId)).toEqual(orders.map((order) => String(order.orderId)));
  });

  test("filters by market, by id or by symbols; a market without orders of the wallet is empty", async () => {
    const address = walletWhere(({ orders }) => orders > 1_000);
    const byId = await ask(server, "GetOrders", { address, market: { marketId: "2" } });
    const bySymbols = await ask(server, "GetOrders", {
      address,
      market: { marketSymbol: { assetSymbol: "ETH", quoteSymbol: "USD" } },
    });
    expect(new Set(byId.json.orders?.map((order) => order.marketId))).toEqual(new Set(["2"]));
    expect(bySymbols.text).toBe(byId.text);
    const single = walletWhere(({ orders }) => orders === 1);
    expect(await ask(server, "GetOrders", { address: single, market: { marketId: "12" } })).toMatchObject({
      status: 200,
      text: "{}",
    });
    expect(await ask(server, "GetOrders", { address, market: { marketId: "987654321" } })).toMatchObject({
      status: 200,
      text: "{}",
    });
  });

  test("an unknown wallet has none", async () => {
    expect(await ask(server, "GetOrders", { address: unknown })).toMatchObject({ status: 200, text: "{}" });
  });

  test("orders of a market without metadata carry its fallback name", async () => {
    const order = server.dataset.orders.find(({ marketId }) => server.dataset.markets.get(marketId)?.listed === false);
    const { json } = await ask(server, "GetOrders", {
      address: order?.owner,
      market: { marketId: `${order?.marketId}` },
    });
    expect(new Set(json.orders?.map(({ market }) => market))).toEqual(new Set([`MARKET-${order?.marketId}`]));
    expect(await ask(server, "GetMarketConfigs", { market: { marketId: `${order?.marketId}` } })).toMatchObject(
      missing,
    );
  });
});

describe("GetPortfolio", () => {
  test("lists open positions and open orders only, and says whose and when", async () => {
    const owner = walletWhere(({ orders, open, positions }) => orders < 100 && open > 2 && positions > open);
    const { json } = await ask(server, "GetPortfolio", { owner: dressed(owner) });
    const wallet = server.dataset.wallets.get(owner);
    expect(json.portfolio).toMatchObject({
      owner,
      timestamp: "2025-07-01T12:00:00Z",
      totalTrades: expect.stringMatching(/^\d+$/),
    });
    expect(json.portfolio?.positions?.map(({ positionId }) => positionId)).toEqual(
      wallet?.positions.filter((position) => position.open).map(({ positionId }) => String(positionId)),
    );
    const listed = await ask(server, "GetAllOrders", { address: owner, onlyOpen: true });
    expect(json.portfolio?.orders).toEqual(listed.json.orders);
    expect(json.portfolio?.positions?.[0]).toMatchObject({
      currentPnl: expect.any(Number),
      currentRoi: expect.any(Number),
    });
  });

  test("its positions are those of the platform-wide listing", async () => {
    const owner = walletWhere(({ open }) => open > 2);
    const listed = (await ask(server, "GetAllPositions", { limit: 1_000 })).json.positions ?? [];
    const own = (await ask(server, "GetPortfolio", { owner })).json.portfolio?.positions ?? [];
    for (const { cashRoi, currentPnl, currentRoi, ...position } of own) {
      const twin = listed.find((row) => row.positionId === position.positionId && row.marketId === position.marketId);
      if (twin !== undefined) expect(position).toEqual(twin);
      expect([cashRoi, currentPnl, currentRoi].every((figure) => typeof figure === "number")).toBe(true);
    }
  });

  test("an unknown wallet has an empty one", async () => {
    const { json } = await ask(server, "GetPortfolio", { owner: unknown });
    expect(json).toEqual({ portfolio: { owner: unknown, timestamp: "2025-07-01T12:00:00Z" } });
  });
});

describe("GetOrderBook", () => {
  const market = { marketId: "2" };
  const book = async (request: object) =>
    (await ask(server, "GetOrderBook", { market, ...request })).json.orderBook as TestJson;
  const count = (levels: TestJson | undefined) =>
    levels?.reduce((sum, level) => sum + Number(level.orderCount), 0) ?? 0;

  test.each([
    [{}, 50],
    [{ limit: 0 }, 50],
    [{ limit: 3 }, 3],
    [{ limit: 2_000_000_000 }, Number.POSITIVE_INFINITY],
  ])("%j aggregates %d orders over both sides", async (request, limit) => {
    const { book: sides, totalOrderCount, pageSize } = await book(request);
    const aggregated = count(sides?.bids) + count(sides?.asks);
    expect(aggregated).toBe(Math.min(limit, Number(totalOrderCount)));
    expect(pageSize).toBe(aggregated);
  });

  test("an offset skips the best orders", async () => {
    const whole = await book({ limit: 100_000 });
    const rest = await book({ limit: 100_000, offset: 101 });
    expect(count(rest?.book?.bids) + count(rest?.book?.asks)).toBe(Number(whole?.totalOrderCount) - 101);
    expect(rest).toMatchObject({ offset: 101, totalOrderCount: whole?.totalOrderCount });
  });

  test("levels run from the best price, each price once, with running totals", async () => {
    const { bids = [], asks = [] } = (await book({ limit: 100_000 }))?.book ?? ({} as never);
    for (const [side, sign] of [
      [bids, -1],
      [asks, 1],
    ] as const) {
      let total = 0;
      for (const [i, level] of side.entries()) {
        if (i > 0) expect(Math.sign(Number(level.price) - Number(side[i - 1]?.price))).toBe(sign);
        total += Number(level.size);
        expect(Number(level.cumulativeTotal)).toBeCloseTo(total, 6);
      }
    }
    expect(Number(bids[0]?.price)).toBeLessThan(Number(asks[0]?.price));
  });

  test("levels keeps the best ones", async () => {
    const whole = await book({ limit: 1_000 });
    const best = await book({ limit: 1_000, levels: 4 });
    expect(best?.levels).toBe(4);
    expect(best?.book?.bids).toEqual(whole?.book?.bids?.slice(0, 4));
    expect(best?.book?.asks).toEqual(whole?.book?.asks?.slice(0, 4));
  });

  test.each([0.01, 0.1, 1, 10, 100, 1_000, 10_000, 1e5])("tickSize %d is applied", async (tickSize) => {
    const { tickSize: applied, book: sides } = await book({ limit: 1_000, tickSize });
    expect(applied).toBe(tickSize);
    for (const level of [...(sides?.bids ?? []), ...(sides?.asks ?? [])]) {
      const steps = Number(level.price ?? 0) / tickSize;
      expect(Math.abs(Math.round(steps) - steps)).toBeLessThan(1e-6);
    }
  });

  test.each([0.001, 0.003, 1e-12, 0.0099])("tickSize %d is clamped up to the minimum tick", async (tickSize) => {
    expect((await book({ tickSize }))?.tickSize).toBe(0.01);
  });

  test.each([-1, -0.01, 2, 0.05, 0.011, 10.02, "NaN", "Infinity"])("tickSize %s is refused", async (tickSize) => {
    expect(await ask(server, "GetOrderBook", { market, tickSize })).toMatchObject(refused);
  });

  test("sizes in USD are price times units", async () => {
    const units = await book({ limit: 1_000 });
    const usd = await book({ limit: 1_000, sizeInUsd: true });
    expect(usd?.sizeInUsd).toBe(true);
    const asks = usd.book?.asks ?? [];
    expect(asks.length).toBeGreaterThan(50);
    for (const [i, level] of asks.entries()) {
      const inUnits = units.book?.asks?.[i];
      expect(Number(level.size) / (Number(inUnits?.price) * Number(inUnits?.size))).toBeCloseTo(1, 8);
    }
  });

  test("totalOrderCount of the request is ignored", async () => {
    expect(await book({ totalOrderCount: 3 })).toEqual(await book({}));
  });
});

describe("GetHistoricalPrices", () => {
  const market = { marketId: "1" };
  const candles = async (request: object) => (await ask(server, "GetHistoricalPrices", { market, ...request })).json;

  test.each([
    ["1S", "2025-03-01T00:00:00Z", "2025-03-01T00:01:00Z", 61],
    ["1", "2025-03-01T00:00:00Z", "2025-03-01T01:00:00+00:00", 61],
    ["60", "2025-03-01T00:30:00Z", "2025-03-02T00:00:00Z", 24],
    ["1D", "2025-03-01T00:00:00Z", "2025-03-31T00:00:00Z", 31],
    ["1W", "2025-03-01T00:00:00Z", "2025-03-31T00:00:00Z", 5],
    ["1M", "2025-01-01T00:00:00Z", "2025-06-30T00:00:00Z", 6],
  ])("interval %s from %s to %s has %i candles, whatever the limit", async (interval, startTime, endTime, count) => {
    const all = await candles({ interval, startTime, endTime });
    const limited = await candles({ interval, startTime, endTime, limit: 1 });
    expect(all.totalCount).toBe(count);
    expect(all.priceCandleSticks).toHaveLength(count);
    expect(limited).toEqual(all);
  });

  test("a range holds what its parts hold", async () => {
    const part = (startTime: string, endTime: string) => candles({ interval: "60", startTime, endTime });
    const whole = await part("2025-03-01T00:00:00Z", "2025-03-03T00:00:00Z");
    const first = await part("2025-03-01T00:00:00Z", "2025-03-01T23:59:59.999999999Z");
    const second = await part("2025-03-02T00:00:00Z", "2025-03-03T00:00:00Z");
    expect([...(first.priceCandleSticks ?? []), ...(second.priceCandleSticks ?? [])]).toEqual(whole.priceCandleSticks);
  });

  test("without a range it ends now; before the first day and after now there is nothing", async () => {
    const recent = await candles({});
    expect(recent.totalCount).toBe(300);
    expect(recent.priceCandleSticks?.at(-1)?.timestamp).toBe("2025-07-01T12:00:00Z");
    expect(
      await candles({ interval: "1D", startTime: "2020-01-01T00:00:00Z", endTime: "2023-12-31T23:59:59Z" }),
    ).toEqual({});
    expect(
      await candles({ interval: "1D", startTime: "2026-01-01T00:00:00Z", endTime: "2027-01-01T00:00:00Z" }),
    ).toEqual({});
    expect(
      await candles({ interval: "1D", startTime: "2025-02-01T00:00:00Z", endTime: "2025-01-01T00:00:00Z" }),
    ).toEqual({});
  });

  test.each([
    { market: { marketSymbol: { assetSymbol: "BTC", quoteSymbol: "USD" } } },
    { market: undefined },
    { interval: "2" },
    { interval: "1S", startTime: "2024-01-01T00:00:00Z" },
    { startTime: "yesterday" },
    { startTime: 5 },
  ])("%j is refused", async (request) => {
    expect(await ask(server, "GetHistoricalPrices", { market, ...request })).toMatchObject(refused);
  });
});

describe("GetMarketConfigs and GetMarketIdByName", () => {
  test("the configuration is the same by id and by symbols", async () => {
    const byId = await ask(server, "GetMarketConfigs", { market: { marketId: "9007199254740993" } });
    const bySymbols = await ask(server, "GetMarketConfigs", {
      market: { marketSymbol: { assetSymbol: "SOL", quoteSymbol: "USDC" } },
    });
    expect(byId.json.marketConfig).toMatchObject({
      marketId: "9007199254740993",
      marketName: "SOL/USDC",
      tickDecimals: 3,
      creator: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      maintenanceMarginRate: expect.stringMatching(/^\d+\.\d+$/),
      feeConfig: { marketId: "9007199254740993" },
    });
    expect(bySymbols.text).toBe(byId.text);
  });

  test("every listed market is found by its symbols, trimmed and in any case", async () => {
    for (const market of server.dataset.markets.values()) {
      const answer = await ask(server, "GetMarketIdByName", {
        assetSymbol: ` ${market.assetSymbol.toLowerCase()} `,
        ...(market.quoteSymbol !== "" && { quoteSymbol: market.quoteSymbol }),
      });
      if (market.listed) expect(answer.json).toEqual({ marketId: String(market.id) });
      else expect(answer).toMatchObject(missing);
    }
  });

  test.each([
    [{}, refused],
    [{ assetSymbol: "" }, refused],
    [{ assetSymbol: " \t", quoteSymbol: "USD" }, refused],
    [{ assetSymbol: "BTC" }, missing],
    [{ assetSymbol: "BTC", quoteSymbol: "EUR" }, missing],
  ])("%j is answered with an error", async (request, error) => {
    expect(await ask(server, "GetMarketIdByName", request)).toMatchObject(error);
  });
});

describe("market selectors", () => {
  const endpoints: readonly Endpoint[] = ["GetOrders", "GetOrderBook", "GetHistoricalPrices", "GetMarketConfigs"];
  const symbol = { assetSymbol: "BTC", quoteSymbol: "USD" };
  const selectors = [
    {},
    { marketId: "1", marketSymbol: symbol },
    { marketId: "1", marketSymbol: {} },
    { marketSymbol: {} },
    { marketSymbol: { assetSymbol: "  ", quoteSymbol: "USD" } },
    ...["0", "-0", "", "abc", "1.5", "0x10", "0b1", "9223372036854775808", "-1", "1a"].map((marketId) => ({
      marketId,
    })),
    { marketId: true },
    { marketId: [1] },
    { marketId: {} },
    "1",
    1,
    [],
  ];
  test.each(endpoints.flatMap((endpoint) => selectors.map((market) => ({ endpoint, market }))))(
    "$endpoint refuses $market",
    async ({ endpoint, market }) => {
      expect(await ask(server, endpoint, { address: unknown, market })).toMatchObject(refused);
    },
  );

  test.each(["GetOrderBook", "GetHistoricalPrices", "GetMarketConfigs"] as const)(
    "%s needs one, and knows it",
    async (endpoint) => {
      expect(await ask(server, endpoint, {})).toMatchObject(refused);
      expect(await ask(server, endpoint, { market: { marketId: "123456789" } })).toMatchObject(missing);
    },
  );

  test("unknown symbols are not found", async () => {
    const market = { marketSymbol: { assetSymbol: "NOPE", quoteSymbol: "USD" } };
    for (const endpoint of ["GetOrders", "GetOrderBook", "GetMarketConfigs"] as const) {
      expect(await ask(server, endpoint, { address: unknown, market })).toMatchObject(missing);
    }
  });
});

describe("requests that no reading accepts", () => {
  test.each([
    ["GetAllPositions", "[]"],
    ["GetAllPositions", "null"],
    ["GetAllPositions", '"text"'],
    ["GetAllPositions", "{"],
    ["GetAllPositions", ""],
    ["GetAllPositions", '{"limit":1.5}'],
    ["GetAllPositions", '{"limit":"ten"}'],
    ["GetAllPositions", '{"limit":"0x10"}'],
    ["GetAllPositions", '{"limit":true}'],
    ["GetAllPositions", '{"limit":[1]}'],
    ["GetAllPositions", '{"limit":2147483648}'],
    ["GetAllOrders", '{"address":5}'],
    ["GetAllOrders", '{"onlyOpen":"yes"}'],
    ["GetAllOrders", '{"onlyOpen":1}'],
    ["GetOrders", '{"address":{}}'],
    ["GetPortfolio", '{"owner":true}'],
    ["GetOrderBook", '{"market":{"marketId":"1"},"tickSize":"small"}'],
    ["GetMarketIdByName", '{"assetSymbol":1}'],
  ] as const)("%s refuses %s", async (endpoint, body) => {
    expect(await ask(server, endpoint, body)).toMatchObject(refused);
  });
});

describe("headers and paths", () => {
  test.each<Record<string, string>>([
    {},
    { "connect-protocol-version": "1" },
    { "connect-timeout-ms": "30000" },
    { authorization: "Bearer x.y.z" },
  ])("%j changes nothing", async (headers) => {
    const plain = await ask(server, "GetAllOrders", { limit: 3 });
    expect(await ask(server, "GetAllOrders", { limit: 3 }, { headers })).toMatchObject({
      status: 200,
      text: plain.text,
    });
    expect(plain.headers.get("content-type")).toBe("application/json");
  });

  test("another method is refused, another path is not found", async () => {
    const put = await ask(server, "GetAllOrders", {}, { method: "PUT" });
    const elsewhere = await fetch(`${server.url}/order_service.v1.OrderService/GetOrder`, { method: "POST" });
    expect([put.status, elsewhere.status]).toEqual([405, 404]);
  });

  test("an elapsed deadline is said", async () => {
    const slow = await startReferenceServer({ latencyMs: 300 });
    try {
      const answer = await ask(slow, "GetAllOrders", {}, { headers: { "connect-timeout-ms": "20" } });
      expect(answer).toMatchObject({ status: 504, json: { code: "deadline_exceeded" } });
    } finally {
      await slow.close();
    }
  });
});

describe("the server's life", () => {
  test("latency delays every answer, refusals included", async () => {
    const far = await startReferenceServer({ orders: 0, latencyMs: 120, jitterMs: 10 });
    try {
      for (const body of [{ assetSymbol: "GOLD" }, {}, "{", "[]"]) {
        const started = performance.now();
        await ask(far, "GetMarketIdByName", body);
        expect((performance.now() - started) / 120).toBeGreaterThan(0.98);
      }
    } finally {
      await far.close();
    }
  });

  test("an empty platform answers everything", async () => {
    const empty = await startReferenceServer({ orders: 0 });
    try {
      for (const endpoint of endpointNames) {
        if (endpoint === "GetOpenPositionsStreaming") continue;
        const request = { market: { marketId: "1" }, address: unknown, owner: unknown, assetSymbol: "GOLD" };
        expect((await ask(empty, endpoint, request)).status).toBe(200);
      }
    } finally {
      await empty.close();
    }
  });

  test("a trait of the modification applies unless an option overrides it; an undefined one does not", async () => {
    const modification = { kind: "variant", name: "empty", summary: "Has no orders.", server: { orders: 0 } } as const;
    const countOrders = async (orders?: number) => {
      const modified = await startReferenceServer({ modification, orders });
      await modified.close();
      return modified.dataset.orders.length;
    };
    expect(await countOrders(undefined)).toBe(0);
    expect(await countOrders(60)).toBeGreaterThan(0);
  });

  test.each([-1, 1.5, 1_000_001])("a scale of %d is refused", async (orders) => {
    await expect(startReferenceServer({ orders })).rejects.toThrow(RangeError);
  });

  test("a port in use is the system's error; a closed server frees its port, also twice", async () => {
    const first = await startReferenceServer();
    await expect(startReferenceServer({ port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await Promise.all([first.close(), first.close()]);
    const second = await startReferenceServer({ port: first.port });
    await second.close();
    await expect(ask(second, "GetAllOrders")).rejects.toThrow();
  });
});
