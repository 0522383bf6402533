import { expect, test } from "vitest";
import type { RequestOverrides } from "../connect/requests.js";
import type { Invariant } from "../judge/invariant.js";
import type { Judgement } from "../judge/judgement.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { BrokenOperation } from "../subjects/subjects.js";
import type { Answer } from "./answer.js";
import { answerWith, success } from "./answers.fixture.js";
import { contextOn } from "./context.fixture.js";
import type { CheckContext } from "./context.js";
import { answeredAsDocumented } from "./documented-outcome.js";
import { holdsInEveryCombination } from "./every-combination.js";
import { unexplored } from "./explored.js";
import { Inconclusive } from "./signals.js";

/** An invariant that is violated by the answers in which something is wrong. */
const isRight: Invariant = {
  rule: "pagination.present",
  endpoint: "GetAllPositions",
  judge: (body) => ({
    examined: 1,
    violations: (body as { wrong?: boolean }).wrong ? [{ path: "", expected: "right", seen: "wrong" }] : [],
  }),
};

const nobody = {
  marketId: "999",
  wallet: `0x${"ab".repeat(20)}`,
  symbols: { assetSymbol: "NONE", quoteSymbol: "NIL" },
};

/** The notes of a check on a target of which a function says what it answers wrongly, and the answers that violated it. */
async function notesWhere(isWrong: (overrides: RequestOverrides, request: object) => boolean, invariant = isRight) {
  const notes: string[] = [];
  const violating: Answer[] = [];
  const ask = async (_: string, request: object, overrides: RequestOverrides) => {
    const answer = success({ wrong: isWrong(overrides, request) });
    const exchange = { ...answer.exchange, request: { ...answer.exchange.request, body: JSON.stringify(request) } };
    return { ...answer, after: overrides.after, exchange };
  };
  const context = {
    ...contextOn({ unknown: nobody, totals: {} }, () => ({}), "GetAllPositions"),
    ...{ alsoAsk: [], strength: 2, ask, pause: async () => {}, note: (text: string) => notes.push(text) },
    stableRead: (read: () => unknown) => read(),
    sharedRead: (_name: string, read: (words: unknown) => unknown) => read({ ask, strength: 2 }),
    verify: (answer: Answer) => ({
      satisfies: (judgement: Judgement) => judgement.violations.length > 0 && violating.push(answer),
    }),
  };
  await holdsInEveryCombination(invariant, context as unknown as CheckContext);
  return { notes, violating };
}

test("what shows only right after another request is noted, and the request before it is kept", async () => {
  const { notes, violating } = await notesWhere(({ after }) => after !== undefined);
  expect(notes).toEqual([expect.stringMatching(/when sent again.* answered correctly/)]);
  expect(violating.length).toBeGreaterThan(1);
  for (const { after } of violating) expect(after).toHaveProperty("body");
});

test("what shows whenever it is asked for is not noted", async () => {
  const { notes, violating } = await notesWhere(() => true);
  expect(violating.length).toBeGreaterThan(1);
  expect(violating[0]).not.toHaveProperty("after.body");
  expect(notes).toEqual([]);
});

test("what is read again on stable data is found although another answer was wrong only once", async () => {
  const asked: string[] = [];
  const isWrong = (_: RequestOverrides, request: object) => {
    asked.push(JSON.stringify(request));
    return asked.length === 1 || asked.at(-1)?.includes("offset") === true;
  };
  const { violating } = await notesWhere(isWrong, { ...isRight, stable: () => "" });
  expect(violating.length).toBeGreaterThan(0);
  for (const { exchange } of violating) expect(exchange.request.body).toContain("offset");
  const once = await notesWhere(() => asked.push("") === 1, { ...isRight, stable: () => "" });
  expect(once.violating).toEqual([]);
});

/** What `errors.documented-outcome` blames on a target that refuses requests over several lines. */
async function blamedForLines(smaller: Answer) {
  const refusal = answerWith({ kind: "error", code: "invalid_argument", message: "no line breaks", body: {} });
  let shrinking = false;
  const blamed: Answer[] = [];
  const ask = async (_: string, request: object, { notation }: RequestOverrides = {}) => {
    const explored = notation === "over several lines" ? refusal : success({});
    return { ...(shrinking ? smaller : explored), request };
  };
  const context = {
    ...contextOn({ unknown: nobody, totals: {} }, () => ({}), "GetAllPositions"),
    ...{ alsoAsk: [], strength: 2, ask, tried: () => {} },
    sharedRead: async (_name: string, read: (words: unknown) => unknown) => {
      const explored = await read({ ask, strength: 2 });
      shrinking = true;
      return explored;
    },
    verify: (...answers: Answer[]) => ({ meets: () => {}, succeeds: () => blamed.push(...answers) }),
  };
  await answeredAsDocumented(context as unknown as CheckContext);
  return blamed;
}

test("a refusal that no smaller request shows is one of a combination", async () => {
  expect((await blamedForLines(success({}))).length).toBeGreaterThan(0);
});

test("a refusal is blamed on a combination only when every smaller request was answered", async () => {
  const silence = answerWith({ kind: "failure", failure: "timeout", message: "no answer" });
  await expect(blamedForLines(silence)).rejects.toThrow(Inconclusive);
});

test("what was not asked for is blocked by the operation that would have told what to ask for", () => {
  const broken = { operation: "GetMarketConfigs", kind: "absent", answered: "HTTP 404" } as const;
  const reasonOn = (endpoint: Endpoint, known: readonly BrokenOperation[]) =>
    unexplored(
      contextOn({ broken: known }, () => ({}), endpoint),
      "of the kind",
    );
  const reason = "needs an answer from GetOrderBook of the kind";
  expect(reasonOn("GetOrderBook", [broken])).toEqual({ reason, blockedBy: broken });
  expect(reasonOn("GetOrderBook", [])).toEqual({ reason });
  expect(reasonOn("GetAllPositions", [broken])).not.toHaveProperty("blockedBy");
});
