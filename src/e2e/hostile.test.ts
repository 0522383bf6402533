import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolveTarget } from "../config/config.js";
import { answerOf, portOf } from "../connect/hostile-server.fixture.js";
import type { Results } from "../report/results.js";
import { schemaErrors } from "../report/schema.fixture.js";
import { openEnvironment } from "../session/open-environment.js";
import { runDirect } from "../session/run-direct.js";
import { openSession } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { type Endpoint, unaryEndpointNames } from "../specification/endpoints.js";
import { type Ended, listenOnLoopback } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { hostileTarget } from "./hostile-target.fixture.js";
import { type Measured, runMeasured } from "./measured.fixture.js";
import { asItIs, type Behaviour, type UnaryBehaviour } from "./misbehaving.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { streamCases } from "./stream-behaviours.fixture.js";
import { unaryCases } from "./unary-behaviours.fixture.js";

/** What a run may hold in memory, whatever the target sends. */
const PEAK_MB = 512;

/** Rules of every operation that tell whether an answer came, and what it was. */
const rules: readonly RuleId[] = ["errors.documented-outcome", "wire.json-object", "events.envelope"];

/** A run against a server; the time limit is short, so that what hangs is over soon. */
function runAgainst({ baseUrl }: { baseUrl: string }, ...args: readonly string[]): Promise<Measured> {
  return runMeasured(["run", "--base-url", baseUrl, "--timeout", "2000", "--no-report", "--quiet", ...args]);
}

/** The same in this process, against a target that does not send much. */
function runHereAgainst({ baseUrl }: { baseUrl: string }, ...args: readonly string[]): Promise<Ended> {
  return perpHere(["run", "--base-url", baseUrl, "--timeout", "2000", "--no-report", "--quiet", ...args]);
}

/** A run that has kept its head: complete results by their schema, bounded memory, and nothing that acts on a terminal. */
async function soundResults({ code, stdout, stderr, results, out, ...rest }: Ended | Measured): Promise<Results> {
  const written = await results();
  expect(schemaErrors("results", written)?.slice(0, 3)).toBeUndefined();
  expect(written.rules.length).toBeGreaterThan(200);
  expect(written.incomplete).toBeUndefined();
  if ("peakMb" in rest) expect(rest.peakMb).toBeLessThan(PEAK_MB);
  expect([0, 1, 3, 4]).toContain(code);
  for (const text of [stdout, stderr, ...(await filesOf(out))]) expect(text).not.toContain("\x1b");
  return written;
}

function filesOf(out: string): Promise<string[]> {
  return Promise.all(["results.json", "junit.xml", "summary.md"].map((name) => readFile(join(out, name), "utf8")));
}

/** The verdicts of the checks on one operation. */
function verdictsOn(
  endpoint: Endpoint,
  checks: readonly { readonly endpoint: Endpoint; readonly verdict: string }[],
): Set<string> {
  return new Set(checks.filter((check) => check.endpoint === endpoint).map(({ verdict }) => verdict));
}

type Worst = "fail" | "error" | "inconclusive" | "pass";

/** The worst that is to be said of an operation that behaves so: a violation, no answer, nothing at all, or nothing bad. */
const unaryVerdicts: Readonly<Record<string, Worst>> = {
  "a reset before the answer": "fail",
  "a close within the body": "fail",
  "a length that is too short": "fail",
  "a chunk size in letters": "fail",
  "a length that is too long, and silence": "error",
  "HTTP/1.0, closed": "pass",
  "JSON that is cut off": "fail",
  "a byte that is no UTF-8": "fail",
  "a byte order mark": "fail",
  "a member twice": "pass",
  "a nest of 100,000": "fail",
  "an integer of a thousand digits": "pass",
  "2 GB": "inconclusive",
  "a gzip bomb": "inconclusive",
  "a body without end": "inconclusive",
  "headers without end": "inconclusive",
  "a header without end": "inconclusive",
  "a byte now and then": "error",
  silence: "error",
  "a greeting by SMTP": "fail",
};

