/** How a target writes its answers, whatever its data: which fields there are, their types and notation, and row order. */
import { isJsonObject, type Json, type JsonObject } from "../../connect/json.js";
import { compareInstants, digitsShown, hasUsualNotation, parseInstant } from "../../judge/instant.js";
import { readId, readTime } from "../../judge/read-values.js";
import { getOrInsert } from "../../specification/get-or-insert.js";

/** How often something was seen, and in the answers to which requests, by number. */
export class Occurrences {
  count = 0;
  readonly requests = new Set<number>();

  see(request: number): void {
    this.count++;
    this.requests.add(request);
  }
}

/** What was seen of one field of one kind of object. */
export class FieldShape {
  readonly absent = new Occurrences();
  /** Present with its default value: zero, empty, false or null. */
  readonly asDefault = new Occurrences();
  readonly withValue = new Occurrences();
  readonly types = new Map<string, Occurrences>();
  /** Texts with their data replaced by placeholders: `9-9-9A9:9:9A`. */
  readonly patterns = new Map<string, Occurrences>();
  /** The most digits of a second that were shown. */
  digits = -1;
}

/** What was seen of the order of an array. */
export class ArrayOrder {
  /** How many neighbours ascend and how many descend, by what is compared. */
  readonly steps = new Map<string, { up: number; down: number }>();
  readonly requests = new Set<number>();
}

/** The shape of the answers of one operation of one target. */
export class AnswerShape {
  readonly fields = new Map<string, FieldShape>();
  readonly arrays = new Map<string, ArrayOrder>();
  /** The objects at each place, by request. Which fields they lack is known only at the end. */
  readonly #objects = new Map<string, { readonly request: number; readonly names: ReadonlySet<string> }[]>();

  /** Adds an answer. */
  add(body: JsonObject, request: number): void {
    this.#object("", body, request);
  }

  /** Counts a field as absent from an object if other objects at its place, or the other target, have it. */
  complete(others: Iterable<string>): void {
    const known = new Set([...this.fields.keys(), ...others]);
    for (const [place, seen] of this.#objects) {
      const names = [...known].flatMap((path) => (parentOf(path) === place ? [leafOf(path)] : []));
      for (const { request, names: there } of seen) {
        for (const name of names) if (!there.has(name)) this.field(join(place, name)).absent.see(request);
      }
    }
    this.#objects.clear();
  }

  field(path: string): FieldShape {
    return getOrInsert(this.fields, path, () => new FieldShape());
  }

  #object(place: string, object: JsonObject, request: number): void {
    const names = new Set(Object.keys(object).filter((name) => object[name] !== undefined));
    getOrInsert(this.#objects, place, () => []).push({ request, names });
    for (const name of names) this.#value(join(place, name), object[name] ?? null, request);
  }

  #value(path: string, value: Json, request: number): void {
    const field = this.field(path);
    (isDefault(value) ? field.asDefault : field.withValue).see(request);
    if (value !== null) sight(field.types, typeOf(value), request);
    if (typeof value === "string" && value !== "") this.#text(field, value, request);
    if (Array.isArray(value)) {
      const rows = value.filter(isJsonObject);
      for (const row of rows) this.#object(`${path}[*]`, row, request);
      this.#order(path, rows, request);
    } else if (isJsonObject(value)) this.#object(path, value, request);
  }

  #text(field: FieldShape, text: string, request: number): void {
    sight(field.patterns, patternOf(text), request);
    if (hasUsualNotation(text) || parseInstant(text)) field.digits = Math.max(field.digits, digitsShown(text));
  }

  #order(path: string, rows: readonly JsonObject[], request: number): void {
    if (rows.length < 2) return;
    const order = getOrInsert(this.arrays, path, () => new ArrayOrder());
    order.requests.add(request);
    for (const [at, row] of rows.entries()) {
      const next = rows[at + 1];
      if (!next) break;
      const time = timeStep(row, next);
      if (time !== undefined && time !== 0) step(order, "time", time);
      if (typeof row.price === "number" && typeof next.price === "number") step(order, "price", next.price - row.price);
      const id = idStep(row, next);
      if (id === undefined) continue;
      if (time === 0) step(order, "id of ties", id);
      else if (time === undefined) step(order, "id", id);
    }
  }
}

/** The order of an array by a key, in a word; undefined if too little was seen. */
export function directionOf(
  order: ArrayOrder | undefined,
  key: string,
): "ascending" | "descending" | "neither" | undefined {
  const { up = 0, down = 0 } = order?.steps.get(key) ?? {};
  const least = key === "id of ties" ? 3 : 8;
  if (up + down < least) return undefined;
  return down === 0 ? "ascending" : up === 0 ? "descending" : "neither";
}

function step(order: ArrayOrder, key: string, by: number): void {
  if (by === 0 || Number.isNaN(by)) return;
  const known = getOrInsert(order.steps, key, () => ({ up: 0, down: 0 }));
  if (by > 0) known.up++;
  else known.down++;
}

function timeStep(row: JsonObject, next: JsonObject): number | undefined {
  const [a, b] = [row, next].map(({ timestamp }) =>
    timestamp === undefined ? undefined : readTime(timestamp).instant,
  );
  return a && b ? compareInstants(b, a) : undefined;
}

function idStep(row: JsonObject, next: JsonObject): number | undefined {
  const [a, b] = [row, next].map(({ orderId, positionId }) => readId(orderId ?? positionId));
  if (!/^\d+$/.test(a ?? "") || !/^\d+$/.test(b ?? "") || a === "0" || b === "0") return undefined;
  return BigInt(b ?? 0) > BigInt(a ?? 0) ? 1 : BigInt(b ?? 0) < BigInt(a ?? 0) ? -1 : 0;
}

function sight(known: Map<string, Occurrences>, what: string, request: number): void {
  getOrInsert(known, what, () => new Occurrences()).see(request);
}

/** Whether a value means the same as an absent field (W1: absent means the default). */
export function isDefault(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === 0 ||
    value === "" ||
    value === false ||
    value === "0" ||
    (Array.isArray(value) && value.length === 0)
  );
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "number" : typeof value;
}

/** A text with its data replaced by placeholders. Of an address, only the case of its letters is kept. */
function patternOf(text: string): string {
  if (/^0x[0-9a-f]+$/i.test(text)) {
    const digits = text.slice(2);
    const isLower = digits === digits.toLowerCase();
    return isLower
      ? "an address in lower case"
      : digits === digits.toUpperCase()
        ? "an address in capitals"
        : "an address in mixed case";
  }
  return text
    .slice(0, 100)
    .replace(/\.\d+(?=Z|[+-]\d\d:\d\d)/, "")
    .replace(/\p{L}+/gu, (word) => (word === word.toLowerCase() ? "a" : word === word.toUpperCase() ? "A" : "Aa"))
    .replace(/\d+/g, "9");
}

function join(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

/** The name of the field that a path leads to. */
export function leafOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
