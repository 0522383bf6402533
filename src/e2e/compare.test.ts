import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Comparison } from "../compare/comparison.js";
import { RULE, scratchFolder } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { startModified } from "./servers.fixture.js";

test("two servers are compared live: violations by the rules, other differences by their cause", async () => {
  const servers = [await startModified("order-book-worst-price-first"), await startModified()];
  try {
    const cwd = await scratchFolder();
    const targets = servers.map(({ url }, at) => ({ name: ["old", "new"][at], baseUrl: url }));
    await writeFile(join(cwd, "perp-conformance.json"), JSON.stringify({ targets }));
    const args = [
      "compare",
      "--live",
      "old",
      "new",
      "--seed",
      "3",
      "--fail-on",
      "regression",
      "--out",
      "out",
      "--json",
    ];
    const { code, stdout, stderr } = await perpHere(args, { cwd });
    expect([code, stderr]).toEqual([1, ""]);
    const { answers, regressions, runs } = JSON.parse(stdout) as Comparison;
    expect(runs.map(({ name, conclusion, seed }) => [name, conclusion, seed])).toEqual([
      ["old", "conformant", 3],
      ["new", "not-conformant", 3],
    ]);
    expect(regressions).toContain(RULE);
    expect(answers?.sameData).toBe(true);
    // What the mutant breaks is told with the rule; what the text leaves open is not called a violation.
    const limit = answers?.differences.find(({ places }) => places[0]?.place === "pagination.limit");
    expect([limit?.each, limit?.violates?.includes(RULE)]).toEqual([["50", "49"], true]);
    const order = answers?.differences.filter(({ kind }) => kind === "order");
    expect(order?.map(({ ruling, violates }) => [ruling, violates])).toEqual([
      ["B4", undefined],
      ["B4", undefined],
    ]);
    const page = await readFile(join(cwd, "out", "comparison.html"), "utf8");
    expect(page).toContain('href="new/results.json"');
    expect(page).toContain("Different order (2)");
  } finally {
    for (const server of servers) await server.close();
  }
});

test("what cannot be compared live is refused before anything is sent, or ends with what is wrong", async () => {
  const gone = "http://127.0.0.1:9";
  expect((await perpHere(["compare", "--live", gone])).code).toBe(2);
  expect((await perpHere(["compare", "--live", gone, gone])).code).toBe(2);
  expect((await perpHere(["compare", "--live", "staging", "live"])).code).toBe(2);
  const { code, stderr } = await perpHere([
    "compare",
    "--live",
    gone,
    "http://127.0.0.1:10",
    "--out",
    join(await scratchFolder(), "out"),
  ]);
  expect([code, stderr.includes("cannot be reached")]).toEqual([3, true]);
});
