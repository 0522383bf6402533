import { isJsonObject, type Json, type JsonObject } from "../connect/json.js";
import { show } from "../judge/judgement.js";
import { valueAt } from "./value-at.js";

/**
 * What affected rows have in common is reported only if at least this many have it, and at least as many others lack it.
 */
const rowsNeeded = 2;

/** What affected rows have in common, though some others have it too, is reported only if at least this many are affected. */
const rowsForTendency = 6;

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
  if (otherFeature !== undefined) return `${count}, all but those ${otherFeature}`;
  const partial = affected.length < rowsForTendency ? [] : sharedByAll(affected, others, member);
  return partial.length === 0 ? count : `${count}, all of them ${partial.join(" and ")}`;
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

/** A field with one value in all of these rows and other values in the others, in words. */
function inCommon(rows: readonly JsonObject[], others: readonly JsonObject[], except: string): string | undefined {
  return featuresOf(rows, others, except, 0)[0];
}

/** The fields with one value in all of these rows, and in less than half of the others, in words: two at most. */
function sharedByAll(rows: readonly JsonObject[], others: readonly JsonObject[], except: string): readonly string[] {
  return featuresOf(rows, others, except, (others.length - 1) / 2).slice(0, 2);
}

/** The fields with one value in all of these rows and in at most so many others, in words. Enums and flags come first. */
function featuresOf(
  rows: readonly JsonObject[],
  others: readonly JsonObject[],
  except: string,
  othersAtMost: number,
): readonly string[] {
  const shared = (name: string) => rows[0]?.[name];
  const names = [...new Set([...rows, ...others].flatMap((row) => Object.keys(row)))].filter((name) => name !== except);
  const distinctive = names.filter(
    (name) =>
      typeof shared(name) !== "object" &&
      rows.every((row) => row[name] === shared(name)) &&
      others.filter((row) => row[name] === shared(name)).length <= othersAtMost,
  );
  const isFlag = (name: string) => /^[A-Z_]+$|^true$|^false$/.test(String(shared(name)));
  return [...distinctive.filter(isFlag), ...distinctive.filter((name) => !isFlag(name))].map((name) => {
    const value = shared(name);
    return value === undefined ? `without ${show(name)}` : `with ${show(name)}:${show(value)}`;
  });
}
