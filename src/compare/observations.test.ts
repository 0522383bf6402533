import { expect, test } from "vitest";
import type { CheckResult } from "../engine/result.js";
import { checkResult, resultsOf } from "../report/run.fixture.js";
import { compareObservations, shapeOf } from "./observations.js";

type Observations = NonNullable<CheckResult["observations"]>;

function rowsOf(...runs: readonly Observations[]) {
  return compareObservations(
    runs.map((observations, at) => ({
      name: `run ${at}`,
      results: resultsOf({ results: [checkResult("sample.observed", "observed", { observations })] }),
    })),
  ).map(({ what, difference, cells }) => [what, difference, ...cells.map((cell) => cell?.seen ?? null)]);
}

test("what runs do comes before amounts, and these before times", () => {
  const one = [
    { what: "the best price", seen: "is the first of a side" },
    { what: "a limit of -1", seen: "50 rows" },
    { what: "a deadline", seen: "an end after 700 ms and 4 messages" },
    { what: "no token", seen: "a success (HTTP 200)" },
  ];
  const other = [
    { what: "no token", seen: "a success (HTTP 200)" },
    { what: "a deadline", seen: "an end after 406 ms and 3 messages" },
    { what: "a limit of -1", seen: "1 row" },
    { what: "the best price", seen: "is the last of a side" },
  ];
  expect(rowsOf(one, other)).toEqual([
    ["the best price", "kind", "is the first of a side", "is the last of a side"],
    ["a limit of -1", "amounts", "50 rows", "1 row"],
    ["a deadline", "times", "an end after 700 ms and 4 messages", "an end after 406 ms and 3 messages"],
    ["no token", "none", "a success (HTTP 200)", "a success (HTTP 200)"],
  ]);
});

test("what is about ids of the target's own is matched by the words around them", () => {
  const rows = rowsOf(
    [
      { what: "market 1", seen: '{"marketId":"1"}' },
      { what: "limit 5", seen: "a success" },
    ],
    [
      { what: "market 77", seen: '{"marketId":"77"}' },
      { what: "limit 5", seen: "the error internal" },
    ],
  );
  expect(rows).toEqual([
    ["limit 5", "kind", "a success", "the error internal"],
    ["market 1", "amounts", '{"marketId":"1"}', '{"marketId":"77"}'],
  ]);
});

test("what only one run has observed is said as such", () => {
  expect(rowsOf([{ what: "a blank", seen: "a success" }], [])).toEqual([["a blank", "amounts", "a success", null]]);
});

test("HTTP statuses and codes are what a server does, texts are not", () => {
  expect(shapeOf('the error not_found: "no market" (120 characters) (HTTP 404)')).toBe(
    'the error not_found: "" (HTTP 404)',
  );
  expect(shapeOf("0.38 and 0xAbc0 of 1e20")).toBe("# and # of #");
});
