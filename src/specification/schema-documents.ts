import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Endpoint, endpointNames } from "./endpoints.js";
import { packageRoot } from "./package-root.js";

/** The file name of a JSON Schema of the wire format. */
export type SchemaFile = `${string}.schema.json`;

const sharedFiles = ["wire", "resources", "requests", "error"].map((name): SchemaFile => `${name}.schema.json`);

/** The file with the schemas of an operation's request and response: `get-orders.schema.json`. */
export function schemaFileOf(endpoint: Endpoint): SchemaFile {
  return `${endpoint.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.schema.json`;
}

/** Reads the schemas of everything that goes over the wire (§2 to §7), by file. `$ref` is not resolved. */
export function readSchemaDocuments(): ReadonlyMap<SchemaFile, Readonly<Record<string, unknown>>> {
  const files = [...sharedFiles, ...endpointNames.map(schemaFileOf)];
  return new Map(files.map((file) => [file, JSON.parse(readFileSync(join(packageRoot, "schemas", file), "utf8"))]));
}
