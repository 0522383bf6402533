const beatMs = 5;

/**
 * Measures the lag of this thread's event loop (T7): a timer fires every few milliseconds, and the lag is how late it fires.
 * Data is timestamped when it is read, so a timestamp may be off by the lag at that moment.
 */
export class LoopLag {
  readonly #timer = setInterval(() => this.#beat(), beatMs);
  #beatAt = performance.now();
  #late = 0;
  #largest = 0;

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

  /** Stops measuring; an overdue beat still counts. */
  stop(): void {
    this.#beat();
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = performance.now();
    this.#late = Math.max(0, now - this.#beatAt - beatMs);
    this.#largest = Math.max(this.#largest, this.#late);
    this.#beatAt = now;
  }
}
