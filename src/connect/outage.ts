import { setTimeout as sleep } from "node:timers/promises";
import type { Endpoint } from "../specification/endpoints.js";
import type { Exchange, WireRequest } from "./exchange.js";

/**
 * What is known of a target beside a request whose connection broke: it answers others (`up`), so that it broke for what was
 * asked; it was away meanwhile and answers again (`back`); it answers nothing that it answered before (`away`).
 */
export type TargetState = "up" | "back" | "away";

/** A request that was answered before, and how large the answer was. */
interface Answered {
  readonly request: WireRequest;
  readonly bytes: number;
}

/** How many operations are asked before a target counts as away. */
const operationsTried = 3;

/** How long a target is waited for, in milliseconds from one request to the next: a restart takes seconds. */
const usualPausesMs = [100, 200, 400, 800, 1_500, 2_000, 2_000, 2_000, 2_000, 2_000] as const;

/** Tells a request that a target breaks its connection for from one that came while the target was away: while it restarts, say. */
export class OutageWatch {
  readonly #answered = new Map<Endpoint, Answered>();
  #last: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  #isAway = false;
  #isGone = false;
  /** When the target was last seen to be back, by `performance.now()`. */
  #backAt = Number.NEGATIVE_INFINITY;

  /**
   * @param answers sends a request on a connection of its own, on behalf of an exchange, and says whether it is answered as it
   *   was before
   * @param known requests that the target has answered already
   * @param pausesMs how long a target is waited for, from one request to the next
   */
  constructor(
    private readonly answers: (request: WireRequest, onBehalfOf: string) => Promise<boolean>,
    private readonly signal: AbortSignal,
    known: readonly WireRequest[] = [],
    private readonly pausesMs: readonly number[] = usualPausesMs,
  ) {
    for (const request of known) this.#answered.set(request.endpoint, { request, bytes: Number.POSITIVE_INFINITY });
  }

  /** Remembers what the target answers: of each operation the smallest answer. */
  learn({ request, response, failure, frames }: Exchange): void {
    if (failure || frames || response?.status !== 200) return;
    const before = this.#answered.get(request.endpoint);
    if (before && before.bytes <= response.bytes) return;
    this.#answered.set(request.endpoint, { request, bytes: response.bytes });
  }

  /**
   * Looks whether the target is there, once for all who ask at the same time, and waits for it if it is not.
   *
   * @param since when the broken request was sent, by `performance.now()`
   * @param exchange the id of its exchange
   */
  async look(since: number, exchange: string): Promise<TargetState> {
    if (this.#answered.size === 0) return "up";
    // A look that has begun already may have seen the target before the connection broke.
    this.#waiting ??= this.#last.then(() => {
      this.#waiting = undefined;
      this.#last = this.#lookNow(exchange);
      return this.#last;
    });
    await this.#waiting;
    if (this.#isAway) return "away";
    return since <= this.#backAt ? "back" : "up";
  }

  async #lookNow(exchange: string): Promise<void> {
    for (const pauseMs of [0, ...(this.#isGone ? [] : this.pausesMs)]) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: this.signal }).catch(() => {});
      if (this.signal.aborted) return;
      if (await this.#isThere(exchange)) {
        if (this.#isAway) this.#backAt = performance.now();
        this.#isAway = false;
        this.#isGone = false;
        return;
      }
      this.#isAway = true;
    }
    this.#isGone = true;
  }

  async #isThere(exchange: string): Promise<boolean> {
    const cheapest = [...this.#answered.values()].sort((a, b) => a.bytes - b.bytes).slice(0, operationsTried);
    for (const { request } of cheapest) if (await this.answers(request, exchange)) return true;
    return false;
  }
}

/** Statuses by which a gateway says that it did not reach the server, or that it broke the connection. */
const gatewayStatuses: readonly number[] = [502, 504];

/** Whether the connection broke before a complete answer came, be it behind a gateway; or could not be made. */
export function isBrokenOff({ failure, response, ended }: Exchange): boolean {
  if (failure) return failure.kind === "reset" || failure.kind === "protocol" || failure.kind === "unreachable";
  return ended === "closed" || gatewayStatuses.includes(response?.status ?? 0);
}
