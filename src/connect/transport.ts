import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import { endpoints } from "../specification/endpoints.js";
import { contentCodings, decodeContent, decodeText } from "./body.js";
import { BodyReading } from "./body-reading.js";
import { CircuitBreaker, type Ending } from "./circuit-breaker.js";
import { type Connecting, openClient } from "./client.js";
import { EnvelopeDecoder, endStreamFlag } from "./envelope.js";
import {
  type Exchange,
  type ExchangeName,
  type Failure,
  type FramingProblem,
  isStreamType,
  type SampledRows,
  type StreamFrame,
  type WireRequest,
} from "./exchange.js";
import { withoutHttp2 } from "./failure.js";
import { interpret } from "./interpret.js";
import { knownBody } from "./known-bodies.js";
import { LoopLag } from "./loop-lag.js";
import { isBrokenOff, OutageWatch } from "./outage.js";
import { Pieces } from "./pieces.js";
import { asksForFewer, endsBusy, longestPauseMs, Pace, pauseAskedFor, Slots, throttleRetries } from "./politeness.js";
import { type Head, type Limits, type Reader, type Received, Reception } from "./reception.js";
import type { RequestBudget } from "./request-budget.js";
import { streamBody } from "./requests.js";
import { fits, type Taken, withRowLimit } from "./row-limit.js";
import { type SamplingLimits, samplingLimits } from "./row-sampler.js";
import { StreamSlots } from "./stream-slots.js";
import type { Target } from "./target.js";

/** What is asked of one exchange. */
export interface UnaryOptions extends ExchangeName {
  /** Ends the exchange with the failure `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** True when it goes over a connection of its own, as a stream does, and not over one that has been used. */
  readonly newConnection?: boolean | undefined;
  /** True when it goes before all requests that wait for their turn. */
  readonly ahead?: boolean | undefined;
  /** True when no other request is under way meanwhile, but for streams and those of other workers. */
  readonly alone?: boolean | undefined;
}

/**
 * When to leave a stream: after so many messages or so many milliseconds since the request was sent, whichever comes
 * first; or when a function, asked at each frame and every 25 ms, says so. Without a time it is left after two minutes.
 */
export type StreamUntil = { readonly messages?: number; readonly ms?: number } | StreamSeen;

/** Whether enough was seen of a stream; may say in how many milliseconds it usually is. */
export type StreamSeen = ((frames: readonly StreamFrame[], elapsedMs: number) => boolean) & {
  readonly usuallyMs?: number;
};

/** What is asked of one exchange of the stream. */
export interface StreamOptions extends UnaryOptions {
  readonly until: StreamUntil;
}

/** Sends requests and brings back what was exchanged. Whatever the target does, an exchange tells it. */
export interface Wire {
  /** One request, one answer. */
  unary(request: WireRequest, options: UnaryOptions): Promise<Exchange>;
  /** One request, enveloped, and the stream that answers it, on a connection of its own. */
  stream(request: WireRequest, options: StreamOptions): Promise<Exchange>;
  /** Closes all connections; what is under way fails as `aborted`. */
  close(): Promise<void>;
}

/** What may be set for tests and for the recording of evidence. */
export interface WireSettings {
  /** Largest body that is kept whole, in bytes before and after decoding; of a stream at most 24 MB in any case. */
  readonly bodyLimit?: number;
  /** Most rows that a body is kept whole with, and a message of a stream is read with, in all of their arrays together. */
  readonly rowLimit?: number;
  /** How much is read of larger bodies, of which a sample is kept; what is not given is as documented there. */
  readonly sampling?: Partial<SamplingLimits>;
  /** Requests that the target has answered before: by them it shows whether it is there. */
  readonly answered?: readonly WireRequest[];
  /** How long a target that is away is waited for, in milliseconds from one request to the next; without it as long as is usual. */
  readonly outagePausesMs?: readonly number[];
  /** How many requests may be sent, those included that are sent again; without it any number. */
  readonly requestBudget?: RequestBudget;
  /** How many streams all workers of the run may open at the same time; without it those of this wire alone are counted. */
  readonly streamSlots?: StreamSlots;
  /** How long a pause may be now that the target asks for, in milliseconds; without it as long as is usual. */
  readonly longestPauseMs?: () => number;
  /**
   * Receives what is not returned: attempts that were made again (throttled, or lost on an idle connection), and requests that
   * show whether the target is there. Their ids end in `/attempt-` and a number.
   */
  readonly onSuperseded?: (exchange: Exchange) => void;
}

