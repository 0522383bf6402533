import { execFile as execFileWithCallback } from "node:child_process";
import { appendFile, cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealRecord } from "../evidence/seal.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import type { Results } from "../report/results.js";
import { type Ended, perp, RULE, SMALL, scratchFolder } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { startModified } from "./servers.fixture.js";

const execFile = promisify(execFileWithCallback);
const READ_OTHERWISE = "order-book.levels-sorted";

/** A server that breaks the first of some rules, a run against it, and one of a server that is told how a text was read. */
let server: ReferenceServer;
let broken: Ended;
let chosen: Ended;
beforeAll(async () => {
  server = await startModified();
  broken = await runOf(server, "--rule", "get-all-positions.limit-cap", "--rule", "order-book.bucket-spacing");
  const healthy = await startReferenceServer(SMALL);
  chosen = await runOf(healthy, "--rule", READ_OTHERWISE, "--reading", "b4=best-first");
  await healthy.close();
}, 60_000);
afterAll(() => server.close());

function runOf({ url }: ReferenceServer, ...more: readonly string[]): Promise<Ended> {
  return perpHere(["run", "--base-url", url, "--no-report", "--seed", "1", "--rule", RULE, ...more]);
}

const rejudge = (...args: readonly string[]) => mainHere(["rejudge", ...args]);
const reproduce = (rule: string, dir: string) => mainHere(["reproduce", rule, "--from", dir]);

/** The files of a run once more, to be altered. */
async function copyOf({ out }: Ended): Promise<string> {
  const dir = join(await scratchFolder(), "run");
  await cp(out, dir, { recursive: true });
  return dir;
}

/** The verdict of each check, and how much it has asserted. */
function verdicts({ rules }: Results): [string, string, number][] {
  return rules.flatMap(({ checks }) =>
    checks.map(({ name, verdict, assertions }): [string, string, number] => [name, verdict, assertions]),
  );
}

describe("judging again", () => {
  test("gives the same verdicts on the same assertions, without the target", async () => {
    expect(broken.code).toBe(1);
    const again = await perp(["rejudge", broken.out, "--json"]);
    expect(again.code).toBe(1);
    const [before, after] = [await broken.results(), JSON.parse(again.stdout) as Results];
    expect(verdicts(after).sort()).toEqual(verdicts(before).sort());
    expect(after.rules.find(({ id }) => id === RULE)?.verdict).toBe("fail");
  });

  test("tells which verdicts depend on how the text is read, and keeps to what the run was told", async () => {
    const { out } = chosen;
    expect(chosen.code).toBe(0);
    expect(chosen.stdout).toContain("with the reading B4=best-first");
    const results = await chosen.results();
    expect(results.readings).toEqual({ B4: "best-first" });
    expect(results.command).toContain("--reading B4=best-first");
    expect(await readFile(join(out, "summary.md"), "utf8")).toContain("| Readings | `B4=best-first` |");

    const same = await rejudge(out);
    expect(same).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The same verdict for each of \d+ rules/) });
    const other = await rejudge(out, "--reading", "B4=best-last");
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(
      /^order-book\.levels-sorted: pass -> fail\n1 of \d+ rules have a different verdict by B4=best-last\./,
    );
    const json = await rejudge(out, "--reading", "B4=best-last", "--json");
    const after = JSON.parse(json.stdout) as Results;
    expect(after.readings).toEqual({ B4: "best-last" });
    expect(after.command).toBe(results.command.replace("best-first", "best-last"));
    expect((await reproduce(READ_OTHERWISE, out)).code).toBe(0);
    const page = await readFile(join(out, "disputes", READ_OTHERWISE, "index.html"), "utf8");
    expect(page).toContain("This reading was chosen for the run.");
    expect(page).toMatch(/B4=best-first<\/code>.*passed</);
    expect(page).toMatch(/B4=best-last<\/code>.*failed</);
    const none = await rejudge(out, "--reading", "B4=standard");
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining("by the readings of the rulings.") });
  });

  test("by a newer version names each verdict that it gives otherwise, and rules that are new or gone", async () => {
    const dir = await copyOf(broken);
    const results = await broken.results();
    const [first, second] = results.rules;
    if (!first || !second) throw new Error("the catalogue has no rules");
    const older: Results = {
      ...results,
      harness: { ...results.harness, version: "0.0.1" },
      specification: { ...results.specification, catalogueDigest: "another" },
      rules: [
        ...results.rules
          .filter(({ id }) => id !== first.id)
          .map((rule) => (rule.id === RULE ? { ...rule, verdict: "pass" as const } : rule)),
        { ...second, id: "a.rule-of-old", verdict: "warn" },
      ],
    };
    const session = join(dir, "evidence", "session.json");
    const digest = results.specification.catalogueDigest;
    await writeFile(session, (await readFile(session, "utf8")).replace(digest, "another"));
    const evidence = { digest: await sealRecord(join(dir, "evidence")) };
    await writeFile(join(dir, "results.json"), JSON.stringify({ ...older, evidence }));
    const { code, stdout } = await rejudge(dir);
    expect(code).toBe(1);
    const { version } = results.harness;
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      `${first.id}: not in the catalogue -> ${first.verdict}`,
      `${RULE}: pass -> fail`,
      "a.rule-of-old: warn -> not in the catalogue",
      `3 of ${results.rules.length} rules have a different verdict (harness 0.0.1 then, ${version} now, other rules).`,
    ]);
    // What another reading changes is told apart from what another version changes.
    const both = await rejudge(dir, "--reading", "B8=middles");
    expect(both.stdout).toContain(`${RULE}: pass -> fail`);
    expect(both.stdout).toMatch(/The same verdict for each of \d+ rules by B8=middles\./);
  });

  test("refuses a reading that cannot be chosen, and says which can", async () => {
    const run = await perpHere(["run", "--reference", "--reading", "B9=any"]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: "" });
    expect(run.stderr).toContain("Rulings with a choice: W5, S4,");
  });

  test("refuses a record that was altered or cut off, and a folder without a run", async () => {
    const dir = await copyOf(chosen);
    const evidence = join(dir, "evidence");
    const [file = ""] = (await readdir(evidence)).filter((name) => name.startsWith("exchanges-worker"));
    await appendFile(join(evidence, file), "{}\n");
    const altered = await rejudge(dir);
    expect({ code: altered.code, stdout: altered.stdout }).toEqual({ code: 3, stdout: "" });
    expect(altered.stderr).toContain("was altered");
    await rm(join(evidence, "seal.json"));
    expect((await rejudge(dir)).stderr).toContain("has no seal");
    expect((await rejudge(join(dir, "nowhere"))).code).toBe(2);
  });
});

