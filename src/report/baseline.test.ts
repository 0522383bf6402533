import { describe, expect, test } from "vitest";
import type { Verdict } from "../engine/result.js";
import { allureConfig } from "./allure.js";
import type { RunFacts } from "./assemble-results.js";
import {
  baselineChanges,
  baselineProblems,
  compareToBaseline,
  knownDeviation,
  recordBaseline,
  unexpectedRules,
} from "./baseline.js";
import type { BaselineEntry, EntryState } from "./baseline-report.js";
import { conclusionLine, resultsToTerminal } from "./console.js";
import { exitCode } from "./exit-code.js";
import { toJunit } from "./junit.js";
import type { Results } from "./results.js";
import { checkResult, resultsOf, resultsWith, ruleOf } from "./run.fixture.js";
import { schemaErrors } from "./schema.fixture.js";
import { resultsToMarkdown } from "./summary.js";

const RULE = "sample.rule-0";
const [VALID, LAST_DAY, OVER] = ["2026-06-30", "2026-01-02", "2026-01-01"];

function entryOf(change: Partial<BaselineEntry> = {}): BaselineEntry {
  return { rule: RULE, reason: "the ticket is in work", expires: VALID, ...change };
}

/** A run (on 2026-01-02) gated by a baseline. */
function gated(results: Results, ...entries: BaselineEntry[]): Results {
  return { ...results, baseline: compareToBaseline(results, "known.json", entries, []) };
}

function stateOf(results: Results): EntryState | undefined {
  return results.baseline?.entries[0]?.state;
}

/** A rule on two operations, with these verdicts there. */
function onTwo(first: Verdict, second: Verdict, change: Partial<RunFacts> = {}): Results {
  return resultsOf({
    catalogue: [{ ...ruleOf(RULE), endpoints: ["GetAllPositions", "GetOrders"] }],
    checks: [{ rule: RULE, endpoint: "GetAllPositions", suite: "§4.1", profile: "quick" }],
    results: [
      checkResult(RULE, first),
      checkResult(RULE, second, { endpoint: "GetOrders", name: `${RULE} on GetOrders` }),
    ],
    ...change,
  });
}

