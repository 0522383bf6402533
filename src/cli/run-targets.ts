import { join, relative } from "node:path";
import type { OutputFolder } from "../files/output-folder.js";
import { writeWhole } from "../files/write.js";
import { conclusionLine, resultsToTerminal, type Style, toQuietTerminal } from "../report/console.js";
import { withRanges } from "../report/exchange-ranges.js";
import { exitCode, exitCodes, worstExitCode } from "../report/exit-code.js";
import { commandFailureOf } from "../report/failure.js";
import { type Progress, showProgress, silentProgress } from "../report/progress.js";
import { ndjsonLine, ndjsonProgress, type ProgressEvent } from "../report/progress-ndjson.js";
import type { Results } from "../report/results.js";
import { targetsTable } from "../report/terminal-tables.js";
import { conclusionInWords } from "../report/wording.js";
import { comparisonFile } from "../report/write.js";
import { executeRun } from "../run/execute-run.js";
import { onInterruption } from "../run/interruption.js";
import type { RunListener } from "../run/listener.js";
import { type PlanFlags, plansFor, type RunFlags, type RunPlan } from "../run/plan.js";
import { inCommonFolder } from "../run/run-folder.js";
import { dryRunDocument, dryRunText } from "./dry-run.js";
import { annotatedByGithub, reportToGithub } from "./github.js";
import { type OutputDocument, print, wantsColor } from "./output.js";

/** Output is not wrapped in a terminal narrower than this: it would be no easier to read. */
const minColumns = 60;

/**
 * Executes a run of each target as the command line asks, one after another, and prints the results.
 *
 * @returns the exit code: the worst one of the targets
 * @throws UsageError or ConfigurationError before anything is sent
 */
export async function runAndPrint(flags: RunFlags): Promise<number> {
  const plans = await plansFor(flags);
  if (flags.dryRun) {
    if (flags.json) print({ format: "perp-conformance/dry-run", formatVersion: 1, targets: plans.map(dryRunDocument) });
    else process.stdout.write(`${plans.map(dryRunText).join("\n\n")}\n`);
    return exitCodes.conformant;
  }
  for (const { overridden } of plans)
    if (overridden !== undefined)
      note(flags, `--reference tests the embedded reference server, not what ${overridden} names`);
  const interruption = onInterruption();
  const { signal } = interruption;
  const made: FinishedRun[] = [];
  try {
    await inCommonFolder(plans, async (folder) => {
      for (const plan of plans) {
        if (signal.aborted) break;
        const results = await executeRun(plan, listenerFor(plan), signal);
        if (!flags.json) process.stdout.write(`${headingOf(plan)}${conclusionLine(results, style())}\n`);
        const code = signal.aborted ? exitCodes.interrupted : exitCode(results);
        if (signal.aborted && !results.incomplete && !flags.json)
          process.stdout.write(interruptedLine(plan.flags, results));
        made.push({ name: plan.name ?? "", results, dir: plan.settings.out, code });
      }
      const report = plans.every((plan) => plan.flags.report);
      if (folder && !signal.aborted) await compareMade(made, folder, { ...flags, report });
    });
  } finally {
    interruption.dispose();
  }
  const codes = made.map(({ code }) => code);
  const worst = worstExitCode(made.length < plans.length ? [exitCodes.interrupted, ...codes] : codes);
  if (flags.json) print(documentOf(plans, made, worst));
  else if (plans.length > 1) process.stdout.write(`\n${targetsTable(made)}\n${lastLine(made, worst)}`);
  if (flags.progress === "ndjson") process.stderr.write(ndjsonLine({ event: "end", exitCode: worst }));
  return worst;
}

/** The last line of a run that was interrupted after all its checks: its conclusion stands, what came after it is missing. */
function interruptedLine({ power, report }: PlanFlags, results: Results): string {
  const missing = [...(power && !results.power ? ["power"] : []), ...(report ? ["HTML report"] : [])];
  const without = missing.length > 0 ? `; without ${missing.join(" and ")}` : "";
  return `exit ${exitCodes.interrupted}: interrupted after all checks${without}\n`;
}

/** What `--json` prints for a run of several targets. */
interface TargetsDocument extends OutputDocument {
  readonly format: "perp-conformance/targets";
  readonly formatVersion: 1;
  readonly exitCode: number;
  readonly targets: readonly { readonly name: string; readonly exitCode: number; readonly results: Results }[];
}