describe("a bundle about one verdict", () => {
  test("holds the page, the requests and the evidence from which it is judged again", async () => {
    expect((await perp(["reproduce", RULE, "--from", broken.out])).code).toBe(0);
    const bundle = join(broken.out, "disputes", RULE);
    const page = await readFile(join(bundle, "index.html"), "utf8");
    for (const part of ["failed", "the page size is 50", "<mark>&#34;limit&#34;: 49</mark>", `--rule ${RULE}`])
      expect(page).toContain(part);
    expect(page).not.toMatch(/<(script|img|link|iframe)\b|\ssrc=/i);
    const answer = await readFile(join(bundle, "exchanges/001.answer.json"), "utf8");
    expect(answer).toMatch(/^ {4}"limit": 49/m);
    expect((await stat(`${bundle}.zip`)).size).toBeGreaterThan(1000);

    const options = { cwd: bundle, maxBuffer: 64 * 1024 * 1024 };
    // Vite has a BASE_URL of its own.
    const { BASE_URL: _, ...env } = process.env;
    const sent = await execFile("sh", ["requests.sh"], { ...options, env });
    expect(sent.stdout).toContain('"limit":49');
    // Any other server can be asked the same.
    const other = await startReferenceServer();
    try {
      const elsewhere = await execFile("sh", ["requests.sh"], {
        ...options,
        env: { ...env, BASE_URL: other.url },
      });
      // The first answer is the one in dispute; others may be pages of 49 that were asked for.
      const [first] = elsewhere.stdout.split("\n== ");
      expect(first).toContain('"limit":50');
      expect(first).not.toContain('"limit":49');
    } finally {
      await other.close();
    }
    const again = await rejudge(bundle);
    expect(again.code).toBe(1);
    expect(again.stdout).toContain("The same verdict");
  });

  test("cannot be made for a rule that does not exist or was not judged", async () => {
    expect((await reproduce("no.such-rule", chosen.out)).code).toBe(2);
    const notJudged = await reproduce("order-book.bucket-spacing", chosen.out);
    expect(notJudged).toMatchObject({ code: 2, stdout: "" });
    expect(notJudged.stderr).toContain("no verdict");
  });
});
