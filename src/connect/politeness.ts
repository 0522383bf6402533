import { setTimeout as sleep } from "node:timers/promises";
import { type HeaderLines, headerValues } from "./exchange.js";

/** How a task is run among others. */
export interface Turn {
  /** Whether it goes before all that wait already, but for those next that run alone. */
  readonly ahead?: boolean | undefined;
  /** Whether nothing else runs meanwhile: it waits for what runs, and what comes later waits for it. */
  readonly alone?: boolean | undefined;
}

/** Lets at most so many tasks run at the same time; the others wait in the order in which they came. */
export class Slots {
  #running = 0;
  #isAlone = false;
  readonly #waiting: { readonly alone: boolean; readonly start: () => void }[] = [];

  constructor(private readonly slots: number) {}

  /** Runs a task once a slot is free. */
  async run<T>(task: () => Promise<T>, { ahead = false, alone = false }: Turn = {}): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.splice(ahead ? this.#aloneNext() : this.#waiting.length, 0, { alone, start });
      this.#startNext();
    });
    try {
      return await task();
    } finally {
      this.#running--;
      this.#isAlone = false;
      this.#startNext();
    }
  }

  /** How many of those that run alone come next: they follow each other, whatever goes ahead. */
  #aloneNext(): number {
    const others = this.#waiting.findIndex(({ alone }) => !alone);
    return others < 0 ? this.#waiting.length : others;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const most = next.alone ? 1 : this.slots;
      if (this.#isAlone || this.#running >= most) return;
      this.#waiting.shift();
      this.#running++;
      this.#isAlone = next.alone;
      next.start();
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

/** A Connect error that begins with its code, in any status, and the end of a stream with such an error. */
const busy = String.raw`\{\s*"code"\s*:\s*"(resource_exhausted|unavailable)"`;
const busyError = new RegExp(String.raw`^\s*${busy}`);
const busyEnd = new RegExp(String.raw`^\s*\{\s*"error"\s*:\s*${busy}`);

/** Retry-After is a number of seconds or an HTTP date. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
