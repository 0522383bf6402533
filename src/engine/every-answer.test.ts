import { expect, test } from "vitest";
import { type JsonObjectInput, stringify } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Answer, StreamAnswer } from "./answer.js";
import { errorAnswer, exchangeOf } from "./answers.fixture.js";
import { EveryAnswer } from "./every-answer.js";

const wallet = `0x${"1".repeat(40)}`;
const known = { markets: [], wallets: [], unknown: { wallet: `0x${"9".repeat(40)}` } };

/** The rules that one answer breaks, and those that it keeps. */
function verdicts(judge: (every: EveryAnswer) => void): Record<string, string> {
  const every = new EveryAnswer({ subjects: known, readings: {} });
  judge(every);
  return Object.fromEntries(every.results(() => "curl").map(({ rule, verdict }) => [rule, verdict]));
}

function failed(endpoint: Endpoint, body: JsonObjectInput, code: string) {
  const answer = errorAnswer(code);
  const { exchange } = answer;
  return {
    ...answer,
    endpoint,
    exchange: { ...exchange, request: { ...exchange.request, endpoint, body: stringify(body) } },
  };
}

test("a documented request that is answered with `internal` breaks the rule on that, whoever asked (E5)", () => {
  const asked = failed("GetPortfolio", { owner: wallet }, "internal");
  expect(verdicts((every) => every.judge(asked))).toMatchObject({ "errors.documented-outcome": "fail" });
  expect(verdicts((every) => every.judgeStream(asked as unknown as StreamAnswer))).toMatchObject({
    "errors.documented-outcome": "fail",
  });
});

test.each([
  ["a connection that breaks at each attempt", 0, { kind: "failure", failure: "reset", message: "closed" }, "fail"],
  ["an HTTP 500 that is no Connect error", 500, { kind: "malformed", reason: "HTML" }, "fail"],
  ["a page of a proxy", 502, { kind: "malformed", reason: "HTML" }, undefined],
  ["no answer in time", 0, { kind: "failure", failure: "timeout", message: "too late" }, undefined],
] as const)("a documented request that meets with %s (E5)", (_, status, outcome, verdict) => {
  const asked = failed("GetPortfolio", { owner: wallet }, "unavailable");
  const { response: __, ...unanswered } = asked.exchange;
  const exchange = status > 0 ? { ...asked.exchange, response: { ...exchangeOf("").response, status } } : unanswered;
  const seen = verdicts((every) => every.judge({ ...asked, exchange, outcome } as Answer));
  expect(seen["errors.documented-outcome"]).toBe(verdict);
});

test.each([
  ["another code", { owner: wallet }, "unavailable"],
  ["a request that is not documented", { owner: 5 }, "internal"],
])("%s says nothing about it", (_, body, code) => {
  expect(verdicts((every) => every.judge(failed("GetPortfolio", body, code)))).not.toHaveProperty([
    "errors.documented-outcome",
  ]);
});

test.each([
  [0, "pass"],
  [1, "fail"],
  [0x40, "fail"],
])("a frame with the flags %i: %s", (flags, verdict) => {
  const frame = { at: 1, flags, data: "{}" };
  const problem = flags === 1 ? { kind: "compressed" as const, frame: 0, message: "compressed" } : undefined;
  const answer = {
    endpoint: "GetOpenPositionsStreaming",
    request: { address: wallet },
    exchange: { ...exchangeOf(""), frames: [frame] },
    outcome: { kind: "success", body: { messages: [], ...(problem && { problem }) } },
  } as unknown as StreamAnswer;
  expect(verdicts((every) => every.judgeStream(answer))).toMatchObject({ "events.envelope": verdict });
});
