import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import type { Verdict } from "../engine/result.js";
import { hostileText } from "../report/run.fixture.js";
import { ruleById } from "../specification/catalogue/index.js";
import { badge } from "./badge.js";
import { ADVISORY, fullRun, implementation, MANDATORY, OPTIONAL, requirements } from "./certifiable.fixture.js";
import { xml } from "./escape.js";
import { statementPage } from "./page.js";
import { makeStatement } from "./statement.js";

function stateOf(verdicts: Record<string, Verdict> = {}, identity: Record<string, string> = implementation) {
  const results = fullRun(verdicts, { target: { baseUrl: "http://127.0.0.1:8080", implementation: identity } });
  return makeStatement({ results, resultsDigest: "a".repeat(64), requirements });
}

describe("the badge of a statement", () => {
  test.each<[Record<string, Verdict>, string]>([
    [{}, "conformant"],
    [{ [ADVISORY]: "warn" }, "conformant, with warnings"],
    [{ [MANDATORY]: "fail" }, "not conformant"],
  ])("on a run with %j is well-formed SVG that says %s", (verdicts, words) => {
    const svg = badge(stateOf(verdicts));
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(new XMLParser().parse(svg).svg.title).toBe(`perpetuals read API ${requirements.version}: ${words}`);
  });
});

describe("the page of a statement", () => {
  const signature = { file: "statement.json", keyId: "f".repeat(64) };

  test("lists what was not exercised, where there is something", () => {
    expect(statementPage(stateOf({ [OPTIONAL]: "notApplicable" }), signature)).toMatch(
      new RegExp(`Not exercised[^<]*\\(1\\)</b></summary><ul><li><code>${OPTIONAL}</code>`),
    );
    expect(statementPage(stateOf(), signature)).not.toContain("Not exercised");
  });

  test("says who was tested, what it came to, and how to verify and repeat it", () => {
    const statement = stateOf({ [MANDATORY]: "fail" });
    const page = statementPage(statement, signature);
    for (const part of [
      "<h1>Acme &#60;Exchange&#62; 2.1: not conformant</h1>",
      "Acme &#38; Sons",
      "Failed rules (1)",
      `<code>${MANDATORY}</code> ${xml(ruleById(MANDATORY).statement)}`,
      "perp-conformance verify statement.json --key PUBLIC-KEY",
      statement.predicate.perpConformance.reproduce,
      signature.keyId,
    ]) {
      expect(page).toContain(part);
    }
    expect(statementPage(statement, { file: "s.json" })).toContain("not signed");
  });

  test("loads nothing, and shows a hostile identity as it is", () => {
    const hostile = { name: hostileText, version: hostileText, url: "javascript:alert(1)", contact: '"><img src=x>' };
    const page = statementPage(stateOf({}, hostile), signature);
    expect(page).not.toMatch(/<(script|img|link|iframe|a)\b/i);
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(page).not.toMatch(/<[^>]*\b(src|href)=/);
  });
});
