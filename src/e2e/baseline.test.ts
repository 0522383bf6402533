import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import type { BaselineEntry } from "../report/baseline-report.js";
import { RULE, SMALL, scratchFolder } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { startModified } from "./servers.fixture.js";

const OTHER = "get-all-positions.limit-cap";
/** A rule that an empty platform leaves open. */
const EVIDENCE = "order.identity";
const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-12-31`;

let server: ReferenceServer;
let sound: ReferenceServer;
beforeAll(async () => {
  server = await startModified();
  sound = await startReferenceServer(SMALL);
});
afterAll(() => Promise.all([server.close(), sound.close()]));

/** A run of two rules, of which the server breaks the first, gated by a baseline with these entries. */
async function gated(entries: Partial<BaselineEntry>[], ...more: string[]) {
  const file = join(await scratchFolder(), "baseline.json");
  const whole = entries.map((entry) => ({ reason: "in work", expires: NEXT_YEAR, ...entry }));
  await writeFile(file, JSON.stringify({ entries: whole }));
  return run("--baseline", file, ...more);
}

function run(...more: string[]) {
  const rules = ["--rule", RULE, "--rule", OTHER];
  return perpHere(["run", "--base-url", server.url, ...rules, "--no-report", "--quiet", ...more]);
}

describe.concurrent("a run with --baseline", () => {
  test("is green when exactly the listed rule fails, and the target is still not conformant", async () => {
    const { code, stdout, out, results } = await gated([{ rule: RULE, issue: "https://issues.example/1" }]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^NOT CONFORMANT \(1 mandatory rule failed: \S+; selected rules only; the baseline holds: 1 known deviation and no other\)/,
    );
    const { summary, baseline } = await results();
    expect(summary.conformant).toBe(false);
    expect(baseline).toMatchObject({ green: true, entries: [{ rule: RULE, state: "known" }], unlisted: [] });
    expect(await readFile(join(out, "junit.xml"), "utf8")).toMatch(/<testsuites [^>]*failures="0"/);
  });

  test("is red for what is not listed, passes now, or does not exist, and says what to do", async () => {
    const { code, stdout } = await gated([
      { rule: OTHER },
      { rule: `${RULE}s` },
      { rule: RULE, endpoint: "GetOrders" },
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^NOT CONFORMANT, exit 1: 1 violation that the baseline does not list \(selected rules only\)/m,
    );
    expect(stdout).toContain(`${RULE} on GetAllPositions is violated and not listed: fix it, or add an entry\n`);
    expect(stdout).toContain(`${OTHER} passes now: remove its entry\n`);
    expect(stdout).toContain(`${RULE}s is not a rule (did you mean ${RULE}?)`);
    expect(stdout).toContain(`${RULE} on GetOrders names an operation that the rule is not about`);
  });

  test("ends with 2 when it cannot be read, before anything is sent", async () => {
    const nowhere = await run("--baseline", "/nowhere/baseline.json");
    expect({ code: nowhere.code, stdout: nowhere.stdout }).toEqual({ code: 2, stdout: "" });
    expect((await gated([{ rule: RULE, expires: "some day" }])).stderr).toContain("expires");
  });
});

test.concurrent("--write-baseline writes what fails, and takes out what does not any more", async () => {
  const file = join(await scratchFolder(), "known.json");
  expect((await run("--write-baseline", file)).code).toBe(0);
  const { entries } = JSON.parse(await readFile(file, "utf8")) as { entries: BaselineEntry[] };
  expect(entries).toMatchObject([{ rule: RULE, reason: expect.stringMatching(/^recorded by --write-baseline on 2/) }]);
  const healthy = [
    "run",
    "--base-url",
    sound.url,
    "--rule",
    RULE,
    "--no-report",
    "--quiet",
    "--baseline",
    file,
    "--write-baseline",
  ];
  expect((await perpHere(healthy)).code).toBe(0);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ entries: [] });
});

test.concurrent("--write-baseline makes the file that the baseline is to be in", async () => {
  const file = join(await scratchFolder(), "known.json");
  expect((await run("--baseline", file)).code).toBe(2);
  expect((await run("--baseline", file, "--write-baseline")).code).toBe(0);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ entries: [{ rule: RULE }] });
});

test.concurrent("--write-baseline --update keeps what holds as it is, and says what changed", async () => {
  const file = join(await scratchFolder(), "known.json");
  const kept = {
    rule: RULE,
    check: `${RULE} on GetAllPositions: in every combination`,
    reason: "in work",
    expires: NEXT_YEAR,
  };
  await writeFile(file, JSON.stringify({ entries: [kept, { rule: OTHER, reason: "in work", expires: NEXT_YEAR }] }));
  const { code, stderr } = await run("--baseline", file, "--write-baseline", "--update");
  expect(code).toBe(0);
  const { entries } = JSON.parse(await readFile(file, "utf8")) as { entries: BaselineEntry[] };
  expect(entries).toEqual([kept, expect.objectContaining({ rule: RULE })]);
  expect(entries[1]).not.toHaveProperty("check");
  expect(stderr).toMatch(new RegExp(`^baseline: added ${RULE}, until `, "m"));
  expect(stderr).toContain(`baseline: removed ${OTHER}: it passes now\n`);
  expect(stderr).toContain("baseline: 1 kept, 1 added, 1 removed\n");
  expect((await run("--update")).code).toBe(2);
});

test.concurrent("--require-conclusive ends with 4 below its percentage, and without any conclusive rule also at 0", async () => {
  const empty = await startReferenceServer({ orders: 0 });
  try {
    const on = (...more: string[]) => perpHere(["run", "--base-url", empty.url, "--no-report", "--quiet", ...more]);
    const [half, none] = await Promise.all([
      on("--rule", RULE, "--rule", EVIDENCE, "--require-conclusive", "51"),
      on("--rule", EVIDENCE, "--require-conclusive", "0"),
    ]);
    expect((await half.results()).summary.conclusiveness).toEqual({ conclusive: 1, judged: 2 });
    expect([half.code, none.code]).toEqual([4, 4]);
  } finally {
    await empty.close();
  }
});
