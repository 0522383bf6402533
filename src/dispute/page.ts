import type { Verdict } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { dateElement, factTable, html, prose, verdictTone, webPage } from "../report/html.js";
import { type CheckEntry, type Results, type RuleEntry, type ViolationEntry, violationsOf } from "../report/results.js";
import { sanitizeShort } from "../report/sanitize.js";
import { commandFor, comparedInWords, verdictWords } from "../report/wording.js";
import { ruleById } from "../specification/catalogue/index.js";
import { alternativesOf, chosenOf, type Readings, rulingsUnder } from "../specification/readings.js";
import type { RulingId } from "../specification/rulings.js";
import { sectionHeading } from "../specification/sections.js";
import { exchangeHtml, type ShownExchange } from "./exchange-html.js";

/** Maximum exchanges shown on the page. The others are linked. */
const maxExchanges = 30;

/** Maximum length of text from the target in one cell. */
const maxText = 1_000;

/** The violation that a dispute is about: the one with the smallest request of those that the rule's checks found. */
export function smallestViolation(rule: RuleEntry): ViolationEntry | undefined {
  return violationsOf(rule).reduce<ViolationEntry | undefined>(
    (least, each) => (least === undefined || each.request.length < least.request.length ? each : least),
    undefined,
  );
}

/**
 * The page of a dispute: the request and the answer that show the violation, what is required, how it is read, the verdicts
 * under other readings, and everything that the verdict rests on. It is written for both sides and can be understood without
 * the harness.
 *
 * @param exchanges what is shown: first the one with the smallest violation, then the one it was compared to
 * @param verdictsByReading the verdict under each reading that can be chosen, by the choice: `B4=best-first`
 */
export function disputePage(
  results: Results,
  entry: RuleEntry,
  exchanges: readonly ShownExchange[],
  verdictsByReading: ReadonlyMap<string, Verdict> = new Map(),
): string {
  const rule = ruleById(entry.id as Parameters<typeof ruleById>[0]);
  const { target, specification, harness, profile, seed, startedAt } = results;
  const quotes = Object.entries(rule.quotes).flatMap(([section, texts = []]) =>
    texts.map((text) => `<blockquote>${html(text)} <span class="soft">${html(section)}</span></blockquote>`),
  );
  return webPage({
    title: `${entry.id}: ${verdictWords[entry.verdict]}`,
    style,
    body: [
      `<header class="banner ${verdictTone(entry.verdict)}"><p class="soft">${html(target.baseUrl)}</p>
<h1>${html(entry.id)}: <span class="${verdictTone(entry.verdict)}">${verdictWords[entry.verdict]}</span></h1>
<p>${prose(entry.statement)}</p></header>`,
      whatHappened(results, entry, exchanges),
      `<section><h2>What is required</h2><p>${prose(entry.statement)}</p>
<p class="soft">${html(`${sectionHeading(rule.section)} of the specification (${specification.name} ${specification.version}); ${entry.level}. ${rule.impact}`)}</p>
${quotes.length > 0 ? `<p>In the words of the specification:</p>${quotes.join("")}` : ""}</section>`,
      `<section><h2>How it is read</h2>${readings(rule.rulings ?? [], results.readings ?? {}, entry.verdict, verdictsByReading)}</section>`,
      `<section><h2>What was found</h2>${entry.checks.map(checkHtml).join("\n")}</section>`,
      `<section><h2>All exchanges (${exchanges.length})</h2>${exchangesHtml(exchanges)}</section>`,
      `<section><h2>Repeat it</h2>
<p>Send the same requests again, to any server; <code>CONFORMANCE_TOKEN</code> holds the token, if one is needed:</p>
<pre>${html(`BASE_URL=${target.baseUrl} sh requests.sh`)}</pre>
<p>Judge the recorded answers again, without the target:</p><pre>npx perp-conformance rejudge .</pre>
<p>Run the check again, with the same seed:</p><pre>${html(commandFor(results, entry))}</pre>
${factTable([
  ["Run", `${dateElement(startedAt)}, ${html(profile)} profile, seed ${seed}`],
  ["Harness", html(`${harness.name} ${harness.version}`)],
])}</section>`,
    ].join("\n"),
  });
}

/** The violation with the smallest request, and the exchange that shows it. Without a violation, the first exchange. */
function whatHappened({ target }: Results, entry: RuleEntry, exchanges: readonly ShownExchange[]): string {
  const [first] = exchanges;
  const violation = smallestViolation(entry);
  if (!first) return "";
  if (!violation) return `<section><h2>An exchange that the verdict rests on</h2>${bothSides(first)}</section>`;
  const compared = violation.comparedWith && exchanges.find(({ id }) => id === violation.comparedWith?.exchange);
  const place = violation.places[0];
  return `<section><h2>What happened</h2>${factTable([
    ["Expected", `<code>${html(sanitizeShort(place?.expected ?? entry.statement, maxText))}</code>`],
    ["Seen", `<code class="bad">${html(sanitizeShort(place?.seen ?? violation.message, maxText))}</code>`],
    ["Place", `<code>${html(sanitizeShort(violation.path || "the answer", maxText))}</code>`],
    ["Rows", violation.rows && html(sanitizeShort(violation.rows, maxText))],
    ["Smallest request", `<code>${html(violation.request)}</code>`],
    ["Compared to", violation.comparedWith && `<code>${html(comparedInWords(violation.comparedWith))}</code>`],
  ])}${bothSides(first)}${compared ? `<h3>The answer that it was compared to</h3>${compared.request}${compared.answer}` : ""}
<details><summary>Send again: a line for a shell</summary><pre>${html(`BASE_URL=${target.baseUrl}`)}
${html(first.curl)}</pre></details></section>`;
}

