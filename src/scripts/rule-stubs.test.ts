import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../specification/package-root.js";
import { withRuleStubs } from "./rule-stubs.js";

const read = (file: string) => readFileSync(join(packageRoot, file), "utf8");
const files = {
  catalogue: read("src/specification/catalogue/get-portfolio.ts"),
  suite: read("suites/04.5-get-portfolio.check.ts"),
  mutants: read("src/reference/mutants/get-portfolio.ts"),
};

test("a new rule gets a stub at the end of each file of its section", () => {
  const stubs = withRuleStubs("get-portfolio.currency", files);
  expect(stubs.catalogue).toMatch(/"get-portfolio\.currency": \{\n {4}section: "§4\.5",[^}]*\},[^}]*\},\n\} as const/);
  expect(stubs.catalogue.match(/get-portfolio\.currency[\s\S]*?endpoints,\n/)).not.toBeNull();
  expect(stubs.suite).toMatch(/check\("get-portfolio\.currency", .*\n\}\);\n$/);
  expect(stubs.suite).toContain("({ check, equivalent, observe }) => {");
  expect(stubs.mutants).toMatch(/\.\.\.breaking\("get-portfolio\.currency", \{[\s\S]*\}\),\n\];\n$/);
});

test("a rule that is there already gets none", () => {
  expect(() => withRuleStubs("get-portfolio.unknown-wallet", files)).toThrow("already");
});
