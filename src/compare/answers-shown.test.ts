import { expect, test } from "vitest";
import { hostileText, resultsOf, resultsWith } from "../report/run.fixture.js";
import { schemaErrors } from "../report/schema.fixture.js";
import type { AnswerComparison } from "./answers.js";
import { compareRuns } from "./compare-runs.js";
import { comparisonToMarkdown } from "./markdown.js";
import { comparisonPage } from "./page.js";
import { comparisonToTerminal } from "./terminal.js";

const answers: AnswerComparison = {
  requests: 12,
  sameRequests: 10,
  sameData: true,
  sharedSubjects: "both know 2 of 2 markets",
  differences: [
    {
      kind: "value",
      places: [{ operation: "GetAllPositions", place: "pagination.limit", count: 3 }],
      each: ["50", "49"],
      count: 3,
      example: ["GetAllPositions {}", "GetAllPositions {}"],
      curl: ["curl one", "curl other"],
      violates: ["sample.rule-0"],
    },
    {
      kind: "left-out",
      places: Array.from({ length: 9 }, (_, at) => ({
        operation: "GetOrders" as const,
        place: `field${at}`,
        count: 2,
      })),
      each: ["left out", hostileText],
      count: 18,
      example: ['GetOrders {"address":"0xa"}', 'GetOrders {"address":"0xb"}'],
      curl: ["curl one", "curl other"],
      ruling: "W1",
    },
  ],
  times: [],
};

const runs = [
  { name: "old", results: resultsWith(["pass"]) },
  { name: "new", results: resultsWith(["fail"]) },
];
const comparison = compareRuns(runs, answers);

test("in a terminal each cause has its places, what each does, and the smallest request", () => {
  const text = comparisonToTerminal(comparison);
  expect(text).toMatch(
    /^ {2}GetAllPositions pagination\.limit \(3\), see sample\.rule-0\n +old: 50\n +new: 49\n +GetAllPositions \{\}$/m,
  );
  expect(text).toMatch(/field5, and 3 other places \(18\), left open by W1\n +old: left out/);
  expect(text).toContain("Answers: 12 requests to each, 10 of them the same; both know 2 of 2 markets");
});

test("so has it as Markdown and on a page, where what targets send is text", () => {
  const [markdown, page] = [comparisonToMarkdown(comparison), comparisonPage(comparison, [])];
  expect(markdown).toMatch(
    /^\| `GetAllPositions pagination\.limit` \| `50` \| `49` \| 3 \| `GetAllPositions \{\}` \| `sample\.rule-0` \|$/m,
  );
  expect(page).toContain('see <a href="#rule-sample.rule-0">');
  expect(page).toContain("5 other places");
  expect(page).not.toContain("<script");
  for (const text of [markdown, page]) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test("as JSON it is by its schema", () => {
  const whole = compareRuns(
    [
      { name: "a", results: resultsOf(), dir: "a" },
      {
        name: "b",
        results: resultsWith(["fail", "inconclusive"]),
        times: [{ operation: "GetOrders", answers: 1, medianMs: 2, p95Ms: 3 }],
      },
    ],
    undefined,
  );
  for (const document of [comparison, whole])
    expect(schemaErrors("comparison", JSON.parse(JSON.stringify(document)))).toBeNull();
  expect(schemaErrors("comparison", { ...whole, runs: [] })).not.toBeNull();
});
