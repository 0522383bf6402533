import { isJsonObject, type Json, type JsonObject } from "../connect/json.js";
import { show } from "../judge/judgement.js";
import { valueAt } from "./value-at.js";

/**
 * What affected rows have in common is reported only if at least this many have it, and at least as many others lack it.
 */
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
  const isAffected = ([place]: readonly [string, JsonObject]) => places.has(place);
  const affected = rows.filter(isAffected).map(([, row]) => row);
  const others = rows.filter((row) => !isAffected(row)).map(([, row]) => row);
  if (rows.length < rowsNeeded || affected.length === 0) return undefined;
  if (others.length === 0) return `all ${rows.length}`;
  const count = `${affected.length} of ${rows.length}`;
  if (affected.length < rowsNeeded || others.length < rowsNeeded) return count;
  const feature = inCommon(affected, others, member);
  if (feature !== undefined) return `${count}, exactly those ${feature}`;
  const otherFeature = inCommon(others, affected, member);
  return otherFeature === undefined ? count : `${count}, all but those ${otherFeature}`;
}

/** The objects in a list at a path without the index of the row, each with its path. */
function rowsAt(body: unknown, list: string): readonly (readonly [place: string, row: JsonObject])[] {
  let reached: readonly (readonly [place: string, row: JsonObject])[] = isJsonObject(body as Json)
    ? [["", body as JsonObject]]
    : [];
  for (const step of list.split(/\[\d+\]\.?/).filter((part) => part !== "")) {
    reached = reached.flatMap(([place, holder]) => {
      const rows = valueAt(holder, step);
      const prefix = place === "" ? step : `${place}.${step}`;
      if (!Array.isArray(rows)) return [];
      return rows.flatMap((row, index) => (isJsonObject(row) ? [[`${prefix}[${index}]`, row] as const] : []));
    });
  }
  return reached;
}

/** A field with one value in all of these rows and other values in the others, in words. Enums and flags come first. */
function inCommon(rows: readonly JsonObject[], others: readonly JsonObject[], except: string): string | undefined {
  const names = [...new Set([...rows, ...others].flatMap((row) => Object.keys(row)))].filter((name) => name !== except);
  const distinctive = names.filter((name) => {
    const value = rows[0]?.[name];
    return (
      typeof value !== "object" &&
      rows.every((row) => row[name] === value) &&
      others.every((row) => row[name] !== value)
    );
  });
  const isFlag = (name: string) => /^[A-Z_]+$|^true$|^false$/.test(String(rows[0]?.[name]));
  const name = distinctive.find(isFlag) ?? distinctive[0];
  if (name === undefined) return undefined;
  const value = rows[0]?.[name];
  return value === undefined ? `without ${show(name)}` : `with ${show(name)}:${show(value)}`;
}
