/** Renders a comparison as one page that opens from the file system, loads nothing, and fits a phone. */
import { labelsInWords } from "../config/labels.js";
import { pageMark } from "../files/page.js";
import { countOf } from "../judge/judgement.js";
import { dateElement, html, prose } from "../report/html.js";
import { part, widePage } from "../report/wide-page.js";
import { answerDifferenceKinds, type Both, type DifferencePlace } from "./answers.js";
import type {
  Comparison,
  ObservationDifference,
  ObservationRow,
  RuleCell,
  RuleGroup,
  RunSummary,
} from "./comparison.js";
import {
  answerKindTitles,
  cellText,
  groupTitle,
  headline,
  interactionsText,
  timesText,
  verdictWord,
} from "./wording.js";

/** A file of a run, as linked from the page. */
export interface RunLink {
  /** `report`, `results`, `evidence`. */
  readonly what: string;
  /** Relative to the page, escaped for a URL. */
  readonly href: string;
}

/**
 * The page of a comparison.
 *
 * @param links the files of each run, in the order of the runs
 */
export function comparisonPage(comparison: Comparison, links: readonly (readonly RunLink[])[]): string {
  const { runs, notes, rules, observations, regressions } = comparison;
  const title = `Comparison of ${runs.map(({ name }) => name).join(", ")}`;
  const body = `<h1>${html(title)}</h1>
<p class="lead">${html(headline(comparison))}.</p>
${regressions.length > 0 ? `<p class="alarm">${countOf(regressions.length, "regression")} against ${html(runs[0]?.name ?? "")}: ${regressions.map((id) => `<a href="#${anchor(id)}"><code>${html(id)}</code></a>`).join(", ")}</p>` : ""}
<section class="runs">${runs.map((run, at) => runCard(run, links[at] ?? [])).join("")}</section>
${notes.length > 0 ? `<ul class="notes">${notes.map((note) => `<li>${html(note)}</li>`).join("")}</ul>` : ""}
${rules.groups.map((group) => ruleSection(group, comparison)).join("\n")}
${onlyIn(comparison)}
${answers(comparison)}
${observationSection("kind", "Observations that differ in kind", observations, runs)}
${observationSection("amounts", "Observations that differ in amounts or texts", observations, runs)}
${observationSection("times", "Observations that differ in times", observations, runs)}
${observationSection("none", "The same observations", observations, runs)}
${timesSection(comparison)}
${interactionsSection(comparison)}`;
  return widePage({ title, body, style, mark: pageMark("compare") });
}

function runCard(run: RunSummary, links: readonly RunLink[]): string {
  const {
    name,
    target,
    implementation,
    conclusion,
    reasons,
    verdicts,
    profile,
    seed,
    startedAt,
    requests,
    durationMs,
    labels,
  } = run;
  const counts = (["pass", "fail", "warn", "inconclusive"] as const)
    .filter((verdict) => verdicts[verdict] > 0)
    .map((verdict) => `${verdicts[verdict]} ${verdictWord({ verdict })}`);
  const made = `${profile} profile, seed ${seed}, ${requests} requests in ${(durationMs / 1000).toFixed(1)} s, version ${run.harness.version}`;
  return `<article><h2>${html(name)} <span class="chip ${conclusion}">${conclusion.replace("-", " ")}</span></h2>
<p>${implementation === undefined ? "" : `${html(implementation)}, `}${html(target)}${labels === undefined ? "" : ` <span class="dim">${html(labelsInWords(labels))}</span>`}</p>
<details><summary>${html(counts.join(", ") || "nothing was judged")}</summary><p class="dim">${html(made)}, ${dateElement(startedAt)}</p>
${reasons.length > 0 ? `<p class="dim">${html(reasons.slice(0, 3).join("; "))}</p>` : ""}</details>
${links.length > 0 ? `<p>${links.map(({ what, href }) => `<a href="${html(href)}">${html(what)}</a>`).join(" · ")}</p>` : ""}</article>`;
}

function ruleSection(group: RuleGroup, comparison: Comparison): string {
  const rows = group.rules.map(({ id, section, level, statement, cells }) => ({
    id: anchor(id),
    head: `<code>${html(id)}</code><span class="dim">${html(section)}, ${html(level)}</span><span>${prose(statement)}</span>`,
    cells: cells.map(ruleCell),
  }));
  const title = `${groupTitle(group.difference, comparison)} (${group.rules.length})`;
  return part(title, table("Rule", comparison.runs, rows), group.difference !== "notCompared");
}

