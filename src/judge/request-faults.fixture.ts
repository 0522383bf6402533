import { type JsonObject, toPlain } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";
import { schemaOf, wireSchemas } from "./wire-schemas.js";

/** The reasons why a request is not one that the specification documents; empty for a well-formed one. */
export function requestFaults(endpoint: Endpoint, request: JsonObject): readonly string[] {
  const { validate } = wireSchemas().compiled(schemaOf(endpoint, "request"));
  validate(toPlain(request));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}
