import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { resolveConfig } from "@allurereport/core";
import { labelsInWords } from "../config/labels.js";
import { isViolated, type Verdict } from "../engine/result.js";
import { writeWhole, writing } from "../files/write.js";
import { countOf } from "../judge/judgement.js";
import { sectionNames } from "../specification/sections.js";
import { earlierRuns, historyRuns, tidyHistory } from "./allure-history.js";
import { rewritePage } from "./allure-page.js";
import { knownDeviation } from "./baseline.js";
import { blockedRules, causesIn } from "./causes.js";
import { type CheckEntry, checkEntriesOf, type Results, type RuleEntry } from "./results.js";
import { sanitize, sanitizeShort } from "./sanitize.js";
import {
  combinationsLine,
  conclusionInWords,
  countsLine,
  detectionPowerLine,
  implementationOf,
  limitationsLine,
  nothingToJudge,
  qualificationOf,
} from "./wording.js";

/** The configuration of an Allure report, as in an `allurerc` file. */
export type AllureConfig = Parameters<typeof resolveConfig>[0];

/** The categories by verdict, in the order a reader wants them. A result belongs to the first one that matches. */
const categories: readonly { readonly name: string; readonly verdict: Verdict; readonly groupBy: string }[] = [
  { name: "Failed: mandatory rules that are violated", verdict: "fail", groupBy: "suite" },
  { name: "Errors: the harness broke, or the target was not reached", verdict: "error", groupBy: "suite" },
  { name: "Warnings: advisory rules that are violated", verdict: "warn", groupBy: "suite" },
  { name: "Inconclusive: no evidence, so no pass", verdict: "inconclusive", groupBy: "suite" },
  { name: "Blocked: an operation that they need does not work", verdict: "blocked", groupBy: "suite" },
  { name: "Unimplemented operations", verdict: "unimplemented", groupBy: "endpoint" },
  { name: "Observed: left open by the specification, never judged", verdict: "observed", groupBy: "suite" },
  {
    name: `Not applicable: ${nothingToJudge}`,
    verdict: "notApplicable",
    groupBy: "suite",
  },
  { name: "Not run: left out, or not to be seen from outside", verdict: "notRun", groupBy: "suite" },
  { name: "Passed", verdict: "pass", groupBy: "parentSuite" },
];

const violatedWords: Readonly<Partial<Record<Verdict, string>>> = { fail: "Failed", warn: "Warnings" };

/** Maximum length of a category name. */
const maxName = 200;

/**
 * The Allure configuration for a run: a single file, suites by section of the specification, the conclusion in the name and
 * on the first page, and a category for each verdict. Results are matched by their `verdict` label.
 *
 * @param historyPath where earlier runs are kept
 */
export function allureConfig(results: Results, output: string, historyPath: string): AllureConfig {
  const { harness, specification, target, profile, seed, labels } = results;
  const { conclusiveness } = results.summary;
  const combinations = combinationsLine(results.summary.interactions);
  const qualification = qualificationOf(results);
  const conclusion = `${conclusionInWords(results)}${qualification ? ` (${qualification})` : ""}`;
  const implementation = implementationOf(results);
  const limits = limitationsLine(results);
  const labelled = labels ? ` · ${sanitize(labelsInWords(labels))}` : "";
  const name = `${conclusionInWords(results)}${limits ? ` (${limits})` : ""} · ${profile} · ${sanitize(target.baseUrl)}${labelled}`;
  return {
    name,
    output,
    historyPath,
    historyLimit: historyRuns,
    // The page shows eight of these without a click.
    variables: {
      Conclusion: conclusion,
      Target: sanitize(`${target.baseUrl}${implementation ? ` (${implementation})` : ""}`),
      Profile: profile,
      Seed: String(seed),
      Rules: countsLine(results),
      Conclusive: `${conclusiveness.conclusive} of ${countOf(conclusiveness.judged, "judged rule")}`,
      "Detection power of the harness": detectionPowerLine,
      Specification: `${specification.name} ${specification.version}, tested by ${harness.name} ${harness.version}`,
      ...(combinations && { Combinations: combinations }),
      ...(labels && { Labels: sanitize(labelsInWords(labels)) }),
    },
    categories: [
      ...(results.baseline
        ? [{ name: "Known deviations: accepted by the baseline", ...knownDeviations(results) }]
        : []),
      ...categories.flatMap(({ name, verdict, groupBy }) => [
        ...byCauseOf(verdict, results),
        { name, matchers: { labels: { verdict: `^${verdict}$` } }, groupBy: [{ label: groupBy }] },
      ]),
    ],
    ...(results.baseline && { resolutions: { rules: acceptedFailures(results) } }),
    plugins: {
      awesome: {
        options: {
          reportName: name,
          singleFile: true,
          groupBy: ["parentSuite", "suite"],
          defaultSortBy: "order,asc",
          charts: [],
        },
      },
    },
  };
}

