import { describe, expect, test, vi } from "vitest";
import type { StreamFrame } from "../../src/connect/exchange.js";
import type { Capture, StreamAnswer } from "../../src/engine/answer.js";
import { connectError, exchangeOf, failure } from "../../src/engine/answers.fixture.js";
import { AssertionLog } from "../../src/engine/assertion-log.js";
import { contextOn, walletSubject } from "../../src/engine/context.fixture.js";
import type { CheckContext } from "../../src/engine/context.js";
import { Halt, Inconclusive } from "../../src/engine/signals.js";
import { verifyInto } from "../../src/engine/verify.js";
import type { Profile } from "../../src/specification/profile.js";
import {
  firstMessageIsImmediate,
  gapsOf,
  measured,
  measuredWithControl,
  measurementsAtMost,
  secondMessageIn,
  sideBySide,
} from "./streams.js";

vi.mock("node:timers/promises", () => ({ setTimeout: async () => {} }));

function captured(changes: Partial<Capture> = {}): StreamAnswer {
  const body: Capture = { messages: [], ended: "by-us", windowMs: 100, loopLagMs: 0, ...changes };
  return {
    endpoint: "GetOpenPositionsStreaming",
    request: {},
    exchange: exchangeOf(""),
    outcome: { kind: "success", body },
  };
}

const refused = {
  ...connectError("resource_exhausted"),
  outcome: connectError("resource_exhausted").outcome,
} as StreamAnswer;
const reset = failure("reset") as unknown as StreamAnswer;
const broken = captured({ problem: { kind: "failure", failure: "reset", message: "gone" } });

/** Gives one answer after the other, and counts. */
function readings(...answers: StreamAnswer[]) {
  let count = 0;
  return {
    read: async () => answers[Math.min(count++, answers.length - 1)] ?? captured(),
    get count() {
      return count;
    },
  };
}

describe("a measurement", () => {
  test("that can be trusted is made once", async () => {
    const only = captured();
    const source = readings(only);
    expect(await measured(source.read, () => undefined)).toBe(only);
    expect(source.count).toBe(1);
  });

  test("is made again while there is a doubt, and is inconclusive in the end (T7)", async () => {
    const good = captured({ loopLagMs: 1 });
    const source = readings(captured({ loopLagMs: 50 }), captured({ loopLagMs: 40 }), good);
    const doubt = ({ loopLagMs }: { loopLagMs: number }) => (loopLagMs > 10 ? `lag of ${loopLagMs} ms` : undefined);
    expect(await measured(source.read, doubt)).toBe(good);

    const never = readings(captured({ loopLagMs: 50 }));
    await expect(measured(never.read, doubt)).rejects.toThrow(Inconclusive);
    await expect(measured(never.read, doubt)).rejects.toThrow(
      "lag of 50 ms in each of 3 measurements; a quieter machine or path would settle it",
    );
    expect(never.count).toBe(2 * measurementsAtMost);
  });

  test.each([
    ["with an answer", reset],
    ["within a stream", broken],
  ])("is made once more when the connection broke %s; then it counts", async (_, lost) => {
    const whole = captured();
    expect(await measured(readings(lost, whole).read)).toBe(whole);
    const source = readings(lost);
    expect(await measured(source.read, () => "never trusted")).toBe(lost);
    expect(source.count).toBe(2);
  });

  test("is not made again because of an error, but for one stream too many", async () => {
    const error = connectError("internal") as unknown as StreamAnswer;
    expect(await measured(readings(error).read, () => "doubt")).toBe(error);
    const later = captured();
    expect(await measured(readings(refused, later).read)).toBe(later);
  });
});

const unknown = { marketId: "99", wallet: "0x9", symbols: { assetSymbol: "NOPE", quoteSymbol: "NONE" } };

/**
 * A target on which the streams of some wallets bring a message so many milliseconds after the request, and calls take as long.
 *
 * @param firstAt by wallet, when the first message comes: of several times one for each stream, the last for any more
 */
