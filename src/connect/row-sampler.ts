import type { SampledRows } from "./exchange.js";

/** How much of a large body is read and kept, in bytes unless it says otherwise. */
export interface SamplingLimits {
  /** Largest body of which a sample is read. */
  readonly body: number;
  /** Largest row. */
  readonly row: number;
  /** Most of what is outside of rows: all of it is kept. */
  readonly outside: number;
  /** Most that is kept of one array of rows, apart from the first and the last of them. */
  readonly between: number;
  /** How many rows are kept of it at most: tiny ones take as long to be judged as others. */
  readonly betweenRows: number;
  /** Most that is kept of the first rows of an array, and of its last ones. */
  readonly edge: number;
  /** How many rows are kept at each end of an array at most. */
  readonly edgeRows: number;
  /** Most that is kept of all. */
  readonly kept: number;
}

const megabyte = 1024 * 1024;

/** A gigabyte comes over a fast network in ten seconds; four megabytes are some 7,000 orders. */
export const samplingLimits: SamplingLimits = {
  body: 1024 * megabyte,
  row: 2 * megabyte,
  outside: megabyte,
  between: 4 * megabyte,
  betweenRows: 8_000,
  edge: megabyte / 2,
  edgeRows: 250,
  kept: 16 * megabyte,
};

/** What keeping a row costs beside its bytes: the rows of an array may be single digits. */
const rowOverhead = 64;

/** Characters of a path that are told. */
const pathShown = 200;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Reads a JSON object of any size as it arrives, and keeps a sample of it that is a JSON text of its own: of each array of
 * rows some rows, and all that is outside of rows. An array of rows is one that lies in objects alone, such as `orders` and
 * `portfolio.positions`. Nothing is parsed: brackets, commas and strings are looked at. A text that is no JSON outside of
 * the rows that were passed over, or ends too soon, gives a sample that is no JSON either.
 */
export class RowSampler {
  readonly #limits: SamplingLimits;
  readonly #samples: SampledRows[] = [];
  /** The kept text, its bytes as Latin-1: such strings are compact, and do not hold on to the chunks. */
  readonly #text: string[] = [];
  #bytes = 0;
  #outside = 0;
  #kept = 0;
  #inString = false;
  #escaped = false;
  /** Outside of rows: the objects around, by the names of their members. */
  readonly #names: string[] = [];
  /** Outside of rows: the last string, which before a bracket is the name of the member. */
  #string = "";
  /** The array whose rows are being read. */
  #rows: KeptRows | undefined;
  /** Brackets that are open within the row. */
  #depth = 0;
  /** The row so far, from chunks before this one. */
  #row: Buffer[] = [];
  #rowBytes = 0;
  #largestRow = 0;

  constructor(limits: SamplingLimits) {
    this.#limits = limits;
  }

