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
/** Size of the largest message so far, in bytes; 0 while no stream has shown how large its messages are. */
const largest = 6;
const cells = 7;

/** How many bytes the latest messages of all open streams may take together: each takes several times its size to read. */
const maxBytes = 32 * 1024 * 1024;

/** How many streams may be open in any case; some checks compare two of them. */
const minStreams = 4;

/** How long a target may still count a stream that was left. It notices when its next message, due in a minute, fails. */
const lingersMs = 70_000;

const pollMs = 25;

/** A clock in milliseconds common to all workers; it wraps around after twelve days. */
const clock = () => Date.now() & wrap;
const wrap = 0x3fff_ffff;

/**
 * Limits how many streams are open at the same time, across all workers of a run. Once the target has refused a stream while
 * serving others, the limit is the most it has served at once: §8 does not say how many it must serve. Independently of that,
 * only so many are open that their messages fit into memory together, and a few while the size of messages is unknown.
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

  /**
   * Watches a stream once a slot is free. Within one worker, slots are given in order of arrival.
   *
   * @param watch calls `onMessage` with the size of each message, in bytes; the first shows that the target serves the stream
   */
  async run<T>(watch: (onMessage: (bytes: number) => void) => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.#last.then(() => this.#take(signal));
    this.#last = turn.catch(() => {});
    await turn;
    let isServed = false;
    const onMessage = (bytes: number) => {
      this.#raise(largest, bytes);
      if (isServed) return;
      isServed = true;
      Atomics.store(this.#cells, servedAt, clock());
      this.#raise(mostServed, Atomics.add(this.#cells, served, 1) + 1);
    };
    try {
      return await watch(onMessage);
    } finally {
      // A silent stream says nothing about sizes, but there is no point in waiting for one that does.
      this.#raise(largest, 1);
      if (isServed) Atomics.sub(this.#cells, served, 1);
      Atomics.sub(this.#cells, open, 1);
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    while (!this.#tryTake()) await sleep(pollMs, undefined, { signal });
  }

  #tryTake(): boolean {
    const before = Atomics.load(this.#cells, open);
    if (before >= this.#maxInMemory) return false;
    if (this.#isLimited && (this.#isHeld || before >= Atomics.load(this.#cells, mostServed))) return false;
    return Atomics.compareExchange(this.#cells, open, before, before + 1) === before || this.#tryTake();
  }

  /** How many streams fit into memory. */
  get #maxInMemory(): number {
    const bytes = Atomics.load(this.#cells, largest);
    return bytes === 0 ? minStreams : Math.max(minStreams, Math.floor(maxBytes / bytes));
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

  #raise(cell: typeof mostServed | typeof largest, now: number): void {
    const before = Atomics.load(this.#cells, cell);
    if (now > before && Atomics.compareExchange(this.#cells, cell, before, now) !== before) this.#raise(cell, now);
  }
}
