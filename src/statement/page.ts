import { reportedVerdicts } from "../report/results.js";
import { combinationsLine, verdictWords } from "../report/wording.js";
import { isRuleId, ruleById } from "../specification/catalogue/index.js";
import { badge, conclusionOf } from "./badge.js";
import { xml } from "./escape.js";
import type { Statement } from "./statement.js";

/** How the file beside the page can be verified. */
export interface Signature {
  /** Name of the file with the statement. */
  readonly file: string;
  /** The key that signed it; absent when it is not signed. */
  readonly keyId?: string | undefined;
}

/** A statement as a page for people: HTML that opens from the file system and loads nothing. */
export function statementPage(statement: Statement, { file, keyId }: Signature): string {
  const { predicate, subject } = statement;
  const { perpConformance: details, failedTests, warnedTests, passedTests, url } = predicate;
  const { implementation, requirements, specification, harness } = details;
  const counts = reportedVerdicts
    .filter((verdict) => details.counts[verdict] > 0)
    .map((verdict) => `${details.counts[verdict]} ${verdictWords[verdict]}`);
  const rows: (readonly [string, string | undefined])[] = [
    ["Implementation", `${implementation.name} ${implementation.version}`],
    ["Vendor", implementation.vendor],
    ["Contact", implementation.contact],
    ["Home page", implementation.url],
    ["Tested at", details.target.baseUrl],
    ["Tested on", `${details.startedAt} to ${details.finishedAt}`],
    ["Specification", `${specification.name} ${specification.version}`],
    ["Requirements", `set ${requirements.version}: ${requirements.mandatory} mandatory rules, none left open`],
    ["Rules", counts.join(", ")],
    ["Profile", `${details.profile}${details.strict ? ", strict: warnings count" : ""}, seed ${details.seed}`],
    ["Requests", String(details.requests)],
    ["Combinations", combinationsLine(details.interactions ?? []) || undefined],
    ["Harness", `${harness.name} ${harness.version}`],
    ["Results published at", url],
  ];
  const digests: (readonly [string, string | undefined])[] = [
    ["Identity of the implementation", subject[0]?.digest.sha256],
    ["Catalogue of rules", specification.catalogueDigest],
    ["Requirements", requirements.digest],
    ["Results", details.results.digest.sha256],
    ["Evidence", details.evidence.digest.sha256],
    ["Signed by key", keyId ?? "not signed: anybody can have written this"],
  ];
  const title = `${implementation.name} ${implementation.version}: ${conclusionOf(statement)}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${xml(title)}</title><style>
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1c2430}
table{border-collapse:collapse;width:100%;margin:1rem 0}td,th{border:1px solid #d5dae1;padding:.35rem .6rem;text-align:left;vertical-align:top}
th{background:#f2f4f7;font-weight:600;width:14rem}code,pre{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
pre{background:#f2f4f7;padding:.6rem .8rem;white-space:pre-wrap}
</style></head><body>
${badge(statement)}
<h1>${xml(title)}</h1>
${table(rows, (text) => xml(text))}
${ruleList("Failed rules", failedTests, true)}
${ruleList("Warnings", warnedTests, true)}
${ruleList("Passed rules", passedTests, false)}
${ruleList("Not exercised: what these rules speak of may be absent, and is", details.notExercised, true)}
<h2>Verify this statement</h2>
<p>This page is a rendering; what counts is the file beside it. Results and evidence of the run are checked when they lie beside it too.</p>
<pre>npx perp-conformance verify ${xml(file)}${keyId ? " --key PUBLIC-KEY" : ""}</pre>
${table(digests, (text) => `<code>${xml(text)}</code>`)}
<p>Digests are SHA-256, in hexadecimal; a key is named by that of its public half.</p>
<h2>Repeat the run</h2>
<pre>${xml(details.reproduce)}</pre>
</body></html>
`;
}

function table(rows: readonly (readonly [string, string | undefined])[], cell: (text: string) => string): string {
  const lines = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`<tr><th>${xml(name)}</th><td>${cell(value)}</td></tr>`],
  );
  return `<table>${lines.join("\n")}</table>`;
}

/** Rules with their statements, as far as this version knows them. */
function ruleList(title: string, ids: readonly string[], open: boolean): string {
  if (ids.length === 0) return "";
  const items = ids.map((id) => `<li><code>${xml(id)}</code> ${xml(isRuleId(id) ? ruleById(id).statement : "")}</li>`);
  return `<details${open ? " open" : ""}><summary><b>${title} (${ids.length})</b></summary><ul>${items.join("\n")}</ul></details>`;
}
