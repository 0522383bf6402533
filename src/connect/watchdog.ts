/**
 * Calls back after a given number of milliseconds without activity. If the harness itself was busy for that long, it first
 * reads what the target sent meanwhile: only silence of the target counts.
 */
export class Watchdog {
  readonly #ms: number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout;
  #signs = 0;
  #stopped = false;
  #held = false;

  constructor(ms: number, onSilence: () => void) {
    this.#ms = ms;
    this.#onEnd = () => {
      const signs = this.#signs;
      // Expired timers run before sockets are read; immediates run afterwards.
      setImmediate(() => {
        if (!this.#stopped && signs === this.#signs) onSilence();
      });
    };
    this.#timer = setTimeout(this.#onEnd, ms);
  }

  /** Signals activity: the timer starts over. */
  touch(): void {
    this.#signs++;
    if (this.#stopped) return;
    if (this.#held) this.#timer = setTimeout(this.#onEnd, this.#ms);
    else this.#timer.refresh();
    this.#held = false;
  }

  /** Suspends the timer until the next activity. */
  hold(): void {
    this.#signs++;
    this.#held = true;
    clearTimeout(this.#timer);
  }

  /** Stops watching. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
