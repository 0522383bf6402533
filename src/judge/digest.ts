import { createHash } from "node:crypto";

/** A short text that is equal for equal texts, to compare large ones without keeping them. */
export function digestOf(text: string): string {
  return createHash("sha1").update(text).digest("base64");
}