describe("a run with a baseline", () => {
  const listed = (expires: string) => [entryOf({ expires })];
  test.each<[Verdict, string, BaselineEntry[], EntryState | undefined, number]>([
    ["fail", "listed and valid", listed(VALID), "known", 0],
    ["fail", "listed and expired", listed(OVER), "expired", 1],
    ["fail", "unlisted, the file without an entry", [], undefined, 1],
    ["fail", "unlisted, the file with an expired one", [entryOf({ rule: "x.y", expires: OVER })], "unknown", 1],
    ["pass", "listed and valid", listed(VALID), "passes", 1],
    ["pass", "listed and expired", listed(OVER), "passes", 1],
    ["pass", "unlisted, the file without an entry", [], undefined, 0],
    ["pass", "unlisted, the file with an expired one", [entryOf({ rule: "x.y", expires: OVER })], "unknown", 1],
    ["fail", "listed on its last day", listed(LAST_DAY), "known", 0],
  ])("whose rule ends in %s and is %s", (verdict, _, entries, state, code) => {
    const results = gated(resultsWith([verdict]), ...entries);
    expect(stateOf(results)).toBe(state);
    expect(exitCode(results)).toBe(code);
    expect(results.baseline?.green).toBe(code === 0);
    expect(baselineProblems(results.baseline ?? never()).length > 0).toBe(code === 1);
    expect(results.summary.conformant).toBe(verdict === "pass");
  });

  test("says in one line each what to do", () => {
    const verdicts = ["fail", "fail", "fail", "pass"] as const;
    const results = gated(
      resultsWith(verdicts),
      entryOf({ issue: "https://issues.example/7" }),
      entryOf({ rule: "sample.rule-1", expires: OVER }),
      entryOf({ rule: "sample.rule-3" }),
      entryOf({ rule: "sample.rule-33" }),
      entryOf({ endpoint: "GetOrders" }),
    );
    expect(baselineProblems(results.baseline ?? never())).toEqual([
      "sample.rule-2 on GetAllPositions is violated and not listed: fix it, or add an entry",
      "sample.rule-1 is still violated, and its entry expired on 2026-01-01: fix it, or renew the entry",
      "sample.rule-3 passes now: remove its entry",
      "sample.rule-33 is not a rule (did you mean sample.rule-3?): correct the entry, or remove it",
      "sample.rule-0 on GetOrders names an operation that the rule is not about (it is about GetAllPositions): correct the entry, or remove it",
    ]);
    expect(results.baseline?.entries[0]?.message).toBe(
      "sample.rule-0 is a known deviation until 2026-06-30: the ticket is in work, https://issues.example/7",
    );
  });

  test.each(["inconclusive", "unimplemented", "error"] as const)(
    "is not red for a listed rule that is %s",
    (verdict) => {
      const results = gated(resultsWith(["pass", verdict]), entryOf({ rule: "sample.rule-1" }));
      expect(stateOf(results)).toBe("notJudged");
      expect(results.baseline?.green).toBe(true);
      expect(exitCode(results)).toBe(verdict === "error" ? 3 : 0);
    },
  );

  test("is red for an expired entry also when the run did not judge its rule", () => {
    const results = gated(resultsWith(["pass", "inconclusive"]), entryOf({ rule: "sample.rule-1", expires: OVER }));
    expect([stateOf(results), exitCode(results)]).toEqual(["expired", 1]);
  });

  test("does not call a rule passing while some of its checks were open or left out", () => {
    expect(stateOf(gated(onTwo("pass", "inconclusive"), entryOf()))).toBe("notJudged");
    const left = [{ name: `${RULE} on GetOrders: after a minute`, rule: RULE, endpoint: "GetOrders" }];
    const results = onTwo("pass", "pass");
    const states = (entry: BaselineEntry) => compareToBaseline(results, "f", [entry], left).entries[0]?.state;
    expect(states(entryOf())).toBe("notJudged");
    expect(states(entryOf({ endpoint: "GetOrders" }))).toBe("notJudged");
    expect(states(entryOf({ endpoint: "GetAllPositions" }))).toBe("passes");
  });

  test("tells checks of an operation apart", () => {
    const names = [`${RULE} on GetAllPositions`, `${RULE} on GetAllPositions: in every combination`] as const;
    const checks = names.map((name) => ({ name, rule: RULE, endpoint: "GetAllPositions" }));
    const results = resultsOf({
      catalogue: [ruleOf(RULE)],
      results: names.map((name) => checkResult(RULE, "fail", { name })),
    });
    const on = (...entries: BaselineEntry[]) => compareToBaseline(results, "f", entries, checks);
    const [first, second] = names.map((check) => entryOf({ check }));
    expect(on(first ?? never(), second ?? never())).toMatchObject({ green: true, unlisted: [] });
    expect(on(first ?? never())).toMatchObject({
      ...{ green: false, entries: [{ state: "known" }] },
      unlisted: [{ rule: RULE, endpoint: "GetAllPositions", verdict: "fail", checks: [names[1]] }],
    });
    expect(baselineProblems(on(first ?? never()))).toEqual([
      `the check "${names[1]}" is violated and not listed: fix it, or add an entry`,
    ]);
    expect(on(entryOf({ check: `${names[0]}s` })).entries[0]).toMatchObject({
      state: "unknown",
      message: `the check "${names[0]}s" is not a check of ${RULE} (did you mean ${JSON.stringify(names[0])}?): correct the entry, or remove it`,
    });
    // An entry of a check is not taken for one of its rule on the operation, which is named alike in results.
    const updated = recordBaseline(results, [first ?? never()], checks);
    expect(updated).toEqual([first, expect.objectContaining({ rule: RULE })]);
    expect(on(...updated).green).toBe(true);
    expect(baselineChanges([first ?? never()], updated, results, checks)).toEqual([
      expect.stringMatching(/^added sample\.rule-0, until /),
      "1 kept, 1 added, 0 removed",
    ]);
    const gatedByFirst = { ...results, baseline: on(first ?? never()) };
    expect(
      names.map((name) => knownDeviation(gatedByFirst, RULE, { name, endpoint: "GetAllPositions" })?.state),
    ).toEqual(["known", undefined]);
  });

  test("tells operations apart", () => {
    const onOrders = entryOf({ endpoint: "GetOrders" });
    expect(exitCode(gated(onTwo("pass", "fail"), onOrders))).toBe(0);
    const both = gated(onTwo("fail", "fail"), onOrders);
    expect(both.baseline?.unlisted).toEqual([{ rule: RULE, endpoint: "GetAllPositions", verdict: "fail" }]);
    expect(exitCode(both)).toBe(1);
    expect(unexpectedRules(both, "fail").map(({ id }) => id)).toEqual([RULE]);
    expect(exitCode(gated(onTwo("fail", "fail"), entryOf()))).toBe(0);
    expect(stateOf(gated(onTwo("fail", "pass"), onOrders))).toBe("passes");
  });

  test("may list an operation, with whatever is wrong there", () => {
    const orders = entryOf({ rule: undefined, endpoint: "GetOrders" });
    const known = gated(onTwo("pass", "fail"), orders);
    expect([stateOf(known), exitCode(known)]).toEqual(["known", 0]);
    expect(known.baseline?.entries[0]?.message).toMatch(/^GetOrders is a known deviation until /);
    expect(knownDeviation(known, RULE, { name: `${RULE} on GetOrders`, endpoint: "GetOrders" })?.state).toBe("known");
    const elsewhere = gated(onTwo("fail", "fail"), orders);
    expect(elsewhere.baseline?.unlisted).toEqual([{ rule: RULE, endpoint: "GetAllPositions", verdict: "fail" }]);
    expect(stateOf(gated(onTwo("fail", "pass"), orders))).toBe("passes");
    expect(stateOf(gated(onTwo("fail", "notApplicable"), orders))).toBe("notJudged");
    expect(stateOf(gated(onTwo("fail", "inconclusive"), orders))).toBe("notJudged");
    expect(stateOf(gated(onTwo("pass", "fail"), { ...orders, expires: OVER }))).toBe("expired");
    const misspelt = gated(onTwo("pass", "pass"), { ...orders, endpoint: "GetOrder" });
    expect(baselineProblems(misspelt.baseline ?? never())).toEqual([
      "GetOrder is not an operation (did you mean GetOrders?): correct the entry, or remove it",
    ]);
    expect(recordBaseline(onTwo("pass", "fail"), [orders], [])).toEqual([orders]);
  });

  test("counts advisory rules only when it is strict", () => {
    const advisory = entryOf({ rule: "sample.rule-1" });
    const lax = resultsWith(["pass", "warn"]);
    expect(stateOf(gated(lax, advisory))).toBe("notJudged");
    expect([exitCode(gated(lax, advisory)), exitCode(gated(lax))]).toEqual([0, 0]);
    const strict = resultsWith(["pass", "warn"], { strict: true });
    expect(stateOf(gated(strict, advisory))).toBe("known");
    expect([exitCode(gated(strict, advisory)), exitCode(gated(strict))]).toEqual([0, 1]);
    expect(unexpectedRules(gated(lax), "warn")).toHaveLength(1);
    expect(unexpectedRules(gated(strict, advisory), "warn")).toHaveLength(0);
  });

  test("leaves an entry for an own rule that this run did not make", () => {
    const results = gated(resultsWith(["pass"]), entryOf({ rule: "x-acme.orders-within-a-day" }));
    expect([stateOf(results), exitCode(results)]).toEqual(["notJudged", 0]);
  });

  test("knows the checks of an own rule by the run", () => {
    const results = resultsWith(["fail"]);
    const [rule] = results.rules;
    const own = { ...results, rules: [{ ...(rule ?? never()), id: "x-acme.rule" }] };
    const check = rule?.checks[0]?.name;
    expect(stateOf(gated(own, entryOf({ rule: "x-acme.rule", check })))).toBe("known");
    expect(stateOf(gated(own, entryOf({ rule: "x-acme.rule", check: "another" })))).toBe("unknown");
  });

  test("takes an entry for a rule that never fails for a mistake", () => {
    expect(stateOf(gated(resultsWith(["pass", "observed"]), entryOf({ rule: "sample.rule-1" })))).toBe("unknown");
  });

  test("still ends with 3 when the harness broke, with 4 without evidence, and with 130 when it was interrupted", () => {
    const stale = [checkResult(RULE, "pass"), checkResult("sample.rule-1", "fail")];
    const broken = resultsWith(["pass", "fail"], { results: stale, problems: ["a worker died"] });
    expect(exitCode(gated(broken, entryOf(), entryOf({ rule: "sample.rule-1" })))).toBe(3);
    expect(exitCode(gated(resultsWith(["inconclusive"]), entryOf()))).toBe(4);
    const known = (requireConclusive: number) =>
      exitCode(gated(resultsWith(["fail", "inconclusive"], { requireConclusive }), entryOf()));
    expect([known(50), known(51)]).toEqual([0, 4]);
    expect(exitCode(gated(resultsWith(["fail"], { interrupted: true }), entryOf()))).toBe(130);
  });
});