  /** Reads on. Gives the reason, in words, when the text is too large in some way; then nothing more is to be read. */
  push(chunk: Buffer): string | undefined {
    this.#bytes += chunk.length;
    // What is being read now starts here: a row, or a part of what is outside.
    let start = 0;
    let stringStart = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) {
          this.#inString = false;
          if (this.#rows === undefined) this.#string += chunk.toString("latin1", stringStart, at);
        }
      } else if (byte === quote) {
        this.#inString = true;
        if (this.#rows === undefined) {
          this.#string = "";
          stringStart = at + 1;
        }
      } else if (this.#rows === undefined) {
        if (byte === openBrace) this.#names.push(this.#string);
        else if (byte === closeBrace) this.#names.pop();
        else if (byte === openBracket) {
          this.#keepOutside(chunk.toString("latin1", start, at + 1));
          this.#rows = new KeptRows(this.#path(), this.#limits);
          this.#depth = 0;
          start = at + 1;
        }
      } else if (byte === openBrace || byte === openBracket) {
        this.#depth++;
      } else if (byte === comma && this.#depth === 0) {
        this.#rows.add(this.#rowUpTo(chunk.subarray(start, at)));
        start = at + 1;
      } else if (byte === closeBracket && this.#depth === 0) {
        this.#closeRows(this.#rows, this.#rowUpTo(chunk.subarray(start, at)));
        start = at;
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth--;
      }
    }
    if (this.#rows !== undefined) {
      const rest = chunk.subarray(start);
      this.#row.push(rest);
      this.#rowBytes += rest.length;
    } else {
      this.#keepOutside(chunk.toString("latin1", start));
      if (this.#inString) this.#string += chunk.toString("latin1", stringStart);
    }
    return this.#tooLarge();
  }

  /** The sample: its bytes, and what of each array it leaves out; nothing is listed that is there as a whole. */
  end(): { readonly bytes: Buffer; readonly samples: readonly SampledRows[] } {
    if (this.#rows !== undefined) {
      // The text ends within an array, and so does the sample.
      const { text, sample } = this.#rows.end();
      this.#text.push(text);
      if (sample !== undefined) this.#samples.push(sample);
      this.#rows = undefined;
    }
    return { bytes: Buffer.from(this.#text.join(""), "latin1"), samples: this.#samples };
  }

  /** Documented paths are short. */
  #path(): string {
    return [...this.#names.slice(1), this.#string].map(unescaped).join(".").slice(0, pathShown);
  }

  #tooLarge(): string | undefined {
    const { body, row, outside, kept } = this.#limits;
    if (this.#bytes > body) return `the body is larger than the ${body} bytes of which a sample is read`;
    if (Math.max(this.#rowBytes, this.#largestRow) > row)
      return `a row of the body is larger than the ${row} bytes that are read`;
    if (this.#outside > outside) return `the body has more than the ${outside} bytes outside of rows that are read`;
    if (this.#kept > kept) return `a sample of the body is larger than the ${kept} bytes that are kept`;
    return undefined;
  }

  #rowUpTo(end: Buffer): Buffer {
    this.#largestRow = Math.max(this.#largestRow, this.#rowBytes + end.length);
    if (this.#row.length === 0) return end;
    const row = Buffer.concat([...this.#row, end]);
    this.#row = [];
    this.#rowBytes = 0;
    return row;
  }

  #closeRows(rows: KeptRows, last: Buffer): void {
    // Nothing, or blanks, between the brackets of an empty array.
    if (rows.isEmpty && last.toString("latin1").trim() === "") this.#keepOutside(last.toString("latin1"));
    else rows.add(last);
    const { text, sample } = rows.end();
    this.#text.push(text);
    this.#kept += text.length;
    if (sample !== undefined) this.#samples.push(sample);
    this.#rows = undefined;
    this.#string = "";
  }

  #keepOutside(text: string): void {
    this.#text.push(text);
    this.#outside += text.length;
  }
}

/** The rows that are kept of one array: the first, the last, and every so many-th between them. */
class KeptRows {
  readonly #path: string;
  readonly #limits: SamplingLimits;
  readonly #first: string[] = [];
  #firstCost = 0;
  #between: { readonly index: number; readonly row: string }[] = [];
  #betweenCost = 0;
  /** Doubled whenever the rows between become too many. */
  #every = 1;
  /** They stay in their chunks, as they go soon. */
  readonly #last: Buffer[] = [];
  #lastCost = 0;
  #rows = 0;

  constructor(path: string, limits: SamplingLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  add(row: Buffer): void {
    const { edge, edgeRows, between, betweenRows } = this.#limits;
    const index = this.#rows++;
    const cost = costOf(row);
    if (index === this.#first.length && index < edgeRows && this.#firstCost + cost <= edge) {
      this.#first.push(row.toString("latin1"));
      this.#firstCost += cost;
    } else if (index % this.#every === 0) {
      this.#between.push({ index, row: row.toString("latin1") });
      this.#betweenCost += cost;
      const isTooMuch = () => this.#betweenCost > between || this.#between.length > betweenRows;
      while (isTooMuch() && this.#between.length > 1) this.#thin();
    }
    this.#last.push(row);
    this.#lastCost += cost;
    while (this.#last.length > edgeRows || this.#lastCost > edge) this.#lastCost -= costOf(this.#last.shift());
  }

  /** The kept rows as they stand in the array, and what they are of it unless they are all. */
  end(): { readonly text: string; readonly sample?: SampledRows } {
    const tail = this.#rows - this.#last.length;
    const kept = [
      ...this.#first,
      ...this.#between.filter(({ index }) => index < tail).map(({ row }) => row),
      ...this.#last.slice(Math.max(0, this.#first.length - tail)).map((row) => row.toString("latin1")),
    ];
    const text = kept.join(",");
    if (kept.length === this.#rows) return { text };
    const [first, every, last] = [this.#first.length, this.#every, this.#last.length];
    return { text, sample: { path: this.#path, rows: this.#rows, first, every, last } };
  }

  #thin(): void {
    this.#every *= 2;
    this.#between = this.#between.filter(({ index }) => index % this.#every === 0);
    this.#betweenCost = this.#between.reduce((cost, { row }) => cost + costOf(row), 0);
  }
}

function costOf(row: { readonly length: number } | undefined): number {
  return (row?.length ?? 0) + rowOverhead;
}

/** A member's name as it is meant; one that is no JSON string stays as it is. */
function unescaped(latin1: string): string {
  const text = Buffer.from(latin1, "latin1").toString("utf8");
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
