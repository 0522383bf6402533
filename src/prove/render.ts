import pc from "picocolors";
import { countOf } from "../judge/judgement.js";
import { html } from "../report/html.js";
import { sanitize } from "../report/sanitize.js";
import { widePage } from "../report/wide-page.js";
import { detectionPower } from "./detection-power.js";
import type { Proof } from "./prove.js";

/** Renders a proof for a terminal: problems first, then the figures. With `wholeMatrix` it also lists every rule. */
export function proofText({ matrix, requests, durationMs, complete }: Proof, wholeMatrix: boolean): string {
  const power = detectionPower(matrix);
  const lines: string[] = [];
  if (wholeMatrix) {
    for (const { rule, killed, survived, others } of matrix.rules) {
      if (killed.length + survived.length === 0) continue;
      const sign = survived.length === 0 ? pc.green("✓") : pc.red("✗");
      lines.push(`${sign} ${rule}`);
      for (const name of killed) lines.push(`    killed  ${name}`);
      for (const name of survived) lines.push(`    ${pc.red("survived")}  ${name}`);
      if (others.length > 0) lines.push(pc.dim(`    also found in ${others.length} mutants of other rules`));
    }
    for (const { name, judged, inconclusive, falsePositives } of matrix.variants) {
      const sign = falsePositives.length === 0 ? pc.green("✓") : pc.red("✗");
      lines.push(
        `${sign} variant ${name}: ${falsePositives.length} false positives, ${judged} rules judged, ${inconclusive} inconclusive`,
      );
    }
    lines.push("");
  }
  for (const problem of matrix.problems) lines.push(pc.red(sanitize(problem)));
  if (matrix.problems.length > 0) lines.push("");
  lines.push(
    complete ? "Detection power" : "Detection power (of the part that was tried)",
    `  mutants   ${power.mutantsKilled} of ${power.mutants} killed by the rule that they break`,
    `  mandatory ${power.mandatoryProven} of ${power.mandatory} rules proven by a mutant; ${power.mandatoryAlone} by one that no other rule kills`,
    `  all rules ${power.rulesProven} of ${power.rules} proven by a mutant`,
    `  variants  ${power.variants} conformant servers, ${power.falsePositives} false positives`,
    `  ${requests} requests in ${(durationMs / 1000).toFixed(1)} s`,
    matrix.problems.length === 0
      ? pc.green("The proof holds.")
      : pc.red(`The proof does not hold: ${countOf(matrix.problems.length, "problem")}.`),
  );
  return lines.join("\n");
}

/** Renders a proof as a standalone page, with a table of rules and a table of variants. Opens from the file system. */
export function proofPage(proof: Proof): string {
  const { matrix, durationMs, requests } = proof;
  const power = detectionPower(matrix);
  const mutantByName = new Map(matrix.mutants.map((mutant) => [mutant.name, mutant]));
  const mutantItem = (name: string, survived: boolean) => {
    const mutant = mutantByName.get(name);
    const seen = html(mutant?.message ?? "");
    return `<li${survived ? ' class="bad"' : ""}><b>${html(name)}</b> ${html(mutant?.summary ?? "")}<br><small>${seen}</small></li>`;
  };
  const ruleRows = matrix.rules.map(
    ({ rule, level, killed, survived, others, killedAlone }) =>
      `<tr class="${killed.length > 0 ? "" : "bad"}"><td><code>${html(rule)}</code><br><small>${level}${killedAlone ? ", killed alone" : ""}</small></td>` +
      `<td><ul>${killed.map((name) => mutantItem(name, false)).join("")}${survived.map((name) => mutantItem(name, true)).join("")}</ul></td>` +
      `<td>${others.map((name) => `<code>${html(name)}</code>`).join(" ")}</td></tr>`,
  );
  const variantRows = matrix.variants.map(
    ({ name, summary, falsePositives, judged, inconclusive }) =>
      `<tr class="${falsePositives.length === 0 ? "" : "bad"}"><td><code>${html(name)}</code></td><td>${html(summary)}</td>` +
      `<td>${judged}</td><td>${inconclusive}</td><td>${falsePositives.map(({ rule, message }) => `${html(rule)}: ${html(message)}`).join("<br>") || "none"}</td></tr>`,
  );
  const problems = matrix.problems.map((problem) => `<li class="bad">${html(problem)}</li>`).join("");
  const body = `<h1>Detection matrix: ${matrix.problems.length === 0 ? "the proof holds" : "the proof does not hold"}</h1>
<p>${power.mutantsKilled} of ${power.mutants} mutants killed by the rule that they break.
${power.mandatoryProven} of ${power.mandatory} mandatory rules proven, ${power.mandatoryAlone} of them by a mutant that no other rule kills;
${power.rulesProven} of ${power.rules} judged rules in all.
${power.falsePositives} false positives on ${power.variants} conformant servers. ${requests} requests in ${(durationMs / 1000).toFixed(1)} s.</p>
<ul>${problems}</ul>
<h2>Rules and the mutants that break them</h2>
<table><thead><tr><th>Rule</th><th>Its mutants, and what its checks saw</th><th>Also found in mutants of other rules</th></tr></thead><tbody>
${ruleRows.join("\n")}
</tbody></table>
<h2>Variants: conformant servers on which no rule may fail</h2>
<table><thead><tr><th>Variant</th><th>What it does differently</th><th>Rules judged</th><th>Inconclusive</th><th>False positives</th></tr></thead><tbody>
${variantRows.join("\n")}
</tbody></table>`;
  return widePage({ title: "Detection matrix", body, style });
}

const style = "main{max-width:75rem}h2{margin-top:2rem}ul{margin:0;padding-left:1.1rem}.bad{background:var(--bad)}";
