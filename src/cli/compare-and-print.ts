import { join, resolve } from "node:path";
import { compareRuns } from "../compare/compare-runs.js";
import type { ComparedRun, Comparison } from "../compare/comparison.js";
import { comparisonToMarkdown, markdownMark } from "../compare/markdown.js";
import { comparisonPage } from "../compare/page.js";
import { linksOf, readRuns } from "../compare/read-runs.js";
import { comparisonToTerminal } from "../compare/terminal.js";
import { headline } from "../compare/wording.js";
import { checkPage, pageMark } from "../files/page.js";
import { writeWhole } from "../files/write.js";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import { comparisonFile } from "../report/write.js";
import type { LiveComparison, LiveFlags } from "./compare-live.js";
import { print } from "./output.js";

/** The options of `compare`. */
export interface CompareFlags extends LiveFlags {
  readonly live?: true;
  readonly failOn?: "regression" | "difference";
  readonly markdown?: string;
  readonly html?: string;
}

/**
 * Compares runs, or two servers, and prints the comparison.
 *
 * @returns the exit code
 */
export async function compareAndPrint(paths: readonly string[], flags: CompareFlags): Promise<number> {
  if (paths.length < 2) throw new UsageError("a comparison needs at least two runs");
  if (flags.markdown !== undefined) checkPage(resolve(flags.markdown), markdownMark);
  if (flags.html !== undefined) checkPage(resolve(flags.html), pageMark("compare"));
  const pageAt = ({ comparison, runs }: ComparedRuns, page: string) =>
    comparisonPage(
      comparison,
      runs.map((run) => linksOf(run, page)),
    );
  const compared = flags.live ? await compareServers(paths, flags, pageAt) : await compareFolders(paths);
  if (typeof compared === "number") return compared;
  const { comparison } = compared;
  if (flags.markdown !== undefined) await writeWhole(resolve(flags.markdown), comparisonToMarkdown(comparison));
  if (flags.html !== undefined) await writeWhole(resolve(flags.html), pageAt(compared, resolve(flags.html)));
  printComparison(comparison, flags);
  return exitCodeOf(comparison, flags);
}

/** A comparison and the runs that it compares. */
interface ComparedRuns {
  readonly comparison: Comparison;
  readonly runs: readonly ComparedRun[];
}

/** Compares runs that were made before. */
async function compareFolders(paths: readonly string[]): Promise<ComparedRuns> {
  const { runs, notes } = await readRuns(paths);
  const made = compareRuns(runs);
  return { runs, comparison: { ...made, notes: [...made.notes, ...notes] } };
}

/** Compares two servers, or returns the exit code if one of them could not be tested. */
async function compareServers(
  named: readonly string[],
  flags: CompareFlags,
  pageAt: (compared: ComparedRuns, page: string) => string,
): Promise<ComparedRuns | number> {
  // Loaded only here: it needs all that makes a run.
  const { compareLiveTargets } = await import("./compare-live.js");
  const compared = ({ runs, answers }: LiveComparison): ComparedRuns => ({
    runs,
    comparison: compareRuns(runs, answers),
  });
  const live = await compareLiveTargets(named, flags, (found, page) => pageAt(compared(found), page));
  return typeof live === "number" ? live : compared(live);
}

function printComparison(comparison: Comparison, { json, quiet, markdown, html, live, out }: CompareFlags): void {
  if (json) {
    print(comparison);
    return;
  }
  process.stdout.write(`${quiet ? headline(comparison) : comparisonToTerminal(comparison)}\n`);
  const written = [
    ["page", html ?? (live && join(out, comparisonFile))],
    ["markdown", markdown],
  ] as const;
  for (const [what, file] of quiet ? [] : written)
    if (file !== undefined) process.stdout.write(`${what.padEnd(8)} ${file}\n`);
}

/** 1 if what was found is what `--fail-on` names. */
function exitCodeOf({ rules, regressions, answers }: Comparison, { failOn }: CompareFlags): number {
  const differs =
    rules.groups.some(({ difference }) => difference !== "notCompared") || (answers?.differences.length ?? 0) > 0;
  const isFound = failOn === "difference" ? differs : failOn === "regression" && regressions.length > 0;
  return isFound ? exitCodes.notConformant : exitCodes.conformant;
}
