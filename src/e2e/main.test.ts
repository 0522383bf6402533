import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startReferenceServer } from "../reference/server.js";
import { schemaErrors } from "../report/schema.fixture.js";
import { type Ended, listenOnLoopback, MUTANT, perp, perpIn, RULE, SMALL } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { shutDown, startModified } from "./servers.fixture.js";

describe.concurrent("a command line that makes no sense", () => {
  test.each([
    ["a mistyped flag", ["run", "--bas-url", "http://127.0.0.1:9"], "Did you mean --base-url?"],
    ["a mistyped command", ["rnu"], "Did you mean run?"],
    ["a rule that does not exist", ["run", "--reference", "--rule", "get-all-positions.limit-defualt"], RULE],
    ["a suite that does not exist", ["run", "--reference", "--suite", "GetAllPosition"], "GetAllPositions"],
    ["a rule to explain that does not exist", ["explain", "get-all-positions.limit-defualt"], RULE],
    ["a profile that does not exist", ["run", "--reference", "--profile", "quik"], "quick, full"],
    ["a base URL that is none", ["run", "--base-url", "ftp://x"], "http"],
    ["a shard beyond the last", ["run", "--reference", "--shard", "4/3"], "1/3"],
    [
      "a shard that has none of the rules",
      ["run", "--reference", "--seed", "7", "--shard", "2/3", "--rule", RULE],
      "none of the rules is in shard 2",
    ],
    ["a suite of one's own that is not there", ["run", "--reference", "--suites", "nowhere.ts"], "there is no suite"],
    ["a percentage above 100", ["run", "--reference", "--require-conclusive", "101"], "from 0 to 100"],
    ["no target", ["run", "--rule", RULE], "give --base-url"],
    ["two targets", ["run", "--reference", "--base-url", "http://127.0.0.1:9"], "cannot be used together"],
  ])("such as %s ends with 2 and says what was meant", async (what, args, hint) => {
    const { code, stdout, stderr } = await (what === "a mistyped flag" ? perp : perpHere)(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain("    at ");
  });
});

describe.concurrent("a run", () => {
  /** One of the embedded server, although the environment names another. */
  let embedded: Ended;
  beforeAll(async () => {
    const env = { CONFORMANCE_BASE_URL: "http://127.0.0.1:9" };
    embedded = await perpIn({ env }, ["run", "--reference", "--seed", "1", "--rule", RULE, "--quiet"]);
  }, 120_000);

  test.each(["", "  "])("refuses the base URL %j of the environment, whatever else is given", async (url) => {
    for (const target of ["--reference", "--base-url=http://127.0.0.1:9", "--quiet"]) {
      const { code, stdout, stderr } = await perpHere(["run", target], { env: { CONFORMANCE_BASE_URL: url } });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("CONFORMANCE_BASE_URL is empty");
    }
  });

  test("of the embedded server goes before what the environment names, and says so", async () => {
    const { code, stderr, results } = embedded;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^--reference tests the embedded reference server, not what CONFORMANCE_BASE_URL names\n$/);
    expect((await results()).target.embedded).toBe(true);
  });

  test("of the embedded server leaves its files", async () => {
    const { code, stdout, out, results } = embedded;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^CONFORMANT \(the harness's own reference server was tested; selected rules only\): 1 rule passed, \d+ not run; [^\n]+\n$/,
    );
    // Allure shows what was asked also where most suites were left out; of what passed no more than that.
    const raw = (await readdir(join(out, "allure-results"))).filter((name) => name.endsWith("-result.json"));
    const texts = await Promise.all(raw.map((name) => readFile(join(out, "allure-results", name), "utf8")));
    expect(texts.join("\n")).toContain('"name":"request","value":"GetAllPositions');
    expect(await readdir(out)).toEqual(
      expect.arrayContaining([
        "results.json",
        "junit.xml",
        "summary.md",
        "evidence.har",
        "allure-results",
        "allure-report",
      ]),
    );
    expect(schemaErrors("results", await results())).toBeNull();
  });

  test("against a server that breaks a rule ends with 1, and shows requirement, expected, seen, where and a command", async () => {
    const server = await startModified();
    try {
      const { code, stdout, results } = await perp(["run", "--base-url", server.url, "--rule", RULE, "--no-report"]);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^FAIL get-all-positions\.limit-default on GetAllPositions/m);
      expect(stdout).toMatch(/^ {2}requirement +§4\.1: .+$/m);
      expect(stdout).toMatch(/^ {2}expected +50/m);
      expect(stdout).toMatch(/^ {2}seen +49$/m);
      expect(stdout).toMatch(/^ {2}where +pagination\.limit/m);
      const { summary, seed } = await results();
      const again = `npx perp-conformance run --base-url ${server.url} --seed ${seed} --rule ${RULE}`;
      expect(stdout).toContain(`run again   ${again}`);
      expect(stdout).toMatch(
        /\nNOT CONFORMANT, exit 1: 1 mandatory rule failed: \S+ \(selected rules only\); [^\n]+\n$/,
      );
      expect(summary).toMatchObject({ conclusion: "not-conformant", verdicts: { fail: 1 } });
    } finally {
      await server.close();
    }
  });

  test("against nobody ends with 3 and one line, and still leaves results", async () => {
    const { code, stdout, stderr, results } = await perpHere(["run", "--base-url", "http://127.0.0.1:9"]);
    expect(code).toBe(3);
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^the target cannot be reached: .*ECONNREFUSED/);
    expect(stdout).toMatch(/\nNOT TESTED, exit 3: the target cannot be reached: [^\n]+\n$/);
    const { problems, summary } = await results();
    expect(problems).toEqual([expect.stringContaining("cannot be reached")]);
    expect(summary.conformant).toBe(false);
  });

  test("waits for a server that is still starting when it is told to", async () => {
    const free = await startReferenceServer(SMALL);
    const { port, url } = free;
    await free.close();
    let server: Promise<{ close(): Promise<void> }> | undefined;
    const args = ["run", "--base-url", url, "--rule", RULE, "--wait", "60", "--no-report"];
    const { code } = await perp(args, (stderr) => {
      if (stderr.includes("discovering subjects")) server ??= startReferenceServer({ ...SMALL, port });
    });
    await (await server)?.close();
    expect(code).toBe(0);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("ends with 130 on %s, and writes what it has", async (signal) => {
    // Discovery is answered; checks are not, and the signal comes while the first one waits.
    let interrupt = () => {};
    let interrupted = false;
    const server = createServer((request, response) => {
      if (request.headers["x-conformance-check"] !== "discovery") return interrupt();
      response.writeHead(400, { "content-type": "application/json" });
      response.end('{"code":"invalid_argument","message":"no"}');
    });
    try {
      const { code, stdout, stderr, out, results } = await perp(
        ["run", "--base-url", await listenOnLoopback(server)],
        (_, kill) => {
          interrupt = () => {
            // A second signal would end the process without its files.
            if (!interrupted) kill(signal);
            interrupted = true;
          };
        },
      );
      expect(code).toBe(130);
      expect(stderr).toContain("interrupted: writing the results so far; Ctrl-C again ends it at once\n");
      expect(stdout).toMatch(/^UNDECIDED, exit 130: the run was interrupted; /m);
      expect(await results()).toMatchObject({ incomplete: true, summary: { conformant: false } });
      expect(await readdir(out)).toEqual(expect.arrayContaining(["junit.xml", "summary.md", "evidence.har"]));
      expect(await readdir(out)).not.toContain("allure-report");
    } finally {
      shutDown(server);
    }
  });
});

describe.concurrent("the catalogue on the command line", () => {
  test("is JSON with rules, readings and checks", async () => {
    const { code, stdout } = await perp(["rules", "--json"]);
    const { rules } = JSON.parse(stdout) as { rules: { id: string; checks: unknown[] }[] };
    expect(code).toBe(0);
    expect(rules.find(({ id }) => id === RULE)?.checks).not.toHaveLength(0);
  });

  test("explains one rule", async () => {
    const { code, stdout } = await perpHere(["explain", RULE]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^get-all-positions\.limit-default\n/);
    expect(stdout).toContain(MUTANT);
  });
});