const streamVerdicts: Readonly<Record<string, Worst>> = {
  "a message of 4 GB": "fail",
  "a message of 200 MB without end": "fail",
  "compressed messages": "fail",
  "flags that nobody knows": "fail",
  "garbage without end after the last frame": "fail",
  "a storm of messages": "pass",
  "headers, and then silence": "inconclusive",
  "a byte of a message at a time": "pass",
  "an end within a message": "fail",
  silence: "inconclusive",
  "a reset at once": "fail",
};

interface TroubleCase {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly verdict: Worst;
}

const unaryTroubles = Object.entries(unaryVerdicts).map(
  ([name, verdict], index): TroubleCase => ({
    endpoint: unaryEndpointNames[index % unaryEndpointNames.length] as Endpoint,
    name,
    behaviour: { unary: called(name, unaryCases).behaviour },
    verdict,
  }),
);

const streamTroubles = Object.entries(streamVerdicts).map(
  ([name, verdict]): TroubleCase => ({
    endpoint: "GetOpenPositionsStreaming",
    name,
    behaviour: { stream: called(name, streamCases).behaviour },
    verdict,
  }),
);

function called<Case>(name: string, cases: Readonly<Record<string, Case>>): Case {
  const found = cases[name];
  if (!found) throw new Error(`there is no behaviour "${name}"`);
  return found;
}

/** Never answers. */
const silence: Behaviour = { unary: () => {}, stream: () => {} };

/** Answers with a body of one's own. */
function answers(body: string, head?: Parameters<typeof answerOf>[1]): UnaryBehaviour {
  return (socket) => void socket.write(answerOf(body, head));
}

/** Runs of the binary: each operation that is in trouble in one of them is in another trouble in the next. */
const ROUNDS = 3;

/** Streams that runs of the binary have, one each: those that may cost memory. */
const inRuns = ["a message of 4 GB", "a message of 200 MB without end", "a storm of messages"];

/** The troubles dealt out to the operations, so that a run has several at once, and no more than two that are silent. */
const rounds: readonly (readonly TroubleCase[])[] = Array.from({ length: ROUNDS }, (_, round) => [
  ...streamTroubles.filter(({ name }) => name === inRuns[round]),
  ...unaryTroubles.filter((_, index) => index % ROUNDS === round),
]);

// A time limit this short may pass on a machine that is busy with something else, such as another of these runs.
describe("an operation that", { retry: 2 }, () => {
  for (const round of rounds) {
    test(round.map(({ name }) => name).join(" | "), async () => {
      await using server = await hostileTarget({
        behaves: (asked) => round.find(({ endpoint }) => endpoint === asked)?.behaviour,
      });
      const run = await runAgainst(server, "--timeout", "4000", ...rules.flatMap((rule) => ["--rule", rule]));
      const results = await soundResults(run);
      for (const { endpoint, name, verdict } of round) {
        const seen = verdictsOn(
          endpoint,
          results.rules.flatMap(({ checks }) => checks),
        );
        expect([...seen], name).toContain(verdict);
        if (verdict !== "fail") expect(seen, name).not.toContain("fail");
      }
      const { fail, error } = results.summary.verdicts;
      expect(run.code).toBe(fail > 0 ? 1 : error > 0 ? 3 : 0);
    });
  }
});

