import { countOf } from "../judge/judgement.js";
import { html, prose } from "../report/html.js";
import type { CheckEntry, Results, ViolationEntry } from "../report/results.js";
import { sanitizeShort } from "../report/sanitize.js";
import { commandFor, curlLine, verdictWords } from "../report/wording.js";
import { type RuleId, ruleById } from "../specification/catalogue/index.js";
import type { ExchangeLines, RunLinks } from "./run-files.js";
import { type Status, statusOf, statusTexts } from "./status.js";

/** What the page's descriptions of rules are made from. */
export interface RuleSources {
  readonly results: Results;
  readonly exchanges: ReadonlyMap<string, ExchangeLines>;
  readonly links: RunLinks;
}

/** Maximum violations shown per check. The results have all of them. */
const maxViolations = 3;

/** Maximum length of text that the target can influence. */
const maxText = 600;

/** The exchanges of a run that the page shows: for each check, those that show a violation, or else the first one. */
export function exchangesToShow({ rules }: Results): Set<string> {
  return new Set(rules.flatMap(({ checks }) => checks.flatMap(shownExchanges)));
}

function shownExchanges({ violations = [], exchanges }: CheckEntry): string[] {
  if (violations.length === 0) return exchanges.slice(0, 1);
  return violations
    .slice(0, maxViolations)
    .flatMap(({ exchange, comparedWith }) => [exchange, ...(comparedWith ? [comparedWith.exchange] : [])]);
}

/** The label of a status, as HTML. */
export function chip(status: Status): string {
  return `<b class="chip ${status}">${statusTexts[status].name}</b>`;
}

/**
 * Renders a rule with its readings, its checks and the exchanges behind them.
 *
 * @param words what the rule quotes of the statement
 */
export function ruleHtml(
  id: RuleId,
  words: readonly string[],
  open: boolean,
  { results, exchanges, links }: RuleSources,
): string {
  const entry = results.rules.find((rule) => rule.id === id);
  const rule = ruleById(id);
  const { statement, impact, reason } = rule;
  const readings = (entry?.reading ?? []).map(
    ({ ruling, text }) => `<p class="reading"><b>Reading ${html(ruling)}.</b> ${prose(text)}</p>`,
  );
  const notes = entry === undefined ? ["This run has no verdict on it."] : [entry.reason, entry.note, reason];
  const checks = (entry?.checks ?? []).map((check) => checkHtml(check, id, exchanges, links));
  const status = statusOf(entry);
  return `<details class="rule"${open ? " open" : ""}><summary>${chip(status)} <code>${html(id)}</code><br>${prose(statement)}</summary>
${words.length === 0 ? "" : `<p class="quiet">quotes ${words.map((text) => `<q>${html(text)}</q>`).join(", ")}</p>`}
<p class="quiet">${entry?.level ?? rule.level}${entry && entry.verdict !== status ? `, ${verdictWords[entry.verdict]}` : ""}. When broken: ${prose(impact)}</p>
${[...new Set(notes)].flatMap((note) => (note === undefined ? [] : [`<p>${html(sanitizeShort(note, maxText))}</p>`])).join("")}
${readings.join("\n")}
${checks.length === 0 ? "" : `<ul class="checks">${checks.join("\n")}</ul>`}
${entry === undefined || checks.length === 0 ? "" : `<pre>${html(commandFor(results, entry))}</pre>`}
</details>`;
}

function checkHtml(check: CheckEntry, rule: string, exchanges: RuleSources["exchanges"], links: RunLinks): string {
  const { name, verdict, assertions, message, violations = [], observations = [] } = check;
  const label = html(name.startsWith(`${rule} on `) ? name.slice(rule.length + 4) : name);
  const link = links.check(name);
  const made = `${countOf(assertions, "assertion")}, ${countOf(check.exchanges.length, "exchange")}`;
  const shown = violations.length > 0 ? [] : shownExchanges(check);
  return `<li><span class="${verdict}">${verdictWords[verdict]}</span> ${link === undefined ? label : `<a href="${html(link)}">${label}</a>`} <span class="quiet">${made}</span>
${message === undefined ? "" : `<p>${html(sanitizeShort(message, maxText))}</p>`}
${observations.map(({ what, seen }) => `<p>${html(sanitizeShort(`${what}: ${seen}`, maxText))}</p>`).join("")}
${violations
  .slice(0, maxViolations)
  .map((violation) => violationHtml(violation, exchanges))
  .join("")}
${violations.length > maxViolations ? `<p class="quiet">and ${violations.length - maxViolations} more</p>` : ""}
${shown.map((id) => exchangeHtml(id, exchanges)).join("")}</li>`;
}

function violationHtml(violation: ViolationEntry, exchanges: RuleSources["exchanges"]): string {
  const { message, exchange, comparedWith, path, count } = violation;
  const where = `${path === "" ? "the answer" : path}${count > 1 ? `, and ${countOf(count - 1, "other place")}` : ""}`;
  return `<div class="violation"><p>${html(sanitizeShort(message, maxText))}</p>
<p class="quiet">at <code>${html(sanitizeShort(where, maxText))}</code></p>
${exchangeHtml(exchange, exchanges)}${comparedWith ? exchangeHtml(comparedWith.exchange, exchanges) : ""}
<details><summary>Send again</summary><pre>${html(curlLine(violation))}</pre></details></div>`;
}

function exchangeHtml(id: string, exchanges: RuleSources["exchanges"]): string {
  const lines = exchanges.get(id);
  const body = lines ? `<code>${html(lines.request)}</code><br><code>${html(lines.answer)}</code>` : "";
  return `<p class="exchange"><span class="quiet">${html(id)}</span><br>${body}</p>`;
}
