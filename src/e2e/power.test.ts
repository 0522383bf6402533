import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { PowerReport } from "../power/power-report.js";
import { perp, scratchFolder } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { recordRun } from "./run-folder.fixture.js";

const rules = ["get-all-positions.limit-cap", "get-orders.sorted-by-timestamp", "position.mark-price-current"] as const;

let dir: string;
beforeAll(async () => {
  dir = await scratchFolder();
  await recordRun(dir, rules);
}, 120_000);

test("tells what the run would have detected, as one document and as a page", async () => {
  const page = join(await scratchFolder(), "power.html");
  const ended = await perp(["power", dir, "--json", "--html", page]);
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  const report = JSON.parse(ended.stdout) as PowerReport;
  expect(report).toMatchObject({
    format: "perp-conformance/power",
    formatVersion: 1,
    run: { seed: 1, profile: "quick" },
  });
  const ofRule = (rule: string) => report.faults.filter((fault) => fault.rule === rule);
  expect(ofRule("get-all-positions.limit-cap").map(({ outcome }) => outcome)).toContain("killed");
  expect(ofRule("get-orders.sorted-by-timestamp").map(({ outcome }) => outcome)).toContain("killed");
  for (const { outcome, why } of ofRule("position.mark-price-current")) {
    expect(outcome).toBe("not exercised");
    expect(why).toContain("prices that move");
  }
  expect(ofRule("wire.no-null")[0]).toMatchObject({
    outcome: "not exercised",
    why: "its rule was not judged in this run",
  });
  const { killed, survived, notExercised } = report.score;
  expect(killed + survived + notExercised).toBe(report.faults.length);
  const html = await readFile(page, "utf8");
  expect(html).toContain("prefers-color-scheme:dark");
  expect(html).toContain(`Killed (${killed})`);
}, 180_000);

test("ends with 1 below the score that is asked for, and with 2 and 3 where there is nothing to trust", async () => {
  const text = await perp(["power", dir, "--quiet", "--at-least", "0"]);
  expect([text.code, text.stderr]).toEqual([0, ""]);
  expect(text.stdout).toMatch(/^\d+\.\d % of \d+ planted faults would have been detected, \d+ more need other data\n$/);
  expect((await mainHere(["power", join(dir, "nowhere")])).code).toBe(2);
  const mine = join(dir, "results.json");
  expect(await mainHere(["power", dir, "--html", mine])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not a page of this command"),
  });
  await writeFile(join(dir, "evidence", "session.json"), "{}");
  expect((await mainHere(["power", dir])).code).toBe(3);
}, 180_000);

test("ends with 1 where a score is asked for and no fault changes an answer", async () => {
  const folder = await scratchFolder();
  await recordRun(folder, [rules[2]]);
  const ended = await perp(["power", folder, "--quiet", "--at-least", "95"]);
  expect(ended).toMatchObject({ code: 1, stdout: "no planted fault changes an answer of this run\n" });
}, 120_000);

test("a run with --power has the score in its results and its summary", async () => {
  const { code, stderr, out, results } = await perp([
    "run",
    "--reference",
    "--rule",
    rules[1],
    "--power",
    "--no-report",
  ]);
  expect([code, stderr.includes("error")]).toEqual([0, false]);
  expect((await results()).power?.killed).toBeGreaterThan(0);
  expect(await readFile(join(out, "summary.md"), "utf8")).toContain("planted faults would have been detected");
}, 180_000);

test("a run that is interrupted while its power is measured ends with 130, and keeps its results", async () => {
  let isSent = false;
  const { code, stdout, results } = await perp(
    ["run", "--reference", "--rule", rules[1], "--power", "--no-report", "--progress", "ndjson"],
    (text, kill) => {
      if (isSent || !text.includes("measuring the power")) return;
      isSent = true;
      kill("SIGINT");
    },
  );
  expect(code).toBe(130);
  expect(stdout).toMatch(/\nexit 130: interrupted after all checks; without power\n$/);
  const { power, summary } = await results();
  expect([power, summary.conclusion]).toEqual([undefined, "conformant"]);
}, 180_000);
