import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { contentOf, listRecord, sealFile } from "./folder.js";
import { findSeal } from "./seal.js";

/**
 * Copies a record: the files that a record has, and nothing else that may be in its folder.
 *
 * @param to a folder that has no record
 * @throws RecordRefused when the folder has anything that is no part of a record
 */
export function copyRecord(from: string, to: string): void {
  const paths = [...listRecord(from, "ignored").keys(), ...(findSeal(from) ? [sealFile] : [])];
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    const fd = openSync(join(to, path), "wx");
    try {
      for (const chunk of contentOf(from, path)) writeSync(fd, chunk);
    } finally {
      closeSync(fd);
    }
  }
}
