import { Worker } from "node:worker_threads";
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

/** What a worker is sent: a job, and what checks ask on the reference server, once that is known (see `runTrial`). */
export interface Order {
  readonly id: number;
  readonly job: TrialJob;
  readonly usage?: Usage;
}

/** What a worker sends back. */
export interface Delivery {
  readonly id: number;
  readonly report: TrialReport;
}

interface Waiting extends Order {
  readonly done: (report: TrialReport) => void;
}

/**
 * Worker threads for trials: each lane is one thread, and takes the next job that suits it as soon as it has a free slot. A
 * thread that dies takes its jobs along as trouble, and is replaced.
 */
export class Pool {
  readonly #threads: readonly Thread[];
  readonly #waiting: Waiting[] = [];
  #orders = 0;

  constructor(lanes: readonly WorkerSlots[]) {
    this.#threads = lanes.map((lane) => new Thread(lane, () => this.#fill()));
  }

  /** Makes one trial, when it is its turn. */
  trial(job: TrialJob, usage?: Usage): Promise<TrialReport> {
    return new Promise((done) => {
      this.#waiting.push({ id: this.#orders++, job, ...(usage ? { usage } : {}), done });
      this.#fill();
    });
  }

  /** Ends all threads; what is under way is never reported. */
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

/** One worker thread, started when it gets its first job. */
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
    this.#worker.postMessage(sent satisfies Order);
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }

  #open(): Worker {
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on("message", ({ id, report }: Delivery) => {
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
