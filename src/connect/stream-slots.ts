import { setTimeout as sleep } from "node:timers/promises";

/** What workers share: how many streams are open, how many of them are served, how many were at most. */
const open = 0;
const served = 1;
const mostServed = 2;
/** When the target served a new one last, and when the next one may be opened, by {@link clock}. */
const servedAt = 3;
const heldUntil = 4;
/** 1 once the target has refused a stream while it served others. */
const limited = 5;
const cells = 6;

/** For so long a target may count a stream that was left: a message is due within a minute, and fails then. */
const lingersMs = 70_000;

const pollMs = 25;

/** Milliseconds that all workers count alike; they begin anew after twelve days. */
const clock = () => Date.now() & wrap;
const wrap = 0x3fff_ffff;

/** A stream that holds a slot. */
export interface StreamSlot {
  /** Tells that the target serves it: its first message came. */
  readonly serve: () => void;
}

/**
 * How many streams are open at the same time: any number, until the target refuses one while it serves others (§8 leaves
 * open how many it serves); after that as many as it has served at once. Shared by all workers of a run.
 */
export class StreamSlots {
  readonly #cells: Int32Array;
  #last: Promise<void> = Promise.resolve();

  /** @param memory memory that every worker of the run has, see {@link StreamSlots.memory} */
  constructor(memory = StreamSlots.memory()) {
    this.#cells = new Int32Array(memory);
  }

  /** Memory for the workers of one run. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Whether a stream that the target refuses now may be one too many: it has served others, and not too long ago. */
  get servesOthers(): boolean {
    return Atomics.load(this.#cells, mostServed) > 0 && this.#since(servedAt) < lingersMs;
  }

  /** Tells that the target refused one more stream: none is opened for so many milliseconds, and then not more than it has served. */
  refuse(pauseMs: number): void {
    Atomics.store(this.#cells, heldUntil, (clock() + pauseMs) & wrap);
    Atomics.store(this.#cells, limited, 1);
  }

  /** Watches a stream once a slot is free. Those of one worker get theirs in the order in which they came. */
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

  /** Milliseconds since a moment; very many when it is still to come. */
  #since(moment: typeof servedAt | typeof heldUntil): number {
    return (clock() - Atomics.load(this.#cells, moment)) & wrap;
  }

  #raise(now: number): void {
    const before = Atomics.load(this.#cells, mostServed);
    if (now > before && Atomics.compareExchange(this.#cells, mostServed, before, now) !== before) this.#raise(now);
  }
}