/** What of a target the wire needs. */
export type WireTarget = Connecting & Pick<Target, "concurrency" | "rate">;

const defaultBodyLimit = 32 * 1024 * 1024;

const defaultRowLimit = 50_000;

/** So much is read of each large body in any case. */
const floodLimit = 32 * 1024 * 1024;

/** A stream brings no larger message, and not more in all: a snapshot of 5,000 positions takes 6 MB. */
const messageLimit = 8 * 1024 * 1024;
const streamLimit = 24 * 1024 * 1024;

/** A documented stream brings not even one tenth of as many in the longest time for which it is watched. */
const messagesAtMost = 10_000;

/** What is no sequence of envelopes is an error, or a page that was meant for people. */
const textLimit = 1024 * 1024;

/** A slow body may take longer than one time limit as a whole, but not forever. */
const wholeAnswerFactor = 6;

const longestStreamMs = 120_000;
const streamTickMs = 25;

/** How long a stream may stay open after its last frame, so that bytes after it are seen. */
const endGraceMs = 500;

/**
 * Connects to a target. Each worker of a run has its own wire, so `concurrency` and `rate` hold for a worker.
 *
 * Redirects are not followed, and no compression is offered. An idle connection that the target closed at the moment
 * at which it was used again is no finding: the request is then sent once more, on a fresh connection. An answer that
 * asks for fewer requests is waited out up to three times; after that the exchange is marked `throttled`. Nor is it a
 * finding when a connection breaks while the target is away: it is waited for, and asked again; one that does not come
 * back is `unreachable`.
 */
export function createWire(target: WireTarget, settings: WireSettings = {}): Wire {
  return new UndiciWire(target, settings);
}

class UndiciWire implements Wire {
  readonly #target: WireTarget;
  readonly #bodyLimit: number;
  readonly #rowLimit: number;
  readonly #sampling: SamplingLimits;
  /** Bodies that were too large even for a sample, and showed it only by being read. */
  #floods = 0;
  readonly #requestBudget: RequestBudget | undefined;
  readonly #longestPauseMs: () => number;
  readonly #onSuperseded: (exchange: Exchange) => void;
  /** The target has answered over the transport that was chosen. */
  #answered = false;
  readonly #slots: Slots;
  readonly #streamSlots: StreamSlots;
  readonly #pace: Pace;
  /** Clients with an idle connection; the one used last is used next, since it is the least likely to be closed. */
  readonly #idle: Dispatcher[] = [];
  readonly #open = new Set<Dispatcher>();
  readonly #closing = new AbortController();
  readonly #breaker: CircuitBreaker;
  readonly #outages: OutageWatch;
  /** Requests that were sent to see whether the target is there. */
  #outageRequests = 0;
  /** Held while a large body is read. */
  readonly #large = new Slots(1);

  constructor(target: WireTarget, settings: WireSettings) {
    this.#target = target;
    this.#bodyLimit = settings.bodyLimit ?? defaultBodyLimit;
    this.#rowLimit = settings.rowLimit ?? defaultRowLimit;
    this.#sampling = { ...samplingLimits, ...settings.sampling };
    this.#requestBudget = settings.requestBudget;
    this.#longestPauseMs = settings.longestPauseMs ?? (() => longestPauseMs);
    this.#onSuperseded = settings.onSuperseded ?? (() => {});
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
    // Every exchange under way listens to it.
    setMaxListeners(0, this.#closing.signal);
  }

  unary(request: WireRequest, options: UnaryOptions): Promise<Exchange> {
    const exchange = () =>
      this.#politely(request, options, (name, signal, fresh) =>
        this.#unaryOnce(request, name, signal, fresh || options.newConnection),
      );
    return this.#slots.run(exchange, options);
  }

