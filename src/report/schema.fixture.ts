import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { packageRoot } from "../specification/package-root.js";

/** The errors of a document by a published schema such as `results`; null if there are none. */
export function schemaErrors(schema: string, document: unknown): ErrorObject[] | null | undefined {
  const ajv = addFormats.default(new Ajv2020({ allErrors: true, strictRequired: false }));
  ajv.validate(JSON.parse(readFileSync(join(packageRoot, `schemas/${schema}.schema.json`), "utf8")), document);
  return ajv.errors;
}
