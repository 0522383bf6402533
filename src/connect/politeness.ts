import { setTimeout as sleep } from "node:timers/promises";
import { type HeaderLines, headerValues } from "./exchange.js";

/** Lets at most so many tasks run at the same time; the others wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#free = slots;
  }

  /**
   * Runs a task once a slot is free.
   *
   * @param ahead whether it goes before all that wait already
   */
  async run<T>(task: () => Promise<T>, ahead = false): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => (ahead ? this.#waiting.unshift(resolve) : this.#waiting.push(resolve)));
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

/** A target that asks for a longer pause, in milliseconds, is taken at its word: the request is not sent again. */
export const longestPauseMs = 30_000;

/** What of an answer tells that it asks for fewer requests. */
interface Plea {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: string;
}

/**
 * How long to wait before a request is sent again, in milliseconds: as long as the answer asks for, or longer each time;
 * undefined when that is too long.
 */
export function pauseAskedFor({ headers }: Plea, retries: number, longest = longestPauseMs): number | undefined {
  const pause = retryAfterMs(headerValues(headers, "retry-after")[0]) ?? 250 * 2 ** retries;
  return pause <= longest ? pause : undefined;
}

/** True when the answer asks for fewer requests: by its status (429, 503), or by the Connect code that stands for one. */
export function asksForFewer({ status, body }: Plea): boolean {
  return status === 429 || status === 503 || busyError.test(body.slice(0, 2_000));
}

/** True when the end of a stream asks for fewer requests. */
export function endsBusy(end: string): boolean {
  return busyEnd.test(end.slice(0, 2_000));
}

/** A Connect error that begins with its code, in any status. */
const busyError = /^\s*\{\s*"code"\s*:\s*"(resource_exhausted|unavailable)"/;
const busyEnd = /^\s*\{\s*"error"\s*:\s*\{\s*"code"\s*:\s*"(resource_exhausted|unavailable)"/;

/** Retry-After is a number of seconds or an HTTP date. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
