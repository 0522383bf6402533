import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findModification } from "../reference/modifications.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { MUTANT, perpIn, RULE, SMALL, scratchFolder } from "./binary.fixture.js";

let server: ReferenceServer;
beforeAll(async () => {
  const modification = findModification("mutant", MUTANT);
  if (!modification) throw new Error(`there is no mutant ${MUTANT}`);
  server = await startReferenceServer({ ...SMALL, modification });
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

  const other = await perpIn({ cwd }, ["run", "--quiet", "--rule", "order.identity", "--require-conclusive", "0"]);
  expect(await other.results()).toMatchObject({ requireConclusive: 0, selection: { rules: ["order.identity"] } });
});
