/** One form of a secret. */
export interface SecretForm {
  readonly text: string;
  /** Number of characters in a row that reveal it, at most the length of `text`. */
  readonly minLength: number;
}

/** Shortest secret, in bytes, whose encoded forms are searched for: a shorter one would match unrelated text. */
const shortestEncoded = 8;

/** This many characters of a secret in a row always reveal it: it may be split over several fields or messages. */
const longestPart = 12;

/**
 * The forms of a secret to search for, case-insensitively: plain, in base64 and base64url (also as part of a longer encoded
 * text), in hexadecimal, and escaped for URLs and JSON, with all characters escaped or only those that need it.
 *
 * @param mayBeSplit whether parts of the secret also count; otherwise only the whole secret does
 */
export function formsOf(secret: string, mayBeSplit: boolean): readonly SecretForm[] {
  const bytes = Buffer.from(secret, "utf8");
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const hex = bytes.toString("hex");
  const encoded = [hex, ...[0, 1, 2].flatMap((before) => inBase64(bytes, before))];
  const forms = bytes.length < shortestEncoded ? plain : [...plain, ...encoded];
  const lengthOf = (length: number) => (mayBeSplit ? minMatchLength(length) : length);
  const found = [...new Set(forms)].map((text) => ({ text, minLength: lengthOf(text.length) }));
  if (bytes.length < shortestEncoded) return found;
  // A fully escaped form is several times longer, so the threshold is scaled with it.
  const inEscapes = (text: string, count: number) => ({ text, minLength: (text.length / count) * lengthOf(count) });
  const percent = hex.replace(/../g, "%$&");
  return [...found, inEscapes(escaped(secret), secret.length), inEscapes(percent, bytes.length)];
}

/** How many characters reveal a secret of the given length: half of it, from 8 to 12; all of a short one. */
function minMatchLength(length: number): number {
  if (length < 16) return length;
  return Math.max(8, Math.min(longestPart, Math.floor(length / 2)));
}

function escaped(secret: string): string {
  const units = Array.from({ length: secret.length }, (_, index) => secret.charCodeAt(index).toString(16));
  return units.map((unit) => `\\u${unit.padStart(4, "0")}`).join("");
}

/** The base64 characters determined by these bytes alone, when they follow `before` other bytes (modulo three). */
function inBase64(bytes: Buffer, before: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url");
  const certain = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return [...(before === 0 ? [encoded] : []), certain].flatMap((text) => [
    text,
    text.replaceAll("-", "+").replaceAll("_", "/"),
  ]);
}
