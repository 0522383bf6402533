/** A text that gives a secret away, and how much of it in a row does. */
export interface SecretForm {
  readonly text: string;
  /** Characters, at most all of them. */
  readonly telling: number;
}

/** Encoded, a shorter secret would be found in texts that have nothing to do with it. */
const shortestEncoded = 8;

/** A secret may be split over several fields or messages: so many characters of it in a row are found as well. */
const longestPart = 12;

/**
 * The forms of a secret that are looked for, in whatever case: as it is, in base64 and base64url (also as a part of what was
 * encoded), in hexadecimal, and escaped for URLs and JSON, in whole or as far as is needed.
 *
 * @param mayBeSplit whether parts of it are looked for; otherwise it is found as a whole alone
 */
export function formsOf(secret: string, mayBeSplit: boolean): readonly SecretForm[] {
  const bytes = Buffer.from(secret, "utf8");
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const hex = bytes.toString("hex");
  const encoded = [hex, ...[0, 1, 2].flatMap((before) => inBase64(bytes, before))];
  const forms = bytes.length < shortestEncoded ? plain : [...plain, ...encoded];
  const told = (length: number) => (mayBeSplit ? tellingPart(length) : length);
  const found = [...new Set(forms)].map((text) => ({ text, telling: told(text.length) }));
  if (bytes.length < shortestEncoded) return found;
  // In escapes a few characters are long, and common.
  const inEscapes = (text: string, count: number) => ({ text, telling: (text.length / count) * told(count) });
  const percent = hex.replace(/../g, "%$&");
  return [...found, inEscapes(escaped(secret), secret.length), inEscapes(percent, bytes.length)];
}

/** Half of a secret, if that is neither common nor long. */
function tellingPart(length: number): number {
  if (length < 16) return length;
  return Math.max(8, Math.min(longestPart, Math.floor(length / 2)));
}

function escaped(secret: string): string {
  const units = Array.from({ length: secret.length }, (_, index) => secret.charCodeAt(index).toString(16));
  return units.map((unit) => `\\u${unit.padStart(4, "0")}`).join("");
}

/** The characters of base64 that depend on these bytes alone, when so many others stand before them, modulo three. */
function inBase64(bytes: Buffer, before: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url");
  const certain = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return [...(before === 0 ? [encoded] : []), certain].flatMap((text) => [
    text,
    text.replaceAll("-", "+").replaceAll("_", "/"),
  ]);
}
