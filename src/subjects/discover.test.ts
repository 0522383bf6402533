import { afterEach, describe, expect, test } from "vitest";
import { interpret } from "../connect/interpret.js";
import type { JsonObject } from "../connect/json.js";
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from "../reference/server.js";
import { type Endpoint, endpointNames, endpoints } from "../specification/endpoints.js";
import { discoverSubjects } from "./discover.js";
import type { Ask, DiscoveryReply } from "./discovery-client.js";
import { errorOutcome, type FakePlatform, fakeTarget, wallet } from "./fake-target.fixture.js";
import { missingData } from "./hints.js";
import { AccessDenied, TargetUnreachable } from "./recognition.js";
import {
  closedPositions,
  marketNamedByAsset,
  marketsWithBook,
  marketsWithCandles,
  marketsWithSymbols,
  openPositions,
  walletWithManyOrders,
  walletWithOnlyClosedPositions,
} from "./select.js";
import type { Subjects } from "./subjects.js";

const [alice, bob, carol] = [wallet("a11ce"), wallet("b0b"), wallet("ca501")];

function order(owner: string, orderId: number, marketId: string, change: JsonObject = {}): JsonObject {
  const market = { "1": "BTC/USD", "2": "ETH-USD", "3": "GOLD" }[marketId] ?? `MARKET-${marketId}`;
  const timestamp = `2026-01-02T03:04:05.${String(orderId).padStart(9, "0")}Z`;
  return { owner, orderId: String(orderId), marketId, market, timestamp, status: "ORDER_STATUS_CLOSED", ...change };
}

function position(owner: string, positionId: number, marketId: string, change: JsonObject = {}): JsonObject {
  return { owner, positionId: String(positionId), marketId, timestamp: "2026-01-02T03:04:05Z", ...change };
}

const platform: FakePlatform = {
  orders: [
    order(alice, 1, "1"),
    order(alice, 2, "2", { status: "ORDER_STATUS_PENDING" }),
    order(alice, 3, "9007199254740993", { reduceOnly: true, reduceOrderType: "STOP_LOSS" }),
    order(bob, 4, "3"),
  ],
  positions: [
    position(alice, 1, "1", { stopLossPrice: 5, associatedOrderIds: [{ orderId: 1, marketId: 1 }] }),
    position(alice, 2, "2"),
    position(bob, 4, "3"),
  ],
  open: ["1/1"],
  markets: { "1": "BTC/USD", "2": "ETH-USD", "3": "GOLD" },
  names: { "BTC|USD": "1", "ETH|USD": "2", GOLD: "3" },
  books: { "1": 10, "2": 0, "3": 40 },
  candles: { "1": 168 },
};

const nothing: FakePlatform = { ...platform, orders: [], positions: [], open: [] };

/** The subjects that are discovered on a platform, with other answers in place of some. */
function discoveredOn(...target: Parameters<typeof fakeTarget>): Promise<Subjects> {
  return discoverSubjects(fakeTarget(...target).ask, { seed: 1 });
}

/** Answers some operations with an outcome, in place of the target. */
function answering(outcome: DiscoveryReply["outcome"], ...endpoints: readonly Endpoint[]) {
  return (endpoint: Endpoint) => (endpoints.includes(endpoint) ? outcome : undefined);
}

