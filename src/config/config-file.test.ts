import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { packageRoot } from "../specification/package-root.js";
import { configFileSchema } from "./config-file.js";

test("the published JSON Schema of the configuration file is the one that is applied", () => {
  const { $schema, $id, title, description, ...published } = JSON.parse(
    readFileSync(join(packageRoot, "schemas/configuration.schema.json"), "utf8"),
  );
  const { $schema: dialect, ...applied } = z.toJSONSchema(configFileSchema);
  expect(published).toEqual(applied);
  expect({ $schema, $id }).toEqual({ $schema: dialect, $id: "urn:perp-conformance:configuration" });
  expect(title).toBeTypeOf("string");
  expect(description).toBeTypeOf("string");
});
