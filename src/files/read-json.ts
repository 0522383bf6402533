import type { z } from "zod";
import { extentOf } from "./json-extent.js";
import { readNamed, readWithin } from "./read-file.js";
import { FileRefused } from "./refused.js";

/** A value that has the form it should have, or a sentence that says where it has not. */
export type Checked<T> = { readonly value: T } | { readonly problem: string };

/** A kind of JSON document: what tells it from others, and its form. */
export interface Format<T> {
  /** Its member `format`, such as `perp-conformance/results`; a document without one when absent. */
  readonly name?: string;
  /** The values of its member `formatVersion` that are known. */
  readonly versions?: readonly number[];
  readonly check: (value: unknown) => Checked<T>;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** Most values in it, of any kind; a tenth of `maxBytes` when absent. */
  readonly maxValues?: number;
}

/** No document of ours nests deeper. */
const MAX_DEPTH = 64;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The form of a document by a schema of zod. */
export function byZod<T>(schema: z.ZodType<T>): Format<T>["check"] {
  return (value) => {
    const { success, data, error } = schema.safeParse(value);
    if (success) return { value: data };
    const [issue] = error.issues;
    const place = placeOf(issue?.path ?? []);
    return { problem: place === "" ? `${issue?.message}` : `${place}: ${issue?.message}` };
  };
}

/**
 * A JSON document that the operator has named.
 *
 * @throws FileRefused in one sentence when it cannot be read, or is not of this format
 */
export function readJsonFile<T>(path: string, format: Format<T>): T {
  return parseDocument(readNamed(path, format.maxBytes), path, format);
}

/** A JSON document in a folder that others may have filled (see {@link readWithin}). */
export function readJsonWithin<T>(folder: string, name: string, format: Format<T>): T {
  return parseDocument(readWithin(folder, name, format.maxBytes), `${folder}/${name}`, format);
}

/**
 * The document that some bytes hold.
 *
 * @param where what is said to hold it, in a refusal
 * @throws FileRefused when they hold none of this format
 */
export function parseDocument<T>(bytes: Uint8Array, where: string, format: Format<T>): T {
  const { check, maxBytes, maxValues = Math.ceil(maxBytes / 10) } = format;
  const value = parseJson(bytes, where, maxValues);
  const stranger = strangerTo(format, value);
  if (stranger !== undefined) throw new FileRefused(`${where} ${stranger}`);
  const checked = check(value);
  if ("problem" in checked) throw new FileRefused(`${where} is damaged or was altered: ${short(checked.problem)}`);
  return checked.value;
}

function parseJson(bytes: Uint8Array, where: string, maxValues: number): unknown {
  const { depth, values } = extentOf(bytes);
  if (depth > MAX_DEPTH) throw new FileRefused(`${where} nests deeper than ${MAX_DEPTH} levels`);
  if (values > maxValues) throw new FileRefused(`${where} holds more than ${maxValues} values`);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new FileRefused(`${where} is not UTF-8`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    // What the parser quotes from the file is left out: it may be a file that nobody wanted to be quoted.
    const [, place] = /at position (\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
    throw new FileRefused(`${where} is not JSON${place === undefined ? "" : ` (position ${place})`}`);
  }
}

/** In which way a value is a document of another kind or version. */
function strangerTo({ name, versions }: Format<unknown>, value: unknown): string | undefined {
  if (name === undefined && versions === undefined) return undefined;
  if (typeof value !== "object" || value === null) return `holds no ${name ?? "document"}`;
  const { format, formatVersion } = value as { readonly format?: unknown; readonly formatVersion?: unknown };
  if (name !== undefined && format !== name) return `holds no ${name}`;
  if (versions === undefined || versions.some((known) => known === formatVersion)) return undefined;
  return `has the formatVersion ${short(JSON.stringify(formatVersion) ?? "none")}; this version knows ${versions.join(" and ")}`;
}

function placeOf(path: readonly PropertyKey[]): string {
  return short(path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("")).replace(
    /^\./,
    "",
  );
}

/** Words from the file, which may be long. */
function short(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
