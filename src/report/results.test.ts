import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Verdict } from "../engine/result.js";
import { endingOf, exitCode } from "./exit-code.js";
import { checkEntriesOf, reportedVerdicts, rulesWith } from "./results.js";
import { ruleVerdict } from "./rule-verdict.js";
import { checkResult, findingOf, hostileText, resultsFinding, resultsOf, resultsWith, ruleOf } from "./run.fixture.js";
import { schemaErrors } from "./schema.fixture.js";

const someVerdict = fc.constantFrom(...reportedVerdicts);
const ranVerdict = fc.constantFrom(...reportedVerdicts.filter((verdict) => verdict !== "notRun"));

describe("the verdict of a rule", () => {
  test.each<[Verdict[], Verdict]>([
    [[], "notRun"],
    [["pass", "pass"], "pass"],
    [["pass", "fail", "error"], "fail"],
    [["pass", "error", "warn"], "error"],
    [["pass", "fail", "warn"], "fail"],
    [["pass", "warn", "inconclusive"], "warn"],
    [["inconclusive", "inconclusive"], "inconclusive"],
    [["inconclusive", "unimplemented"], "inconclusive"],
    [["blocked", "inconclusive"], "inconclusive"],
    [["blocked", "unimplemented"], "blocked"],
    [["blocked", "notApplicable"], "blocked"],
    [["notApplicable", "pass"], "pass"],
    [["notApplicable", "notApplicable"], "notApplicable"],
    [["unimplemented", "unimplemented"], "unimplemented"],
    [["unimplemented", "notRun"], "unimplemented"],
    [["observed", "observed"], "observed"],
  ])("of checks that end in %j is %s", (checks, expected) => {
    expect(ruleVerdict(checks.map((verdict) => ({ verdict })))).toEqual({ verdict: expected });
  });

  test("is not applicable only where every operation of the rule was looked at", () => {
    const looked = (["GetOrders", "GetPortfolio"] as const).map((endpoint) => ({
      endpoint,
      verdict: "notApplicable" as const,
    }));
    expect(ruleVerdict(looked, ["GetOrders", "GetPortfolio"])).toEqual({ verdict: "notApplicable" });
    expect(ruleVerdict(looked, ["GetOrders", "GetPortfolio", "GetAllOrders"])).toEqual({
      verdict: "inconclusive",
      note: "not found; GetAllOrders could not be looked at",
    });
  });

  test("is a pass with a note when one check saw nothing to judge", () => {
    const checks = (["inconclusive", "pass", "unimplemented", "blocked", "inconclusive"] as const).map((verdict) => ({
      verdict,
    }));
    expect(ruleVerdict(checks)).toEqual({
      verdict: "pass",
      note: "2 inconclusive, 1 blocked, 1 unimplemented of 5 checks",
    });
  });

  test("does not depend on the order of its checks, and is the verdict of one of them", () => {
    fc.assert(
      fc.property(fc.array(someVerdict, { minLength: 1 }), (verdicts) => {
        const checks = verdicts.map((verdict) => ({ verdict }));
        const { verdict } = ruleVerdict(checks);
        expect(verdicts).toContain(verdict);
        expect(ruleVerdict(checks.toReversed()).verdict).toBe(verdict);
      }),
    );
  });
});

