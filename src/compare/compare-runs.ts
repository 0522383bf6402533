/** Compares runs side by side: of several targets, vendors, versions or days. */
import { isDeepStrictEqual } from "node:util";
import { countOf } from "../judge/judgement.js";
import { harness } from "../report/identity.js";
import type { Results } from "../report/results.js";
import { implementationOf } from "../report/wording.js";
import { endpointNames } from "../specification/endpoints.js";
import { readingLines } from "../specification/readings.js";
import type { AnswerComparison } from "./answers.js";
import type { ComparedRun, Comparison, InteractionsRow, RunSummary } from "./comparison.js";
import { compareObservations } from "./observations.js";
import { compareRules } from "./rules.js";
import { timesRows } from "./times.js";

/**
 * Compares runs on what they share. The others are compared with the first run: the previous one, or the target that a
 * client leaves.
 *
 * @param answers what a live comparison found beyond the rules
 */
export function compareRuns(runs: readonly ComparedRun[], answers?: AnswerComparison): Comparison {
  const rules = compareRules(runs);
  return {
    format: "perp-conformance/comparison",
    formatVersion: 1,
    harness,
    runs: runs.map(summaryOf),
    sameTarget: new Set(runs.map(({ results }) => whatWasTested(results))).size === 1,
    notes: notesOn(runs, rules),
    rules,
    regressions: rules.groups.flatMap((group) =>
      group.rules.filter(({ regression }) => regression).map(({ id }) => id),
    ),
    observations: compareObservations(runs),
    // In a live comparison both were asked the same at the same time, so its times compare better than those of the runs.
    times: answers?.times ?? timesRows(runs.map(({ times }) => times)),
    interactions: interactionsRows(runs),
    ...(answers && { answers }),
  };
}

function summaryOf({ name, dir, results }: ComparedRun): RunSummary {
  const { target, summary, profile, seed, startedAt, durationMs, requests } = results;
  const implementation = implementationOf(results);
  return {
    name,
    ...(dir !== undefined && { dir }),
    target: target.embedded ? "the embedded reference server" : target.baseUrl,
    ...(implementation !== undefined && { implementation }),
    conclusion: summary.conclusion,
    reasons: summary.reasons,
    harness: results.harness,
    profile,
    seed,
    startedAt,
    durationMs,
    requests: requests.count,
    verdicts: summary.verdicts,
    ...(results.labels && { labels: results.labels }),
  };
}

/** Identifies a target: by vendor and name, whatever its version, or else by its address. */
function whatWasTested({ target }: Results): string {
  const { name, vendor = "" } = target.implementation ?? {};
  if (name !== undefined) return `${vendor} ${name}`;
  return target.embedded ? "the embedded reference server" : target.baseUrl;
}

/** What limits a comparison, in sentences. */
function notesOn(runs: readonly ComparedRun[], rules: Comparison["rules"]): readonly string[] {
  const [first] = runs;
  if (!first) return [];
  const differ = (what: (results: Results) => unknown) =>
    runs.some(({ results }) => !isDeepStrictEqual(what(results), what(first.results)));
  const each = (what: (results: Results) => string) =>
    runs.map(({ name, results }) => `${name}: ${what(results)}`).join("; ");
  const notes: string[] = [];
  if (differ(({ specification }) => specification.catalogueDigest)) {
    const others = countOf(rules.onlyIn.length, "rule");
    notes.push(
      `The runs are of different catalogues of rules: compared are the ${rules.shared} rules that all of them have` +
        `${rules.onlyIn.length > 0 ? `, not the ${others} that only some have` : ""}. A verdict may differ because a rule does.`,
    );
  }
  if (differ(({ harness: { version } }) => version))
    notes.push(
      `The runs were made by different versions of the harness (${each((results) => results.harness.version)}).`,
    );
  if (differ(({ profile }) => profile))
    notes.push(`The runs have different profiles (${each(({ profile }) => profile)}).`);
  if (differ(({ seed }) => seed))
    notes.push(
      `The seeds differ (${each(({ seed }) => String(seed))}), so the runs sent different requests; a rare fault may show in only one of them.`,
    );
  if (differ(({ readings = {} }) => readings))
    notes.push(
      `The text was read in different ways (${each(({ readings = {} }) => readingLines(readings).join(", ") || "as the rulings have it")}).`,
    );
  if (differ(({ strict }) => strict))
    notes.push(
      `Advisory rules count in some of the runs only (${each(({ strict }) => (strict ? "strict" : "not strict"))}).`,
    );
  if (differ(({ selection }) => selection))
    notes.push("The runs were asked to judge different rules: rules that only some of them judged are listed last.");
  for (const { name, results } of runs) {
    const [problem] = results.problems;
    if (results.incomplete) notes.push(`${name} was interrupted.`);
    else if (problem !== undefined) notes.push(`${name} could not be made as a whole: ${problem}`);
    else if (results.baseline) notes.push(`${name}: known deviations count as failures here.`);
  }
  return notes;
}

function interactionsRows(runs: readonly ComparedRun[]): readonly InteractionsRow[] {
  return endpointNames
    .map((operation) => ({
      operation,
      cells: runs.map(({ results }) => {
        const found = results.summary.interactions.find(({ name }) => name === operation);
        return found ? { strength: found.strength, covered: found.covered, of: found.of } : null;
      }),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== null));
}
