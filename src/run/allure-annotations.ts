import * as allure from "allure-js-commons";
import { ContentType, type Status } from "allure-js-commons";
import type { Exchange } from "../connect/exchange.js";
import { requestInWords } from "../engine/request-in-words.js";
import type { CheckResult } from "../engine/result.js";
import type { CheckDefinition, SuiteDefinition } from "../engine/suite.js";
import { arrivalPlot } from "../evidence/arrival-plot.js";
import { toAllureHttpExchange } from "../evidence/http-exchange.js";
import { allureSeverities, allureTags, ruleDescription } from "../report/rule-description.js";
import { sanitize, sanitizeLines } from "../report/sanitize.js";
import { comparedInWords } from "../report/wording.js";
import { endpoints } from "../specification/endpoints.js";
import { streamIntervalDefaultMs, streamIntervalMaxMs, streamIntervalMinMs } from "../specification/limits.js";
import { anyRuleById } from "../specification/own-rules.js";
import { levelUnder, type Readings, rulingsUnder } from "../specification/readings.js";
import { sectionHeading } from "../specification/sections.js";

/** Length limit of a body in an attachment, in characters; the whole body is in the evidence. */
const maxBody = 2_000;
const maxBodyOnFailure = 20_000;

/** Maximum number of shell commands to show; `results.json` has all of them. */
const maxCommands = 5;

/** A check that ran as a test. */
export interface TestedCheck {
  readonly suite: SuiteDefinition;
  readonly check: CheckDefinition;
  readonly result: CheckResult;
  readonly exchanges: readonly Exchange[];
  readonly readings: Readings;
}

/** Adds labels, a description and the relevant exchanges to the current Allure test. */
export async function annotateTest({ suite, check, result, exchanges, readings }: TestedCheck): Promise<void> {
  const rule = { ...anyRuleById(check.rule), level: levelUnder(readings, check.rule) };
  await allure.parentSuite(result.own ? suite.title : sectionHeading(rule.section));
  await allure.suite(check.rule);
  await allure.historyId(check.name);
  await allure.testCaseId(check.name);
  await allure.severity(allureSeverities[rule.level]);
  await allure.labels(
    { name: "check", value: check.name },
    { name: "verdict", value: result.verdict },
    { name: "endpoint", value: endpoints[check.endpoint].path },
    { name: "level", value: rule.level },
  );
  const tag = allureTags[result.verdict];
  if (tag !== undefined) await allure.tag(tag);
  const { rulings: cited = [] } = rule;
  const rulings = rulingsUnder(readings);
  const texts = cited.map((ruling) => ({ ruling, text: rulings[ruling].reading }));
  await allure.description(ruleDescription(rule, texts, result.verdict));
  const remarks = remarksOn(result);
  if (remarks !== "") await allure.attachment("What was seen", sanitizeLines(remarks), ContentType.TEXT);
  const commands = [...new Set(result.violations.map(({ curl }) => curl))].slice(0, maxCommands);
  if (commands.length > 0)
    await allure.attachment("Send again (shell)", commands.map(sanitize).join("\n\n"), ContentType.TEXT);
  if (result.verdict === "warn") {
    for (const violation of result.violations) await allure.logStep(sanitize(violation.message), "broken" as Status);
  }
  // For a pass the request is enough: hundreds of answers would make the report several times as large. The request differs
  // with each seed, so it is excluded from the test's history id.
  const last = exchanges.at(-1);
  if (result.verdict === "pass" && last)
    await allure.parameter("request", sanitize(requestInWords(last.request)), { excluded: true });
  for (const exchange of worthShowing(result, exchanges)) await attachExchange(exchange, result.violations.length > 0);
}

async function attachExchange(exchange: Exchange, isViolation: boolean): Promise<void> {
  const plot = exchange.frames && isViolation ? arrivalPlot(exchange, intervalOf(exchange)) : "";
  if (plot !== "") await allure.attachment(`Arrivals of ${exchange.id}`, plot, ContentType.SVG);
  const content = JSON.stringify(
    toAllureHttpExchange(exchange, isViolation ? maxBodyOnFailure : maxBody),
    sanitizeText,
  );
  const contentType = "application/vnd.allure.http+json";
  await allure.attachment(`Exchange ${exchange.id}`, content, { contentType, fileExtension: "httpexchange" });
}

/** The result in words: message, observations, violations, counterexample. */
function remarksOn(result: CheckResult): string {
  const lines: string[] = [];
  if (result.message) lines.push(result.message);
  for (const { what, seen } of result.observations ?? []) lines.push(`${what}: ${seen}`);
  for (const violation of result.violations) {
    const { places, count, rows, excerpt, pointer, request, comparedWith, message } = violation;
    lines.push("", message);
    for (const { path, expected, seen } of places)
      lines.push("", `  place     ${path || "the answer"}`, `  expected  ${expected}`, `  seen      ${seen}`);
    if (count > places.length) lines.push("", `  and ${count - places.length} more of the same`);
    if (rows !== undefined) lines.push("", `  rows      ${rows}`);
    if (excerpt !== "") lines.push("", `  ${pointer || "the answer"}  ${excerpt}`);
    lines.push("", `  request   ${request}`, `  exchange  ${places[0]?.exchange ?? ""}`);
    if (comparedWith)
      lines.push(`  compared to ${comparedInWords(comparedWith)}`, `  exchange  ${comparedWith.exchange}`);
  }
  if (result.counterexample) {
    const { values, shrinks, seed } = result.counterexample;
    lines.push("", `smallest counterexample: ${values} (after ${shrinks} steps of shrinking, seed ${seed})`);
  }
  return lines.join("\n").trim();
}

/** The interval that a stream request asked for, clamped as documented (§4.2), in milliseconds. */
function intervalOf({ request }: Exchange): number {
  const asked = /"updateIntervalMs":(-?\d+)/.exec(request.body)?.[1];
  if (asked === undefined || Number(asked) === 0) return streamIntervalDefaultMs;
  return Math.min(streamIntervalMaxMs, Math.max(streamIntervalMinMs, Number(asked)));
}

/** Replacer for the viewer: shows characters that reorder or hide text as codes. The record has the original bytes. */
function sanitizeText(_: string, value: unknown): unknown {
  return typeof value === "string" ? sanitizeLines(value) : value;
}

/** The exchanges to attach: up to three that show violations, else the last one. None on a pass. */
function worthShowing(result: CheckResult, exchanges: readonly Exchange[]): readonly Exchange[] {
  if (result.verdict === "pass") return [];
  const shown = new Set(result.violations.map((violation) => violation.places[0]?.exchange));
  return shown.size > 0 ? exchanges.filter(({ id }) => shown.has(id)).slice(0, 3) : exchanges.slice(-1);
}
