import { execFile as execFileWithCallback } from "node:child_process";
import { appendFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { sealRecord } from "../evidence/seal.js";
import { findDeparture } from "../reference/departures.js";
import { startReferenceServer } from "../reference/server.js";
import type { Results } from "../report/results.js";
import { MUTANT, perp, RULE, SMALL } from "./binary.fixture.js";

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
    const server = await startReferenceServer({ ...SMALL, ...(departure ? { departure } : {}) });
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
    const run = await perp(["run", "--reference", "--no-report", "--quiet", ...SELECTION]);
    const { code, stdout } = await perp(["rejudge", run.out]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/The same verdict for each of \d+ rules/);
  });

  test("tells which verdicts depend on how the text is read, and keeps to what the run was told", async () => {
    const run = await perp([
      "run",
      "--reference",
      "--no-report",
      "--reading",
      "b4=best-first",
      "--rule",
      "order-book.levels-sorted",
    ]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("read by B4=best-first");
    const results = await run.results();
    expect(results.readings).toEqual({ B4: "best-first" });
    expect(results.command).toContain("--reading B4=best-first");
    expect(await readFile(join(run.out, "summary.md"), "utf8")).toContain("| Readings | `B4=best-first` |");

    expect((await perp(["rejudge", run.out])).stdout).toMatch(/^The same verdict for each of \d+ rules/);
    const other = await perp(["rejudge", run.out, "--reading", "B4=best-last"]);
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(
      /^order-book\.levels-sorted: pass -> fail\n1 of \d+ rules have another verdict by B4=best-last\./,
    );
    const json = await perp(["rejudge", run.out, "--reading", "B4=best-last", "--json"]);
    const after = JSON.parse(json.stdout) as Results;
    expect(after.readings).toEqual({ B4: "best-last" });
    expect(after.command).toBe(results.command.replace("best-first", "best-last"));
    expect((await perp(["reproduce", "order-book.levels-sorted", "--from", run.out])).code).toBe(0);
    const page = await readFile(join(run.out, "disputes", "order-book.levels-sorted", "README.md"), "utf8");
    expect(page).toContain("This reading was chosen for the run.");
    expect(page).toMatch(/\*best-first\*: .* the verdict is \*\*pass\*\*/);
    expect(page).toMatch(/\*best-last\*: .* the verdict is \*\*fail\*\*/);
    const none = await perp(["rejudge", run.out, "--reading", "B4=standard"]);
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining("by the readings of the rulings.") });
  });

  test("by a newer version names each verdict that it gives otherwise, and rules that are new or gone", async () => {
    const run = await perp(["run", "--reference", "--no-report", "--quiet", ...SELECTION]);
    const results = await run.results();
    const [first, second] = results.rules;
    if (!first || !second) throw new Error("the catalogue has no rules");
    const older: Results = {
      ...results,
      harness: { ...results.harness, version: "0.0.1" },
      specification: { ...results.specification, catalogueDigest: "another" },
      rules: [
        ...results.rules
          .filter(({ id }) => id !== first.id)
          .map((rule) => (rule.id === RULE ? { ...rule, verdict: "fail" as const } : rule)),
        { ...second, id: "a.rule-of-old", verdict: "warn" },
      ],
    };
    const session = join(run.out, "evidence", "session.json");
    const digest = results.specification.catalogueDigest;
    await writeFile(session, (await readFile(session, "utf8")).replace(digest, "another"));
    const evidence = { digest: await sealRecord(join(run.out, "evidence")) };
    await writeFile(join(run.out, "results.json"), JSON.stringify({ ...older, evidence }));
    const { code, stdout } = await perp(["rejudge", run.out]);
    expect(code).toBe(0);
    const { version } = results.harness;
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      `${first.id}: not in the catalogue -> ${first.verdict}`,
      `${RULE}: fail -> pass`,
      "a.rule-of-old: warn -> not in the catalogue",
      `3 of ${results.rules.length} rules have another verdict (harness 0.0.1 then, ${version} now, other rules).`,
    ]);
    // What another reading changes is told apart from what another version changes.
    const both = await perp(["rejudge", run.out, "--reading", "B8=middles"]);
    expect(both.stdout).toContain(`${RULE}: fail -> pass`);
    expect(both.stdout).toMatch(/The same verdict for each of \d+ rules by B8=middles\./);
  });

  test("refuses a reading that cannot be chosen, and says which can", async () => {
    const run = await perp(["run", "--reference", "--reading", "B9=any"]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: "" });
    expect(run.stderr).toContain("Rulings with a choice: W5, S4,");
  });

  test("refuses a record that was altered or cut off, and a folder without a run", async () => {
    const run = await perp(["run", "--reference", "--no-report", "--quiet", "--rule", RULE]);
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
    const server = await startReferenceServer({ ...SMALL, ...(departure ? { departure } : {}) });
    const run = await perp(["run", "--base-url", server.url, "--no-report", "--quiet", ...SELECTION]);
    const made = await perp(["reproduce", RULE, "--from", run.out]);
    expect(made.code).toBe(0);
    const bundle = join(run.out, "disputes", RULE);
    const page = await readFile(join(bundle, "README.md"), "utf8");
    for (const part of ["fail", "the page size is 50", '"limit":49', `--rule ${RULE}`]) expect(page).toContain(part);
    expect((await stat(`${bundle}.zip`)).size).toBeGreaterThan(1000);

    const sent = await execFile("sh", ["requests.sh"], { cwd: bundle, maxBuffer: 64 * 1024 * 1024 });
    await server.close();
    expect(sent.stdout).toContain('"limit":49');
    const again = await perp(["rejudge", bundle]);
    expect(again.code).toBe(1);
    expect(again.stdout).toContain("The same verdict");
  });

  test("cannot be made for a rule that does not exist or was not judged", async () => {
    const run = await perp(["run", "--reference", "--no-report", "--quiet", "--rule", RULE]);
    expect((await perp(["reproduce", "no.such-rule", "--from", run.out])).code).toBe(2);
    const notJudged = await perp(["reproduce", "order-book.bucket-spacing", "--from", run.out]);
    expect(notJudged).toMatchObject({ code: 2, stdout: "" });
    expect(notJudged.stderr).toContain("no verdict");
  });
});
