import { setTimeout as sleep } from "node:timers/promises";
import { connectCodes } from "../specification/enums.js";
import { isMessage } from "./envelope.js";
import { type Exchange, headerValues } from "./exchange.js";
import { interpret } from "./interpret.js";
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from "./json.js";

/** How a task is scheduled among others. */
export interface Turn {
  /** Whether it jumps the queue, but not ahead of tasks at its head that run alone. */
  readonly ahead?: boolean | undefined;
  /** Whether it runs exclusively: it waits for all running tasks, and no other starts until it is done. */
  readonly alone?: boolean | undefined;
}

/** Limits how many tasks run at the same time; the others wait in order of arrival. */
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

  /** How many exclusive tasks are at the head of the queue: they run back to back, and nothing jumps ahead of them. */
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

/** Spaces requests evenly, and holds all of them back when the target asks for a pause. */
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
    if (mine > now) await sleep(mine - now, undefined, { signal });
  }

  /** Sends no request for the given number of milliseconds from now. */
  hold(ms: number): void {
    this.#next = Math.max(this.#next, performance.now() + ms);
  }
}

/** How many times a request is retried after the target asked for fewer requests. */
export const throttleRetries = 3;

/** Longest pause, in milliseconds, that is waited out; when the target asks for a longer one, the request is not retried. */
export const longestPauseMs = 30_000;

type Response = NonNullable<Exchange["response"]>;

/**
 * How long to wait before a retry, in milliseconds: the Retry-After of the response, or else exponential backoff. Undefined
 * when that is longer than `longest`.
 */
export function pauseAskedFor(
  { headers }: Pick<Response, "headers">,
  retries: number,
  longest = longestPauseMs,
): number | undefined {
  const pause = retryAfterMs(headerValues(headers, "retry-after")[0]) ?? 250 * 2 ** retries;
  return pause <= longest ? pause : undefined;
}

/**
 * True when the response asks for fewer requests: by its Connect code, whatever its status, since the status of an error is
 * free (E3); by the status, 429 or 503, when it carries no such code.
 */
export function isThrottlingResponse({ status, body }: Pick<Response, "status" | "body">): boolean {
  const code = connectCodeIn(body);
  return code === undefined ? status === 429 || status === 503 : busyCodes.has(code);
}

/** The Connect code of an error of ordinary length. */
function connectCodeIn(body: string): string | undefined {
  const code = objectWithCode(body)?.code;
  return typeof code === "string" && Object.hasOwn(connectCodes, code) ? code : undefined;
}

/** The object that a text is, if it is of ordinary length for an error and may hold a code. */
function objectWithCode(text: string): JsonObject | undefined {
  return text.length > 10_000 || !text.includes('"code"') ? undefined : parseJsonObject(text);
}

const busyCodes: ReadonlySet<Json | undefined> = new Set(["resource_exhausted", "unavailable"]);

/** Parses Retry-After, a number of seconds or an HTTP date, into milliseconds. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Whether a response asks for fewer requests; a stream does so with an error instead of its first message. */
export function isThrottled({ response, frames: [first] = [] }: Exchange): boolean {
  if (response === undefined) return false;
  if (isThrottlingResponse(response)) return true;
  if (first === undefined || isMessage(first)) return false;
  const error = objectWithCode(first.data)?.error;
  return isJsonObject(error) && busyCodes.has(error.code);
}

/** The words with which a target asks for fewer requests, for messages. */
export function throttlingReason(exchange: Exchange): string {
  const { frames: [end] = [], response } = exchange;
  if (end !== undefined) return end.data.slice(0, reasonLength);
  const outcome = interpret(exchange);
  return outcome.kind === "error"
    ? `${outcome.code}: ${outcome.message.slice(0, reasonLength)}`
    : `HTTP ${response?.status}`;
}

const reasonLength = 80;
