import { hash } from "node:crypto";

/** Bodies with more characters than this are stored in files of their own, by default. */
export const inlineLimit = 8 * 1024;

/** The folder for such files, within the record. */
export const bodiesFolder = "bodies";

/** The gzip file that stores a body, relative to the record. Named by the body's SHA-256, so equal bodies share a file. */
export function bodyFile(body: string): string {
  return `${bodiesFolder}/${hash("sha256", body)}.gz`;
}
