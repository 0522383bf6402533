import { describe, expect, test } from "vitest";
import type { Verdict } from "../engine/result.js";
import { exitCode, exitCodes, worstExitCode } from "./exit-code.js";
import { notRunReasons, type Results } from "./results.js";
import { checkResult, resultsOf, resultsWith, ruleOf } from "./run.fixture.js";

/** A run whose own rule, mandatory or advisory, got a verdict in addition to these of the specification's rules. */
function withOwn(verdict: Verdict, others: readonly Verdict[], change: Partial<Results> = {}): Results {
  const own = ruleOf("x-acme.own", verdict === "warn" ? "advisory" : "mandatory");
  const ids = others.map((_, index) => `sample.rule-${index}`);
  return {
    ...resultsWith(others, {
      strict: change.strict ?? false,
      results: [
        ...ids.map((id, index) => checkResult(id, others[index] ?? "pass")),
        checkResult(own.id, verdict, { own, message: "why" }),
      ],
    }),
    ...change,
  };
}

describe("rules of one's own", () => {
  test.each<[own: Verdict, others: Verdict[], code: number]>([
    ["fail", ["pass"], exitCodes.notConformant],
    ["error", ["pass"], exitCodes.broken],
    ["warn", ["pass"], exitCodes.conformant],
    ["inconclusive", ["pass"], exitCodes.conformant],
    ["pass", ["fail"], exitCodes.notConformant],
    ["pass", ["inconclusive"], exitCodes.undecided],
    ["pass", [], exitCodes.conformant],
    ["inconclusive", [], exitCodes.undecided],
  ])("%s beside %j ends with %i", (own, others, code) => {
    expect(exitCode(withOwn(own, others))).toBe(code);
  });

  test("warn in vain unless the run is strict", () => {
    expect(exitCode(withOwn("warn", ["pass"], { strict: true }))).toBe(exitCodes.notConformant);
  });

  test("stand after the specification's, marked and counted apart, and conformance does not depend on them", () => {
    const { summary, rules, problems } = withOwn("fail", ["pass", "pass"]);
    expect(summary).toMatchObject({ conformant: true, verdicts: { pass: 2, fail: 0 }, own: { fail: 1, pass: 0 } });
    expect(summary.conclusiveness).toEqual({ conclusive: 2, judged: 2 });
    expect(rules.map(({ id, own }) => [id, own])).toEqual([
      ["sample.rule-0", undefined],
      ["sample.rule-1", undefined],
      ["x-acme.own", true],
    ]);
    expect(problems).toEqual([]);
  });
});

test("of several runs the most severe exit code counts", () => {
  expect(worstExitCode([0, 4, 3, 1])).toBe(1);
  expect(worstExitCode([4, 3, 0])).toBe(3);
  expect(worstExitCode([0, 4])).toBe(4);
  expect(worstExitCode([1, 130])).toBe(130);
  expect(worstExitCode([0, 0])).toBe(0);
});

test("what another shard has is no lack of evidence", () => {
  // The shard of each rule follows from its id: this one has some of them.
  const { rules, summary } = resultsOf({
    results: [],
    selection: { rules: [], suites: [], shard: { index: 1, count: 2 } },
  });
  const judgedSomewhere = rules.filter(
    ({ level, reason }) => /mandatory|advisory/.test(level) && reason !== notRunReasons.fullProfile,
  );
  const elsewhere = judgedSomewhere.filter(({ reason }) => reason === notRunReasons.otherShard);
  expect(elsewhere.length).toBeGreaterThan(0);
  expect(summary.conclusiveness).toEqual({ conclusive: 0, judged: judgedSomewhere.length - elsewhere.length });
});