function targetOf(firstAt: Readonly<Record<string, number | readonly number[]>>, callMs = 4) {
  const log = new AssertionLog();
  const asked: string[] = [];
  const context = {
    ...contextOn({ wallets: [walletSubject("0xopen", { openPositions: 1 })], unknown }, () => ({})),
    verify: verifyInto(log),
    async listen({ address }: { address: string }) {
      const before = asked.filter((earlier) => earlier === address).length;
      asked.push(address);
      const at = [firstAt[address]]
        .flat()
        .slice(0, before + 1)
        .at(-1);
      return captured({ messages: at === undefined ? [] : [{ at, frame: 0, body: {} }], windowMs: at ?? 7_500 });
    },
    async ask(_: string, __: unknown, overrides: { newConnection?: boolean }) {
      expect(overrides.newConnection).toBe(true);
      return { exchange: { ...exchangeOf("{}"), timings: { headersMs: callMs, totalMs: callMs } } };
    },
  } as unknown as CheckContext;
  return { context, log, asked };
}

describe("a busy target", () => {
  test("is not blamed for a first message that came late once, or as late as the answers of small calls did", async () => {
    const request = { address: "0xopen", updateIntervalMs: 10_000 };
    const quick = targetOf({ "0xopen": 3_000 });
    await firstMessageIsImmediate(quick.context, request);
    expect(quick.log.violated).toBe(true);
    expect(quick.asked).toHaveLength(3);

    const lateOnce = targetOf({ "0xopen": [3_000, 4] });
    await firstMessageIsImmediate(lateOnce.context, request);
    expect(lateOnce.log.violated).toBe(false);

    const busy = targetOf({ "0xopen": 5_000 }, 3_000);
    await expect(firstMessageIsImmediate(busy.context, request)).rejects.toThrow(
      /small calls waiting as well in each of 3/,
    );
    expect(busy.log.violated).toBe(false);
  });

  test("is not blamed for a late first message, or for silence, when a proxy holds messages back", async () => {
    const inBursts = captured({ messages: [900, 901, 901, 902, 1_800].map((at) => ({ at, frame: 0, body: {} })) });
    const { context, log } = targetOf({});
    const held = {
      ...context,
      listen: async ({ updateIntervalMs }: { updateIntervalMs?: number }) =>
        updateIntervalMs === 100 ? inBursts : captured({ messages: [], windowMs: 7_500 }),
    } as unknown as CheckContext;
    const beginning = firstMessageIsImmediate(held, { address: "0xopen", updateIntervalMs: 10_000 });
    await expect(beginning).rejects.toThrow("held back for 900 ms and then came all at once");
    const silence = measuredWithControl(held, { address: "0xother" }, { messages: 1, ms: 7_500 });
    await expect(silence).rejects.toThrow("held back for 900 ms");
    expect(log.violated).toBe(false);
  });

  test("is not blamed for the end of a first message that a proxy keeps until the next one", async () => {
    const { context, log } = targetOf({});
    const held = {
      ...context,
      listen: async ({ updateIntervalMs }: { updateIntervalMs?: number }) =>
        updateIntervalMs === 100
          ? captured({ messages: [100, 200, 300].map((at) => ({ at, frame: 0, body: {} })) })
          : captured({ windowMs: 7_500, endsWithinMessage: true }),
    } as unknown as CheckContext;
    const beginning = firstMessageIsImmediate(held, { address: "0xopen", updateIntervalMs: 10_000 });
    await expect(beginning).rejects.toThrow("only a part of a message arrived");
    expect(log.violated).toBe(false);
  });

  test("is not blamed for a silent stream when another one is silent, too", async () => {
    const request = { address: "0xother" };
    const until = { messages: 1, ms: 7_500 };
    const silentOnce = targetOf({ "0xopen": 4 });
    expect(await measuredWithControl(silentOnce.context, request, until)).toMatchObject({
      outcome: { kind: "success" },
    });
    expect(silentOnce.asked.toSorted()).toEqual(["0xopen", "0xother"]);
    await expect(measuredWithControl(targetOf({}).context, request, until)).rejects.toThrow(Inconclusive);
    await expect(measuredWithControl(targetOf({ "0xopen": 6_000 }).context, request, until)).rejects.toThrow(
      "was silent",
    );
  });
});

