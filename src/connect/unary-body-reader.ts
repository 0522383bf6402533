import { contentCodings } from "./body.js";
import { ChunkBuffer } from "./chunk-buffer.js";
import { type ExchangeFailure, isOk } from "./exchange.js";
import { announcedLength, type BodyReader, type InFlightRequest, type ResponseHead } from "./in-flight-request.js";
import { type BodyResult, sampled } from "./row-limit.js";
import { RowSampler, type SamplingLimits } from "./row-sampler.js";
import type { Slots } from "./throttling.js";

/** Bodies above this many bytes are read one at a time, which bounds their total memory. */
const largeBytes = 1024 * 1024;

/** Minimum number of bytes passed to the sampler at a time, except for the last bytes of a body. */
const sampledAtOnce = 64 * 1024;

/** Limits and shared state for reading a body. */
export interface BodyTerms {
  /** Largest body that is kept whole, in bytes. */
  readonly limit: number;
  /** Limits for sampling a larger body. */
  readonly sampling: SamplingLimits;
  /** Slot for reading a large body, shared by all bodies of a transport. */
  readonly large: Slots;
  /** Checked once the slot is free: why the body should no longer be read. */
  readonly refusal: () => ExchangeFailure | undefined;
}

/**
 * Reads the body of a unary response. Up to the limit it is kept whole. Of a larger JSON object in a 2xx response, a sample
 * of the rows is kept. A body that is too large for either is discarded.
 */
export class UnaryBodyReader implements BodyReader {
  /** Bytes received but not yet passed to the sampler. */
  readonly #pieces = new ChunkBuffer();
  #bytes = 0;
  #isLarge = false;
  #left = false;
  /** Whether a body over the limit may be sampled. */
  #maySample = false;
  #sampler: RowSampler | undefined;
  /** How many pending operations block reading. */
  #waiting = 0;

  constructor(private readonly terms: BodyTerms) {}

  /** Takes what was read; empty when the body was too large. */
  take(): BodyResult {
    const bytes = this.#pieces.join();
    if (this.#left || this.#sampler === undefined) return { bytes };
    return sampled(this.#sampler, bytes);
  }

  head(head: ResponseHead, inFlight: InFlightRequest): void {
    const plain = contentCodings(head.headers).length === 0;
    this.#maySample = plain && isOk(head.status);
    const bytes = plain ? (announcedLength(head.headers) ?? 0) : 0;
    if (bytes > this.#mostBytes) this.#refuse(inFlight);
    else if (bytes > this.terms.limit) this.#sampler = new RowSampler(this.terms.sampling);
  }

  data(chunk: Buffer, _at: number, inFlight: InFlightRequest): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#mostBytes) {
      this.#refuse(inFlight);
      return;
    }
    if (this.#bytes === chunk.length && !startsObject(chunk)) this.#refuseSample(inFlight);
    if (this.#left) return;
    this.#pieces.push(chunk);
    if (this.#sampler === undefined) {
      if (this.#bytes > this.terms.limit) this.#startSampling(inFlight);
    } else if (this.#waiting === 0 && this.#pieces.length >= sampledAtOnce) {
      this.#sample(this.#sampler, this.#pieces.join(), inFlight);
    }
    if (this.#left || this.#isLarge || this.#bytes <= largeBytes) return;
    this.#isLarge = true;
    this.#waitFor(inFlight, async (proceed) => {
      await this.terms.large.run(async () => {
        const refusal = this.terms.refusal();
        if (refusal === undefined) proceed();
        else this.#leave(refusal, inFlight);
        await inFlight.done;
      });
    });
  }

  get #mostBytes(): number {
    return this.#maySample ? Math.max(this.terms.limit, this.terms.sampling.body) : this.terms.limit;
  }

  /** Only objects have rows to sample; anything else is read only up to the limit. */
  #refuseSample(inFlight: InFlightRequest): void {
    this.#maySample = false;
    if (this.#sampler !== undefined) this.#refuse(inFlight);
  }

  #startSampling(inFlight: InFlightRequest): void {
    this.#sampler = new RowSampler(this.terms.sampling);
    this.#catchUp(this.#sampler, inFlight);
  }

  /** Passes the buffered bytes to the sampler block by block, yielding to the event loop in between. */
  #catchUp(sampler: RowSampler, inFlight: InFlightRequest): void {
    this.#waitFor(inFlight, async (proceed) => {
      for (let block = this.#pieces.shift(); block !== undefined && !this.#left; block = this.#pieces.shift()) {
        this.#sample(sampler, block, inFlight);
        await new Promise(setImmediate);
      }
      proceed();
    });
  }

  #sample(sampler: RowSampler, chunk: Buffer, inFlight: InFlightRequest): void {
    const message = sampler.push(chunk);
    if (message !== undefined) this.#leave({ kind: "too-large", message }, inFlight);
  }

  #waitFor(inFlight: InFlightRequest, wait: (proceed: () => void) => Promise<void>): void {
    this.#waiting++;
    inFlight.pause();
    void wait(() => {
      this.#waiting--;
      if (this.#waiting > 0) return;
      if (this.#sampler !== undefined && this.#pieces.length > 0) this.#catchUp(this.#sampler, inFlight);
      else inFlight.resume();
    });
  }

  #refuse(inFlight: InFlightRequest): void {
    const message = `the body is larger than the ${this.#mostBytes} bytes that are read`;
    this.#leave({ kind: "too-large", message }, inFlight);
  }

  #leave(failure: ExchangeFailure, inFlight: InFlightRequest): void {
    this.#pieces.clear();
    this.#left = true;
    inFlight.leave(failure);
  }
}

function startsObject(chunk: Buffer): boolean {
  return chunk.toString("latin1", 0, 200).trimStart().startsWith("{");
}
