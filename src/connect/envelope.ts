import type { FramingProblem } from "./exchange.js";

/** Flag of an envelope whose payload is compressed. */
export const compressedFlag = 0b01;

/** Flag of the last envelope of a stream. */
export const endStreamFlag = 0b10;

/** A Connect envelope: one byte of flags, four bytes of length (big-endian), the payload. */
export interface Envelope {
  readonly flags: number;
  readonly payload: Buffer;
}

const prefixLength = 5;

/** Envelopes one message. */
export function encodeEnvelope(message: string, flags = 0): Buffer {
  const payload = Buffer.from(message, "utf8");
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt8(flags, 0);
  prefix.writeUInt32BE(payload.length, 1);
  return Buffer.concat([prefix, payload]);
}

/**
 * Cuts a byte stream into envelopes, however the bytes are split into chunks. Unknown flags are kept. The first
 * problem is final: what comes after it is not read.
 */
export class EnvelopeDecoder {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #ended = false;
  #problem: FramingProblem | undefined;

  /** @param limit the largest payload that is accepted, in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The first fault of the bytes seen so far. */
  get problem(): FramingProblem | undefined {
    return this.#problem;
  }

  /** True once the end-of-stream envelope was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes the next bytes and gives the envelopes that they complete. */
  push(chunk: Buffer): Envelope[] {
    const envelopes: Envelope[] = [];
    if (this.#problem !== undefined || chunk.length === 0) return envelopes;
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    for (let next = this.#next(); next !== undefined; next = this.#next()) envelopes.push(next);
    return envelopes;
  }

  /** Tells that no more bytes come; what is left over is a truncated envelope. */
  end(): FramingProblem | undefined {
    if (this.#problem === undefined && this.#buffered > 0) {
      this.#problem = {
        kind: "truncated",
        message: `the stream ended inside an envelope, after ${this.#buffered} bytes of it`,
      };
    }
    return this.#problem;
  }

  #next(): Envelope | undefined {
    if (this.#ended && this.#buffered > 0) {
      this.#problem = { kind: "after-end", message: `${this.#buffered} bytes came after the end-of-stream envelope` };
      return undefined;
    }
    if (this.#buffered < prefixLength) return undefined;
    const prefix = this.#peek(prefixLength);
    const flags = prefix.readUInt8(0);
    const length = prefix.readUInt32BE(1);
    if (length > this.#limit) {
      this.#problem = { kind: "oversized", message: oversized(prefix, length, this.#limit) };
      return undefined;
    }
    if (this.#buffered < prefixLength + length) return undefined;
    const bytes = this.#peek(prefixLength + length);
    this.#drop(prefixLength + length);
    this.#ended = (flags & endStreamFlag) !== 0;
    return { flags, payload: bytes.subarray(prefixLength) };
  }

  /** The next `length` bytes, which must be there; they stay buffered. */
  #peek(length: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= length) return first.subarray(0, length);
    // Joining is put off until an envelope is complete, so that many small chunks of a large one are copied once.
    const joined = length === prefixLength ? joinPrefix(this.#chunks) : Buffer.concat(this.#chunks, this.#buffered);
    if (length !== prefixLength) this.#chunks = [joined];
    return joined.subarray(0, length);
  }

  #drop(length: number): void {
    this.#buffered -= length;
    let rest = length;
    while (rest > 0) {
      const first = this.#chunks.shift();
      if (first === undefined) return;
      if (first.length > rest) this.#chunks.unshift(first.subarray(rest));
      rest -= first.length;
    }
  }
}

/** The first five bytes of chunks that together hold at least as many. */
function joinPrefix(chunks: readonly Buffer[]): Buffer {
  const prefix = Buffer.alloc(prefixLength);
  let filled = 0;
  for (const chunk of chunks) {
    filled += chunk.copy(prefix, filled, 0, prefixLength - filled);
    if (filled === prefixLength) break;
  }
  return prefix;
}

function oversized(prefix: Buffer, length: number, limit: number): string {
  const announced = `an envelope announces ${length} bytes, more than the ${limit} that are accepted`;
  const start = prefix.toString("latin1");
  return /^[\x20-\x7e\s]{5}$/.test(start)
    ? `${announced}; the bytes ${JSON.stringify(start)} look like text that is not enveloped`
    : announced;
}
