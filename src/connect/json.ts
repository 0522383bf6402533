/**
 * A JSON value as it was on the wire. Integers that a JavaScript number cannot hold exactly are `bigint`, so their
 * digits survive (W4, W5); every other number is a `number`.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** A JSON object as it was on the wire. */
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}
