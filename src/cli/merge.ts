import { Command } from "commander";
import type { MergeFlags } from "./merge-and-print.js";
import { percent } from "./options.js";

const help = `
The shards may be given in any order; each must be there, all of the same run. Each keeps its results and its evidence in
a folder of its own (OUT/shards/1, ...), where \`reproduce\` finds them; \`rejudge OUT\` judges all of them again.
Exit codes are those of \`run\`.

Example:
  perp-conformance run --base-url URL --seed 7 --shard 1/2 --out one     on one machine
  perp-conformance run --base-url URL --seed 7 --shard 2/2 --out two     on another
  perp-conformance merge one two --out reports/latest`;

/** `perp-conformance merge DIR...`: makes one run from its shards. */
export function mergeCommand(): Command {
  return new Command("merge")
    .description("Merge the shards of `run --shard` into one run.")
    .argument("<dirs...>", "the folders of the shards (their --out)")
    .option("--out <dir>", "folder for the files of the run", "reports/latest")
    .option(
      "--require-conclusive <percent>",
      "undecided if fewer rules are conclusive (default: as for the shards)",
      percent,
    )
    .option("--baseline <file>", "known deviations: exit with 0 if exactly these fail")
    .option("--no-report", "write no HTML report")
    .option("--quiet", "print nothing but the result")
    .option("--json", "print the results as one JSON document, and nothing else")
    .addHelpText("after", help)
    .action(async (dirs: string[], flags: MergeFlags) => {
      const { mergeAndPrint } = await import("./merge-and-print.js");
      process.exitCode = await mergeAndPrint(dirs, flags);
    });
}