describe("the results of a run", () => {
  test("have a verdict for every rule, with the reason where it did not run", () => {
    const verdicts = resultsOf().rules.map(({ id, verdict, reason }) => [id, verdict, reason]);
    expect(verdicts).toEqual([
      ["sample.pass", "pass", undefined],
      ["sample.fail", "fail", undefined],
      ["sample.warn", "warn", undefined],
      ["sample.inconclusive", "inconclusive", undefined],
      ["sample.unimplemented", "unimplemented", undefined],
      ["sample.observed", "observed", undefined],
      ["sample.error", "error", undefined],
      ["sample.full-only", "notRun", "only in the full profile"],
      ["sample.unobservable", "notRun", "unobservable: it happens on chain"],
    ]);
  });

  test("count what the rules came to", () => {
    const { verdicts, conclusiveness } = resultsOf().summary;
    expect(verdicts).toEqual({
      pass: 1,
      fail: 1,
      warn: 1,
      inconclusive: 1,
      blocked: 0,
      notApplicable: 0,
      unimplemented: 1,
      observed: 1,
      notRun: 2,
      error: 1,
    });
    expect(conclusiveness).toEqual({ conclusive: 3, judged: 6 });
  });

  test("count what does not apply neither as conclusive nor as judged", () => {
    const { conclusiveness } = resultsWith(["pass", "notApplicable", "blocked", "inconclusive"]).summary;
    expect(conclusiveness).toEqual({ conclusive: 1, judged: 3 });
  });

  test("say where a violation is, and how the rule was read", () => {
    const [failed] = rulesWith(resultsOf(), "fail");
    expect(failed?.reading).toEqual([{ ruling: "R1", text: "Relative tolerance 1e-6." }]);
    expect(failed?.checks[0]?.violations?.[0]).toMatchObject({
      message: "positions[17].effectiveSize: expected 2.5 (= nominalSize), got 2.4",
      exchange: "x/1",
      path: "positions[17].effectiveSize",
      count: 2,
    });
  });

  test("tell what was not selected from what the run did not get to", () => {
    const selection = { rules: [], suites: ["§4.2"] };
    const results = resultsOf({ selection, results: [], interrupted: true });
    const reason = (id: string) => results.rules.find((rule) => rule.id === id)?.reason;
    expect(reason("sample.pass")).toBe("not selected");
    expect(reason("sample.inconclusive")).toBe("the run ended before");
    expect(reason("sample.unobservable")).toBe("unobservable: it happens on chain");
    expect(results).toMatchObject({ incomplete: true, summary: { conformant: false } });
  });

  test("leave out what was judged along with a selection, and not asked for", () => {
    const results = resultsOf({ selection: { rules: ["sample.pass"], suites: [] } });
    expect(results.summary.verdicts).toMatchObject({ pass: 1, fail: 0, error: 0, notRun: 8 });
    expect(resultsOf({ selection: { rules: [], suites: ["§4.2"] } }).summary.verdicts).toMatchObject({
      inconclusive: 1,
      unimplemented: 1,
      notRun: 7,
    });
  });

  test("list checks in the order of the specification, whatever the order of arrival", () => {
    const early = checkResult("sample.pass", "pass", { endpoint: "GetAllPositions", name: "b" });
    const earliest = checkResult("sample.pass", "pass", { endpoint: "GetAllPositions", name: "a" });
    const late = checkResult("sample.pass", "pass", { endpoint: "GetMarketIdByName", name: "a" });
    const results = resultsOf({ results: [late, early, earliest] });
    const checks = [...checkEntriesOf(results)].map(({ check }) => [check.endpoint, check.name]);
    expect(checks).toEqual([
      ["GetAllPositions", "a"],
      ["GetAllPositions", "b"],
      ["GetMarketIdByName", "a"],
    ]);
  });

  test("show as problems what the harness lost or cannot place", () => {
    const results = resultsWith(["pass"], { results: [checkResult("sample.no-such-rule", "pass")] });
    expect(results.problems).toEqual([
      "a check reported on sample.no-such-rule, which is not in the catalogue",
      "the checks of sample.rule-0 gave no result",
    ]);
    expect(exitCode(results)).toBe(3);
  });

  test("are conformant only when something was concluded, nothing failed and nothing broke", () => {
    fc.assert(
      fc.property(fc.array(ranVerdict, { maxLength: 12 }), fc.boolean(), (verdicts, strict) => {
        const { summary } = resultsWith(verdicts, { strict });
        const spoiled = verdicts.some(
          (verdict) => verdict === "fail" || verdict === "error" || (strict && verdict === "warn"),
        );
        const concluded = verdicts.some((verdict) => verdict === "pass" || verdict === "warn");
        expect(summary.conformant).toBe(!spoiled && concluded);
      }),
    );
  });

  test("satisfy their schema, whatever the verdicts and the texts", () => {
    const hostile = findingOf({ message: hostileText, request: hostileText, curl: hostileText });
    const runs = [
      resultsOf({ results: [checkResult("sample.fail", "fail", { violations: [hostile] })], interrupted: true }),
      resultsOf({ problems: ["a suite file crashed"], subjects: { markets: [] } }),
      resultsWith([]),
      resultsWith(["pass", "observed"]),
    ];
    for (const results of runs) expect(schemaErrors("results", JSON.parse(JSON.stringify(results)))).toBeNull();
  });

  test("break their schema when a verdict has no evidence", () => {
    const bluff = resultsWith(["pass"], { results: [checkResult("sample.rule-0", "pass", { assertions: 0 })] });
    const bare = resultsFinding();
    for (const results of [bluff, bare]) expect(schemaErrors("results", results)).not.toBeNull();
  });
});

