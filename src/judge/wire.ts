/**
 * The wire judge: checks how the fields of an answer are written (§1 Wire conventions, §2), using the JSON Schemas. It
 * judges each body on its own, without the request.
 */
import type { ErrorObject } from "ajv/dist/2020.js";
import { type Json, type JsonObject, toPlain } from "../connect/json.js";
import { type RuleId, ruleById } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import { type Judgement, show, type Violation } from "./judgement.js";
import { errorSchema, type SchemaReference, schemaOf, wireSchemas } from "./wire-schemas.js";

/** The judgement of each wire rule that applied to the body. */
export type WireJudgement = ReadonlyMap<RuleId, Judgement>;

/** The most violations of one rule to keep for one body: more say nothing new, and a body may have millions. */
const keptViolations = 2000;

/**
 * Judges the body of a success, or one message of the stream, by every wire rule of the endpoint (W1 to W10, P5, P8).
 * Absent fields are defaults and give no evidence, except where their absence is a violation.
 */
export function judgeWire(endpoint: Endpoint, body: JsonObject): WireJudgement {
  return judge(endpoint, schemaOf(endpoint, "response"), body);
}

/** Judges the body of an error: its shape and the spelling of its code (E1, E2, E4). */
export function judgeError(endpoint: Endpoint, body: JsonObject): WireJudgement {
  return judge(endpoint, errorSchema, body);
}

function judge(endpoint: Endpoint, schema: SchemaReference, body: JsonObject): WireJudgement {
  const violations = new Map<string, Violation[]>();
  const take = (error: ErrorObject, place: string) => {
    const rule = error.parentSchema?.["x-rule"];
    if (typeof rule !== "string") return;
    const known = violations.get(rule);
    if (known === undefined) violations.set(rule, [violationOf(error, place, body)]);
    else if (known.length < keptViolations) known.push(violationOf(error, place, body));
  };
  const examined = apply(schema, withoutBigints(body), take);
  const judgements = new Map<RuleId, Judgement>();
  for (const [id, count] of examined) {
    const rule = id as RuleId;
    if (count === 0 || !(ruleById(rule).endpoints as readonly Endpoint[]).includes(endpoint)) continue;
    judgements.set(rule, { examined: count, violations: violations.get(rule) ?? [] });
  }
  return judgements;
}

/** How many rows to validate at once: each violation takes more memory than the row that has it. */
const rowsAtOnce = 1_000;

/**
 * Validates a body, with its long arrays in chunks, and returns how often the constraints of each rule were applied.
 *
 * @param take receives each violation and its JSON pointer in the whole body
 */
function apply(
  schema: SchemaReference,
  body: JsonObject,
  take: (error: ErrorObject, pointer: string) => void,
): ReadonlyMap<string, number> {
  const { validate, tallies } = wireSchemas().compiled(schema);
  const tallied = (part: JsonObject) => {
    for (const tally of tallies.values()) tally.examined = 0;
    validate(part);
    return new Map([...tallies].map(([rule, { examined }]) => [rule, examined]));
  };
  const long = longArrays(body);
  const examined = tallied(long.length === 0 ? body : withRows(body, long));
  const around = new Map(examined);
  for (const error of validate.errors ?? []) take(error, error.instancePath);
  for (const { pointer, rows } of long) {
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const part = tallied(withRows(body, long, rows, rows.slice(from, from + rowsAtOnce)));
      for (const [rule, count] of part) examined.set(rule, (examined.get(rule) ?? 0) + count - (around.get(rule) ?? 0));
      for (const error of validate.errors ?? []) {
        const [, index, rest = ""] = /^\/(\d+)(.*)$/s.exec(error.instancePath.slice(pointer.length)) ?? [];
        if (index !== undefined && error.instancePath.startsWith(pointer)) {
          take(error, `${pointer}/${Number(index) + from}${rest}`);
        }
      }
    }
  }
  return examined;
}

interface LongArray {
  /** Its place, as a JSON pointer. */
  readonly pointer: string;
  readonly rows: readonly Json[];
}

/** The arrays that have more rows than are validated at once, except those nested in other arrays. */
function longArrays(value: Json | undefined, pointer = ""): LongArray[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.length > rowsAtOnce ? [{ pointer, rows: value as readonly Json[] }] : [];
  return Object.keys(value).flatMap((name) => longArrays((value as JsonObject)[name], `${pointer}/${name}`));
}

/** A copy of the body with its long arrays emptied, except `array`, which gets the given rows. */
function withRows(
  body: JsonObject,
  long: readonly LongArray[],
  array?: readonly Json[],
  rows: readonly Json[] = [],
): JsonObject {
  const visit = (value: Json | undefined): Json | undefined => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value === array ? rows : long.some((other) => other.rows === value) ? [] : value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]));
  };
  return visit(body) as JsonObject;
}

function violationOf(error: ErrorObject, pointer: string, body: JsonObject): Violation {
  const expected = error.parentSchema?.description;
  return {
    path: pathOf(error, pointer),
    expected: typeof expected === "string" ? expected : (error.message ?? error.keyword),
    seen: error.keyword === "required" ? "nothing" : show(valueAt(body, pointer)),
  };
}

/** The path of an error as written in reports: `positions[17].owner`. */
function pathOf(error: ErrorObject, pointer: string): string {
  const missing = error.keyword === "required" ? [String(error.params.missingProperty)] : [];
  return [...steps(pointer), ...missing]
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join("");
}

/** The value at a JSON pointer, with the digits that it had on the wire. */
function valueAt(body: Json, pointer: string): Json | undefined {
  let value: Json | undefined = body;
  for (const step of steps(pointer)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as JsonObject)[step];
  }
  return value;
}

/** Names of documented fields need no unescaping. */
function steps(pointer: string): readonly string[] {
  return pointer.split("/").slice(1);
}

/** JSON Schema validators do not know bigints. Bodies are large and bigints rare, so most bodies need no copy. */
function withoutBigints(body: JsonObject): JsonObject {
  return hasBigint(body) ? (toPlain(body) as JsonObject) : body;
}

function hasBigint(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "bigint";
  if (Array.isArray(value)) return value.some(hasBigint);
  for (const name in value) if (hasBigint((value as JsonObject)[name])) return true;
  return false;
}
