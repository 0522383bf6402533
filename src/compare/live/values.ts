/** Finds what two answers to one request say differently, if both targets have the same data. */
import { isJsonObject, type Json, type JsonObject } from "../../connect/json.js";
import { formatInstant } from "../../judge/instant.js";
import { readId, readText, readTime } from "../../judge/read-values.js";
import { shortJson } from "../../judge/short-json.js";
import { nearlyEqual } from "../../judge/tolerance.js";
import type { Both } from "../answers.js";
import { isDefault } from "./shape.js";

/** One place at which two answers differ. */
export interface ValueDifference {
  readonly kind: "value" | "rows";
  /** Path with `[*]` for any row. */
  readonly place: string;
  /** What each answer says there, shortened. */
  readonly each: Both<string>;
}

/** Maximum length of a value that is shown. */
const maxValue = 60;

/** Finds where two answers differ in what they say. Absent values count as defaults (W1), and notation does not matter. */
export function valueDifferences(first: JsonObject, second: JsonObject): readonly ValueDifference[] {
  const found: ValueDifference[] = [];
  compareObjects("", first, second, found);
  return found;
}

function compareObjects(place: string, first: JsonObject, second: JsonObject, found: ValueDifference[]): void {
  for (const name of new Set([...Object.keys(first), ...Object.keys(second)]))
    compareValues(place === "" ? name : `${place}.${name}`, name, first[name], second[name], found);
}

function compareValues(
  place: string,
  name: string,
  first: Json | undefined,
  second: Json | undefined,
  found: ValueDifference[],
): void {
  if (Array.isArray(first) || Array.isArray(second)) {
    compareRows(place, Array.isArray(first) ? first : [], Array.isArray(second) ? second : [], found);
  } else if (isObject(first) && isObject(second)) compareObjects(place, first, second, found);
  else if (!isSame(name, first, second)) found.push({ kind: "value", place, each: [shown(first), shown(second)] });
}

/**
 * Compares rows with the same identity (R14), and counts rows that only one answer has. Rows with the time of the first or
 * the last row are not counted, since ties may have been cut off, unless the other answer has no rows at all.
 */
function compareRows(place: string, first: readonly Json[], second: readonly Json[], found: ValueDifference[]): void {
  const byKey = (rows: readonly Json[]): RowsByKey => new Map(rows.map((row) => [rowKey(row), row]));
  const [a, b] = [byKey(first), byKey(second)];
  for (const [key, row] of a) {
    const same = b.get(key);
    if (isObject(row) && isObject(same)) compareObjects(`${place}[*]`, row, same, found);
  }
  const only = [onlyIn(a, b), onlyIn(b, a)] as const;
  if (only[0] + only[1] === 0) return;
  const said = only.map((count) => (count === 0 ? "none of its own" : `${count} that the other does not give`));
  found.push({ kind: "rows", place, each: [said[0] ?? "", said[1] ?? ""] });
}

type RowsByKey = ReadonlyMap<string, Json>;

function onlyIn(rows: RowsByKey, others: RowsByKey): number {
  const times = [...rows.values()].map(timeOf);
  const edges = new Set(others.size === 0 ? [] : [times[0], times.at(-1)]);
  return [...rows].filter(([key, row]) => !others.has(key) && (timeOf(row) === "" || !edges.has(timeOf(row)))).length;
}

function timeOf(row: Json): string {
  return isObject(row) ? readText(row.timestamp) : "";
}

/** Identifies what a row is about: an order, a position, a candle or a level. */
function rowKey(row: Json): string {
  if (!isObject(row)) return JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value));
  const { orderId, positionId, marketId, reduceOnly, timestamp, price } = row;
  if (positionId !== undefined) return `position ${readId(positionId)} of ${readId(marketId)}`;
  if (orderId !== undefined) return `order ${readId(orderId)} of ${readId(marketId)} ${reduceOnly === true}`;
  if (price !== undefined) return `level ${String(price)}`;
  const { instant } = readTime(timestamp);
  return instant ? `at ${formatInstant(instant)}` : shortJson(row, 200);
}

function isSame(name: string, first: Json | undefined, second: Json | undefined): boolean {
  if (isDefault(first) && isDefault(second)) return true;
  if (name.endsWith("Id") || name === "totalCount" || name === "totalTrades") return readId(first) === readId(second);
  if (typeof first === "number" && typeof second === "number") return nearlyEqual(first, second);
  const [a, b] = [first, second].map((value) => (typeof value === "string" ? readTime(value).instant : undefined));
  if (a && b && /time|At$/i.test(name)) return formatInstant(a).slice(0, 19) === formatInstant(b).slice(0, 19);
  return first === second;
}

function isObject(value: Json | undefined): value is JsonObject {
  return isJsonObject(value ?? null);
}

function shown(value: Json | undefined): string {
  return value === undefined ? "left out" : shortJson(value, maxValue);
}
