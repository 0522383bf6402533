import { ContentType, type Label, Stage, Status } from "allure-js-commons";
import { ReporterRuntime } from "allure-js-commons/sdk/reporter";
import type { Verdict } from "../engine/result.js";
import { endpoints } from "../specification/endpoints.js";
import { sectionHeading } from "../specification/sections.js";
import { PlainWriter } from "./allure-writer.js";
import { sharedCauseOf } from "./causes.js";
import { type CheckEntry, checkEntriesOf, notRunReasons, type Results, type RuleEntry, rulesWith } from "./results.js";
import { allureSeverities, allureTags, ruleDescription } from "./rule-description.js";
import { sanitize } from "./sanitize.js";
import { commandFor, curlLine, labelledLines, sameCauseLine } from "./wording.js";

/** Maximum length of a line about a violation. */
const maxLine = 1000;

const statuses: Readonly<Record<Verdict, Status>> = {
  pass: Status.PASSED,
  fail: Status.FAILED,
  warn: Status.PASSED,
  inconclusive: Status.SKIPPED,
  blocked: Status.SKIPPED,
  notApplicable: Status.SKIPPED,
  unimplemented: Status.SKIPPED,
  observed: Status.PASSED,
  notRun: Status.SKIPPED,
  error: Status.BROKEN,
};

/**
 * Writes Allure results for the checks not named in `written`. These have no test of their own, such as rules judged on
 * every answer. Also writes a result for each rule that was not run, unless it was not selected or is in another shard.
 *
 * @throws if the folder cannot be written to
 */
export function writeExtraAllureResults(resultsDir: string, results: Results, written: ReadonlySet<string>): void {
  const runtime = new ReporterRuntime({ writer: new PlainWriter(resultsDir) });
  for (const { rule, check } of checkEntriesOf(results))
    if (!written.has(check.name)) writeResult(runtime, results, rule, check);
  for (const rule of rulesWith(results, "notRun").filter((rule) => isWanted(rule, results))) {
    const message = rule.reason ?? "";
    writeResult(runtime, results, rule, { name: rule.id, verdict: "notRun", message, durationMs: 0 });
  }
}

/** The Allure fields of a check, for all code that writes results. */
export function allureFieldsOf(results: Results, rule: RuleEntry, check: Result) {
  const message = messageOf(check);
  return {
    name: check.name,
    fullName: check.name,
    historyId: check.name,
    testCaseId: check.name,
    stage: Stage.FINISHED,
    status: statuses[check.verdict],
    statusDetails: message === "" || check.verdict === "pass" ? {} : { message },
    description: ruleDescription(rule, rule.reading ?? [], check.verdict),
    labels: labelsOf(rule, check),
    start: Date.parse(results.finishedAt) - check.durationMs,
  };
}

/** Whether this run was asked to cover a rule. Unobservable rules belong only to a full run. */
function isWanted({ level, reason }: RuleEntry, { selection: { rules, suites } }: Results): boolean {
  if (level === "unobservable") return rules.length + suites.length === 0;
  return reason !== notRunReasons.notSelected && reason !== notRunReasons.otherShard;
}

/** A check, or the stand-in for a rule that has no checks here. */
type Result = Pick<CheckEntry, "name" | "verdict" | "message" | "violations" | "durationMs"> &
  Partial<Pick<CheckEntry, "endpoint">>;

function writeResult(runtime: ReporterRuntime, results: Results, rule: RuleEntry, check: Result): void {
  const stop = Date.parse(results.finishedAt);
  const test = runtime.startTest(allureFieldsOf(results, rule, check));
  const seen = textOf(results, rule, check);
  if (seen !== "") {
    const options = { contentType: ContentType.TEXT, fileExtension: "txt" };
    runtime.writeAttachment(test, null, "What was seen", Buffer.from(seen), options);
  }
  runtime.stopTest(test, { stop });
  runtime.writeTest(test);
}

function labelsOf(rule: RuleEntry, check: Result): Label[] {
  const tag = allureTags[check.verdict];
  return [
    { name: "parentSuite", value: sectionHeading(rule.section) },
    { name: "suite", value: rule.id },
    { name: "severity", value: allureSeverities[rule.level] },
    { name: "check", value: check.name },
    { name: "verdict", value: check.verdict },
    ...(check.endpoint ? [{ name: "endpoint", value: endpoints[check.endpoint].path }] : []),
    { name: "level", value: rule.level },
    ...(tag ? [{ name: "tag", value: tag }] : []),
  ];
}

function messageOf({ violations = [], message = "" }: Result): string {
  return sanitize(violations[0]?.message ?? message);
}

function textOf(results: Results, rule: RuleEntry, check: Result): string {
  const blocks = (check.violations ?? []).map((violation) =>
    [
      sanitize(violation.message),
      ...[...labelledLines(rule, violation, maxLine), `send again: ${curlLine(violation)}`].map((line) => `  ${line}`),
    ].join("\n"),
  );
  const cause = sharedCauseOf(results, rule);
  if (blocks.length > 0 && cause) blocks.push(sameCauseLine(rule, cause));
  if (blocks.length > 0) blocks.push(`run again: ${commandFor(results, rule)}`);
  return [...(check.message ? [sanitize(check.message)] : []), ...blocks].join("\n\n");
}