  stream(request: WireRequest, options: StreamOptions): Promise<Exchange> {
    const watch = (name: ExchangeName, signal: AbortSignal) =>
      this.#streamSlots.run(({ serve }) => this.#streamOnce(request, name, options.until, signal, serve), signal);
    return this.#politely(request, options, watch);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#open].map((client) => this.#discard(client)));
  }

  /** Makes attempts until one need not be made again. */
  async #politely(request: WireRequest, { id, reading, signal }: UnaryOptions, attempt: Attempting): Promise<Exchange> {
    const name = { id, ...(reading !== undefined && { reading }) };
    const either = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    let throttled = 0;
    let outages = 0;
    let stale = false;
    for (let count = 1; ; count++) {
      const sentAt = performance.now();
      const { exchange, lostOnIdleConnection, pause } = await this.#patiently(
        request,
        name,
        either,
        throttled,
        attempt,
        stale,
      );
      if (lostOnIdleConnection && !stale) {
        stale = true;
      } else if (isPlea(exchange)) {
        if (pause === undefined) return { ...exchange, throttled: true };
        throttled++;
        if (this.#mayBeOneTooMany(exchange)) this.#streamSlots.refuse(Math.max(pause, leastStreamPauseMs));
        else this.#pace.hold(pause);
      } else if (isBrokenOff(exchange)) {
        const state = await this.#outages.look(sentAt, id);
        if (state === "up") return exchange;
        if (state === "away" || ++outages > outagesAtMost) return whileAway(exchange);
      } else {
        this.#outages.learn(exchange);
        return exchange;
      }
      this.#onSuperseded({ ...exchange, id: `${id}/attempt-${count}` });
    }
  }

  /** How long to wait before a request is sent again whose answer asks for fewer; undefined when it is not sent again. */
  #pauseAfter(exchange: Exchange, throttled: number): number | undefined {
    const { response } = exchange;
    const retries = this.#mayBeOneTooMany(exchange) ? Number.POSITIVE_INFINITY : throttleRetries;
    if (response === undefined || !isPlea(exchange) || throttled >= retries) return undefined;
    return pauseAskedFor(response, Math.min(throttled, throttleRetries - 1), this.#longestPauseMs());
  }

  /** Whether an exchange is a stream that the target may have refused for the others that it serves. */
  #mayBeOneTooMany({ request }: Exchange): boolean {
    return endpoints[request.endpoint].kind === "stream" && this.#streamSlots.servesOthers;
  }

  /** One attempt, when it is this request's turn and still worth making. */
  async #patiently(
    request: WireRequest,
    name: ExchangeName,
    signal: AbortSignal,
    throttled: number,
    attempt: Attempting,
    fresh: boolean,
  ): Promise<Attempt & { readonly pause?: number | undefined }> {
    const notSent = (failure: Failure) => ({
      exchange: unsent(request, name, this.#target, failure),
      lostOnIdleConnection: false,
    });
    const admitted = await this.#breaker.admit(request.endpoint);
    if ("kind" in admitted) return notSent(admitted);
    let ending: Ending | undefined;
    try {
      await this.#pace.turn(signal);
      if (this.#requestBudget?.take() === false) return notSent(spent);
      const made = await attempt(name, signal, fresh);
      const pause = this.#pauseAfter(made.exchange, throttled);
      const ended = endingOf(made.exchange);
      // What is sent again says nothing yet.
      if (!isPlea(made.exchange)) ending = ended;
      else if (pause === undefined && ended) ending = { ...ended, plea: pleaOf(made.exchange) };
      return { ...made, pause };
    } catch (error) {
      if (!signal.aborted) throw error;
      return notSent({ kind: "aborted", message: "the run was interrupted" });
    } finally {
      admitted.learn(ending);
    }
  }

  async #unaryOnce(
    request: WireRequest,
    name: ExchangeName,
    signal: AbortSignal,
    newConnection = false,
  ): Promise<Attempt> {
    const client = (newConnection ? undefined : this.#idle.pop()) ?? this.#connect();
    const sampling = this.#samplingNow();
    const reader = new BodyReading({
      limit: this.#bodyLimit,
      sampling,
      large: this.#large,
      refusal: () => this.#breaker.refusal(request.endpoint),
    });
    const received = await this.#receive(client, reader, request, Buffer.from(request.body), signal, {
      silenceMs: this.#target.timeoutMs,
      totalMs: this.#target.timeoutMs * wholeAnswerFactor,
    });
    if (received.failure === undefined) this.#idle.push(client);
    else void this.#discard(client);

    if (received.failure?.kind === "too-large" && received.bytes > sampling.body) this.#floods++;
    const body = await this.#textOf(reader.take(), received.head, this.#bodyLimit);
    return {
      exchange: exchangeOf(request, name, this.#target, received, body),
      lostOnIdleConnection: received.reused && isLost(received),
    };
  }

  /** Whether the target answers a request that it has answered before. What it says is kept as evidence, and not judged. */
  async #answers(request: WireRequest, onBehalfOf: string): Promise<boolean> {
    const { signal } = this.#closing;
    try {
      await this.#pace.turn(signal);
      if (this.#requestBudget?.take() === false) return true;
      const id = `${onBehalfOf}/outage/attempt-${++this.#outageRequests}`;
      const { exchange } = await this.#unaryOnce(request, { id }, signal, true);
      this.#onSuperseded(exchange);
      return exchange.response?.status === 200 && exchange.failure === undefined;
    } catch (error) {
      if (!signal.aborted) throw error;
      return false;
    }
  }

  /** Whoever floods gets less and less attention: reading a gigabyte takes seconds, and there are hundreds of requests. */
  #samplingNow(): SamplingLimits {
    const { body } = this.#sampling;
    return { ...this.#sampling, body: Math.max(Math.min(body, floodLimit), body / 4 ** this.#floods) };
  }

  async #streamOnce(
    request: WireRequest,
    name: ExchangeName,
    until: StreamUntil,
    signal: AbortSignal,
    served: () => void,
  ): Promise<Attempt> {
    const client = this.#connect();
    const limit = Math.min(streamLimit, this.#bodyLimit);
    const textOf = (text: string) => knownBody(request.endpoint, text).text;
    const reading = new StreamReading(until, limit, this.#rowLimit, textOf, served);
    // Whoever says for how long to watch has decided how long to wait for the first sign as well.
    const bounded = typeof until === "function" || until.ms !== undefined;
    const received = await this.#receive(client, reading, request, streamBody(request), signal, {
      ...(bounded && { headersMs: longestStreamMs }),
    });
    reading.stop();
    void this.#discard(client);

    const body = await this.#textOf({ bytes: reading.takeText() }, received.head, textLimit);
    const exchange = exchangeOf(request, name, this.#target, received, body);
    return { exchange: { ...exchange, ...reading.result(received) }, lostOnIdleConnection: false };
  }

  async #receive(
    client: Dispatcher,
    reader: Reader,
    request: WireRequest,
    body: Buffer,
    signal: AbortSignal,
    limits: Partial<Limits>,
  ): Promise<Received> {
    const { timeoutMs } = this.#target;
    const reception = new Reception(client, reader, { connectMs: timeoutMs, headersMs: timeoutMs, ...limits });
    const abort = () => reception.leave({ kind: "aborted", message: "the run was interrupted" });
    signal.addEventListener("abort", abort, { once: true });
    try {
      reception.dispatch(request, body);
      if (signal.aborted) abort();
      const received = await reception.done;
      const { failure } = received;
      this.#answered ||= received.head !== undefined;
      const isDoubtful = this.#target.transport === "h2c" && !this.#answered && failure !== undefined;
      return isDoubtful ? { ...received, failure: withoutHttp2(failure) } : received;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** The text of a body after content decoding; one that grows large by it has the slot for large bodies meanwhile. */
  async #textOf({ bytes, samples, failure }: Taken, head: Head | undefined, limit: number): Promise<Body> {
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
    const client = openClient(this.#target);
    this.#open.add(client);
    return client;
  }

  async #discard(client: Dispatcher): Promise<void> {
    this.#open.delete(client);
    await client.destroy();
  }
}

