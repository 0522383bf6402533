import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startReferenceServer } from "../reference/server.js";
import type { Results } from "../report/results.js";
import { packageRoot } from "../specification/package-root.js";
import { listenOnLoopback, perpAt, RULE, SMALL, scratchFolder } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { passOn, shutDown } from "./servers.fixture.js";

const SUITE = ["--suite", "§4.1 GetAllPositions", "--no-report"];

/** The verdict of each rule that was judged. */
function verdicts({ rules }: Results): string[] {
  return rules.filter(({ verdict }) => verdict !== "notRun").map(({ id, verdict }) => `${id} ${verdict}`);
}

/** A reverse proxy that serves a target below a path; `onRequest` sees the number of each request. */
function proxyTo(port: number, prefix: string, onRequest: (count: number) => void = () => {}): Server {
  let count = 0;
  return createServer((request, response) => {
    onRequest(++count);
    if (!request.url?.startsWith(`${prefix}/`)) {
      response.writeHead(404).end();
      return;
    }
    request.url = request.url.slice(prefix.length);
    passOn(request, response, port);
  });
}

describe.concurrent("a target", () => {
  test("below a path, with or without a slash at its end, gets the verdicts that it gets at the root (W11)", async () => {
    const server = await startReferenceServer(SMALL);
    const proxy = proxyTo(server.port, "/api/perps");
    try {
      const below = `${await listenOnLoopback(proxy)}/api/perps`;
      const runs = await Promise.all(
        [server.url, below, `${below}/`].map((url) => perpHere(["run", "--base-url", url, ...SUITE])),
      );
      expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
      const [root, ...others] = await Promise.all(runs.map(async ({ results }) => verdicts(await results())));
      expect(root?.length).toBeGreaterThan(5);
      for (const other of others) expect(other).toEqual(root);
    } finally {
      shutDown(proxy);
      await server.close();
    }
  });

  test("that dies half-way leaves a complete report, and is never conformant", async () => {
    const server = await startReferenceServer(SMALL);
    const proxy = proxyTo(server.port, "", (count) => {
      if (count !== 80) return;
      shutDown(proxy);
    });
    try {
      const { code, results, stdout } = await perpHere(["run", "--base-url", await listenOnLoopback(proxy), ...SUITE]);
      expect(code).toBe(3);
      expect(stdout).toContain("UNDECIDED");
      const { summary, rules } = await results();
      expect(summary.conformant).toBe(false);
      expect(summary.verdicts.error).toBeGreaterThan(0);
      expect(summary.verdicts.fail).toBe(0);
      expect(rules.length).toBeGreaterThan(200);
    } finally {
      await server.close();
    }
  });
});

test("a suite that crashes is a problem of the harness, and never a pass", async () => {
  const copy = await scratchFolder();
  await cp(join(packageRoot, "dist"), join(copy, "dist"), { recursive: true });
  for (const name of ["node_modules", "schemas", "package.json"]) {
    await symlink(join(packageRoot, name), join(copy, name));
  }
  const suite = join(copy, "dist/suites/04.1-get-all-positions.check.js");
  await writeFile(suite, `${await readFile(suite, "utf8")}\nthrow new Error("a crash of the suite");\n`);
  const { code, stdout, stderr } = await perpAt(join(copy, "dist/src/cli/main.js"), [
    "run",
    "--reference",
    "--rule",
    RULE,
    "--no-report",
  ]);
  expect(code).toBe(3);
  expect(stdout + stderr).toContain("a crash of the suite");
  expect(stdout).not.toMatch(/^CONFORMANT/m);
});