describe("a stream that", { retry: 2 }, () => {
  let trouble: TroubleCase;
  let server: Awaited<ReturnType<typeof hostileTarget>>;
  let session: Session;
  beforeAll(async () => {
    server = await hostileTarget({
      behaves: (endpoint) => (endpoint === trouble.endpoint ? trouble.behaviour : undefined),
    });
    const { target } = resolveTarget({ flags: { baseUrl: server.baseUrl, timeout: "2000" }, env: {}, cwd: tmpdir() });
    session = await openSession({ target, profile: "quick", seed: 1, selection: { rules, suites: [] } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const others = streamTroubles.filter(({ name }) => !inRuns.includes(name));
  test.each(others)("$name", async (other) => {
    trouble = other;
    const { endpoint, verdict } = other;
    const environment = openEnvironment(session, "trial");
    const { results } = await runDirect(session, environment, {
      concurrency: 24,
      only: (check) => check.includes(endpoint),
    });
    await environment.close();
    const seen = verdictsOn(endpoint, results);
    expect([...seen]).toContain(verdict);
    if (verdict !== "fail") expect(seen).not.toContain("fail");
  });
});

describe("a target that", { retry: 2 }, () => {
  test("hangs from one moment on is given up soon; the rest is in error, the report complete", async () => {
    await using server = await hostileTarget({ behaves: () => silence, from: 150 });
    const run = await runAgainst(server, "--suite", "§4.1 GetAllPositions", "--suite", "§4.6 GetOrderBook");
    const { rules, summary } = await soundResults(run);
    expect(run.code).toBe(3);
    expect(summary.verdicts.fail).toBe(0);
    expect(summary.verdicts.error).toBeGreaterThan(10);
    expect(JSON.stringify(rules)).toMatch(/not sent, since .* had failed \d+ times in a row/);
    expect(server.requests.length).toBeLessThan(300);
  });

  test("never answers at all cannot be reached, and is not asked on", async () => {
    await using server = await hostileTarget({ behaves: () => silence, discoveryToo: true });
    const run = await runHereAgainst(server);
    expect(run.code).toBe(3);
    expect(run.stderr).toBe("the target cannot be reached: no response headers within 2000 ms\n");
    expect(server.requests.length).toBeLessThanOrEqual(6);
    await soundResults(run);
  });

  test("accepts connections and says nothing, not even in TLS, cannot be reached", async () => {
    const silent = createNetServer((socket) => socket.on("error", () => {}));
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    try {
      const run = await runHereAgainst({ baseUrl: `https://127.0.0.1:${portOf(silent)}` });
      expect(run.code).toBe(3);
      expect(run.stderr).toBe("the target cannot be reached: no connection within 2000 ms\n");
    } finally {
      silent.close();
    }
  });

  test("speaks no TLS cannot be reached by https, and the hint says so", async () => {
    const server = createServer();
    try {
      const { port } = new URL(await listenOnLoopback(server));
      const run = await runHereAgainst({ baseUrl: `https://127.0.0.1:${port}` });
      expect(run.code).toBe(3);
      expect(run.stderr).toMatch(/^the target cannot be reached: .*; if the port does not speak TLS, .* http:\/\/\n$/);
    } finally {
      server.close();
    }
  });

  test.each([
    [
      "401, as Connect",
      "unauthenticated: ",
      401,
      "application/json",
      '{"code":"unauthenticated","message":"\\u001b[2J"}',
    ],
    ["401, as a page", "HTTP 401: ", 401, "text/html", "<html>\x1b[31m<script>alert(1)</script>"],
  ])("answers everything with %s is told to have denied access, in one line", async (_, said, status, type, body) => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status, { "content-type": type }).end(body));
    });
    try {
      const run = await runHereAgainst({ baseUrl: await listenOnLoopback(server) });
      expect(run.code).toBe(3);
      expect(run.stderr).toMatch(
        /^the target denies access to every operation: [^\n]*; credentials come from [^\n]*\n$/,
      );
      expect(run.stderr).toContain(said);
      const { summary } = await soundResults(run);
      expect(summary.verdicts.fail).toBe(0);
    } finally {
      server.close();
    }
  });

  test.each([
    ["403, without a word", "HTTP 403: the body is empty", 403, "text/plain", ""],
    [
      "an error of access with the status 200",
      "unauthenticated: no",
      200,
      "application/json",
      '{"code":"unauthenticated","message":"no"}',
    ],
  ])("answers everything with %s opens no session", async (_, said, status, type, body) => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status, { "content-type": type }).end(body));
    });
    try {
      const { target } = resolveTarget({ flags: { baseUrl: await listenOnLoopback(server) }, env: {}, cwd: tmpdir() });
      await expect(openSession({ target, profile: "quick", seed: 1 })).rejects.toMatchObject({
        name: "AccessDenied",
        message: expect.stringContaining(said),
      });
    } finally {
      server.close();
    }
  });

  test("redirects is not followed, and no other origin sees the token", async () => {
    let asked = 0;
    const other = createServer((_, response) => {
      asked++;
      response.end("{}");
    });
    const origin = await listenOnLoopback(other);
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(307, { location: `${origin}${request.url}` }).end());
    });
    try {
      const args = ["run", "--base-url", await listenOnLoopback(server), "--no-report"];
      const run = await perpHere(args, { env: { CONFORMANCE_TOKEN: "a-token-of-this-test" } });
      const results = await soundResults(run);
      expect(run.code).toBe(3);
      expect(results.summary.reasons.join()).toMatch(
        /nothing at .* is this API: .* a redirect to .*, which is not followed/,
      );
      expect(asked).toBe(0);
      for (const text of await filesOf(run.out)) expect(text).not.toContain("a-token-of-this-test");
    } finally {
      server.close();
      other.close();
    }
  });

  test("throttles three of ten requests is never blamed for it, nor asked more often than announced", async () => {
    const pleas = [
      answers("", { status: "429 Too Many Requests", headers: ["Retry-After: 0"] }),
      answers("<html>busy</html>", { status: "503 Service Unavailable", headers: [] }),
      answers('{"code":"resource_exhausted","message":"slow down"}', { status: "200 OK" }),
    ];
    let position = 0;
    await using server = await hostileTarget({
      discoveryToo: true,
      behaves: () => ({ unary: pleas[Math.floor(++position * 0.618_033_988_75 * 10) % 10] ?? asItIs.unary }),
    });
    const selection = ["--suite", "§4.1 GetAllPositions"];
    const dryRun = await mainHere(["run", "--reference", "--dry-run", ...selection]);
    const announced = Number(/^at most (\d+) requests/.exec(dryRun.stdout)?.[1]);
    const run = await runHereAgainst(server, ...selection);
    const { summary, requests } = await soundResults(run);
    expect(summary.verdicts).toMatchObject({ fail: 0, warn: 0, error: 0 });
    expect(summary.conclusiveness.conclusive).toBeGreaterThan(summary.conclusiveness.judged / 2);
    expect(requests.count).toBe(server.requests.length);
    expect(server.requests.length).toBeLessThan(announced);
  });

  test("puts escape sequences and markup into whatever it says cannot act in any report", async () => {
    const nasty = "\\u001b[31m\\u0007<script>alert(1)</script>\\u202e|`]]>";
    const order = `{"owner":"${nasty}","orderId":"${nasty}","marketId":"${nasty}","market":"${nasty}","timestamp":"${nasty}"}`;
    const troubles: Partial<Record<Endpoint, UnaryBehaviour>> = {
      GetOrders: answers(`{"orders":[${order},${order}]}`),
      GetPortfolio: answers(`{"code":"${nasty}","message":"${nasty}"}`, { status: "500 \x1b[31mno" }),
      GetMarketConfigs: answers("\x1b[31m<script>alert(1)</script>", { headers: ["Content-Type: text/\x1b[31mhtml"] }),
    };
    await using server = await hostileTarget({
      behaves: (endpoint) => endpoint && { unary: troubles[endpoint] ?? asItIs.unary },
    });
    const run = await runHereAgainst(server, ...[...rules, "get-orders.owner"].flatMap((rule) => ["--rule", rule]));
    const results = await soundResults(run);
    expect(run.code).toBe(1);
    expect(JSON.stringify(results)).toContain("alert(1)");
    const [, junit, summary] = await filesOf(run.out);
    const page = new MarkdownIt({ html: true }).render(summary ?? "");
    for (const text of [junit, page]) {
      expect(text).toContain("alert(1)");
      expect(text).not.toContain("<script>");
      expect(text).not.toMatch(/[\u0007\u202e]/);
    }
  });
});
