import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startReferenceServer } from "../reference/server.js";
import type { Results } from "../report/results.js";
import { listenOnLoopback, perpIn, RULE, SMALL, scratchFolder } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { startModified } from "./servers.fixture.js";

test("several targets are tested one after another, each in its folder and with its token, and end in one table", async () => {
  const broken = await startModified();
  const tokens = new Set<string | undefined>();
  const nothing = createServer((request, response) => {
    tokens.add(request.headers.authorization);
    response.writeHead(501, { "content-type": "application/json" });
    response.end('{"code":"unimplemented","message":"not yet"}');
  });
  try {
    const cwd = await scratchFolder();
    const targets = [
      { name: "broken", baseUrl: broken.url },
      { name: "empty", baseUrl: await listenOnLoopback(nothing), tokenEnv: "EMPTY_TOKEN" },
    ];
    await writeFile(join(cwd, "perp-conformance.json"), JSON.stringify({ targets }));
    const run = ["run", "--rule", RULE, "--no-report"];
    const env = { EMPTY_TOKEN: "for-empty", CONFORMANCE_TOKEN: "for-others" };
    const out = join(cwd, "out");
    const single = await perpHere([...run, "--base-url", broken.url, "--out", out], { cwd, env });
    expect([single.code, await readdir(out)]).toEqual([1, expect.arrayContaining(["results.json"])]);
    const { code, stdout } = await perpHere([...run, "--out", out], { cwd, env });
    expect(await readdir(out)).toEqual([".perp-conformance.json", "broken", "empty"]);
    // 1 before 3: a violation holds, whatever was not seen elsewhere.
    expect(code).toBe(1);
    // The other one came to no conclusion: there is nothing to compare.
    expect(stdout).not.toContain("Newly failing");
    expect(stdout).toMatch(
      /^Target .*conclusion +exit code\nbroken .*NOT CONFORMANT +1\nempty .*NOT TESTED +3\n\nexit 1: broken is NOT CONFORMANT\n$/m,
    );
    expect(stdout).toMatch(/run again {3}npx perp-conformance run --target broken --seed \d+ --rule /);
    expect(tokens).toEqual(new Set(["Bearer for-empty"]));
    const verdicts = targets.map(async ({ name }) => {
      expect(await readdir(join(out, name))).toEqual(expect.arrayContaining(["results.json", "junit.xml", "evidence"]));
      const { rules } = JSON.parse(await readFile(join(out, name, "results.json"), "utf8")) as Results;
      return rules.find(({ id }) => id === RULE)?.verdict;
    });
    expect(await Promise.all(verdicts)).toEqual(["fail", "notRun"]);

    const one = await perpHere([...run, "--target", "empty", "--quiet"], { cwd, env });
    expect(one.code).toBe(3);
    expect(one.stdout).toMatch(/^empty: NOT TESTED, exit 3: nothing at [^\n]+\n$/);
    const none = await perpHere([...run, "--target", "emtpy"], { cwd, env });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('did you mean "empty"?');
  } finally {
    nothing.close();
    await broken.close();
  }
});

test("several targets that came to conclusions are compared in the end", async () => {
  const servers = [await startReferenceServer(SMALL), await startModified()];
  try {
    const cwd = await scratchFolder();
    const [sound, broken] = servers.map(({ url }) => url);
    const targets = [
      { name: "sound", baseUrl: sound },
      { name: "broken", baseUrl: broken },
    ];
    await writeFile(join(cwd, "perp-conformance.json"), JSON.stringify({ targets }));
    const out = join(cwd, "out");
    const { code, stdout } = await perpIn({ cwd }, ["run", "--rule", RULE, "--require-conclusive", "0", "--out", out]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Fail elsewhere, but not in sound \(1\)\n +sound +broken\n +\S+ +passed +failed$/m);
    const page = await readFile(join(out, "comparison.html"), "utf8");
    expect(page).toContain('href="broken/allure-report/index.html"');
    const tool = await perpHere(["run", "--rule", RULE, "--no-report", "--json", "--out", join(cwd, "tool")], { cwd });
    expect((JSON.parse(tool.stdout) as { readonly format: string }).format).toBe("perp-conformance/targets");
    expect(await readdir(join(cwd, "tool"))).not.toContain("comparison.html");
  } finally {
    for (const server of servers) await server.close();
  }
});
