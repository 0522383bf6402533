/** Reads and sets fields of response bodies. Setting one copies the object. */
import { isJsonObject, type Json, type JsonObject } from "../connect/json.js";

/** The object with a field set; the same object if it means the same with it: an absent field is 0, false or empty (W1). */
export function withField(object: JsonObject, field: string, value: Json | undefined): JsonObject {
  const before = object[field];
  return isSame(before, value) || (isDefault(before) && isDefault(value)) ? object : { ...object, [field]: value };
}

function isSame(before: Json | undefined, after: Json | undefined): boolean {
  return before === after || (Array.isArray(before) && Array.isArray(after) && haveSameElements(before, after));
}

/** Whether two lists have the same elements, in the same order. */
export function haveSameElements(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((element, index) => element === after[index]);
}

function isDefault(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === 0 ||
    value === false ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** The object with a number multiplied; the same object if it is absent or 0. */
export function scaled(object: JsonObject, field: string, factor: number): JsonObject {
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
  return isJsonObject(value) ? value : {};
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
