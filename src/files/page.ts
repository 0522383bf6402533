import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { checkWritable, failureAt, WriteRefused } from "./write.js";

/** Where in a page its mark must be, in bytes from the start. */
const markWithinBytes = 512;

/** The mark in the head of a page that one of the commands writes. */
export function pageMark(command: "annotate" | "compare" | "power"): string {
  return `<meta name="generator" content="perp-conformance ${command}">`;
}

/**
 * Checks, before doing the work to be written, that a page could be written: as a new file, or in place of an earlier one of
 * the same command.
 *
 * @param mark what the start of such a page holds
 * @throws WriteRefused when the path holds anything else; WriteFailure when its folder is not writable
 */
export function checkPage(path: string, mark: string): void {
  checkWritable(path);
  if (existsSync(path) && !startOf(path).includes(mark))
    throw new WriteRefused(`${path} exists, and is not a page of this command: name another file`);
}

function startOf(path: string): string {
  try {
    const fd = openSync(path, "r");
    try {
      const start = Buffer.alloc(markWithinBytes);
      return start.toString("utf8", 0, readSync(fd, start));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw failureAt(path, error);
  }
}
