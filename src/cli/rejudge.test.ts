import { execFile as execFileWithCallback } from "node:child_process";
import { appendFile, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { findDeparture } from "../reference/departures.js";
import { startReferenceServer } from "../reference/server.js";
import type { Results } from "../report/results.js";
import { MUTANT, perp, RULE } from "./binary.fixture.js";

const execFile = promisify(execFileWithCallback);
const SELECTION = ["--rule", RULE, "--rule", "get-all-positions.limit-cap", "--rule", "order-book.bucket-spacing"];

/** The verdict of each check, and how much it has asserted. */
function verdicts({ rules }: Results): [string, string, number][] {
  return rules.flatMap(({ checks }) =>
    checks.map(({ name, verdict, assertions }): [string, string, number] => [name, verdict, assertions]),
  );
}

describe.concurrent("judging again", () => {
  test("gives the same verdicts on the same assertions, without the target", async () => {
    const departure = findDeparture("mutant", MUTANT);
    const server = await startReferenceServer(departure ? { departure } : {});
    const run = await perp(["run", "--base-url", server.url, "--no-report", ...SELECTION]);
    await server.close();
    expect(run.code).toBe(1);
    const again = await perp(["rejudge", run.out, "--json"]);
    expect(again.code).toBe(1);
    const [before, after] = [await run.results(), JSON.parse(again.stdout) as Results];
    expect(verdicts(after).sort()).toEqual(verdicts(before).sort());
    expect(after.rules.find(({ id }) => id === RULE)?.verdict).toBe("fail");
  });

  test("says in words that nothing changed", async () => {
    const run = await perp(["run", "--no-report", "--quiet", ...SELECTION]);
    const { code, stdout } = await perp(["rejudge", run.out]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/The same verdict for each of \d+ rules/);
  });

  test("refuses a record that was altered or cut off, and a folder without a run", async () => {
    const run = await perp(["run", "--no-report", "--quiet", "--rule", RULE]);
    const evidence = join(run.out, "evidence");
    const [file = ""] = (await readdir(evidence)).filter((name) => name.startsWith("exchanges-worker"));
    await appendFile(join(evidence, file), "{}\n");
    const altered = await perp(["rejudge", run.out]);
    expect({ code: altered.code, stdout: altered.stdout }).toEqual({ code: 3, stdout: "" });
    expect(altered.stderr).toContain("was altered");
    await rm(join(evidence, "seal.json"));
    expect((await perp(["rejudge", run.out])).stderr).toContain("has no seal");
    expect((await perp(["rejudge", join(run.out, "nowhere")])).code).toBe(2);
  });
});

describe.concurrent("a bundle about one verdict", () => {
  test("holds the page, the requests and the evidence from which it is judged again", async () => {
    const departure = findDeparture("mutant", MUTANT);
    const server = await startReferenceServer(departure ? { departure } : {});
    const run = await perp(["run", "--base-url", server.url, "--no-report", "--quiet", ...SELECTION]);
    const made = await perp(["reproduce", RULE, "--from", run.out]);
    expect(made.code).toBe(0);
    const bundle = join(run.out, "disputes", RULE);
    const page = await readFile(join(bundle, "README.md"), "utf8");
    for (const part of ["fail", "the page size is 50", '"limit":49', `--rule ${RULE}`]) expect(page).toContain(part);
    expect((await stat(`${bundle}.zip`)).size).toBeGreaterThan(1000);

    const sent = await execFile("sh", ["requests.sh"], { cwd: bundle });
    await server.close();
    expect(sent.stdout).toContain('"limit":49');
    const again = await perp(["rejudge", bundle]);
    expect(again.code).toBe(1);
    expect(again.stdout).toContain("The same verdict");
  });

  test("cannot be made for a rule that does not exist or was not judged", async () => {
    const run = await perp(["run", "--no-report", "--quiet", "--rule", RULE]);
    expect((await perp(["reproduce", "no.such-rule", "--from", run.out])).code).toBe(2);
    const notJudged = await perp(["reproduce", "order-book.bucket-spacing", "--from", run.out]);
    expect(notJudged).toMatchObject({ code: 2, stdout: "" });
    expect(notJudged.stderr).toContain("no verdict");
  });
});
