/** The words that faults are written in. */
import type { Exchange } from "../../connect/exchange.js";
import type { Json, JsonObject } from "../../connect/json.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import type { Endpoint } from "../../specification/endpoints.js";
import { withBodies, withEach } from "../alter.js";
import type { AnswerView } from "../answer-view.js";
import type { FaultKind, FaultTemplate, Scope, ScopeName } from "../fault.js";
import { type Change, operationsShowing, type Resource } from "../places.js";
import type { Platform } from "../platform.js";

/** What a fault is called and what it says, before what it does. */
export interface Named {
  readonly name: string;
  readonly rule: RuleId;
  readonly kind: FaultKind;
  readonly words: string;
  readonly operations?: readonly Endpoint[];
  readonly scopes?: readonly ScopeName[];
  readonly onlyInScopes?: true;
  readonly needs?: string;
}

/** A fault in the rows, or the objects, of a resource. The very same row stands for no change. */
export function inEach(
  resource: Resource,
  { operations = operationsShowing(resource), ...named }: Named,
  change: (row: JsonObject, platform: Platform, view: AnswerView) => ReturnType<Change>,
): FaultTemplate {
  return {
    ...named,
    operations,
    inRows: true,
    plant: (view, { rows = () => true }, platform) =>
      withEach(view, resource, (row) => (rows(row) ? change(row, platform, view) : row)),
  };
}

/** A fault in the body of a success, or of each message of the stream. */
export function inBody(
  { operations = [], ...named }: Named,
  change: (body: JsonObject, view: AnswerView, platform: Platform) => JsonObject,
): FaultTemplate {
  return {
    ...named,
    operations,
    plant: (view, _, platform) => withBodies(view, (body) => change(body, view, platform)),
  };
}

/** A fault in the exchange as a whole. */
export function inAnswer(
  { operations = [], ...named }: Named,
  plant: (view: AnswerView, platform: Platform, scope: Scope) => Exchange | undefined,
): FaultTemplate {
  return { ...named, operations, plant: (view, scope, platform) => plant(view, platform, scope) };
}

/** The object with a member changed; the very same one where the value is. */
export function set(object: JsonObject, field: string, value: Json | undefined): JsonObject {
  return object[field] === value ? object : { ...object, [field]: value };
}

/** The object with a number changed, unless it is absent or 0. */
export function times(object: JsonObject, field: string, factor: number): JsonObject {
  const value = numberIn(object, field);
  return value === 0 ? object : { ...object, [field]: value * factor };
}

/** A number; 0 where it is absent (W1). */
export function numberIn(object: JsonObject, field: string): number {
  const value = object[field];
  return typeof value === "number" ? value : 0;
}

/** A text; empty where it is absent (W1). */
export function textIn(object: JsonObject, field: string): string {
  const value = object[field];
  return typeof value === "string" ? value : "";
}

/** An object within another one; empty where it is absent. */
export function objectIn(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The objects of a list; none where it is absent. */
export function listIn(object: JsonObject, field: string): readonly JsonObject[] {
  const value = object[field];
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

/** A 64-bit id that is another one. */
export function anotherId(id: Json | undefined): string {
  const value = BigInt(/^\d+$/.test(String(id)) ? String(id) : "1");
  return String(value > 1n ? value - 1n : value + 1n);
}
