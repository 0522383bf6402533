import { setTimeout as sleep } from "node:timers/promises";
import { type HeaderLines, headerValues } from "./exchange.js";

/** Lets at most so many tasks run at the same time; the others wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Runs a task once a slot is free. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/** Spaces requests evenly, and holds all of them back when the target asks for it. */
export class Pace {
  readonly #spacingMs: number;
  #next = 0;

  /** @param rate requests per second; unlimited when undefined */
  constructor(rate: number | undefined) {
    this.#spacingMs = rate === undefined ? 0 : 1000 / rate;
  }

  /** Resolves when the next request may be sent, or rejects when the signal aborts. */
  async turn(signal?: AbortSignal): Promise<void> {
    const now = performance.now();
    const mine = Math.max(now, this.#next);
    this.#next = mine + this.#spacingMs;
    if (mine > now) await sleep(mine - now, undefined, { ...(signal && { signal }), ref: true });
  }

  /** No request before so many milliseconds from now. */
  hold(ms: number): void {
    this.#next = Math.max(this.#next, performance.now() + ms);
  }
}

/** How often a request is sent again after the target asked for fewer requests. */
export const throttleRetries = 3;

/** A target that asks for a longer pause is taken at its word: the request is not sent again. */
const longestPauseMs = 30_000;

/**
 * How long to wait before a request is sent again, in milliseconds; undefined when it is not to be sent again: the
 * answer asks for nothing of the kind (429, or 503 with Retry-After), or for too long a pause.
 */
export function pauseAskedFor(response: { status: number; headers: HeaderLines }, retries: number): number | undefined {
  const asked = retryAfterMs(headerValues(response.headers, "retry-after")[0]);
  if (response.status !== 429 && !(response.status === 503 && asked !== undefined)) return undefined;
  const pause = asked ?? 250 * 2 ** retries;
  return pause <= longestPauseMs ? pause : undefined;
}

/** True when the answer asks for fewer requests. */
export function asksForFewer(response: { status: number; headers: HeaderLines }): boolean {
  return (
    response.status === 429 || (response.status === 503 && headerValues(response.headers, "retry-after").length > 0)
  );
}

/** Retry-After is a number of seconds or an HTTP date. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
