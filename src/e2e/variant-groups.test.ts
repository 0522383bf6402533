import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Verdict } from "../engine/result.js";
import { groupsOf, tryGroup } from "../prove/groups.js";
import type { TrialReport } from "../prove/trial-job.js";
import { combined } from "../reference/combined.js";
import { sharedDataset } from "../reference/dataset/generate.js";
import type { Variant } from "../reference/modification.js";
import { findModification, variants } from "../reference/modifications.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { ask, firstFrames } from "../reference/test-client.fixture.js";
import type { Endpoint } from "../specification/endpoints.js";

const groups = groupsOf(variants);
const shared = groups.filter(({ length }) => length > 1);

describe("groups of variants", () => {
  test("hold each variant once", () => {
    const names = groups.flat().map(({ name }) => name);
    expect([...names].sort()).toEqual(variants.map(({ name }) => name).sort());
  });

  test("have members that touch nothing in common", () => {
    for (const members of shared) {
      const touched = members.flatMap(({ touches = [] }) => [...new Set(touches)]);
      expect(new Set(touched).size, members.map(({ name }) => name).join()).toBe(touched.length);
    }
  });

  test("leave those alone that say nothing of what they touch, that warn, or that have other data", () => {
    for (const { name, touches, warns, server } of variants.filter((variant) => variant.touches)) {
      expect(touches?.length, name).toBeGreaterThan(0);
      expect({ name, warns, server }).toEqual({ name });
    }
    const untold = groups.filter((members) => members.some(({ touches }) => touches === undefined));
    expect(untold.every(({ length }) => length === 1)).toBe(true);
  });

  test("are found by their names", () => {
    const [members = []] = shared;
    const { name, summary } = combined(members);
    expect(findModification("variant", name)).toMatchObject({ kind: "variant", name, summary });
    expect(findModification("variant", `${name} + nothing`)).toBeUndefined();
  });
});

