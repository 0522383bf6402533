import { describe, expect, it } from "vitest";
import type { Verdict } from "../engine/result.js";
import type { Results, RuleEntry } from "../report/results.js";
import { checkResult, findingOf, hostileText, resultsOf } from "../report/run.fixture.js";
import { schemaErrors } from "../report/schema.fixture.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { ruleById } from "../specification/catalogue/index.js";
import { type AnnotatedDocument, annotateSpecification } from "./annotation.js";
import { annotatedPage } from "./page.js";
import type { ExchangeLines, RunLinks } from "./run-files.js";
import { smallQuoteOf, smallQuotes, smallSpecification, smallStatements } from "./small-specification.fixture.js";

const noLinks: RunLinks = { file: () => undefined, check: () => undefined };

/** The results of a run in which the rules of the small specification passed, but for some. */
function resultsWith(verdicts: Partial<Record<RuleId, Verdict>>): Results {
  const ids = [...new Set(smallQuotes.flatMap(({ rules }) => rules))];
  const judged = ids.filter((id) => ruleById(id).level !== "unobservable" && verdicts[id] !== "notRun");
  return resultsOf({
    catalogue: ids.map((id) => ruleById(id)),
    checks: judged.map((rule) => ({
      rule,
      endpoint: "GetAllPositions",
      suite: ruleById(rule).section,
      profile: "quick",
    })),
    results: judged.map((id) => checkResult(id, verdicts[id] ?? "pass")),
  });
}

function annotated(source: string, results: Results): AnnotatedDocument {
  return annotateSpecification(Buffer.from(source), "bicycles.md", results, smallStatements, smallQuoteOf);
}

/** What is said of the statement that begins with some words. */
function statementOf({ annotation }: AnnotatedDocument, start: string) {
  const found = annotation.statements.filter(({ text }) => text.startsWith(start));
  expect(found, start).toHaveLength(1);
  return found[0];
}

describe("an annotation", () => {
  it("counts every statement of the document, and each is quoted", () => {
    const { annotation } = annotated(smallSpecification, resultsWith({}));
    const { statements, covered, byStatus, quotes, quotesLost, differences } = annotation.counts;
    expect({ statements, covered, quotes, quotesLost, differences }).toEqual({
      statements: 16,
      covered: 16,
      quotes: smallQuotes.length,
      quotesLost: 0,
      differences: { changed: 0, new: 0, gone: 0, moved: 0 },
    });
    expect(Object.values(byStatus).reduce((sum, count) => sum + count, 0)).toBe(statements);
    expect(byStatus).toMatchObject({ unchecked: 0, excluded: 2, fail: 0 });
  });

  it.each<[Verdict, string]>([
    ["pass", "pass"],
    ["fail", "fail"],
    ["warn", "warned"],
    ["inconclusive", "not-settled"],
    ["blocked", "not-settled"],
    ["error", "not-settled"],
    ["notApplicable", "not-exercised"],
    ["unimplemented", "not-exercised"],
    ["notRun", "not-exercised"],
  ])("marks what a rule with the verdict %s quotes as %s", (verdict, status) => {
    const found = annotated(smallSpecification, resultsWith({ "get-all-positions.limit-cap": verdict }));
    expect(statementOf(found, "Values above 300")).toMatchObject({
      status,
      rules: [{ id: "get-all-positions.limit-cap", status }],
    });
  });

  it("marks what cannot be seen, what is recorded, and what binds nobody", () => {
    const found = annotated(smallSpecification, resultsWith({ "wire.defaults-emitted": "observed" }));
    expect(statementOf(found, "Zero means unknown")?.status).toBe("observed");
    expect(statementOf(found, "Cars: not shown")).toMatchObject({ status: "excluded", rules: [] });
    expect(statementOf(found, "bicycle | string")?.quotes.map(({ status }) => status)).toEqual([
      "pass",
      "unobservable",
    ]);
  });

  it("gives a statement the most severe mark of its rules, and each quote its own", () => {
    const found = annotated(smallSpecification, resultsWith({ "get-all-positions.limit-zero": "fail" }));
    const statement = statementOf(found, "Default 20");
    expect(statement?.status).toBe("fail");
    expect(statement?.rules.map(({ id }) => id)).toEqual([
      "get-all-positions.limit-zero",
      "get-all-positions.limit-default",
    ]);
    expect(statement?.quotes.map(({ status }) => status).sort()).toEqual(["fail", "pass"]);
    expect(statementOf(annotated(smallSpecification, resultsWith({})), "bicycle | string")?.status).toBe(
      "unobservable",
    );
  });

  it("takes a rule that the run does not know for one that was not exercised", () => {
    const results = resultsWith({});
    const rules = results.rules.filter(({ id }) => id !== "get-all-positions.limit-cap");
    const found = annotated(smallSpecification, { ...results, rules });
    expect(statementOf(found, "Values above 300")?.status).toBe("not-exercised");
  });

  it("says of new text that nobody has checked it, and of changed text which rules it touches", () => {
    const source = smallSpecification
      .replace("capped to 300", "cut to 300")
      .replace("Response:", "Nothing is cached. Response:");
    const { annotation } = annotated(source, resultsWith({}));
    expect(annotation.counts).toMatchObject({ statements: 17, covered: 15, byStatus: { unchecked: 2 } });
    expect(annotation.differences).toMatchObject([
      { kind: "changed", section: "§4.1", rules: ["get-all-positions.limit-cap"] },
      { kind: "new", section: "§4.1", text: "Nothing is cached.", rules: [] },
    ]);
  });
});

