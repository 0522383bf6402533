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
 * Which rows of a list are affected, in words: `12 of 60 positions, exactly those with "side":"SIDE_SHORT"`. All rows at
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
  const name = list.slice(list.lastIndexOf(".") + 1);
  if (others.length === 0) return `all ${rows.length} ${name}`;
  const count = `${affected.length} of ${rows.length} ${name}`;
  if (affected.length < rowsNeeded || others.length < rowsNeeded) return count;
  const features = shared(affected, others, member);
  const own = features.find(({ elsewhere }) => elsewhere === 0);
  if (own !== undefined) return `${count}, exactly those ${own.inWords}`;
  const ofOthers = shared(others, affected, member).find(({ elsewhere }) => elsewhere === 0);
  if (ofOthers !== undefined) return `${count}, all but those ${ofOthers.inWords}`;
  const [tendency] = features.toSorted((a, b) => a.elsewhere - b.elsewhere);
  if (tendency === undefined || affected.length < rowsForTendency || 2 * tendency.elsewhere >= others.length)
    return count;
  return `${count}, all among the ${affected.length + tendency.elsewhere} ${tendency.inWords}`;
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

/** A value that all of some rows have in a field. */
interface SharedValue {
  /** `with "side":"SIDE_SHORT"`. */
  readonly inWords: string;
  /** How many of the other rows have it too. */
  readonly elsewhere: number;
}

/** The values that all of these rows have in a field. Enums and flags come first. */
function shared(rows: readonly JsonObject[], others: readonly JsonObject[], except: string): readonly SharedValue[] {
  const names = [...new Set([...rows, ...others].flatMap((row) => Object.keys(row)))].filter((name) => name !== except);
  const common = names.flatMap((name) => {
    const value = rows[0]?.[name];
    if (typeof value === "object" || rows.some((row) => row[name] !== value)) return [];
    const inWords = value === undefined ? `without ${show(name)}` : `with ${show(name)}:${show(value)}`;
    const isFlag = /^[A-Z_]+$|^true$|^false$/.test(String(value));
    return [{ inWords, isFlag, elsewhere: others.filter((row) => row[name] === value).length }];
  });
  return common.sort((a, b) => Number(b.isFlag) - Number(a.isFlag));
}
