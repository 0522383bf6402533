import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { type Endpoint, endpoints } from "../specification/endpoints.js";
import { allureConfig, generateReport, orderOfReport } from "./allure.js";
import { historyFile } from "./allure-history.js";
import { filesOf } from "./allure-page.fixture.js";
import { writeExtraAllureResults } from "./allure-results.js";
import { compareToBaseline } from "./baseline.js";
import { type Results, reportedVerdicts } from "./results.js";
import { blockedBy, checkResult, resultsOf, resultsWith } from "./run.fixture.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe("the configuration of the Allure report", () => {
  test("says in its name whether the target conforms, in which profile, and which target", () => {
    expect(allureConfig(resultsWith(["pass"]), "out", historyFile).name).toBe(
      "CONFORMANT · quick · http://127.0.0.1:8080",
    );
    expect(allureConfig(resultsWith(["fail"]), "out", historyFile).name).toBe(
      "NOT CONFORMANT · quick · http://127.0.0.1:8080",
    );
  });

  test("shows on the first page what the conclusion rests on", () => {
    expect(allureConfig(resultsOf(), "out", historyFile).variables).toEqual({
      Conclusion: "NOT CONFORMANT (1 mandatory rule failed: sample.fail; 1 rule ended in an error)",
      Target: "http://127.0.0.1:8080",
      Profile: "quick",
      Seed: "7",
      Rules:
        "1 rule passed, 1 failed, 1 with warnings, 1 inconclusive, 1 unimplemented, 1 observed, 2 not run, 1 in error",
      Conclusive: "3 of 6 judged rules",
      "Detection power of the harness": expect.stringMatching(
        /^\d+ of \d+ mutants killed; \d+ of \d+ mandatory rules proven; \d+ false/,
      ),
      Specification: "perpetuals read API 1.0.0, tested by perp-conformance 0.1.0",
    });
  });
});

describe("the order of the report", () => {
  test("has the sections first in which something failed; in each of them, what wants attention comes first", () => {
    expect(orderOfReport(resultsOf()).filter((name) => !name.includes(" on "))).toEqual([
      "sample.fail",
      "sample.warn",
      "sample.pass",
      "sample.error",
      "sample.observed",
      "sample.full-only",
      "sample.inconclusive",
      "sample.unimplemented",
      "sample.unobservable",
    ]);
  });
});

describe("a category", () => {
  test("is there for each verdict, and one for failures that the baseline knows comes first", () => {
    const entry = { rule: "sample.fail", reason: "being replaced", expires: "2026-12-31" };
    const results = resultsOf();
    const baseline = compareToBaseline(results, "baseline.json", [entry], []);
    const { categories } = allureConfig({ ...results, baseline }, "out", historyFile);
    if (!Array.isArray(categories)) expect.fail("there are no categories");
    const [known, ...others] = categories;
    expect(others).toHaveLength(reportedVerdicts.length);
    const matches = known?.matchers;
    if (typeof matches !== "function") expect.fail("it matches by nothing");
    const label = (name: string, value: string) => ({ name, value });
    const result = (check: string) => ({
      status: "failed" as const,
      flaky: false,
      labels: [
        label("verdict", "fail"),
        label("suite", "sample.fail"),
        label("endpoint", endpoints.GetAllPositions.path),
        label("check", check),
      ],
    });
    const names = ["sample.fail on GetAllPositions", "sample.fail on GetAllPositions by another wallet"];
    expect(names.map((name) => matches(result(name)))).toEqual([true, false]);
  });
});

describe("a category by cause", () => {
  /** The names of the categories that come before the one of a verdict. */
  function namesBefore(verdict: "fail" | "blocked", results: Results): string[] {
    const { categories } = allureConfig(results, "out", historyFile);
    if (!Array.isArray(categories)) expect.fail("there are no categories");
    const names = categories.map(({ name }) => name);
    return names.slice(
      verdict === "fail" ? 0 : names.findIndex((name) => name.startsWith("Inconclusive")) + 1,
      names.findIndex((name) => name.startsWith(verdict === "fail" ? "Failed: " : "Blocked: an operation")),
    );
  }

  test("is there for each operation that blocks rules", () => {
    const results = ["GetOrderBook", "GetOrders", "GetOrderBook"].map((operation, index) =>
      checkResult(`sample.rule-${index}`, "blocked", blockedBy(operation as Endpoint)),
    );
    expect(namesBefore("blocked", resultsWith(["blocked", "blocked", "blocked"], { results }))).toEqual([
      "Blocked: GetOrderBook answers HTTP 404",
      "Blocked: GetOrders answers HTTP 404",
    ]);
  });

  test("is there for rules that may fail for one cause, and for no rule that fails alone", () => {
    expect(namesBefore("fail", resultsWith(["fail", "fail"]))).toEqual([
      "Failed, maybe for one cause: positions[*].effectiveSize of GetAllPositions",
    ]);
    expect(namesBefore("fail", resultsWith(["fail", "pass"]))).toEqual([]);
  });
});