/** The category of violations that the baseline accepts. */
function knownDeviations(results: Results) {
  const known = [...checkEntriesOf(results)].filter(
    ({ rule, check }) => isViolated(check.verdict) && knownDeviation(results, rule.id, check) !== undefined,
  );
  return { matchers: matching(["fail", "warn"], known), groupBy: [{ label: "suite" }] };
}

/** Extra categories for results that may share a cause: an operation that does not work, or the same place in answers. */
function byCauseOf(verdict: Verdict, results: Results) {
  const having = (rules: readonly RuleEntry[]) =>
    [...checkEntriesOf(results)].filter(({ rule, check }) => rules.includes(rule) && check.verdict === verdict);
  const groups =
    verdict === "blocked"
      ? blockedRules(results).map(({ cause, rules }) => ({ name: `Blocked: ${cause}`, rules }))
      : causesIn(results)
          .filter(({ rules }) => rules.filter((rule) => rule.verdict === verdict).length > 1)
          .map(({ place, rules }) => ({ name: `${violatedWords[verdict]}, maybe for one cause: ${place}`, rules }));
  return groups.map(({ name, rules }) => ({
    name: sanitizeShort(name, maxName),
    matchers: matching([verdict], having(rules)),
    groupBy: [{ label: "suite" }],
  }));
}

/** Returns a matcher for the results of these checks, which it recognizes by their labels. */
function matching(verdicts: readonly Verdict[], checks: readonly { readonly check: CheckEntry }[]) {
  const names = new Set(checks.map(({ check }) => check.name));
  return ({ labels }: { readonly labels: readonly { readonly name: string; readonly value?: string }[] }) => {
    const labelled = (wanted: string) => labels.find(({ name }) => name === wanted)?.value ?? "";
    const isOne = verdicts.some((verdict) => verdict === labelled("verdict"));
    return isOne && names.has(labelled("check"));
  };
}

/**
 * The names of all results in report order. Sections with failures come first, then the others, both in the order of the
 * specification. Within a section, the rules that need attention come first. User-defined rules come last.
 */
export function orderOfReport({ rules }: Results): string[] {
  const rankOf = (verdict: Verdict) => {
    const place = categories.findIndex((category) => category.verdict === verdict);
    return verdict === "observed" || verdict === "notRun" || place === -1 ? categories.length : place;
  };
  const own = ({ own }: RuleEntry) => (own ? 1 : 0);
  const failed = new Set(
    rules.filter(({ verdict }) => verdict === "fail" || verdict === "error").map(({ section }) => section),
  );
  const withoutFailure = ({ section }: RuleEntry) => (failed.has(section) ? 0 : 1);
  const bySection = [...rules].sort(
    (a, b) =>
      own(a) - own(b) ||
      withoutFailure(a) - withoutFailure(b) ||
      sectionNames.indexOf(a.section) - sectionNames.indexOf(b.section) ||
      rankOf(a.verdict) - rankOf(b.verdict),
  );
  return bySection.flatMap(({ id, checks }) => [
    id,
    ...[...checks].sort((a, b) => rankOf(a.verdict) - rankOf(b.verdict)).map(({ name }) => name),
  ]);
}

/** Known deviations as Allure's resolutions for accepted failures. */
function acceptedFailures(results: Results) {
  return [...checkEntriesOf(results)].flatMap(({ rule, check }) => {
    const known = knownDeviation(results, rule.id, check);
    if (check.verdict !== "fail" || known === undefined) return [];
    return [{ resolution: "accepted" as const, comment: sanitize(known.message), testCaseId: [check.name] }];
  });
}

/**
 * Generates the report from raw results: one HTML file that opens from the file system, `index.html` in `outDir`.
 *
 * @param historyPath where earlier runs are kept; this run is added to them
 * @throws if Allure cannot read the results or write the report
 */
export async function generateReport(
  results: Results,
  resultsDir: string,
  outDir: string,
  historyPath: string,
): Promise<void> {
  const { AllureReport, resolveConfig } = await import("@allurereport/core");
  await tidyHistory(historyPath);
  const earlier = await earlierRuns(historyPath);
  const config = await resolveConfig(allureConfig(results, outDir, historyPath));
  // `knownIssuesPath` is dropped: otherwise Allure also writes a file of its own into the working directory.
  const { knownIssuesPath: _, ...resolutions } = config.resolutions ?? { rules: [] };
  // If Allure cannot write a file, it prints a stack trace and carries on. Such errors are collected here and thrown.
  const failures: unknown[] = [];
  const { reportFiles } = config;
  const addFile: typeof reportFiles.addFile = (path, data) =>
    writing(join(outDir, path), () => reportFiles.addFile(path, data)).catch((error: unknown) => {
      failures.push(error);
      return path;
    });
  const report = new AllureReport({ ...config, resolutions, reportFiles: { addFile } });
  await report.start();
  await report.readDirectory(resultsDir);
  await report.done().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
  await tidyHistory(historyPath);
  const page = join(outDir, "index.html");
  await writeWhole(page, rewritePage(await readFile(page, "utf8"), results, orderOfReport(results), earlier));
}
