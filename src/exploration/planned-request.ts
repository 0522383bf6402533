import type fc from "fast-check";
import { type JsonNotation, type JsonObjectInput, stringify } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { ClassRow, FieldClasses } from "./covering-array.js";

/** A request to send: body, headers and notation. */
export interface PlannedRequest {
  readonly body: JsonObjectInput;
  /** Headers in addition to the usual ones; null removes one. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** How the body is written, if not in the usual notation. */
  readonly notation?: JsonNotation;
  /** A request to send right before this one. */
  readonly after?: Omit<PlannedRequest, "after">;
}

/** Identifies a request by its body as written and its unusual headers. */
export function plannedRequestKey({ body, headers, notation }: PlannedRequest): string {
  return [stringify(body, notation), ...Object.entries(headers).flat()].join(" ");
}

/** Draws one value from the alternative whose turn it is. Planning the same request again draws the same value. */
export type Draw = <Value>(field: string, ...alternatives: readonly fc.Arbitrary<Value>[]) => Value;

/** Which requests an operation takes: the classes of each field, and how a row of them becomes a request. */
export interface RequestModel {
  readonly endpoint: Endpoint;
  /** The valid classes of each field. A field has none where the target offers no subject for it. */
  readonly fields: FieldClasses;
  readonly request: (row: ClassRow, draw: Draw) => PlannedRequest;
}
