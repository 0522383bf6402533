import { accessSync, constants, lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { lstat, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isSystemError, type SystemError, systemErrorReason } from "./system-error.js";

/** A file could not be written. The one-line message names the file and the reason. */
export class WriteFailure extends Error {
  override readonly name = "WriteFailure";

  /** Whether the path given by the user is at fault, not the disk. */
  readonly isUsage: boolean;

  constructor(path: string, cause: SystemError, reason?: string) {
    super(
      `cannot write ${path}: ${reason ?? (cause.code === "ENOENT" ? "its folder does not exist (ENOENT)" : systemErrorReason(cause))}`,
      { cause },
    );
    this.isUsage = reason === undefined && pathErrors.has(cause.code);
  }
}

const pathErrors: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP"]);

/** Whether an error means that something could not be written to disk. */
export function isWriteFailure(error: unknown): boolean {
  return error instanceof WriteFailure || isSystemError(error);
}

/** A command was told to write a file or folder that it must not write. */
export class WriteRefused extends Error {
  override readonly name = "WriteRefused";
}

/** Whether a file name is that of a temporary file, which is renamed once it is completely written. */
export function isTemporary(name: string): boolean {
  return name.endsWith(".tmp");
}

/** How long an exiting process waits for pending writes, in milliseconds. */
const pendingWritesMs = 50;

/** Called when the process exits: at once, and again for files that pending writes have created. */
export const exitCleanUps = new Set<() => void>();
process.on("exit", () => {
  if (exitCleanUps.size === 0) return;
  for (const cleanUp of exitCleanUps) cleanUp();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pendingWritesMs);
  for (const cleanUp of exitCleanUps) cleanUp();
});

/**
 * Runs an action on a path, and turns system errors into errors that name the path.
 *
 * @throws WriteFailure when the action fails with a system error
 */
export async function writing<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw failureAt(path, error);
  }
}

/** The content of a file to write: as a whole, or in chunks. */
export type Content = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Writes a file atomically: it appears as a whole or not at all, even if the process ends in the middle.
 *
 * @throws WriteRefused when the path is a device or a folder; WriteFailure when the file cannot be written
 */
export async function writeWhole(named: string, content: Content, mode?: number): Promise<void> {
  const path = plainFile(named);
  const temporary = temporaryFor(path);
  const cleanUp = () => rmSync(temporary, { force: true });
  exitCleanUps.add(cleanUp);
  try {
    await writeFile(temporary, content, { mode });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw failureAt(path, error);
  } finally {
    exitCleanUps.delete(cleanUp);
  }
}

/**
 * Writes a new file: nothing, not even a link, may exist at the path. It is removed again if writing fails.
 *
 * @throws WriteRefused when the path exists; WriteFailure when the file cannot be written
 */
export async function writeNew(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  try {
    await writeFile(path, content, { flag: "wx", mode });
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") throw new WriteRefused(`${path} already exists`);
    await rm(path, { force: true }).catch(() => {});
    throw failureAt(path, error);
  }
}

/** {@link writeWhole}, synchronously: for what must be on disk before anything else happens. */
export function writeWholeSync(path: string, content: string): void {
  const temporary = temporaryFor(path);
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw failureAt(path, error);
  }
}

/** The file at a path, with links resolved. Refuses anything but a regular file or a new one. */
function plainFile(path: string): string {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isFile()) return path;
    const isElsewhere = found.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile();
    if (isElsewhere) return realpathSync(path);
    throw new WriteRefused(`${path} is ${found.isDirectory() ? "a folder" : "not a regular file"}: name another file`);
  } catch (error) {
    throw failureAt(path, error);
  }
}

/**
 * Checks whether a file could be written, before doing the work to be written.
 *
 * @throws WriteRefused when the path is a device or a folder; WriteFailure when its folder is not writable
 */
export function checkWritable(path: string): void {
  const file = plainFile(path);
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw failureAt(file, error);
  }
}

let count = 0;

function temporaryFor(path: string): string {
  return `${path}.${process.pid}-${++count}.tmp`;
}

/** Turns a system error into one that names the path; returns any other error as it is. */
export function failureAt(path: string, error: unknown): unknown {
  return isSystemError(error) ? new WriteFailure(path, error) : error;
}

/**
 * Creates a folder and any missing parents. Node's own `recursive` option hangs on file systems such as `/proc`, where
 * creating a folder fails with ENOENT.
 *
 * @returns the folders that were created, the outermost first
 * @throws WriteRefused when a file is in the way; WriteFailure when a folder cannot be created
 */
export async function makeFolder(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let each = path; !(await isFolder(each)); each = dirname(each)) {
    missing.unshift(each);
    if (each === dirname(each)) break;
  }
  for (const each of missing) {
    try {
      await mkdir(each);
    } catch (error) {
      // Another process may have created it in the meantime.
      if (await isFolder(each)) continue;
      const denied = isSystemError(error) && error.code === "ENOENT";
      throw denied ? new WriteFailure(each, error, "no folder can be made there (ENOENT)") : failureAt(each, error);
    }
  }
  return missing;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) throw new WriteRefused(`${path} is a file: name a folder`);
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOTDIR") return false;
    if (error.code !== "ENOENT") throw new WriteFailure(path, error);
    if (await isLink(path)) throw new WriteRefused(`${path} is a link to something that does not exist`);
    return false;
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
