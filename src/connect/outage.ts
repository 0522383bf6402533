import { setTimeout as sleep } from "node:timers/promises";
import type { Endpoint } from "../specification/endpoints.js";
import type { Exchange, HttpRequest } from "./exchange.js";

/**
 * The state of a target after the connection of a request broke. `up`: it answers other requests, so this request broke the
 * connection. `back`: it was away and answers again. `away`: it no longer answers requests that it answered before.
 */
export type TargetState = "up" | "back" | "away";

/** A request that was answered before, and the size of the response. */
interface AnsweredRequest {
  readonly request: HttpRequest;
  readonly bytes: number;
}

/** How many operations are tried before a target counts as away. */
const operationsTried = 3;

/** Pauses between probes of a target that is away, in milliseconds: a restart takes seconds. */
const usualPausesMs = [100, 200, 400, 800, 1_500, 2_000, 2_000, 2_000, 2_000, 2_000] as const;

/** Distinguishes a request that makes the target drop the connection from one sent during an outage, such as a restart. */
export class OutageWatch {
  readonly #answered = new Map<Endpoint, AnsweredRequest>();
  #last: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  #isAway = false;
  /** Whether the last check waited and the target did not come back: then later checks do not wait. */
  #waitedInVain = false;
  /** When the target was last seen back after an outage, by `performance.now()`. */
  #backAt = Number.NEGATIVE_INFINITY;

  /**
   * @param answers sends a request over a connection of its own, on behalf of an exchange, and tells whether it was answered
   * @param known requests that the target has answered already
   * @param pausesMs pauses between probes of a target that is away, in milliseconds
   */
  constructor(
    private readonly answers: (request: HttpRequest, onBehalfOf: string) => Promise<boolean>,
    private readonly signal: AbortSignal,
    known: readonly HttpRequest[] = [],
    private readonly pausesMs: readonly number[] = usualPausesMs,
  ) {
    for (const request of known) this.#answered.set(request.endpoint, { request, bytes: Number.POSITIVE_INFINITY });
  }

  /** Remembers an answered request: for each operation, the one with the smallest response. */
  learn({ request, response, failure, frames }: Exchange): void {
    if (failure || frames || response?.status !== 200) return;
    const before = this.#answered.get(request.endpoint);
    if (before && before.bytes <= response.bytes) return;
    this.#answered.set(request.endpoint, { request, bytes: response.bytes });
  }

  /**
   * Checks whether the target is up, and waits for it if not. Concurrent calls share one check.
   *
   * @param since when the broken request was sent, by `performance.now()`
   * @param exchange the id of its exchange
   */
  async check(since: number, exchange: string): Promise<TargetState> {
    if (this.#answered.size === 0) return "up";
    // A check that has already begun may have seen the target before the connection broke.
    this.#waiting ??= this.#last.then(() => {
      this.#waiting = undefined;
      this.#last = this.#checkNow(exchange);
      return this.#last;
    });
    await this.#waiting;
    if (this.#isAway) return "away";
    return since <= this.#backAt ? "back" : "up";
  }

  async #checkNow(exchange: string): Promise<void> {
    for (const pauseMs of [0, ...(this.#waitedInVain ? [] : this.pausesMs)]) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: this.signal }).catch(() => {});
      if (this.signal.aborted) return;
      if (await this.#answersAny(exchange)) {
        if (this.#isAway) this.#backAt = performance.now();
        this.#isAway = false;
        this.#waitedInVain = false;
        return;
      }
      this.#isAway = true;
    }
    this.#waitedInVain = true;
  }

  async #answersAny(exchange: string): Promise<boolean> {
    const cheapest = [...this.#answered.values()].sort((a, b) => a.bytes - b.bytes).slice(0, operationsTried);
    for (const { request } of cheapest) if (await this.answers(request, exchange)) return true;
    return false;
  }
}

/** Statuses with which a gateway reports that it could not reach the server, or that the server broke the connection. */
const gatewayStatuses: readonly number[] = [502, 504];

/** Whether the connection could not be made, or broke before the response was complete, possibly behind a gateway. */
export function isBrokenOff({ failure, response, ended }: Exchange): boolean {
  if (failure) return failure.kind === "reset" || failure.kind === "protocol" || failure.kind === "unreachable";
  return ended === "closed" || gatewayStatuses.includes(response?.status ?? 0);
}
