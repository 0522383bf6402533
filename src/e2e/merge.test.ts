import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readResults } from "../report/read-results.js";
import type { Results } from "../report/results.js";
import { perp, scratchFolder } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { startModified } from "./servers.fixture.js";

/** Breaks a rule that shows on any answer, also those of a shard that does not have the rule's own checks. */
const MUTANT = "get-all-orders-as-text";
const RULES = ["get-all-positions.limit-default", "wire.content-type", "pagination.limit"];

/** What a run says of each rule, but for the exchanges: shards have a discovery each. */
function verdicts({ rules, summary }: Results) {
  return {
    summary: { ...summary, operations: summary.operations.map(({ name, worked }) => [name, worked]) },
    rules: rules.map(({ id, verdict, reason, note, checks }) => ({
      rule: [id, verdict, reason, note],
      checks: checks.map(({ name, verdict, violations = [] }) => [name, verdict, violations.length > 0]),
    })),
  };
}

async function resultsIn(dir: string): Promise<Results> {
  return JSON.parse(await readFile(join(dir, "results.json"), "utf8")) as Results;
}

test("three shards merged equal the run as a whole, rule by rule, and can be judged again", async () => {
  const server = await startModified(MUTANT);
  try {
    const run = [
      "run",
      "--base-url",
      server.url,
      "--seed",
      "7",
      ...RULES.flatMap((id) => ["--rule", id]),
      "--no-report",
    ];
    const whole = await perpHere(run);
    const shards = await Promise.all(
      [1, 2, 3].map((index) => (index === 1 ? perp : perpHere)([...run, "--shard", `${index}/3`])),
    );
    const [one, two, three] = shards.map(({ out }) => out) as [string, string, string];
    const out = join(await scratchFolder(), "merged");
    const merged = await perp(["merge", three, one, two, "--out", out]);
    expect(merged.stdout).toMatch(/^FAIL wire\.content-type/m);
    expect(merged.code).toBe(1);
    expect(whole.code).toBe(1);
    const results = await resultsIn(out);
    expect(verdicts(results)).toEqual(verdicts(await whole.results()));
    expect(
      results.rules
        .filter(({ checks }) => checks.length > 0)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...RULES].sort());
    const third = (await resultsIn(three)).rules.find(({ id }) => id === "wire.content-type");
    expect(third?.checks.every(({ name }) => name.includes("on every answer of"))).toBe(true);
    expect(third?.verdict).toBe("fail");

    // Each exchange that a violation names is in the evidence of the whole.
    const har = await readFile(join(out, "evidence.har"), "utf8");
    const named = (await readResults(out)).rules.flatMap(({ checks }) => checks.flatMap(({ exchanges }) => exchanges));
    expect(named.filter((id) => !har.includes(JSON.stringify(id).slice(1, -1)))).toEqual([]);
    expect(await readdir(out)).toEqual(expect.arrayContaining(["junit.xml", "summary.md", "allure-results", "shards"]));

    const again = await mainHere(["rejudge", out]);
    expect(again.stdout).toMatch(/^The same verdict for each of \d+ rules/);

    const inTheWay = await mainHere(["merge", one, two, three, "--out", two]);
    expect(inTheWay.stderr).toContain("choose another --out");
    const missing = await mainHere(["merge", one, three, "--out", out]);
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toContain("of 3 shards, there is none with the number 2");

    // A rule that a shard judged, but whose results leave it out.
    const text = await readFile(join(one, "results.json"), "utf8");
    const { rules, ...rest } = JSON.parse(text) as Results;
    const without = { ...rest, rules: rules.filter(({ id }) => id !== "wire.content-type") };
    await writeFile(join(one, "results.json"), JSON.stringify(without));
    const hidden = await mainHere(["merge", one, two, three, "--out", out]);
    expect(hidden).toMatchObject({ code: 3, stdout: "" });
    expect(hidden.stderr).toMatch(/wire\.content-type is absent in the results, and (pass|fail) by the evidence/);
    await writeFile(join(one, "results.json"), text);

    await writeFile(join(two, "evidence/session.json"), "{}");
    const altered = await mainHere(["merge", one, two, three, "--out", out]);
    expect(altered).toMatchObject({ code: 3, stdout: "" });
    expect(altered.stderr).toContain("session.json was altered");
  } finally {
    await server.close();
  }
});