function bothSides({ request, answer }: ShownExchange): string {
  return `<div class="sides"><div><h3>Request</h3>${request}</div><div><h3>Answer</h3>${answer}</div></div>`;
}

/** The rulings that a rule rests on: the reading of each, and the verdicts under its alternatives. */
function readings(
  ids: readonly RulingId[],
  chosen: Readings,
  verdict: Verdict,
  verdictsByReading: ReadonlyMap<string, Verdict>,
): string {
  if (ids.length === 0) return "<p>The statement is taken as it stands; no ruling was needed.</p>";
  return ids
    .map((id) => {
      const { place, reading } = rulingsUnder(chosen)[id];
      const rows = alternativesOf(id).map((alternative) => {
        const taken = verdictsByReading.get(`${id}=${alternative.id}`);
        return `<tr><td><code>${html(`${id}=${alternative.id}`)}</code></td><td>${prose(alternative.reading)}</td><td>${taken ? chip(taken) : "–"}</td></tr>`;
      });
      const heading = chosenOf(id, chosen)
        ? "This reading was chosen for the run. The text can also be taken otherwise:"
        : "The text can also be taken otherwise; the verdict accepts each of these:";
      const table =
        rows.length === 0
          ? ""
          : `<p>${heading}</p><table><thead><tr><th>Choice</th><th>Reading</th><th>Verdict</th></tr></thead><tbody><tr><td>as read here</td><td>${prose(reading)}</td><td>${chip(verdict)}</td></tr>${rows.join("")}</tbody></table>`;
      return `<p><b>${html(`${id}, on ${place}.`)}</b> ${prose(reading)}</p>${table}`;
    })
    .join("\n");
}

function chip(verdict: Verdict): string {
  return `<span class="chip ${verdictTone(verdict)}">${verdictWords[verdict]}</span>`;
}

function checkHtml(check: CheckEntry): string {
  const { violations = [], observations = [], counterexample } = check;
  const groups = violations.map(({ places, count, pointer, excerpt, request }) => {
    const rows = places.map(
      ({ path, expected, seen, exchange }) =>
        `<tr>${[path || "the answer", expected, seen, exchange].map((text) => `<td><code>${html(sanitizeShort(text, maxText))}</code></td>`).join("")}</tr>`,
    );
    return `<p>Violated ${count === 1 ? "once" : `${count} times`}, by <code>${html(request)}</code></p>
<div class="scroll"><table><thead><tr><th>Place</th><th>Expected</th><th>Seen</th><th>Exchange</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>
${excerpt === "" ? "" : `<p>At <code>${html(pointer || "/")}</code>: <code>${html(excerpt)}</code></p>`}`;
  });
  const seen = observations.map(({ what, seen: value }) => `<li>${html(what)}: <code>${html(value)}</code></li>`);
  return `<details class="card" ${check.verdict === "pass" ? "" : "open"}><summary><b>${html(check.name)}</b> ${chip(check.verdict)}</summary>
<p class="soft">${countOf(check.assertions, "assertion")} on real data.</p>
${check.message ? `<p>${html(check.message)}</p>` : ""}${seen.length > 0 ? `<ul>${seen.join("")}</ul>` : ""}${groups.join("\n")}
${counterexample ? `<p>Smallest counterexample: <code>${html(counterexample.values)}</code>, after ${counterexample.shrinks} steps of shrinking from seed ${counterexample.seed}.</p>` : ""}</details>`;
}

function exchangesHtml(exchanges: readonly ShownExchange[]): string {
  const rest = exchanges
    .slice(maxExchanges)
    .map(
      ({ id, file, outcome }) =>
        `<li><a href="${html(file)}"><code>${html(id)}</code></a> <span class="soft">${html(outcome)}</span></li>`,
    );
  return `${exchanges.slice(0, maxExchanges).map(exchangeHtml).join("\n")}${
    rest.length === 0
      ? ""
      : `<p>And ${countOf(rest.length, "other exchange")}, in files:</p><ul>${rest.join("\n")}</ul>`
  }`;
}

const style = `
.page blockquote{border-left:4px solid var(--line);margin:.4rem 0;padding:.1rem .8rem}
.page .sides{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:1rem}
@media(max-width:52rem){.page .sides{grid-template-columns:minmax(0,1fr)}}
`;
