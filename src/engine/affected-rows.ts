import type { Json, JsonObject } from "../connect/json.js";
import { show } from "../judge/judgement.js";

type Row = Readonly<Record<string, Json | undefined>>;

/** What several rows have in common says something from this many rows on, and only if as many others lack it. */
const rowsNeeded = 2;

/**
 * Which rows of a list are affected, in words: `12 of 60, exactly those with "side":"SIDE_SHORT"`. All rows at
 * `positions[*].associatedOrders[*]` are one list. Undefined if the places are not in rows, or there is only one row.
 *
 * @param body what the paths refer to
 * @param paths places that differ only in their indexes, such as `orders[3].owner` and `orders[7].owner`
 */
export function affectedRows(body: unknown, paths: ReadonlySet<string>): string | undefined {
  const [path = ""] = paths;
  const list = path.slice(0, path.lastIndexOf("["));
  const member = path.slice(path.lastIndexOf("]") + 1).replace(/^\./, "");
  const rows = rowsAt(body, list);
  const places = new Set([...paths].map((place) => place.slice(0, place.lastIndexOf("]") + 1)));
  const isAffected = ([place]: readonly [string, Row]) => places.has(place);
  const affected = rows.filter(isAffected).map(([, row]) => row);
  const others = rows.filter((row) => !isAffected(row)).map(([, row]) => row);
  if (rows.length < rowsNeeded || affected.length === 0) return undefined;
  if (others.length === 0) return `all ${rows.length}`;
  const count = `${affected.length} of ${rows.length}`;
  if (affected.length < rowsNeeded || others.length < rowsNeeded) return count;
  const own = inCommon(affected, others, member);
  if (own !== undefined) return `${count}, exactly those ${own}`;
  const theirs = inCommon(others, affected, member);
  return theirs === undefined ? count : `${count}, all but those ${theirs}`;
}

/** The objects in a list at a path without the index of the row, each with its path. */
function rowsAt(body: unknown, list: string): readonly (readonly [place: string, row: Row])[] {
  const steps = list.split(/\[\d+\]\.?/).filter((step) => step !== "");
  let reached: (readonly [place: string, value: unknown])[] = [["", body]];
  for (const step of steps) {
    reached = reached.flatMap(([place, value]) => {
      const member = step.split(".").reduce((inner: unknown, name) => (inner as JsonObject | undefined)?.[name], value);
      const prefix = place === "" ? step : `${place}.${step}`;
      return Array.isArray(member) ? member.map((row, index) => [`${prefix}[${index}]`, row] as const) : [];
    });
  }
  return reached.filter((entry): entry is readonly [string, Row] => isRow(entry[1]));
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field with one value in all of these rows and other values in the others, in words. Enums and flags come first. */
function inCommon(rows: readonly Row[], others: readonly Row[], except: string): string | undefined {
  const names = [...new Set([...rows, ...others].flatMap((row) => Object.keys(row)))].filter((name) => name !== except);
  const telling = names.filter((name) => {
    const value = rows[0]?.[name];
    return (
      typeof value !== "object" &&
      rows.every((row) => row[name] === value) &&
      others.every((row) => row[name] !== value)
    );
  });
  const isFlag = (name: string) => /^[A-Z_]+$|^true$|^false$/.test(String(rows[0]?.[name]));
  const name = telling.find(isFlag) ?? telling[0];
  if (name === undefined) return undefined;
  const value = rows[0]?.[name];
  return value === undefined ? `without ${show(name)}` : `with ${show(name)}:${show(value)}`;
}
