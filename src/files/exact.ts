import { z } from "zod";

/** A schema for each member of a type; those of optional members are `z.exactOptional`. */
export type ShapeOf<T> = { readonly [Name in keyof T]-?: z.ZodType<T[Name]> };

/**
 * The schema of an object that has the members of a type and no others. A member that the type has and the schema lacks does
 * not compile.
 */
export function exactly<T extends object>(shape: ShapeOf<T>): z.ZodType<T> {
  return z.strictObject(shape) as unknown as z.ZodType<T>;
}
