import { isJsonObject, type Json, type JsonObject } from "../connect/json.js";
import { whichRows } from "../judge/which-rows.js";
import { valueAt } from "./value-at.js";

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
  const isAffected = ([place]: PlacedRow) => places.has(place);
  const affected = rows.filter(isAffected).map(([, row]) => row);
  const others = rows.filter((row) => !isAffected(row)).map(([, row]) => row);
  if (rows.length < 2 || affected.length === 0) return undefined;
  const name = list.slice(list.lastIndexOf(".") + 1);
  return whichRows(name, affected, others, member);
}

type PlacedRow = readonly [place: string, row: JsonObject];

/** The objects in a list at a path without the index of the row, each with its path. */
function rowsAt(body: unknown, list: string): readonly PlacedRow[] {
  let reached: readonly PlacedRow[] = isJsonObject(body as Json) ? [["", body as JsonObject]] : [];
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
