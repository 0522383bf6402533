import XMLBuilder from "fast-xml-builder";
import { isViolated } from "../engine/result.js";
import { sectionHeading } from "../specification/sections.js";
import { baselineProblems, knownDeviation } from "./baseline.js";
import { sharedCauseOf } from "./causes.js";
import { endingOf, exitCodes } from "./exit-code.js";
import { type CheckEntry, type Results, type RuleEntry, reportedVerdicts } from "./results.js";
import { sanitize, sanitizeLines } from "./sanitize.js";
import { commandFor, curlLine, labelledLines, sameCauseLine, verdictWords } from "./wording.js";

/** An element of the file. Members that begin with `@` are attributes, `#text` is the text. */
interface TestCase {
  readonly "@name": string;
  readonly "@classname": string;
  readonly "@time": string;
  readonly failure?: FailureElement;
  readonly error?: FailureElement;
  readonly skipped?: { readonly "@message": string };
  readonly "system-out"?: string;
}

interface FailureElement {
  readonly "@message": string;
  readonly "@type": string;
  readonly "#text": string;
}

/** Maximum length of a line about a violation. CI systems show messages of this length in full. */
const maxLine = 1000;

const builder = new XMLBuilder({
  format: true,
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

/**
 * Renders a run as JUnit XML for CI systems: a suite per section, a case per check, and a case per rule that did not run.
 * Checks without a verdict and known deviations are skipped, with the reason. A warning is a failure only in a strict run.
 * Problems of the harness are errors in a suite of their own. Problems of the baseline, and what keeps an undecided run from
 * a conclusion, are failures in suites of their own.
 */
export function toJunit(results: Results): string {
  const sections = [...new Set(results.rules.map(({ section }) => section))];
  const suites = sections.map((section) =>
    suiteOf(
      sectionHeading(section),
      results.rules.filter((rule) => rule.section === section).flatMap((rule) => casesOf(rule, results)),
    ),
  );
  if (results.problems.length > 0) suites.push(suiteOf("harness", results.problems.map(problemCase)));
  const { code, why } = endingOf(results);
  if (code === exitCodes.undecided) suites.push(suiteOf("conclusion", [undecidedCase(why)]));
  if (results.baseline) suites.push(suiteOf("baseline", baselineCases(results.baseline)));
  const document = {
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: {
      "@name": "perp-conformance",
      ...totals(suites.flatMap(({ testcase }) => testcase)),
      "@time": seconds(results.durationMs),
      "@timestamp": results.startedAt,
      // Schemas of JUnit's format want the properties before the test cases.
      testsuite: suites.map(({ testcase, ...suite }, index) =>
        index === 0 ? { ...suite, properties: properties(results), testcase } : { ...suite, testcase },
      ),
    },
  };
  return builder.build(document);
}

function suiteOf(name: string, cases: readonly TestCase[]) {
  const time = cases.reduce((sum, { "@time": caseSeconds }) => sum + Number(caseSeconds), 0);
  return { "@name": name, ...totals(cases), "@time": time.toFixed(3), testcase: cases };
}

function totals(cases: readonly TestCase[]) {
  const having = (member: keyof TestCase) => cases.filter((each) => each[member] !== undefined).length;
  return {
    "@tests": cases.length,
    "@failures": having("failure"),
    "@errors": having("error"),
    "@skipped": having("skipped"),
  };
}

function properties({ target, profile, seed, specification, harness, summary, command, labels = {} }: Results) {
  const entries = {
    target: target.baseUrl,
    profile,
    seed,
    command,
    harness: harness.version,
    specification: `${specification.name} ${specification.version}`,
    conformant: summary.conformant,
    "rules.conclusive": summary.conclusiveness.conclusive,
    "rules.judged": summary.conclusiveness.judged,
    conclusion: summary.conclusion,
    ...Object.fromEntries(summary.reasons.map((reason, index) => [`reason.${index + 1}`, reason])),
    ...Object.fromEntries(Object.entries(labels).map(([name, value]) => [`label.${name}`, value])),
    ...(target.embedded && { embedded: true }),
    ...Object.fromEntries(reportedVerdicts.map((verdict) => [`rules.${verdict}`, summary.verdicts[verdict]])),
  };
  return {
    property: Object.entries(entries).map(([name, value]) => ({ "@name": name, "@value": sanitize(String(value)) })),
  };
}

function casesOf(rule: RuleEntry, results: Results): TestCase[] {
  if (rule.checks.length > 0) return rule.checks.map((check) => caseOf(rule, check, results));
  return [{ ...caseNamed(rule.id, rule.id, 0), skipped: { "@message": `not run: ${sanitize(rule.reason ?? "")}` } }];
}

function caseOf(rule: RuleEntry, check: CheckEntry, results: Results): TestCase {
  const base = caseNamed(rule.id, check.name, check.durationMs);
  const message = sanitize(check.message ?? "");
  const known = isViolated(check.verdict) ? knownDeviation(results, rule.id, check) : undefined;
  if (known) return { ...base, skipped: { "@message": sanitize(known.message) } };
  switch (check.verdict) {
    case "fail":
      return { ...base, failure: failureOf(rule, check, results) };
    case "warn":
      if (results.strict) return { ...base, failure: failureOf(rule, check, results) };
      return { ...base, "system-out": `advisory: ${failureOf(rule, check, results)["#text"]}` };
    case "error":
      return { ...base, error: { "@message": message, "@type": "error", "#text": message } };
    case "inconclusive":
    case "blocked":
    case "notApplicable":
    case "unimplemented":
    case "notRun":
      return { ...base, skipped: { "@message": `${verdictWords[check.verdict]}: ${message}` } };
    case "observed":
      return { ...base, "system-out": observationsText(check) };
    case "pass":
      return message ? { ...base, "system-out": message } : base;
  }
}

function caseNamed(rule: string, name: string, durationMs: number) {
  return { "@name": sanitize(name), "@classname": rule, "@time": seconds(durationMs) };
}

function failureOf(rule: RuleEntry, check: CheckEntry, results: Results): FailureElement {
  const violations = check.violations ?? [];
  const cause = sharedCauseOf(results, rule);
  const blocks = violations.map((violation) => {
    const lines = labelledLines(rule, violation, maxLine);
    return [sanitize(violation.message), ...lines, `send again: ${curlLine(violation)}`].join("\n");
  });
  const command = `run again: ${sanitize(commandFor(results, rule))}`;
  return {
    "@message": sanitize(violations[0]?.message ?? check.message ?? "violated"),
    "@type": rule.level,
    "#text": [...blocks, ...(cause ? [sameCauseLine(rule, cause)] : []), command].join("\n\n"),
  };
}

function observationsText(check: CheckEntry): string {
  const lines = (check.observations ?? []).map(({ what, seen }) => `${what}: ${seen}`);
  return [...lines, ...(check.message ? [check.message] : [])].map(sanitize).join("\n");
}

function problemCase(problem: string, index: number): TestCase {
  const error = { "@message": sanitize(problem), "@type": "harness", "#text": sanitizeLines(problem) };
  return { ...caseNamed("harness", `problem ${index + 1}`, 0), error };
}

/** A failed case for an undecided run, so that it does not look green to someone who sees only this file. */
function undecidedCase(why: readonly string[]): TestCase {
  const text = why.map(sanitize).join("\n");
  const failure = { "@message": sanitize(why.join("; ")), "@type": "undecided", "#text": text };
  return { ...caseNamed("conclusion", "the run says enough to call the target conformant", 0), failure };
}

/**
 * A failed case for each problem of the baseline, or one passed case. Unlisted violations have failed in their own cases.
 */
function baselineCases(baseline: NonNullable<Results["baseline"]>): TestCase[] {
  const unlisted = baseline.unlisted.length;
  const problems = baselineProblems(baseline).slice(unlisted);
  if (problems.length === 0) return [caseNamed("baseline", "has no entry that passes, is unknown or has expired", 0)];
  return problems.map((problem) => {
    const failure = { "@message": sanitize(problem), "@type": "baseline", "#text": sanitize(problem) };
    return { ...caseNamed("baseline", problem, 0), failure };
  });
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
