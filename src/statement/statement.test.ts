import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Verdict } from "../engine/result.js";
import { checkResult, ruleOf } from "../report/run.fixture.js";
import { schemaErrors } from "../report/schema.fixture.js";
import { catalogue } from "../specification/catalogue/index.js";
import { packageRoot } from "../specification/package-root.js";
import { ADVISORY, fullRun, implementation, MANDATORY, OPTIONAL, requirements } from "./certifiable.fixture.js";
import { openRules, refusalReasons } from "./refusals.js";
import { makeStatement, statementSchema, subjectOf } from "./statement.js";

const resultsDigest = "a".repeat(64);

function stateOf(results = fullRun()) {
  return makeStatement({ results, resultsDigest, requirements });
}

describe("a statement", () => {
  test("has the published JSON Schema, and is valid by it", () => {
    const schema = JSON.parse(readFileSync(join(packageRoot, "schemas/statement.schema.json"), "utf8"));
    const { $schema, $id, title, description, ...published } = schema;
    const { $schema: dialect, ...applied } = z.toJSONSchema(statementSchema);
    expect(published).toEqual(applied);
    expect({ $schema, $id }).toEqual({ $schema: dialect, $id: "urn:perp-conformance:statement" });
    expect([title, description]).toEqual([expect.any(String), expect.any(String)]);
    expect(schemaErrors("statement", stateOf())).toBeNull();
    expect(schemaErrors("statement", { ...stateOf(), predicate: {} })).not.toBeNull();
  });

  test("is an in-toto test result on the implementation", () => {
    const { _type, subject, predicateType, predicate } = stateOf();
    expect(_type).toBe("https://in-toto.io/Statement/v1");
    expect(predicateType).toBe("https://in-toto.io/attestation/test-result/v0.1");
    expect(subject).toEqual([
      { name: "Acme <Exchange> 2.1", digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
    expect(predicate).toMatchObject({ result: "PASSED", warnedTests: [], failedTests: [] });
    expect(predicate.passedTests).toEqual(expect.arrayContaining([...requirements.mandatory]));
    expect(predicate.perpConformance).toMatchObject({
      implementation,
      profile: "full",
      seed: 7,
      requirements: { version: requirements.version, mandatory: requirements.mandatory.length },
      counts: { pass: predicate.passedTests.length, fail: 0 },
      results: { digest: { sha256: resultsDigest } },
      reproduce: expect.stringContaining("--seed 7"),
    });
  });

  test.each<[Record<string, Verdict>, boolean, string]>([
    [{}, true, "PASSED"],
    [{ [ADVISORY]: "warn" }, false, "WARNED"],
    [{ [ADVISORY]: "warn" }, true, "FAILED"],
    [{ [MANDATORY]: "fail", [ADVISORY]: "warn" }, false, "FAILED"],
  ])("on a run with %j, strict: %j, says %s", (verdicts, strict, result) => {
    const { predicate } = stateOf(fullRun(verdicts, { strict }));
    expect(predicate.result).toBe(result);
    const listed = [...predicate.warnedTests, ...predicate.failedTests];
    expect(listed.sort()).toEqual(Object.keys(verdicts).sort());
  });

  test("says nothing of rules outside the catalogue, and knows no baseline", () => {
    const stranger = { ...ruleOf("x-acme.own"), own: true };
    const whole = fullRun({ [MANDATORY]: "fail" });
    const own = fullRun({}, { catalogue: [...catalogue, stranger], results: [checkResult("x-acme.own", "fail")] });
    const baseline = { file: "f", green: true, entries: [], unlisted: [] };
    const results = {
      ...whole,
      baseline,
      rules: [...whole.rules, ...own.rules.filter(({ id }) => id === "x-acme.own")],
    };
    expect(stateOf(results)).toEqual(stateOf(whole));
    expect(stateOf(results).predicate.failedTests).toEqual([MANDATORY]);
  });

  test("names its subject by the identity, in whatever order that is written", () => {
    const { name, version, ...rest } = implementation;
    expect(subjectOf({ ...rest, version, name })).toEqual(subjectOf(implementation));
    expect(subjectOf({ ...implementation, vendor: "Acme" }).digest).not.toEqual(subjectOf(implementation).digest);
  });
});

describe("a statement can be made", () => {
  test("on a full run in which every mandatory rule came to a conclusion, also when one failed", () => {
    expect(refusalReasons(fullRun(), requirements)).toEqual([]);
    expect(refusalReasons(fullRun({ [MANDATORY]: "fail" }), requirements)).toEqual([]);
    expect(refusalReasons(fullRun({ [ADVISORY]: "inconclusive" }), requirements)).toEqual([]);
  });

  test("on one in which what some rules speak of is absent: they are listed as not exercised", () => {
    const results = fullRun({ [OPTIONAL]: "notApplicable" });
    expect(refusalReasons(results, requirements)).toEqual([]);
    const { predicate } = stateOf(results);
    expect(predicate).toMatchObject({ result: "PASSED", perpConformance: { notExercised: [OPTIONAL] } });
    expect(predicate.passedTests).not.toContain(OPTIONAL);
    const evaded = fullRun({ [MANDATORY]: "notApplicable" });
    expect(refusalReasons(evaded, requirements)).toEqual([
      expect.stringContaining(`${MANDATORY} came to no conclusion`),
    ]);
  });

  test("not on one with open rules: each is named with the data that would settle it, where it is for data", () => {
    const verdicts = { "get-orders.all-markets": "inconclusive", [MANDATORY]: "inconclusive" } as const;
    expect(openRules(fullRun(verdicts), requirements)).toEqual([
      { id: MANDATORY, verdict: "inconclusive", reason: expect.any(String), configuration: [] },
      {
        id: "get-orders.all-markets",
        verdict: "inconclusive",
        reason: expect.any(String),
        settledBy: "a wallet with orders in two markets",
        configuration: ["subjects.wallets"],
      },
    ]);
    const [unimplemented] = openRules(fullRun({ "get-orders.all-markets": "unimplemented" }), requirements);
    expect(unimplemented).toMatchObject({ settledBy: "an operation that is implemented", configuration: [] });
  });

  test.each<[string, ReturnType<typeof fullRun>, RegExp]>([
    ["was made in the quick profile", fullRun({}, { profile: "quick" }), /--profile full/],
    [
      "was made on the embedded server",
      fullRun({}, { target: { baseUrl: "http://127.0.0.1:8080", implementation, embedded: true } }),
      /the harness's own reference server/,
    ],
    ["was interrupted", fullRun({}, { interrupted: true }), /interrupted/],
    ["had problems", fullRun({}, { problems: ["a worker died"] }), /a worker died/],
    ["left no evidence", { ...fullRun(), evidence: undefined as never }, /no sealed evidence/],
    ["is a shard", fullRun({}, { selection: { rules: [], suites: [], shard: { index: 1, count: 2 } } }), /is a shard/],
    ["was merged from shards", { ...fullRun(), shards: [{ index: 1 }, { index: 2 }] }, /merged from shards/],
    ["was judged by chosen readings", fullRun({}, { readings: { B4: "best-first" } as never }), /--reading/],
    [
      "was judged by another catalogue",
      fullRun({}, { specification: { name: "x", version: "1.0.0", catalogueDigest: "b".repeat(64) } }),
      /another catalogue/,
    ],
    ["does not say what was tested", fullRun({}, { target: { baseUrl: "http://x" } }), /"implementation"/],
    ["left a mandatory rule open", fullRun({ [MANDATORY]: "inconclusive" }), /limit-default .* inconclusive/],
    ["found an operation unimplemented", fullRun({ [MANDATORY]: "unimplemented" }), /limit-default .* unimplemented/],
  ])("not on a run that %s", (_, results, reason) => {
    expect(refusalReasons(results, requirements).join("\n")).toMatch(reason);
  });

  test("not on a part of a run, and every rule that is missing is named", () => {
    const selection = { rules: [MANDATORY], suites: [] };
    const why = refusalReasons(fullRun({}, { selection }), requirements);
    expect(why[0]).toMatch(/narrowed to get-all-positions\.limit-default/);
    const others = requirements.mandatory.filter((id) => id !== MANDATORY);
    expect(why.slice(1)).toEqual(others.map((id) => `${id} came to no conclusion: not run (not selected)`));
  });

  test("under the requirements of its catalogue, whatever rules were added later", () => {
    const later = { ...requirements, mandatory: requirements.mandatory.filter((id) => id !== MANDATORY) };
    expect(refusalReasons(fullRun({ [MANDATORY]: "inconclusive" }), later)).toEqual([]);
  });
});
