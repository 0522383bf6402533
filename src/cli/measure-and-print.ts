import { resolve } from "node:path";
import { checkPage, pageMark } from "../files/page.js";
import { writeWhole } from "../files/write.js";
import { measurePower } from "../power/measure.js";
import { powerPage } from "../power/page.js";
import { powerToTerminal } from "../power/terminal.js";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import { killedPercent, powerLine } from "../report/power-score.js";
import { verifyRun } from "../run/rejudge.js";
import { print } from "./output.js";
import { readResultsIn } from "./results-of.js";

/** The options of `power`. */
export interface PowerFlags {
  readonly all?: true;
  readonly atLeast?: number;
  readonly json?: true;
  readonly html?: string;
  readonly quiet?: true;
}

/**
 * Measures the power of a run and prints it.
 *
 * @returns the exit code
 */
export async function measureAndPrint(dir: string, flags: PowerFlags): Promise<number> {
  if (flags.html !== undefined) checkPage(resolve(flags.html), pageMark("power"));
  const { results } = await readResultsIn(dir);
  if (results.shards) throw new UsageError(`the run in ${dir} was merged: name the folder of one of its shards`);
  await verifyRun(dir, results);

  const showsProgress = !flags.quiet && !flags.json && process.stderr.isTTY;
  const onProgress = (done: number, of: number) =>
    process.stderr.write(`\r${done} of ${of} faults${done === of ? "\n" : ""}`);
  const choice = { seed: results.seed, all: flags.all === true };
  const report = await measurePower(dir, results, { choice, ...(showsProgress && { onProgress }) });
  if (flags.html !== undefined) {
    await writeWhole(resolve(flags.html), powerPage(report));
  }
  if (flags.json) print(report);
  else {
    process.stdout.write(`${flags.quiet ? powerLine(report.score) : powerToTerminal(report)}\n`);
    if (flags.html !== undefined && !flags.quiet) process.stdout.write(`page     ${flags.html}\n`);
  }
  return (killedPercent(report.score) ?? 0) < (flags.atLeast ?? 0) ? exitCodes.notConformant : exitCodes.conformant;
}
