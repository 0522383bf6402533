import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { resolveTarget } from "../config/config.js";
import { startReferenceServer } from "../reference/server.js";
import { commandFailureOf } from "../report/failure.js";
import { openSession } from "../session/session.js";
import { type Endpoint, endpointNames, endpoints } from "../specification/endpoints.js";
import { listenOnLoopback, perp, SMALL } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { passBack, passOn, shutDown } from "./servers.fixture.js";

/** A server that gives the same answer to everything. */
function saying(status: number, type: string, body: string): Server {
  return createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(status, { "content-type": type }).end(body));
  });
}

const page = "<!doctype html><title>Not Found</title><h1>Nothing here</h1>";
const json = "application/json";

const hollow = [
  ["the code unimplemented", 404, json, '{"code":"unimplemented","message":"no such method"}'],
  ["503", 503, "text/plain", "try later"],
  ["the code not_found", 404, json, '{"code":"not_found","message":"no such path"}'],
  ["404 and a page", 404, "text/html", page],
  ["501", 501, "text/plain", "not implemented"],
  ["429", 429, "text/plain", "too many requests"],
  ["an empty object", 200, json, "{}"],
  ["an empty array", 200, json, "[]"],
  ["an empty body", 200, json, ""],
  ["a page", 200, "text/html", page],
] as const;

const saidOfIt = /base URL|cannot be reached|asks for fewer requests/;

describe("a server that answers everything with", () => {
  let requests = 0;
  async function hollowServer(status: number, type: string, body: string): Promise<string> {
    requests = 0;
    const server = saying(status, type, body).on("request", () => requests++);
    onTestFinished(() => shutDown(server));
    return listenOnLoopback(server);
  }

  test.each(hollow)("%s is none of this API: a line that says so, after a few requests", async (_, ...answer) => {
    const flags = { baseUrl: await hollowServer(...answer) };
    const { target } = resolveTarget({ flags, env: {}, cwd: tmpdir() });
    const failure = commandFailureOf(await openSession({ target, profile: "quick", seed: 1 }).catch((error) => error));
    expect(failure).toEqual({ exitCode: 3, lines: [expect.stringMatching(saidOfIt)] });
    expect(requests).toBeLessThan(40);
  });

  test.each(hollow.slice(0, 2))("%s ends a run with 3, undecided", async (_, ...answer) => {
    const { code, stderr, stdout, results } = await perp([
      "run",
      "--base-url",
      await hollowServer(...answer),
      "--no-report",
    ]);
    expect(code).toBe(3);
    expect(requests).toBeLessThan(40);
    expect(stderr + stdout).toMatch(saidOfIt);
    expect((await results()).summary.conclusion).toBe("undecided");
  });
});

/** What stands before a server and answers for one of its operations, or for all of them. */
async function frontOf(port: number, instead: (path: string) => string | number | undefined) {
  const first = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const own = instead(request.url ?? "");
    const recorded = typeof own === "string" ? first.get(own) : undefined;
    const [status, type, text] = typeof own === "number" ? [own, "text/html", page] : [200, json, recorded];
    if (text !== undefined) {
      request.resume().on("end", () => response.writeHead(status, { "content-type": type }).end(text));
      return;
    }
    passOn(request, response, port, async (answer) => {
      if (typeof own !== "string") return passBack(answer, response);
      const whole = Buffer.concat(await answer.toArray());
      if (answer.statusCode === 200 && !first.has(own)) first.set(own, whole);
      return response.writeHead(answer.statusCode ?? 502, answer.headers).end(whole);
    });
  });
  onTestFinished(() => shutDown(server));
  return listenOnLoopback(server);
}

/** Whole runs take a while: one operation stands for all of them unless `HOSTILE_RUNS` asks for more. */
const everyOne = process.env.HOSTILE_RUNS !== undefined;

describe("a platform", () => {
  test.each<Endpoint>(everyOne ? endpointNames : ["GetOrderBook"])(
    "without %s fails one rule, and the others of the operation are blocked by it",
    async (gone) => {
      const reference = await startReferenceServer(SMALL);
      onTestFinished(() => reference.close());
      const url = await frontOf(reference.port, (path) => (path === endpoints[gone].path ? 404 : undefined));
      const { code, stdout, results } = await perpHere(["run", "--base-url", url, "--no-report", "--seed", "1"]);
      const { rules } = await results();
      const failed = rules.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
      expect({ code, failed }).toEqual({ code: 1, failed: ["protocol.post-path"] });
      const own = rules.flatMap(({ checks = [] }) => checks).filter(({ endpoint }) => endpoint === gone);
      const verdicts = new Set(own.map(({ verdict }) => verdict));
      expect(verdicts).toEqual(new Set(["fail", "blocked"]));
      expect(stdout).toMatch(new RegExp(`rules? blocked: .*${gone}`));
    },
  );

  test("that gives the same answer of each operation whatever is asked does not conform", async () => {
    const reference = await startReferenceServer(SMALL);
    onTestFinished(() => reference.close());
    const stream = endpoints.GetOpenPositionsStreaming.path;
    const url = await frontOf(reference.port, (path) => (path === stream ? undefined : path));
    const suites = ["--suite", "§4.4 GetOrders", "--suite", "§4.6 GetOrderBook"];
    const { code } = await perpHere(["run", "--base-url", url, "--no-report", "--seed", "1", ...suites]);
    expect(code).toBe(1);
  });

  test("without any data is undecided, and the last line says why", async () => {
    const reference = await startReferenceServer({ orders: 0 });
    onTestFinished(() => reference.close());
    const { code, stdout } = await perpHere(["run", "--base-url", reference.url, "--no-report", "--seed", "1"]);
    expect(code).toBe(4);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^UNDECIDED, exit 4: .*60 % required/);
  });
});
