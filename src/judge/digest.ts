import { hash } from "node:crypto";
import { oncePer } from "../specification/once-per.js";

/** A short text that is equal for equal texts, to compare large ones without keeping them. */
export function shortDigest(text: string): string {
  return hash("sha1", text, "base64");
}

/** The digest of an answer's body. */
export const bodyDigest = oncePer(({ body }: { readonly body: string }) => shortDigest(body));
