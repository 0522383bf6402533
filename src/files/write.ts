import { accessSync, constants, lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { lstat, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isSystemError, reasonOf, type SystemError } from "./system-error.js";

/** A file could not be written: the message names it, and why, in one line. */
export class WriteFailure extends Error {
  override readonly name = "WriteFailure";

  /** Whether the path is to blame, and not the disk. */
  readonly isUsage: boolean;

  constructor(path: string, cause: SystemError, reason?: string) {
    super(
      `cannot write ${path}: ${reason ?? (cause.code === "ENOENT" ? "its folder does not exist (ENOENT)" : reasonOf(cause))}`,
      { cause },
    );
    this.isUsage = reason === undefined && pathErrors.has(cause.code);
  }
}

const pathErrors: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP"]);

/** Whether an error says that something could not be written to the disk. */
export function isWriteFailure(error: unknown): boolean {
  return error instanceof WriteFailure || isSystemError(error);
}

/** A file or folder that a command is told to write is one that it must not write. */
export class WriteRefused extends Error {
  override readonly name = "WriteRefused";
}

/** Whether a file, by its name, is one that takes the place of another when it is whole. */
export function isTemporary(name: string): boolean {
  return name.endsWith(".tmp");
}

const underWay = new Set<string>();
process.on("exit", () => {
  if (underWay.size === 0) return;
  untilStill(() => {
    for (const path of underWay) rmSync(path, { force: true });
  });
});

/** Milliseconds in which whatever the system was told to write when the process ended is written. */
const STILL_MS = 50;

/** Cleans up in a process that ends: once more when files that were just being made are there. */
export function untilStill(cleanUp: () => void): void {
  cleanUp();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STILL_MS);
  cleanUp();
}

/**
 * Does something to a path, and lets errors of the system name it.
 *
 * @throws WriteFailure when the system refuses it
 */
export async function writing<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw failureAt(path, error);
  }
}

/** What a file is to hold: all of it, or chunk by chunk. */
export type Content = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Writes a file: it appears as a whole or not at all, also when the process ends in the middle.
 *
 * @throws WriteRefused when there is a device or a folder in its place; WriteFailure when it cannot be written
 */
export async function writeWhole(named: string, content: Content, mode?: number): Promise<void> {
  const path = plainFile(named);
  const temporary = temporaryFor(path);
  underWay.add(temporary);
  try {
    await writeFile(temporary, content, mode === undefined ? {} : { mode });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw failureAt(path, error);
  } finally {
    underWay.delete(temporary);
  }
}

/**
 * Writes a file that must not exist, nor a link in its place: whole or not at all.
 *
 * @throws WriteRefused when there is one; WriteFailure when it cannot be written
 */
export async function writeNew(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  try {
    await writeFile(path, content, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") throw new WriteRefused(`${path} exists`);
    await rm(path, { force: true }).catch(() => {});
    throw failureAt(path, error);
  }
}

/** {@link writeWhole} at once, for what must be on the disk before anything else happens. */
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

/** The file that a path names or leads to by links: nothing else may be replaced by a file. */
function plainFile(path: string): string {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isFile()) return path;
    const isElsewhere = found.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile();
    if (isElsewhere) return realpathSync(path);
    throw new WriteRefused(`${path} is ${found.isDirectory() ? "a folder" : "no plain file"}: name another file`);
  } catch (error) {
    throw failureAt(path, error);
  }
}

/**
 * Says whether a file could be written, before the work is done that it is about.
 *
 * @throws WriteRefused when there is a device or a folder in its place; WriteFailure when its folder is not to be written to
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

/** An error of the system as one that names a path; any other as it is. */
export function failureAt(path: string, error: unknown): unknown {
  return isSystemError(error) ? new WriteFailure(path, error) : error;
}

/**
 * Makes a folder and those above it, as far as they are missing. Node's own `recursive` never returns where a file system
 * says of a new folder that it does not exist, as that of `/proc` does.
 *
 * @returns the folders that were made, the outermost first
 * @throws WriteRefused when a file is in the way; WriteFailure when the system refuses it
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
      // Somebody else may have made it meanwhile.
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
