import { Command } from "commander";
import type { PowerFlags } from "./measure-and-print.js";
import { percent } from "./options.js";

const help = `
Faults are planted into the recorded answers, each into every answer that it would have changed, and the altered
record is judged again. A fault that the run would have detected is killed; one that changes answers unnoticed
survived; one that finds nothing to change was not exercised on this target's data.

Exit codes:
  0    measured
  1    with --at-least: the score is lower, or no fault changes an answer of the run
  2    usage error, or the folder holds no run
  3    the evidence is not complete, was altered, or a file could not be written

Examples:
  perp-conformance power reports/latest
  perp-conformance power reports/latest --html power.html --at-least 95`;

/** `perp-conformance power DIR`: measures what a run would have detected, on its target's own data. */
export function powerCommand(): Command {
  return new Command("power")
    .description("Plant faults into the answers of a run, and report which of them it would have detected.")
    .argument("<dir>", "the folder of the run (its --out)")
    .option("--all", "plant each fault in every scope: one market, one wallet, later pages, combinations of fields")
    .option("--at-least <percent>", "exit with 1 if the mutation score is below this", percent)
    .option("--json", "print the report as one JSON document")
    .option("--html <file>", "write the report as a page")
    .option("--quiet", "print nothing but the score")
    .addHelpText("after", help)
    .action(async (dir: string, flags: PowerFlags) => {
      const { measureAndPrint } = await import("./measure-and-print.js");
      process.exitCode = await measureAndPrint(dir, flags);
    });
}