describe("Allure results", () => {
  test("are written for the checks that no test ran, with verdict, status and reason", async () => {
    const dir = join(folder, "extra");
    const ran = new Set(["sample.pass on GetAllPositions"]);
    writeExtraAllureResults(dir, resultsOf(), ran);
    const files = (await readdir(dir)).filter((name) => name.endsWith("-result.json"));
    expect(files).toHaveLength(8);
    const written = await Promise.all(
      files.map(async (name) => JSON.parse(await readFile(join(dir, name), "utf8")) as AllureResult),
    );
    const byRule = Object.fromEntries(
      written.map(({ labels, status, statusDetails }) => [
        labels.find(({ name }) => name === "verdict")?.value,
        [status, statusDetails.message, labels.find(({ name }) => name === "severity")?.value],
      ]),
    );
    expect(byRule).toEqual({
      fail: ["failed", "positions[17].effectiveSize: expected 2.5 (= nominalSize), got 2.4", "critical"],
      warn: ["passed", "positions[17].effectiveSize: expected 2.5 (= nominalSize), got 2.4", "minor"],
      inconclusive: ["skipped", "no closed position was seen; one would settle it", "critical"],
      unimplemented: ["skipped", "GetAllPositions answered unimplemented", "critical"],
      observed: ["passed", undefined, "trivial"],
      notRun: ["skipped", expect.stringMatching(/^(only in the full profile|unobservable: )/), expect.any(String)],
      error: ["broken", "the check itself threw TypeError", "critical"],
    });
  });

  test("know what earlier runs in the same folder came to, and survive a line that was cut off", async () => {
    const history = join(folder, historyFile);
    await writeFile(history, '{"uuid":"half a li');
    const outcomes = ["fail", "pass", "fail"] as const;
    for (const [index, verdict] of outcomes.entries()) {
      const results = resultsWith([verdict]);
      const dir = join(folder, `results-${index}`);
      writeExtraAllureResults(dir, results, new Set());
      await generateReport(results, dir, join(folder, `report-${index}`), history);
    }
    const lines = (await readFile(history, "utf8")).trimEnd().split("\n");
    const runs = lines.map((line) => JSON.parse(line) as { testResults: Record<string, { status: string }> });
    const statuses = runs.map(({ testResults }) => Object.values(testResults).map(({ status }) => status));
    expect(statuses).toEqual([["failed"], ["passed"], ["failed"]]);
    const html = await readFile(join(folder, "report-2/index.html"), "utf8");
    const [, data = "{}"] = Object.entries(filesOf(html)).find(([path]) => path.startsWith("data/test-results/")) ?? [];
    const shown = JSON.parse(data) as { history: { status: string }[] };
    expect(shown.history.map(({ status }) => status)).toEqual(["passed", "failed"]);
  });

  test("become one HTML file", async () => {
    const dir = join(folder, "results");
    const results = resultsOf();
    writeExtraAllureResults(dir, results, new Set());
    await generateReport(results, dir, join(folder, "report"), join(folder, historyFile));
    const html = await readFile(join(folder, "report/index.html"), "utf8");
    expect(html.includes('"reportName":"NOT CONFORMANT · quick · http://127.0.0.1:8080"')).toBe(true);
    // Not `toMatch`: on a failure it would print the whole page.
    const loaded = [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\s(?:src|href)="(?!data:)([^"]*)/g)];
    expect(loaded.map(([, url]) => url)).toEqual([]);
    expect(html.includes("gtag(")).toBe(false);
  });
});

interface AllureResult {
  readonly status: string;
  readonly statusDetails: { readonly message?: string };
  readonly labels: readonly { readonly name: string; readonly value: string }[];
}
