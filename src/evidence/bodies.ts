import { createHash } from "node:crypto";

/** Longer bodies are kept in files of their own, by default. */
export const inlineLimit = 8 * 1024;

/** The folder for such files, beside the record. */
export const bodiesFolder = "bodies";

/** The name of the file that holds a body, relative to the evidence and packed by gzip: the same body has the same file. */
export function bodyFile(body: string): string {
  return `${bodiesFolder}/${createHash("sha256").update(body).digest("hex")}.gz`;
}

/** The first so many characters of a body, without half of a surrogate pair at the end. */
export function truncate(body: string, length: number): string {
  return body.length <= length ? body : body.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
