import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { Comparison } from "../compare/comparison.js";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";

interface CompareFlags {
  readonly failOn?: "regression" | "difference";
  readonly json?: true;
  readonly markdown?: string;
  readonly html?: string;
  readonly quiet?: true;
}

const help = `
The first run is what the others are held against: the run before, or the target that clients leave. A regression is a
rule that holds there and is violated elsewhere, or cannot be judged any more since an operation does not work. Runs of
different catalogues are compared on the rules that they share.

Exit codes:
  0    compared
  1    with --fail-on: there is a regression, or a difference
  2    usage error, or one of the folders holds no run
  3    a file could not be written, or a target could not be reached

Examples:
  perp-conformance compare yesterday today --fail-on regression
  perp-conformance compare reports/acme reports/other reports/third --html table.html --markdown table.md`;

/** `perp-conformance compare DIR DIR...`: runs side by side. */
export function compareCommand(): Command {
  return new Command("compare")
    .description("Compare runs side by side: of several targets, vendors, versions or days.")
    .argument("<runs...>", "folders of runs (their --out), or their results.json")
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
    .addHelpText("after", help)
    .action(async (paths: string[], flags: CompareFlags) => {
      process.exitCode = await compare(paths, flags);
    });
}

async function compare(paths: readonly string[], flags: CompareFlags): Promise<number> {
  if (paths.length < 2) throw new UsageError("a comparison needs two runs at least");
  const { checkWritable, writeWhole } = await import("../files/write.js");
  for (const file of [flags.markdown, flags.html]) if (file !== undefined) checkWritable(resolve(file));
  const { linksOf, readRuns } = await import("../compare/read-runs.js");
  const { compareRuns } = await import("../compare/compare-runs.js");
  const { runs, notes } = await readRuns(paths);
  const made = compareRuns(runs);
  const comparison: Comparison = { ...made, notes: [...made.notes, ...notes] };
  if (flags.markdown !== undefined) {
    const { toMarkdown } = await import("../compare/markdown.js");
    await writeWhole(resolve(flags.markdown), toMarkdown(comparison));
  }
  const page = flags.html === undefined ? undefined : resolve(flags.html);
  if (page !== undefined) {
    const { comparisonPage } = await import("../compare/page.js");
    await writeWhole(
      page,
      comparisonPage(
        comparison,
        runs.map((run) => linksOf(run, page)),
      ),
    );
  }
  await print(comparison, flags);
  return exitCodeOf(comparison, flags);
}

async function print(comparison: Comparison, { json, quiet, markdown, html }: CompareFlags): Promise<void> {
  if (json) {
    process.stdout.write(`${JSON.stringify(comparison, undefined, 2)}\n`);
    return;
  }
  const { toTerminal } = await import("../compare/terminal.js");
  const { headline } = await import("../compare/wording.js");
  process.stdout.write(`${quiet ? headline(comparison) : toTerminal(comparison)}\n`);
  const written = [
    ["page", html],
    ["markdown", markdown],
  ] as const;
  for (const [what, file] of quiet ? [] : written)
    if (file !== undefined) process.stdout.write(`${what.padEnd(8)} ${file}\n`);
}

/** 1 where the user wants to hear of what was found. */
function exitCodeOf({ rules, regressions, answers }: Comparison, { failOn }: CompareFlags): number {
  const differs =
    rules.groups.some(({ difference }) => difference !== "notCompared") || (answers?.differences.length ?? 0) > 0;
  const isFound = failOn === "difference" ? differs : failOn === "regression" && regressions.length > 0;
  return isFound ? exitCodes.notConformant : exitCodes.conformant;
}
