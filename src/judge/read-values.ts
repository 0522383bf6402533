/**
 * Lenient readers of single values. The wire rules judge how a value is written; everything else judges what it means.
 * So that one wire fault does not show up under every other rule, these readers make the best of whatever is there.
 */
import { isJsonObject, type Json, type JsonObject } from "../connect/json.js";
import { formatInstant, type Instant, instantFromMillis, parseInstant } from "./instant.js";

/** A timestamp: its text on the wire and the instant that it means. */
export interface Time {
  /** The text on the wire; empty when the field is absent. */
  readonly text: string;
  /** Absent when the field is absent or cannot be read (W8). */
  readonly instant?: Instant;
}

/** The canonical text of a row's timestamp (W8): the wire text if it is unreadable, empty if it is absent. */
export function timeOf({ timestamp: { instant, text } }: { readonly timestamp: Time }): string {
  return instant ? formatInstant(instant) : text;
}

/** The value as an object; undefined for anything else, including arrays and `null`. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The objects of an array; an absent array is empty (W1), elements of another type read as an empty object. */
export function readObjects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((element: Json) => asObject(element) ?? {}) : [];
}

/** A string; absent is empty (W1), numbers and booleans are converted. */
export function readText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" ? String(value) : "";
}

/** A boolean; absent is false (W1). */
export function readFlag(value: Json | undefined): boolean {
  return value === true || value === "true" || value === 1;
}

/** A number; absent and `null` are 0 (W1), numeric strings are parsed, anything else is NaN. */
export function readNumber(value: Json | undefined): number {
  if (typeof value === "number") return value;
  if (value === undefined || value === null) return 0;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/**
 * A 64-bit id as a decimal without leading zeros, whether the wire had a string or a number (W4, W5); absent is "0" (W1).
 * Text that is not an integer is kept as it is, so that different ids stay different.
 */
export function readId(value: Json | undefined): string {
  if (typeof value === "string") return /^[1-9]\d*$/.test(value) ? value : canonicalInteger(value);
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  return typeof value === "bigint" ? value.toString() : "0";
}

function canonicalInteger(text: string): string {
  const integer = text.trim();
  if (integer === "") return "0";
  return /^[+-]?\d+$/.test(integer) ? BigInt(integer.replace("+", "")).toString() : text;
}

/** An enum value in the spelling of the specification; `absent` is what an absent value means (W2). */
export function readEnum(value: Json | undefined, prefix: string, absent = ""): string {
  const text = readText(value);
  if (text === "") return absent;
  if (text.startsWith(prefix)) return text;
  const name = text.toUpperCase();
  return name.startsWith(prefix) ? name : prefix + name;
}

/** The latest time that a `Date` can represent, in milliseconds. */
const latestMillis = 8.64e15;

/** A timestamp (W8). One without a zone is read as UTC. Numbers are read as milliseconds; those below 1e11, as seconds. */
export function readTime(value: Json | undefined): Time {
  if (typeof value === "number" && Math.abs(value) <= latestMillis) {
    return { text: String(value), instant: instantFromMillis(Math.abs(value) < 1e11 ? value * 1000 : value) };
  }
  const text = readText(value);
  const instant = text === "" ? undefined : (parseInstant(text) ?? parseInstant(`${text}Z`) ?? looseInstant(text));
  return instant ? { text, instant } : { text };
}

/** Parses dates in other notations, to the millisecond, for rules that only compare them. */
function looseInstant(text: string): Instant | undefined {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : instantFromMillis(milliseconds);
}
