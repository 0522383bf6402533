import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Comparison } from "../compare/comparison.js";
import { findModification } from "../reference/modifications.js";
import { startReferenceServer } from "../reference/server.js";
import { MUTANT, perp, perpIn, RULE, SMALL, scratchFolder } from "./binary.fixture.js";

async function serverWith(kind: "mutant" | "variant", name: string) {
  const modification = findModification(kind, name);
  if (!modification) throw new Error(`there is no ${kind} ${name}`);
  return startReferenceServer({ ...SMALL, modification });
}

test("two servers are compared live: violations by the rules, other differences by their cause", async () => {
  const servers = [
    await startReferenceServer(SMALL),
    await serverWith("variant", "order-book-worst-price-first"),
    await serverWith("mutant", MUTANT),
  ];
  const [reference = "", variant = "", mutant = ""] = servers.map(({ url }) => url);
  try {
    const cwd = await scratchFolder();
    const out = join(cwd, "out");
    const free = await perp(["compare", "--live", reference, variant, "--seed", "3", "--out", out, "--json"]);
    expect([free.code, free.stderr]).toEqual([0, ""]);
    const { answers, regressions, rules } = JSON.parse(free.stdout) as Comparison;
    expect([regressions, rules.groups.filter(({ difference }) => difference === "newlyFailing")]).toEqual([[], []]);
    expect(answers?.sameData).toBe(true);
    expect(answers?.differences.map(({ kind, ruling, violates }) => [kind, ruling, violates])).toContainEqual([
      "order",
      "B4",
      undefined,
    ]);
    expect(answers?.differences.filter(({ violates = [] }) => violates.length > 0)).toEqual([]);
    const page = await readFile(join(out, "comparison.html"), "utf8");
    expect(page).toContain("Another order (");

    const targets = [
      { name: "old", baseUrl: reference },
      { name: "new", baseUrl: mutant },
    ];
    await writeFile(join(cwd, "perp-conformance.json"), JSON.stringify({ targets }));
    const args = ["compare", "--live", "old", "new", "--seed", "3", "--fail-on", "regression", "--out", "named"];
    const broken = await perpIn({ cwd }, args);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain(RULE);
    expect(broken.stdout).toMatch(
      /^ {2}GetAllPositions pagination\.limit \(\d+\), violates .*\n +old: 50\n +new: 49$/m,
    );
  } finally {
    for (const server of servers) await server.close();
  }
});

test("what cannot be compared live is refused before anything is sent, or ends with what is wrong", async () => {
  const gone = "http://127.0.0.1:9";
  expect((await perp(["compare", "--live", gone])).code).toBe(2);
  expect((await perp(["compare", "--live", gone, gone])).code).toBe(2);
  expect((await perp(["compare", "--live", "staging", "live"])).code).toBe(2);
  const { code, stderr } = await perp([
    "compare",
    "--live",
    gone,
    "http://127.0.0.1:10",
    "--out",
    join(await scratchFolder(), "out"),
  ]);
  expect([code, stderr.includes("cannot be reached")]).toEqual([3, true]);
});
