import { ChunkBuffer } from "./chunk-buffer.js";
import type { FramingProblem } from "./exchange.js";

/** Envelope flag: the payload is compressed. */
export const compressedFlag = 0b01;

/** Envelope flag: end of stream. */
export const endStreamFlag = 0b10;

/** Whether an envelope holds a message rather than the end of the stream. */
export function isMessage({ flags }: { readonly flags: number }): boolean {
  return (flags & endStreamFlag) === 0;
}

/** A Connect envelope: one byte of flags, four bytes of length (big-endian), then the payload. */
export interface ConnectEnvelope {
  readonly flags: number;
  readonly payload: Buffer;
}

/** Size of an envelope before its payload, in bytes. */
export const prefixLength = 5;

/** Wraps one message in an envelope. */
export function encodeEnvelope(message: string, flags = 0): Buffer {
  const payload = Buffer.from(message, "utf8");
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt8(flags, 0);
  prefix.writeUInt32BE(payload.length, 1);
  return Buffer.concat([prefix, payload]);
}

/**
 * Splits a byte stream into envelopes, regardless of chunk boundaries. Unknown flags are kept. Decoding stops at the first
 * problem.
 */
export class EnvelopeDecoder {
  readonly #prefix = Buffer.alloc(prefixLength);
  #prefixFilled = 0;
  readonly #payload = new ChunkBuffer();
  #ended = false;
  #problem: FramingProblem | undefined;

  /** @param limit largest accepted payload, in bytes */
  constructor(private readonly limit: number) {}

  /** The first framing problem so far. */
  get problem(): FramingProblem | undefined {
    return this.#problem;
  }

  /** True once the end-of-stream envelope has been read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether an envelope has begun and not ended. */
  get isWithinEnvelope(): boolean {
    return this.#prefixFilled > 0;
  }

  /** Takes the next bytes and returns the envelopes they complete. */
  push(chunk: Buffer): ConnectEnvelope[] {
    const envelopes: ConnectEnvelope[] = [];
    let rest = chunk;
    while (rest.length > 0 && this.#problem === undefined) {
      if (this.#ended) {
        this.#problem = { kind: "after-end", message: `${rest.length} bytes came after the end-of-stream envelope` };
        break;
      }
      if (this.#prefixFilled < prefixLength) {
        const copied = rest.copy(this.#prefix, this.#prefixFilled);
        this.#prefixFilled += copied;
        rest = rest.subarray(copied);
        if (this.#prefixFilled < prefixLength) break;
        if (this.#announced > this.limit) {
          this.#problem = { kind: "oversized", message: oversized(this.#prefix, this.#announced, this.limit) };
          break;
        }
      }
      const missing = this.#announced - this.#payload.length;
      this.#payload.push(rest.subarray(0, missing));
      rest = rest.subarray(missing);
      if (this.#payload.length === this.#announced) envelopes.push(this.#take());
    }
    return envelopes;
  }

  /** Signals the end of the bytes; any leftover is a truncated envelope. */
  end(): FramingProblem | undefined {
    const read = this.#prefixFilled + this.#payload.length;
    if (this.#problem === undefined && read > 0) {
      this.#problem = { kind: "truncated", message: `the stream ended inside an envelope, after ${read} bytes of it` };
    }
    return this.#problem;
  }

  /** Payload size announced in the prefix, in bytes. */
  get #announced(): number {
    return this.#prefix.readUInt32BE(1);
  }

  #take(): ConnectEnvelope {
    const flags = this.#prefix.readUInt8(0);
    this.#ended = (flags & endStreamFlag) !== 0;
    this.#prefixFilled = 0;
    return { flags, payload: this.#payload.join() };
  }
}

function oversized(prefix: Buffer, length: number, limit: number): string {
  const announced = `an envelope announces ${length} bytes, more than the ${limit} that are accepted`;
  const start = prefix.toString("latin1");
  return /^[\x20-\x7e\s]{5}$/.test(start)
    ? `${announced}; the bytes ${JSON.stringify(start)} look like text that is not enveloped`
    : announced;
}
