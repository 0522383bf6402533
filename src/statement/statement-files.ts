import { existsSync, lstatSync, readFileSync } from "node:fs";
import { failureAt, WriteRefused, writeWhole } from "../files/write.js";
import { envelopeSchema, payloadOf } from "./dsse.js";

/** A statement, its page and its badge. These files are written and replaced together. */
export interface StatementFiles {
  readonly statement: string;
  readonly page: string;
  readonly badge: string;
}

/** Maximum size of a statement file. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Where a statement is written, with its page and badge next to it.
 *
 * @throws WriteRefused if one of the files exists and is not from an earlier statement
 */
export function statementFiles(path: string): StatementFiles {
  const stem = path.replace(/\.json$/, "");
  const files = { statement: path, page: `${stem}.html`, badge: `${stem}.svg` };
  const replaces = existsSync(path) && isStatement(path);
  const taken = Object.values(files).find((file) => isThere(file) && !(replaces && lstatSync(file).isFile()));
  if (taken !== undefined)
    throw new WriteRefused(`${taken} exists, and is not from an earlier statement: name another file with --out`);
  return files;
}

/** Writes the files, the statement last. */
export async function writeStatementFiles(
  files: StatementFiles,
  texts: Readonly<Record<keyof StatementFiles, string>>,
) {
  await writeWhole(files.badge, texts.badge);
  await writeWhole(files.page, texts.page);
  await writeWhole(files.statement, texts.statement);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw failureAt(path, error);
  }
}

/** Whether a file holds a statement of ours, signed or not. */
function isStatement(path: string): boolean {
  const found = lstatSync(path);
  if (!found.isFile() || found.size > maxBytes) return false;
  try {
    const json: unknown = JSON.parse(readFileSync(path, "utf8"));
    const envelope = envelopeSchema.safeParse(json);
    const statement = envelope.success ? JSON.parse(payloadOf(envelope.data)) : json;
    return typeof (statement as { predicate?: { perpConformance?: unknown } }).predicate?.perpConformance === "object";
  } catch {
    return false;
  }
}
