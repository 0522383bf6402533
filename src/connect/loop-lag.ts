const beatMs = 5;

/**
 * Tells how late this thread's event loop runs (T7): a timer beats every few milliseconds, and what a beat is late by is
 * lag. A frame of a stream is stamped when it is read, so the lag before it is what its stamp may be off by.
 */
export class LoopLag {
  readonly #timer = setInterval(() => this.#beat(), beatMs);
  #beatAt = performance.now();
  #sinceTaken = 0;
  #largest = 0;

  /** The largest lag since the last call, in milliseconds. */
  take(): number {
    this.#catchUp();
    const lag = this.#sinceTaken;
    this.#sinceTaken = 0;
    return lag;
  }

  /** The largest lag of all, in milliseconds. */
  get largest(): number {
    return this.#largest;
  }

  /** Ends the watch. */
  stop(): void {
    this.#catchUp();
    clearInterval(this.#timer);
  }

  /** A beat that is overdue right now counts at once, and must not count again for what comes next. */
  #catchUp(): void {
    if (performance.now() - this.#beatAt > beatMs) this.#beat();
  }

  #beat(): void {
    const now = performance.now();
    this.#sinceTaken = Math.max(this.#sinceTaken, now - this.#beatAt - beatMs);
    this.#largest = Math.max(this.#largest, this.#sinceTaken);
    this.#beatAt = now;
  }
}
