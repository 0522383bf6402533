import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { listRecord, readChunks, sealFile } from "./folder.js";
import { findSeal } from "./seal.js";

/**
 * Copies a record: its own files only, without half-written ones.
 *
 * @param to a folder without a record
 * @throws RecordRefused when `from` contains anything that is not part of a record
 */
export function copyRecord(from: string, to: string): void {
  const paths = [...listRecord(from, "ignored").keys(), ...(findSeal(from) ? [sealFile] : [])];
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    const fd = openSync(join(to, path), "wx");
    try {
      for (const chunk of readChunks(from, path)) writeSync(fd, chunk);
    } finally {
      closeSync(fd);
    }
  }
}
