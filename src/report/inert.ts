/**
 * Characters that act instead of showing: controls (escape sequences of terminals among them), invisible format
 * characters (which reorder or hide text), line separators, lone surrogates and non-characters (which break XML).
 */
const active = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text from the target, made safe for a terminal, XML and Markdown: one line, each active character shown as its code (`\x1b`). */
export function inert(text: string): string {
  return text.replace(active, (character) => named[character] ?? escaped(character.codePointAt(0) ?? 0));
}

/** {@link inert}, line by line: line breaks stay. */
export function inertLines(text: string): string {
  return text.split("\n").map(inert).join("\n");
}

/** How far a cut goes back to fall between two words. */
const LONGEST_WORD = 80;

/** {@link inert}, cut to at most so many characters, between two words where there are any; a cut is marked. */
export function inertShort(text: string, maxLength: number): string {
  // Cut before escaping as well: a body of megabytes is not worth escaping to show its first hundred characters.
  const line = inert(text.slice(0, maxLength + 1));
  const characters = [...line];
  if (characters.length <= maxLength) return line;
  const kept = characters.slice(0, maxLength - 1).join("");
  const words = kept.replace(/[\s,;:]+[^\s,;:]*$/, "");
  return `${kept.length - words.length <= Math.min(LONGEST_WORD, kept.length / 2) ? words : kept}…`;
}

function escaped(code: number): string {
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}
