import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { writeWhole } from "../files/write.js";

/** What closes a record: written last, so that a record without it was cut off. */
export interface Seal {
  readonly format: "perp-conformance/evidence";
  readonly formatVersion: 1;
  /** SHA-256 of each file of the record, in hexadecimal, by its path within the record. */
  readonly files: Readonly<Record<string, string>>;
}

/** Why a record is not accepted as evidence. */
export class RecordRefused extends Error {
  override readonly name = "RecordRefused";
}

const sealFile = "seal.json";

/**
 * Seals a record once nothing more will be written to it.
 *
 * @returns the digest of the seal: SHA-256 in hexadecimal. Whoever holds it can tell every later change.
 */
export async function sealRecord(dir: string): Promise<string> {
  const seal: Seal = { format: "perp-conformance/evidence", formatVersion: 1, files: await digestsOf(dir) };
  const text = `${JSON.stringify(seal, undefined, 1)}\n`;
  await writeWhole(join(dir, sealFile), text);
  return sha256(text);
}

/**
 * Checks that a record is complete and unaltered.
 *
 * @param expected digest that was noted when the record was sealed; not compared when absent
 * @returns the digest of the seal
 * @throws RecordRefused when there is no seal, or when a file was altered, is missing, or was added
 */
export async function verifySeal(dir: string, expected?: string): Promise<string> {
  const text = await readFile(join(dir, sealFile), "utf8").catch(() => {
    throw new RecordRefused(`the record in ${dir} has no seal: the run ended before it was complete`);
  });
  const digest = sha256(text);
  if (expected !== undefined && digest !== expected) {
    throw new RecordRefused(`the seal of the record in ${dir} is not the one that the results name`);
  }
  const { files } = JSON.parse(text) as Seal;
  const found = await digestsOf(dir);
  for (const [path, wanted] of Object.entries(files)) {
    if (found[path] === undefined) throw new RecordRefused(`the record lacks ${path}`);
    if (found[path] !== wanted) throw new RecordRefused(`${path} was altered after the record was sealed`);
  }
  const added = Object.keys(found).find((path) => files[path] === undefined);
  if (added !== undefined) throw new RecordRefused(`${added} was added after the record was sealed`);
  return digest;
}

async function digestsOf(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".tmp"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => relative(dir, path).replaceAll(sep, "/"))
    .filter((path) => path !== sealFile)
    .sort();
  const digests: Record<string, string> = {};
  for (const path of paths) digests[path] = sha256(await readFile(join(dir, path)));
  return digests;
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
