import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { packageRoot } from "./specification/package-root.js";

const folder = join(packageRoot, "schemas");
const files = readdirSync(folder).filter((name) => name.endsWith(".schema.json"));
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly $id: string };

test.each(files)("%s compiles in the strict mode of ajv", (name) => {
  // What any JSON may be held against says nothing of its type.
  const ajv = addFormats.default(
    new Ajv2020({ strict: true, ...(name.startsWith("error.") && { strictTypes: false, strictRequired: false }) }),
  );
  // Which rule a part of an answer's schema stands for is said beside it.
  ajv.addKeyword("x-rule");
  for (const other of files) if (other !== name) ajv.addSchema(read(other));
  expect(ajv.compile(read(name))).toBeTypeOf("function");
});
