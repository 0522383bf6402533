import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckResult, Verdict } from "../engine/result.js";
import { endpointNames } from "../specification/endpoints.js";
import { fullRun, requirements } from "../statement/certifiable.fixture.js";
import { makeStatement } from "../statement/statement.js";
import { allureConfig } from "./allure.js";
import { conclusionLine, resultsToTerminal } from "./console.js";
import { toJunit } from "./junit.js";
import { checkEntriesOf, type Results, reportedVerdicts } from "./results.js";
import { blockedBy, checkResult, resultsOf, resultsWith, ruleOf } from "./run.fixture.js";
import { resultsToMarkdown } from "./summary.js";
import { endpointTable } from "./terminal-tables.js";
import { verdictWords } from "./wording.js";

const verdicts = reportedVerdicts.filter((verdict) => verdict !== "notRun");

/** Runs in which rules have several checks, on several operations, of whatever verdict; some of the rules are the user's own. */
const anyRun = fc
  .array(
    fc.record({
      own: fc.boolean(),
      checks: fc.array(fc.tuple(fc.constantFrom(...verdicts), fc.constantFrom(...endpointNames)), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((others): Results => {
    const rules = [{ own: false, checks: [] }, ...others];
    const ids = rules.map(({ own }, index) => `${own ? "x-acme" : "sample"}.rule-${index}`);
    const results = rules.flatMap(({ own, checks }, index) =>
      checks.map(([verdict, endpoint], check): CheckResult => {
        const id = ids[index] ?? "";
        const change = {
          endpoint,
          name: `${id} on ${endpoint}: ${check}`,
          ...(verdict === "blocked" ? blockedBy(endpoint) : {}),
        };
        return { ...checkResult(id, verdict, change), ...(own && { own: ruleOf(id) }) };
      }),
    );
    const catalogue = ids.filter((id) => !id.startsWith("x-")).map((id) => ruleOf(id));
    return resultsOf({ catalogue, results });
  });

const runs: readonly [name: string, results: Results][] = [
  ["with a rule of each verdict", resultsOf()],
  ["in which all is blocked", resultsWith(["blocked", "blocked"])],
  ["in which most does not apply", resultsWith(["pass", "notApplicable", "notApplicable", "inconclusive"])],
  ["that was cut short", resultsWith(["pass", "fail"], { interrupted: true })],
  ["that is whole", fullRun()],
];

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** The counts in a line such as `12 rules passed, 1 failed, 3 not run`, by verdict. */
function countsIn(line: string): Map<Verdict, number> {
  return new Map(
    reportedVerdicts.flatMap((verdict) => {
      const [, count] = new RegExp(`(\\d+)(?: rules?)? ${verdictWords[verdict]}(?=,|;| \\(|$)`).exec(line) ?? [];
      return count === undefined ? [] : [[verdict, Number(count)] as const];
    }),
  );
}

/** The table of checks of a report for the terminal: its columns, and the cells of each row. */
function tableIn(terminal: string): { titles: string[]; rows: Map<string, number[]> } {
  const [head = "", ...lines] = (/^Checks .*(\n.+)*/m.exec(terminal)?.[0] ?? "").split("\n");
  const cells = (line: string) => line.split(/ {2,}/);
  return {
    titles: cells(head).slice(1),
    rows: new Map(
      lines.map((line) => [
        cells(line)[0] ?? "",
        cells(line)
          .slice(1)
          .map((cell) => (cell === "-" ? 0 : Number(cell))),
      ]),
    ),
  };
}

function expectToAddUp(results: Results): void {
  const { summary } = results;
  const rules = results.rules.filter(({ own }) => !own);
  const style = { color: false };
  const terminal = [endpointTable(results), conclusionLine(results, style)].join("\n\n");

  // Each rule has one verdict.
  expect(sum(Object.values(summary.verdicts))).toBe(rules.length);
  expect(sum(Object.values(summary.own ?? {}))).toBe(results.rules.length - rules.length);
  const [line = ""] = String((allureConfig(results, "out", "history").variables as Record<string, string>).Rules).split(
    "; own",
  );
  const shown = countsIn(line);
  expect(sum([...shown.values()])).toBe(rules.length);
  for (const verdict of reportedVerdicts) expect(shown.get(verdict) ?? 0).toBe(summary.verdicts[verdict]);
  expect(terminal).toContain(line);
  expect(resultsToMarkdown(results)).toContain(`| Rules | ${line}`);

  // Each check is in one row and one column of the table.
  const checks = [...checkEntriesOf(results)].map(({ check }) => check);
  if (checks.length > 0) {
    const { titles, rows } = tableIn(terminal);
    const all = rows.get("all");
    if (all) rows.delete("all");
    expect(sum([...rows.values()].flat())).toBe(checks.length);
    for (const [endpoint, cells] of rows)
      expect(sum(cells)).toBe(checks.filter((check) => check.endpoint === endpoint).length);
    const columns = titles.map((_, column) => sum([...rows.values()].map((cells) => cells[column] ?? 0)));
    if (rows.size > 1) expect(all).toEqual(columns);
  }

  // One measure of how much was settled.
  const { conclusive, judged } = summary.conclusiveness;
  const junit = toJunit(results);
  expect(junit).toContain(`name="rules.conclusive" value="${conclusive}"`);
  expect(junit).toContain(`name="rules.judged" value="${judged}"`);
  for (const verdict of reportedVerdicts)
    expect(junit).toContain(`name="rules.${verdict}" value="${summary.verdicts[verdict]}"`);
  const told = [terminal, resultsToMarkdown(results), JSON.stringify(allureConfig(results, "out", "history"))].flatMap(
    (report) =>
      [...report.matchAll(/(\d+) of (\d+) (?:judged )?rules? ?(?!proven)/g)].map(
        ([, part, whole]) => `${part} of ${whole}`,
      ),
  );
  expect(new Set(told)).toEqual(new Set([`${conclusive} of ${judged}`]));
}

describe("the counts of a run", () => {
  test.each(runs)("%s add up in each report", (_, results) => expectToAddUp(results));

  test("of any rules and checks add up in each report", () => {
    fc.assert(fc.property(anyRun, expectToAddUp));
  });

  test("are those of its statement", () => {
    const results = fullRun();
    const { counts } = makeStatement({ results, resultsDigest: "a".repeat(64), requirements }).predicate
      .perpConformance;
    expect(counts).toEqual(results.summary.verdicts);
  });

  test("of rules that are blocked are the blocked ones", () => {
    const results = resultsWith(["blocked", "pass", "blocked"], {
      results: ["blocked", "pass", "blocked"].map((verdict, index) =>
        checkResult(`sample.rule-${index}`, verdict as Verdict, blockedBy(index === 0 ? "GetOrders" : "GetOrderBook")),
      ),
    });
    const lines = [...resultsToTerminal(results, { color: false }).matchAll(/^(\d+) rules? blocked: /gm)];
    expect(sum(lines.map(([, count]) => Number(count)))).toBe(results.summary.verdicts.blocked);
  });
});
