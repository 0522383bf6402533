import { Command } from "commander";
import { readingOption } from "./options.js";
import type { RejudgeFlags } from "./rejudge-and-print.js";

const help = `
Compared with the results of the run: the verdict and level of each rule, the verdict of each check, and the
conclusion. Messages, counts and times in the results are not: those of the new judgement are in --json.

Exit codes:
  that of the run, under the readings that are given (0, 1, 3 or 4)
  2    usage error, or the folder holds no run
  3    the evidence is not complete, was altered, or gives different verdicts from the results

Examples:
  perp-conformance rejudge reports/latest
  perp-conformance rejudge reports/latest --reading B4=best-first`;

/** `perp-conformance rejudge DIR`: judges a run again, from its evidence alone. */
export function rejudgeCommand(): Command {
  return new Command("rejudge")
    .description("Judge a run again from its recorded evidence, without the target and without a network.")
    .argument("<dir>", "the folder of the run (its --out)")
    .addOption(readingOption())
    .option("--json", "print the new results as JSON")
    .option("--quiet", "print nothing but the conclusion")
    .addHelpText("after", help)
    .action(async (dir: string, flags: RejudgeFlags) => {
      const { rejudgeAndPrint } = await import("./rejudge-and-print.js");
      process.exitCode = await rejudgeAndPrint(dir, flags);
    });
}
