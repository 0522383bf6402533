import { Worker } from "node:worker_threads";
import { isSameModification } from "../reference/modifications.js";
import type { TrialJob, TrialReport, Usage } from "./trial.js";

/** Megabytes for young objects in each thread: trials make many short-lived ones. */
const YOUNG_GENERATION_MB = 192;

/** A worker thread that makes so many trials at once. */
export interface WorkerSlots {
  /** Trials under way at once. */
  readonly slots: number;
  /** Which jobs it takes. */
  readonly takes: (job: TrialJob) => boolean;
}

/** What is told about the jobs, and by whom. */
export interface JobOptions {
  /** What checks ask on the reference server, once that is known (see `runTrial`). */
  readonly usage?: Usage;
  /** Called with each report; what it returns is to be done as well. */
  readonly onReport: (report: TrialReport) => readonly TrialJob[];
  /** Ends the work early. */
  readonly signal?: AbortSignal;
}

/**
 * Makes all jobs in worker threads: each lane is one thread, and takes the next job that suits it as soon as it has a
 * free slot. A thread that dies takes its jobs along as trouble, and is replaced.
 */
export async function runJobs(
  jobs: readonly TrialJob[],
  lanes: readonly WorkerSlots[],
  { usage, onReport, signal }: JobOptions,
): Promise<TrialReport[]> {
  const waiting = [...jobs];
  const reports: TrialReport[] = [];
  const threads = lanes.map((lane) => new Thread(lane, usage, done));
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  function done({ preparation, ...report }: TrialReport): void {
    reports.push(report);
    waiting.push(...onReport({ ...report, ...(preparation ? { preparation } : {}) }));
    fill();
  }
  function fill(): void {
    for (const thread of threads) {
      while (thread.isFree && !signal?.aborted) {
        const index = waiting.findIndex(thread.lane.takes);
        const [job] = index < 0 ? [] : waiting.splice(index, 1);
        if (!job) break;
        thread.start(job);
      }
    }
    if (threads.every((thread) => thread.isIdle)) finish();
  }
  signal?.addEventListener("abort", () => finish(), { once: true });
  fill();
  await finished;
  await Promise.all(threads.map((thread) => thread.end()));
  return reports;
}

/** One worker thread, started when it gets its first job. */
class Thread {
  readonly #underWay = new Set<TrialJob>();
  #worker: Worker | undefined;

  constructor(
    readonly lane: WorkerSlots,
    private readonly usage: Usage | undefined,
    private readonly done: (report: TrialReport) => void,
  ) {}

  get isFree(): boolean {
    return this.#underWay.size < this.lane.slots;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  start(job: TrialJob): void {
    this.#underWay.add(job);
    this.#worker ??= this.#open();
    this.#worker.postMessage(job);
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }

  #open(): Worker {
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: this.usage,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on("message", (report: TrialReport) => {
      for (const job of this.#underWay) if (isSame(job, report.job)) this.#underWay.delete(job);
      this.done(report);
    });
    worker.on("error", (fault) => {
      const lost = [...this.#underWay];
      this.#underWay.clear();
      this.#worker = undefined;
      for (const job of lost) {
        this.done({ job, results: [], usage: {}, requests: 0, durationMs: 0, trouble: String(fault) });
      }
    });
    return worker;
  }
}

function isSame(a: TrialJob, b: TrialJob): boolean {
  return a.lane === b.lane && a.profile === b.profile && isSameModification(a.modification, b.modification);
}
