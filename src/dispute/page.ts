import { type Exchange, keptRows } from "../connect/exchange.js";
import type { Verdict } from "../engine/result.js";
import { inert } from "../report/inert.js";
import type { CheckEntry, Results, RuleEntry } from "../report/results.js";
import { commandFor } from "../report/wording.js";
import { ruleById } from "../specification/catalogue/index.js";
import { alternativesOf, chosenOf, type Readings, rulingsUnder } from "../specification/readings.js";
import type { RulingId } from "../specification/rulings.js";
import { sectionHeading } from "../specification/sections.js";

/** Bytes of a body that the page shows; the whole of it lies beside. */
const BODY_SHOWN = 4_000;

/**
 * The page of a dispute: what is required and how it is read, what was sent, what came back, and why the verdict is what
 * it is. Written for both sides; nothing in it needs the harness to be understood.
 *
 * @param exchanges the sections on the exchanges (see {@link exchangeSection})
 * @param otherwise the verdict under each way to take the text that can be chosen, by the choice: `B4=best-first`
 */
export function disputePage(
  results: Results,
  entry: RuleEntry,
  exchanges: readonly string[],
  otherwise: ReadonlyMap<string, Verdict> = new Map(),
): string {
  const rule = ruleById(entry.id as Parameters<typeof ruleById>[0]);
  const readings = (rule.rulings ?? []).flatMap((id) => readingOf(id, results.readings ?? {}, otherwise));
  return `${[
    `# ${entry.id}: ${entry.verdict}`,
    `Target ${code(results.target.baseUrl)}, ${results.profile} profile, seed ${results.seed}, ${results.startedAt}, ` +
      `${results.harness.name} ${results.harness.version}.`,
    "## What is required",
    `> ${rule.statement}`,
    `${sectionHeading(rule.section)} of the specification (${results.specification.name} ${results.specification.version}); ${rule.level}. ${rule.impact}`,
    "## How it is read",
    readings.length === 0 ? "The statement is taken as it stands; no ruling was needed." : readings.join("\n\n"),
    "## What was found",
    ...entry.checks.map(checkSection),
    "## What was sent, and what came back",
    ...exchanges,
    "## Reproduce it",
    "Send the same requests again (`CONFORMANCE_TOKEN` holds the token, if one is needed):",
    fence("sh", "sh requests.sh"),
    "Judge the recorded answers again, without the target:",
    fence("sh", "npx perp-conformance rejudge ."),
    "Make the check again, with the same seed:",
    fence("sh", commandFor(results, entry)),
  ].join("\n\n")}\n`;
}

/** A ruling: the reading that was applied, and what each of its alternatives would have given. */
function readingOf(id: RulingId, chosen: Readings, otherwise: ReadonlyMap<string, Verdict>): string[] {
  const { place, reading } = rulingsUnder(chosen)[id];
  const alternatives = alternativesOf(id).map((other) => {
    const verdict = otherwise.get(`${id}=${other.id}`);
    return `- *${other.id}*: ${other.reading}${verdict ? ` Taken so, the verdict is **${verdict}**.` : ""}`;
  });
  const heading = chosenOf(id, chosen)
    ? "This reading was chosen for the run. The text can also be taken otherwise:"
    : "The text can also be taken otherwise; the verdict accepts each of these:";
  return [
    `**${id}, on ${place}.** ${reading}`,
    ...(alternatives.length === 0 ? [] : [heading, alternatives.join("\n")]),
  ];
}

function checkSection(check: CheckEntry): string {
  const lines = [`### ${inert(check.name)}: ${check.verdict}`, `${check.assertions} assertions on real data.`];
  if (check.message) lines.push(inert(check.message));
  for (const { what, seen } of check.observations ?? []) lines.push(`- ${inert(what)}: ${inert(seen)}`);
  for (const violation of check.violations ?? []) {
    const times = violation.count === 1 ? "once" : `${violation.count} times`;
    lines.push(`Violated ${times}:`);
    lines.push(
      ["| where | expected | seen | exchange |", "| --- | --- | --- | --- |"]
        .concat(
          violation.places.map(({ path, expected, seen, exchange }) =>
            row([path || "the answer", expected, seen, exchange]),
          ),
        )
        .join("\n"),
    );
  }
  for (const { pointer, excerpt } of check.violations ?? []) {
    if (excerpt !== "") lines.push(`At ${code(pointer || "/")}: ${code(excerpt)}`);
  }
  if (check.counterexample) {
    const { values, shrinks, seed } = check.counterexample;
    lines.push(`Smallest counterexample: ${code(values)}, after ${shrinks} steps of shrinking from seed ${seed}.`);
  }
  return lines.join("\n\n");
}

/**
 * What the page says of an exchange.
 *
 * @param file the file that has the whole of it
 * @param curl a line for a shell that sends the request again
 */
export function exchangeSection(exchange: Exchange, file: string, curl: string): string {
  const { request, response, frames, failure } = exchange;
  const answer = response
    ? [`HTTP ${response.status}`, ...response.headers.map(([name, value]) => `${name}: ${value}`), "", response.body]
    : [`no response: ${failure?.kind ?? "unknown"}: ${failure?.message ?? ""}`];
  const samples = (response?.samples ?? []).map(
    (rows) => `${keptRows(rows).length} of ${rows.rows} rows of ${inert(rows.path)}`,
  );
  const arrivals = (frames ?? []).map(({ at, data }) => `${at.toFixed(1)} ms  ${data}`);
  return [
    `### ${inert(exchange.id)}`,
    `Sent ${exchange.startedAt}, answered within ${exchange.timings.totalMs.toFixed(1)} ms. The whole of it: [${file}](${file}).`,
    ...(samples.length > 0
      ? [`Of the ${response?.bytes} bytes of the body a sample was read: ${samples.join(", ")}.`]
      : []),
    fence(
      "http",
      shorten(
        [
          `${request.method} ${request.url}`,
          ...request.headers.map(([name, value]) => `${name}: ${value}`),
          "",
          request.body,
        ].join("\n"),
      ),
    ),
    fence("http", shorten([...answer, ...arrivals].join("\n"))),
    fence("sh", curl),
  ].join("\n\n");
}

function shorten(text: string): string {
  return text.length <= BODY_SHOWN
    ? text
    : `${text.slice(0, BODY_SHOWN)}\n… ${text.length - BODY_SHOWN} more characters in the file`;
}

/** A fenced block that its content cannot end early. */
function fence(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text.split("\n").map(inert).join("\n")}\n${ticks}`;
}

function code(text: string): string {
  return `\`${inert(text).replaceAll("`", "'")}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => code(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}
