import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { perpIn, RULE, scratchFolder } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";

test("a new configuration file is read by the next run, and is not overwritten", async () => {
  const cwd = await scratchFolder();
  const made = await perpIn({ cwd }, ["init", "--base-url", "http://127.0.0.1:9/perps/"]);
  expect(made).toMatchObject({ code: 0, stdout: "perp-conformance.jsonc\nperp-conformance.schema.json\n" });
  const text = await readFile(join(cwd, "perp-conformance.jsonc"), "utf8");
  expect(text).toContain('\n  "baseUrl": "http://127.0.0.1:9/perps",\n');
  expect(text).toContain('"$schema": "./perp-conformance.schema.json"');
  expect(
    JSON.parse(await readFile(join(cwd, "perp-conformance.schema.json"), "utf8")).properties.targets,
  ).toBeDefined();

  const run = await perpHere(["run", "--rule", RULE, "--no-report"], { cwd });
  expect(run.code).toBe(3);
  expect(run.stderr).toContain("127.0.0.1:9");

  const again = await perpHere(["init"], { cwd });
  expect(again).toMatchObject({ code: 2, stdout: "" });
  expect(again.stderr).toContain("--force");
  expect((await perpHere(["init", "--force"], { cwd })).code).toBe(0);
  expect(await readFile(join(cwd, "perp-conformance.jsonc"), "utf8")).not.toContain('\n  "baseUrl"');
});

test("a schema of somebody else is not replaced, and no configuration file is written beside it", async () => {
  const cwd = await scratchFolder();
  await writeFile(join(cwd, "perp-conformance.schema.json"), '{"mine":true}');
  expect(await perpHere(["init", "--force"], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is not the configuration schema"),
  });
  expect(await readdir(cwd)).toEqual(["perp-conformance.schema.json"]);
});

test("a second configuration file is not begun", async () => {
  const cwd = await scratchFolder();
  await writeFile(join(cwd, "perp-conformance.json"), "{}");
  expect((await perpHere(["init", "--force"], { cwd })).code).toBe(2);
  expect(await readdir(cwd)).toEqual(["perp-conformance.json"]);
});
