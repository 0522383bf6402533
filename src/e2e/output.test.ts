import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReferenceServer } from "../reference/server.js";
import type { ProgressEvent } from "../report/progress-ndjson.js";
import type { Results } from "../report/results.js";
import { schemaErrors } from "../report/schema.fixture.js";
import { MUTANT, perp, RULE, scratchFolder } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { recordRun } from "./run-folder.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { startModified } from "./servers.fixture.js";

let server: ReferenceServer;
let run: string[];
beforeAll(async () => {
  server = await startModified();
  run = ["run", "--base-url", server.url, "--rule", RULE, "--no-report"];
});
afterAll(() => server.close());

describe("with --json", () => {
  test("a run prints its results and nothing else, and tells tools how it goes on", async () => {
    const { code, stdout, stderr, results } = await perp([...run, "--json", "--progress", "ndjson"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual(await results());
    const events = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as ProgressEvent);
    expect(events[0]).toEqual({ event: "phase", phase: "discovering subjects" });
    const checks = events.filter(({ event }) => event === "check");
    expect(checks).toContainEqual(expect.objectContaining({ rule: RULE, verdict: "fail" }));
    const expected = Math.max(...events.map((event) => (event.event === "progress" ? event.expected : 0)));
    expect(checks).toHaveLength(expected);
    expect(events.at(-1)).toEqual({ event: "end", exitCode: 1 });
  });

  test("a run on GitHub keeps its annotations away from the document", async () => {
    const { stdout, stderr } = await perpHere([...run, "--json"], { env: { GITHUB_ACTIONS: "true" } });
    expect((JSON.parse(stdout) as Results).summary.conclusion).toBe("not-conformant");
    expect(stderr).toMatch(/^::error title=/m);
  });

  test("a run of several targets prints those of each, with its exit code", async () => {
    const folder = await scratchFolder();
    const targets = ["one", "two"].map((name) => ({ name, baseUrl: server.url }));
    const config = join(folder, "several.json");
    await writeFile(config, JSON.stringify({ targets }));
    const args = ["run", "--config", config, "--rule", RULE, "--no-report", "--out", join(folder, "out"), "--json"];
    const { code, stdout } = await perpHere(args);
    expect({ code, document: JSON.parse(stdout) }).toMatchObject({
      code: 1,
      document: {
        ...{ format: "perp-conformance/targets", exitCode: 1 },
        targets: targets.map(({ name }) => ({ name, exitCode: 1, results: { format: "perp-conformance/results" } })),
      },
    });
  });

  test.each<[what: string, args: string[], code: number, message: RegExp]>([
    ["an option that does not exist", ["run", "--nope"], 2, /unknown option/],
    ["a URL without its option", ["run", "http://127.0.0.1:8080"], 2, /goes after --base-url/],
    ["an argument that is no option", ["run", "quick"], 2, /unexpected argument 'quick'/],
    ["a rule that does not exist", ["explain", `${RULE}s`], 2, /there is no rule/],
    ["a file that is not there", ["verify", "/nowhere/statement.json"], 2, /statement/],
    ["a mutant that does not exist", ["prove", "--mutant", `${MUTANT}s`], 2, /did you mean/],
    ["a target that does not exist", ["run"], 2, /nothing says what to test/],
  ])("%s is a document too", async (_, args, code, message) => {
    const ended = await mainHere([...args, "--json"]);
    const document = JSON.parse(ended.stdout);
    expect({ code: ended.code, document }).toEqual({
      code,
      document: {
        format: "perp-conformance/error",
        formatVersion: 1,
        exitCode: code,
        messages: [expect.stringMatching(message)],
      },
    });
    expect(schemaErrors("command-error", document)).toBeNull();
  });

  test("what a run would send is a document", async () => {
    const { code, stdout } = await mainHere([...run, "--dry-run", "--json"]);
    expect(code).toBe(0);
    const { targets } = JSON.parse(stdout) as { targets: { total: number; suites: { checks: number }[] }[] };
    expect(targets).toHaveLength(1);
    expect(targets[0]?.total).toBeGreaterThan(1_000);
    expect(targets[0]?.suites[0]?.checks).toBeGreaterThan(0);
  });

  test("what is merged, reproduced or stated is a document, and so is why nothing can be", async () => {
    const dir = join(await scratchFolder(), "run");
    const results = await recordRun(dir, [RULE], MUTANT);
    const documentOf = async (args: readonly string[]) => {
      const { code, stdout, stderr } = await mainHere([...args, "--json"]);
      expect(stderr).toBe("");
      return { code, document: JSON.parse(stdout) };
    };
    const out = join(await scratchFolder(), "merged");
    const merged = await documentOf(["merge", dir, "--out", out, "--no-report"]);
    expect(merged.code).toBe(1);
    expect(merged.document).toEqual(JSON.parse(await readFile(join(out, "results.json"), "utf8")));
    expect(merged.document.summary).toMatchObject({ conclusion: "not-conformant", verdicts: results.summary.verdicts });

    const { code, document } = await documentOf(["reproduce", RULE, "--from", dir]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ format: "perp-conformance/reproduction", rule: RULE, verdict: "fail" });
    expect(document.exchanges).toBeGreaterThan(0);
    await Promise.all([document.files.page, document.files.bundle].map((file: string) => stat(file)));

    const refused = await documentOf(["statement", dir]);
    expect(refused).toMatchObject({ code: 1, document: { format: "perp-conformance/stated", exitCode: 1 } });
    expect(refused.document.refused).toContainEqual(expect.stringMatching(/--profile full/));
    expect(refused.document.open).toContainEqual(expect.objectContaining({ id: "order-book.levels-sorted" }));
  });

  test("rules and explanations are documents", async () => {
    const listed = JSON.parse((await mainHere(["rules", "--json"])).stdout) as { rules: { id: string }[] };
    const explained = JSON.parse((await mainHere(["explain", RULE, "--json"])).stdout);
    expect(explained.rule).toEqual(listed.rules.find(({ id }) => id === RULE));
    expect(explained.mutants).toContainEqual(expect.objectContaining({ name: MUTANT }));
    const withReading = JSON.parse((await mainHere(["explain", "order-book.cumulative-total", "--json"])).stdout);
    expect(withReading).toMatchObject({
      format: "perp-conformance/explanation",
      rule: { id: "order-book.cumulative-total" },
    });
  });
});

