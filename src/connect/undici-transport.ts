import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import { isStream } from "../specification/endpoints.js";
import { contentCodings, decodeContent, decodeText } from "./body.js";
import { asUnreachable, buildExchange, type DecodedBody, unsent } from "./build-exchange.js";
import { CircuitBreaker, type RequestOutcome, requestOutcomeOf } from "./circuit-breaker.js";
import { openClient } from "./client.js";
import type { Exchange, ExchangeFailure, ExchangeName, HttpRequest } from "./exchange.js";
import { supersededId } from "./exchange-id.js";
import { withoutHttp2 } from "./failure.js";
import {
  type BodyReader,
  InFlightRequest,
  type Limits,
  type Received,
  type ResponseHead,
} from "./in-flight-request.js";
import { isBrokenOff, OutageWatch } from "./outage.js";
import { streamBody } from "./requests.js";
import { type BodyResult, withRowLimit } from "./row-limit.js";
import { type SamplingLimits, samplingLimits } from "./row-sampler.js";
import { sharedBody } from "./shared-bodies.js";
import { longestStreamMs, StreamBodyReader, type StreamUntil, textLimit } from "./stream-body-reader.js";
import { StreamSlots } from "./stream-slots.js";
import { isThrottled, Pace, pauseAskedFor, Slots, throttleRetries, throttlingReason } from "./throttling.js";
import type { StreamOptions, Transport, TransportSettings, TransportTarget, UnaryOptions } from "./transport.js";
import { UnaryBodyReader } from "./unary-body-reader.js";

const defaultBodyLimit = 32 * 1024 * 1024;

const defaultRowLimit = 50_000;

/** Minimum bytes read of a large body, however many floods came before. */
const floodLimit = 32 * 1024 * 1024;

/** Largest stream in total, in bytes. */
const streamLimit = 24 * 1024 * 1024;

/** A slow response may take this many timeouts in total. */
const totalTimeoutFactor = 6;

/**
 * Connects to a target. Each worker of a run has its own transport, so `concurrency` and `rate` apply per worker.
 *
 * Redirects are not followed, and no compression is offered. If the target closes an idle connection just as it is reused,
 * that is no finding: the request is retried once on a fresh connection. A request is retried up to three times when the
 * response asks for fewer requests; after that the exchange is marked `throttled`. A connection that breaks while the target
 * is away is no finding either: the transport waits for the target and retries. A target that does not come back is
 * `unreachable`.
 */
export function createTransport(target: TransportTarget, settings: TransportSettings = {}): Transport {
  return new UndiciTransport(target, settings);
}

class UndiciTransport implements Transport {
  readonly #bodyLimit: number;
  readonly #rowLimit: number;
  readonly #sampling: SamplingLimits;
  /** Number of bodies that turned out too large even for a sample only after they had been read. */
  #floods = 0;
  /** Whether the target has answered over the chosen transport. */
  #answered = false;
  readonly #slots: Slots;
  readonly #streamSlots: StreamSlots;
  readonly #pace: Pace;
  /** Clients with an idle connection. The one used last is reused first, since it is least likely to be closed. */
  readonly #idle: Dispatcher[] = [];
  readonly #open = new Set<Dispatcher>();
  readonly #closing = new AbortController();
  readonly #breaker: CircuitBreaker;
  readonly #outages: OutageWatch;
  /** Number of requests sent to probe whether the target is up. */
  #outageRequests = 0;
  /** Held while a large body is read. */
  readonly #large = new Slots(1);

  constructor(
    private readonly target: TransportTarget,
    private readonly settings: TransportSettings,
  ) {
    this.#bodyLimit = settings.bodyLimit ?? defaultBodyLimit;
    this.#rowLimit = settings.rowLimit ?? defaultRowLimit;
    this.#sampling = { ...samplingLimits, ...settings.sampling };
    this.#slots = new Slots(target.concurrency);
    this.#streamSlots = settings.streamSlots ?? new StreamSlots();
    this.#pace = new Pace(target.rate);
    this.#breaker = new CircuitBreaker(target.timeoutMs);
    this.#outages = new OutageWatch(
      (request, id) => this.#answers(request, id),
      this.#closing.signal,
      settings.answered,
      settings.outagePausesMs,
    );
    // Every exchange in flight listens to it.
    setMaxListeners(0, this.#closing.signal);
  }

