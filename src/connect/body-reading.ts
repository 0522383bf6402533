import { contentCodings } from "./body.js";
import { type Failure, headerValues } from "./exchange.js";
import type { Slots } from "./politeness.js";
import type { Head, Reader, Reception } from "./reception.js";

/** A body of more bytes waits until no other one of that size is being read: so many at a time are bounded together. */
const modestBytes = 1024 * 1024;

/** What a body is read with. */
export interface BodyTerms {
  /** Largest body that is read, in bytes. */
  readonly limit: number;
  /** Shared by all bodies of a wire: whoever has the slot may read a large one. */
  readonly large: Slots;
  /** Why a body that has waited for the slot is not worth reading any more. */
  readonly refusal: () => Failure | undefined;
}

/** Reads the body of a unary answer, as far as it is not too large; nothing of one that is too large is kept. */
export class BodyReading implements Reader {
  readonly #terms: BodyTerms;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isLarge = false;
  #left = false;

  constructor(terms: BodyTerms) {
    this.#terms = terms;
  }

  /** Takes the bytes that came; there are none of a body that was too large. */
  take(): Buffer {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return bytes;
  }

  head(head: Head, reception: Reception): void {
    if (contentCodings(head.headers).length === 0) this.#refuseAbove(announced(head), reception);
  }

  data(chunk: Buffer, _at: number, reception: Reception): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#refuseAbove(this.#bytes, reception);
    if (this.#left || this.#isLarge || this.#bytes <= modestBytes) return;
    this.#isLarge = true;
    reception.pause();
    void this.#terms.large.run(async () => {
      const refusal = this.#terms.refusal();
      if (refusal === undefined) reception.resume();
      else this.#leave(refusal, reception);
      await reception.done;
    });
  }

  #refuseAbove(bytes: number, reception: Reception): void {
    const { limit } = this.#terms;
    if (bytes <= limit) return;
    this.#leave({ kind: "too-large", message: `the body is larger than the ${limit} bytes that are read` }, reception);
  }

  #leave(failure: Failure, reception: Reception): void {
    this.#chunks = [];
    this.#left = true;
    reception.leave(failure);
  }
}

/** The size of the body by its content-length; 0 when there is none. */
function announced({ headers }: Head): number {
  const [length = ""] = headerValues(headers, "content-length");
  return /^\d+$/.test(length) ? Number(length) : 0;
}
