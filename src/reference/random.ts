/** A seeded random number generator (sfc32): the same seed gives the same sequence on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /**
   * @param seed any finite number
   * @param label separates the sequences of different purposes
   */
  constructor(seed: number, label = "") {
    this.#a = hash(label, seed, 1);
    this.#b = hash(label, seed, 2);
    this.#c = hash(label, seed, 3);
    for (let i = 0; i < 12; i++) this.next();
  }

  /** The next number, at least 0 and below 1. */
  next(): number {
    const t = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return (t >>> 0) / 4294967296;
  }

  /** A number from `low` up to, not including, `high`. */
  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** An integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** True with probability `p`. */
  chance(p: number): boolean {
    return this.next() < p;
  }

  /** One of `items`, with equal probability. */
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }
}

/** A well-mixed 32-bit hash of the parts (FNV-1a with a final avalanche). */
export function hash(...parts: readonly (string | number | bigint)[]): number {
  let h = 0x811c9dc5;
  for (const part of parts) {
    const text = typeof part === "string" ? part : String(part);
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    h = Math.imul(h ^ 0xff, 0x01000193);
  }
  return mix(h, 0);
}

/** A well-mixed 32-bit hash of a hash and an integer. */
export function mix(h: number, integer: number): number {
  let mixed = h ^ Math.imul(integer, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
