import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { FileRefused, inBytes } from "./refused.js";

/** Pipes that the shell passes in place of a file: `--config <(...)`, `/dev/stdin`. */
const shellPipe = /^\/dev\/(fd\/\d+|stdin)$/;

/** Windows has neither O_NOFOLLOW nor O_NONBLOCK. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** A regular file that is open for reading. */
export interface OpenFile {
  readonly fd: number;
  /** Size when it was opened, in bytes. */
  readonly bytes: number;
  readonly path: string;
}

/**
 * Reads a file named by the operator: a regular file, possibly through a link, or a pipe passed by the shell.
 *
 * @throws FileRefused when it is anything else, cannot be read, or has more than `maxBytes`
 */
export function readNamed(path: string, maxBytes: number): Buffer {
  return withReadErrors(path, () => {
    const isPipe = shellPipe.test(path) && !statSync(path).isFile();
    const fd = openSync(path, isPipe ? O_RDONLY : O_RDONLY | O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      if (!isPipe) rejectIrregular(path, stats);
      return readUpTo({ fd, path, bytes: isPipe ? 0 : stats.size }, maxBytes);
    } finally {
      closeSync(fd);
    }
  });
}

/**
 * Reads a file in an untrusted folder: neither the file nor a folder on the way to it may be a link.
 *
 * @param name path within the folder, separated by forward slashes
 * @throws FileRefused when it is not a regular file within the folder, cannot be read, or has more than `maxBytes`
 */
export function readWithin(folder: string, name: string, maxBytes: number): Buffer {
  const file = openWithin(folder, name);
  try {
    return withReadErrors(file.path, () => readUpTo(file, maxBytes));
  } finally {
    closeSync(file.fd);
  }
}

/** Opens a file as {@link readWithin} does; the caller must close it. */
export function openWithin(folder: string, name: string): OpenFile {
  const parts = name.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\\:\0]/.test(part)))
    throw new FileRefused(`${JSON.stringify(name)} is not a file within ${folder}`);
  const path = join(folder, ...parts);
  return withReadErrors(path, () => {
    for (let depth = 1; depth < parts.length; depth++) {
      const parent = join(folder, ...parts.slice(0, depth));
      const stats = lstatSync(parent);
      if (!stats.isDirectory()) throw new FileRefused(`${parent} is ${kindOf(stats)}, not a folder`);
    }
    rejectIrregular(path, lstatSync(path));
    // The opened file is checked again: it may have been replaced in the meantime.
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      rejectIrregular(path, stats);
      return { fd, path, bytes: stats.size };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  });
}

/** Reads an open file in chunks; each is only valid until the next one is requested. */
export function* chunksOf({ fd, path }: OpenFile, chunkBytes = 1024 * 1024): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const read = withReadErrors(path, () => readSync(fd, chunk, 0, chunkBytes, null));
    if (read === 0) return;
    yield chunk.subarray(0, read);
  }
}

/** The kind of a folder entry in words: `a symbolic link`. */
export function kindOf(stats: Stats): string {
  if (stats.isFile()) return "a file";
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}

function rejectIrregular(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new FileRefused(`${path} is ${kindOf(stats)}, not a regular file`);
}

function readUpTo(file: OpenFile, maxBytes: number): Buffer {
  const refusal = () => new FileRefused(`${file.path} is larger than ${inBytes(maxBytes)}`);
  if (file.bytes > maxBytes) throw refusal();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A file in /proc has no size, and any file may grow while it is read.
  for (const chunk of chunksOf(file, Math.min(1024 * 1024, Math.max(file.bytes, 1024) + 1))) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw refusal();
    chunks.push(Buffer.from(chunk));
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link",
  ENAMETOOLONG: "its name is too long",
};

/** Runs an action, turning system errors into refusals. */
function withReadErrors<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!(error instanceof Error) || code === undefined) throw error;
    throw new FileRefused(
      `${path} cannot be read: ${reasons[code] ?? error.message}`,
      code === "ENOENT" || code === "ENOTDIR",
    );
  }
}