describe("a log", () => {
  test("has each failure once", async () => {
    const { stdout, stderr } = await perpHere(run);
    expect((stdout + stderr).match(new RegExp(`FAIL ${RULE}`, "g"))).toHaveLength(1);
  });

  test("of GitHub has it as the annotation alone", async () => {
    const { stdout, stderr } = await perpHere(run, { env: { CI: "true", GITHUB_ACTIONS: "true" } });
    expect(stdout).toMatch(new RegExp(`^::error title=${RULE} on GetAllPositions::`, "m"));
    expect(stdout + stderr).not.toContain("FAIL ");
  });

  test("of GitHub has what kept a run from starting as an annotation, too", async () => {
    const ended = await perpHere(["run", "--reference", "--seed", "-1"], { env: { GITHUB_ACTIONS: "true" } });
    expect(ended).toMatchObject({
      ...{ code: 2, stdout: "" },
      stderr: "::error title=perp-conformance::--seed: it must be at least 0, got -1\n",
    });
  });
});

test.each([
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true],
  [{ FORCE_COLOR: "0" }, false],
  [{ NO_COLOR: "1" }, false],
  [{}, false],
])("colours are as %j says", async (env, coloured) => {
  const { stdout } = await perpHere([...run, "--quiet"], { env: { FORCE_COLOR: "", NO_COLOR: "", ...env } });
  expect(stdout.includes("\u001b[31m")).toBe(coloured);
});
