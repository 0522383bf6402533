import { LRUCache } from "lru-cache";
import type { Dispatcher } from "undici";
import { overSocket } from "./base-url.js";
import { type ExchangeFailure, type HeaderLines, type HttpRequest, headerValues, type Timings } from "./exchange.js";
import { exchangeFailureOf, isProgrammingError } from "./failure.js";
import { Watchdog } from "./watchdog.js";

/** Status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: HeaderLines;
}

/** What came back for one request, apart from the body, which went to the reader. */
export interface Received {
  readonly startedAt: string;
  readonly timings: Timings;
  readonly head?: ResponseHead;
  /** Size of the body on the wire, in bytes. */
  readonly bytes: number;
  /** True when the request went over a connection that had been used before. */
  readonly reused: boolean;
  /** True when the harness left before the response was complete. */
  readonly left: boolean;
  readonly failure?: ExchangeFailure;
}

/** Handles a response as it arrives. */
export interface BodyReader {
  /** Called when the request is being sent. */
  sent?(inFlight: InFlightRequest): void;
  /** Called when the headers have arrived. */
  head?(head: ResponseHead, inFlight: InFlightRequest): void;
  /** Called when bytes of the body have arrived; `at` is milliseconds since the request was sent. */
  data(chunk: Buffer, at: number, inFlight: InFlightRequest): void;
}

/** Timeouts of one request, in milliseconds. */
export interface Limits {
  /** For connecting. */
  readonly connectMs: number;
  /** For the response headers, once the request is sent. */
  readonly headersMs: number;
  /** Between two chunks of the body; no limit when undefined. */
  readonly silenceMs?: number;
  /** For the whole exchange, including connecting; no limit when undefined. */
  readonly totalMs?: number;
}

/** The size of a body announced in content-length, in bytes as sent; undefined when there is none. */
export function announcedLength(headers: HeaderLines): number | undefined {
  const [length = ""] = headerValues(headers, "content-length");
  return /^\d+$/.test(length) ? Number(length) : undefined;
}

/** After `maxTinyChunks` chunks, a body whose chunks average less than `tinyChunk` bytes is rejected: each costs time. */
const maxTinyChunks = 200_000;
const tinyChunk = 64;

/**
 * One request in flight on an HTTP client: passes what arrives to its reader, and settles exactly once, whatever
 * happens. The raw header lines are kept in order, with duplicates.
 */
export class InFlightRequest implements Dispatcher.DispatchHandler {
  /** Settles when the response is complete, has failed, or was left. Rejects only for bugs in the harness. */
  readonly done: Promise<Received>;
  readonly #startedAt = new Date().toISOString();
  readonly #start = performance.now();
  #resolve: (received: Received) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #silence: Watchdog | undefined;
  readonly #total: Watchdog | undefined;
  #sentAt: number | undefined;
  #headersAt: number | undefined;
  #head: ResponseHead | undefined;
  #bytes = 0;
  #chunks = 0;
  #connected = false;
  #settled = false;
  #paused = false;

