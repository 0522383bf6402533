import { closeSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chunksOf, kindOf, type OpenFile, openWithin } from "../files/read-file.js";
import { FileRefused, inBytes } from "../files/refused.js";
import { bodiesFolder } from "./bodies.js";

/** Why a record is not accepted as evidence. */
export class RecordRefused extends FileRefused {
  override readonly name = "RecordRefused";
}

/** The file that completes a record, written last. */
export const sealFile = "seal.json";

/** The file that describes what was tested, and how. */
export const sessionFile = "session.json";

/** The only other files of a record, by their paths within it. */
const exchangesPattern = /^exchanges-([\w-]{1,64})\.ndjson(?:\.gz)?$/;
const bodyPattern = new RegExp(`^${bodiesFolder}/([0-9a-f]{64})\\.gz$`);

/** Temporary files left behind when a run ends in the middle of writing. */
const temporaryPattern = new RegExp(
  `^(seal\\.json|session\\.json|exchanges-[\\w-]{1,64}\\.ndjson\\.gz|${bodiesFolder}/[0-9a-f]{64}\\.gz)\\.[\\w-]{1,64}\\.tmp$`,
);

const gigabyte = 1024 ** 3;

/** Limits far above what any run records. */
const recordLimits = {
  files: 100_000,
  /** Bytes of one file, and of all files together. */
  file: gigabyte,
  total: 4 * gigabyte,
} as const;

/** The files of a record: sizes in bytes by path, in path order. */
export type RecordFiles = ReadonlyMap<string, number>;

/** Whether a record may contain a file with this path; the seal is not included. */
export function isRecordPath(path: string): boolean {
  return path === sessionFile || exchangesPattern.test(path) || bodyPattern.test(path);
}

/** The worker whose exchanges a file contains; undefined for other files. */
export function workerOf(path: string): string | undefined {
  return exchangesPattern.exec(path)?.[1];
}

/** The name of a file of exchanges once it is packed (see `packRecord`). */
export function packedName(path: string): string {
  return path.endsWith(".gz") ? path : `${path}.gz`;
}

/** The SHA-256 of a stored body, from its file name; undefined for other files. */
export function bodyDigestOf(path: string): string | undefined {
  return bodyPattern.exec(path)?.[1];
}

/**
 * Lists the files of a record, except its seal. The folder is untrusted: only regular files with the names of a record are
 * accepted, and links are not followed.
 *
 * @param unfinished what to do about half-written files: a complete record has none
 * @throws RecordRefused when the folder contains anything else, or more than any run records
 */
export function listRecord(dir: string, unfinished: "refused" | "ignored"): RecordFiles {
  const files = new Map<string, number>();
  let total = 0;
  for (const path of pathsIn(dir)) {
    const full = join(dir, path);
    const stats = lstatSync(full);
    if (!stats.isFile()) throw new RecordRefused(`${full} is ${kindOf(stats)}: a record has regular files only`);
    if (path === sealFile || (unfinished === "ignored" && temporaryPattern.test(path))) continue;
    if (!isRecordPath(path)) throw new RecordRefused(`${full} is not part of a record: it was added`);
    total += stats.size;
    if (stats.size > recordLimits.file)
      throw new RecordRefused(`${full} is larger than ${inBytes(recordLimits.file)}, which no run records`);
    files.set(path, stats.size);
  }
  for (const path of [...files.keys()].filter((path) => workerOf(path) && files.has(packedName(path)))) {
    if (packedName(path) === path) continue;
    if (unfinished === "refused") throw new RecordRefused(`the record in ${dir} has ${path} twice, plain and packed`);
    // The run ended while packing: the plain file is the complete one.
    files.delete(packedName(path));
  }
  if (total > recordLimits.total)
    throw new RecordRefused(`the record in ${dir} is larger than ${inBytes(recordLimits.total)}, which no run records`);
  return files;
}

/** Removes the half-written files of a run. */
export function removeUnfinished(dir: string): void {
  for (const path of pathsIn(dir)) if (temporaryPattern.test(path)) rmSync(join(dir, path));
}

/** The paths of all entries, including those in the folder for bodies. */
function pathsIn(dir: string): string[] {
  const names = namesIn(dir, "");
  const inBodies = names.includes(bodiesFolder) ? namesIn(dir, bodiesFolder) : [];
  const paths = [
    ...names.filter((name) => name !== bodiesFolder),
    ...inBodies.map((name) => `${bodiesFolder}/${name}`),
  ];
  if (paths.length > recordLimits.files)
    throw new RecordRefused(`the record in ${dir} has more than ${recordLimits.files} files, which no run records`);
  return paths.sort();
}

function namesIn(dir: string, folder: string): string[] {
  const path = join(dir, folder);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new RecordRefused(`there is no record in ${dir}`, true);
  if (!stats.isDirectory()) throw new RecordRefused(`${path} is ${kindOf(stats)}, not a folder`);
  return readdirSync(path);
}

/** Opens a file of a record, passes it to `use`, and closes it again. */
export function withFile<T>(dir: string, path: string, use: (file: OpenFile) => T): T {
  const file = openWithin(dir, path);
  try {
    return use(file);
  } finally {
    closeSync(file.fd);
  }
}

/** Reads a file of a record in chunks; each is only valid until the next one. */
export function* readChunks(dir: string, path: string): Generator<Buffer> {
  const file = openWithin(dir, path);
  try {
    yield* chunksOf(file);
  } finally {
    closeSync(file.fd);
  }
}
