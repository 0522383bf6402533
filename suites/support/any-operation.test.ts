import { describe, expect, test } from "vitest";
import type { JsonInput } from "../../src/connect/json.js";
import type { Answer, StreamAnswer } from "../../src/engine/answer.js";
import { errorAnswer, failure, success } from "../../src/engine/answers.fixture.js";
import { captured } from "../../src/engine/captured.fixture.js";
import type { CheckContext } from "../../src/engine/context.js";
import { Inconclusive, TransportTrouble, Unimplemented } from "../../src/engine/signals.js";
import type { Endpoint } from "../../src/specification/endpoints.js";
import type { Subjects } from "../../src/subjects/subjects.js";
import { answersToMalformedBodies, answersToWrongTypes, documentedRefusals, sendToAny } from "./any-operation.js";

const subjects = {
  markets: [],
  wallets: [],
  positions: [],
  totals: {},
  unknown: {
    marketId: "424242",
    wallet: "0x00000000000000000000000000000000000000ee",
    symbols: { assetSymbol: "ZQA", quoteSymbol: "QZB" },
  },
} as unknown as Subjects;

/** A context whose requests are answered by a function of their number, from 0. */
function contextWith(endpoint: Endpoint, reply: (count: number) => Answer) {
  const asked: JsonInput[] = [];
  const ask = async (_endpoint: Endpoint, request: JsonInput) => reply(asked.push(request) - 1);
  const reader = { ask, listen: ask };
  const context = {
    ...reader,
    endpoint,
    subjects,
    shared: ask,
    sharedRead: (_name: string, read: (given: typeof reader) => unknown) => read(reader),
  } as unknown as CheckContext;
  return { asked, context };
}

describe("one answer of any operation", () => {
  const first = (answer: StreamAnswer) =>
    sendToAny({ ask: async () => success({}), listen: async () => answer }, "GetOpenPositionsStreaming", {});
  const message = (body: { positions: never[] }) => ({ at: 1, body, frame: 0 });

  test("is the answer itself, and of the stream its first message", async () => {
    const listen = async () => captured();
    const answer = await sendToAny({ ask: async () => success({ a: 1 }), listen }, "GetOrders", {});
    expect(answer.outcome).toMatchObject({ kind: "success", body: { a: 1 } });
    const streamed = await first(captured({ messages: [message({ positions: [] })] }));
    expect(streamed.outcome).toEqual({ kind: "success", body: { positions: [] } });
  });

  test("of the stream is its error, or that it ended without a word", async () => {
    const { outcome } = errorAnswer("invalid_argument");
    if (outcome.kind !== "error") throw new Error("no error");
    expect((await first({ ...captured(), outcome })).outcome).toEqual(outcome);
    expect((await first(captured({ ended: "closed" }))).outcome).toMatchObject({ kind: "malformed" });
    const problem = { kind: "failure", failure: "reset", message: "it broke" } as const;
    expect((await first(captured({ ended: "closed", problem }))).outcome).toMatchObject({ reason: "it broke" });
  });

  test("is not known of a stream that stays silent", async () => {
    await expect(first(captured())).rejects.toThrow(Inconclusive);
  });
});

describe("answers to faulty requests", () => {
  test("come after a sound one has succeeded, one for each fault", async () => {
    const { asked, context } = contextWith("GetAllOrders", (count) =>
      count === 0 ? success({}) : errorAnswer("invalid_argument"),
    );
    const answers = await answersToWrongTypes(context);
    expect(asked[0]).toEqual({ limit: 3 });
    expect(answers).toHaveLength(asked.length - 1);
    expect(answers.every(({ outcome }) => outcome.kind === "error")).toBe(true);
    expect(answers.length).toBeGreaterThan(8);
  });

  test("tell nothing where the sound request does not succeed", async () => {
    for (const [reply, signal] of [
      [errorAnswer("not_found"), Inconclusive],
      [errorAnswer("unimplemented"), Unimplemented],
      [failure("timeout"), TransportTrouble],
    ] as const) {
      const { asked, context } = contextWith("GetPortfolio", () => reply);
      await expect(answersToMalformedBodies(context)).rejects.toThrow(signal);
      expect(asked).toHaveLength(1);
    }
  });
});

test("refusals are asked for where the text documents them", async () => {
  const refusals = async (endpoint: Endpoint) => {
    const { asked, context } = contextWith(endpoint, () => errorAnswer("invalid_argument"));
    expect(await documentedRefusals(context)).toHaveLength(asked.length);
    return asked.length;
  };
  expect(await refusals("GetMarketIdByName")).toBe(2);
  expect(await refusals("GetAllPositions")).toBe(0);
});
