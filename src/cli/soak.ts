import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { openOutputFolder } from "../files/output-folder.js";
import { makeFolder } from "../files/write.js";
import type { Progress } from "../report/progress.js";
import type { Results } from "../report/results.js";
import { runFiles, runFolder, writeReports, writeResults } from "../report/write.js";
import { catalogueUnder, rulingsUnder } from "../spec/readings.js";
import { commandLineOf } from "./command-line.js";
import { openGate } from "./gate.js";
import { allureReport, makeRun, makeRunIn, type Order, type Watcher } from "./make-run.js";
import { Rounds, roundFolder } from "./rounds.js";

/** How long streams are watched in a run that goes on for a time, in milliseconds. */
export const soakStreamMs = 30_000;

/**
 * Makes a run, or with `--for` one that goes on until its time is over: rounds of the ordinary run, each with the next seed and
 * with streams that are watched for longer, made one run of in the end (see {@link Rounds}). The files of a round are kept where
 * it shows a violation that no earlier one shows.
 *
 * @throws as `makeRun` does
 */
export function makeRunOrSoak(order: Order, watcher: Watcher, signal: AbortSignal): Promise<Results> {
  const { for: durationMs } = order.flags;
  return durationMs === undefined ? makeRun(order, watcher, signal) : soak(order, durationMs, watcher, signal);
}

async function soak(order: Order, durationMs: number, watcher: Watcher, signal: AbortSignal): Promise<Results> {
  const gate = openGate(order.flags, order.checks, watcher);
  const folder = await openOutputFolder(order.settings.out, { ...runFolder, inPlace: true });
  try {
    for (const note of folder.notes) watcher.trouble(note);
    const { path, work } = folder;
    const startedAt = new Date();
    const started = performance.now();
    const rounds = new Rounds();
    const soFar = () => rounds.results(inCommon(order, startedAt));
    let failure: unknown;
    for (let tookMs = 0; mayGoOn(durationMs - (performance.now() - started), tookMs); ) {
      const began = performance.now();
      const index = rounds.count + 1;
      const dir = join(work, roundFolder(index));
      await makeFolder(dir);
      const results = await makeRunIn(
        plainFolder(dir),
        roundOf(order, index, durationMs, dir),
        plainGate,
        {
          ...watcher,
          progress: inRound(watcher.progress, index),
          concluded(_, why) {
            failure = why;
          },
          wrote() {},
        },
        signal,
      );
      if (!rounds.add(results)) await rm(dir, { recursive: true, force: true });
      writeResults(work, soFar());
      if (signal.aborted || failure !== undefined) break;
      tookMs = performance.now() - began;
    }
    watcher.progress.end();
    const results = await gate(soFar());
    await writeReports(work, results);
    watcher.concluded(results, rounds.count === 1 ? failure : undefined);
    const page = signal.aborted ? undefined : await allureReport(results, new Set(), work, order.flags.report, path);
    await folder.commit(results.incomplete);
    if (page !== undefined) watcher.wrote("report", join(order.settings.out, relative(work, page)));
    watcher.wrote("results", join(order.settings.out, runFiles.results));
    return results;
  } finally {
    watcher.progress.end();
    await folder.close();
  }
}

/** Whether another round is begun: most of it has to fit into the time that is left. There is one at least. */
function mayGoOn(leftMs: number, tookMs: number): boolean {
  return tookMs === 0 || leftMs > tookMs / 2;
}

/** A round: the ordinary run with the seed that is its turn. Whether the target comes up is waited for once. */
function roundOf(order: Order, index: number, durationMs: number, out: string): Order {
  const { flags, settings } = order;
  const { for: _, baseline: __, writeBaseline: ___, wait, ...others } = flags;
  const seed = settings.seed + index - 1;
  return {
    ...order,
    flags: { ...others, ...(index === 1 && wait !== undefined && { wait }), report: false },
    settings: { ...settings, seed, out },
    streamWatchMs: Math.min(soakStreamMs, durationMs),
  };
}

function inCommon(order: Order, startedAt: Date): Parameters<Rounds["results"]>[0] {
  return {
    catalogue: catalogueUnder(order.readings),
    rulings: rulingsUnder(order.readings),
    checks: order.checks,
    seed: order.settings.seed,
    command: commandLineOf(order),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  };
}

/** A folder within one that is ours already. */
function plainFolder(dir: string): Parameters<typeof makeRunIn>[0] {
  return { path: dir, work: dir, notes: [], commit: async () => {}, close: async () => {} };
}

const plainGate = async (results: Results) => results;

/** The progress of a round: the rounds are shown as one. */
function inRound(progress: Progress, index: number): Progress {
  return { ...progress, phase: (text) => progress.phase(`round ${index}: ${text}`), end() {} };
}