function ruleCell(cell: RuleCell): string {
  const { verdict, violation, reason, command, violatedOn } = cell;
  const chip = `<span class="chip ${verdict}">${verdictWord(cell)}</span>`;
  if (!violation) return reason === undefined ? chip : `${chip}<small>${html(reason)}</small>`;
  return `${chip}<small>${html(violation.message)}</small><details><summary>evidence</summary><dl>
<dt>on</dt><dd>${html(violatedOn.join(", "))}</dd>
<dt>expected</dt><dd>${html(violation.expected)}</dd><dt>seen</dt><dd>${html(violation.seen)}</dd>
<dt>request</dt><dd><code>${html(violation.request)}</code></dd><dt>exchange</dt><dd>${html(violation.exchange)}</dd>
<dt>send again</dt><dd><code>${html(violation.curl)}</code></dd>
${command === undefined ? "" : `<dt>judge it again</dt><dd><code>${html(command)}</code></dd>`}</dl></details>`;
}

function onlyIn({ rules }: Comparison): string {
  if (rules.onlyIn.length === 0) return "";
  const items = rules.onlyIn.map(({ id, runs }) => `<li><code>${html(id)}</code> ${html(runs.join(", "))}</li>`);
  return part(`Rules that only some catalogues have (${rules.onlyIn.length})`, `<ul>${items.join("")}</ul>`, false);
}

function answers({ answers: compared, runs }: Comparison): string {
  if (!compared) return "";
  const intro = `<h2 class="big">Answers</h2><p>${compared.requests} requests to each, ${compared.sameRequests} of them the same; ${html(compared.sharedSubjects)}.
Differences that a client would notice, by their cause. What violates a rule is listed above, by the rules.</p>`;
  const parts = answerDifferenceKinds.map((kind) => {
    const groups = compared.differences.filter((group) => group.kind === kind);
    if (groups.length === 0) return "";
    const rows = groups.map(({ places, each, count, example, curl, violates = [], ruling }) => {
      const open = ruling === undefined ? "" : `, left open by ${html(ruling)}`;
      const see = violates.map((id) => `<span>see <a href="#${anchor(id)}"><code>${html(id)}</code></a></span>`);
      return {
        head: `${placeList(places)}<span class="dim">${countOf(count, "time")}${open}</span>${see.join("")}`,
        cells: each.map((text, at) => `${html(text)}${exampleOf(example, curl, at)}`),
      };
    });
    return part(
      `${answerKindTitles[kind]} (${groups.length})`,
      table("Place", runs, rows),
      !["left-out", "data", "moving", "error-message"].includes(kind),
    );
  });
  return `${intro}${parts.join("\n")}`;
}

/** The first places, with the others in a fold. */
function placeList(places: readonly DifferencePlace[]): string {
  const items = places.map(
    ({ operation, place }) => `<span>${operation}${place === "" ? "" : ` <code>${html(place)}</code>`}</span>`,
  );
  const [shown, others] = [items.slice(0, 4), items.slice(4)];
  return `${shown.join("")}${others.length > 0 ? `<details><summary>${countOf(others.length, "other place")}</summary>${others.join("")}</details>` : ""}`;
}

function exampleOf(example: Both<string>, curl: Both<string>, at: number): string {
  const [request = "", line = ""] = [example[at], curl[at]];
  return `<details><summary>smallest request</summary><p><code>${html(request)}</code></p><p><code>${html(line)}</code></p></details>`;
}

function observationSection(
  difference: ObservationDifference,
  title: string,
  observations: readonly ObservationRow[],
  runs: readonly RunSummary[],
): string {
  const rows = observations.filter((row) => row.difference === difference);
  if (rows.length === 0) return "";
  const lines = rows.map(({ check, what, cells }) => ({
    head: `${html(what)}<span class="dim">${html(check)}</span>`,
    cells: cells.map((cell) => (cell === null ? '<span class="dim">not observed</span>' : html(cellText(cell)))),
  }));
  return part(`${title} (${rows.length})`, table("Observation", runs, lines), difference === "kind");
}

