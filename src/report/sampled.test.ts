import { expect, test } from "vitest";
import { resultsToTerminal } from "./console.js";
import { checkResult, resultsOf } from "./run.fixture.js";
import { sampledLines } from "./sampled.js";
import { resultsToMarkdown } from "./summary.js";

const sampled = (exchange: string, path = "orders") => ({
  ...{ exchange, path, endpoint: "GetOrders" as const },
  ...{ bytes: 113_225_481, rows: 200_001, read: 6_735 },
});

const results = resultsOf({
  results: [
    checkResult("sample.pass", "pass", { sampled: [sampled("a#1"), sampled("b#1")] }),
    checkResult("sample.fail", "fail", { sampled: [sampled("a#1"), sampled("c#1", "\u001b[2J`|`")] }),
  ],
});

test("each sampled answer is told once, the same ones together", () => {
  expect(sampledLines(results)).toEqual([
    "GetOrders, 108.0 MB: 6,735 of 200,001 rows of \u001b[2J`|`",
    "GetOrders, 108.0 MB: 6,735 of 200,001 rows of orders (2 answers)",
  ]);
  expect(sampledLines(resultsOf())).toEqual([]);
});

test("terminal and summary say which answers were sampled, and what that means; names from the target are sanitized", () => {
  for (const report of [resultsToTerminal(results, { color: false }), resultsToMarkdown(results)]) {
    expect(report).toContain("6,735 of 200,001 rows of orders (2 answers)");
    expect(report).toContain("--profile full reads answers up to 128 MB and 500,000 rows whole");
    expect(report).not.toContain("\u001b");
  }
  expect(resultsToMarkdown(resultsOf())).not.toContain("sample of");
});
