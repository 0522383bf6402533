import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import type { Verdict } from "../engine/result.js";
import { prose } from "../report/html.js";
import { hostileText } from "../report/run.fixture.js";
import { ruleById } from "../specification/catalogue/index.js";
import { badge } from "./badge.js";
import { ADVISORY, fullRun, implementation, MANDATORY, OPTIONAL, requirements } from "./certifiable.fixture.js";
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
    expect(new XMLParser().parse(svg).svg.title).toBe(
      `perpetuals read API, requirements ${requirements.version}: ${words}`,
    );
  });
});

describe("the page of a statement", () => {
  const signature = { file: "statement.json", keyId: "f".repeat(64) };
  const nothingOpen = { rules: [], summary: { operations: [] } };

  test("lists what was not exercised, where there is something", () => {
    expect(statementPage(stateOf({ [OPTIONAL]: "notApplicable" }), signature, nothingOpen)).toMatch(
      new RegExp(`Not exercised[^<]*\\(1\\)</b></summary><ul><li><code>${OPTIONAL}</code>`),
    );
    expect(statementPage(stateOf(), signature, nothingOpen)).not.toContain("Not exercised");
  });

  test("says who was tested, what it came to, and how to verify and repeat it", () => {
    const statement = stateOf({ [MANDATORY]: "fail" });
    const page = statementPage(statement, signature, nothingOpen);
    for (const part of [
      "<h1>Acme &#60;Exchange&#62; 2.1: not conformant</h1>",
      "Acme &#38; Sons",
      "Failed rules (1)",
      `<code>${MANDATORY}</code> ${prose(ruleById(MANDATORY).statement)}`,
      "perp-conformance verify statement.json --key PUBLIC-KEY --require-signature",
      statement.predicate.perpConformance.reproduce,
      signature.keyId,
    ]) {
      expect(page).toContain(part);
    }
    expect(statementPage(statement, { file: "s.json" }, nothingOpen)).toContain("not signed");
  });

  test("is dark on screens alone, never on paper", () => {
    const conditions = [
      ...statementPage(stateOf(), signature, nothingOpen).matchAll(/@media ?([^{]*prefers-color-scheme[^{]*)/g),
    ];
    expect(conditions.map(([, condition]) => condition)).toEqual(["screen and (prefers-color-scheme:dark)"]);
  });

  test("has on top who issued it and how to verify it, and dates as people write them", () => {
    const page = statementPage(stateOf(), signature, nothingOpen);
    const parts = ["Who issued it", "What was tested", "<h2>Rules</h2>", "Passed rules", "Repeat the run", "Digests"];
    const places = parts.map((part) => page.indexOf(part));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    const { startedAt } = stateOf().predicate.perpConformance;
    expect(page).toContain(`<time datetime="${startedAt}">`);
    expect(page).toMatch(/<time [^>]*>\d{1,2} [A-Z][a-z]+ \d{4}, \d{2}:\d{2} UTC<\/time>/);
  });

  test("says in plain sight what is not implemented and what was not settled", () => {
    const results = fullRun({ [ADVISORY]: "inconclusive" });
    const operations = [{ name: "GetPortfolio" as const, worked: false, successes: 0, declared: true as const }];
    const page = statementPage(stateOf({ [ADVISORY]: "inconclusive" }), signature, {
      rules: results.rules,
      summary: { operations },
    });
    expect(page).toMatch(/Not implemented<\/h2><ul><li><code>GetPortfolio<\/code>: declared as not implemented/);
    expect(page).toMatch(new RegExp(`Not settled[^<]*\\(1\\)</h2><ul><li><code>${ADVISORY}</code>, inconclusive`));
  });

  test("loads nothing, and shows a hostile identity as it is", () => {
    const hostile = { name: hostileText, version: hostileText, url: "javascript:alert(1)", contact: '"><img src=x>' };
    const page = statementPage(stateOf({}, hostile), signature, nothingOpen);
    expect(page).not.toMatch(/<(script|img|link|iframe|a)\b/i);
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(page).not.toMatch(/<[^>]*\b(src|href)=/);
  });
});