describe("how long a cadence is watched", () => {
  const frames = (gaps: number, intervalMs: number, lagMs = 0): StreamFrame[] =>
    Array.from({ length: gaps + 1 }, (_, index) => ({ at: 5 + index * intervalMs, lagMs, flags: 0, data: "{}" }));
  const enough = (
    intervalMs: number,
    seen: StreamFrame[],
    elapsedMs = seen.at(-1)?.at ?? 0,
    profile: Profile = "full",
  ) => {
    const until = gapsOf(intervalMs, profile);
    return typeof until === "function" && until(seen, elapsedMs);
  };

  test.each([
    [100, 20],
    [250, 14],
    [450, 8],
    [2_000, 8],
    [2_001, 8],
    [20_000, 3],
  ])("at %d ms: for %d gaps", (intervalMs, gaps) => {
    expect(enough(intervalMs, frames(gaps - 1, intervalMs))).toBe(false);
    expect(enough(intervalMs, frames(gaps, intervalMs))).toBe(true);
  });

  test("for three gaps at most at long intervals in the quick profile, also when they are half as long again", () => {
    const slow = frames(2, 3_000);
    expect(enough(2_001, slow, 8_900, "quick")).toBe(false);
    expect(enough(2_001, frames(3, 3_000), 9_005, "quick")).toBe(true);
    expect(enough(2_001, frames(3, 2_001), undefined, "quick")).toBe(true);
  });

  test("for a second message: from the first one on, however late that is", () => {
    const until = secondMessageIn(64_500);
    const enough = (seen: StreamFrame[], elapsedMs: number) => typeof until === "function" && until(seen, elapsedMs);
    const late = frames(0, 0).map((frame) => ({ ...frame, at: 2_000 }));
    expect(enough(late, 64_600)).toBe(false);
    expect(enough(late, 66_500)).toBe(true);
    expect(enough(frames(1, 60_000), 60_010)).toBe(true);
    expect(enough([], 64_500)).toBe(true);
  });

  test("for longer when some cannot be trusted, but not forever", () => {
    const blurred = frames(24, 100).map((frame, index) => (index < 5 ? { ...frame, lagMs: 30 } : frame));
    expect(enough(100, blurred)).toBe(false);
    expect(enough(100, [...blurred, { at: 2_505, lagMs: 0, flags: 0, data: "{}" }])).toBe(true);
    expect(enough(100, blurred, 3_406)).toBe(true);
    // Twice as long when fewer are left than a median needs.
    expect(enough(100, frames(200, 100, 30), 3_406)).toBe(false);
    expect(enough(100, frames(200, 100, 30), 6_806)).toBe(true);
  });

  test("for a while only when the target sends too few, or nothing", () => {
    expect(enough(100, frames(3, 100, 30), 3_405)).toBe(false);
    expect(enough(100, frames(3, 100, 30), 3_406)).toBe(true);
    expect(enough(100, [], 3_401)).toBe(true);
  });
});

test("side by side, all are made before what stopped one of them stops the check", async () => {
  const made: number[] = [];
  const assert = async (value: number) => {
    if (value === 1) throw new Halt("stopped");
    await new Promise((resolve) => setTimeout(resolve, 5));
    made.push(value);
  };
  await expect(sideBySide([1, 2, 3], assert)).rejects.toThrow(Halt);
  expect(made).toEqual([2, 3]);
  await sideBySide([4], assert);
  expect(made).toEqual([2, 3, 4]);
});
