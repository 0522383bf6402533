import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { resolveConfig } from "@allurereport/core";
import type { Verdict } from "../verdict/result.js";
import { knownDeviation } from "./baseline.js";
import { inert } from "./inert.js";
import { checksOf, type Results } from "./results.js";
import { conclusionOf, countOf, countsLine, qualificationOf } from "./wording.js";

/** The configuration of an Allure report, as an `allurerc` file has it. */
export type AllureConfig = Parameters<typeof resolveConfig>[0];

/** What the report groups by verdict, in the order in which a reader wants it. A result belongs to the first that matches. */
const categories: readonly { readonly name: string; readonly verdict: Verdict; readonly groupBy: string }[] = [
  { name: "Failed rules", verdict: "fail", groupBy: "rule" },
  { name: "Errors: the harness broke, or the target was not reached", verdict: "error", groupBy: "rule" },
  { name: "Advisory warnings", verdict: "warn", groupBy: "rule" },
  { name: "Inconclusive", verdict: "inconclusive", groupBy: "rule" },
  { name: "Unimplemented operations", verdict: "unimplemented", groupBy: "endpoint" },
  { name: "Observations", verdict: "observed", groupBy: "rule" },
];

/**
 * The configuration of the report on a run: one file, suites by section of the specification, the conclusion in its name
 * and on its first page, and a category for each verdict that wants attention. Results are told apart by their `verdict` label.
 */
export function allureConfig(results: Results, output: string): AllureConfig {
  const { harness, specification, target, profile, seed } = results;
  const { conclusiveness } = results.summary;
  const qualification = qualificationOf(results);
  const conclusion = `${conclusionOf(results)}${qualification ? ` (${qualification})` : ""}`;
  const name = `${conclusion} · ${profile} · ${inert(target.baseUrl)}`;
  return {
    name,
    output,
    // Eight of them are shown without a click.
    variables: {
      Conformant: conclusion,
      Target: inert(target.baseUrl),
      Profile: profile,
      Seed: String(seed),
      Rules: countsLine(results),
      Conclusive: `${conclusiveness.conclusive} of ${countOf(conclusiveness.judged, "judged rule")}`,
      Harness: `${harness.name} ${harness.version}`,
      Specification: `${specification.name} ${specification.version}`,
    },
    categories: categories.map(({ name, verdict, groupBy }) => ({
      name,
      matchers: { labels: { verdict: `^${verdict}$` } },
      groupBy: [{ label: groupBy }],
    })),
    ...(results.baseline ? { resolutions: { rules: acceptedFailures(results) } } : {}),
    plugins: {
      awesome: {
        options: { reportName: name, singleFile: true, groupBy: ["parentSuite", "suite"], defaultSortBy: "name,asc" },
      },
    },
  };
}

/** Known deviations, as Allure knows failures that are accepted. */
function acceptedFailures(results: Results) {
  return [...checksOf(results)].flatMap(({ rule, check }) => {
    const known = knownDeviation(results, rule.id, check.endpoint);
    if (check.verdict !== "fail" || known === undefined) return [];
    return [{ resolution: "accepted" as const, comment: inert(known.message), testCaseId: [check.name] }];
  });
}

/**
 * Makes the report from raw results.
 *
 * @returns the path of the report: one HTML file that opens from the file system
 * @throws when Allure cannot read the results or write the report
 */
export async function generateReport(results: Results, resultsDir: string, outDir: string): Promise<string> {
  const { AllureReport, resolveConfig } = await import("@allurereport/core");
  const config = await resolveConfig(allureConfig(results, outDir));
  // Left alone, Allure writes a file of its own beside the accepted failures, into the working folder.
  const { knownIssuesPath: _, ...resolutions } = config.resolutions ?? { rules: [] };
  const report = new AllureReport({ ...config, resolutions });
  await report.start();
  await report.readDirectory(resultsDir);
  await report.done();
  const page = join(outDir, "index.html");
  await writeFile(page, withoutAnalytics(await readFile(page, "utf8")));
  return page;
}

/**
 * Allure's page loads a script of Google Analytics, and has no setting for it. A report on somebody's server tells nobody
 * that it is being read.
 */
export function withoutAnalytics(html: string): string {
  return html.replace(
    /<script async src="https:\/\/www\.googletagmanager\.com\/[^"]*"><\/script>\s*<script>[^<]*<\/script>/g,
    "",
  );
}
