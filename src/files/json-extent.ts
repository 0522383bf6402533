/** Depth and size of a JSON text, which need not be well-formed. */
export interface JsonExtent {
  /** Maximum nesting depth of arrays and objects. */
  readonly depth: number;
  /** Upper bound for the number of values, not counting member names. */
  readonly values: number;
}

const newline = 0x0a;
const quote = 0x22;
const asterisk = 0x2a;
const comma = 0x2c;
const slash = 0x2f;
const backslash = 0x5c;
/** Brackets and braces differ in one bit, {@link braceBit}. */
const open = 0x7b;
const close = 0x7d;
const braceBit = 0x20;

/**
 * Measures a JSON text, optionally with comments, before it is parsed: a few bytes can make parsing expensive. Makes a
 * single pass over the bytes.
 *
 * @param text UTF-8
 */
export function extentOf(text: Uint8Array, { comments = false } = {}): JsonExtent {
  let depth = 0;
  let level = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte === quote) {
      at++;
      while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
    } else if (byte === comma) {
      values++;
    } else if ((byte | braceBit) === open) {
      values++;
      level++;
      if (level > depth) depth = level;
    } else if ((byte | braceBit) === close) {
      level--;
    } else if (comments && byte === slash) {
      at = endOfComment(text, at);
    }
  }
  return { depth, values };
}

/** The index of the last byte of a comment, or of the slash itself if it does not start a comment. */
function endOfComment(text: Uint8Array, slashAt: number): number {
  let at = slashAt + 2;
  if (text[slashAt + 1] === slash) {
    while (at < text.length && text[at] !== newline) at++;
    return at;
  }
  if (text[slashAt + 1] !== asterisk) return slashAt;
  while (at < text.length && !(text[at] === asterisk && text[at + 1] === slash)) at++;
  return at + 1;
}
