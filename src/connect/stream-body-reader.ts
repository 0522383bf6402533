import { contentCodings, decodeText } from "./body.js";
import { ChunkBuffer } from "./chunk-buffer.js";
import { EnvelopeDecoder, isMessage } from "./envelope.js";
import { type FramingProblem, isOk, isStreamType, type StreamFrame } from "./exchange.js";
import type { BodyReader, InFlightRequest, Received, ResponseHead } from "./in-flight-request.js";
import { LoopLag } from "./loop-lag.js";
import { fits } from "./row-limit.js";

/**
 * When to leave a stream: after a number of messages or a number of milliseconds since the request was sent, whichever
 * comes first; or when a function returns true, called at each frame and every 25 ms. Without `ms`, the stream is left
 * after two minutes at the latest. Time in which this thread was stalled does not count towards `ms`, up to as long again.
 */
export type StreamUntil = { readonly messages?: number; readonly ms?: number } | StreamSeen;

/** Whether enough of a stream has been seen; `usuallyMs` is how long that usually takes, in milliseconds. */
export type StreamSeen = ((frames: readonly StreamFrame[], elapsedMs: number) => boolean) & {
  readonly usuallyMs?: number;
};

/** Largest message of a stream, in bytes: a snapshot of 5,000 positions takes 6 MB. */
const messageLimit = 8 * 1024 * 1024;

/** Maximum messages read of a stream: over twice what a documented stream sends in the longest watch. */
const maxMessages = 3_000;

/** Largest body, in bytes, that is not a sequence of envelopes: it is an error, or a page meant for people. */
export const textLimit = 1024 * 1024;

/** How long a stream is watched at most, in milliseconds. */
export const longestStreamMs = 120_000;
const streamTickMs = 25;

/** How long a message must take to arrive for the time of its first byte to be kept, in milliseconds. */
const notedTransferMs = 50;

/** How long a stream is kept open after its last frame, to see bytes that come after it. */
const endGraceMs = 500;

/** Reads the body of a stream: timestamps each envelope, and leaves when enough was seen. */
export class StreamBodyReader implements BodyReader {
  readonly #lag = new LoopLag();
  readonly #frames: StreamFrame[] = [];
  readonly #text = new ChunkBuffer();
  readonly #decoder: EnvelopeDecoder;
  #enveloped: boolean | undefined;
  #opened = false;
  #messages = 0;
  #bytes = 0;
  /** When the envelope began that has not ended. */
  #firstByteAt: number | undefined;
  #head: ResponseHead | undefined;
  #timer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;

  /**
   * @param textOf returns the shared copy of a message's text
   * @param onMessage called at each message, with its size in bytes
   */
  constructor(
    private readonly until: StreamUntil,
    private readonly limit: number,
    private readonly rowLimit: number,
    private readonly textOf: (text: string) => string,
    private readonly onMessage: (bytes: number) => void,
  ) {
    this.#decoder = new EnvelopeDecoder(Math.min(messageLimit, limit));
  }

  /** Takes the body if it is not a sequence of envelopes; otherwise empty. */
  takeText(): Buffer {
    return this.#text.join();
  }

  sent(inFlight: InFlightRequest): void {
    if (typeof this.until === "function") this.#timer = setInterval(() => this.#leaveIfEnough(inFlight), streamTickMs);
    else this.#leaveAfter(this.until.ms ?? longestStreamMs, inFlight);
  }

  head(head: ResponseHead): void {
    this.#head = head;
    this.#opened = true;
  }

  data(chunk: Buffer, at: number, inFlight: InFlightRequest): void {
    this.#bytes += chunk.length;
    this.#enveloped ??= isEnveloped(chunk[0] ?? 0, this.#head);
    const limit = this.#enveloped ? this.limit : Math.min(textLimit, this.limit);
    if (this.#bytes > limit) {
      // A stream too large to watch any longer is not a failure if whole messages have come: they are what was seen.
      const message = `the stream is larger than the ${limit} bytes that are read`;
      inFlight.leave(this.#messages > 0 ? undefined : { kind: "too-large", message });
      return;
    }
    if (!this.#enveloped) {
      this.#text.push(chunk);
      return;
    }
    const lagMs = this.#lag.current;
    let firstByteAt = this.#firstByteAt ?? at;
    for (const { flags, payload } of this.#decoder.push(chunk)) {
      if (!fits(payload, this.rowLimit)) {
        inFlight.leave({
          kind: "too-large",
          message: `a message has more than the ${this.rowLimit} rows that are read`,
        });
        return;
      }
      const { text, invalidUtf8 } = decodeText(payload);
      this.#frames.push({
        at,
        ...(at - firstByteAt >= notedTransferMs && { firstByteAt }),
        lagMs,
        flags,
        data: this.textOf(text),
        ...(invalidUtf8 && { invalidUtf8 }),
      });
      firstByteAt = at;
      if (isMessage({ flags })) {
        this.#messages++;
        this.onMessage(payload.length);
      } else this.#grace = setTimeout(() => inFlight.leave(), endGraceMs);
    }
    this.#firstByteAt = this.#decoder.isWithinEnvelope ? firstByteAt : undefined;
    if (this.#decoder.problem !== undefined) inFlight.leave();
    else if (!this.#decoder.ended) this.#leaveIfEnough(inFlight);
  }

  /** Stops the timers. */
  stop(): void {
    this.#lag.stop();
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
  }

  /** The stream's part of the exchange, once everything was received. */
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

  /** Leaves after `ms`, and later if this thread was stalled meanwhile: by as long, up to `ms` in all. */
  #leaveAfter(ms: number, inFlight: InFlightRequest): void {
    let granted = 0;
    const leave = () => {
      const stalled = Math.min(this.#lag.stalled, ms);
      if (stalled <= granted) return inFlight.leave();
      this.#timer = setTimeout(leave, stalled - granted);
      granted = stalled;
    };
    this.#timer = setTimeout(leave, ms);
  }

  #leaveIfEnough(inFlight: InFlightRequest): void {
    const elapsed = inFlight.elapsed();
    const enough =
      this.#messages >= maxMessages ||
      (typeof this.until === "function"
        ? this.until(this.#frames, elapsed) || elapsed >= longestStreamMs
        : this.#messages >= (this.until.messages ?? Number.POSITIVE_INFINITY));
    if (enough) inFlight.leave();
  }
}

/**
 * Whether a body is a sequence of envelopes, by its first byte or its media type. Text never starts with one of the four
 * bytes that are valid flags of a Connect envelope. Whether the media type is right is for rules to judge (W9).
 */
function isEnveloped(firstByte: number, head: ResponseHead | undefined): boolean {
  if (head === undefined || contentCodings(head.headers).length > 0) return false;
  if (firstByte <= 0b11) return true;
  return isOk(head.status) && isStreamType(head.headers);
}
