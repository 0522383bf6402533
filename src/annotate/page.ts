import { pageMark } from "../files/page.js";
import { countOf } from "../judge/judgement.js";
import { dateElement, html } from "../report/html.js";
import type { Results } from "../report/results.js";
import { sanitizeShort } from "../report/sanitize.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { sectionHeading, sectionNames } from "../specification/sections.js";
import {
  type AnnotatedDocument,
  type AnnotatedStatement,
  countByStatus,
  isMarked,
  type SpecificationDifference,
} from "./annotation.js";
import { differenceName, documentHtml, panelId } from "./page-document.js";
import { chip, type RuleSources, ruleHtml } from "./page-rules.js";
import { annotationPageStyle, type Filter } from "./page-style.js";
import { isProblem, statuses, statusTexts } from "./status.js";

/** Maximum statements in the list of failed and unsettled ones, and maximum characters of each. */
const maxProblems = 25;
const maxProblemLength = 160;

/** Rules at the top of a statement's panel that are expanded even if nothing is wrong with them. */
const unfolded = 2;

/** Renders an annotated specification: one file that opens from the file system, has no script and loads nothing. */
export function annotatedPage(annotated: AnnotatedDocument, sources: RuleSources): string {
  const { annotation, units } = annotated;
  const { counts, run, document, harness } = annotation;
  const marked = units.filter(isMarked);
  const filters: Filter[] = [
    ...statuses.filter((status) => counts.byStatus[status] > 0),
    ...(annotation.differences.length > 0 ? (["differs"] as const) : []),
  ];
  const title = `${document.name}: what ${run.target.baseUrl} fulfils`;
  const ids = marked.map((unit) => ({ panel: panelId(unit), unit: unit.id }));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">${pageMark("annotate")}
<meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${html(title)}</title><style>
${annotationPageStyle(filters, ids)}</style></head><body>
<header class="top"><h1>${html(title)}</h1>
<p><b>${html(run.conclusion)}</b>, ${html(run.profile)} profile, seed ${run.seed}, ${dateElement(run.startedAt)}${run.target.embedded ? "; this is the embedded reference server" : ""}. ${runLinks(sources)}</p>
<p>${countOf(counts.statements, "statement")}, ${counts.covered === counts.statements ? "all of them" : `${counts.covered} of them`} quoted by rules or left out for a reason; ${
    counts.byStatus.unchecked === 0
      ? "no requirement lacks a rule"
      : `<b>${counts.byStatus.unchecked} covered by no rule</b>`
  }. ${counts.quotes - counts.quotesLost} of the ${counts.quotes} quotes of the rules are in the document.</p>
${bar(units)}
${problemsHtml(marked)}</header>
${differencesHtml(annotated)}
${sectionsHtml(units)}
<div class="filters"><div>${["all" as const, ...filters].map((filter) => filterHtml(filter, annotated)).join("")}</div></div>
<main>
${documentHtml(annotated)}</main>
<aside class="panel hint"><h2>How to read this page</h2>
<p>Each sentence and each row of a table is marked with what the run says of it. The words that a rule quotes have the colour of that rule. Choose one for the rules, how they are read, and the exchanges behind them.</p>
<p>${statuses.map((status) => `${chip(status)} ${statusTexts[status].meaning}`).join("<br>")}</p>
<p>A sentence that several rules quote has the most severe of their marks, in this order: it passes only if no part of it was left out.</p>
<p class="quiet">Made by ${html(harness.name)} ${html(harness.version)} from ${html(document.name)}, SHA-256 ${document.digest}.</p></aside>
${marked.map((unit, index) => panelHtml(unit, marked[index - 1], marked[index + 1], sources)).join("\n")}
</body></html>
`;
}

function runLinks({ links, results }: RuleSources): string {
  const named: readonly (readonly [string, string | undefined])[] = [
    ["report", links.file("allureReport", "index.html")],
    ["results", links.file("results")],
    ["exchanges (HAR)", links.file("har")],
    ["evidence", links.file("evidence")],
  ];
  const anchors = named.flatMap(([text, href]) => (href === undefined ? [] : [`<a href="${html(href)}">${text}</a>`]));
  const unsealed = sealedNote(results);
  return `${anchors.join(", ")}${unsealed === undefined ? "" : ` <b>${unsealed}</b>`}`;
}

/** The warning to show if the results cannot be checked against a sealed record. */
function sealedNote({ evidence, shards, rounds, incomplete }: Results): string | undefined {
  if (incomplete) return "The run was interrupted.";
  if (rounds) return "The run was made in rounds, whose records were not verified.";
  return (evidence ?? shards) ? undefined : "The record of exchanges is not complete.";
}

/** The statements that the target violates or that are not settled; only the first ones if there are many. */
function problemsHtml(marked: readonly AnnotatedStatement[]): string {
  const problems = marked.filter(({ status }) => isProblem(status));
  if (problems.length === 0) return "";
  const items = problems
    .slice(0, maxProblems)
    .map(
      (unit) =>
        `<li>${chip(unit.status)} <a href="#${panelId(unit)}">${html(headingOf(unit.section))}, line ${unit.line}</a>: ${html(sanitizeShort(unit.text, maxProblemLength))}</li>`,
    );
  const more = problems.length > maxProblems ? `<li>and ${problems.length - maxProblems} more below</li>` : "";
  return `<div class="problems"><ul>${items.join("\n")}${more}</ul></div>`;
}

function bar(units: readonly AnnotatedStatement[]): string {
  const counted = countByStatus(units);
  const parts = statuses.filter((status) => counted[status] > 0);
  const label = parts.map((status) => `${counted[status]} ${statusTexts[status].name}`).join(", ");
  return `<div class="bar" role="img" aria-label="${label}" title="${label}">${parts
    .map((status) => `<i class="${status}" style="flex:${counted[status]}"></i>`)
    .join("")}</div>`;
}

function filterHtml(filter: Filter | "all", { annotation: { counts, differences } }: AnnotatedDocument): string {
  const [name, count] =
    filter === "all"
      ? ["all", counts.statements]
      : filter === "differs"
        ? ["differs from the quoted text", differences.length]
        : [statusTexts[filter].name, counts.byStatus[filter]];
  return `<label class="${filter}"><input type="radio" name="filter" id="f-${filter}"${filter === "all" ? " checked" : ""}><b>${count}</b> ${name}</label>`;
}

function sectionsHtml(units: readonly AnnotatedStatement[]): string {
  const places = [...new Set(units.map(({ section }) => section))];
  const items = places.flatMap((place) => {
    const statements = units.filter(({ section, kind }) => section === place && kind === "statement");
    const first = units.find(({ section }) => section === place);
    if (statements.length === 0 || first === undefined) return [];
    const counted = countByStatus(statements);
    const said = statuses
      .filter((status) => (status === "pass" || isProblem(status)) && counted[status] > 0)
      .map((status) => `<span class="${status} count">${counted[status]} ${statusTexts[status].name}</span>`);
    return [
      `<li><a href="#${first.id}">${html(headingOf(place))} <span class="quiet">${said.join(", ")}</span>${bar(statements)}</a></li>`,
    ];
  });
  return `<nav class="sections"><ul>${items.join("\n")}</ul></nav>`;
}

function headingOf(section: string): string {
  const known = sectionNames.find((name) => name === section);
  return known === undefined ? section : sectionHeading(known);
}

const differenceTexts: Readonly<
  Record<SpecificationDifference["kind"], { readonly title: string; readonly meaning: string }>
> = {
  changed: { title: "Changed", meaning: "The rules were written for different words." },
  gone: { title: "Gone", meaning: "The rules still require this; the document no longer does." },
  new: { title: "New", meaning: "No rule covers it." },
  moved: { title: "Moved", meaning: "The words are the same, in another place." },
};

function differencesHtml({ annotation: { differences, renamed, counts } }: AnnotatedDocument): string {
  if (differences.length === 0 && renamed.length === 0)
    return `<div class="differences"><div class="box same"><p>The document is word for word the one that the rules quote.</p></div></div>`;
  const kinds = (["changed", "gone", "new", "moved"] as const).filter((kind) => counts.differences[kind] > 0);
  const parts = kinds.map((kind) => {
    const { title, meaning } = differenceTexts[kind];
    const items = differences.filter((difference) => difference.kind === kind).map(differenceHtml);
    return `<h3>${title} (${items.length})</h3><p class="quiet">${meaning}</p><ul>${items.join("\n")}</ul>`;
  });
  const sections = renamed.map(({ from, to }) => `<li>${html(headingOf(from))} is ${html(to)} now</li>`);
  return `<div class="differences"><div class="box"><h2>Not the text that the rules quote</h2>
${sections.length === 0 ? "" : `<p>Sections with another number or name:</p><ul>${sections.join("")}</ul>`}
${parts.join("\n")}</div></div>`;
}

function differenceHtml({
  section,
  line,
  text,
  statement,
  lost,
  rules,
  movedFrom,
  kind,
}: SpecificationDifference): string {
  const place = line === undefined ? html(section) : `${html(section)}, ${kind === "gone" ? "after " : ""}line ${line}`;
  const link = statement === undefined ? place : `<a href="#${statement}">${place}</a>`;
  const from =
    movedFrom === undefined || movedFrom === section ? "" : ` <span class="quiet">from ${html(movedFrom)}</span>`;
  const words = lost.map((quote) => `<q>${html(quote)}</q>`).join(", ");
  const touched = rules.map((id) => `<code>${html(id)}</code>`).join(", ");
  return `<li>${link}${from}${text === undefined ? (words === "" ? ": a heading or label" : "") : `: ${html(text)}`}${words === "" ? "" : `<br><span class="quiet">quoted, and not there: ${words}</span>`}${
    touched === "" ? "" : `<br><span class="quiet">rules: ${touched}</span>`
  }</li>`;
}

function panelHtml(
  unit: AnnotatedStatement,
  before: AnnotatedStatement | undefined,
  after: AnnotatedStatement | undefined,
  sources: RuleSources,
): string {
  const step = (to: AnnotatedStatement | undefined, sign: string, name: string) =>
    to ? `<a href="#${panelId(to)}" title="${name}">${sign}</a>` : "";
  const wordsOf = (id: RuleId) =>
    unit.quotes.filter(({ rules }) => rules.includes(id)).map(({ from, to }) => unit.text.slice(from, to));
  const excluded = unit.quotes.flatMap(({ from, to, exclusion }) =>
    exclusion === undefined ? [] : [`<p><q>${html(unit.text.slice(from, to))}</q>: ${html(exclusion)}</p>`],
  );
  const rules = unit.rules.map(({ id, status }, index) => {
    const open = index < unfolded || isProblem(status);
    return ruleHtml(id, wordsOf(id), open, sources);
  });
  return `<section class="panel" id="${panelId(unit)}"><header><span>${html(headingOf(unit.section))} <span class="quiet">line ${unit.line}</span></span>${step(before, "‹", "the statement before")}${step(after, "›", "the next statement")}<a href="#${unit.id}" title="close">×</a></header>
<blockquote>${html(unit.text)}</blockquote>
<p>${chip(unit.status)} ${statusTexts[unit.status].meaning}</p>
${differenceNote(unit)}${excluded.join("")}
${rules.join("\n")}</section>`;
}

function differenceNote(unit: AnnotatedStatement): string {
  const name = differenceName(unit);
  if (name === undefined) return "";
  if (name === "new") return "<p><b>New:</b> it is not in the text that the rules quote.</p>";
  if (name === "moved") return `<p><b>Moved</b> from ${html(headingOf(unit.movedFrom ?? ""))}.</p>`;
  const lost = unit.lost.map(
    ({ text, rules }) => `<li><q>${html(text)}</q> ${rules.map((id) => `<code>${html(id)}</code>`).join(", ")}</li>`,
  );
  return `<p><b>Changed:</b> what the run says was judged by the former words.${lost.length === 0 ? "" : " Quoted, and not there any more:"}</p>${lost.length === 0 ? "" : `<ul>${lost.join("")}</ul>`}`;
}
