import { Worker } from "node:worker_threads";
import type { TrialJob, TrialReport, Usage } from "./trial-job.js";

/** Size of each thread's young generation in megabytes: trials create many short-lived objects. */
const youngGenerationMb = 192;

/** A worker thread that runs several trials at once. */
export interface WorkerSlots {
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
 * A pool of worker threads for trials. Each lane is one thread, which takes the next suitable job whenever it has a free
 * slot. If a thread dies, its jobs are reported with `trouble` and it is replaced.
 */
export class Pool {
  readonly #threads: readonly Thread[];
  readonly #waiting: Waiting[] = [];
  #orders = 0;

  constructor(lanes: readonly WorkerSlots[]) {
    this.#threads = lanes.map((lane) => new Thread(lane, () => this.#fill()));
  }

  /** Runs a trial as soon as a slot is free. */
  trial(job: TrialJob, usage?: Usage): Promise<TrialReport> {
    return new Promise((done) => {
      this.#waiting.push({ id: this.#orders++, job, ...(usage ? { usage } : {}), done });
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
        const index = this.#waiting.findIndex(({ job }) => thread.lane.takes(job));
        const [order] = index < 0 ? [] : this.#waiting.splice(index, 1);
        if (!order) break;
        thread.start(order);
      }
    }
  }
}

/** A worker thread, started with its first job. */
class Thread {
  readonly #underWay = new Map<number, Waiting>();
  #worker: Worker | undefined;

  constructor(
    readonly lane: WorkerSlots,
    private readonly freed: () => void,
  ) {}

  get isFree(): boolean {
    return this.#underWay.size < this.lane.slots;
  }

  start(order: Waiting): void {
    const { done: _, ...sent } = order;
    this.#underWay.set(order.id, order);
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
      this.#underWay.get(id)?.done(report);
      this.#underWay.delete(id);
      this.freed();
    });
    worker.on("error", (fault) => {
      const lost = [...this.#underWay.values()];
      this.#underWay.clear();
      this.#worker = undefined;
      for (const { job, done } of lost) {
        done({ job, results: [], usage: {}, requests: 0, durationMs: 0, trouble: String(fault) });
      }
      this.freed();
    });
    return worker;
  }
}
