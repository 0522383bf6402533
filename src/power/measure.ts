/** Measures the power of a recorded run by planting all faults, in several threads. */
import { availableParallelism, totalmem } from "node:os";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Results } from "../report/results.js";
import { FaultTrials } from "./fault-trials.js";
import { type FaultSelection, faultsOn } from "./faults/index.js";
import { platformOf } from "./platform.js";
import { entryOf, type FaultEntry, type PowerReport, powerReport } from "./power-report.js";
import { readRun } from "./recorded-run.js";

/** Maximum number of threads. Each holds a copy of the record, so more do not pay off. */
const maxThreads = 4;

/** How many bytes of memory a thread takes for each byte that the run received, and the share of the memory for all threads. */
const memory = { perByte: 3, share: 0.5 } as const;

/**
 * A V8 flag that saves memory. With the default, altered answers pile up until a measurement takes twice as much memory, without
 * being faster.
 */
const memorySavingFlag = "--heap-growing-percent=30";

/** Input of a thread. */
export interface ThreadTask {
  readonly dir: string;
  readonly choice: FaultSelection;
  /** Index of the next fault, shared and incremented by all threads. */
  readonly next: SharedArrayBuffer;
}

/** Message from a thread: the number of faults, or the outcome of one. */
export type ThreadMessage = { readonly faults: number } | { readonly index: number; readonly entry: FaultEntry };

/** Options of a measurement. */
export interface MeasureOptions {
  readonly choice: FaultSelection;
  readonly onProgress?: (done: number, of: number) => void;
  /** Ends the measurement early. */
  readonly signal?: AbortSignal;
}

/**
 * Measures the power of the run in a folder.
 *
 * @throws RecordRefused when its evidence contains anything that a run does not record; the signal's reason when it ended
 *   the measurement
 */
export async function measurePower(dir: string, results: Results, options: MeasureOptions): Promise<PowerReport> {
  const started = performance.now();
  const { choice, onProgress, signal } = options;
  const next = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const entries: FaultEntry[] = [];
  let of = 0;
  let done = 0;
  const workers: Worker[] = [];
  setFlagsFromString(memorySavingFlag);
  const thread = () =>
    new Promise<void>((resolve, reject) => {
      const workerData: ThreadTask = { dir, choice, next };
      const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData });
      workers.push(worker);
      worker.on("message", (news: ThreadMessage) => {
        if ("faults" in news) of = news.faults;
        else {
          entries[news.index] = news.entry;
          done++;
        }
        onProgress?.(done, of);
      });
      worker.on("error", reject);
      worker.on("exit", () => resolve());
    });
  const stop = () => Promise.all(workers.map((worker) => worker.terminate()));
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await Promise.all(Array.from({ length: threadsFor(results.requests.bytesReceived) }, thread));
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", stop);
    await stop();
  }
  return powerReport(results, entries, performance.now() - started);
}

/** How many threads to start for a run that received so many bytes: as many as the memory allows. */
function threadsFor(bytes: number): number {
  const fitting = Math.floor((totalmem() * memory.share) / (bytes * memory.perByte));
  return Math.max(1, Math.min(maxThreads, availableParallelism(), fitting));
}

/** Tries faults until none are left, sharing the counter with other threads. */
export async function work({ dir, choice, next }: ThreadTask, tell: (news: ThreadMessage) => void): Promise<void> {
  const run = await readRun(dir);
  const platform = platformOf(run);
  const faults = faultsOn(platform, choice);
  tell({ faults: faults.length });
  const trials = await FaultTrials.open(run, platform);
  const taken = new Int32Array(next);
  for (let index = Atomics.add(taken, 0, 1); index < faults.length; index = Atomics.add(taken, 0, 1)) {
    const fault = faults[index];
    if (fault) tell({ index, entry: await entryOf(fault, trials) });
  }
}
