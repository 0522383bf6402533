import type { Verdict } from "../engine/result.js";
import type { Interactions } from "../exploration/covering-array.js";
import { dateElement, factTable, html, prose, verdictTone, webPage } from "../report/html.js";
import { powerLine } from "../report/power-score.js";
import { type Results, reportedVerdicts } from "../report/results.js";
import { sanitizeShort } from "../report/sanitize.js";
import { combinationsLine, nothingToJudge, reasonOf, verdictWords } from "../report/wording.js";
import { isRuleId, ruleById } from "../specification/catalogue/index.js";
import { badge, resultInWords } from "./badge.js";
import type { Statement } from "./statement.js";

/** How the statement file next to the page can be verified. */
export interface Signature {
  /** Name of the statement file. */
  readonly file: string;
  /** The key that signed it; absent if it is not signed. */
  readonly keyId?: string | undefined;
}

/** What the page takes from the results of the run, in addition to the statement. */
export type PageResults = Pick<Results, "rules"> & { readonly summary: Pick<Results["summary"], "operations"> };

/** Maximum length of a reason on the page. */
const maxReason = 400;

const tones = { PASSED: "good", WARNED: "open", FAILED: "bad" } as const;

/** Verdicts without a conclusion. Rules that are not required may have them in a stated run. */
const unsettled: readonly Verdict[] = ["inconclusive", "blocked", "unimplemented", "error"];

/**
 * Renders a statement as a page for human readers: HTML that opens from the file system and loads nothing.
 *
 * @param results results of the run, for details of which the statement has only counts
 */
export function statementPage(statement: Statement, signature: Signature, results: PageResults): string {
  const { predicate } = statement;
  const { perpConformance: details, failedTests, warnedTests, passedTests, result } = predicate;
  const { implementation } = details;
  const title = `${implementation.name} ${implementation.version}: ${resultInWords(statement)}`;
  return webPage({
    title,
    style,
    body: [
      `<header class="banner ${tones[result]}">${badge(statement)}<h1>${html(title)}</h1>
<p>${html(`${details.requirements.mandatory} mandatory rules of the ${details.specification.name} ${details.specification.version}, each of which came to a conclusion or had nothing to be exercised on.`)}</p></header>`,
      issued(statement, signature),
      tested(statement),
      `<div class="pair">${counts(statement)}${coverage(details.interactions ?? [])}</div>`,
      ruleList("Failed rules", failedTests, true),
      ruleList("Warnings: advisory rules that are violated", warnedTests, true),
      ruleList(`Not exercised: ${nothingToJudge}`, details.notExercised, true),
      notImplemented(results) + leftOpen(results),
      ruleList("Passed rules", passedTests, false),
      `<section><h2>Repeat the run</h2><pre>${html(details.reproduce)}</pre></section>`,
      digests(statement),
    ]
      .filter((part) => part !== "")
      .join("\n"),
  });
}

/** Who issued the statement, and how to verify it. */
function issued({ predicate }: Statement, { file, keyId }: Signature): string {
  const { implementation } = predicate.perpConformance;
  const command = `npx perp-conformance verify ${file}${keyId ? " --key PUBLIC-KEY --require-signature" : ""}`;
  return `<section><h2>Who issued it, and how to verify it</h2>${factTable([
    [
      "Signed by key",
      keyId === undefined
        ? '<b class="bad">not signed: anybody can have written this</b>'
        : `<code>${html(keyId)}</code>`,
    ],
    ["Vendor", optional(implementation.vendor)],
    ["Contact", optional(implementation.contact)],
    ["Home page", optional(implementation.url)],
    ["Results published at", optional(predicate.url)],
  ])}<pre>${html(command)}</pre>
<p class="soft">This page is a rendering; what counts is <code>${html(file)}</code> beside it. ${
    keyId ? "Take the public key from the vendor, not from where this page lies. " : ""
  }Results and evidence of the run are checked as well when they lie beside it.</p></section>`;
}

function tested({ predicate }: Statement): string {
  const { perpConformance: details } = predicate;
  const { implementation, target, startedAt, finishedAt, profile, strict, seed, requests, requirements, harness } =
    details;
  const seconds = Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000);
  return `<section><h2>What was tested</h2>${factTable([
    ["Implementation", html(`${implementation.name} ${implementation.version}`)],
    ["At", `<code>${html(target.baseUrl)}</code>`],
    ["On", `${dateElement(startedAt)}, for ${seconds} s`],
    ["Profile", html(`${profile}${strict ? ", strict: warnings count" : ""}, seed ${seed}, ${requests} requests`)],
    ...(details.power ? [["Power on these data", html(powerLine(details.power))] as const] : []),
    ["Requirements", html(`set ${requirements.version}: ${requirements.mandatory} mandatory rules, none left open`)],
    ["Harness", html(`${harness.name} ${harness.version}`)],
  ])}</section>`;
}

