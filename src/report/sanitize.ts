/**
 * Characters that act instead of being shown: control characters (including terminal escape sequences), invisible format
 * characters (which reorder or hide text), line separators, lone surrogates and non-characters (which break XML).
 */
const active = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Makes target text safe for terminals, XML and Markdown: one line, with active characters shown as codes (`\x1b`). */
export function sanitize(text: string): string {
  return text.replace(active, (character) => named[character] ?? escaped(character.codePointAt(0) ?? 0));
}

/** {@link sanitize}, line by line: line breaks are kept. */
export function sanitizeLines(text: string): string {
  return text.split("\n").map(sanitize).join("\n");
}

/** How far back a cut may move to fall between two words. */
const longestWord = 80;

/** {@link sanitize}, cut to at most `maxLength` characters, between two words if possible. A cut is marked with `…`. */
export function sanitizeShort(text: string, maxLength: number): string {
  // Cut before escaping too: it is a waste to escape megabytes to show the first hundred characters. A character takes up to
  // two code units.
  const line = sanitize(text.slice(0, 2 * maxLength + 2));
  const characters = [...line];
  if (characters.length <= maxLength) return line;
  const kept = characters.slice(0, maxLength - 1).join("");
  const words = kept.replace(/[\s,;:]+[^\s,;:]*$/, "");
  return `${kept.length - words.length <= Math.min(longestWord, kept.length / 2) ? words : kept}…`;
}

function escaped(code: number): string {
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}