  unary(request: HttpRequest, options: UnaryOptions): Promise<Exchange> {
    const exchange = () =>
      this.#withRetries(request, options, (name, signal, fresh) =>
        this.#unaryOnce(request, name, signal, fresh || options.newConnection),
      );
    return this.#slots.run(exchange, options);
  }

  stream(request: HttpRequest, options: StreamOptions): Promise<Exchange> {
    const watch = (name: ExchangeName, signal: AbortSignal) =>
      this.#streamSlots.run((onMessage) => this.#streamOnce(request, name, options.until, signal, onMessage), signal);
    return this.#withRetries(request, options, watch);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#open].map((client) => this.#discard(client)));
  }

  /** Makes attempts until one needs no retry. */
  async #withRetries(
    request: HttpRequest,
    { id, reading, signal }: UnaryOptions,
    attempt: SendOnce,
  ): Promise<Exchange> {
    const name = { id, ...(reading !== undefined && { reading }) };
    const either = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    let throttled = 0;
    let outages = 0;
    let stale = false;
    for (let count = 1; ; count++) {
      const sentAt = performance.now();
      const send = () => attempt(name, either, stale);
      const { exchange, lostOnIdleConnection, pause } = await this.#oneAttempt(request, name, either, throttled, send);
      if (lostOnIdleConnection && !stale) {
        stale = true;
      } else if (isThrottled(exchange)) {
        if (pause === undefined) return { ...exchange, throttled: true };
        throttled++;
        if (this.#mayBeOneTooMany(exchange)) this.#streamSlots.refuse(Math.max(pause, minStreamPauseMs));
        else this.#pace.hold(pause);
      } else if (isBrokenOff(exchange)) {
        const state = await this.#outages.check(sentAt, id);
        if (state === "up") return exchange;
        if (state === "away" || ++outages > maxOutages) return asUnreachable(exchange);
      } else {
        this.#outages.learn(exchange);
        return exchange;
      }
      this.settings.onSuperseded?.({ ...exchange, id: supersededId(id, count) });
    }
  }

  /** How long to wait before retrying a request whose response asks for fewer requests; undefined for no retry. */
  #pauseAfter(exchange: Exchange, throttled: number): number | undefined {
    const { response } = exchange;
    const retries = this.#mayBeOneTooMany(exchange) ? Number.POSITIVE_INFINITY : throttleRetries;
    if (response === undefined || !isThrottled(exchange) || throttled >= retries) return undefined;
    return pauseAskedFor(response, Math.min(throttled, throttleRetries - 1), this.settings.longestPauseMs?.());
  }

  /** Whether an exchange is a stream that the target may have refused because of the other streams it serves. */
  #mayBeOneTooMany({ request }: Exchange): boolean {
    return isStream(request.endpoint) && this.#streamSlots.servesOthers;
  }

  /** Makes one attempt when it is this request's turn, if it is still worth making. */
  async #oneAttempt(
    request: HttpRequest,
    name: ExchangeName,
    signal: AbortSignal,
    throttled: number,
    send: () => Promise<SendAttempt>,
  ): Promise<SendAttempt & { readonly pause?: number | undefined }> {
    const notSent = (failure: ExchangeFailure) => ({
      exchange: unsent(request, name, this.target, failure),
      lostOnIdleConnection: false,
    });
    const report = await this.#breaker.admit(request.endpoint);
    if (typeof report !== "function") return notSent(report);
    let outcome: RequestOutcome | undefined;
    try {
      await this.#pace.turn(signal);
      if (this.settings.requestBudget?.take() === false) return notSent(budgetSpent);
      const made = await send();
      const pause = this.#pauseAfter(made.exchange, throttled);
      const ended = requestOutcomeOf(made.exchange);
      // An attempt that is retried says nothing yet.
      if (!isThrottled(made.exchange)) outcome = ended;
      else if (pause === undefined && ended) outcome = { ...ended, throttling: throttlingReason(made.exchange) };
      return { ...made, pause };
    } catch (error) {
      if (!signal.aborted) throw error;
      return notSent({ kind: "aborted", message: "the run was interrupted" });
    } finally {
      report(outcome);
    }
  }

  async #unaryOnce(
    request: HttpRequest,
    name: ExchangeName,
    signal: AbortSignal,
    newConnection = false,
  ): Promise<SendAttempt> {
    const client = (newConnection ? undefined : this.#idle.pop()) ?? this.#connect();
    const sampling = this.#samplingNow();
    const reader = new UnaryBodyReader({
      limit: this.#bodyLimit,
      sampling,
      large: this.#large,
      refusal: () => this.#breaker.refusal(request.endpoint),
    });
    const received = await this.#receive(client, reader, request, Buffer.from(request.body), signal, {
      silenceMs: this.target.timeoutMs,
      totalMs: this.target.timeoutMs * totalTimeoutFactor,
    });
    if (received.failure === undefined) this.#idle.push(client);
    else void this.#discard(client);

    if (received.failure?.kind === "too-large" && received.bytes > sampling.body) this.#floods++;
    const body = await this.#textOf(reader.take(), received.head, this.#bodyLimit);
    return {
      exchange: buildExchange(request, name, this.target, received, body),
      lostOnIdleConnection: received.reused && isLost(received),
    };
  }

  /** Whether the target answers a request that it has answered before. The response is kept as evidence but not judged. */
  async #answers(request: HttpRequest, onBehalfOf: string): Promise<boolean> {
    const { signal } = this.#closing;
    try {
      await this.#pace.turn(signal);
      if (this.settings.requestBudget?.take() === false) return true;
      const id = supersededId(`${onBehalfOf}/outage`, ++this.#outageRequests);
      const { exchange } = await this.#unaryOnce(request, { id }, signal, true);
      this.settings.onSuperseded?.(exchange);
      return exchange.response?.status === 200 && exchange.failure === undefined;
    } catch (error) {
      if (!signal.aborted) throw error;
      return false;
    }
  }

  /** Lowers the body limit with each flood: reading a gigabyte takes seconds, and a run has hundreds of requests. */
  #samplingNow(): SamplingLimits {
    const { body } = this.#sampling;
    return { ...this.#sampling, body: Math.max(Math.min(body, floodLimit), body / 4 ** this.#floods) };
  }

  async #streamOnce(
    request: HttpRequest,
    name: ExchangeName,
    until: StreamUntil,
    signal: AbortSignal,
    onMessage: (bytes: number) => void,
  ): Promise<SendAttempt> {
    const client = this.#connect();
    const limit = Math.min(streamLimit, this.#bodyLimit);
    const textOf = (text: string) => sharedBody(request.endpoint, text).text;
    const reader = new StreamBodyReader(until, limit, this.#rowLimit, textOf, onMessage);
    // A caller that sets how long to watch has also set how long to wait for the headers.
    const bounded = typeof until === "function" || until.ms !== undefined;
    const received = await this.#receive(client, reader, request, streamBody(request), signal, {
      ...(bounded && { headersMs: longestStreamMs }),
    });
    reader.stop();
    void this.#discard(client);

    const body = await this.#textOf({ bytes: reader.takeText() }, received.head, textLimit);
    const exchange = buildExchange(request, name, this.target, received, body);
    return { exchange: { ...exchange, ...reader.result(received) }, lostOnIdleConnection: false };
  }

  async #receive(
    client: Dispatcher,
    reader: BodyReader,
    request: HttpRequest,
    body: Buffer,
    signal: AbortSignal,
    limits: Partial<Limits>,
  ): Promise<Received> {
    const { timeoutMs, transport } = this.target;
    const all = { connectMs: timeoutMs, headersMs: timeoutMs, ...limits };
    const inFlight = new InFlightRequest(client, reader, all, transport !== "http1");
    const abort = () => inFlight.leave({ kind: "aborted", message: "the run was interrupted" });
    signal.addEventListener("abort", abort, { once: true });
    try {
      inFlight.dispatch(request, body);
      if (signal.aborted) abort();
      const received = await inFlight.done;
      const { failure } = received;
      this.#answered ||= received.head !== undefined;
      const isDoubtful = this.target.transport === "h2c" && !this.#answered && failure !== undefined;
      return isDoubtful ? { ...received, failure: withoutHttp2(failure) } : received;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Decodes a body to text. Decompression holds the slot for large bodies, since the result may be large. */
  async #textOf(
    { bytes, samples, failure }: BodyResult,
    head: ResponseHead | undefined,
    limit: number,
  ): Promise<DecodedBody> {
    if (failure !== undefined) return { body: "", failure };
    const codings = head === undefined || bytes.length === 0 ? [] : contentCodings(head.headers);
    const decode = () => decodeContent(bytes, codings, limit);
    const decoded = codings.length === 0 ? await decode() : await this.#large.run(decode);
    if (!Buffer.isBuffer(decoded)) return { body: "", failure: decoded };
    const read =
      samples === undefined ? withRowLimit(decoded, this.#rowLimit, this.#sampling) : { bytes: decoded, samples };
    const { text, invalidUtf8 } = decodeText(read.bytes);
    return { ...read, body: text, ...(invalidUtf8 && { invalidUtf8 }) };
  }

  #connect(): Dispatcher {
    const client = openClient(this.target);
    this.#open.add(client);
    return client;
  }

  async #discard(client: Dispatcher): Promise<void> {
    this.#open.delete(client);
    await client.destroy();
  }
}

interface SendAttempt {
  readonly exchange: Exchange;
  /** Whether the connection had been idle, and broke before the response or delivered one not meant for this request. */
  readonly lostOnIdleConnection: boolean;
}

/** Makes an attempt; on a new connection when `fresh` is true. */
type SendOnce = (name: ExchangeName, signal: AbortSignal, fresh: boolean) => Promise<SendAttempt>;

/** Minimum wait before reopening a stream that was refused while others were served, in milliseconds. */
const minStreamPauseMs = 250;

/** Maximum number of outages after which a request is still retried. */
const maxOutages = 3;

/**
 * Whether a reused connection had reached its end: it broke, unsolicited bytes came before the response, or the target had
 * timed out waiting for a request (408, RFC 9110 section 15.5.9).
 */
function isLost({ head, failure }: Received): boolean {
  if (head) return head.status === 408;
  return failure?.kind === "reset" || failure?.kind === "protocol";
}

const budgetSpent: ExchangeFailure = {
  kind: "given-up",
  message: "not sent: the run has sent as many requests as it had announced",
};