function timesSection({ times, runs }: Comparison): string {
  if (times.length === 0) return "";
  const rows = times.map(({ operation, cells }) => {
    const slowest = Math.max(...cells.map((cell) => cell?.p95Ms ?? 0), 1);
    const bar = (p95Ms: number) => `<meter max="${slowest}" value="${p95Ms}"></meter>`;
    return { head: operation, cells: cells.map((cell) => `${timesText(cell)}${cell ? bar(cell.p95Ms) : ""}`) };
  });
  const note =
    '<p class="dim">Until the answer began, of the stream until its first message: median, and what 95 % took at most.</p>';
  return part("Time to answer", `${note}${table("Operation", runs, rows)}`, true);
}

function interactionsSection({ interactions, runs }: Comparison): string {
  if (interactions.length === 0) return "";
  const rows = interactions.map(({ operation, cells }) => ({ head: operation, cells: cells.map(interactionsText) }));
  return part("Combinations of fields tried", table("Operation", runs, rows), false);
}

/** A row of a table: HTML for its head and for one cell per run. */
interface Row {
  readonly id?: string;
  readonly head: string;
  readonly cells: readonly string[];
}

function table(first: string, runs: readonly RunSummary[], rows: readonly Row[]): string {
  const names = runs.map(({ name }) => html(name));
  const columns = names.map((name) => `<th scope="col">${name}</th>`).join("");
  const lines = rows.map(({ id, head, cells }) => {
    const cellsOfRuns = cells.map((cell, at) => `<td data-run="${names[at] ?? ""}">${cell}</td>`).join("");
    return `<tr${id === undefined ? "" : ` id="${id}"`}><th scope="row">${head}</th>${cellsOfRuns}</tr>`;
  });
  return `<div class="scroll"><table><thead><tr><th scope="col">${first}</th>${columns}</tr></thead><tbody>${lines.join("\n")}</tbody></table></div>`;
}

function anchor(id: string): string {
  return `rule-${id.replace(/[^\w.-]/g, "-")}`;
}

const style = `
main{max-width:90rem}h2.big{font-size:1.35rem;margin:2rem 0 .25rem}
:root{--link:#1558b0;--good:#d9f2e1;--good-fg:#10572a;--bad-fg:#8c1d12;--warn:#fdeec7;--warn-fg:#6b4a00;--open:#e6e9ee;--open-fg:#3c4653}
@media (prefers-color-scheme:dark){:root{--link:#8ab8ff;--good:#153b24;--good-fg:#9be3b4;--bad-fg:#ffb4aa;--warn:#43340c;--warn-fg:#f6d77f;--open:#2b323c;--open-fg:#c2cad4}}
a{color:var(--link)}.lead{margin:.25rem 0 1rem;color:var(--dim)}.alarm{background:var(--bad);color:var(--bad-fg);padding:.6rem .9rem;border-radius:.5rem}.alarm a{color:inherit}
.runs{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.75rem;margin:1rem 0}article{min-width:0}article .chip{font-weight:400}
.notes{background:var(--soft);border-radius:.5rem;padding:.6rem 1rem .6rem 2rem}
th,td{padding:.45rem .6rem;min-width:8rem}thead th{font-weight:600}tbody th{width:30%;min-width:14rem}tbody th span{display:block}td small{margin-top:.25rem;color:var(--dim)}
td details{margin-top:.3rem;font-size:.88em}td summary{color:var(--link)}meter{max-width:12rem}
.chip{display:inline-block;padding:.05rem .5rem;border-radius:1rem;background:var(--open);color:var(--open-fg);font-size:.86em;white-space:nowrap}
.chip.pass,.chip.conformant{background:var(--good);color:var(--good-fg)}.chip.fail,.chip.error,.chip.not-conformant{background:var(--bad);color:var(--bad-fg)}.chip.warn,.chip.undecided,.chip.blocked{background:var(--warn);color:var(--warn-fg)}
@media (max-width:700px){tbody th,td{width:100%;min-width:0;padding:.2rem 0}td{display:grid;grid-template-columns:7rem 1fr;gap:.5rem}td>*{grid-column:2}td::before{content:attr(data-run);color:var(--dim);font-size:.86em;grid-column:1;grid-row:1;overflow-wrap:anywhere}}
`;