test("the results of a run with a baseline are valid by their schema", () => {
  const entries = [entryOf({ issue: "https://issues.example/7" }), entryOf({ rule: "x.y", endpoint: "GetOrders" })];
  const results = gated(resultsWith(["fail", "fail"]), ...entries);
  expect(schemaErrors("results", results)).toBeNull();
  const withEmptyEntry = { ...results, baseline: { ...results.baseline, entries: [{}] } };
  expect(schemaErrors("results", withEmptyEntry)).not.toBeNull();
});

describe("reports on a run with a baseline", () => {
  const known = gated(resultsWith(["pass", "fail"]), entryOf({ rule: "sample.rule-1" }));
  const red = gated(resultsWith(["pass", "fail", "fail"]), entryOf(), entryOf({ rule: "sample.rule-1" }));

  test("show a known deviation as such, and the target as not conformant", () => {
    expect(knownDeviation(known, "sample.rule-1", { name: "any", endpoint: "GetAllPositions" })?.reason).toBe(
      "the ticket is in work",
    );
    const text = resultsToTerminal(known, { color: false });
    expect(text).not.toContain("FAIL");
    expect(text).toContain("Known deviations (1)\n  sample.rule-1 is a known deviation until 2026-06-30");
    expect(conclusionLine(known, { color: false })).toMatch(
      /^NOT CONFORMANT \(1 mandatory rule failed: sample\.rule-1; the baseline holds: 1 known deviation and no other\): 1 rule passed, 1 failed;/,
    );
    expect(resultsToMarkdown(known)).toContain(
      "<summary>Known deviations</summary>\n\n- `sample.rule-1 is a known deviation",
    );
    expect(resultsToMarkdown(known)).not.toContain("## Failed rules");
    expect(toJunit(known)).toMatch(/<testsuites [^>]*failures="0"[^>]*skipped="1"/);
    expect(toJunit(known)).toContain('<skipped message="sample.rule-1 is a known deviation');
  });

  test("accept a known deviation in Allure's way, and leave others alone", () => {
    const some = gated(resultsWith(["fail", "fail"]), entryOf());
    expect(allureConfig(some, "out", "history").resolutions?.rules).toEqual([
      {
        resolution: "accepted",
        comment: expect.stringContaining("known deviation until 2026-06-30"),
        testCaseId: [`${RULE} on GetAllPositions`],
      },
    ]);
    expect(allureConfig(resultsWith(["fail"]), "out", "history").resolutions).toBeUndefined();
  });

  test("show what is wrong with it", () => {
    const text = resultsToTerminal(red, { color: false });
    expect(text).toContain("FAIL sample.rule-2 on GetAllPositions");
    expect(text).toContain(
      "The baseline does not hold (2)\n  sample.rule-2 on GetAllPositions is violated and not listed",
    );
    expect(conclusionLine(red, { color: false })).toMatch(
      /^NOT CONFORMANT, exit 1: 1 violation that the baseline does not list; 1 rule passed, /,
    );
    expect(resultsToMarkdown(red)).toContain("## The baseline does not hold");
    expect(toJunit(red)).toMatch(/<testsuites [^>]*failures="2"/);
    expect(toJunit(red)).toContain('<testcase name="sample.rule-0 passes now: remove its entry" classname="baseline"');
  });
});

