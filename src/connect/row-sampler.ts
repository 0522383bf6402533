import type { SampledRows } from "./exchange.js";
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from "./json-codes.js";

/** How much of a large body is read and kept, in bytes unless stated otherwise. */
export interface SamplingLimits {
  /** Largest body that is sampled. */
  readonly body: number;
  /** Largest row. */
  readonly row: number;
  /** Limit for everything outside of rows, all of which is kept. */
  readonly outside: number;
  /** Limit for the kept rows of one array, apart from the first and last ones. */
  readonly between: number;
  /** Maximum number of such rows: judging tiny rows takes as long as judging others. */
  readonly betweenRows: number;
  /** Limit for the kept first rows of an array, and also for its last ones. */
  readonly edge: number;
  /** Maximum number of rows kept at each end of an array. */
  readonly edgeRows: number;
  /** Limit for all kept rows together. */
  readonly kept: number;
}

const megabyte = 1024 * 1024;

/** A gigabyte takes ten seconds on a fast network; four megabytes are about 7,000 orders. */
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

/** Cost of keeping a row in addition to its bytes: rows may be as small as single digits. */
const rowOverhead = 64;

/** Maximum length of a reported path, in characters. */
const pathShown = 200;

/**
 * Reads a JSON object of any size as it arrives, and keeps a sample that is itself a JSON text: some rows of each array of
 * rows, and everything outside of rows. An array of rows is one nested only in objects, such as `orders` and
 * `portfolio.positions`. Nothing is parsed; only brackets, commas and strings are tracked. If the text is truncated, or is
 * not JSON anywhere but in the skipped rows, the sample is not JSON either.
 */
export class RowSampler {
  readonly #samples: SampledRows[] = [];
  /** The kept text, its bytes as Latin-1: such strings are compact and do not retain the chunks. */
  readonly #text: string[] = [];
  #bytes = 0;
  #outside = 0;
  #kept = 0;
  #inString = false;
  #escaped = false;
  /** Outside of rows: the member names of the enclosing objects. */
  readonly #names: string[] = [];
  /** Outside of rows: the last string. Before an opening bracket it is the member name. */
  #string = "";
  /** The array whose rows are being read. */
  #rows: KeptRows | undefined;
  /** Number of open brackets within the row. */
  #depth = 0;
  /** The part of the row from earlier chunks. */
  #row: Buffer[] = [];
  #rowBytes = 0;
  #largestRow = 0;

  constructor(private readonly limits: SamplingLimits) {}

  /** Reads the next chunk. Returns a message when the text exceeds a limit; then no more may be pushed. */
  push(chunk: Buffer): string | undefined {
    this.#bytes += chunk.length;
    // Start of the current section: a row, or text outside of rows.
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
          this.#rows = new KeptRows(this.#path(), this.limits);
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

  /** The sample: its bytes, and which rows of each array it kept. Complete arrays are not listed. */
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

  /** Path of the current array, truncated: documented paths are short. */
  #path(): string {
    return [...this.#names.slice(1), this.#string].map(unescaped).join(".").slice(0, pathShown);
  }

  #tooLarge(): string | undefined {
    const { body, row, outside, kept } = this.limits;
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
    // An empty array has nothing but whitespace between its brackets.
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

/** The kept rows of one array: the first, the last, and every n-th in between. */
class KeptRows {
  readonly #first: string[] = [];
  #firstCost = 0;
  #between: { readonly index: number; readonly row: string }[] = [];
  #betweenCost = 0;
  /** Doubled whenever there are too many rows in between. */
  #every = 1;
  /** Slices of their chunks, not copies: most are dropped again soon. */
  readonly #last: Buffer[] = [];
  #lastCost = 0;
  #rows = 0;

  constructor(
    private readonly path: string,
    private readonly limits: SamplingLimits,
  ) {}

  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  add(row: Buffer): void {
    const { edge, edgeRows, between, betweenRows } = this.limits;
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

  /** The kept rows as array content, and which rows they are unless all were kept. */
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
    return { text, sample: { path: this.path, rows: this.#rows, first, every, last } };
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

/** Resolves the escapes of a member name; an invalid JSON string stays as it is. */
function unescaped(latin1: string): string {
  const text = Buffer.from(latin1, "latin1").toString("utf8");
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