describe("the exit code", () => {
  test.each<[string, Verdict[], number]>([
    ["passes", ["pass", "observed", "inconclusive"], 0],
    ["only warns", ["pass", "warn"], 0],
    ["has a violation", ["pass", "fail"], 1],
    ["has a violation and an error", ["error", "fail"], 1],
    ["has an error", ["pass", "error"], 3],
    ["concludes nothing", ["inconclusive", "observed", "unimplemented"], 4],
    ["judges nothing", [], 4],
  ])("of a run that %s (%j) is %i", (_, verdicts, code) => {
    expect(exitCode(resultsWith(verdicts))).toBe(code);
  });

  test("is 1 for a warning under --strict, also when the harness broke besides", () => {
    expect(exitCode(resultsWith(["pass", "warn"], { strict: true }))).toBe(1);
    expect(exitCode(resultsWith(["pass", "warn", "error"], { strict: true }))).toBe(1);
  });

  test("is 3 when a suite crashed, unless a rule failed", () => {
    expect(exitCode(resultsWith(["pass"], { problems: ["crash"] }))).toBe(3);
    expect(exitCode(resultsWith(["pass", "fail"], { problems: ["crash"] }))).toBe(1);
  });

  test("is 4 when fewer rules are conclusive than asked for", () => {
    const half = (requireConclusive: number) =>
      resultsWith(["pass", "warn", "inconclusive", "blocked"], { requireConclusive });
    expect(exitCode(half(50))).toBe(0);
    expect(endingOf(half(51))).toEqual({ code: 4, why: ["2 of 4 rules conclusive (50 %), 51 % required"] });
  });

  test("is 130 when the run was interrupted", () => {
    expect(exitCode(resultsWith(["pass"], { interrupted: true }))).toBe(130);
  });

  test("is 0 exactly when the target is conformant, as far as nothing more is asked", () => {
    fc.assert(
      fc.property(fc.array(ranVerdict, { maxLength: 12 }), fc.boolean(), fc.boolean(), (verdicts, strict, broken) => {
        const results = resultsWith(verdicts, { strict, problems: broken ? ["crash"] : [] });
        expect(exitCode(results) === 0).toBe(results.summary.conformant);
      }),
    );
  });

  test("counts what an interruption cut off as a lack of evidence, but not what was left out on purpose", () => {
    const rules = [ruleOf("sample.rule-0"), ruleOf("sample.rule-1")];
    const run = { catalogue: rules, results: [checkResult("sample.rule-0", "pass")] };
    const cut = resultsOf({ ...run, interrupted: true });
    const narrowed = resultsOf({ ...run, selection: { rules: ["sample.rule-0"], suites: [] } });
    expect(cut.summary.conclusiveness).toEqual({ conclusive: 1, judged: 2 });
    expect(narrowed.summary.conclusiveness).toEqual({ conclusive: 1, judged: 1 });
  });
});
