/** How many requests may still be sent. Shared by all workers, so that a run sends no more requests than announced. */
export class RequestBudget {
  readonly #left: Int32Array;

  /** @param memory four bytes shared by all workers of the run */
  constructor(readonly memory: SharedArrayBuffer) {
    this.#left = new Int32Array(memory);
  }

  /** Creates a budget of the given number of requests. */
  static of(requests: number): RequestBudget {
    const requestBudget = new RequestBudget(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    requestBudget.#left[0] = requests;
    return requestBudget;
  }

  /** Takes one request from the budget; false when none is left. */
  take(): boolean {
    return Atomics.sub(this.#left, 0, 1) > 0;
  }
}
