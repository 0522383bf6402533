import { readNamed } from "../files/read-file.js";
import { FileRefused } from "../files/refused.js";
import { UsageError } from "./failure.js";

/**
 * Reads a file that the user named.
 *
 * @param what what the error calls it: `the statement`
 * @throws UsageError if it cannot be read, or has more than `maxBytes`
 */
export function readUserFile(what: string, path: string, maxBytes: number): Buffer {
  try {
    return readNamed(path, maxBytes);
  } catch (error) {
    throw error instanceof FileRefused ? new UsageError(`${what} ${error.message}`) : error;
  }
}
