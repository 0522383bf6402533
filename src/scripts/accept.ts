/**
 * Writes the published JSON Schemas anew from the schemas that are applied, and keeps their titles. For whoever changes the
 * project: `npm run accept` takes the other snapshots anew as well.
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
