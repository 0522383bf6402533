import { Command } from "commander";
import { collect, integerUpTo } from "./options.js";
import type { ProveFlags } from "./prove-and-print.js";

const help = `
Exit codes:
  0    each mutant is killed by the checks that should kill it, and no variant has a false positive
  1    otherwise
  2    usage error
  3    a server could not be started, or a file could not be written

Examples:
  perp-conformance prove
  perp-conformance prove --rule order-book.bucket-spacing --matrix
  perp-conformance prove --mutant order-book-asks-not-bucketed --variant reference`;

/** `prove`: runs the harness on every mutant and variant, and prints the detection matrix. Exits with 1 unless it holds. */
export function proveCommand(): Command {
  return new Command("prove")
    .description("Run the harness against every mutant and variant of the reference server: the detection matrix.")
    .option("--rule <id>", "only the mutants of this rule; may be repeated", collect, [])
    .option(
      "--mutant <name>",
      "only this mutant; may be repeated (`perp-conformance explain RULE` lists them)",
      collect,
      [],
    )
    .option("--variant <name>", "only this variant; `reference` is the server as it is; may be repeated", collect, [])
    .option("--seed <n>", "seed of data and of generated requests", integerUpTo(Number.MAX_SAFE_INTEGER), 1)
    .option(
      "--pairs",
      "try every pair of field classes on each server, as a quick run does, not only where it is needed",
    )
    .option("--rejudge", "judge every trial again from its recorded exchanges; the verdicts must be the same")
    .option("--matrix", "list every rule with its mutants, not only the totals")
    .option("--json", "print the whole matrix as JSON")
    .option("--out <dir>", "folder for matrix.json and index.html", "reports/proof")
    .option("--quiet", "no progress")
    .addHelpText("after", help)
    .action(async (flags: ProveFlags) => {
      const { proveAndPrint } = await import("./prove-and-print.js");
      process.exitCode = await proveAndPrint(flags);
    });
}
