import { hash } from "node:crypto";
import { memoize } from "../specification/memoize.js";

/** A short text that is equal for equal texts, to compare large ones without keeping them. */
export function shortDigest(text: string): string {
  return hash("sha1", text, "base64");
}

/** The digest of an answer's body. */
export const bodyDigest = memoize(({ body }: { readonly body: string }) => shortDigest(body));
