/**
 * Calls back after so many milliseconds without a sign of life. When the harness itself was busy for that long, what
 * the target sent meanwhile is read first: only silence of the target counts.
 */
export class Watchdog {
  readonly #timer: NodeJS.Timeout;
  #signs = 0;
  #stopped = false;

  constructor(ms: number, onSilence: () => void) {
    this.#timer = setTimeout(() => {
      const signs = this.#signs;
      // Expired timers run before sockets are read; immediates run after.
      setImmediate(() => {
        if (!this.#stopped && signs === this.#signs) onSilence();
      });
    }, ms);
  }

  /** A sign of life: the time starts anew. */
  touch(): void {
    this.#signs++;
    if (!this.#stopped) this.#timer.refresh();
  }

  /** Ends the watch. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
