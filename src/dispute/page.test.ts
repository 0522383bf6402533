import { describe, expect, test } from "vitest";
import { fullRun, MANDATORY } from "../statement/certifiable.fixture.js";
import type { ShownExchange } from "./exchange-html.js";
import { disputePage, smallestViolation } from "./page.js";

const exchange = (id: string): ShownExchange => ({
  id,
  file: `exchanges/${id}.json`,
  prettyFiles: [[`exchanges/${id}.answer.json`, "answer"]],
  curl: 'curl "$BASE_URL"/x',
  outcome: "HTTP 200",
  request: `<pre>request of ${id}</pre>`,
  answer: `<pre>answer of ${id}</pre>`,
});

function disputed() {
  const results = fullRun({ [MANDATORY]: "fail" });
  const entry = results.rules.find(({ id }) => id === MANDATORY);
  if (!entry) throw new Error("the fixture has no such rule");
  return { results, entry };
}

describe("the page of a dispute", () => {
  test("opens with request and answer, then statement, reading, what was found and all exchanges", () => {
    const { results, entry } = disputed();
    const page = disputePage(results, entry, [exchange("1"), exchange("2")]);
    const parts = [
      "What happened",
      "request of 1",
      "answer of 1",
      "What is required",
      "How it is read",
      "What was found",
      "All exchanges (2)",
      "request of 2",
      "Repeat it",
      "BASE_URL=http://127.0.0.1:8080 sh requests.sh",
    ].map((part) => page.indexOf(part));
    expect(parts).toEqual([...parts].sort((one, other) => one - other));
    expect(parts[0]).toBeGreaterThan(0);
  });

  test("names the words of the specification that the rule carries", () => {
    const { results, entry } = disputed();
    expect(disputePage(results, entry, [exchange("1")])).toContain("<blockquote>");
  });

  test("loads nothing, and has files of what it does not show", () => {
    const { results, entry } = disputed();
    const many = Array.from({ length: 60 }, (_, index) => exchange(`e${index}`));
    const page = disputePage(results, entry, many);
    expect(page).not.toMatch(/<(script|img|link|iframe)\b|\ssrc=/i);
    expect(page).not.toContain("request of e59");
    expect(page).toContain('href="exchanges/e59.json"');
  });
});

test("a dispute is about the violation with the smallest request", () => {
  const { entry } = disputed();
  const [check] = entry.checks;
  const [violation] = check?.violations ?? [];
  if (!check || !violation) throw new Error("the fixture has no violation");
  const larger = { ...violation, request: `${violation.request} and more` };
  const checks = [
    { ...check, violations: [larger] },
    { ...check, violations: [larger, violation] },
  ];
  expect(smallestViolation({ ...entry, checks })).toBe(violation);
  expect(smallestViolation({ ...entry, checks: [] })).toBeUndefined();
});
