import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import type { ComparedRun, Comparison } from "../compare/comparison.js";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import { comparisonFile } from "../report/write.js";
import type { LiveComparison, LiveFlags } from "./compare-live.js";
import { collect } from "./options.js";
import { print } from "./output.js";

interface CompareFlags extends LiveFlags {
  readonly live?: true;
  readonly failOn?: "regression" | "difference";
  readonly markdown?: string;
  readonly html?: string;
}

const help = `
The first run is what the others are held against: the run before, or the target that clients leave. A regression is a
rule that holds there and is violated elsewhere, or cannot be judged any more since an operation does not work. Runs of
different catalogues are compared on the rules that they share. The results are taken as they are: judge a run that comes
from somebody else again first, with rejudge.

With --live two servers are compared: each is tested by a run, then both are sent the same exploration at about the same
time, and their answers are compared beyond the rules. Violations are reported by the rules; other differences that a client
would notice are grouped by cause. The files of both runs are in OUT/NAME, the page in OUT/comparison.html.

Exit codes:
  0    compared
  1    with --fail-on: there is a regression, or a difference
  2    usage error, or one of the folders holds no run
  3    a file could not be written, or a target could not be reached

Examples:
  perp-conformance compare yesterday today --fail-on regression
  perp-conformance compare --live http://127.0.0.1:8080 http://127.0.0.1:8081
  perp-conformance compare --live staging live --config fleet.jsonc --seed 7
  perp-conformance compare reports/acme reports/other reports/third --html table.html --markdown table.md`;

/** `perp-conformance compare DIR DIR...`: compares runs side by side. */
export function compareCommand(): Command {
  return new Command("compare")
    .description("Compare runs side by side: of several targets, vendors, versions or days.")
    .argument("<runs...>", "folders of runs (their --out), or their results.json; with --live two targets")
    .option("--live", "compare two servers: base URLs, or names of targets in the configuration file")
    .addOption(
      new Option("--fail-on <what>", "exit with 1 on a regression, or on any difference").choices([
        "regression",
        "difference",
      ]),
    )
    .option("--json", "print the comparison as one JSON document")
    .option("--markdown <file>", "write the comparison as Markdown")
    .option("--html <file>", "write the comparison as a page with links to the evidence of each run")
    .option("--quiet", "print nothing but the first line")
    .option("--out <dir>", "with --live: folder for the files of both runs and the page", "reports/compare")
    .addOption(
      new Option("--profile <name>", "with --live: quick; full adds checks that take about a minute").choices([
        "quick",
        "full",
      ]),
    )
    .option("--seed <n>", "with --live: seed of the requests (default: a new one each time)")
    .option("--config <file>", "with --live: configuration file (default: perp-conformance.json or .jsonc)")
    .option("--token-env <name>", "with --live: environment variable with the bearer token for both")
    .option("--header <line>", "with --live: extra request header 'Name: value'; may be repeated", collect)
    .option("--insecure", "with --live: do not check the servers' certificates")
    .addHelpText("after", help)
    .action(async (paths: string[], flags: CompareFlags) => {
      process.exitCode = await compare(paths, flags);
    });
}

async function compare(paths: readonly string[], flags: CompareFlags): Promise<number> {
  if (paths.length < 2) throw new UsageError("a comparison needs two runs at least");
  const { checkPage, pageMark } = await import("../files/page.js");
  const { markdownMark, comparisonToMarkdown } = await import("../compare/markdown.js");
  const { writeWhole } = await import("../files/write.js");
  if (flags.markdown !== undefined) checkPage(resolve(flags.markdown), markdownMark);
  if (flags.html !== undefined) checkPage(resolve(flags.html), pageMark("compare"));
  const { linksOf } = await import("../compare/read-runs.js");
  const { comparisonPage } = await import("../compare/page.js");
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
  await printComparison(comparison, flags);
  return exitCodeOf(comparison, flags);
}

/** A comparison and the runs that it compares. */
interface ComparedRuns {
  readonly comparison: Comparison;
  readonly runs: readonly ComparedRun[];
}

/** Compares runs that were made before. */
async function compareFolders(paths: readonly string[]): Promise<ComparedRuns> {
  const { readRuns } = await import("../compare/read-runs.js");
  const { compareRuns } = await import("../compare/compare-runs.js");
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
  const { compareLiveTargets } = await import("./compare-live.js");
  const { compareRuns } = await import("../compare/compare-runs.js");
  const compared = ({ runs, answers }: LiveComparison): ComparedRuns => ({
    runs,
    comparison: compareRuns(runs, answers),
  });
  const live = await compareLiveTargets(named, flags, (found, page) => pageAt(compared(found), page));
  return typeof live === "number" ? live : compared(live);
}

async function printComparison(
  comparison: Comparison,
  { json, quiet, markdown, html, live, out }: CompareFlags,
): Promise<void> {
  if (json) return print(comparison);
  const { comparisonToTerminal } = await import("../compare/terminal.js");
  const { headline } = await import("../compare/wording.js");
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
