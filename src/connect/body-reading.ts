import { contentCodings } from "./body.js";
import { type Failure, headerValues } from "./exchange.js";
import { Pieces } from "./pieces.js";
import type { Slots } from "./politeness.js";
import type { Head, Reader, Reception } from "./reception.js";
import { sampled, type Taken } from "./row-limit.js";
import { RowSampler, type SamplingLimits } from "./row-sampler.js";

/** A body of more bytes waits until no other one of that size is being read: so many at a time are bounded together. */
const modestBytes = 1024 * 1024;

/** The sampler is given no less at a time, in bytes, while more is to come. */
const sampledAtOnce = 64 * 1024;

/** What a body is read with. */
export interface BodyTerms {
  /** Largest body that is kept whole, in bytes. */
  readonly limit: number;
  /** How much is read of a larger one, of which a sample is kept. */
  readonly sampling: SamplingLimits;
  /** Shared by all bodies of a wire: whoever has the slot may read a large one. */
  readonly large: Slots;
  /** Why a body that has waited for the slot is not worth reading any more. */
  readonly refusal: () => Failure | undefined;
}

/**
 * Reads the body of a unary answer: whole up to a limit; of the larger JSON object of a success a sample. Nothing is kept
 * of what is too large for either.
 */
export class BodyReading implements Reader {
  readonly #terms: BodyTerms;
  /** What has come, and was not handed to the sampler. */
  readonly #pieces = new Pieces();
  #bytes = 0;
  #isLarge = false;
  #left = false;
  /** Whether a sample of what is too large may be kept. */
  #maySample = false;
  #sampler: RowSampler | undefined;
  /** How many things reading has to wait for. */
  #waiting = 0;

  constructor(terms: BodyTerms) {
    this.#terms = terms;
  }

  /** Takes what came; there are no bytes of a body that was too large. */
  take(): Taken {
    const bytes = this.#pieces.join();
    if (this.#left || this.#sampler === undefined) return { bytes };
    return sampled(this.#sampler, bytes);
  }

  head(head: Head, reception: Reception): void {
    const plain = contentCodings(head.headers).length === 0;
    this.#maySample = plain && head.status >= 200 && head.status < 300;
    const bytes = plain ? announced(head) : 0;
    if (bytes > this.#mostBytes) this.#refuse(reception);
    else if (bytes > this.#terms.limit) this.#sampler = new RowSampler(this.#terms.sampling);
  }

  data(chunk: Buffer, _at: number, reception: Reception): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#mostBytes) {
      this.#refuse(reception);
      return;
    }
    if (this.#bytes === chunk.length && !startsObject(chunk)) this.#refuseSample(reception);
    if (this.#left) return;
    this.#pieces.push(chunk);
    if (this.#sampler === undefined) {
      if (this.#bytes > this.#terms.limit) this.#startSampling(reception);
    } else if (this.#waiting === 0 && this.#pieces.length >= sampledAtOnce) {
      this.#sample(this.#sampler, this.#pieces.join(), reception);
    }
    if (this.#left || this.#isLarge || this.#bytes <= modestBytes) return;
    this.#isLarge = true;
    this.#waitFor(reception, async (proceed) => {
      await this.#terms.large.run(async () => {
        const refusal = this.#terms.refusal();
        if (refusal === undefined) proceed();
        else this.#leave(refusal, reception);
        await reception.done;
      });
    });
  }

  get #mostBytes(): number {
    return this.#maySample ? Math.max(this.#terms.limit, this.#terms.sampling.body) : this.#terms.limit;
  }

  /** Only objects have rows: nothing else is read beyond the limit. */
  #refuseSample(reception: Reception): void {
    this.#maySample = false;
    if (this.#sampler !== undefined) this.#refuse(reception);
  }

  #startSampling(reception: Reception): void {
    this.#sampler = new RowSampler(this.#terms.sampling);
    this.#catchUp(this.#sampler, reception);
  }

  /** What has come so far is gone through piece by piece, so that nothing else waits for long. */
  #catchUp(sampler: RowSampler, reception: Reception): void {
    this.#waitFor(reception, async (proceed) => {
      for (let block = this.#pieces.shift(); block !== undefined && !this.#left; block = this.#pieces.shift()) {
        this.#sample(sampler, block, reception);
        await new Promise(setImmediate);
      }
      proceed();
    });
  }

  #sample(sampler: RowSampler, chunk: Buffer, reception: Reception): void {
    const message = sampler.push(chunk);
    if (message !== undefined) this.#leave({ kind: "too-large", message }, reception);
  }

  #waitFor(reception: Reception, wait: (proceed: () => void) => Promise<void>): void {
    this.#waiting++;
    reception.pause();
    void wait(() => {
      this.#waiting--;
      if (this.#waiting > 0) return;
      if (this.#sampler !== undefined && this.#pieces.length > 0) this.#catchUp(this.#sampler, reception);
      else reception.resume();
    });
  }

  #refuse(reception: Reception): void {
    const message = `the body is larger than the ${this.#mostBytes} bytes that are read`;
    this.#leave({ kind: "too-large", message }, reception);
  }

  #leave(failure: Failure, reception: Reception): void {
    this.#pieces.clear();
    this.#left = true;
    reception.leave(failure);
  }
}

function startsObject(chunk: Buffer): boolean {
  return chunk.toString("latin1", 0, 200).trimStart().startsWith("{");
}

/** The size of the body by its content-length; 0 when there is none. */
function announced({ headers }: Head): number {
  const [length = ""] = headerValues(headers, "content-length");
  return /^\d+$/.test(length) ? Number(length) : 0;
}
