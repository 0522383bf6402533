/** Helpers for defining faults. */
import type { Exchange } from "../../connect/exchange.js";
import type { Json, JsonObject } from "../../connect/json.js";
import type { ParsedRequest } from "../../judge/parsed-request.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import type { Endpoint } from "../../specification/endpoints.js";
import { withBodies, withEach, withError } from "../alter.js";
import type { AnswerView } from "../answer-view.js";
import type { FaultKind, FaultTemplate, ScopeName } from "../fault.js";
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

/** The arguments of a function that makes faults of one kind: all that tells one such fault from the others. */
type FaultArgs<Change> = readonly [
  name: string,
  rule: RuleId,
  kind: FaultKind,
  words: string,
  change: Change,
  scopes?: readonly ScopeName[],
];

/** What a faulty server makes of a row. Returning the same row means no change. */
type RowFault = (row: JsonObject, platform: ObservedPlatform, view: AnswerView) => ReturnType<RowChange>;

/** A fault in each occurrence of a resource. */
export function inEach(
  resource: Resource,
  { operations = operationsShowing(resource), ...named }: FaultMetadata,
  change: RowFault,
): FaultTemplate {
  return {
    ...named,
    operations,
    inRows: true,
    plant: (view, { rows = () => true }, platform) =>
      withEach(view, resource, (row) => (rows(row) ? change(row, platform, view) : row)),
  };
}

/** Returns a function that makes faults in each occurrence of a resource; in these scopes, unless `other` names its own. */
export function faultsIn(resource: Resource, scopes: readonly ScopeName[]) {
  return (
    name: string,
    rule: RuleId,
    kind: FaultKind,
    words: string,
    change: RowFault,
    other: Pick<FaultMetadata, "scopes" | "operations" | "needs" | "onlyInScopes"> = {},
  ): FaultTemplate => inEach(resource, { name, rule, kind, words, scopes, ...other }, change);
}

/** What a faulty server makes of a successful body, or of a stream message. Returning the same body means no change. */
export type BodyFault = (body: JsonObject, view: AnswerView, platform: ObservedPlatform) => JsonObject;

/** A fault in a successful body, or in each stream message. */
export function inBody({ operations = [], ...named }: FaultMetadata, change: BodyFault): FaultTemplate {
  return {
    ...named,
    operations,
    plant: (view, _, platform) => withBodies(view, (body) => change(body, view, platform)),
  };
}

/** What a faulty server makes of a whole exchange; undefined means no change. */
export type AnswerFault = (view: AnswerView, platform: ObservedPlatform) => Exchange | undefined;

/** A fault in the whole exchange. */
export function inAnswer({ operations = [], ...named }: FaultMetadata, change: AnswerFault): FaultTemplate {
  return { ...named, operations, plant: (view, _, platform) => change(view, platform) };
}

/**
 * Returns a function that makes faults of one operation.
 *
 * @param plant makes such a fault of its metadata and its change: {@link inBody}, {@link inAnswer}
 * @param starts what the names and the words of the faults start with, unless it is the operation
 */
export function faultsOf<Change>(
  operation: Endpoint,
  plant: (named: FaultMetadata, change: Change) => FaultTemplate,
  { name: prefix = operation, words: intro = operation }: { readonly name?: string; readonly words?: string } = {},
) {
  return (...[name, rule, kind, words, change, scopes = []]: FaultArgs<Change>): FaultTemplate => {
    const named = { name: `${prefix}-${name}`, rule, kind, words: `${intro} ${words}` };
    return plant({ ...named, operations: [operation], scopes }, change);
  };
}

/** Answers some of the requests that succeed with an error instead. */
export function refusedIf(
  code: string,
  where: (asked: ParsedRequest, body: JsonObject, platform: ObservedPlatform) => boolean,
): AnswerFault {
  return ({ exchange, asked, answer }, platform) =>
    answer.kind === "success" && asked && where(asked, answer.body, platform) ? withError(exchange, code) : undefined;
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
