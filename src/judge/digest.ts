import { hash } from "node:crypto";

/** A short text that is equal for equal texts, to compare large ones without keeping them. */
export function digestOf(text: string): string {
  return hash("sha1", text, "base64");
}
