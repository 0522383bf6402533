import { labelsInWords } from "../config/labels.js";
import type { Verdict } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { sectionHeading, sectionNames } from "../specification/sections.js";
import { type EarlierRun, failingSince } from "./allure-history.js";
import { baselineProblems, unexpectedRules } from "./baseline.js";
import { blockedRules, byCause } from "./causes.js";
import { changesInWords } from "./changes.js";
import { dateElement, factTable, html, prose, verdictTone } from "./html.js";
import { type CheckEntry, type Results, type RuleEntry, reportedVerdicts, rulesWith } from "./results.js";
import { sanitizeShort } from "./sanitize.js";
import {
  combinationsLine,
  commandFor,
  commandOf,
  conclusionInWords,
  curlLine,
  detectionPowerLine,
  implementationOf,
  limitationsLine,
  nothingToJudge,
  reasonOf,
  rulesByReason,
  sameCauseTitle,
  verdictWords,
  violationLines,
} from "./wording.js";

/** Maximum length of one line of text from the target. */
const maxLine = 400;

/** Maximum groups of failed rules shown expanded, and violations shown per check. Allure's pages list all of them. */
const maxUnfolded = 10;
const maxViolations = 3;

/** What the parts of the page are made from. */
interface Page {
  readonly results: Results;
  readonly linkOf: LinkOf;
  /** Earlier runs, newest first. */
  readonly earlier: readonly EarlierRun[];
}

/** Returns the address of a check's page in the report, by check name; undefined if it has none. */
export type LinkOf = (check: string) => string | undefined;

/** The colour of a conclusion: only a conformant target is green. */
const tones = { conformant: "good", "not-conformant": "bad", undecided: "open" } as const;

/** The CSS class that shows a run's conclusion. */
export function toneOf({ summary }: Results): "good" | "bad" | "open" {
  return tones[summary.conclusion];
}

/**
 * Renders the front page of the report as HTML: the conclusion, then what failed, then what was not settled. Everything else
 * is behind links.
 *
 * @param earlier earlier runs, newest first
 */
