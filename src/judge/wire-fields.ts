/**
 * Surveys which fields answers have, including those that the specification does not list, for the observations of W1 and
 * W10.
 */
import type { AnySchemaObject } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { type SchemaReference, schemaOf, wireSchemas } from "./wire-schemas.js";

/** Which fields answers have. */
export interface FieldSurvey {
  /** Fields that the text does not list, by place without indices (`orders[].novelty`), each with the first value. */
  readonly unlisted: ReadonlyMap<string, Json>;
  /** How many documented fields are there and hold zero, an empty string or list, or false. */
  readonly defaultsWritten: number;
  /** How many documented fields are absent. */
  readonly absent: number;
}

/** Surveys bodies of successes, or messages of the stream (W1, W10). */
export function surveyFields(endpoint: Endpoint, ...bodies: readonly JsonObject[]): FieldSurvey {
  const survey = { unlisted: new Map<string, Json>(), defaultsWritten: 0, absent: 0 };
  const visit = (value: Json | undefined, shape: SchemaShape, place: string): void => {
    if (Array.isArray(value)) {
      if (shape.items) for (const element of value) visit(element, shape.items, `${place}[]`);
    } else if (typeof value === "object" && value !== null && shape.members) {
      const json = value as JsonObject;
      const at = (name: string) => (place === "" ? name : `${place}.${name}`);
      for (const name in json) {
        if (!shape.members.has(name) && !survey.unlisted.has(at(name)))
          survey.unlisted.set(at(name), json[name] ?? null);
      }
      for (const [name, member] of shape.members) {
        if (json[name] === undefined) survey.absent++;
        else if (isDefault(json[name])) survey.defaultsWritten++;
        else visit(json[name], member, at(name));
      }
    }
  };
  const shape = shapeOf(schemaOf(endpoint, "response"));
  for (const body of bodies) visit(body, shape, "");
  return survey;
}

function isDefault(value: Json): boolean {
  return value === 0 || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

/** What a schema documents of a value: its members if it is an object, its elements if it is an array. */
interface SchemaShape {
  readonly members?: ReadonlyMap<string, SchemaShape>;
  readonly items?: SchemaShape;
}

const shapes = new Map<SchemaReference, SchemaShape>();

function shapeOf(reference: SchemaReference): SchemaShape {
  return getOrInsert(shapes, reference, () =>
    readShape(wireSchemas().written(reference), reference.slice(0, reference.indexOf("#"))),
  );
}

function readShape(schema: AnySchemaObject, file: string): SchemaShape {
  const parts: SchemaShape[] = [];
  if (typeof schema.$ref === "string") {
    parts.push(shapeOf((schema.$ref.startsWith("#") ? file + schema.$ref : schema.$ref) as SchemaReference));
  }
  for (const part of (schema.allOf ?? []) as AnySchemaObject[]) parts.push(readShape(part, file));
  const named = Object.entries((schema.properties ?? {}) as Record<string, AnySchemaObject>);
  if (named.length > 0) {
    parts.push({ members: new Map(named.map(([name, member]) => [name, readShape(member, file)])) });
  }
  if (schema.items) parts.push({ items: readShape(schema.items as AnySchemaObject, file) });

  const members = parts.flatMap((part) => (part.members ? [...part.members] : []));
  const items = parts.find((part) => part.items)?.items;
  return { ...(members.length > 0 && { members: new Map(members) }), ...(items && { items }) };
}