it("is by its schema", () => {
  const altered = smallSpecification
    .replace(/\| gears .*\n/, "")
    .replace("Default 20", "Default 25")
    .replace("### 4.2 ", "### 4.3 ")
    .replace("- The service", "- One more is here. The service");
  for (const source of [smallSpecification, altered]) {
    const { annotation } = annotated(source, resultsWith({ "get-all-positions.limit-cap": "fail" }));
    expect(schemaErrors("annotation", JSON.parse(JSON.stringify(annotation)))).toBeNull();
  }
});

describe("the page", () => {
  const pageOf = (
    source: string,
    results: Results,
    exchanges: ReadonlyMap<string, ExchangeLines> = new Map(),
    links = noLinks,
  ) => annotatedPage(annotated(source, results), { results, exchanges, links });
  const targets = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

  it("loads nothing, runs nothing, and leads nowhere that does not exist", () => {
    const page = pageOf(smallSpecification, resultsWith({ "get-all-positions.limit-cap": "fail" }));
    const ids = targets(page);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/<a [^>]*href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(page).not.toMatch(/<(script|img|link|iframe|object|form)\b|\bsrc=|url\(|@import|\son\w+=/i);
    expect(page).toContain("default-src 'none'");
  });

  it("has each statement's words, and a panel with its rules", () => {
    const page = pageOf(smallSpecification, resultsWith({ "get-all-positions.limit-cap": "fail" }));
    expect(page).toContain('<mark class="fail">Values above 300 are capped to 300, not rejected</mark>');
    expect(page).toMatch(/<mark class="pass">Default 20 when omitted or zero<\/mark>|Default 20 when omitted<\/mark>/);
    expect(page).toContain("<code>main street</code>");
    const panel = page.split("<section").find((part) => part.includes("<blockquote>Values above 300"));
    expect(panel).toContain("get-all-positions.limit-cap");
    expect(panel).toContain(ruleById("get-all-positions.limit-cap").impact);
  });

  it("shows violations with their exchanges, and links to the report", () => {
    const results = resultsWith({ "get-all-positions.limit-cap": "fail" });
    const rules = results.rules.map(
      (rule): RuleEntry =>
        rule.id === "get-all-positions.limit-cap"
          ? {
              ...rule,
              checks: rule.checks.map((check) => ({
                ...check,
                violations: [{ ...findingOf(), exchange: "e#1", path: "pagination.limit" }],
              })),
            }
          : rule,
    );
    const exchanges = new Map([["e#1", { request: 'GetAllPositions {"limit":1001}', answer: "HTTP 200, 3 ms: {}" }]]);
    const page = pageOf(smallSpecification, { ...results, rules }, exchanges, {
      file: (name) => `../run/${name}`,
      check: (name) => (name.startsWith("get-all-positions.limit-cap") ? "../run/report#0a" : undefined),
    });
    expect(page).toContain(findingOf().message.replace(/["'<>&]/g, (character) => `&#${character.charCodeAt(0)};`));
    expect(page).toContain("GetAllPositions {&#34;limit&#34;:1001}");
    expect(page).toContain('href="../run/report#0a"');
    expect(page).toContain('href="../run/results"');
  });

  it("takes the document and the target's texts as data", () => {
    const nasty = [
      "<script>alert(1)</script>",
      '<img src=x onerror="alert(1)">',
      "[a](javascript:alert(1)) [b](http://127.0.0.1:9/b) ![c](http://127.0.0.1:9/c.png)",
      "| <b>x</b> | `</code><script>2</script>` |\n|---|---|\n| \u202e reversed | \"quoted' |",
      "```html\n</pre><script>3</script>\n```",
      "    <iframe src=x></iframe>",
    ].join("\n\n");
    const results = resultsWith({ "get-all-positions.limit-cap": "inconclusive" });
    const rules = results.rules.map((rule) => ({
      ...rule,
      note: hostileText,
      checks: rule.checks.map((check) => ({ ...check, message: hostileText })),
    }));
    const page = pageOf(`${smallSpecification}\n\n${nasty}\n`, { ...results, rules });
    expect(page).not.toMatch(/<(script|img|iframe)\b|\u202e|\u001b/i);
    expect(page).not.toMatch(/<[^>]*\s(on\w+|src)=/i);
    expect(page).not.toMatch(/href="(javascript|http)/);
    expect(page).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
  });

  it("lists what differs from the quoted text, and says so where nothing does", () => {
    const same = pageOf(smallSpecification, resultsWith({}));
    expect(same).toContain("word for word");
    const page = pageOf(
      smallSpecification
        .replace(/\| gears .*\n/, "")
        .replace("Default 20", "Default 25")
        .replace("### 4.2 ", "### 4.3 "),
      resultsWith({}),
    );
    expect(page).toContain("Changed (2)");
    expect(page).toContain("Gone (2)");
    expect(page).toContain("§4.2 GetOpenPositionsStreaming is §4.3 now");
    expect(page).toContain("<q>gears | integer</q>");
  });
});
