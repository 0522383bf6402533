const beatMs = 5;

/**
 * Tells how late this thread's event loop runs (T7): a timer beats every few milliseconds, and what a beat is late by is
 * lag. What is read is stamped when it is read, so a stamp may be off by the lag of that moment.
 */
export class LoopLag {
  readonly #timer = setInterval(() => this.#beat(), beatMs);
  #beatAt = performance.now();
  #late = 0;
  #largest = 0;

  /**
   * How late a stamp may be that is made now, in milliseconds: what the next beat is overdue by, or what the one before
   * was late by, if the loop has only just come back.
   */
  get current(): number {
    const sinceBeat = performance.now() - this.#beatAt;
    return sinceBeat > beatMs ? sinceBeat - beatMs : this.#late;
  }

  /** The largest lag of a beat, in milliseconds. */
  get largest(): number {
    return this.#largest;
  }

  /** Ends the watch; a beat that is overdue counts. */
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
