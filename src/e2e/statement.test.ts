import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Modification } from "../reference/modification.js";
import { everyInterval } from "../reference/schedule.js";
import { startReferenceServer } from "../reference/server.js";
import type { Results } from "../report/results.js";
import type { DsseEnvelope } from "../statement/dsse.js";
import type { Statement } from "../statement/statement.js";
import { listenOnLoopback, perp, RULE, scratchFolder } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { recordRun } from "./run-folder.fixture.js";
import { passOn, shutDown } from "./servers.fixture.js";

/**
 * Breaks three rules of the stream in such a way that a full run is over in seconds: nothing has to be watched for a minute
 * to see that it is broken.
 */
const impatient: Modification = {
  kind: "mutant",
  name: "stream-impatient",
  summary: "The stream takes intervals above a second for 100 ms, and ends after two messages at one of a second.",
  breaks: "get-open-positions-streaming.interval-clamped-down",
  schedule: ({ requestedMs }) => {
    if (requestedMs > 1_000) return everyInterval(100);
    return requestedMs === 1_000 ? { messages: 2, ending: "end-frame" } : undefined;
  },
};

/** A full run on that server, with the identity of what was tested. */
async function fullRun(folder: string): Promise<string> {
  const config = join(folder, "config.json");
  await writeFile(config, JSON.stringify({ implementation: { name: "Impatient", version: "1.0", vendor: "Acme" } }));
  // As little data as settles each rule: one wallet with more than a thousand orders.
  const server = await startReferenceServer({ orders: 60, walletOrders: 1_100, modification: impatient });
  const target = unmarked(server.port);
  try {
    const { out } = await perp([
      "run",
      "--base-url",
      await listenOnLoopback(target),
      "--profile",
      "full",
      "--config",
      config,
      "--no-report",
      "--quiet",
    ]);
    return out;
  } finally {
    shutDown(target);
    await server.close();
  }
}

/** Before the reference server: it takes away the mark by which that is known, since nothing can be stated on it. */
function unmarked(port: number): Server {
  return createServer((request, response) =>
    passOn(request, response, port, (answer) => {
      const { "x-perp-conformance-reference": _, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest).flushHeaders();
      answer.pipe(response);
    }),
  );
}

async function editJson<T>(path: string, edit: (content: T) => unknown): Promise<void> {
  await writeFile(path, JSON.stringify(edit(JSON.parse(await readFile(path, "utf8")) as T)));
}

