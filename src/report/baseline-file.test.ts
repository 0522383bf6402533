import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { packageRoot } from "../specification/package-root.js";
import { baselineSchema, readBaseline, writeBaseline } from "./baseline-file.js";

const entry = { rule: "a.b", reason: "being fixed", issue: "https://issues.example/1", expires: "2026-12-31" };

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "baseline.json");
});

test("the published JSON Schema of the baseline is the one that is applied", () => {
  const { $schema, $id, title, description, ...published } = JSON.parse(
    readFileSync(join(packageRoot, "schemas/baseline.schema.json"), "utf8"),
  );
  const { $schema: dialect, ...applied } = z.toJSONSchema(baselineSchema);
  expect(published).toEqual(applied);
  expect({ $schema, $id }).toEqual({ $schema: dialect, $id: "urn:perp-conformance:baseline" });
  expect([title, description]).toEqual([expect.any(String), expect.any(String)]);
});

test("what is written is read again", async () => {
  const entries = [entry, { rule: "a.b", endpoint: "GetOrders", reason: "x", expires: "2027-01-01" }];
  await writeBaseline(file, entries);
  expect(readBaseline(file)).toEqual(entries);
});

test("an entry may name an operation alone", () => {
  const { rule: _, ...operation } = { ...entry, endpoint: "GetOrders" };
  writeFileSync(file, JSON.stringify({ entries: [operation, entry] }));
  expect(readBaseline(file)).toEqual([operation, entry]);
});

test("may name a schema for editors, and nothing but the entries is needed", () => {
  writeFileSync(file, JSON.stringify({ $schema: "./baseline.schema.json", entries: [entry] }));
  expect(readBaseline(file)).toEqual([entry]);
});

test.each([
  ["is not JSON", "{", /JSON/],
  ["has no entries", "{}", /entries/],
  ["has an unknown member", JSON.stringify({ entries: [], rules: [] }), /rules/],
  [
    "has an entry without a reason",
    JSON.stringify({ entries: [{ ...entry, reason: "" }] }),
    /entry 1 \(a\.b\): reason: /,
  ],
  [
    "has an entry that does not say how long",
    JSON.stringify({ entries: [entry, { rule: "a.c", reason: "x" }] }),
    /entry 2 \(a\.c\): expires is missing$/,
  ],
  ["has an entry without a day", JSON.stringify({ entries: [{ ...entry, expires: "soon" }] }), /expires/],
  ["has a day that does not exist", JSON.stringify({ entries: [{ ...entry, expires: "2026-02-30" }] }), /expires/],
  ["links an issue that is no link", JSON.stringify({ entries: [{ ...entry, issue: "javascript:x" }] }), /issue/],
  ["names neither rule nor operation", JSON.stringify({ entries: [{ ...entry, rule: undefined }] }), /neither a rule/],
  [
    "names a check without its rule",
    JSON.stringify({ entries: [{ ...entry, rule: undefined, endpoint: "GetOrders", check: "a.b on GetOrders" }] }),
    /a check without its rule/,
  ],
  ["lists a rule twice", JSON.stringify({ entries: [entry, entry] }), /lists a\.b twice/],
])("a file that %s is refused, and its name is said", (_, text, reason) => {
  writeFileSync(file, text);
  expect(() => readBaseline(file)).toThrow(reason);
  expect(() => readBaseline(file)).toThrow(file);
});

test("a file that is not there is refused", () => {
  expect(() => readBaseline(file)).toThrow(/there is no such file/);
});
