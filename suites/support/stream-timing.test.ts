import { describe, expect, test } from "vitest";
import { stringify } from "../../src/connect/json.js";
import type { StreamAnswer } from "../../src/engine/answer.js";
import { exchangeOf } from "../../src/engine/answers.fixture.js";
import { AssertionLog } from "../../src/engine/assertion-log.js";
import { captured } from "../../src/engine/captured.fixture.js";
import { contextOn } from "../../src/engine/context.fixture.js";
import type { CheckContext } from "../../src/engine/context.js";
import { Halt, Inconclusive } from "../../src/engine/signals.js";
import { verifyInto } from "../../src/engine/verify.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import { firstMessageIsImmediate, measuredWithControl, sideBySide } from "./stream-timing.js";

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

/** The context on a target behind a proxy: what the stream at the shortest interval shows, and what any other shows. */
function behindProxy(context: CheckContext, quick: StreamAnswer, other: StreamAnswer): CheckContext {
  return {
    ...context,
    listen: async (request) => (stringify(request).includes('"updateIntervalMs":100}') ? quick : other),
  };
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
    const held = behindProxy(context, inBursts, captured({ messages: [], windowMs: 7_500 }));
    const beginning = firstMessageIsImmediate(held, { address: "0xopen", updateIntervalMs: 10_000 });
    await expect(beginning).rejects.toThrow("held back for 900 ms and then came all at once");
    const silence = measuredWithControl(held, { address: "0xother" }, { messages: 1, ms: 7_500 });
    await expect(silence).rejects.toThrow("held back for 900 ms");
    expect(log.violated).toBe(false);
  });

  test("is not blamed for the end of a first message that a proxy keeps until the next one", async () => {
    const { context, log } = targetOf({});
    const quick = captured({ messages: [100, 200, 300].map((at) => ({ at, frame: 0, body: {} })) });
    const held = behindProxy(context, quick, captured({ windowMs: 7_500, endsWithinMessage: true }));
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
