const smallestBlock = 1024;
const largestBlock = 64 * 1024;

/**
 * Bytes that arrive in pieces of any size. They are copied together into blocks, so that memory follows the bytes and not
 * the pieces: a piece may be a single byte, and hold on to all that was read with it.
 */
export class Pieces {
  readonly #full: Buffer[] = [];
  #block: Buffer = Buffer.alloc(0);
  #filled = 0;
  #bytes = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.#bytes;
  }

  push(piece: Buffer): void {
    this.#bytes += piece.length;
    let rest = piece;
    while (rest.length > 0) {
      if (this.#filled === this.#block.length) this.#nextBlock(rest.length);
      const copied = rest.copy(this.#block, this.#filled);
      this.#filled += copied;
      rest = rest.subarray(copied);
    }
  }

  /** Takes the first block; undefined when there are no bytes. */
  shift(): Buffer | undefined {
    const block = this.#full.shift() ?? this.#takeBlock();
    this.#bytes -= block.length;
    return block.length === 0 ? undefined : block;
  }

  /** Takes all bytes as one. */
  join(): Buffer {
    const bytes = Buffer.concat([...this.#full, this.#block.subarray(0, this.#filled)], this.#bytes);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#full.length = 0;
    this.#takeBlock();
    this.#bytes = 0;
  }

  #nextBlock(needed: number): void {
    if (this.#filled > 0) this.#full.push(this.#block);
    const size = Math.min(largestBlock, Math.max(smallestBlock, needed, 2 * this.#filled));
    this.#block = Buffer.allocUnsafeSlow(size);
    this.#filled = 0;
  }

  #takeBlock(): Buffer {
    const block = this.#block.subarray(0, this.#filled);
    this.#block = Buffer.alloc(0);
    this.#filled = 0;
    return block;
  }
}