/** The results of a single run as they are in its folder; for several targets, the results and exit code of each. */
function documentOf(
  plans: readonly RunPlan[],
  made: readonly FinishedRun[],
  exitCode: number,
): Results | TargetsDocument {
  const [only] = made;
  if (only !== undefined && plans.length === 1) return withRanges(only.results);
  const targets = made.map(({ name, results, code }) => ({ name, exitCode: code, results: withRanges(results) }));
  return { format: "perp-conformance/targets", formatVersion: 1, exitCode, targets };
}

/** Tells the user something that is not part of the results. */
function note({ progress }: Pick<RunFlags, "progress">, text: string, target?: string): void {
  process.stderr.write(progress === "ndjson" ? ndjsonLine({ event: "note", text }, target) : `${text}\n`);
}

/** Names the targets that the exit code comes from; empty if it is 0. */
function lastLine(made: readonly FinishedRun[], worst: number): string {
  if (worst === exitCodes.conformant) return "";
  const theirs = made.filter(({ code }) => code === worst);
  const why = theirs.map(({ name, results }) => `${name} is ${conclusionInWords(results)}`);
  return `\nexit ${worst}: ${why.join(", ") || "interrupted"}\n`;
}

/** A finished run, with the name of its target. */
interface FinishedRun {
  readonly name: string;
  readonly results: Results;
  /** The folder of its files. */
  readonly dir: string;
  readonly code: number;
}

/** Shows how several runs differ. Runs without a single conclusive rule are left out: there is nothing to compare. */
async function compareMade(
  made: readonly FinishedRun[],
  folder: OutputFolder,
  { quiet, json, report }: RunFlags,
): Promise<void> {
  const isTold = !quiet && !json;
  const settled = made.filter(({ results }) => results.summary.conclusiveness.conclusive > 0);
  if (settled.length < 2) return;
  const { compareRuns } = await import("../compare/compare-runs.js");
  const { comparisonPage } = await import("../compare/page.js");
  const { linksOf, withTimes } = await import("../compare/read-runs.js");
  const { comparisonToTerminal } = await import("../compare/terminal.js");
  const runs = settled.map((run) => withTimes(run).run);
  const comparison = compareRuns(runs);
  if (isTold) process.stdout.write(`\n${comparisonToTerminal(comparison, "differences")}\n`);
  if (!report) return;
  const page = join(folder.path, comparisonFile);
  const links = runs.map((run) => linksOf(run, page));
  await writeWhole(join(folder.work, comparisonFile), comparisonPage(comparison, links));
  if (isTold) process.stdout.write(`compared ${shown(page)}\n`);
}

/** The listener that shows a run to the user. If the run could not be executed, it shows only the reason. */
function listenerFor({ name, flags }: RunPlan): RunListener {
  const { quiet, json } = flags;
  const heading = name === undefined || quiet ? "" : `== ${name}\n\n`;
  const say = (event: ProgressEvent) => process.stderr.write(ndjsonLine(event, name));
  return {
    progress: progressFor(flags, name),
    concluded(results, failure) {
      if (failure !== undefined) {
        const { lines, exitCode } = commandFailureOf(failure);
        if (flags.progress === "ndjson") say({ event: "error", exitCode, messages: lines });
        else process.stderr.write(`${heading}${lines.join("\n")}\n`);
      } else if (!json) {
        const text = quiet
          ? toQuietTerminal(results)
          : resultsToTerminal(results, { ...style(), omit: annotatedByGithub(results) });
        if (text !== "") process.stdout.write(`${heading}${text}\n\n`);
      }
      reportToGithub(results, { name, annotate: json ? "stderr" : "stdout" });
    },
    wrote(what, path) {
      if (flags.progress === "ndjson") say({ event: "file", what, path });
      else if (!quiet && !json) process.stdout.write(`${what.padEnd(8)} ${shown(path)}\n`);
    },
    note: (text) => note(flags, text, name),
  };
}

function progressFor({ quiet, progress }: RunFlags, target?: string): Progress {
  if (progress === "ndjson") return ndjsonProgress(process.stderr, target);
  if (quiet || progress === "none") return silentProgress;
  return showProgress(process.stderr);
}

function style(): Style {
  const { isTTY, columns } = process.stdout;
  return { color: wantsColor(process.stdout), ...(isTTY && columns > minColumns && { columns }) };
}

/** Printed before the conclusion if there are several targets. */
function headingOf({ name }: RunPlan): string {
  return name === undefined ? "" : `${name}: `;
}

/** The form of a path that is shortest to type. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}