/** Whether an answer asks for fewer requests, or a stream does in the place of its first message. */
function isPlea({ response, frames: [first] = [] }: Exchange): boolean {
  if (response === undefined) return false;
  return asksForFewer(response) || (first !== undefined && (first.flags & endStreamFlag) !== 0 && endsBusy(first.data));
}

/** How a target says that it is asked for too much. */
function pleaOf(exchange: Exchange): string {
  const { frames: [end] = [], response } = exchange;
  if (end !== undefined) return end.data.slice(0, pleaLength);
  const outcome = interpret(exchange);
  return outcome.kind === "error"
    ? `${outcome.code}: ${outcome.message.slice(0, pleaLength)}`
    : `HTTP ${response?.status}`;
}

const pleaLength = 80;

interface Attempt {
  readonly exchange: Exchange;
  /** The connection had been idle and broke before a byte of the answer came, or what came was not meant for the request. */
  readonly lostOnIdleConnection: boolean;
}

/** Makes an attempt; on a connection that has not been used where it has to be fresh. */
type Attempting = (name: ExchangeName, signal: AbortSignal, fresh: boolean) => Promise<Attempt>;

/** How long to wait at least before a stream is opened again that was refused while others were served, in milliseconds. */
const leastStreamPauseMs = 250;

/** How many outages one request survives. */
const outagesAtMost = 3;