describe("a baseline that is recorded", () => {
  test("is the smallest on which the run is green", () => {
    const results = resultsWith(["pass", "fail", "inconclusive", "fail"]);
    const entries = recordBaseline(results, [], []);
    const recorded = {
      reason: "recorded by --write-baseline on 2026-01-02",
      request: expect.stringMatching(/^Get\w+ \{/),
      expires: "2026-04-02",
    };
    expect(entries).toEqual([
      { rule: "sample.rule-1", ...recorded },
      { rule: "sample.rule-3", ...recorded },
    ]);
    expect(exitCode(gated(results, ...entries))).toBe(0);
  });

  test("names operations where a rule fails on some only", () => {
    expect(recordBaseline(onTwo("pass", "fail"), [], [])).toMatchObject([{ rule: RULE, endpoint: "GetOrders" }]);
    const everywhere = recordBaseline(onTwo("fail", "fail"), [], []);
    expect(everywhere).toHaveLength(1);
    expect(everywhere[0]).not.toHaveProperty("endpoint");
  });

  test("keeps what people wrote on what still fails or was not judged, renews what is over, and drops the rest", () => {
    const before = [
      entryOf({ rule: "sample.rule-0" }),
      entryOf({ rule: "sample.rule-1", issue: "https://issues.example/1" }),
      entryOf({ rule: "sample.rule-2", expires: OVER }),
      entryOf({ rule: "sample.rule-3" }),
      entryOf({ rule: "no.rule" }),
    ];
    const results = resultsWith(["pass", "fail", "fail", "inconclusive"]);
    expect(recordBaseline(results, before, [])).toEqual([
      before[1],
      { ...before[2], expires: "2026-04-02" },
      before[3],
    ]);
    const updated = recordBaseline(results, before, [], false);
    expect(updated).toEqual(before.slice(1, 4));
    expect(baselineChanges(before, updated, results, [])).toEqual([
      "removed sample.rule-0: it passes now",
      "removed no.rule: it is not a rule",
      "kept sample.rule-2, which expired on 2026-01-01: fix it, or renew the entry",
      "3 kept, 0 added, 2 removed",
    ]);
  });
});

function never(): never {
  throw new Error("the run has no baseline");
}