describe("the server of a group shows what each of its members does", () => {
  const noon = Date.UTC(2025, 6, 1, 12);
  const orders = 240;
  const { orders: rows, positions, markets } = sharedDataset(1, orders);
  const lost = [...markets.values()].find(({ listed }) => !listed);
  const market = { marketId: "2" };
  const symbols = (id: bigint) => {
    const { assetSymbol = "", quoteSymbol = "" } = markets.get(id) ?? {};
    return { assetSymbol, quoteSymbol };
  };
  const owners = [...new Set(positions.filter(({ open }) => open).map(({ owner }) => owner))].slice(0, 6);
  const [owner = ""] = owners;
  const stranger = `0x${"7".repeat(40)}`;
  const orderOfLost = rows.find(({ marketId }) => marketId === lost?.id);
  const range = { startTime: "2025-06-01T00:20:00Z", endTime: "2025-06-03T00:20:00Z" };
  const beyondInt32 = 2 ** 40;
  type Request = readonly [Endpoint, unknown, Parameters<typeof ask>[3]?];
  /** Requests that each freedom shows in one of. */
  const requests: readonly Request[] = [
    ["GetAllPositions", { limit: 1_000 }],
    ["GetAllOrders", { limit: 1_000 }],
    ["GetAllOrders", { limit: 3 }, { headers: { "connect-protocol-version": "2" } }],
    ["GetAllOrders", {}, { headers: { "content-type": "text/plain" } }],
    ["GetAllOrders", ""],
    ["GetAllOrders", { offset: 1_000_000 }],
    ["GetAllOrders", { limit: -3, offset: -2 }],
    ["GetAllOrders", { address: "  " }],
    ["GetAllOrders", { address: "0x12" }],
    ["GetOrders", { address: stranger, market: {} }],
    ["GetOrders", { address: stranger, market: { marketId: "987654321" } }],
    ["GetOrders", { address: stranger, market: { marketId: "-2" } }],
    ["GetOrders", { address: stranger, market: { marketId: " 2" } }],
    ["GetOrders", { address: stranger, market: { ...market, marketSymbol: null } }],
    ["GetOrders", { address: stranger, market: { marketSymbol: { assetSymbol: "NO", quoteSymbol: "SUCH" } } }],
    ["GetOrders", { address: stranger, market: { marketSymbol: { ...symbols(2n), quoteSymbol: "" } } }],
    ["GetOrders", { address: stranger, market: { marketSymbol: { ...symbols(2n), quoteSymbol: " usd " } } }],
    ["GetOrders", { address: stranger, market: { marketSymbol: { ...symbols(2n), assetSymbol: " eth " } } }],
    ["GetOrders", { address: orderOfLost?.owner, market: { marketId: String(lost?.id) } }],
    ...owners.map((address): Request => ["GetOrders", { address }]),
    ...owners.map((address): Request => ["GetPortfolio", { owner: address }]),
    ["GetPortfolio", { owner: stranger }],
    ["GetOrderBook", { market, limit: 40 }],
    ["GetOrderBook", { market, limit: 7, tickSize: 10, levels: 2, offset: 9 }],
    ["GetOrderBook", { market, sizeInUsd: true }],
    ["GetOrderBook", { market, limit: 1_000_000 }],
    ["GetOrderBook", { market, tickSize: 9.995 }],
    ["GetOrderBook", { market, tickSize: 10_000_000 }],
    ["GetOrderBook", { market, limit: -1 }],
    ["GetHistoricalPrices", { market, ...range, interval: "1D" }],
    ["GetHistoricalPrices", { market, ...range }],
    ["GetHistoricalPrices", { market, ...range, interval: "1S", endTime: "2025-06-01T00:21:00Z" }],
    ["GetHistoricalPrices", { market, ...range, interval: "15" }],
    ["GetHistoricalPrices", { market, ...range, interval: "7 days" }],
    ["GetHistoricalPrices", { market, ...range, limit: -1 }],
    ["GetHistoricalPrices", { market: { ...market, marketSymbol: symbols(2n) }, ...range }],
    ["GetHistoricalPrices", { market: { marketId: "987654321" }, ...range }],
    ["GetMarketConfigs", { market }],
    ["GetMarketIdByName", { ...symbols(2n), quoteSymbol: symbols(2n).quoteSymbol.toLowerCase() }],
    ["GetOpenPositionsStreaming", { address: owner }],
    ["GetOpenPositionsStreaming", { address: owner }, { headers: {} }],
    ["GetOpenPositionsStreaming", { address: owner, updateIntervalMs: beyondInt32 }],
  ];

  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: noon }));
  afterAll(() => void vi.useRealTimers());

  /** The answers of a server, one after the other: each draws the same random numbers, so that servers can be compared. */
  async function* answersOf(server: ReferenceServer): AsyncGenerator<string> {
    for (const [endpoint, body, init] of requests) {
      let drawn = 0;
      const random = vi.spyOn(Math, "random").mockImplementation(() => (drawn++ * 0.618) % 1);
      try {
        yield await answer(server, endpoint, body, init);
      } finally {
        random.mockRestore();
      }
    }
  }

  async function allAnswersOf(server: ReferenceServer): Promise<string[]> {
    const all: string[] = [];
    for await (const one of answersOf(server)) all.push(one);
    return all;
  }

  async function answer(server: ReferenceServer, endpoint: Endpoint, body: unknown, init: Request[2]): Promise<string> {
    if (endpoint === "GetOpenPositionsStreaming" && init === undefined) {
      // Where such an interval is served, the second message comes after a minute.
      const frames = await firstFrames(server, body, JSON.stringify(body).includes(String(beyondInt32)) ? 1 : 2);
      return JSON.stringify(frames.map(({ flags, json }) => ({ flags, json })));
    }
    const { status, headers, text } = await ask(server, endpoint, body, init);
    return [status, ...[...headers].filter(([name]) => name !== "date" && name !== "keep-alive"), text].join("\n");
  }

  async function withServer<Result>(members: readonly Variant[], use: (server: ReferenceServer) => Promise<Result>) {
    const modification = members.length > 0 ? { modification: combined(members) } : {};
    const server = await startReferenceServer({ orders, ...modification, clock: { now: () => noon } });
    try {
      return await use(server);
    } finally {
      await server.close();
    }
  }

  test.each(shared.map((members) => [members.map(({ name }) => name).join(", "), members] as const))(
    "%s",
    async (_, members) => {
      const all = await withServer(members, (server) => allAnswersOf(server));
      for (const member of members) {
        const others = members.filter((other) => other !== member);
        const shows = member.schedule
          ? combined(members).schedule === member.schedule
          : await withServer(others, async (server) => {
              let index = 0;
              for await (const one of answersOf(server)) if (one !== all[index++]) return true;
              return false;
            });
        expect(shows, member.name).toBe(true);
      }
    },
  );

  test("nothing differs between two servers of one group", async () => {
    const [members = []] = shared;
    const all = () => withServer(members, (server) => allAnswersOf(server));
    expect(await all()).toEqual(await all());
  });
});

