/** How many requests may still be sent: shared by all workers of a run, so that it sends no more than it announced. */
export class Allowance {
  readonly #left: Int32Array;

  /** @param memory four bytes that every worker of the run has */
  constructor(readonly memory: SharedArrayBuffer) {
    this.#left = new Int32Array(memory);
  }

  /** An allowance of so many requests. */
  static of(requests: number): Allowance {
    const allowance = new Allowance(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    allowance.#left[0] = requests;
    return allowance;
  }

  /** Takes one request from it; false when none is left. */
  take(): boolean {
    return Atomics.sub(this.#left, 0, 1) > 0;
  }
}
