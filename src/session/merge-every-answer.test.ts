import { expect, test } from "vitest";
import type { CheckResult } from "../engine/result.js";
import { checkResult, findingOf } from "../report/run.fixture.js";
import { mergeEveryAnswer } from "./merge-every-answer.js";

const violation = findingOf();
const result = (different: Partial<CheckResult>) =>
  checkResult("wire.side-values", "pass", { assertions: 2, exchanges: [], ...different });
const left = { verdict: "fail", violations: [violation], exchanges: ["a#1"] } as const;

test("parts of the same name become one result, with all that was found", () => {
  const parts = [result({ name: "x", rule: "wire.no-null", ...left }), result({ name: "x", rule: "wire.no-null" })];
  expect(mergeEveryAnswer(parts, [])).toEqual([result({ name: "x", rule: "wire.no-null", assertions: 4, ...left })]);
});

test("a side that is left out is excused when exactly one value occurs in no answer of any worker (W2)", () => {
  const absent = result({ ...left, seenValues: ["SIDE_SHORT"] });
  expect(mergeEveryAnswer([absent], [])).toEqual([result({})]);
  const elsewhere = result({ name: "other", endpoint: "GetAllOrders", seenValues: ["SIDE_LONG"] });
  expect(mergeEveryAnswer([absent, elsewhere], [])).toMatchObject([{ verdict: "fail", violations: [violation] }, {}]);
  expect(mergeEveryAnswer([result({ ...left, seenValues: [] })], [])).toMatchObject([{ verdict: "fail" }]);
});

test("what discovery has seen of statuses counts as well", () => {
  const status = { rule: "states.order-status-values", name: "s" };
  const seen = ["PENDING", "PARTIALLY_FILLED", "FULLY_FILLED", "CLOSED", "CANCELLED", "MERGED", "PARTIALLY_MERGED"];
  const seenValues = seen.map((name) => `ORDER_STATUS_${name}`);
  const absent = result({ ...status, ...left, seenValues });
  expect(mergeEveryAnswer([absent], [])).toMatchObject([{ verdict: "pass" }]);
  expect(mergeEveryAnswer([absent], ["ORDER_STATUS_PARTIALLY_CANCELLED"])).toMatchObject([{ verdict: "fail" }]);
});

test("what counts only at a standstill is the latest of each worker, and nothing if the data moved", () => {
  const name = "pagination.row-count on every answer of GetAllOrders: to the same request";
  const found = (count: number, moved: boolean) =>
    result({ name, verdict: "fail", violations: [{ ...violation, count }], moved });
  expect(mergeEveryAnswer([found(1, false), found(2, false)], [])).toEqual([
    result({ name, verdict: "fail", violations: [{ ...violation, count: 2 }] }),
  ]);
  expect(mergeEveryAnswer([found(1, false), found(2, true)], [])).toEqual([]);
  expect(mergeEveryAnswer([found(1, true), found(2, false)], [])).toEqual([]);
});
