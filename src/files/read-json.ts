import type { z } from "zod";
import { extentOf } from "./json-extent.js";
import { readNamed, readWithin } from "./read-file.js";
import { FileRefused } from "./refused.js";

/** A valid value, or a sentence that says why there is none. */
export type Checked<T> = { readonly value: T } | { readonly problem: string };

/** A kind of JSON document: how to recognize and validate it. */
export interface Format<T> {
  /** Expected value of the member `format`, such as `perp-conformance/results`; not checked when absent. */
  readonly name?: string;
  /** Supported values of the member `formatVersion`; not checked when absent. */
  readonly versions?: readonly number[];
  readonly check: (value: unknown) => Checked<T>;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** Maximum number of values of any kind; a tenth of `maxBytes` when absent. */
  readonly maxValues?: number;
}

/** Maximum nesting depth; none of our documents is deeper. */
const maxDepth = 64;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Any JSON document of this size. */
export function anyJson(maxBytes: number): Format<unknown> {
  return { check: (value) => ({ value }), maxBytes };
}

/** Checks a document with a zod schema. */
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
 * Reads a JSON document named by the operator.
 *
 * @throws FileRefused when it cannot be read, or is not of this format
 */
export function readJsonFile<T>(path: string, format: Format<T>): T {
  return parseDocument(readNamed(path, format.maxBytes), path, format);
}

/** Reads a JSON document in an untrusted folder (see {@link readWithin}). */
export function readJsonWithin<T>(folder: string, name: string, format: Format<T>): T {
  return parseDocument(readWithin(folder, name, format.maxBytes), `${folder}/${name}`, format);
}

/**
 * Parses a document from bytes.
 *
 * @param where names the source of the bytes in a refusal
 * @throws FileRefused when the bytes are not a document of this format
 */
export function parseDocument<T>(bytes: Uint8Array, where: string, format: Format<T>): T {
  const { check, maxBytes, maxValues = Math.ceil(maxBytes / 10) } = format;
  const value = parseJson(bytes, where, maxValues);
  const mismatch = formatMismatch(format, value);
  if (mismatch !== undefined) throw new FileRefused(`${where} ${mismatch}`);
  const checked = check(value);
  if ("problem" in checked) throw new FileRefused(`${where} is damaged or was altered: ${short(checked.problem)}`);
  return checked.value;
}

function parseJson(bytes: Uint8Array, where: string, maxValues: number): unknown {
  const { depth, values } = extentOf(bytes);
  if (depth > maxDepth) throw new FileRefused(`${where} nests deeper than ${maxDepth} levels`);
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
    // The parser's message is left out, since it quotes the file, which may be confidential.
    const [, place] = /at position (\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
    throw new FileRefused(`${where} is not JSON${place === undefined ? "" : ` (position ${place})`}`);
  }
}

/** How a value is a document of another kind or version; undefined when it is not. */
function formatMismatch({ name, versions }: Format<unknown>, value: unknown): string | undefined {
  if (name === undefined && versions === undefined) return undefined;
  if (typeof value !== "object" || value === null) return `holds no ${name ?? "document"}`;
  const { format, formatVersion } = value as { readonly format?: unknown; readonly formatVersion?: unknown };
  if (name !== undefined && format !== name) return `holds no ${name}`;
  if (versions === undefined || versions.some((known) => known === formatVersion)) return undefined;
  return `has the formatVersion ${short(JSON.stringify(formatVersion) ?? "none")}; this version knows ${versions.join(" and ")}`;
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return short(place).replace(/^\./, "");
}

/** Shortens text from the file, which may be long. */
function short(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