/**
 * Whether an idle connection was at its end: it broke, something came before the answer, or the target said that it had waited
 * for a request for too long (408, RFC 9110 section 15.5.9).
 */
function isLost({ head, failure }: Received): boolean {
  if (head) return head.status === 408;
  return failure?.kind === "reset" || failure?.kind === "protocol";
}

/** An exchange that brought nothing, since the target was away. */
function whileAway({ failure, response, frames: _, ended: __, framing: ___, ...exchange }: Exchange): Exchange {
  const what = failure?.message ?? (response ? `HTTP ${response.status}` : "the stream was closed");
  const away = "what the target had answered before was not answered either";
  return { ...exchange, failure: { kind: "unreachable", message: `${what}; ${away}` } };
}

/** Reads the body of a stream: stamps each envelope, and leaves when enough was seen. */
class StreamReading implements Reader {
  readonly #lag = new LoopLag();
  readonly #until: StreamUntil;
  readonly #frames: StreamFrame[] = [];
  readonly #text = new Pieces();
  readonly #limit: number;
  readonly #rowLimit: number;
  readonly #decoder: EnvelopeDecoder;
  #enveloped: boolean | undefined;
  #opened = false;
  #messages = 0;
  #bytes = 0;
  #head: Head | undefined;
  #timer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;

  /**
   * @param textOf the text of a message, which may have come before
   * @param served is told of the first message
   */
  constructor(
    until: StreamUntil,
    limit: number,
    rowLimit: number,
    private readonly textOf: (text: string) => string,
    private readonly served: () => void,
  ) {
    this.#until = until;
    this.#limit = limit;
    this.#rowLimit = rowLimit;
    this.#decoder = new EnvelopeDecoder(Math.min(messageLimit, limit));
  }

  /** Takes the body when it is not a sequence of envelopes. */
  takeText(): Buffer {
    return this.#text.join();
  }