// A machine that is too busy leaves a cadence open, and then there is rightly no statement.
test("a full run is stated, signed and verified; whatever is altered is refused with its reason", {
  retry: 2,
  timeout: 300_000,
}, async () => {
  const folder = await scratchFolder();
  const key = join(folder, "acme.key");
  const dir = await fullRun(folder);
  expect((await mainHere(["keygen", "--out", key])).code).toBe(0);
  expect((await stat(key)).mode & 0o777).toBe(0o600);

  const stated = await perp(["statement", dir, "--key", key]);
  expect(stated).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^Impatient 1\.0: not conformant, signed by /),
  });
  expect(await readFile(join(dir, "statement.html"), "utf8")).toContain("<h1>Impatient 1.0: not conformant</h1>");
  expect(await readFile(join(dir, "statement.svg"), "utf8")).toContain("not conformant");

  const stating = await mainHere(["statement", dir, "--key", key, "--json"]);
  expect({ code: stating.code, document: JSON.parse(stating.stdout) }).toMatchObject({
    code: 0,
    document: {
      ...{
        format: "perp-conformance/stated",
        exitCode: 0,
        result: "FAILED",
        keyId: expect.stringMatching(/^[0-9a-f]+$/),
      },
      implementation: { name: "Impatient", version: "1.0" },
      files: { statement: join(dir, "statement.json"), page: join(dir, "statement.html") },
    },
  });

  const file = join(dir, "statement.json");
  const args = [file, "--key", `${key}.pub`];
  // A gate that demands a signature never passes by the evidence alone.
  const verified = await perp(["verify", ...args, "--require-signature"]);
  expect(verified.code).toBe(0);
  expect(verified.stdout).toMatch(/^ok +the evidence is complete and unaltered, and gives the same verdicts again$/m);
  expect(verified.stdout).toMatch(/^VERIFIED Impatient 1\.0: FAILED by requirements \d+\.\d+\.\d+$/m);
  const keyless = await mainHere(["verify", file, "--require-signature"]);
  expect(keyless).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--key") });
  const byItself = [...args, "--from", folder];
  const alone = await mainHere(["verify", ...byItself]);
  expect(alone.code).toBe(0);
  expect(alone.stdout).toMatch(/^not checked +the results: there is no results\.json[\s\S]*by its signature alone/m);

  const whole = await readFile(file, "utf8");
  const refused = async (reason: RegExp, how = args) => {
    const { code, stdout } = await mainHere(["verify", ...how]);
    expect(stdout).toMatch(reason);
    expect({ code, end: stdout.trimEnd().split("\n").at(-1) }).toEqual({ code: 1, end: "REFUSED" });
    await writeFile(file, whole);
  };
  await editJson<DsseEnvelope>(file, (envelope) => ({ ...envelope, payload: better(envelope.payload) }));
  await refused(/^REFUSED +the signature of [0-9a-f]{64} does not fit: the statement was altered/m, byItself);
  await editJson<DsseEnvelope>(file, (envelope) => ({
    ...envelope,
    signatures: [{ ...envelope.signatures[0], sig: "AAAA" }],
  }));
  await refused(/^REFUSED +the signature of [0-9a-f]{64} does not fit/m, byItself);
  await writeFile(file, Buffer.from((JSON.parse(whole) as DsseEnvelope).payload, "base64"));
  await editJson<Statement>(file, withOtherCatalogue);
  await refused(/^REFUSED +the catalogue digest is not that of catalogue \d/m, byItself);
  const exchanges = join(dir, "evidence/exchanges-discovery.ndjson.gz");
  const recorded = await readFile(exchanges);
  await appendFile(exchanges, "{}\n");
  await refused(/^REFUSED +exchanges-discovery\.ndjson\.gz was altered/m);
  expect(await mainHere(["statement", dir])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("exchanges-discovery.ndjson.gz was altered"),
  });
  await writeFile(exchanges, recorded);

  await editJson<Results>(join(dir, "results.json"), withoutFailures);
  await refused(/^REFUSED +results\.json is not the one that the statement names/m);
});

describe("no statement", () => {
  test("is made on a part of a quick run, and what is missing is named", async () => {
    const out = await scratchFolder();
    await recordRun(out, [RULE]);
    const { code, stdout, stderr } = await mainHere(["statement", out]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const reason of [
      "in the quick profile: make it with --profile full",
      `narrowed to ${RULE}`,
      'give "implementation" a name and a version',
      "mandatory rules came to no conclusion:",
    ]) {
      expect(stderr).toContain(reason);
    }
    expect(stderr).toMatch(/^ {4}\d+ rules not run: settled by a whole run in the full profile$/m);
    expect(stderr).not.toMatch(new RegExp(`^ +${RULE} `, "m"));
    await expect(stat(join(out, "statement.json"))).rejects.toThrow("ENOENT");
  });

  test("is made without a run or with a key that is none, and none is verified that is not there", async () => {
    const folder = await scratchFolder();
    await writeFile(join(folder, "no.key"), "no key");
    for (const args of [
      ["statement", join(folder, "nowhere")],
      ["statement", folder, "--key", join(folder, "no.key")],
      ["verify", join(folder, "nowhere.json")],
      ["keygen", "--out", join(folder, "no.key")],
    ])
      expect((await mainHere(args)).code).toBe(2);
    expect(await readFile(join(folder, "no.key"), "utf8")).toBe("no key");
    expect((await mainHere(["verify", join(folder, "no.key")])).code).toBe(1);
  });
});

/** The payload of a statement in which nothing failed. */
function better(payload: string): string {
  const statement = JSON.parse(Buffer.from(payload, "base64").toString()) as Statement;
  const { passedTests, failedTests } = statement.predicate;
  const predicate = {
    ...statement.predicate,
    result: "PASSED",
    passedTests: [...passedTests, ...failedTests],
    failedTests: [],
  };
  return Buffer.from(JSON.stringify({ ...statement, predicate })).toString("base64");
}

function withOtherCatalogue(statement: Statement): unknown {
  const text = JSON.stringify(statement);
  return JSON.parse(text.replaceAll(statement.predicate.perpConformance.specification.catalogueDigest, "c".repeat(64)));
}

function withoutFailures(results: Results): Results {
  return {
    ...results,
    rules: results.rules.map((rule) => (rule.verdict === "fail" ? { ...rule, verdict: "pass" } : rule)),
  };
}
