/**
 * Regenerates the published JSON Schemas from the schemas in code, keeping their titles. For maintainers: `npm run accept`
 * also updates the other snapshots.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { configFileSchema } from "../config/config-file.js";
import { baselineSchema } from "../report/baseline-file.js";
import { statementSchema } from "../statement/statement.js";

const published = { configuration: configFileSchema, baseline: baselineSchema, statement: statementSchema };

for (const [name, schema] of Object.entries(published)) {
  const file = `schemas/${name}.schema.json`;
  const { $id, title, description } = JSON.parse(readFileSync(file, "utf8"));
  const { $schema, ...applied } = z.toJSONSchema(schema);
  writeFileSync(file, `${JSON.stringify({ $schema, $id, title, description, ...applied }, undefined, 2)}\n`);
}
