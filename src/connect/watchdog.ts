/**
 * Calls back after so many milliseconds without activity. When the harness itself was busy for that long, what
 * the target sent meanwhile is read first: only silence of the target counts.
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
      // Expired timers run before sockets are read; immediates run after.
      setImmediate(() => {
        if (!this.#stopped && signs === this.#signs) onSilence();
      });
    };
    this.#timer = setTimeout(this.#onEnd, ms);
  }

  /** Activity: the time starts anew. */
  touch(): void {
    this.#signs++;
    if (this.#stopped) return;
    if (this.#held) this.#timer = setTimeout(this.#onEnd, this.#ms);
    else this.#timer.refresh();
    this.#held = false;
  }

  /** Silence does not count until the next activity. */
  hold(): void {
    this.#signs++;
    this.#held = true;
    clearTimeout(this.#timer);
  }

  /** Ends the watch. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