export function frontPage(results: Results, linkOf: LinkOf, earlier: readonly EarlierRun[] = []): string {
  const page: Page = { results, linkOf, earlier };
  return [
    banner(results),
    countsOf(results),
    changes(results),
    baselineSection(results),
    violatedSection(page, "fail", "Failed rules"),
    reasonedSection(page, "error", "Rules in error: the harness broke, or the target was not reached"),
    blockedSection(page),
    reasonedSection(page, "inconclusive", "Inconclusive, and what would settle it"),
    violatedSection(
      page,
      "warn",
      results.strict ? "Warnings: they count, the run is strict" : "Warnings: advisory rules, which do not count",
    ),
    reasonedSection(page, "unimplemented", "Unimplemented operations"),
    reasonedSection(page, "notApplicable", `Not applicable: ${nothingToJudge}`),
    operations(results),
    sections(results),
    facts(results),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function banner(results: Results): string {
  const { summary, target } = results;
  const lines = summary.reasons.map((reason) => `<li>${html(sanitizeShort(reason, maxLine))}</li>`);
  const implementation = implementationOf(results);
  return `<header class="banner ${toneOf(results)} front-banner">${ring(results)}<div>
<p class="soft">${html(implementation ? `${implementation}, ` : "")}${html(target.baseUrl)}</p>
<h1 class="${toneOf(results)}">${html(conclusionInWords(results))}</h1>
${lines.length > 0 ? `<ul>${lines.join("")}</ul>` : ""}
<p><a href="#/">All checks</a> · <a href="#categories">By verdict</a> · <a href="../summary.md">summary.md</a> · <a href="../results.json">results.json</a> · <a href="../evidence.har">evidence.har</a></p>
</div></header>`;
}

/** A ring in the colour of the conclusion, filled to the share of conclusive rules. */
function ring(results: Results): string {
  const { conclusive, judged } = results.summary.conclusiveness;
  const radius = 42;
  const whole = 2 * Math.PI * radius;
  const length = judged === 0 ? 0 : (whole * conclusive) / judged;
  return `<svg class="ring" viewBox="0 0 100 100" role="img" aria-label="${html(`${conclusive} of ${judged} rules conclusive`)}">
<circle cx="50" cy="50" r="${radius}" fill="none" stroke="var(--line)" stroke-width="9"/>
<circle cx="50" cy="50" r="${radius}" fill="none" stroke="var(--${toneOf(results)})" stroke-width="9" stroke-dasharray="${length.toFixed(2)} ${whole.toFixed(2)}" transform="rotate(-90 50 50)"/>
<text x="50" y="50" text-anchor="middle" font-size="15" font-weight="700" fill="currentColor">${conclusive}/${judged}</text>
<text x="50" y="64" text-anchor="middle" font-size="9.5" fill="currentColor">conclusive</text></svg>`;
}

function countsOf({ summary: { verdicts } }: Results): string {
  const chips = reportedVerdicts
    .filter((verdict) => verdicts[verdict] > 0)
    .map(
      (verdict) => `<span class="chip ${verdictTone(verdict)}">${verdicts[verdict]} ${verdictWords[verdict]}</span>`,
    );
  return `<p class="chips">${chips.join(" ")} <span class="soft">rules</span></p>`;
}

function baselineSection({ baseline }: Results): string {
  if (!baseline) return "";
  const problems = baselineProblems(baseline);
  const known = baseline.entries.filter(({ state }) => state === "known").map(({ message }) => message);
  const list = (lines: readonly string[]) => `<ul>${lines.map((line) => `<li>${html(line)}</li>`).join("")}</ul>`;
  return [
    problems.length > 0 ? `<h2 class="bad">The baseline does not hold</h2>${list(problems)}` : "",
    known.length > 0
      ? `<details><summary><b>${countOf(known.length, "known deviation")}, accepted by the baseline</b></summary>${list(known)}</details>`
      : "",
  ].join("");
}

/** What changed since the previous run in the same folder. */
function changes({ before }: Results): string {
  if (before === undefined) return "";
  const { startedAt, labels } = before;
  const which = `the run of ${dateElement(startedAt)}${labels ? ` (${html(labelsInWords(labels))})` : ""}`;
  const lines = changesInWords(before).map(
    ([what, ids]) => `<li>${what}: ${ids.map((id) => `<code>${html(id)}</code>`).join(", ")}</li>`,
  );
  return lines.length === 0
    ? `<p class="soft">Nothing is new since ${which}.</p>`
    : `<section><h2>Since ${which}</h2><ul>${lines.join("")}</ul></section>`;
}

/** The run since which a rule has failed, as far back as the history goes. */
function since({ checks }: RuleEntry, earlier: readonly EarlierRun[]): string {
  const names = checks.filter(({ verdict }) => verdict === "fail").map(({ name }) => name);
  const found = failingSince(names, earlier);
  if (found === undefined) return "";
  if (found.run === undefined) return '<p class="soft">Did not fail in the run before.</p>';
  // The name consists of conclusion, profile and target, then any labels.
  const labels = found.run.name.split(" · ").slice(3).join(", ");
  const which = labels === "" ? `that of ${dateElement(found.run.startedAt)}` : html(labels);
  return `<p class="soft">Fails in each of ${found.runs} runs, since ${which}.</p>`;
}

/** Violated rules. Rules that may share a cause are grouped. */
function violatedSection({ results, linkOf, earlier }: Page, verdict: "fail" | "warn", title: string): string {
  const rules = unexpectedRules(results, verdict);
  if (rules.length === 0) return "";
  const groups = byCause(rules).map(({ place, rules: [first, ...others] }, index) => {
    const related = others.map(
      (rule) => `<li>${ruleLink(rule, linkOf)}: ${html(sanitizeShort(reasonOf(rule), maxLine))}</li>`,
    );
    const more =
      related.length > 0 ? `<p>${html(sameCauseTitle(others.length, place))}:</p><ul>${related.join("")}</ul>` : "";
    return `<details class="card ${verdictTone(verdict)}"${index < maxUnfolded ? " open" : ""}><summary><b>${html(first.id)}</b> <span class="soft">${html(sectionHeading(first.section))}</span></summary>
${since(first, earlier)}<p>${prose(first.statement)} <span class="soft">${prose(first.impact)}</span></p>
${violatedChecks(first, linkOf)}
<details><summary>Repeat it</summary><pre>${html(commandFor(results, first))}</pre></details>${more}</details>`;
  });
  return `<section><h2>${html(title)} (${rules.length})</h2>${groups.join("\n")}</section>`;
}

/** The violations of a rule. For each operation, shows those of the first check and lists the other checks that failed. */
function violatedChecks(rule: RuleEntry, linkOf: LinkOf): string {
  const violated = rule.checks.filter(({ violations = [] }) => violations.length > 0);
  const operations = [...new Set(violated.map(({ endpoint }) => endpoint))];
  return operations
    .map((operation) => {
      const [first, ...others] = violated.filter(({ endpoint }) => endpoint === operation);
      if (!first) return "";
      const related = others.map((check) => `<li>${checkLink(check, linkOf)}</li>`).join("");
      const alsoBroken = related === "" ? "" : `<p class="soft">Also found broken by:</p><ul>${related}</ul>`;
      return `${violatedCheck(rule, first, linkOf)}${alsoBroken}`;
    })
    .join("\n");
}

function violatedCheck(rule: RuleEntry, check: CheckEntry, linkOf: LinkOf): string {
  const violations = check.violations ?? [];
  const shown = violations.slice(0, maxViolations).map((violation) => {
    const lines = violationLines(rule, violation, maxLine);
    const { expected, seen, where, request, exchange, "compared to": comparedTo } = lines;
    return factTable([
      ["expected", `<code>${html(expected)}</code>`],
      ["seen", `<code class="bad">${html(seen)}</code>`],
      ["where", `<code>${html(where)}</code>`],
      ["request", `<code>${html(request)}</code>`],
      ["compared to", comparedTo === undefined ? undefined : `<code>${html(comparedTo)}</code>`],
      ["exchange", `<code>${html(exchange)}</code>`],
      ["send again", `<details><summary>a line for a shell</summary><pre>${html(curlLine(violation))}</pre></details>`],
    ]);
  });
  const rest = violations.length - shown.length;
  return `<h3>${checkLink(check, linkOf)}</h3>${shown.join("")}${rest > 0 ? `<p class="soft">and ${countOf(rest, "other violation")}</p>` : ""}`;
}

function blockedSection({ results, linkOf }: Page): string {
  const groups = blockedRules(results);
  if (groups.length === 0) return "";
  const items = groups.map(
    ({ cause, rules }) =>
      `<div class="card open"><p><b>${html(sanitizeShort(cause, maxLine))}</b></p>${foldedRules(rules, linkOf)}</div>`,
  );
  return `<section><h2>Blocked: an operation that these rules need does not work (${rulesWith(results, "blocked").length})</h2>${items.join("")}</section>`;
}

/** The rules with a verdict, by what was said about them; folded if they need no attention. */
function reasonedSection({ results, linkOf }: Page, verdict: Verdict, title: string): string {
  const rules = rulesWith(results, verdict);
  if (rules.length === 0) return "";
  const items = rulesByReason(rules, reasonOf).map(
    ({ reason, rules: same }) => `<li>${html(sanitizeShort(reason, maxLine))}${foldedRules(same, linkOf)}</li>`,
  );
  const list = `<ul class="reasons">${items.join("")}</ul>`;
  const heading = `${html(title)} (${rules.length})`;
  return verdict !== "notApplicable"
    ? `<section><h2>${heading}</h2>${list}</section>`
    : `<section><details><summary><b>${heading}</b></summary>${list}</details></section>`;
}

/** Links to rules. A long list is collapsed. */
function foldedRules(rules: readonly RuleEntry[], linkOf: LinkOf): string {
  const links = rules.map((rule) => ruleLink(rule, linkOf)).join(", ");
  return rules.length <= 5
    ? `<div>${links}</div>`
    : `<details><summary>${countOf(rules.length, "rule")}</summary>${links}</details>`;
}

function ruleLink(rule: RuleEntry, linkOf: LinkOf): string {
  const check = rule.checks.find(({ verdict }) => verdict === rule.verdict) ?? rule.checks[0];
  return anchor(linkOf(check?.name ?? rule.id), rule.id);
}

function checkLink({ name }: CheckEntry, linkOf: LinkOf): string {
  return anchor(linkOf(name), name);
}

function anchor(href: string | undefined, text: string): string {
  return href === undefined ? `<code>${html(text)}</code>` : `<a href="${html(href)}"><code>${html(text)}</code></a>`;
}

/** Verdicts that have a column in the tables of counts, if there are any. */
const columns = ["fail", "error", "warn", "inconclusive", "blocked", "pass"] as const satisfies readonly Verdict[];

function operations(results: Results): string {
  const checks = results.rules.flatMap((rule) => rule.checks);
  const rows = results.summary.operations.map(({ name, worked, answered, declared }) => {
    const of = checks.filter(({ endpoint }) => endpoint === name);
    const state = worked ? "works" : declared ? "declared as not implemented" : (answered ?? "was not seen to work");
    return { head: `${html(name)}<div class="soft">${html(sanitizeShort(state, maxLine))}</div>`, of };
  });
  return countsTable("Checks by operation", "Operation", rows);
}

function sections(results: Results): string {
  const rows = sectionNames
    .map((section) => ({ section, rules: results.rules.filter((rule) => rule.section === section && !rule.own) }))
    .filter(({ rules }) => rules.some(({ verdict }) => columns.some((column) => column === verdict)))
    .sort((a, b) => severity(a.rules) - severity(b.rules))
    .map(({ section, rules }) => ({ head: html(sectionHeading(section)), of: rules }));
  return countsTable("Rules by section, failed ones first", "Section", rows);
}

function severity(rules: readonly RuleEntry[]): number {
  const place = columns.findIndex((column) => column !== "pass" && rules.some(({ verdict }) => verdict === column));
  return place === -1 ? columns.length : place;
}

/** A row of a table of counts: its heading, as HTML, and what is counted. */
interface CountsRow {
  readonly head: string;
  readonly of: readonly { readonly verdict: Verdict }[];
}

/** A table of verdicts. A verdict that occurs nowhere has no column. */
function countsTable(title: string, first: string, rows: readonly CountsRow[]): string {
  if (rows.length === 0) return "";
  const countOfVerdict = ({ of }: CountsRow, wanted: Verdict) => of.filter(({ verdict }) => verdict === wanted).length;
  const shown = columns.filter((column) => rows.some((row) => countOfVerdict(row, column) > 0));
  const lines = rows.map((row) => {
    const cells = shown.map((column) => {
      const count = countOfVerdict(row, column);
      return `<td class="number ${count > 0 ? verdictTone(column) : "soft"}">${count || "–"}</td>`;
    });
    return `<tr><th scope="row">${row.head}</th>${cells.join("")}</tr>`;
  });
  const heads = shown.map((column) => `<th scope="col">${verdictWords[column]}</th>`).join("");
  return `<section><h2>${html(title)}</h2><div class="scroll"><table><thead><tr><th scope="col">${html(first)}</th>${heads}</tr></thead><tbody>${lines.join("\n")}</tbody></table></div></section>`;
}

function facts(results: Results): string {
  const { target, profile, seed, requests, durationMs, startedAt, specification, harness, summary } = results;
  const implementation = Object.entries(target.implementation ?? {}).map(([name, value]) => `${name} ${value}`);
  return `<section><h2>The run</h2>${factTable([
    ["Target", html(target.baseUrl)],
    ["Implementation", html(implementation.join(", "))],
    ["Limits of the conclusion", html(limitationsLine(results))],
    ["Labels", results.labels && html(labelsInWords(results.labels))],
    ["Profile", `${html(profile)}, seed ${seed}`],
    ["Started", dateElement(startedAt)],
    [
      "Took",
      `${(durationMs / 1000).toFixed(1)} s, ${requests.count} requests, of them ${countOf(requests.streams, "stream")}`,
    ],
    ["Combinations tried", html(combinationsLine(summary.interactions))],
    [
      "Specification",
      html(`${specification.name} ${specification.version}, catalogue ${specification.catalogueDigest}`),
    ],
    ["Harness", html(`${harness.name} ${harness.version}`)],
    ["Detection power of the harness", html(detectionPowerLine)],
    ["Repeat the run", `<code>${html(commandOf(results))}</code>`],
  ])}</section>`;
}

/** CSS of the front page, in addition to what all pages share. */
export const frontStyle = `
.page .front-banner{display:flex;gap:1.2rem;align-items:flex-start}.page .ring{width:7rem;flex:none}
.page .front-banner h1{font-size:2rem;margin:0}.page .chips{margin:1rem 0;line-height:2.1}
.page .number{text-align:right;overflow-wrap:normal}.page td.number:not(.soft){font-weight:600}
.page .reasons>li{margin:.4rem 0}
@media(max-width:40rem){.page .front-banner{flex-direction:column}.page .ring{width:5.5rem}.page .front-banner h1{font-size:1.6rem}}
`;
