import { _, Ajv2020, type AnySchemaObject, type KeywordCxt, type ValidateFunction } from "ajv/dist/2020.js";
import type { Endpoint } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { uint64Max } from "../specification/limits.js";
import { readSchemaDocuments, type SchemaFile, schemaFileOf } from "../specification/schema-documents.js";
import { parseInstant } from "./instant.js";

/** How often the constraints of a rule were applied. The caller resets it to 0 before each validation. */
export interface ConstraintTally {
  examined: number;
}

/** A compiled schema, and the tallies of all rules that its constraints enforce, and maybe of others. */
export interface CompiledSchema {
  readonly validate: ValidateFunction;
  readonly tallies: ReadonlyMap<string, ConstraintTally>;
}

/** A reference to a schema: `get-orders.schema.json#/$defs/response`. */
export type SchemaReference = `${SchemaFile}${"" | `#/$defs/${string}`}`;

/** The schema of an operation's request, or of its response or one message of its stream. */
export function schemaOf(endpoint: Endpoint, part: "request" | "response"): SchemaReference {
  return `${schemaFileOf(endpoint)}#/$defs/${part}`;
}

/** The schema of a Connect error (§7). */
export const errorSchema: SchemaReference = "error.schema.json";

let loaded: WireSchemas | undefined;

/** The schemas of requests, answers and errors. Their files are read on the first call. */
export function wireSchemas(): WireSchemas {
  loaded ??= new WireSchemas();
  return loaded;
}

class WireSchemas {
  readonly #documents: ReadonlyMap<string, AnySchemaObject> = readSchemaDocuments();
  readonly #compiled = new Map<SchemaReference, CompiledSchema>();
  readonly #tallies = new Map<string, ConstraintTally>();
  readonly #ajv = new Ajv2020({
    allErrors: true,
    // The schemas are part of the program, and a test checks them against the meta-schema.
    validateSchema: false,
    // Each error carries the constraint that failed: its rule, and what it expects.
    verbose: true,
    // A number beyond the range of a double is not valid (W6): it is parsed as infinity, which no type accepts here.
    strictNumbers: true,
    allowUnionTypes: true,
    strictRequired: false,
    strictTypes: false,
    formats: {
      // W8 says how to read RFC 3339. The 64-bit range (W4) is beyond JSON Schema.
      "date-time": (text: string) => parseInstant(text) !== undefined,
      // Texts of another form fail the pattern, so that one fault is one violation.
      uint64: (text: string) => !/^\d{20}$/.test(text) || BigInt(text) <= uint64Max,
    },
  });

  /** The names of all documented members of requests, answers and errors. */
  readonly members: ReadonlySet<string> = new Set(membersIn([...this.#documents.values()]));

  constructor() {
    const tallies = this.#tallies;
    this.#ajv.addKeyword({
      keyword: "x-rule",
      schemaType: "string",
      // Inlined into the generated code: a page of orders has some 50,000 constraints.
      code({ gen, schema: rule }: KeywordCxt) {
        const tally = getOrInsert(tallies, rule, () => ({ examined: 0 }));
        gen.code(_`${gen.scopeValue("obj", { ref: tally })}.examined++`);
      },
    });
    for (const [file, document] of this.#documents) this.#ajv.addSchema(document, file);
  }

  /** Compiles a schema on its first use. */
  compiled(reference: SchemaReference): CompiledSchema {
    return getOrInsert(this.#compiled, reference, () => {
      const validate = this.#ajv.getSchema(reference);
      if (!validate) throw new Error(`no schema ${reference}`);
      return { validate, tallies: this.#tallies };
    });
  }

  /** A part of a schema as written; the caller resolves `$ref`. */
  written(reference: SchemaReference): AnySchemaObject {
    const [file = "", pointer = ""] = reference.split("#");
    let schema: unknown = this.#documents.get(file);
    for (const step of pointer.split("/").slice(1)) schema = (schema as AnySchemaObject | undefined)?.[step];
    if (schema === undefined) throw new Error(`no schema ${reference}`);
    return schema as AnySchemaObject;
  }
}

/** The names under `properties` at any depth of a schema. */
function membersIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(membersIn)];
}
