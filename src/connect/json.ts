import { parse as parseLossless } from "lossless-json";
import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "./json-codes.js";

/**
 * A JSON value as it was on the wire. Integers that a JavaScript number cannot hold exactly are `bigint`, so no digits
 * are lost (W4, W5); every other number is a `number`.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** A JSON object as it was on the wire. */
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

/** A JSON text that is sent verbatim; see {@link rawJson}. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** What can be written as JSON: values, with raw texts anywhere. Members that are `undefined` are left out. */
export type JsonInput = null | boolean | number | bigint | string | RawJson | readonly JsonInput[] | JsonObjectInput;

/** An object to be written as JSON. */
export interface JsonObjectInput {
  readonly [member: string]: JsonInput | undefined;
}

/** Deeper texts are rejected: no document of the API nests more than a handful of levels. */
const maximumDepth = 1_000;

/** Longer integers are rejected: a 64-bit id has at most 20 digits. */
const maximumDigits = 1_000;

/** An integer with this many digits always fits a JavaScript number exactly. */
const safeDigits = 15;

/**
 * Parses a JSON text. Never throws: invalid JSON, nesting deeper than 1,000 levels, or an integer of more than a thousand
 * digits comes back as `error`, a human-readable message. For duplicate members the last one wins.
 */
export function parseJson(text: string): { readonly value: Json } | { readonly error: string } {
  if (text.charCodeAt(0) === 0xfeff) return { error: "it starts with a byte order mark" };
  const { depth, digits } = measure(text);
  if (depth > maximumDepth) return { error: `it nests deeper than ${maximumDepth} levels` };
  if (digits > maximumDigits) return { error: `it holds an integer of ${digits} digits` };
  try {
    return { value: digits > safeDigits ? parseWithBigints(text) : (JSON.parse(text) as Json) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Parses a JSON text like {@link parseJson}; undefined unless it is an object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  return "value" in parsed && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** About forty times slower than `JSON.parse`, so only used for texts that need it. */
function parseWithBigints(text: string): Json {
  return parseLossless(text, undefined, {
    parseNumber: (digits) => {
      const number = Number(digits);
      // A fraction of zeros changes no value: `9007199254740993.0` is an integer, too (W7).
      const [integer = digits] = digits.split(/\.0+$/);
      return Number.isSafeInteger(number) || /[.eE]/.test(integer) ? number : BigInt(integer);
    },
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json;
}

const point = 0x2e;

/** The maximum nesting depth of a text, and the most digits of a number before its fraction, outside strings. */
function measure(text: string): { depth: number; digits: number } {
  let depth = 0;
  let level = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === openBrace || code === openBracket) {
      level++;
      if (level > depth) depth = level;
    } else if (code === closeBrace || code === closeBracket) {
      level--;
    } else if (isDigit(code)) {
      const start = at;
      while (isDigit(text.charCodeAt(at + 1))) at++;
      const length = at + 1 - start;
      if (length > digits && text.charCodeAt(start - 1) !== point && !isExponent(text.charCodeAt(at + 1))) {
        digits = length;
      }
    }
  }
  return { depth, digits };
}

/** The index of the quote that closes the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isExponent(code: number): boolean {
  return code === 0x45 || code === 0x65;
}

/** True for a JSON object: neither null nor an array. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as `JSON.parse` would return it: bigints become numbers. For schema validation, not for comparing ids. */
export function toPlain(value: Json): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, member === undefined ? member : toPlain(member)]),
    );
  }
  return value;
}

/**
 * A text to send verbatim in place of a JSON value: for number notations (`rawJson("1e1")`), or for a whole malformed
 * body.
 */
export function rawJson(text: string): RawJson {
  return new RawJson(text);
}

/** Alternatives to the usual JSON notation, which has no whitespace, members in the given order and no needless escapes. */
export const jsonNotations = ["over several lines", "with blanks", "with escapes", "in the opposite order"] as const;
export type JsonNotation = (typeof jsonNotations)[number];

/**
 * Writes JSON. Bigints are written as integers, raw texts verbatim.
 *
 * @throws RangeError for NaN and the infinities, which JSON cannot express.
 */
export function stringify(value: JsonInput, notation?: JsonNotation): string {
  const text = written(value, { notation, indent: "\n" });
  return notation === "over several lines" ? `${text}\n` : text;
}

interface WriteOptions {
  readonly notation: JsonNotation | undefined;
  /** The line break and indentation that start a line. */
  readonly indent: string;
}

function written(value: JsonInput, writing: WriteOptions): string {
  if (value instanceof RawJson) return value.text;
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError(`${value} is no JSON number`);
  if (typeof value === "string") return writtenString(value, writing);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = { ...writing, indent: `${writing.indent}  ` };
  if (isArray(value)) {
    return enclosed(
      "[]",
      value.map((item) => written(item, inner)),
      writing,
    );
  }
  const colon = writing.notation === "over several lines" || writing.notation === "with blanks" ? ": " : ":";
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [writtenString(name, writing) + colon + written(member, inner)],
  );
  return enclosed("{}", writing.notation === "in the opposite order" ? members.reverse() : members, writing);
}

function writtenString(text: string, { notation }: WriteOptions): string {
  if (notation !== "with escapes") return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, at) => text.charAt(at));
  // Every other unit: a fully escaped text would be six times as long.
  const escaped = units.map((unit, at) =>
    at % 2 === 0 ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}` : JSON.stringify(unit).slice(1, -1),
  );
  return `"${escaped.join("")}"`;
}

function enclosed(brackets: "[]" | "{}", parts: readonly string[], { notation, indent }: WriteOptions): string {
  const [open = "", close = ""] = brackets;
  if (parts.length === 0) return brackets;
  if (notation === "over several lines") return `${open}${indent}  ${parts.join(`,${indent}  `)}${indent}${close}`;
  return open + parts.join(notation === "with blanks" ? ", " : ",") + close;
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(value: JsonInput): value is readonly JsonInput[] {
  return Array.isArray(value);
}
