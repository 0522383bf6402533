import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import type { Results } from "../report/results.js";
import { schemaErrors } from "../report/schema.fixture.js";
import { perpIn, RULE, SMALL, scratchFolder } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { startModified } from "./servers.fixture.js";

let server: ReferenceServer;
beforeAll(async () => {
  server = await startModified();
});
afterAll(() => server.close());

test("a run takes what it is gated by from its configuration file, and carries its labels into every report", async () => {
  const cwd = await scratchFolder();
  const expires = `${new Date().getUTCFullYear() + 1}-12-31`;
  await writeFile(join(cwd, "known.json"), JSON.stringify({ entries: [{ rule: RULE, reason: "in work", expires }] }));
  const labels = { build: "1234", environment: "a|b" };
  const config = {
    baseUrl: server.url,
    rule: [RULE],
    baseline: "known.json",
    requireConclusive: 100,
    report: false,
    labels,
  };
  await writeFile(join(cwd, "perp-conformance.json"), JSON.stringify(config));

  const { code, stdout, out, results } = await perpIn({ cwd }, ["run", "--quiet", "--label", "commit=abc"]);
  expect(code).toBe(0);
  expect(stdout).toContain("the baseline holds: 1 known deviation and no other");
  expect(await results()).toMatchObject({
    ...{ requireConclusive: 100, labels: { ...labels, commit: "abc" } },
    ...{ selection: { rules: [RULE] }, baseline: { green: true } },
  });
  expect(await readFile(join(out, "summary.md"), "utf8")).toContain("`build=1234, environment=a\\|b, commit=abc`");
  expect(await readFile(join(out, "junit.xml"), "utf8")).toContain('name="label.build" value="1234"');

  const other = await perpHere(["run", "--quiet", "--rule", "order.identity", "--require-conclusive", "0"], { cwd });
  expect(await other.results()).toMatchObject({ requireConclusive: 0, selection: { rules: ["order.identity"] } });
});

test("the summary of a green run is under 4 kB, and says what is new since the run before", async () => {
  const out = join(await scratchFolder(), "run");
  const healthy = await startReferenceServer(SMALL);
  try {
    const on = (url: string) =>
      perpHere(["run", "--base-url", url, "--suite", "GetAllPositions", "--no-report", "--quiet", "--out", out]);
    expect((await on(server.url)).code).toBe(1);
    const red = await readFile(join(out, "summary.md"), "utf8");
    expect(red).toMatch(
      /^# NOT CONFORMANT[^\n]*\n\n- [^\n]+\n\n## Failed rules\n\n- \*\*get-all-positions\.limit-default\*\* on /,
    );
    expect((await on(healthy.url)).code).toBe(0);
    const green = await readFile(join(out, "summary.md"), "utf8");
    expect(Buffer.byteLength(green)).toBeLessThan(4096);
    expect(green).toMatch(new RegExp(`^- passing again: .*${RULE}`, "m"));
    const results = JSON.parse(await readFile(join(out, "results.json"), "utf8")) as Results;
    expect(results.before?.fixed).toContain(RULE);
    expect(schemaErrors("results", results)).toBeNull();
  } finally {
    await healthy.close();
  }
});