describe("discoverSubjects", () => {
  test("finds markets with their symbols, books and candles, each with its provenance", async () => {
    const subjects = await discoveredOn(platform);
    const byId = Object.fromEntries(subjects.markets.map((market) => [market.marketId, market]));
    expect(Object.keys(byId).sort()).toEqual(["1", "2", "3"]);
    expect(byId["1"]).toMatchObject({ name: "BTC/USD", tickDecimals: 2, bookOrders: 10, candles: 168, rowsSeen: 2 });
    expect(byId["1"]).toMatchObject({ symbols: { assetSymbol: "BTC", quoteSymbol: "USD" }, symbolsFrom: "listing" });
    expect(byId["2"]).toMatchObject({ symbols: { assetSymbol: "ETH", quoteSymbol: "USD" } });
    expect(byId["3"]?.symbols).toEqual({ assetSymbol: "GOLD" });
    expect(byId["1"]?.provenance).toMatch(/^GetAllOrders#/);
    expect(marketsWithSymbols(subjects).map(({ marketId }) => marketId)).not.toContain("3");
    expect(marketNamedByAsset(subjects)?.marketId).toBe("3");
    expect(marketsWithBook(subjects).map(({ marketId }) => marketId)).toEqual(["3", "1"]);
    expect(marketsWithCandles(subjects).map(({ marketId }) => marketId)).toEqual(["1"]);
  });

  test("takes no decimals from the configuration of another market", async () => {
    const outcome = { kind: "success", body: { marketConfig: { marketId: "1", tickDecimals: 2 } } } as const;
    const { markets } = await discoveredOn(platform, answering(outcome, "GetMarketConfigs"));
    expect(markets.map(({ tickDecimals }) => tickDecimals)).toEqual(
      markets.map(({ marketId }) => (marketId === "1" ? 2 : undefined)),
    );
  });

  test("tells markets whose metadata is gone (R7)", async () => {
    const subjects = await discoveredOn(platform);
    expect(subjects.orphanMarkets).toMatchObject([{ marketId: "9007199254740993" }]);
    expect(subjects.orphanMarkets[0]?.denial).toMatch(/^GetMarketConfigs#/);
    expect(subjects.problems).toEqual([]);
  });

  test("asks of further markets whether their metadata is there, wherever they stand", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => String(100 + index));
    const many = {
      ...platform,
      positions: [],
      // The ones that are seen most often come first; the last one is an orphan, and its orders keep a name.
      orders: ids.flatMap((id, index) =>
        Array.from({ length: 31 - index }, (_, place) => order(alice, index * 100 + place, id, { market: "BTC/USD" })),
      ),
      markets: Object.fromEntries(ids.slice(0, -1).map((id) => [id, `M${id}`])),
    };
    const subjects = await discoveredOn(many);
    expect(subjects.orphanMarkets).toMatchObject([{ marketId: "129" }]);
    expect(subjects.markets.length).toBe(16);
    const known = [...subjects.markets.map(({ marketId }) => marketId), ...subjects.otherMarkets];
    expect(known.sort()).toEqual(ids.slice(0, -1));
  });

  test("asks other markets for candles when the first ones have none", async () => {
    const ids = ["101", "102", "103", "104", "105"];
    const some = {
      ...platform,
      orders: ids.map((id, index) => order(alice, index, id, { market: "X" })),
      markets: Object.fromEntries(ids.map((id) => [id, `M${id}`])),
      candles: { 105: 7 },
    };
    const subjects = await discoveredOn(some);
    expect(marketsWithCandles(subjects).map(({ marketId }) => marketId)).toEqual(["105"]);
  });

  /** What is known of the candles of market 1, of which those of an interval are the ones given. */
  const candlesShown = async (shown: (interval: string, startTime: string) => readonly JsonObject[]) => {
    const subjects = await discoveredOn(platform, (endpoint, { market, interval, startTime }) =>
      endpoint === "GetHistoricalPrices" && (market as JsonObject).marketId === "1"
        ? { kind: "success", body: { priceCandleSticks: [...shown(String(interval), String(startTime))] } }
        : undefined,
    );
    const { candles, latestTrades } = subjects.markets.find(({ marketId }) => marketId === "1") ?? {};
    return { candles, latestTrades };
  };

  test("finds the latest trade of a market by ever shorter candles (§4.7)", async () => {
    const newest: Record<string, string> = {
      "60": "2026-01-02T03:00:00Z",
      "1": "2026-01-02T03:07:00Z",
      "1S": "2026-01-02T03:07:42Z",
    };
    const found = await candlesShown((interval) => [
      { timestamp: newest[interval] ?? "", volume: 0 },
      { timestamp: newest[interval] ?? "", volume: 3 },
      { timestamp: "2026-01-02T04:00:00Z", volume: 0 },
    ]);
    expect(found).toEqual({ candles: 3, latestTrades: newest });
  });

  test("looks for short candles lately where none are kept for an older trade", async () => {
    const hour = { timestamp: "2026-01-02T03:00:00Z", volume: 3 };
    const { latestTrades = {} } = await candlesShown((interval, startTime) =>
      interval === "60" ? [hour] : startTime.startsWith("2026-01-02T03") ? [] : [{ timestamp: startTime, volume: 1 }],
    );
    expect(latestTrades["60"]).toBe(hour.timestamp);
    expect(Date.now() - Date.parse(latestTrades["1"] ?? "")).toBeLessThan(86_400_000);
    expect(Date.now() - Date.parse(latestTrades["1S"] ?? "")).toBeLessThan(86_400_000);
  });

  test("learns markets and statuses of a wallet from its newest orders, where the sample shows few", async () => {
    const own = ["1", "2", "3"].map((marketId, index) =>
      order(carol, 10 + index, marketId, { reduceOnly: index === 2 }),
    );
    const others = Array.from({ length: 3000 }, (_, index) => order(bob, 100 + index, "1"));
    const large = { ...platform, orders: [...others.slice(0, 1300), ...own, ...others.slice(1300)], positions: [] };
    const known = { markets: [], wallets: [carol] };
    const subjects = await discoverSubjects(fakeTarget(large).ask, { seed: 1, known });
    expect(subjects.wallets[0]).toMatchObject({
      ...{ address: carol, orders: 3, ordersSeen: 3, markets: ["1", "2", "3"], hasReduceOnlyOrders: true },
    });
  });

  test("tells open from closed positions by the owners' portfolios (R10)", async () => {
    const subjects = await discoveredOn(platform);
    expect(openPositions(subjects)).toMatchObject([{ positionId: "1", owner: alice, stopLossPrice: 5, associated: 1 }]);
    expect(closedPositions(subjects).map(({ positionId }) => positionId)).toEqual(["2", "4"]);
    expect(walletWithOnlyClosedPositions(subjects)?.address).toBe(bob);
  });

  test("looks for an open position where an order would reduce one, and further where there is none", async () => {
    const owners = Array.from({ length: 40 }, (_, index) => wallet(String(1000 + index)));
    const pending = { status: "ORDER_STATUS_PENDING" };
    const shown = (open: number, change: JsonObject) =>
      discoverSubjects(
        fakeTarget({
          ...platform,
          orders: owners.map((owner, index) =>
            order(owner, index, "1", { ...pending, ...(index === open ? change : {}) }),
          ),
          positions: owners.map((owner, index) => position(owner, index, "1")),
          open: [`${open}/1`],
        }).ask,
        { seed: 1 },
      );
    const [found] = openPositions(await shown(39, { reduceOnly: true, reduceOrderType: "STOP_LOSS" }));
    expect(found?.owner).toBe(owners[39]);
    expect(openPositions(await shown(30, {})).map(({ owner }) => owner)).toEqual([owners[30]]);
  });

  test("describes wallets", async () => {
    const subjects = await discoveredOn(platform);
    expect(subjects.wallets.find(({ address }) => address === alice)).toEqual({
      address: alice,
      provenance: expect.stringMatching(/^GetAllOrders#/),
      hasLetters: true,
      orders: 3,
      ordersSeen: 3,
      markets: ["1", "2", "9007199254740993"],
      hasReduceOnlyOrders: true,
      closedPositions: 1,
      openStatuses: ["ORDER_STATUS_PENDING"],
      openReduceTypes: [],
      openPositions: 1,
      openOrders: 1,
      portfolio: expect.stringMatching(/^GetPortfolio#/),
    });
    expect(subjects.orderStatuses).toEqual(["ORDER_STATUS_CLOSED", "ORDER_STATUS_PENDING"]);
    expect(subjects.reduceOrderTypes).toEqual(["STOP_LOSS"]);
    expect(subjects.totals).toEqual({
      orders: 4,
      openOrders: 1,
      positions: 3,
      latestOrder: "2026-01-02T03:04:05.000000004Z",
      latestPosition: "2026-01-02T03:04:05Z",
      seenAt: expect.any(String),
    });
  });

  test("puts configured subjects first, and takes configured symbols for granted (S8)", async () => {
    const target = fakeTarget({ ...platform, names: {} });
    const known = {
      markets: [{ marketId: "3", assetSymbol: "XAU", quoteSymbol: "USD" }],
      wallets: [` ${carol.toUpperCase()}`],
    };
    const subjects = await discoverSubjects(target.ask, { seed: 1, known });
    expect(subjects.markets.find(({ marketId }) => marketId === "3")).toMatchObject({
      symbols: { assetSymbol: "XAU", quoteSymbol: "USD" },
      symbolsFrom: "configuration",
    });
    expect(subjects.markets.find(({ marketId }) => marketId === "1")?.symbols).toBeUndefined();
    expect(subjects.wallets[0]).toMatchObject({ address: carol, ordersSeen: 0, openPositions: 0 });
    expect(subjects.wallets[0]?.provenance).toBeUndefined();
  });

  test("reports a configured market that the target does not know", async () => {
    const known = { markets: [{ marketId: "77" }], wallets: [] };
    const subjects = await discoverSubjects(fakeTarget(platform).ask, { seed: 1, known });
    expect(subjects.markets.map(({ marketId }) => marketId)).not.toContain("77");
    expect(subjects.orphanMarkets.map(({ marketId }) => marketId)).not.toContain("77");
    expect(subjects.problems).toMatchObject([{ endpoint: "GetMarketConfigs", what: "not_found: no" }]);
  });

  test("finds configured subjects of an empty platform, and hints at everything else", async () => {
    const known = { markets: [{ marketId: "1" }], wallets: [] };
    const subjects = await discoverSubjects(fakeTarget(nothing).ask, { seed: 1, known });
    expect(subjects.markets).toMatchObject([{ marketId: "1", symbols: { assetSymbol: "BTC", quoteSymbol: "USD" } }]);
    expect(Object.keys(subjects.hints)).toContain("walletWithOpenPositions");
    expect(Object.keys(subjects.hints)).not.toContain("marketWithSymbols");
    expect(missingData(subjects, "closedPosition")).toEqual({ reason: `needs ${subjects.hints.closedPosition}` });
  });

  test("confirms a split of a name before it takes it, trying each separator (S8)", async () => {
    const named = (name: string, names: Record<string, string>) =>
      discoverSubjects(fakeTarget({ ...platform, markets: { "1": name }, names }).ask, { seed: 1 });
    const symbolsOf = async (...args: Parameters<typeof named>) => (await named(...args)).markets[0]?.symbols;
    expect(await symbolsOf("BTC-USD-PERP", { "BTC|USD-PERP": "1" })).toEqual({
      assetSymbol: "BTC",
      quoteSymbol: "USD-PERP",
    });
    expect(await symbolsOf("BTC-USD-PERP", { "BTC-USD|PERP": "1" })).toEqual({
      assetSymbol: "BTC-USD",
      quoteSymbol: "PERP",
    });
    expect(await symbolsOf("BTC-USD-PERP", { "BTC|USD": "1" })).toEqual({ assetSymbol: "BTC", quoteSymbol: "USD" });
    expect(await symbolsOf("BTC|USD", { "BTC|USD": "1" })).toEqual({ assetSymbol: "BTC", quoteSymbol: "USD" });
    expect(await symbolsOf("BTC USD", { "BTC|USD": "1" })).toEqual({ assetSymbol: "BTC", quoteSymbol: "USD" });
    expect(await symbolsOf("BTC_USD", { BTC_USD: "1" })).toEqual({ assetSymbol: "BTC_USD" });
    expect(await symbolsOf("BTC/USD", { "BTC|USD": "2" })).toBeUndefined();
    expect(await symbolsOf("BTCUSD", {})).toBeUndefined();
  });

  test("chooses unknown subjects that nothing seen mentions, the same for the same seed (S4)", async () => {
    const discover = (seed: number, shown = platform) => discoverSubjects(fakeTarget(shown).ask, { seed });
    const { unknown } = await discover(1);
    expect((await discover(1)).unknown).toEqual(unknown);
    expect((await discover(2)).unknown).not.toEqual(unknown);
    const taken = [order(unknown.wallet, 9, unknown.marketId, { market: unknown.symbols.assetSymbol })];
    const other = (await discover(1, { ...platform, orders: taken })).unknown;
    expect(other.wallet).not.toBe(unknown.wallet);
    expect(other.marketId).not.toBe(unknown.marketId);
    expect(other.symbols.assetSymbol).not.toBe(unknown.symbols.assetSymbol);
    expect(unknown.marketId).toMatch(/^[1-9]\d{0,14}$/);
    expect(unknown.wallet).toMatch(/^0x[0-9a-f]{40}$/);
  });

  test("reads the middle and the end of long listings, asks for counts, and keeps its budget", async () => {
    const orders = Array.from({ length: 5000 }, (_, index) =>
      order(
        index < 3500 ? alice : wallet(`${index}`),
        index,
        String(1 + (index % 3)),
        index % 50 ? {} : { status: "ORDER_STATUS_PENDING" },
      ),
    );
    const positions = Array.from({ length: 3000 }, (_, index) => position(wallet(`${index}`), index, "1"));
    const target = fakeTarget({ ...platform, orders, positions });
    const subjects = await discoverSubjects(target.ask, { seed: 1 });
    expect(subjects.requests).toBe(target.asked.length);
    expect(target.asked.length).toBeLessThanOrEqual(80);
    const offsets = target.asked.flatMap(({ endpoint, request }) =>
      endpoint === "GetAllOrders" ? [request.offset ?? 0] : [],
    );
    expect(offsets).toContain(4750);
    expect(offsets).toContain(2375);
    expect(walletWithManyOrders(subjects)).toMatchObject({ address: alice, orders: 3500 });
    expect(subjects.wallets.some(({ provenance }) => provenance === undefined)).toBe(false);

    const small = fakeTarget({ ...platform, orders, positions });
    const fewer = await discoverSubjects(small.ask, { seed: 1, budget: 12 });
    // What was not asked for lack of budget is asked for once or twice, to see that it is there.
    expect(small.asked.length).toBeLessThanOrEqual(12 + 2 * 9);
    expect(fewer.requests).toBe(small.asked.length);
  });

  test("takes the zero address for an unknown wallet unless it has orders", async () => {
    const zero = `0x${"0".repeat(40)}`;
    expect((await discoveredOn(platform)).unknown.zeroAddress).toBe(true);
    const burnt = { ...platform, orders: [...platform.orders, order(zero, 5, "1")] };
    expect((await discoveredOn(burnt)).unknown.zeroAddress).toBe(false);
    const absent = answering(errorOutcome("unimplemented", "not yet"), "GetOrders");
    expect((await discoveredOn(platform, absent)).unknown.zeroAddress).toBe(false);
  });

  test("is plain data", async () => {
    const subjects = await discoveredOn(platform);
    expect(structuredClone(subjects)).toEqual(subjects);
    expect(JSON.parse(JSON.stringify(subjects))).toEqual(subjects);
  });
});

describe("targets that do not play along", () => {
  const malformed = { kind: "malformed", reason: "HTTP 500: the body is not JSON" } as const;

  test.each(["GetAllPositions", "GetAllOrders", "GetPortfolio", "GetMarketConfigs", "GetOrderBook"] as const)(
    "without %s there are fewer subjects, a problem and a hint that names it",
    async (missing) => {
      const subjects = await discoveredOn(platform, answering(errorOutcome("unimplemented", "not yet"), missing));
      expect(
        subjects.problems.every(({ endpoint, what }) => endpoint === missing && what === "unimplemented: not yet"),
      ).toBe(true);
      expect(subjects.problems.length).toBeGreaterThan(0);
      expect(Object.values(subjects.hints).some((hint) => hint.includes(`${missing} answered unimplemented`))).toBe(
        true,
      );
    },
  );

  test("without GetMarketConfigs the symbols come from the names on orders", async () => {
    const subjects = await discoveredOn(platform, answering(malformed, "GetMarketConfigs"));
    expect(marketsWithSymbols(subjects).map(({ marketId }) => marketId)).toContain("1");
    expect(subjects.orphanMarkets).toEqual([]);
  });

  test.each<[string, DiscoveryReply["outcome"]]>([
    ["HTML", malformed],
    ["not_found", errorOutcome("not_found", "no such path")],
    ["unimplemented", errorOutcome("unimplemented")],
    ["an empty object", { kind: "success", body: {} }],
    ["another API", { kind: "success", body: { status: "ok", data: [] } }],
  ])("%s everywhere: NotThisApi, after each operation was asked once", async (_, outcome) => {
    const target = fakeTarget(platform, () => outcome);
    const discovery = discoverSubjects(target.ask, { seed: 1, where: "http://h/prefix" });
    await expect(discovery).rejects.toThrow(/^nothing at http:\/\/h\/prefix is this API: .*prefix right\?/);
    await expect(discovery).rejects.toMatchObject({ name: "NotThisApi", mayBeStarting: false });
    expect(target.asked).toHaveLength(9);
  });

  test.each([429, 502, 503, 504])("HTTP %i everywhere: NotThisApi, which may yet come up", async (status) => {
    const ask: Ask = async () => ({ exchangeId: "x", outcome: malformed, status });
    await expect(discoverSubjects(ask, { seed: 1 })).rejects.toMatchObject({ mayBeStarting: true });
  });

  test("a server that asks for fewer requests is left alone after the first ones", async () => {
    let asked = 0;
    const ask: Ask = async () => {
      asked++;
      return { exchangeId: "x", outcome: malformed, status: 429, throttled: true };
    };
    await expect(discoverSubjects(ask, { seed: 1 })).rejects.toMatchObject({ name: "NotThisApi" });
    expect(asked).toBe(3);
  });

  test.each([
    ["an empty listing", "GetAllPositions", { kind: "success", body: { pagination: { limit: 1000 } } }],
    ["a refusal that only the operation can have made", "GetOrderBook", errorOutcome("invalid_argument")],
  ] as const)("%s is enough to go on with", async (_, endpoint, outcome) => {
    const subjects = await discoveredOn(platform, (asked) => (asked === endpoint ? outcome : malformed));
    expect(subjects).toMatchObject({ markets: [], wallets: [], positions: [] });
    expect(subjects.broken.map(({ operation }) => operation)).not.toContain(endpoint);
    expect(subjects.broken.length).toBeGreaterThan(5);
  });

  test.each(endpointNames)("without %s it alone is broken: absent, or unimplemented where it says so", async (gone) => {
    const without = async (outcome: DiscoveryReply["outcome"]) => {
      return (await discoveredOn(platform, answering(outcome, gone))).broken;
    };
    const operation = gone;
    expect(await without(malformed)).toEqual([{ operation, kind: "absent", answered: malformed.reason }]);
    expect(await without(errorOutcome("not_found"))).toEqual([
      { operation, kind: "absent", answered: "not_found: no" },
    ]);
    expect(await without(errorOutcome("unimplemented"))).toMatchObject([{ operation, kind: "unimplemented" }]);
    const timeout = { kind: "failure", failure: "timeout", message: "no answer" } as const;
    expect(await without(timeout)).toEqual([]);
  });

  test("on an empty platform operations are known by what they refuse", async () => {
    const empty = { ...platform, orders: [], positions: [], markets: {}, names: {} };
    expect((await discoveredOn(empty)).broken).toEqual([]);
    const unknown = answering(errorOutcome("not_found"), "GetPortfolio", "GetOpenPositionsStreaming");
    expect((await discoveredOn(empty, unknown)).broken).toEqual([]);
  });

  test("a GetMarketConfigs that is not there makes no market an orphan", async () => {
    const absent = answering(errorOutcome("not_found"), "GetMarketConfigs");
    const { markets, orphanMarkets } = await discoveredOn(platform, absent);
    expect(orphanMarkets).toEqual([]);
    expect(markets.length).toBeGreaterThan(1);
  });

  test("rows that make no sense are passed over", async () => {
    const odd = { ...platform, orders: [{}, { owner: 5, marketId: "x", orderId: null }, order(alice, 1, "1")] };
    const subjects = await discoveredOn(odd);
    expect(subjects.markets.map(({ marketId }) => marketId)).toContain("1");
    expect(subjects.markets.map(({ marketId }) => marketId)).not.toContain("x");
    expect(subjects.wallets.map(({ address }) => address)).toContain(alice);
  });

  test("ids as numbers and owners in upper case name the same subjects", async () => {
    const numbers = platform.orders.map((row) => ({
      ...row,
      marketId: BigInt(String(row.marketId)),
      owner: String(row.owner).toUpperCase(),
    }));
    const subjects = await discoveredOn({ ...platform, orders: numbers });
    expect(subjects.markets.map(({ marketId }) => marketId).sort()).toEqual(["1", "2", "3"]);
    expect(subjects.wallets.map(({ address }) => address).sort()).toEqual([alice, bob].sort());
  });

  test("nobody there: TargetUnreachable", async () => {
    const failure = { kind: "failure", failure: "unreachable", message: "connect ECONNREFUSED" } as const;
    await expect(discoveredOn(platform, () => failure)).rejects.toThrow(TargetUnreachable);
    const once = await discoveredOn(platform, answering(failure, "GetAllPositions"));
    expect(once.wallets.length).toBeGreaterThan(0);
  });

  test("no credentials: AccessDenied, by code or by HTTP status", async () => {
    await expect(discoveredOn(platform, () => errorOutcome("unauthenticated"))).rejects.toThrow(AccessDenied);
    const byStatus: Ask = async () => ({ exchangeId: "x", outcome: malformed, status: 403 });
    await expect(discoverSubjects(byStatus, { seed: 1 })).rejects.toThrow(AccessDenied);
    const partly = await discoveredOn(platform, answering(errorOutcome("permission_denied"), "GetAllOrders"));
    expect(partly.wallets.length).toBeGreaterThan(0);
  });

  test("a fault of the harness is not taken for one of the target", async () => {
    const broken: Ask = async () => {
      throw new TypeError("a bug");
    };
    await expect(discoverSubjects(broken, { seed: 1 })).rejects.toThrow(TypeError);
  });
});

describe("against the reference server", () => {
  let server: ReferenceServer | undefined;
  afterEach(() => server?.close());

  /** Discovers the subjects of a reference server. */
  async function discover(options: ReferenceServerOptions): Promise<Subjects> {
    server = await startReferenceServer(options);
    const { url } = server;
    let count = 0;
    const ask: Ask = async (endpoint, request) => {
      const id = `discovery#${++count}`;
      const body = JSON.stringify(request);
      const headers = { "Content-Type": "application/json" };
      const response = await fetch(url + endpoints[endpoint].path, { method: "POST", headers, body });
      const text = await response.text();
      const outcome = interpret({
        id,
        request: { endpoint, method: "POST", url: response.url, headers: [], body },
        startedAt: "2026-01-02T03:04:05Z",
        timings: { headersMs: 0, totalMs: 0 },
        response: { status: response.status, headers: [], body: text, bytes: text.length },
      });
      return { outcome, exchangeId: id, status: response.status };
    };
    return discoverSubjects(ask, { seed: 1 });
  }

  test.each([{}, { churn: true }])("with %j every kind of subject is found within the budget", async (options) => {
    const subjects = await discover(options);
    expect(subjects.hints).toEqual({});
    expect(subjects.problems).toEqual([]);
    expect(subjects.requests).toBeLessThanOrEqual(80);
    expect(subjects.orderStatuses).toHaveLength(8);
    expect(subjects.wallets.every(({ openPositions }) => openPositions !== undefined)).toBe(true);
  });

  test("an empty platform yields nothing but hints", async () => {
    const subjects = await discover({ orders: 0 });
    expect(subjects).toMatchObject({ markets: [], wallets: [], positions: [], problems: [], totals: { orders: 0 } });
    expect(subjects.hints.openPosition).toBe("an open position");
  });
});
