import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/write.js";
import { allureReport } from "../report/allure-report.js";
import { verdictFacts } from "../report/assemble-results.js";
import type { Progress } from "../report/progress.js";
import type { Results } from "../report/results.js";
import { roundFolder, runFiles, writeReports, writeResults } from "../report/write.js";
import { commandLineOf } from "./command-line.js";
import type { RunListener } from "./listener.js";
import { makeRun, makeRunIn } from "./make-run.js";
import type { RunPlan } from "./plan.js";
import { Rounds } from "./rounds.js";
import { inRunFolder } from "./run-folder.js";

/** Minimum time to watch streams in a timed run, in milliseconds. */
const soakStreamMs = 30_000;

/**
 * Makes a run or, with `--for`, a timed run: rounds of the ordinary run, each with the next seed and longer streams,
 * combined into one run at the end (see {@link Rounds}). The files of a round are kept only if it shows a violation that no
 * earlier round shows.
 *
 * @throws as `makeRun` does
 */
export function makeRunOrSoak(plan: RunPlan, listener: RunListener, signal: AbortSignal): Promise<Results> {
  const { for: durationMs } = plan.flags;
  return durationMs === undefined ? makeRun(plan, listener, signal) : soak(plan, durationMs, listener, signal);
}

function soak(plan: RunPlan, durationMs: number, listener: RunListener, signal: AbortSignal): Promise<Results> {
  return inRunFolder(plan, listener, async (folder, complete) => {
    const { count, soFar, failure } = await makeRounds(plan, durationMs, folder.work, listener, signal);
    listener.progress.end();
    const results = await complete(soFar());
    await writeReports(folder.work, results);
    listener.concluded(results, count === 1 ? failure : undefined);
    const page = signal.aborted ? undefined : await allureReport(results, new Set(), folder, plan.flags.report);
    await folder.commit(results.incomplete);
    if (page !== undefined) listener.wrote("report", join(plan.settings.out, page));
    listener.wrote("results", join(plan.settings.out, runFiles.results));
    return results;
  });
}

/** Makes rounds until the time is up. The results so far are written after each. */
async function makeRounds(plan: RunPlan, durationMs: number, work: string, listener: RunListener, signal: AbortSignal) {
  const startedAt = new Date();
  const started = performance.now();
  const rounds = new Rounds();
  const soFar = () => rounds.results(inCommon(plan, startedAt));
  let failure: unknown;
  listener.progress.lasts(durationMs);
  for (let tookMs = 0; mayGoOn(durationMs - (performance.now() - started), tookMs); ) {
    const began = performance.now();
    const index = rounds.count + 1;
    const dir = join(work, roundFolder(index));
    await makeFolder(dir);
    const ofRound: RunListener = {
      ...listener,
      progress: inRound(listener.progress, index),
      concluded(_, why) {
        failure = why;
      },
      wrote() {},
    };
    const round = roundOf(plan, index, durationMs, dir);
    const results = await makeRunIn(plainFolder(dir), round, noBaseline, ofRound, signal);
    if (!rounds.add(results)) await rm(dir, { recursive: true, force: true });
    writeResults(work, soFar());
    if (signal.aborted || failure !== undefined) break;
    tookMs = performance.now() - began;
  }
  return { count: rounds.count, soFar, failure };
}

/** Whether to start another round: more than half of it must fit into the time left. The first round always runs. */
function mayGoOn(leftMs: number, tookMs: number): boolean {
  return tookMs === 0 || leftMs > tookMs / 2;
}

/** The plan of a round: the ordinary run with its own seed. Only the first round waits for the target to come up. */
function roundOf(plan: RunPlan, index: number, durationMs: number, out: string): RunPlan {
  const { flags, settings } = plan;
  const { for: _, baseline: __, writeBaseline: ___, update: ____, wait, ...others } = flags;
  const seed = settings.seed + index - 1;
  return {
    ...plan,
    flags: { ...others, ...(index === 1 && wait !== undefined && { wait }), report: false },
    settings: { ...settings, seed, out },
    streamWatchMs: Math.min(soakStreamMs, durationMs),
  };
}

function inCommon(plan: RunPlan, startedAt: Date): Parameters<Rounds["results"]>[0] {
  return {
    ...verdictFacts(plan.readings, [...plan.checks, ...(plan.ownChecks ?? [])]),
    seed: plan.settings.seed,
    command: commandLineOf(plan),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  };
}

/** A folder inside one that is already open, so opening and committing it does nothing. */
function plainFolder(dir: string): Parameters<typeof makeRunIn>[0] {
  return { path: dir, work: dir, notes: [], commit: async () => {}, close: async () => {} };
}

const noBaseline = async (results: Results) => results;

/** The progress of one round; the rounds share a single display. */
function inRound(progress: Progress, index: number): Progress {
  return { ...progress, phase: (text) => progress.phase(`round ${index}: ${text}`), end() {} };
}
