import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { OutputFolder } from "../files/output-folder.js";
import { makeFolder } from "../files/write.js";
import { allureReport } from "../report/allure-report.js";
import { verdictFacts } from "../report/assemble-results.js";
import type { Progress } from "../report/progress.js";
import type { Results } from "../report/results.js";
import { roundFolder, writeReports, writeResults } from "../report/write.js";
import { commandLineOf } from "./command-line.js";
import { executeInFolder, executeOnce, type RunInFolder, reportFiles } from "./execute-once.js";
import type { RunListener } from "./listener.js";
import type { RunPlan } from "./plan.js";
import { Rounds, type WholeRunFacts } from "./rounds.js";
import { inRunFolder } from "./run-folder.js";

/** Minimum time to watch streams in a timed run, in milliseconds. */
const timedStreamMs = 30_000;

/**
 * Executes a run. With `--for` it is a timed run: rounds of the ordinary run, each with the next seed and longer streams,
 * combined into one run at the end (see {@link Rounds}). The files of a round are kept only if it shows a violation that no
 * earlier round shows.
 *
 * @throws as {@link executeOnce} does
 */
export function executeRun(plan: RunPlan, listener: RunListener, signal: AbortSignal): Promise<Results> {
  const durationMs = plan.flags.for;
  if (durationMs === undefined) return executeOnce(plan, listener, signal);
  return inRunFolder(plan, listener, (folder, compare) =>
    executeRounds({ plan, folder, compare, listener, signal }, durationMs),
  );
}

/** Executes rounds until the time is up, and writes the files of the timed run. */
async function executeRounds(run: RunInFolder, durationMs: number): Promise<Results> {
  const { plan, folder, compare, listener, signal } = run;
  const startedAt = new Date();
  const started = performance.now();
  const rounds = new Rounds();
  let failure: unknown;
  listener.progress.lasts(durationMs);
  for (let tookMs = 0; hasTimeFor(tookMs, durationMs - (performance.now() - started)); ) {
    const began = performance.now();
    failure = await executeRound(run, rounds, durationMs);
    // The results so far, in case the process is killed.
    writeResults(folder.work, rounds.results(wholeRunFactsOf(plan, startedAt)));
    if (signal.aborted || failure !== undefined) break;
    tookMs = performance.now() - began;
  }
  listener.progress.end();
  const results = await compare(rounds.results(wholeRunFactsOf(plan, startedAt)));
  await writeReports(folder.work, results);
  listener.concluded(results, rounds.count === 1 ? failure : undefined);
  const page = signal.aborted ? undefined : await allureReport(results, new Set(), folder, plan.flags.report);
  await folder.commit(results.incomplete);
  reportFiles(listener, plan.settings.out, page);
  return results;
}

/**
 * Executes the next round and adds it to the others.
 *
 * @returns the error that prevented it, if any
 */
async function executeRound(run: RunInFolder, rounds: Rounds, durationMs: number): Promise<unknown> {
  const { plan, folder, listener, signal } = run;
  const index = rounds.count + 1;
  const dir = join(folder.work, roundFolder(index));
  await makeFolder(dir);
  let failure: unknown;
  const results = await executeInFolder({
    plan: planOfRound(plan, index, durationMs, dir),
    folder: folderOfRound(dir),
    compare: async (unchanged) => unchanged,
    listener: {
      ...listener,
      progress: progressOfRound(listener.progress, index),
      concluded(_, why) {
        failure = why;
      },
      wrote() {},
    },
    signal,
  });
  if (!rounds.add(results)) await rm(dir, { recursive: true, force: true });
  return failure;
}

/** Whether to start another round: more than half of the last one's time must be left. The first round always runs. */
function hasTimeFor(tookMs: number, leftMs: number): boolean {
  return tookMs === 0 || leftMs > tookMs / 2;
}

/** The plan of a round: the ordinary run with its own seed. Only the first round waits for the target to come up. */
function planOfRound(plan: RunPlan, index: number, durationMs: number, out: string): RunPlan {
  const { flags, settings } = plan;
  const { for: _, baseline: __, writeBaseline: ___, update: ____, wait, ...others } = flags;
  const seed = settings.seed + index - 1;
  return {
    ...plan,
    flags: { ...others, ...(index === 1 && wait !== undefined && { wait }), report: false },
    settings: { ...settings, seed, out },
    streamWatchMs: Math.min(timedStreamMs, durationMs),
  };
}

function wholeRunFactsOf(plan: RunPlan, startedAt: Date): WholeRunFacts {
  return {
    ...verdictFacts(plan.readings, [...plan.checks, ...(plan.ownChecks ?? [])]),
    seed: plan.settings.seed,
    command: commandLineOf(plan),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  };
}

/** A folder inside one that is already open, so committing and closing it does nothing. */
function folderOfRound(dir: string): OutputFolder {
  return { path: dir, work: dir, notes: [], commit: async () => {}, close: async () => {} };
}

/** The progress of one round; the rounds share a single display. */
function progressOfRound(progress: Progress, index: number): Progress {
  return { ...progress, phase: (text) => progress.phase(`round ${index}: ${text}`), end() {} };
}
