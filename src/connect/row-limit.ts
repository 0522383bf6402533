import type { ExchangeFailure, SampledRows } from "./exchange.js";
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from "./json-codes.js";
import { RowSampler, type SamplingLimits } from "./row-sampler.js";

/** The result of reading a body: its bytes, or those of a sample, or why there are none. */
export interface BodyResult {
  readonly bytes: Buffer;
  readonly samples?: readonly SampledRows[];
  readonly failure?: ExchangeFailure;
}

/** A body may have this many values per allowed row. Documented rows can have more, but then there are fewer of them. */
const valuesPerRow = 12;

/** Bytes of the shortest row and the comma after it. */
const shortestRow = 2;

/**
 * Limits the rows of a body to what can be judged: returns it as it is, or a sample of its rows when it has more. Judging a
 * row takes hundreds of bytes even if it is `{}`, so a limit in bytes alone does not bound memory and time.
 *
 * @param most maximum number of elements in all arrays of the body together
 */
export function withRowLimit(bytes: Buffer, most: number, sampling: SamplingLimits): BodyResult {
  if (fits(bytes, most)) return { bytes };
  const taken = sampled(new RowSampler(sampling), bytes);
  // A sample may keep somewhat more, since it is also limited by bytes.
  if (taken.failure === undefined && fits(taken.bytes, 2 * most)) return taken;
  const message = `the body has more than the ${most} rows, members of an object, or ${most * valuesPerRow} values, that are read`;
  return { bytes: Buffer.alloc(0), failure: { kind: "too-large", message } };
}

/** Finishes sampling a body, given its last bytes. */
export function sampled(sampler: RowSampler, last: Buffer): BodyResult {
  const message = sampler.push(last);
  if (message !== undefined) return { bytes: Buffer.alloc(0), failure: { kind: "too-large", message } };
  const { bytes, samples } = sampler.end();
  return samples.length === 0 ? { bytes } : { bytes, samples };
}

/** Whether a JSON text keeps within the limit: of array elements in total, of members per object, and of values in total. */
export function fits(text: Buffer, mostRows: number): boolean {
  if (text.length <= mostRows * shortestRow) return true;
  const { rows, values, widest } = count(text);
  return rows <= mostRows && values <= mostRows * valuesPerRow && widest <= mostRows;
}

/** Nesting is only tracked to this depth: deeper texts are never parsed. */
const deepest = 1_000;

/**
 * Counts array elements, values, and the entries of the widest object or array, by the commas and brackets of a JSON text.
 * The count is slightly low, since the last element of an array has no comma.
 */
function count(text: Buffer): { readonly rows: number; readonly values: number; readonly widest: number } {
  let rows = 0;
  let values = 0;
  let widest = 0;
  let depth = 0;
  const isArray = new Uint8Array(deepest);
  const widths = new Uint32Array(deepest);
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) {
      at = endOfString(text, at);
    } else if (byte === comma) {
      values++;
      rows += isArray[depth] ?? 0;
      const width = (widths[depth] ?? 0) + 1;
      widths[depth] = width;
      if (width > widest) widest = width;
    } else if (byte === openBrace || byte === openBracket) {
      values++;
      if (depth < deepest - 1) {
        isArray[++depth] = byte === openBracket ? 1 : 0;
        widths[depth] = 0;
      }
    } else if ((byte === closeBrace || byte === closeBracket) && depth > 0) {
      depth--;
    }
  }
  return { rows, values, widest };
}

function endOfString(text: Buffer, start: number): number {
  let end = text.indexOf(quote, start + 1);
  while (end !== -1) {
    let escapes = 0;
    while (text[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
    end = text.indexOf(quote, end + 1);
  }
  return text.length;
}
