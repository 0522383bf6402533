import { existsSync } from "node:fs";
import { checkWritable } from "../files/write.js";
import { baselineChanges, compareToBaseline, type ExistingCheck, recordBaseline } from "../report/baseline.js";
import { defaultBaselineFile, readBaseline, writeBaseline } from "../report/baseline-file.js";
import type { BaselineEntry } from "../report/baseline-report.js";
import type { Results } from "../report/results.js";
import type { RunListener } from "./listener.js";
import type { RunFlags } from "./plan.js";

/**
 * Prepares the comparison of a run with its baseline, if there is one: a function that adds the outcome to the results. With
 * `--write-baseline` that function first records what fails now. If the run broke or was interrupted, nothing is written,
 * since it is unknown what else would have failed.
 *
 * @param listed the entries of the baseline that was named, if any
 * @throws ConfigurationError when the file to overwrite cannot be read; WriteRefused or WriteFailure when it could not be
 *   written
 */
export function openBaseline(
  { baseline, writeBaseline: named, update }: Pick<RunFlags, "baseline" | "writeBaseline" | "update">,
  listed: readonly BaselineEntry[] | undefined,
  checks: readonly ExistingCheck[],
  listener: Pick<RunListener, "wrote" | "note">,
): (results: Results) => Promise<Results> {
  const file = baseline ?? defaultBaselineFile;
  const withBaseline = (results: Results, name: string, entries: readonly BaselineEntry[]): Results => ({
    ...results,
    baseline: compareToBaseline(results, name, entries, checks),
  });
  const compare = async (results: Results) => (listed ? withBaseline(results, file, listed) : results);
  if (named === undefined) return compare;

  const to = named === true ? file : named;
  // Check now: the file is written after the run, which is too late to find out that it cannot be.
  checkWritable(to);
  const before = listed ?? (existsSync(to) ? readBaseline(to) : []);
  return async (results) => {
    if (results.incomplete || results.problems.length > 0 || results.summary.verdicts.error > 0) {
      listener.note(`${to} was not written: the run is not complete`);
      return compare(results);
    }
    const entries = recordBaseline(results, before, checks, !update);
    await writeBaseline(to, entries);
    if (update)
      for (const line of baselineChanges(before, entries, results, checks)) listener.note(`baseline: ${line}`);
    listener.wrote("baseline", to);
    return withBaseline(results, to, entries);
  };
}
