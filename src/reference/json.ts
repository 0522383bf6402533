/** A number token that is written exactly as given: `raw("9007199254740993")`, `raw("1e3")`, `raw("50.0")`. */
export class RawToken {
  constructor(readonly token: string) {}

  /** The token as a string between marks, which `stringify` removes. */
  toJSON(): string {
    return `${mark}${this.token}${mark}`;
  }
}

/** A private-use character, which cannot occur in the service's own strings. */
const mark = "\uE000";

/** JSON as modifications edit it: plain values and raw number tokens. */
export type MutableJson = null | boolean | number | string | RawToken | MutableJson[] | MutableJsonObject;

/** A JSON object as modifications edit it. */
export interface MutableJsonObject {
  [key: string]: MutableJson | undefined;
}

/** Creates a token to be written to the JSON text as is, without quotes. */
export function raw(token: string | number | bigint): RawToken {
  return new RawToken(String(token));
}

/** Whether a value is a JSON object (not an array, null or token). */
export function isObject(json: unknown): json is MutableJsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof RawToken);
}

/** Serializes JSON, writing raw tokens as is. */
export function stringify(json: MutableJson): string {
  const text = JSON.stringify(json);
  return text.includes(mark) ? text.replace(marked, (_match, token) => JSON.parse(`"${token}"`)) : text;
}

const marked = new RegExp(`"${mark}([^${mark}]*)${mark}"`, "g");

/** A number field; 0 when absent. */
export function numberIn(json: MutableJsonObject, field: string): number {
  const value = json[field];
  return typeof value === "number" ? value : 0;
}

/** The objects in the array at `path` (member names); empty when there is no array. */
export function objectsAt(json: MutableJson | undefined, ...path: readonly string[]): MutableJsonObject[] {
  let place = json;
  for (const name of path) place = isObject(place) ? place[name] : undefined;
  return Array.isArray(place) ? place.filter(isObject) : [];
}

/** The object at `path` (member names), if any. */
export function objectAt(json: MutableJson | undefined, ...path: readonly string[]): MutableJsonObject | undefined {
  let place = json;
  for (const name of path) place = isObject(place) ? place[name] : undefined;
  return isObject(place) ? place : undefined;
}

/** All positions of a response, for any operation. */
export function positionsIn(json: MutableJson): MutableJsonObject[] {
  return [...objectsAt(json, "positions"), ...objectsAt(json, "portfolio", "positions")];
}

/** All orders of a response, including those within positions. */
export function ordersIn(json: MutableJson): MutableJsonObject[] {
  return [
    ...objectsAt(json, "orders"),
    ...objectsAt(json, "portfolio", "orders"),
    ...positionsIn(json).flatMap((position) => objectsAt(position, "associatedOrders")),
  ];
}

/** All order references of a response. */
export function orderRefsIn(json: MutableJson): MutableJsonObject[] {
  return positionsIn(json).flatMap((position) => objectsAt(position, "associatedOrderIds"));
}

/** All levels of a book response, both sides. */
export function levelsIn(json: MutableJson): MutableJsonObject[] {
  return [...objectsAt(json, "orderBook", "book", "bids"), ...objectsAt(json, "orderBook", "book", "asks")];
}

/** All candles of a response. */
export function candlesIn(json: MutableJson): MutableJsonObject[] {
  return objectsAt(json, "priceCandleSticks");
}

/** Replaces every member called `name`, at any depth, in place. */
export function editMembers(
  json: MutableJson,
  name: string,
  change: (value: MutableJson, owner: MutableJsonObject) => MutableJson,
): void {
  if (Array.isArray(json)) {
    for (const item of json) editMembers(item, name, change);
  } else if (isObject(json)) {
    for (const [key, value] of Object.entries(json)) {
      if (value === undefined) continue;
      if (key === name) json[key] = change(value, json);
      else editMembers(value, name, change);
    }
  }
}
