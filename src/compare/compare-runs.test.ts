import { expect, test } from "vitest";
import type { Verdict } from "../engine/result.js";
import type { Results } from "../report/results.js";
import { checkResult, findingOf, resultsOf, resultsWith, ruleOf } from "../report/run.fixture.js";
import { compareRuns } from "./compare-runs.js";
import type { ComparedRun } from "./comparison.js";
import { comparisonToMarkdown } from "./markdown.js";
import { headline } from "./wording.js";

/** Runs called a, b, c, ... of rules that have these verdicts. */
function runsOf(...verdicts: readonly (readonly Verdict[])[]): ComparedRun[] {
  return named(...verdicts.map((each) => resultsWith(each)));
}

function named(...results: readonly Results[]): ComparedRun[] {
  return results.map((each, at) => ({ name: "abcdef"[at] ?? "", results: each }));
}

function groupsOf(runs: readonly ComparedRun[]) {
  return compareRuns(runs).rules.groups.map(({ difference, rules }) => [
    difference,
    rules.map(({ id }) => id.slice(-1)),
  ]);
}

test("runs that say the same differ in nothing", () => {
  const { rules, regressions, notes } = compareRuns(
    runsOf(["pass", "fail", "inconclusive"], ["pass", "fail", "inconclusive"]),
  );
  expect([rules.groups, rules.shared, rules.same, regressions, notes]).toEqual([[], 3, 3, [], []]);
});

test("each rule stands in the most severe group that it belongs to", () => {
  const before: Verdict[] = ["pass", "fail", "pass", "inconclusive", "inconclusive", "pass", "warn"];
  const after: Verdict[] = ["fail", "pass", "inconclusive", "pass", "fail", "pass", "pass"];
  expect(groupsOf(runsOf(before, after))).toEqual([
    ["newlyFailing", ["0", "4"]],
    ["newlyFixed", ["1", "6"]],
    ["noLongerConclusive", ["2"]],
    ["newlyConclusive", ["3"]],
  ]);
});

test("one run that fails is enough among several", () => {
  expect(groupsOf(runsOf(["pass", "fail"], ["pass", "pass"], ["fail", "fail"]))).toEqual([
    ["newlyFailing", ["0"]],
    ["newlyFixed", ["1"]],
  ]);
});

test("a regression is a rule that held, and is violated or lost with its operation", () => {
  const regressions = (before: Verdict, after: Verdict, strict = false) =>
    compareRuns(named(resultsWith([before, "pass"]), resultsWith([after, "pass"], { strict }))).regressions.length;
  expect(regressions("pass", "fail")).toBe(1);
  expect(regressions("inconclusive", "fail")).toBe(1);
  expect(regressions("pass", "blocked")).toBe(1);
  expect(regressions("pass", "error")).toBe(1);
  expect(regressions("pass", "inconclusive")).toBe(0);
  expect(regressions("fail", "pass")).toBe(0);
  expect(regressions("fail", "fail")).toBe(0);
  expect([regressions("pass", "warn"), regressions("pass", "warn", true)]).toEqual([0, 1]);
});

test("regressions are named in a pull request as well", () => {
  const page = comparisonToMarkdown(compareRuns(named(resultsWith(["pass", "pass"]), resultsWith(["fail", "pass"]))));
  expect(page).toMatch(/^\*\*1 regression against `\w+`\*\*: `[\w.-]+`$/m);
});

test("a rule that fails on another operation too is newly failing", () => {
  const failing = (...operations: readonly ("GetOrders" | "GetAllOrders")[]) =>
    resultsOf({
      catalogue: [ruleOf("sample.fail")],
      checks: [],
      results: operations.map((operation) =>
        checkResult("sample.fail", "fail", { endpoint: operation, violations: [findingOf({ operation })] }),
      ),
    });
  const [one, both] = [failing("GetOrders"), failing("GetOrders", "GetAllOrders")];
  expect(groupsOf(named(one, both))).toEqual([["newlyFailing", ["l"]]]);
  expect(compareRuns(named(one, both)).regressions).toEqual(["sample.fail"]);
  expect(groupsOf(named(both, one))).toEqual([["failsElsewhere", ["l"]]]);
  expect(compareRuns(named(both, one)).regressions).toEqual([]);
});

test("rules that a run was not asked to judge say nothing about its target", () => {
  const part = resultsOf({
    selection: { rules: ["sample.pass"], suites: [] },
    results: [checkResult("sample.pass", "pass")],
  });
  const comparison = compareRuns(named(resultsOf(), part));
  const { rules, notes, regressions } = comparison;
  expect(rules.groups.map(({ difference }) => difference)).toEqual(["notCompared"]);
  expect(rules.judged).toBeLessThan(rules.shared);
  expect(headline(comparison)).toMatch(/; the same verdict on each of 1 rule; \d+ judged in some of the runs only; /);
  expect(notes.join()).toContain("asked to judge different rules");
  expect(regressions).toEqual([]);
});

test("what an interrupted run did not come to is no longer conclusive", () => {
  const cut = resultsOf({ results: [], interrupted: true });
  const { rules, notes } = compareRuns(named(resultsOf(), cut));
  expect(
    rules.groups.find(({ difference }) => difference === "noLongerConclusive")?.rules.map(({ id }) => id),
  ).toContain("sample.pass");
  expect(notes).toContain("b was interrupted.");
});

test("runs of different catalogues are compared on what they share, and it is said", () => {
  const specification = { name: "perpetuals read API", version: "1.1.0", catalogueDigest: "sha256:def" };
  const newer = resultsWith(["pass", "fail", "pass"], { specification });
  const { rules, notes } = compareRuns(named(resultsWith(["pass", "pass"]), newer));
  expect([rules.shared, rules.onlyIn]).toEqual([2, [{ id: "sample.rule-2", runs: ["b"] }]]);
  expect(rules.groups.map(({ difference }) => difference)).toEqual(["newlyFailing"]);
  expect(notes.join()).toMatch(
    /different catalogues.* the 2 rules that all of them have, not the 1 rule that only some/,
  );
});

test("what limits a comparison is said: seeds, profiles, readings", () => {
  const other = resultsWith(["pass"], { seed: 8, profile: "full", strict: true, harness: { name: "h", version: "9" } });
  const notes = compareRuns(named(resultsWith(["pass"]), other)).notes.join("\n");
  for (const word of [
    "versions of the harness",
    "profiles (a: quick; b: full)",
    "seeds differ (a: 7; b: 8)",
    "Advisory rules",
  ])
    expect(notes).toContain(word);
});

test("a violated rule shows what was seen, and how to see it again", () => {
  const { rules } = compareRuns(runsOf(["pass"], ["fail"]));
  const cell = rules.groups[0]?.rules[0]?.cells[1];
  expect(cell?.violation).toMatchObject({
    expected: "2.5 (= nominalSize)",
    seen: "2.4",
    request: 'GetAllPositions {"limit":1000}',
  });
  expect(cell?.command).toMatch(/--seed 7 --rule sample\.rule-0$/);
});
