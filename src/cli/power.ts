import { resolve } from "node:path";
import { Command } from "commander";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import { percent } from "./options.js";
import { print } from "./output.js";
import { readResultsIn } from "./results-of.js";

interface PowerFlags {
  readonly all?: true;
  readonly atLeast?: number;
  readonly json?: true;
  readonly html?: string;
  readonly quiet?: true;
}

const help = `
Faults are planted into the recorded answers, each into every answer that it would have changed, and the altered
record is judged again. A fault that the run would have detected is killed; one that changes answers unnoticed
survived; one that finds nothing to change was not exercised on this target's data.

Exit codes:
  0    measured
  1    with --at-least: the score is lower
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
    .option("--at-least <percent>", "exit with 1 if the detection score is below this", percent)
    .option("--json", "print the report as one JSON document")
    .option("--html <file>", "write the report as a page")
    .option("--quiet", "print nothing but the score")
    .addHelpText("after", help)
    .action(async (dir: string, flags: PowerFlags) => {
      process.exitCode = await power(dir, flags);
    });
}

async function power(dir: string, flags: PowerFlags): Promise<number> {
  const { checkPage, pageMark } = await import("../files/page.js");
  const { writeWhole } = await import("../files/write.js");
  if (flags.html !== undefined) checkPage(resolve(flags.html), pageMark("power"));
  const { verifyRun } = await import("../run/rejudge.js");
  const { measurePower } = await import("../power/measure.js");
  const { killedPercent, powerLine } = await import("../report/power-score.js");
  const { results } = await readResultsIn(dir);
  if (results.shards) throw new UsageError(`the run in ${dir} was merged: name the folder of one of its shards`);
  await verifyRun(dir, results);

  const showsProgress = !flags.quiet && !flags.json && process.stderr.isTTY;
  const onProgress = (done: number, of: number) =>
    process.stderr.write(`\r${done} of ${of} faults${done === of ? "\n" : ""}`);
  const choice = { seed: results.seed, all: flags.all === true };
  const report = await measurePower(dir, results, { choice, ...(showsProgress && { onProgress }) });
  if (flags.html !== undefined) {
    const { powerPage } = await import("../power/page.js");
    await writeWhole(resolve(flags.html), powerPage(report));
  }
  if (flags.json) print(report);
  else {
    const { powerToTerminal } = await import("../power/terminal.js");
    process.stdout.write(`${flags.quiet ? powerLine(report.score) : powerToTerminal(report)}\n`);
    if (flags.html !== undefined && !flags.quiet) process.stdout.write(`page     ${flags.html}\n`);
  }
  return killedPercent(report.score) < (flags.atLeast ?? 0) ? exitCodes.notConformant : exitCodes.conformant;
}
