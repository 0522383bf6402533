const smallestBlock = 1024;
const largestBlock = 64 * 1024;

/**
 * A buffer for bytes that arrive in pieces of any size. Pieces are copied into blocks, so that memory use depends on the
 * number of bytes, not of pieces: even a one-byte piece would otherwise retain the whole buffer it was read into.
 */
export class ChunkBuffer {
  readonly #full: Buffer[] = [];
  #block: Buffer = Buffer.alloc(0);
  #filled = 0;
  #bytes = 0;

  /** Number of buffered bytes. */
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

  /** Removes and returns the first block; undefined when there are no bytes. */
  shift(): Buffer | undefined {
    const block = this.#full.shift() ?? this.#takeBlock();
    this.#bytes -= block.length;
    return block.length === 0 ? undefined : block;
  }

  /** Removes all bytes and returns them as one buffer. */
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
