/** The power report as one page that opens from the file system, loads nothing, and fits a phone. */
import { pageMark } from "../files/page.js";
import { countOf } from "../judge/judgement.js";
import { dateElement, html, prose } from "../report/html.js";
import { killedShare, powerLine } from "../report/power-score.js";
import { part, widePage } from "../report/wide-page.js";
import { ruleById } from "../specification/catalogue/index.js";
import { type FaultEntry, notExercisedByReason, type PowerReport } from "./power-report.js";

/** Renders the page of a report. */
export function powerPage({ run, score, operations, rules, faults, harness, durationMs }: PowerReport): string {
  const title = `Power of the run of ${run.target.baseUrl}`;
  const made = `${html(run.profile)} profile, seed ${run.seed}, ${dateElement(run.startedAt)}; ${faults.length} faults tried in ${(durationMs / 1000).toFixed(1)} s by version ${html(harness.version)}`;
  const survived = faults.filter(({ outcome }) => outcome === "survived");
  const body = `<h1>${html(title)}</h1>
<p class="lead">${html(powerLine(score))}.</p>
<p class="dim">${made}</p>
<p>Faults were planted into the recorded answers, each into every answer that it would have changed, and the altered record was
judged again. The run would not have detected a fault that survived; one that was not exercised takes data that this target did not show.</p>
${part(`Survived (${survived.length})`, survived.map(survivor).join(""), true)}
${part(`Not exercised (${score.notExercised})`, unexercised(faults), true)}
${part(
  "By operation",
  scoreTable(
    "Operation",
    operations.map((each) => scoreRow(`<b>${each.name}</b>`, each)),
  ),
  true,
)}
${part(
  `By rule (${rules.length})`,
  scoreTable(
    "Rule",
    rules.map((each) =>
      scoreRow(`<code>${each.name}</code><small>${prose(ruleById(each.name).statement)}</small>`, each),
    ),
  ),
  false,
)}
${part(`Killed (${score.killed})`, killed(faults), false)}`;
  return widePage({ title, body, style, mark: pageMark("power") });
}

function survivor({ name, rule, level, words, shownBy }: FaultEntry): string {
  const shown = shownBy
    ? `<dl><dt>It shows in</dt><dd>${countOf(shownBy.answers, "answer")}, such as that to ${shownBy.operation} <code>${html(shownBy.request)}</code></dd>
<dt>${html(shownBy.path === "" ? "The answer" : shownBy.path)}</dt><dd>${html(shownBy.before)} → ${html(shownBy.after)}</dd>
<dt>Send again</dt><dd><code>${html(shownBy.curl)}</code></dd></dl>`
    : "";
  return `<article><h3>${html(words)}</h3><p class="dim">${html(name)}, against <code>${rule}</code> (${level}): ${prose(ruleById(rule).statement)}</p>${shown}</article>`;
}

function unexercised(faults: readonly FaultEntry[]): string {
  return notExercisedByReason(faults)
    .map(
      ([why, all]) =>
        `<article><h3>${html(why)}</h3><ul>${all.map(({ words, rule }) => `<li>${html(words)} <code>${rule}</code></li>`).join("")}</ul></article>`,
    )
    .join("");
}

function killed(faults: readonly FaultEntry[]): string {
  const rows = faults.flatMap(({ words, rule, killedBy }) =>
    killedBy
      ? [`<tr><th scope="row">${html(words)}</th><td><code>${rule}</code></td><td>${html(killedBy.check)}</td></tr>`]
      : [],
  );
  return rows.length === 0 ? "" : table(["Fault", "Against", "Noticed by"], rows);
}

function scoreTable(first: string, rows: readonly string[]): string {
  return table([first, "Score", "Killed", "Survived", "Not exercised"], rows);
}

function table(columns: readonly string[], rows: readonly string[]): string {
  const heads = columns.map((column) => `<th>${column}</th>`).join("");
  return `<div class="scroll"><table><thead><tr>${heads}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

function scoreRow(name: string, score: { killed: number; survived: number; notExercised: number }): string {
  const of = score.killed + score.survived || 1;
  return `<tr class="${score.survived > 0 ? "some" : ""}"><th scope="row">${name}</th><td>${killedShare(score)}<meter max="${of}" value="${score.killed}"></meter></td><td data-name="killed">${score.killed}</td><td data-name="survived">${score.survived}</td><td data-name="not exercised">${score.notExercised}</td></tr>`;
}

const style = `
main{max-width:75rem}h3{font-size:1rem;margin:0 0 .25rem;overflow-wrap:anywhere}.lead{font-size:1.2rem;margin:.25rem 0}small,dt{color:var(--dim);font-size:.86em}
article{margin:.6rem 0}ul{margin:.25rem 0;padding-left:1.2rem}tr.some{background:var(--bad)}meter{max-width:10rem}
@media (max-width:700px){tbody th,td{padding:.15rem 0}td[data-name]::before{content:attr(data-name) ": ";color:var(--dim)}}
`;
