import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { commentedConfig } from "./commented-config.js";
import { configFileSchema } from "./config-file.js";

function read(text: string): Record<string, unknown> {
  const errors: never[] = [];
  const value = parse(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return configFileSchema.parse(value);
}

test("a new configuration file says nothing but where its schema is", () => {
  expect(read(commentedConfig("./s.json"))).toEqual({ $schema: "./s.json" });
  expect(read(commentedConfig("./s.json", { baseUrl: "http://x" }))).toEqual({
    $schema: "./s.json",
    baseUrl: "http://x",
  });
});

test("each member that the schema knows is there with its description, and with a value that can be used", () => {
  const text = commentedConfig("./s.json");
  const { $schema: _, ...shape } = configFileSchema.shape;
  for (const [name, { description }] of Object.entries(shape)) {
    expect(description).toBeTypeOf("string");
    expect(text).toContain(`  // ${description}\n  // "${name}": `);
  }
  expect(Object.keys(read(text.replace(/^ {2}\/\/ "/gm, '  "'))).sort()).toEqual(
    ["$schema", ...Object.keys(shape)].sort(),
  );
});
