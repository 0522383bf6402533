import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { schemaErrors } from "../report/schema.fixture.js";
import { perpIn, RULE, SMALL, scratchFolder } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";

/** A suite of one's own with two rules, one of which does not hold. */
const SUITE = `
import { type CheckContext, rule, suite } from "perp-conformance";

const about = { section: "§4.1", endpoints: ["GetAllPositions"], impact: "Pages differ." } as const;
const kept = rule("x-acme.limit-kept", { ...about, statement: "A limit of 7 is kept.", level: "mandatory" });
const broken = rule("x-acme.limit-doubled", { ...about, statement: "A limit is doubled.", level: "mandatory" });

export default suite("Acme", ({ check }) => {
  for (const [id, limit] of [[kept, 7], [broken, 14]] as const) {
    check(id, async ({ call, verify }: CheckContext) => {
      verify(await call.getAllPositions({ limit: 7 })).at("pagination.limit").equals(limit);
    });
  }
});
`;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await scratchFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

let server: ReferenceServer;
let target: readonly string[];
beforeAll(async () => {
  server = await startReferenceServer(SMALL);
  target = ["--base-url", server.url];
});
afterAll(() => server.close());

describe.concurrent("a suite of one's own", () => {
  test("runs with the others; what its rules find is shown and exits with 1, but does not affect conformance", async () => {
    const cwd = await folderWith({ "acme (own).check.ts": SUITE });
    const args = ["run", ...target, "--suites", "acme (own).check.ts", "--no-report"];
    const rules = [RULE, "x-acme.limit-kept", "x-acme.limit-doubled"].flatMap((id) => ["--rule", id]);
    const { code, stdout, out, results } = await perpIn({ cwd }, [...args, ...rules]);
    expect(stdout).toMatch(/^FAIL x-acme\.limit-doubled on GetAllPositions$/m);
    expect(stdout).toMatch(
      /^CONFORMANT, exit 1: 1 rule of your own violated \(.*\); 1 rule passed, \d+ not run; own: 1 rule passed, 1 failed;/m,
    );
    expect(code).toBe(1);

    const made = await results();
    expect(made.summary).toMatchObject({ conformant: true, own: { pass: 1, fail: 1 } });
    expect(made.rules.filter(({ own }) => own).map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      "x-acme.limit-doubled fail",
      "x-acme.limit-kept pass",
    ]);
    // Their suites are not in the evidence: what is judged again is the specification's rule.
    const again = await perpHere(["rejudge", out], { cwd });
    expect(again.stdout).toMatch(/^The same verdict for each of \d+ rules/);
    expect(again.code).toBe(0);

    expect(schemaErrors("results", made)).toBeNull();
  });

  test("is named in the configuration file as well, and may be all there is to a run", async () => {
    const cwd = await folderWith({
      "own.ts": SUITE,
      "perp-conformance.json": JSON.stringify({ suites: ["own.ts"] }),
    });
    const { code, stdout } = await perpIn({ cwd }, [
      "run",
      ...target,
      "--rule",
      "x-acme.limit-kept",
      "--no-report",
      "--quiet",
    ]);
    expect(stdout).toMatch(/^UNDECIDED \(only own rules were judged; selected rules only\): .*own: 1 rule passed;/);
    expect(code).toBe(0);
  });

  test("that checks a rule of the catalogue, or cannot be loaded, is a problem of the harness", async () => {
    const cwd = await folderWith({
      "theirs.ts": SUITE.replace("for (const", `check("${RULE}", async () => {});\n for (const`),
      "broken.ts": "throw new Error('a crash of the suite');",
    });
    const args = ["run", ...target, "--suites", "theirs.ts", "broken.ts", "--rule", RULE, "--no-report"];
    const { code, stdout } = await perpIn({ cwd }, args);
    expect(stdout).toMatch(/theirs\.ts: .*is not a rule of your own/);
    expect(stdout).toMatch(/broken\.ts: .*a crash of the suite/);
    expect(code).toBe(3);
  });

  test("that does not have the rule that was asked for is told", async () => {
    const cwd = await folderWith({ "own.ts": SUITE });
    const run = ["run", ...target, "--rule", "x-acme.limit-halved", "--no-report"];
    const without = await perpHere(run, { cwd });
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("give the file of its suite with --suites");
    const { code, stdout, stderr } = await perpIn({ cwd }, [...run, "--suites", "own.ts"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain('there is no rule of your own "x-acme.limit-halved" (did you mean "x-acme.limit-');
  });

  test("whose file is larger than source code, or none, is refused before anything is sent", async () => {
    const cwd = await folderWith({ "big.ts": "//".padEnd(2_000_000) });
    for (const [file, says] of [
      ["big.ts", /^error: the suite .*big\.ts .*1 MB/],
      ["/dev/zero", /^error: the suite \/dev\/zero /],
    ] as const) {
      const { code, stdout, stderr } = await perpHere(["run", ...target, "--suites", file, "--no-report"], { cwd });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(says);
    }
  });

  test("can be selected by its title, and is known to `rules` and `explain`", async () => {
    const config = JSON.stringify({ suites: ["own.ts"] });
    const cwd = await folderWith({ "own.ts": SUITE, "perp-conformance.json": config });
    const run = await perpIn({ cwd }, ["run", ...target, "--suite", "acme", "--no-report", "--quiet"]);
    expect(run.stdout).toContain("own: 1 rule passed, 1 failed;");
    expect((await run.results()).selection.suites).toEqual(["Acme"]);

    const wrong = await perpIn({ cwd }, ["run", ...target, "--suite", "acne", "--no-report"]);
    expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({
      code: 2,
      stderr: 'error: there is no suite "acne" (did you mean "Acme"?)\n',
    });
    const [listed, explained, unknown] = await Promise.all([
      perpHere(["rules"], { cwd }),
      perpHere(["explain", "x-acme.limit-kept", "--suites", "own.ts"], { cwd }),
      perpHere(["explain", "x-acme.limit-kpt"], { cwd }),
    ]);
    expect(listed.stdout).toMatch(/^x-acme\.limit-doubled +mandatory +1 +§4\.1 +A limit is doubled\.$/m);
    expect(explained.stdout).toMatch(/^x-acme\.limit-kept\nA limit of 7 is kept\.\n/);
    expect(unknown.stderr).toContain('did you mean "x-acme.limit-kept"?');
  });
});