  /** @param http2 whether HTTP/2 is spoken, where the end of a connection never ends a body */
  constructor(
    private readonly client: Dispatcher,
    private readonly reader: BodyReader,
    private readonly limits: Limits,
    private readonly http2: boolean,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    client.once("connect", this.#onConnect);
    const { connectMs, totalMs } = limits;
    this.#silence = new Watchdog(connectMs, () =>
      this.leave({ kind: "unreachable", message: `no connection within ${connectMs} ms` }),
    );
    if (totalMs !== undefined) {
      this.#total = new Watchdog(totalMs, () =>
        this.leave({ kind: "timeout", message: `no complete answer within ${totalMs} ms` }),
      );
    }
  }

  /** Hands the request to the HTTP client. */
  dispatch(request: HttpRequest, body: Buffer): void {
    const url = overSocket(request.url)?.url ?? request.url;
    this.client.dispatch(
      {
        origin: new URL(url).origin,
        // The path exactly as written: parsing the URL would normalize it.
        path: url.replace(/^\w+:\/\/[^/?#]*/, "") || "/",
        method: request.method,
        headers: request.headers.flat(),
        body: body.length === 0 ? null : body,
      },
      this,
    );
  }

  /** Milliseconds since the request was sent; 0 before that. */
  elapsed(): number {
    return this.#sentAt === undefined ? 0 : performance.now() - this.#sentAt;
  }

  /** Pauses reading if more is to come; timeouts stop, so the pause does not count against the target. */
  pause(): void {
    if (!this.#expectsMore()) return;
    this.#controller?.pause();
    this.#paused = true;
    this.#silence?.hold();
    this.#total?.hold();
  }

  /** Resumes reading after a pause; timeouts start over. */
  resume(): void {
    if (this.#settled || !this.#paused) return;
    this.#paused = false;
    this.#silence?.touch();
    this.#total?.touch();
    this.#controller?.resume();
  }

  /**
   * Whether more bytes are to come. After the last one, or where the connection's end will end the body, undici may see that
   * end while it is paused, which fails an assertion outside of any exchange.
   */
  #expectsMore(): boolean {
    const headers = this.#head?.headers ?? [];
    const length = announcedLength(headers);
    if (length !== undefined) return this.#bytes < length;
    return this.http2 || headerValues(headers, "transfer-encoding").length > 0;
  }

  /** Aborts the exchange and closes the connection: with a failure, or because enough was read. */
  leave(failure?: ExchangeFailure): void {
    if (this.#settled) return;
    this.#settle(failure, true);
    this.#controller?.abort(new Error("left by the harness"));
  }

  readonly #onConnect = (): void => {
    this.#connected = true;
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) {
      controller.abort(new Error("left by the harness"));
      return;
    }
    this.#sentAt = performance.now();
    this.#silence?.stop();
    const { headersMs } = this.limits;
    this.#silence = new Watchdog(headersMs, () =>
      this.leave({ kind: "timeout", message: `no response headers within ${headersMs} ms` }),
    );
    this.reader.sent?.(this);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#settled || status < 200) return;
    this.#headersAt = performance.now();
    this.#silence?.stop();
    const { silenceMs } = this.limits;
    if (silenceMs !== undefined) {
      this.#silence = new Watchdog(silenceMs, () =>
        this.leave({ kind: "timeout", message: `the body stopped for ${silenceMs} ms, after ${this.#bytes} bytes` }),
      );
    }
    this.#head = { status, headers: headerLines(controller.rawHeaders) };
    this.reader.head?.(this.#head, this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    const at = this.elapsed();
    this.#bytes += chunk.length;
    this.#chunks++;
    if (this.#chunks > maxTinyChunks && this.#bytes < this.#chunks * tinyChunk) {
      this.leave({
        kind: "too-large",
        message: `the body came in more than the ${maxTinyChunks} pieces that are read`,
      });
      return;
    }
    if (!this.#paused) this.#silence?.touch();
    this.reader.data(chunk, at, this);
  }

  onResponseEnd(): void {
    this.#settle(undefined, false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    if (isProgrammingError(error)) {
      this.#stop();
      this.#reject(error);
    } else {
      this.#settle(exchangeFailureOf(error, this.#sentAt !== undefined), false);
    }
  }

  #settle(failure: ExchangeFailure | undefined, left: boolean): void {
    if (this.#settled) return;
    const end = performance.now();
    this.#stop();
    this.#resolve({
      startedAt: this.#startedAt,
      timings: {
        ...(this.#sentAt !== undefined && { sentMs: this.#sentAt - this.#start }),
        headersMs: (this.#headersAt ?? end) - this.#start,
        totalMs: end - this.#start,
      },
      ...(this.#head !== undefined && { head: this.#head }),
      bytes: this.#bytes,
      reused: this.#sentAt !== undefined && !this.#connected,
      left,
      ...(failure !== undefined && { failure }),
    });
  }

  #stop(): void {
    this.#settled = true;
    this.#silence?.stop();
    this.#total?.stop();
    this.client.off("connect", this.#onConnect);
  }
}

/** Pairs up raw headers, in which names and values alternate; HTTP/1 header bytes are Latin-1. */
function headerLines(raw: Dispatcher.DispatchController["rawHeaders"]): HeaderLines {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part) => (typeof part === "string" ? part : part.toString("latin1")));
  return Array.from({ length: Math.floor(texts.length / 2) }, (_, line) =>
    sharedLines.memo(`${texts[2 * line]}\n${texts[2 * line + 1]}`),
  );
}

/** Recent header lines. Most responses of a target have the same, which are kept once. */
const sharedLines = new LRUCache<string, HeaderLines[number]>({
  maxSize: 1024 * 1024,
  sizeCalculation: (_, { length }) => length,
  memoMethod(line) {
    const [name = "", value = ""] = line.split("\n");
    return [name, value];
  },
});