function counts({ predicate }: Statement): string {
  const { counts: of } = predicate.perpConformance;
  const rows = reportedVerdicts
    .filter((verdict) => of[verdict] > 0)
    .map(
      (verdict) =>
        `<tr><th scope="row">${verdict === "notRun" ? "unobservable: no answer can show them" : verdictWords[verdict]}</th><td class="number ${verdictTone(verdict)}">${of[verdict]}</td></tr>`,
    );
  return `<section><h2>Rules</h2><table>${rows.join("\n")}</table></section>`;
}

/** How many combinations of field classes were tried, operation by operation. */
function coverage(interactions: readonly (Interactions & { readonly name: string })[]): string {
  if (interactions.length === 0) return "";
  const rows = interactions.map(
    ({ name, strength, covered, of }) =>
      `<tr><th scope="row">${html(name)}</th><td class="number">${covered} of ${of} ${strength === 2 ? "pairs" : "triples"}</td></tr>`,
  );
  return `<section><h2>Combinations of fields that were tried</h2><table>${rows.join("\n")}</table><p class="soft">${html(combinationsLine(interactions))}</p></section>`;
}

/** The operations that did not work, or that the vendor declared as not implemented. */
function notImplemented({ summary }: PageResults): string {
  const left = summary.operations.filter(({ worked, declared }) => !worked || declared);
  if (left.length === 0) return "";
  const items = left.map(({ name, declared, answered, worked }) => {
    const state = [
      ...(declared ? ["declared as not implemented"] : []),
      ...(worked ? ["works"] : [answered ?? "was not seen to work"]),
    ];
    return `<li><code>${html(name)}</code>: ${html(sanitizeShort(state.join(", "), maxReason))}</li>`;
  });
  return `<section><h2>Not implemented</h2><ul>${items.join("")}</ul></section>`;
}

/** Rules that are not required and came to no conclusion. */
function leftOpen({ rules }: PageResults): string {
  const open = rules.filter(({ verdict, own }) => !own && unsettled.includes(verdict));
  if (open.length === 0) return "";
  const items = open.map(
    (rule) =>
      `<li><code>${html(rule.id)}</code>, ${verdictWords[rule.verdict]}: ${html(sanitizeShort(reasonOf(rule), maxReason))}</li>`,
  );
  return `<section><h2>Not settled: rules that are not required (${open.length})</h2><ul>${items.join("")}</ul></section>`;
}

function digests({ subject, predicate }: Statement): string {
  const { specification, requirements, results, evidence } = predicate.perpConformance;
  const code = (text: string | undefined) => (text === undefined ? undefined : `<code>${html(text)}</code>`);
  return `<section><h2>Digests</h2>${factTable([
    ["Identity of the implementation", code(subject[0]?.digest.sha256)],
    ["Catalogue of rules", code(specification.catalogueDigest)],
    ["Requirements", code(requirements.digest)],
    ["Results", code(results.digest.sha256)],
    ["Evidence", code(evidence.digest.sha256)],
  ])}<p class="soft">SHA-256, in hexadecimal; a key is named by that of its public half.</p></section>`;
}

function optional(text: string | undefined): string | undefined {
  return text === undefined ? undefined : html(text);
}

/** Rules with their statements, if this version knows them. */
function ruleList(title: string, ids: readonly string[], open: boolean): string {
  if (ids.length === 0) return "";
  const items = ids.map(
    (id) => `<li><code>${html(id)}</code> ${prose(isRuleId(id) ? ruleById(id).statement : "")}</li>`,
  );
  return `<details${open ? " open" : ""}><summary><b>${title} (${ids.length})</b></summary><ul>${items.join("\n")}</ul></details>`;
}

const style = `
.page .banner svg{max-width:100%;height:auto}.page .number{text-align:right;white-space:nowrap}
.page .pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,2fr);gap:0 2rem}.page details{margin:.8rem 0}
@media(max-width:40rem){.page .pair{grid-template-columns:minmax(0,1fr)}}
`;
