/** Helpers for defining faults. */
import type { Exchange } from "../../connect/exchange.js";
import type { Json, JsonObject } from "../../connect/json.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import type { Endpoint } from "../../specification/endpoints.js";
import { withBodies, withEach } from "../alter.js";
import type { AnswerView } from "../answer-view.js";
import type { FaultKind, FaultTemplate, Scope, ScopeName } from "../fault.js";
import { operationsShowing, type Resource, type RowChange } from "../places.js";
import type { ObservedPlatform } from "../platform.js";

/** Properties of a fault other than what it changes. */
export interface FaultMetadata {
  readonly name: string;
  readonly rule: RuleId;
  readonly kind: FaultKind;
  readonly words: string;
  readonly operations?: readonly Endpoint[];
  readonly scopes?: readonly ScopeName[];
  readonly onlyInScopes?: true;
  readonly needs?: string;
}

/** A fault in each occurrence of a resource. Returning the same row means no change. */
export function inEach(
  resource: Resource,
  { operations = operationsShowing(resource), ...named }: FaultMetadata,
  change: (row: JsonObject, platform: ObservedPlatform, view: AnswerView) => ReturnType<RowChange>,
): FaultTemplate {
  return {
    ...named,
    operations,
    inRows: true,
    plant: (view, { rows = () => true }, platform) =>
      withEach(view, resource, (row) => (rows(row) ? change(row, platform, view) : row)),
  };
}

/** A fault in a successful body, or in each stream message. */
export function inBody(
  { operations = [], ...named }: FaultMetadata,
  change: (body: JsonObject, view: AnswerView, platform: ObservedPlatform) => JsonObject,
): FaultTemplate {
  return {
    ...named,
    operations,
    plant: (view, _, platform) => withBodies(view, (body) => change(body, view, platform)),
  };
}

/** A fault in the whole exchange. */
export function inAnswer(
  { operations = [], ...named }: FaultMetadata,
  plant: (view: AnswerView, platform: ObservedPlatform, scope: Scope) => Exchange | undefined,
): FaultTemplate {
  return { ...named, operations, plant: (view, scope, platform) => plant(view, platform, scope) };
}

/** The object with a field set; the same object if it already has that value. */
export function set(object: JsonObject, field: string, value: Json | undefined): JsonObject {
  return object[field] === value ? object : { ...object, [field]: value };
}

/** The object with a number multiplied; the same object if it is absent or 0. */
export function times(object: JsonObject, field: string, factor: number): JsonObject {
  const value = numberIn(object, field);
  return value === 0 ? object : { ...object, [field]: value * factor };
}

/** A number field; 0 when absent (W1). */
export function numberIn(object: JsonObject, field: string): number {
  const value = object[field];
  return typeof value === "number" ? value : 0;
}

/** A text field; empty when absent (W1). */
export function textIn(object: JsonObject, field: string): string {
  const value = object[field];
  return typeof value === "string" ? value : "";
}

/** An object field; empty when absent. */
export function objectIn(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** A list field; empty when absent. */
export function listIn(object: JsonObject, field: string): readonly JsonObject[] {
  const value = object[field];
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

/** A different 64-bit id. */
export function anotherId(id: Json | undefined): string {
  const value = BigInt(/^\d+$/.test(String(id)) ? String(id) : "1");
  return String(value > 1n ? value - 1n : value + 1n);
}
