/** How many requests may still be sent: shared by all workers of a run, so that it sends no more than it announced. */
export class RequestBudget {
  readonly #left: Int32Array;

  /** @param memory four bytes that every worker of the run has */
  constructor(readonly memory: SharedArrayBuffer) {
    this.#left = new Int32Array(memory);
  }

  /** A budget of so many requests. */
  static of(requests: number): RequestBudget {
    const requestBudget = new RequestBudget(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    requestBudget.#left[0] = requests;
    return requestBudget;
  }

  /** Takes one request from it; false when none is left. */
  take(): boolean {
    return Atomics.sub(this.#left, 0, 1) > 0;
  }
}
