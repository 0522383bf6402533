import { z } from "zod";

/** A schema for each member of a type; optional members use `z.exactOptional`. */
export type ShapeOf<T> = { readonly [Name in keyof T]-?: z.ZodType<T[Name]> };

/** The schema of an object with exactly the members of a type. A member missing from the schema is a compile error. */
export function exactly<T extends object>(shape: ShapeOf<T>): z.ZodType<T> {
  return z.strictObject(shape) as unknown as z.ZodType<T>;
}
