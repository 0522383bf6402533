import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { toJunit } from "./junit.js";
import type { Results } from "./results.js";
import { anyText, blockedBy, checkResult, findingOf, hostileText, resultsOf, resultsWith } from "./run.fixture.js";

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  isArray: (name) => ["testsuite", "testcase", "property"].includes(name),
});

interface Parsed {
  readonly "@name": string;
  readonly testcase?: readonly (Record<string, unknown> & { "@name": string; "@classname": string })[];
}

function parse(results: Results) {
  const xml = toJunit(results);
  expect(XMLValidator.validate(xml)).toBe(true);
  const { testsuites } = parser.parse(xml) as { testsuites: Record<string, string> & { testsuite: Parsed[] } };
  const cases = testsuites.testsuite.flatMap((suite) => suite.testcase ?? []);
  return { xml, testsuites, cases, caseOf: (rule: string) => cases.find((each) => each["@classname"] === rule) };
}

describe("the JUnit file of a run", () => {
  test("has a suite per section and counts its cases", () => {
    const { testsuites } = parse(resultsOf());
    expect(testsuites.testsuite.map((suite) => suite["@name"])).toEqual([
      "§4.1 GetAllPositions",
      "§4.2 GetOpenPositionsStreaming",
      "§4.6 GetOrderBook",
      "§6 Events",
    ]);
    expect(testsuites).toMatchObject({
      "@tests": "9",
      "@failures": "1",
      "@errors": "1",
      "@skipped": "4",
      "@time": "6.000",
    });
  });

  test("says what blocks a check, and which rules may fail for one cause", () => {
    const results = [
      checkResult("sample.rule-0", "fail"),
      checkResult("sample.rule-1", "blocked", blockedBy("GetOrderBook")),
      checkResult("sample.rule-2", "fail"),
    ];
    const { caseOf } = parse(resultsWith(["fail", "blocked", "fail"], { results }));
    expect(caseOf("sample.rule-1")?.skipped).toEqual({ "@message": "blocked: GetOrderBook answers HTTP 404" });
    expect(caseOf("sample.rule-0")?.failure).toMatchObject({
      "#text": expect.stringContaining(
        "\n\n1 other rule may fail for the same cause, at positions[*].effectiveSize of GetAllPositions: sample.rule-2\n\n",
      ),
    });
  });

  test("says why a check failed, broke or was skipped", () => {
    const { caseOf } = parse(resultsOf());
    expect(caseOf("sample.fail")?.failure).toMatchObject({
      "@message": "positions[17].effectiveSize: expected 2.5 (= nominalSize), got 2.4",
      "@type": "mandatory",
      "#text": expect.stringContaining(
        "run again: perp-conformance run --base-url http://127.0.0.1:8080 --seed 7 --rule sample.fail",
      ),
    });
    expect(caseOf("sample.error")?.error).toMatchObject({ "@message": "the check itself threw TypeError" });
    expect(caseOf("sample.inconclusive")?.skipped).toEqual({
      "@message": "inconclusive: no closed position was seen; one would settle it",
    });
    expect(caseOf("sample.full-only")?.skipped).toEqual({ "@message": "not run: only in the full profile" });
    expect(caseOf("sample.unobservable")?.skipped).toEqual({
      "@message": "not run: unobservable: it happens on chain",
    });
    expect(caseOf("sample.observed")?.["system-out"]).toBe("order of ties: by id");
  });

  test("takes a warning as a failure only in a strict run", () => {
    expect(parse(resultsOf()).caseOf("sample.warn")).not.toHaveProperty("failure");
    expect(parse(resultsOf()).caseOf("sample.warn")?.["system-out"]).toContain("advisory:");
    expect(parse(resultsOf({ strict: true })).caseOf("sample.warn")).toHaveProperty("failure");
  });

  test("shows problems of the harness as errors", () => {
    const { testsuites, caseOf } = parse(
      resultsWith(["pass"], { problems: ["§4.1 could not be loaded\n  at line 3"] }),
    );
    expect(testsuites["@errors"]).toBe("1");
    expect(caseOf("harness")?.error).toMatchObject({ "@message": "§4.1 could not be loaded\\n  at line 3" });
  });

  test("carries any text of a target unharmed and harmless", () => {
    const run = (text: string) =>
      resultsWith(["fail", "error", "inconclusive", "observed"], {
        results: [
          checkResult("sample.rule-0", "fail", { name: text, violations: [findingOf({ message: text, curl: text })] }),
          checkResult("sample.rule-1", "error", { message: text }),
          checkResult("sample.rule-2", "inconclusive", { message: text }),
          checkResult("sample.rule-3", "observed", { observations: [{ what: "seen", seen: text }] }),
        ],
      });
    fc.assert(
      fc.property(anyText, (text) => {
        const { xml, cases } = parse(run(hostileText + text));
        expect(cases).toHaveLength(4);
        expect(xml).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cs}\ufffe\uffff]/u);
      }),
    );
  });
});
