/** Reads the runs to compare, from the folders or the results files that the user named. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { FileRefused } from "../files/refused.js";
import { UsageError } from "../report/failure.js";
import { readResults } from "../report/read-results.js";
import { relativeUrl, reportPage, runFiles } from "../report/write.js";
import type { ComparedRun } from "./comparison.js";
import type { RunLink } from "./page.js";
import { timesOfRun } from "./times.js";

/** The runs that were read, and what could not be read. */
export interface ReadRuns {
  readonly runs: readonly ComparedRun[];
  /** Records that cannot be read. Their runs are compared without times. */
  readonly notes: readonly string[];
}

/**
 * Reads the runs of a comparison. Each path is the folder of a run, or its `results.json`.
 *
 * @throws UsageError with a one-line message if one of them is not a run, or is damaged
 */
export async function readRuns(paths: readonly string[]): Promise<ReadRuns> {
  const names = namesOf(paths);
  const notes: string[] = [];
  const runs: ComparedRun[] = [];
  for (const [at, path] of paths.entries()) {
    const dir = folderOf(path);
    const results = await readResults(dir).catch((error: unknown) => {
      if (error instanceof FileRefused)
        throw new UsageError(`${path} is not a run that can be compared: ${error.message}`);
      throw error;
    });
    const { run, note } = withTimes({ name: names[at] ?? path, results, dir });
    runs.push(run);
    if (note !== undefined) notes.push(note);
  }
  return { runs, notes };
}

/** Adds the times of its operations to a run that has a readable record. Returns a note if the record is unreadable. */
export function withTimes({ name, results, dir }: ComparedRun & { readonly dir: string }): {
  readonly run: ComparedRun;
  readonly note?: string;
} {
  const run = { name, results, dir };
  try {
    const times = timesOfRun(dir, results);
    return { run: times ? { ...run, times } : run };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return { run, note: `${name}: no times, since its record cannot be read: ${error.message}` };
  }
}

function folderOf(path: string): string {
  const isFile = basename(path) === runFiles.results && (!existsSync(path) || !statSync(path).isDirectory());
  return isFile ? dirname(path) : path;
}

/** The last parts of the paths, as many as are needed to tell them apart. */
function namesOf(paths: readonly string[]): readonly string[] {
  const parts = paths.map((path) =>
    resolve(folderOf(path))
      .split(/[\\/]/)
      .filter((part) => part !== ""),
  );
  const longest = Math.max(...parts.map(({ length }) => length));
  for (let count = 1; count < longest; count++) {
    const names = parts.map((each) => each.slice(-count).join("/"));
    if (new Set(names).size === names.length) return names;
  }
  const whole = paths.map(folderOf);
  return whole.map((name, at) => (whole.indexOf(name) === at ? name : `${name} (${at + 1})`));
}

/**
 * The files of a run that a page can link to.
 *
 * @param page where the page will be
 */
export function linksOf({ dir }: Pick<ComparedRun, "dir">, page: string): readonly RunLink[] {
  if (dir === undefined) return [];
  const files = [
    ["report", reportPage],
    ["summary", runFiles.summary],
    ["results", runFiles.results],
    ["evidence", runFiles.har],
  ] as const;
  return files
    .filter(([, name]) => existsSync(join(dir, name)))
    .map(([what, name]) => ({ what, href: relativeUrl(page, join(dir, name)) }));
}