describe("trying a group", () => {
  const one: Variant = { kind: "variant", name: "one", summary: "One.", touches: ["pages"] };
  const two: Variant = { kind: "variant", name: "two", summary: "Two.", touches: ["times"] };

  /** Tries with a harness that blames a server by its name. */
  async function tried(blame: (name: string) => Verdict | "trouble") {
    const servers: string[] = [];
    const reports = await tryGroup([one, two], async ({ kind, name }) => {
      servers.push(name);
      const verdict = blame(name);
      const results = [
        { rule: "a.rule", name: "a check", verdict, violations: [] },
      ] as unknown as TrialReport["results"];
      const job = { modification: { kind, name }, lane: "bulk", profile: "quick", seed: 1 } as const;
      const trouble = verdict === "trouble" ? { trouble: "no server" } : {};
      return [
        { job, results: verdict === "trouble" ? [] : results, usage: {}, requests: 1, durationMs: 1, ...trouble },
      ];
    });
    const found = reports.map(({ job, results }) => [job.modification?.name, results[0]?.verdict]);
    return { servers, found };
  }

  test("clears all members by one server", async () => {
    expect(await tried(() => "pass")).toEqual({
      servers: ["one + two"],
      found: [
        ["one", "pass"],
        ["two", "pass"],
      ],
    });
  });

  test.each(["fail", "warn", "error", "trouble"] as const)("finds the member that a %s is about", async (blame) => {
    expect(await tried((name) => (name.includes("two") ? blame : "pass"))).toEqual({
      servers: ["one + two", "one", "two"],
      found: [
        ["one", "pass"],
        ["two", blame === "trouble" ? undefined : blame],
      ],
    });
  });

  test("blames the group where no member is to blame alone", async () => {
    const { found } = await tried((name) => (name === "one + two" ? "fail" : "pass"));
    expect(found).toEqual([
      ["one", "pass"],
      ["two", "pass"],
      ["one + two", "fail"],
    ]);
  });

  test("does not blame the group for what does not come again", async () => {
    let tries = 0;
    const { servers, found } = await tried((name) => (name === "one + two" && tries++ === 0 ? "fail" : "pass"));
    expect(servers).toEqual(["one + two", "one", "two", "one + two"]);
    expect(found).toEqual([
      ["one", "pass"],
      ["two", "pass"],
    ]);
  });

  test("is satisfied with what the members come to where the group's own trial went wrong", async () => {
    const { found } = await tried((name) => (name === "one + two" ? "error" : "pass"));
    expect(found).toEqual([
      ["one", "pass"],
      ["two", "pass"],
    ]);
  });
});
