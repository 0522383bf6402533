import { Worker } from "node:worker_threads";
import type { TrialJob, TrialReport, Usage } from "./trial.js";

/** Megabytes for young objects in each thread: trials make many short-lived ones. */
const YOUNG_GENERATION_MB = 96;

/** A worker thread that makes so many trials at once. */
export interface Lane {
  /** Trials under way at once. */
  readonly slots: number;
  /** Which jobs it takes. */
  readonly takes: (job: TrialJob) => boolean;
}

/**
 * Makes all jobs in worker threads: each lane is one thread, and takes the next job that suits it as soon as it has a
 * free slot. A thread that dies takes its jobs along as trouble, and is replaced.
 *
 * @param usage what checks ask on the reference server, once that is known (see `runTrial`)
 */
export async function runJobs(
  jobs: readonly TrialJob[],
  lanes: readonly Lane[],
  usage: Usage | undefined,
  onReport: (report: TrialReport) => void,
  signal?: AbortSignal,
): Promise<TrialReport[]> {
  const waiting = [...jobs];
  const reports: TrialReport[] = [];
  const done = (report: TrialReport) => {
    reports.push(report);
    onReport(report);
  };
  await Promise.all(lanes.map((lane) => runLane(lane, waiting, usage, done, signal)));
  return reports;
}

function runLane(
  { slots, takes }: Lane,
  waiting: TrialJob[],
  usage: Usage | undefined,
  done: (report: TrialReport) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const underWay = new Set<TrialJob>();
  let worker: Worker | undefined;

  const next = (): TrialJob | undefined => {
    const index = signal?.aborted ? -1 : waiting.findIndex(takes);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };
  const start = (): Worker => {
    const fresh = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: usage,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    fresh.on("message", (report: TrialReport) => {
      for (const job of underWay) if (isSame(job, report.job)) underWay.delete(job);
      done(report);
      fill();
    });
    fresh.on("error", (fault) => {
      for (const job of underWay)
        done({ job, results: [], usage: {}, requests: 0, durationMs: 0, trouble: String(fault) });
      underWay.clear();
      worker = undefined;
      fill();
    });
    return fresh;
  };
  let finish: () => void = () => {};
  const fill = () => {
    while (underWay.size < slots) {
      const job = next();
      if (!job) break;
      underWay.add(job);
      worker ??= start();
      worker.postMessage(job);
    }
    if (underWay.size === 0) void (worker?.terminate() ?? Promise.resolve()).then(finish);
  };
  return new Promise((resolve) => {
    finish = resolve;
    signal?.addEventListener("abort", () => void worker?.terminate().then(() => resolve()), { once: true });
    fill();
  });
}

function isSame(a: TrialJob, b: TrialJob): boolean {
  return (
    a.lane === b.lane &&
    a.profile === b.profile &&
    a.departure?.name === b.departure?.name &&
    a.departure?.kind === b.departure?.kind
  );
}
