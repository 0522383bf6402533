import { describe, expect, test } from "vitest";
import type { CheckResult } from "../engine/result.js";
import type { Results } from "../report/results.js";
import { checkResult, factsOf, findingOf, resultsOf, ruleOf } from "../report/run.fixture.js";
import { inShard } from "../specification/shard.js";
import { mergeShards } from "./merge.js";

const rules = ["a.one", "a.two", "a.three", "a.four", "wire.all"].map((id) => ruleOf(id));
const { catalogue, rulings, checks } = factsOf({ catalogue: rules });
const known = { catalogue, rulings, checks };

function everyAnswer(verdict: "pass" | "fail", exchange: string): CheckResult {
  const place = { exchange, path: "positions[0].owner", expected: "a", seen: "b" };
  const violation = findingOf({ count: 1, places: [place] });
  return checkResult("wire.all", verdict, {
    name: "wire.all on every answer of GetAllPositions",
    exchanges: verdict === "fail" ? [exchange] : [],
    violations: verdict === "fail" ? [violation] : [],
  });
}

/** A run, or a shard of it, on which `a.two` is violated. */
function runOf(
  shard: Results["selection"]["shard"],
  change: Partial<Results> = {},
  extra: CheckResult[] = [],
): Results {
  const made = rules
    .filter(({ id }) => inShard(id, shard))
    .map(({ id }) => checkResult(id, id === "a.two" ? "fail" : "pass"));
  const second = shard?.index ?? 0;
  return {
    ...resultsOf({
      catalogue,
      results: [...made, ...extra],
      seed: 1,
      selection: { rules: [], suites: [], ...(shard && { shard }) },
      startedAt: `2026-11-20T10:00:0${second}Z`,
      finishedAt: `2026-11-20T10:00:1${second}Z`,
      requests: { count: 5, streams: 1, bytesReceived: 10 },
    }),
    ...change,
  };
}

function shardsOf(count: number): Results[] {
  return Array.from({ length: count }, (_, index) => runOf({ index: index + 1, count }));
}

test.each([1, 2, 3, 5])("%i shards merged say of each rule what the whole run says", (count) => {
  const merged = mergeShards(shardsOf(count).reverse(), known);
  const whole = runOf(undefined);
  const said = ({ rules, summary }: Results) => [
    { ...summary, operations: summary.operations.map(({ name, worked }) => [name, worked]) },
    rules.map(({ id, verdict, reason }) => [id, verdict, reason]),
  ];
  expect(said(merged)).toEqual(said(whole));
  expect(merged).toMatchObject({
    selection: { rules: [], suites: [] },
    startedAt: "2026-11-20T10:00:01Z",
    durationMs: 10_000 + 1000 * (count - 1),
    requests: { count: 5 * count, streams: count, bytesReceived: 10 * count },
  });
});

test("what was judged on every answer is one result, a violation of one shard counts, and its record is told", () => {
  const shards = [
    runOf({ index: 1, count: 2 }, {}, [everyAnswer("pass", "discovery#1")]),
    runOf({ index: 2, count: 2 }, {}, [everyAnswer("fail", "discovery#2")]),
  ];
  const rule = mergeShards(shards, known).rules.find(({ id }) => id === "wire.all");
  expect(rule?.verdict).toBe("fail");
  const checks = rule?.checks.filter(({ name }) => name.includes("every answer")) ?? [];
  expect(checks).toHaveLength(1);
  expect(checks[0]).toMatchObject({ assertions: 6, exchanges: ["shards/2: discovery#2"] });
  expect(checks[0]?.violations?.[0]).toMatchObject({ exchange: "shards/2: discovery#2" });
});

test("user rules are merged along, and stay apart", () => {
  const own = checkResult("x-acme.few", "fail", { own: ruleOf("x-acme.few") });
  const merged = mergeShards([runOf({ index: 1, count: 1 }, {}, [own])], known);
  expect(merged.rules.at(-1)).toMatchObject({ id: "x-acme.few", own: true, verdict: "fail" });
  expect(merged.summary.own).toMatchObject({ fail: 1 });
});

test("an interrupted shard, and problems of one, are those of the run", () => {
  const [one, two] = shardsOf(2) as [Results, Results];
  const merged = mergeShards([one, { ...two, incomplete: true, problems: ["it broke"] }], known);
  expect(merged).toMatchObject({ incomplete: true, problems: ["shard 2: it broke"], summary: { conformant: false } });
});

describe("what are not all the shards of one run are refused:", () => {
  const [one, two] = shardsOf(2) as [Results, Results];
  test.each<[string, Results[], string]>([
    ["a whole run", [runOf(undefined)], "whole run"],
    ["a shard too few", [two], "none with the number 1"],
    ["a shard twice", [one, one], "shard 1 of 2 was given twice"],
    ["another number of shards", [one, runOf({ index: 3, count: 3 })], "one is of 2, another of 3"],
    ["another seed", [one, { ...two, seed: 2 }], "the seed differs (1, 2)"],
    ["another target", [one, { ...two, target: { baseUrl: "http://y" } }], "the target differs"],
    [
      "another selection",
      [one, { ...two, selection: { ...two.selection, rules: ["a.one"] } }],
      "the selection differs",
    ],
  ])("%s", (_, shards, message) => {
    expect(() => mergeShards(shards, known)).toThrow(message);
  });
});
