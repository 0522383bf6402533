import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyInterval, sleepUntil, ticks } from "./schedule.js";
import { type ReferenceServer, startReferenceServer } from "./server.js";
import { ask, firstFrames, medianFrameGap, until, watch } from "./test-client.fixture.js";

let server: ReferenceServer;
let owner: string;
beforeAll(async () => {
  server = await startReferenceServer();
  owner = [...server.dataset.wallets.values()].find((w) => w.positions.some((p) => p.open))?.address ?? "";
});
afterAll(() => server.close());

describe("the stream's messages", () => {
  test("are full snapshots of the open positions, with references and without orders", async () => {
    const frames = await firstFrames(
      server,
      { address: ` ${owner.toUpperCase().replace("0X", "0x")} `, updateIntervalMs: 100 },
      3,
    );
    const portfolio = (await ask(server, "GetPortfolio", { owner })).json.portfolio?.positions ?? [];
    expect(portfolio.length).toBeGreaterThan(0);
    const expected = portfolio.map(({ associatedOrders, cashRoi, currentPnl, currentRoi, ...position }) => position);
    expect(expected.every((position) => (position.associatedOrderIds?.length ?? 0) > 0)).toBe(true);
    for (const { flags, json } of frames) expect([flags, json.positions]).toEqual([0, expected]);
  });

  test("are empty, and go on, for a wallet without open positions", async () => {
    const frames = await firstFrames(server, { address: `0x${"7".repeat(40)}`, updateIntervalMs: 100 }, 3);
    expect(frames.map(({ json }) => json)).toEqual([{}, {}, {}]);
  });

  test("a request that cannot be decoded ends the stream with an error", async () => {
    const frames = await firstFrames(server, { address: 5 }, 2);
    expect(frames).toMatchObject([{ flags: 2, json: { error: { code: "invalid_argument" } } }]);
    const radix = await firstFrames(server, { address: owner, updateIntervalMs: "0x80" }, 2);
    expect(radix).toMatchObject([{ flags: 2, json: { error: { code: "invalid_argument" } } }]);
  });
});

// They take their time: they are watched side by side. A busy machine may delay one of them, but hardly three times.
describe.concurrent("the stream's cadence", { retry: 2 }, () => {
  test.each([
    [undefined, 250],
    [0, 250],
    [1, 100],
    [-5, 100],
    [100, 100],
    [180, 180],
  ])("updateIntervalMs %s gives a message every %i ms", async (updateIntervalMs, interval) => {
    const frames = await firstFrames(server, { address: owner, updateIntervalMs }, 9);
    expect(medianFrameGap(frames) / interval).toBeGreaterThan(0.85);
    expect(medianFrameGap(frames) / interval).toBeLessThan(1.15);
  });

  test("the first message comes long before an interval has passed, which is at most 60 s", async () => {
    const [first] = await firstFrames(server, { address: owner, updateIntervalMs: 2_147_483_647 }, 1);
    expect((first?.at ?? Number.NaN) / 60_000).toBeLessThan(1 / 20);
  });

  test("is that of the request also behind a slow, jittery path", async () => {
    const far = await startReferenceServer({ latencyMs: 250, jitterMs: 40 });
    try {
      const frames = await firstFrames(far, { address: owner, updateIntervalMs: 100 }, 16);
      expect((frames[0]?.at ?? 0) / 250).toBeGreaterThan(0.99);
      const span = (frames.at(-1)?.at ?? 0) - (frames[0]?.at ?? 0);
      expect(span / 1_500).toBeGreaterThan(0.9);
      expect(span / 1_500).toBeLessThan(1.1);
    } finally {
      await far.close();
    }
  });

  test("does not drift when messages are late", async () => {
    const leaving = new AbortController();
    const due: number[] = [];
    const start = performance.now();
    for await (const index of ticks(everyInterval(40), { latencyMs: 0, jitterMs: 0 }, leaving.signal)) {
      due.push(performance.now() - start - index * 40);
      // Whoever consumes the message takes half an interval: a chain of plain timers would fall behind by that each time.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (index === 12) leaving.abort();
    }
    expect(due).toHaveLength(13);
    expect(Math.min(...due.slice(6)) / 40).toBeLessThan(1);
  });
});

describe("the stream's end", () => {
  test("the server lets go of a stream, and of its timer, when the client leaves", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const before = timers();
    let arrived = 0;
    let atOnce = 0;
    const one = async () => {
      for await (const _frame of watch(server, { address: owner, updateIntervalMs: 60_000 })) {
        arrived++;
        await until(() => arrived === 10);
        atOnce = Math.max(atOnce, timers() - before);
        expect(server.openStreams).toBeGreaterThan(0);
        break;
      }
    };
    await Promise.all(Array.from({ length: 10 }, one));
    expect(atOnce).toBeGreaterThanOrEqual(10);
    await until(() => server.openStreams === 0 && timers() - before < 5);
  });

  test("a sleeper wakes when its signal aborts, and leaves no listener behind", async () => {
    const leaving = new AbortController();
    const sleeping = sleepUntil(Number.POSITIVE_INFINITY, leaving.signal);
    leaving.abort();
    await sleeping;
    await sleepUntil(Number.POSITIVE_INFINITY, leaving.signal);
  });

  test("a deadline ends it with an error", async () => {
    const frames = await firstFrames(server, { address: owner, updateIntervalMs: 100 }, 50, {
      "connect-timeout-ms": "350",
    });
    expect(frames.at(-1)).toMatchObject({ flags: 2, json: { error: { code: "deadline_exceeded" } } });
    expect(frames.length).toBeLessThan(7);
  });

  test("closing the server does not wait for open streams", async () => {
    const closing = await startReferenceServer();
    const end = (async () => {
      for await (const _frame of watch(closing, { address: owner, updateIntervalMs: 60_000 })) await closing.close();
    })();
    await expect(end).rejects.toThrow();
    expect(closing.openStreams).toBe(0);
  });
});
