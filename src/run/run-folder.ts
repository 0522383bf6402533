import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkOutputFolder, type FolderPlan, type OutputFolder, openOutputFolder } from "../files/output-folder.js";
import { changesSince } from "../report/changes.js";
import { readResults } from "../report/read-results.js";
import type { Results } from "../report/results.js";
import { runFolder } from "../report/write.js";
import { openBaseline } from "./baseline.js";
import type { RunListener } from "./listener.js";
import type { RunPlan } from "./plan.js";

/** The folder of a run, opened for another one. */
export interface RunFolder {
  readonly folder: OutputFolder;
  /** Notes for the user about what was there before. */
  readonly notes: readonly string[];
  /** Adds what changed since the run that was there, if there was one that can be compared. */
  withChanges(results: Results): Results;
}

/**
 * Opens the folder of a run (see {@link openOutputFolder}).
 *
 * @throws WriteRefused when the folder must not be used; WriteFailure when it cannot be written
 */
export async function openRunFolder(out: string, options: Pick<FolderPlan, "inPlace"> = {}): Promise<RunFolder> {
  const earlier = await readResults(out).catch(() => undefined);
  const folder = await openOutputFolder(out, { ...runFolder, ...options });
  return {
    folder,
    notes: [...folder.notes, ...staleFiles(folder.path)],
    withChanges(results) {
      const before = earlier && changesSince(earlier, results);
      return before ? { ...results, before } : results;
    },
  };
}

/** Adds to the results of a run how they compare with its baseline, and what changed since the run before. */
export type Comparison = (results: Results) => Promise<Results>;

/**
 * Opens the folder of a run, executes the run in it, and closes the folder.
 *
 * @throws as {@link openRunFolder} does; ConfigurationError when the baseline cannot be read
 */
export async function inRunFolder(
  { flags, baseline, checks, settings }: RunPlan,
  listener: RunListener,
  execute: (folder: OutputFolder, compare: Comparison) => Promise<Results>,
): Promise<Results> {
  const compareToBaseline = openBaseline(flags, baseline, checks, listener);
  const { folder, notes, withChanges } = await openRunFolder(settings.out, { inPlace: true });
  try {
    for (const note of notes) listener.note(note);
    return await execute(folder, async (results) => withChanges(await compareToBaseline(results)));
  } finally {
    listener.progress.end();
    await folder.close();
  }
}

/**
 * Executes runs of several targets while holding their common parent folder, so that no one else writes into it. Files that a
 * run of a single target left there are removed.
 *
 * @param executeAll receives the common folder, if there is one
 * @throws WriteRefused when a folder may not be used, before anything was sent
 */
export async function inCommonFolder<T>(
  plans: readonly RunPlan[],
  executeAll: (folder?: OutputFolder) => Promise<T>,
): Promise<T> {
  for (const { settings } of plans) await checkOutputFolder(settings.out, runFolder);
  const [parent] = plans.flatMap(({ name, settings }) => (name === undefined ? [] : [dirname(settings.out)]));
  if (parent === undefined) return executeAll();
  const folder = await openOutputFolder(parent, { ...runFolder, inPlace: true });
  try {
    const result = await executeAll(folder);
    await folder.commit();
    return result;
  } finally {
    await folder.close();
  }
}

/** Notes on files that users made from an earlier run in the folder: they stay, and could be mistaken for this run's. */
function staleFiles(dir: string): string[] {
  return existsSync(join(dir, "statement.json"))
    ? [`statement.json in ${dir} is about an earlier run: \`verify\` refuses it beside the results of this one`]
    : [];
}
