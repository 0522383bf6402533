import { createHash, hash } from "node:crypto";
import { readSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readWithin } from "../files/read-file.js";
import { byZod, type Format, parseDocument } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";
import { writeWhole } from "../files/write.js";
import {
  bodyDigestOf,
  isRecordPath,
  listRecord,
  RecordRefused,
  readChunks,
  removeUnfinished,
  sealFile,
  withFile,
} from "./folder.js";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "it is not a SHA-256 digest in hexadecimal");
const size = z.int().min(0);

const sealedFileSchema = z.strictObject({
  sha256,
  bytes: size,
  unpackedBytes: z.exactOptional(size).describe("Of a packed body: its size in bytes when it is unpacked"),
});

const sealSchema = z.strictObject({
  format: z.literal("perp-conformance/evidence"),
  formatVersion: z.literal(2),
  files: z.record(z.string().refine(isRecordPath, "it is not a file of a record"), sealedFileSchema),
});

/** The seal of a record lists all of its files. It is written last, so a record without one is incomplete. */
export type Seal = z.infer<typeof sealSchema>;

/** A file as listed in the seal. */
type SealedFile = z.infer<typeof sealedFileSchema>;

const sealFormat: Format<Seal> = {
  name: "perp-conformance/evidence",
  versions: [2],
  check: byZod(sealSchema),
  maxBytes: 32 * 1024 * 1024,
  maxValues: 1_000_000,
};

/**
 * Seals a record once nothing more will be written to it.
 *
 * @returns the digest of the seal, SHA-256 in hexadecimal: it reveals any later change
 * @throws RecordRefused when the folder contains anything that is not part of a record
 */
export async function sealRecord(dir: string): Promise<string> {
  removeUnfinished(dir);
  const files: Record<string, SealedFile> = {};
  for (const [path, bytes] of listRecord(dir, "refused")) {
    const digest = digestOf(dir, path);
    const isBody = bodyDigestOf(path) !== undefined;
    files[path] = { sha256: digest, bytes, ...(isBody && { unpackedBytes: unpackedBytesOf(dir, path) }) };
  }
  const seal: Seal = { format: "perp-conformance/evidence", formatVersion: 2, files };
  const text = `${JSON.stringify(seal, undefined, 1)}\n`;
  await writeWhole(join(dir, sealFile), text);
  return hash("sha256", text);
}

/**
 * Checks that a record is complete and unaltered: its seal lists exactly the files in the folder, and each is unchanged.
 *
 * @param expected digest noted when the record was sealed
 * @throws RecordRefused when there is no seal, when a file was altered, is missing or was added, or when the folder contains
 *   anything but regular files
 */
export async function verifySeal(dir: string, expected: string): Promise<void> {
  const { digest, seal } = readSeal(dir);
  if (digest !== expected)
    throw new RecordRefused(`the seal of the record in ${dir} is not the one that the results name`);
  const found = listRecord(dir, "refused");
  const sealed = Object.entries(seal.files);
  for (const [path, { bytes }] of sealed) {
    if (!found.has(path)) throw new RecordRefused(`the record lacks ${path}`);
    if (found.get(path) !== bytes) throw altered(path);
  }
  const added = [...found.keys()].find((path) => !Object.hasOwn(seal.files, path));
  if (added !== undefined) throw new RecordRefused(`${added} was added after the record was sealed`);
  for (const [path, file] of sealed) if (digestOf(dir, path) !== file.sha256) throw altered(path);
}

/**
 * Reads the seal of a record, without comparing it with the files.
 *
 * @returns the seal, and its digest: SHA-256 in hexadecimal
 * @throws RecordRefused when there is no seal, or when it cannot be read
 */
function readSeal(dir: string): { readonly digest: string; readonly seal: Seal } {
  try {
    const bytes = readWithin(dir, sealFile, sealFormat.maxBytes);
    const seal = parseDocument(bytes, join(dir, sealFile), sealFormat);
    return { digest: hash("sha256", bytes), seal };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    if (!error.missing) throw new RecordRefused(error.message);
    throw new RecordRefused(`the record in ${dir} has no seal: the run ended before it was complete`, true);
  }
}

/** The seal of a record, as {@link readSeal} returns it; undefined when there is none. */
export function findSeal(dir: string): Seal | undefined {
  try {
    return readSeal(dir).seal;
  } catch (error) {
    if (error instanceof FileRefused && error.missing) return undefined;
    throw error;
  }
}

function altered(path: string): RecordRefused {
  return new RecordRefused(`${path} was altered after the record was sealed`);
}

function digestOf(dir: string, path: string): string {
  const digest = createHash("sha256");
  for (const chunk of readChunks(dir, path)) digest.update(chunk);
  return digest.digest("hex");
}

/** The unpacked size that a gzip file states in its last four bytes (RFC 1952), modulo 2^32. */
function unpackedBytesOf(dir: string, path: string): number {
  return withFile(dir, path, ({ fd, bytes }) => {
    const tail = Buffer.alloc(4);
    return readSync(fd, tail, 0, 4, Math.max(0, bytes - 4)) === 4 ? tail.readUInt32LE() : 0;
  });
}
