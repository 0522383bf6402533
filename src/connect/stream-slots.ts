import { setTimeout as sleep } from "node:timers/promises";

/** Cells shared by workers: the number of open streams, of those being served, and the most served at once. */
const open = 0;
const served = 1;
const mostServed = 2;
/** When the target last started serving a stream, and when the next one may be opened, by {@link clock}. */
const servedAt = 3;
const heldUntil = 4;
/** 1 once the target has refused a stream while serving others. */
const limited = 5;
const cells = 6;

/** How long a target may still count a stream that was left. It notices when its next message, due in a minute, fails. */
const lingersMs = 70_000;

const pollMs = 25;

/** A clock in milliseconds common to all workers; it wraps around after twelve days. */
const clock = () => Date.now() & wrap;
const wrap = 0x3fff_ffff;

/** A stream that holds a slot. */
export interface StreamSlot {
  /** Reports that the target serves the stream: its first message came. */
  readonly serve: () => void;
}

/**
 * Limits how many streams are open at the same time, across all workers of a run. There is no limit until the target refuses
 * a stream while serving others; after that, the limit is the most it has served at once. §8 does not say how many it must
 * serve.
 */
export class StreamSlots {
  readonly #cells: Int32Array;
  #last: Promise<void> = Promise.resolve();

  /** @param memory memory shared by all workers of the run, see {@link StreamSlots.memory} */
  constructor(memory = StreamSlots.memory()) {
    this.#cells = new Int32Array(memory);
  }

  /** Allocates the memory shared by the workers of one run. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Whether a stream refused now may be one too many for the target: it has recently served others. */
  get servesOthers(): boolean {
    return Atomics.load(this.#cells, mostServed) > 0 && this.#since(servedAt) < lingersMs;
  }

  /** Reports a refused stream: none is opened for `pauseMs`, and after that no more than the target has served at once. */
  refuse(pauseMs: number): void {
    Atomics.store(this.#cells, heldUntil, (clock() + pauseMs) & wrap);
    Atomics.store(this.#cells, limited, 1);
  }

  /** Watches a stream once a slot is free. Within one worker, slots are given in order of arrival. */
  async run<T>(watch: (slot: StreamSlot) => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.#last.then(() => this.#take(signal));
    this.#last = turn.catch(() => {});
    await turn;
    let isServed = false;
    const serve = () => {
      if (isServed) return;
      isServed = true;
      Atomics.store(this.#cells, servedAt, clock());
      this.#raise(Atomics.add(this.#cells, served, 1) + 1);
    };
    try {
      return await watch({ serve });
    } finally {
      if (isServed) Atomics.sub(this.#cells, served, 1);
      Atomics.sub(this.#cells, open, 1);
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    while (!this.#tryTake()) await sleep(pollMs, undefined, { signal });
  }

  #tryTake(): boolean {
    const before = Atomics.load(this.#cells, open);
    if (this.#isLimited && (this.#isHeld || before >= Atomics.load(this.#cells, mostServed))) return false;
    return Atomics.compareExchange(this.#cells, open, before, before + 1) === before || this.#tryTake();
  }

  get #isLimited(): boolean {
    return Atomics.load(this.#cells, limited) === 1;
  }

  get #isHeld(): boolean {
    return this.#since(heldUntil) > wrap / 2;
  }

  /** Milliseconds since a moment; more than half of `wrap` when it is still to come. */
  #since(moment: typeof servedAt | typeof heldUntil): number {
    return (clock() - Atomics.load(this.#cells, moment)) & wrap;
  }

  #raise(now: number): void {
    const before = Atomics.load(this.#cells, mostServed);
    if (now > before && Atomics.compareExchange(this.#cells, mostServed, before, now) !== before) this.#raise(now);
  }
}