  sent(reception: Reception): void {
    if (typeof this.#until === "function")
      this.#timer = setInterval(() => this.#leaveIfEnough(reception), streamTickMs);
    else this.#timer = setTimeout(() => reception.leave(), this.#until.ms ?? longestStreamMs);
  }

  head(head: Head): void {
    this.#head = head;
    this.#opened = true;
  }

  data(chunk: Buffer, at: number, reception: Reception): void {
    this.#bytes += chunk.length;
    this.#enveloped ??= isEnveloped(chunk[0] ?? 0, this.#head);
    const limit = this.#enveloped ? this.#limit : Math.min(textLimit, this.#limit);
    if (this.#bytes > limit) {
      // Whole messages have come: they are what was seen of a stream that is too large to be watched for longer.
      const message = `the stream is larger than the ${limit} bytes that are read`;
      reception.leave(this.#messages > 0 ? undefined : { kind: "too-large", message });
      return;
    }
    if (!this.#enveloped) {
      this.#text.push(chunk);
      return;
    }
    const lagMs = this.#lag.current;
    for (const { flags, payload } of this.#decoder.push(chunk)) {
      if (!fits(payload, this.#rowLimit)) {
        reception.leave({
          kind: "too-large",
          message: `a message has more than the ${this.#rowLimit} rows that are read`,
        });
        return;
      }
      const { text, invalidUtf8 } = decodeText(payload);
      this.#frames.push({ at, lagMs, flags, data: this.textOf(text), ...(invalidUtf8 && { invalidUtf8 }) });
      if ((flags & endStreamFlag) === 0) {
        if (this.#messages++ === 0) this.served();
      } else this.#grace = setTimeout(() => reception.leave(), endGraceMs);
    }
    if (this.#decoder.problem !== undefined) reception.leave();
    else if (!this.#decoder.ended) this.#leaveIfEnough(reception);
  }

  /** Ends the timers. */
  stop(): void {
    this.#lag.stop();
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
  }

  /** What the exchange tells of the stream, once all was received. */
  result({ left, failure }: Received): {
    frames: StreamFrame[];
    ended?: "by-us" | "end-frame" | "closed";
    framing?: FramingProblem;
    loopLagMs: number;
  } {
    const closed = !left && this.#enveloped !== false && this.#opened;
    const framing = left || failure !== undefined ? this.#decoder.problem : this.#decoder.end();
    const waited = left && (this.#opened || failure === undefined);
    const ended = this.#decoder.ended ? "end-frame" : closed ? "closed" : waited ? "by-us" : undefined;
    const loopLagMs = this.#lag.largest;
    return { frames: this.#frames, ...(ended && { ended }), ...(framing && { framing }), loopLagMs };
  }

  #leaveIfEnough(reception: Reception): void {
    const elapsed = reception.elapsed();
    const enough =
      this.#messages >= messagesAtMost ||
      (typeof this.#until === "function"
        ? this.#until(this.#frames, elapsed) || elapsed >= longestStreamMs
        : this.#messages >= (this.#until.messages ?? Number.POSITIVE_INFINITY));
    if (enough) reception.leave();
  }
}

/**
 * Whether a body is a sequence of envelopes: by its media type, and by its first byte, since a text never starts with
 * one of the four bytes that are the flags of a Connect envelope. Media types themselves are for rules to judge (W9).
 */
function isEnveloped(firstByte: number, head: Head | undefined): boolean {
  if (head === undefined || contentCodings(head.headers).length > 0) return false;
  if (firstByte <= 0b11) return true;
  if (head.status < 200 || head.status > 299) return false;
  return isStreamType(head.headers);
}

interface Body {
  readonly body: string;
  readonly samples?: readonly SampledRows[];
  readonly invalidUtf8?: true;
  readonly failure?: Failure;
}

function exchangeOf(
  request: WireRequest,
  name: ExchangeName,
  target: WireTarget,
  received: Received,
  content: Body,
): Exchange {
  const { startedAt, timings, head, bytes } = received;
  const { invalidUtf8, samples } = content;
  const body = knownBody(request.endpoint, content.body).text;
  const failure = received.failure ?? content.failure;
  return {
    ...name,
    request,
    transport: target.transport,
    startedAt,
    timings,
    ...(head && {
      response: { ...head, body, ...(invalidUtf8 && { invalidUtf8 }), bytes, ...(samples && { samples }) },
    }),
    ...(failure && { failure }),
  };
}

/** What the circuit breaker learns from an exchange; nothing from a stream that stayed silent for as long as it was watched. */
function endingOf({ failure, response, ended, timings: { totalMs } }: Exchange): Ending | undefined {
  if (ended === "by-us" && response === undefined) return undefined;
  return { failure, heard: response !== undefined, totalMs };
}

const spent: Failure = { kind: "given-up", message: "not sent: the run has sent as many requests as it had announced" };

/** A request that was given up before it was sent. */
function unsent(request: WireRequest, name: ExchangeName, target: WireTarget, failure: Failure): Exchange {
  return {
    ...name,
    request,
    transport: target.transport,
    startedAt: new Date().toISOString(),
    timings: { headersMs: 0, totalMs: 0 },
    failure,
  };
}
