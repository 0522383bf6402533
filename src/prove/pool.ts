import { Worker } from "node:worker_threads";
import type { TrialJob, TrialReport, Usage } from "./trial-job.js";

/** Size of each thread's young generation in megabytes: trials create many short-lived objects. */
const youngGenerationMb = 192;

/** What a worker thread runs. */
export interface ThreadOptions {
  /** Maximum number of concurrent trials. */
  readonly slots: number;
  /** Whether it takes a job. */
  readonly takes: (job: TrialJob) => boolean;
}

/** A message to a worker: a job and, once known, the operations that each check uses (see `runTrial`). */
export interface TrialRequest {
  readonly id: number;
  readonly job: TrialJob;
  readonly usage?: Usage;
}

/** A message from a worker. */
export interface TrialResponse {
  readonly id: number;
  readonly report: TrialReport;
}

interface Waiting extends TrialRequest {
  readonly done: (report: TrialReport) => void;
}

/**
 * A pool of worker threads for trials. Each thread takes the next suitable job whenever it has a free slot. If a thread
 * dies, its jobs are reported with `trouble` and it is replaced.
 */
export class Pool {
  readonly #threads: readonly Thread[];
  readonly #waiting: Waiting[] = [];
  #nextId = 0;

  constructor(threads: readonly ThreadOptions[]) {
    this.#threads = threads.map((options) => new Thread(options, () => this.#fill()));
  }

  /** Runs a trial as soon as a slot is free. */
  trial(job: TrialJob, usage?: Usage): Promise<TrialReport> {
    return new Promise((done) => {
      this.#waiting.push({ id: this.#nextId++, job, usage, done });
      this.#fill();
    });
  }

  /** Ends all threads. Trials in progress are never reported. */
  async close(): Promise<void> {
    this.#waiting.length = 0;
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #fill(): void {
    for (const thread of this.#threads) {
      while (thread.isFree) {
        const index = this.#waiting.findIndex(({ job }) => thread.options.takes(job));
        const [trial] = index < 0 ? [] : this.#waiting.splice(index, 1);
        if (!trial) break;
        thread.start(trial);
      }
    }
  }
}

/** A worker thread, started with its first job. */
class Thread {
  readonly #running = new Map<number, Waiting>();
  #worker: Worker | undefined;

  constructor(
    readonly options: ThreadOptions,
    private readonly freed: () => void,
  ) {}

  get isFree(): boolean {
    return this.#running.size < this.options.slots;
  }

  start(trial: Waiting): void {
    const { done: _, ...sent } = trial;
    this.#running.set(trial.id, trial);
    this.#worker ??= this.#open();
    this.#worker.postMessage(sent satisfies TrialRequest);
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }

  #open(): Worker {
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    worker.on("message", ({ id, report }: TrialResponse) => {
      this.#running.get(id)?.done(report);
      this.#running.delete(id);
      this.freed();
    });
    worker.on("error", (error) => {
      const lost = [...this.#running.values()];
      this.#running.clear();
      this.#worker = undefined;
      for (const { job, done } of lost) {
        done({ job, results: [], usage: {}, requests: 0, durationMs: 0, trouble: String(error) });
      }
      this.freed();
    });
    return worker;
  }
}
