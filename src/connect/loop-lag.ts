const beatMs = 5;

/** A beat later than this, in milliseconds, is a stall rather than a timer's usual jitter. */
const stallMs = 25;

/**
 * Measures the lag of this thread's event loop (T7): a timer fires every few milliseconds, and the lag is how late it fires.
 * Data is timestamped when it is read, so a timestamp may be off by the lag at that moment.
 */
export class LoopLag {
  readonly #timer = setInterval(() => this.#beat(), beatMs);
  #beatAt = performance.now();
  #late = 0;
  #largest = 0;
  #stalled = 0;

  /**
   * How late a timestamp taken now may be, in milliseconds: the delay of the overdue beat, or that of the last beat if the
   * loop has just caught up.
   */
  get current(): number {
    const sinceBeat = performance.now() - this.#beatAt;
    return sinceBeat > beatMs ? sinceBeat - beatMs : this.#late;
  }

  /** The largest lag so far, in milliseconds. */
  get largest(): number {
    return this.#largest;
  }

  /** How long the loop has been stalled so far, in milliseconds; an overdue beat counts. */
  get stalled(): number {
    const overdue = performance.now() - this.#beatAt - beatMs;
    return this.#stalled + (overdue > stallMs ? overdue : 0);
  }

  /** Stops measuring; an overdue beat still counts. */
  stop(): void {
    this.#beat();
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = performance.now();
    this.#late = Math.max(0, now - this.#beatAt - beatMs);
    this.#largest = Math.max(this.#largest, this.#late);
    if (this.#late > stallMs) this.#stalled += this.#late;
    this.#beatAt = now;
  }
}
