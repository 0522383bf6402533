import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { resolveSettings, resolveTarget, resolveTargets, withBaseUrl } from "./config.js";
import { ConfigurationError } from "./errors.js";
import type { Flags, Sources } from "./sources.js";

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
});

function writeFile(name: string, content: unknown): void {
  writeFileSync(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
}

function settings({ env = {}, ...sources }: Sources = {}) {
  return resolveSettings({ cwd, env, ...sources });
}

/** An environment variable, as it is written in the value of a header. */
function variable(name: string): string {
  return `\${${name}}`;
}

/** The problems of sources that cannot be used. */
function problemsOf(sources: Sources): readonly string[] {
  try {
    settings(sources);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

/** The problems of a configuration file that cannot be used, as one text. */
function fileProblems(content: unknown, sources: Sources = {}): string {
  writeFile("perp-conformance.json", content);
  return problemsOf(sources).join("\n");
}

test("operations that are left out on purpose are named as the specification does, in its order", () => {
  writeFile("perp-conformance.json", { notImplemented: ["GetOrderBook"] });
  const env = { CONFORMANCE_NOT_IMPLEMENTED: "GetMarketConfigs, GetOrders" };
  expect(settings().notImplemented).toEqual(["GetOrderBook"]);
  expect(settings({ env }).notImplemented).toEqual(["GetOrders", "GetMarketConfigs"]);
  expect(settings({ env, flags: { notImplemented: ["GetPortfolio"] } }).notImplemented).toEqual(["GetPortfolio"]);
  expect(problemsOf({ flags: { notImplemented: ["GetOrderbok"] } })).toEqual([
    'not implemented: there is no operation "GetOrderbok" (did you mean "GetOrderBook"?)',
  ]);
});

describe("what a run covers and is judged by", () => {
  const runSettings = {
    suite: ["GetOrderBook"],
    rule: ["order-book.cumulative-total"],
    readings: ["B4=best-first"],
    strict: true,
    requireConclusive: 90,
    wait: 30,
    report: false,
  };

  test("can stand in the configuration file, and the command line goes before it", () => {
    mkdirSync(join(cwd, "etc"));
    writeFile("etc/c.json", { ...runSettings, baseline: "known.json", for: "10m", labels: { build: "1", stage: "a" } });
    const inFile = settings({ flags: { config: "etc/c.json" } });
    expect(inFile.run).toEqual({ ...runSettings, baseline: join(cwd, "etc/known.json"), forMs: 600_000 });
    expect(inFile.labels).toEqual({ build: "1", stage: "a" });

    const given = { suite: ["4.1"], rule: ["x"], strict: false, requireConclusive: 0, wait: 0, baseline: "b.json" };
    const flags = {
      ...given,
      config: "etc/c.json",
      reading: ["T6=either"],
      for: 90_000,
      label: ["build=2", "commit=a=b"],
    };
    const onLine = settings({ flags: { ...flags, report: true } });
    expect(onLine.run).toEqual({ ...given, readings: ["T6=either"], report: false, forMs: 90_000 });
    expect(onLine.labels).toEqual({ build: "2", stage: "a", commit: "a=b" });
  });

  test("can stand in the environment", () => {
    const env = {
      ...{ CONFORMANCE_STRICT: "true", CONFORMANCE_REQUIRE_CONCLUSIVE: "75", CONFORMANCE_WAIT: "5" },
      ...{ CONFORMANCE_BASELINE: "known.json", CONFORMANCE_REPORT: "0", CONFORMANCE_LABELS: "build=7, commit=abc" },
    };
    const { run, labels } = settings({ env });
    expect(run).toMatchObject({ strict: true, requireConclusive: 75, wait: 5, baseline: "known.json", report: false });
    expect(labels).toEqual({ build: "7", commit: "abc" });
  });

  test("is said for one of several targets, or for all", () => {
    const target = { baseUrl: "http://h", labels: { stage: "b" }, requireConclusive: 50 };
    writeFile("perp-conformance.json", { strict: true, labels: { build: "1" }, targets: [{ name: "one", ...target }] });
    const [one] = resolveTargets({ cwd, env: {} });
    expect(one?.settings).toMatchObject({
      labels: { build: "1", stage: "b" },
      run: { strict: true, requireConclusive: 50 },
    });
  });

  test.each<[Sources["flags"], RegExp]>([
    [{ label: ["build"] }, /--label: a label is written key=value, not "build"/],
    [{ label: ["build=1", "build=2"] }, /--label: build is given twice/],
    [{ label: ["=1"] }, /--label: a label is written key=value/],
    [{ label: ["a b=1"] }, /--label: a b: a label has letters/],
    [{ label: [`a=${"x".repeat(201)}`] }, /--label: a: /],
    [{ label: Array.from({ length: 21 }, (_, index) => `l${index}=1`) }, /labels: 21, more than 20/],
  ])("refuses %j", (flags, problem) => {
    expect(problemsOf({ flags: flags ?? {} }).join("\n")).toMatch(problem);
  });

  test("has bounds", () => {
    expect(fileProblems({ requireConclusive: 101, wait: -1, for: "soon" })).toMatch(
      /requireConclusive: .*\n.*wait: .*\n.*for: it must be a duration/,
    );
    expect(fileProblems({ for: "200h" })).toMatch(/for: it must be a duration such as 90s, 10m or 2h, from 1s to 168h/);
  });
});

test("a base URL without a scheme is refused by the schema already, where the file may say it", () => {
  for (const baseUrl of ["127.0.0.1:8080", "localhost:8080", "host/prefix"])
    expect(fileProblems({ baseUrl })).toMatch(/perp-conformance\.json: baseUrl: a URL must start with http:\/\//);
  for (const baseUrl of ["http://h", " HTTPS://h", "unix:/run/s", "http+unix://%2Fs/x"])
    expect(fileProblems({ baseUrl })).toBe("");
});

describe("precedence", () => {
  test("nothing at all gives the defaults, and no base URL", () => {
    expect(settings()).toEqual({
      target: {
        transport: "http1",
        tls: { insecure: false },
        timeoutMs: 10_000,
        concurrency: 16,
        known: { markets: [], wallets: [] },
        secrets: { headers: [] },
      },
      profile: "quick",
      seed: expect.any(Number),
      drawnSeed: true,
      out: join(cwd, "reports/latest"),
      suites: [],
      run: { suite: [], rule: [], readings: [], report: true },
      notImplemented: [],
    });
  });

  test("command line, then environment, then file, for each setting by itself", () => {
    writeFile("perp-conformance.json", {
      baseUrl: "http://file",
      seed: 1,
      timeoutMs: 1,
      concurrency: 1,
      profile: "full",
    });
    const env = {
      CONFORMANCE_BASE_URL: "http://env",
      CONFORMANCE_SEED: "2",
      CONFORMANCE_TIMEOUT: "2",
      CONFORMANCE_CONCURRENCY: " ",
    };
    const resolved = settings({ env, flags: { baseUrl: "http://flag", seed: "3", timeout: undefined } });
    expect(resolved).toMatchObject({
      seed: 3,
      profile: "full",
      target: { baseUrl: "http://flag", timeoutMs: 2, concurrency: 1 },
    });
  });

  test.each<[string, Flags, string, string]>([
    ["profile", { profile: "full" }, "CONFORMANCE_PROFILE", "full"],
    ["rate", { rate: "2.5" }, "CONFORMANCE_RATE", "2.5"],
    ["transport", { transport: "h2c" }, "CONFORMANCE_TRANSPORT", "h2c"],
    ["insecure", { insecure: true }, "CONFORMANCE_INSECURE", "1"],
    ["out", { out: "here" }, "CONFORMANCE_OUT", "here"],
    ["timeout", { timeout: 5 }, "CONFORMANCE_TIMEOUT", "5"],
  ])("%s can come from either", (_, flags, variable, value) => {
    const seed = { CONFORMANCE_SEED: "1" };
    const fromEnvironment = settings({ env: { ...seed, [variable]: value } });
    expect(settings({ flags, env: seed })).toEqual(fromEnvironment);
    expect(fromEnvironment).not.toEqual(settings({ env: seed }));
  });

  test("the default file need not be there; one that is named must", () => {
    expect(problemsOf({ flags: { config: "no.json" } })).toEqual([
      expect.stringMatching(/configuration file: .*no\.json/),
    ]);
    writeFile("other.json", { seed: 9 });
    expect(settings({ flags: { config: "other.json" } }).seed).toBe(9);
    expect(settings({ env: { CONFORMANCE_CONFIG: "other.json" } }).seed).toBe(9);
  });

  test("paths in a file are relative to it, others to the working folder", () => {
    mkdirSync(join(cwd, "etc"));
    writeFile("etc/config.json", { ca: "ca.pem", tokenFile: "token", out: "out" });
    writeFile("etc/ca.pem", "from the file's folder");
    writeFile("etc/token", "file-token\n");
    writeFile("ca.pem", "from the working folder");
    const flags = { config: "etc/config.json" };
    const resolved = settings({ flags });
    expect(resolved.target.tls.ca).toBe("from the file's folder");
    expect(resolved.target.secrets.token).toBe("file-token");
    expect(resolved.out).toBe(join(cwd, "etc/out"));
    expect(settings({ flags: { ...flags, ca: "ca.pem" } }).target.tls.ca).toBe("from the working folder");
  });

  test("what only the file can say", () => {
    const implementation = { name: "server", version: "1", vendor: "someone", contact: "a@b", url: "http://b" };
    const wallet = `0x${"Ab".repeat(20)}`;
    writeFile("perp-conformance.json", {
      $schema: "./schemas/configuration.schema.json",
      subjects: {
        markets: [{ marketId: "7", assetSymbol: "BTC", quoteSymbol: "USD" }, { marketId: "9223372036854775807" }],
        wallets: [` ${wallet} `],
      },
      implementation,
    });
    const resolved = settings();
    expect(resolved.implementation).toEqual(implementation);
    expect(resolved.target.known.markets).toHaveLength(2);
    expect(resolved.target.known.wallets).toEqual([wallet.toLowerCase()]);
  });

  test("settings are plain data that a worker can be given", () => {
    const resolved = settings({
      flags: { baseUrl: "http://h", header: ["X-A: 1"] },
      env: { CONFORMANCE_TOKEN: "t0ken" },
    });
    expect(structuredClone(resolved)).toEqual(resolved);
  });
});

describe("the base URL", () => {
  test.each([
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://127.0.0.1:8080/", "http://127.0.0.1:8080"],
    [" https://Host.example/api/v1// ", "https://host.example/api/v1"],
    ["http://[::1]:80/a%20b", "http://[::1]/a%20b"],
    ["unix:/run/perps.sock", "http+unix://%2Frun%2Fperps.sock"],
    ["unix:///run/the perps", "http+unix://%2Frun%2Fthe%20perps"],
    ["HTTP+unix://%2frun%2fPerps.sock/api/v1/", "http+unix://%2Frun%2FPerps.sock/api/v1"],
  ])("%s", (given, baseUrl) => {
    expect(resolveTarget({ cwd, env: {}, flags: { baseUrl: given } }).target.baseUrl).toBe(baseUrl);
  });

  test.each([
    ["localhost:8080", /must start with http/],
    ["ftp://host", /must start with http/],
    ["host", /is not a URL/],
    ["http://host/?", /query or a fragment/],
    ["http://host/#x", /query or a fragment/],
    ["http://me:p4ssword@host/", /must not hold a user or a password/],
    ["unix:perps.sock", /a socket is given by its whole path/],
    ["http+unix://run/perps.sock", /a socket is given by its whole path/],
    ["http+unix://%2Frun%2/", /a socket is given by its whole path/],
    ["http+unix://%2Frun%2Fperps.sock/?", /query or a fragment/],
  ])("%s is refused", (baseUrl, reason) => {
    const problems = problemsOf({ flags: { baseUrl } });
    expect(problems).toEqual([expect.stringMatching(reason)]);
    expect(problems[0]).not.toContain("p4ssword");
  });

  test("must be named by someone, unless the embedded server is asked for", () => {
    const targets = (sources: Sources) => resolveTargets({ cwd, env: {}, ...sources });
    const anySeed = { ...settings(), seed: expect.any(Number) };
    expect(() => targets({})).toThrow(/nothing says what to test.*--reference/);
    expect(targets({ flags: { reference: true } })).toEqual([{ settings: anySeed }]);
    expect(() => targets({ flags: { reference: true, baseUrl: "http://h" } })).toThrow("cannot be used together");
    expect(() => targets({ env: { CONFORMANCE_BASE_URL: " " } })).toThrow("CONFORMANCE_BASE_URL is empty");
    const inEnvironment = targets({ flags: { reference: true }, env: { CONFORMANCE_BASE_URL: "http://h" } });
    expect(inEnvironment).toEqual([{ settings: anySeed, overridden: "CONFORMANCE_BASE_URL" }]);
    writeFile("perp-conformance.json", { targets: [{ name: "one", baseUrl: "http://h" }], rate: 5 });
    const [inFile] = targets({ flags: { reference: true } });
    expect(inFile).toMatchObject({ settings: { target: { rate: 5 } }, overridden: "the configuration file" });
    expect(inFile?.settings.target.baseUrl).toBeUndefined();
  });

  test("must be there for a target, and can be put in later", () => {
    expect(() => resolveTarget({ cwd, env: {} })).toThrow(/nothing says what to test.*CONFORMANCE_BASE_URL/);
    expect(withBaseUrl(settings({ flags: { seed: 5 } }), "http://h")).toMatchObject({
      seed: 5,
      target: { baseUrl: "http://h" },
    });
  });

  test.each([
    ["h2c", "https://host"],
    ["h2", "http://host"],
    ["h2", "unix:/run/perps.sock"],
  ])("must fit the transport %s", (transport, baseUrl) => {
    expect(problemsOf({ flags: { transport, baseUrl } })).toEqual([
      expect.stringContaining(`the transport ${transport} is`),
    ]);
  });
});

describe("values that cannot be used", () => {
  test("are reported under the name by which they were given, all at once", () => {
    const problems = problemsOf({
      flags: { seed: "many", profile: "quik", concurrency: "0" },
      env: { CONFORMANCE_TIMEOUT: "10s", CONFORMANCE_INSECURE: "perhaps", CONFORMANCE_STRICT: "constructor" },
    });
    expect(problems).toEqual([
      "--concurrency: it must be at least 1, got 0",
      expect.stringMatching(/^--profile: .*"quick"\|"full".*got "quik"/),
      expect.stringMatching(/^--seed: .*got "many"/),
      expect.stringMatching(/^CONFORMANCE_TIMEOUT: .*got "10s"/),
      expect.stringMatching(/^CONFORMANCE_INSECURE: .*got "perhaps"/),
      expect.stringMatching(/^CONFORMANCE_STRICT: .*got "constructor"/),
    ]);
  });

  test.each([
    [{ basUrl: "http://h" }, /basUrl is unknown \(did you mean "baseUrl"\?\)/],
    [{ TimeoutMS: 1 }, /did you mean "timeoutMs"/],
    [{ subjects: { market: [] } }, /subjects\.market is unknown \(did you mean "markets"\?\)/],
    [{ subjects: { markets: [{ marketId: "1", asset: "x" }] } }, /subjects\.markets\.0\.asset is unknown/],
    [{ colour: "red" }, /colour is unknown \(known: .*baseUrl/],
    [{ seed: "1" }, /seed: .*expected number/],
    [{ subjects: { markets: [{ marketId: 7 }] } }, /subjects\.markets\.0\.marketId: .*expected string/],
    [{ subjects: { markets: [{ marketId: "0" }] } }, /decimal number/],
    [{ subjects: { wallets: ["0x1"] } }, /40 hexadecimal digits/],
    [[], /expected object/],
    ["{", /perp-conformance\.json is not JSON/],
  ])("a file with %j is refused", (content, reason) => {
    expect(fileProblems(content)).toMatch(reason);
  });

  test("half a client certificate is refused", () => {
    writeFile("cert.pem", "cert");
    expect(problemsOf({ flags: { cert: "cert.pem" } })).toEqual([expect.stringContaining("both, cert and key")]);
    writeFile("key.pem", "key");
    const { target } = settings({ flags: { cert: "cert.pem", key: "key.pem" } });
    expect(target.tls.cert).toBe("cert");
    expect(target.secrets.key).toBe("key");
  });
});

test("requests do not name their check once any source says so; the command line's silence says nothing", () => {
  const correlation = (sources: Sources) => settings(sources).target.correlation;
  expect(correlation({ flags: { correlation: true } })).toBeUndefined();
  expect(correlation({ flags: { correlation: false } })).toBe(false);
  expect(correlation({ flags: { correlation: true }, env: { CONFORMANCE_CORRELATION: "0" } })).toBe(false);
  writeFile("perp-conformance.json", { correlation: false });
  expect(correlation({ flags: { correlation: true } })).toBe(false);
  expect(correlation({ env: { CONFORMANCE_CORRELATION: "true" } })).toBeUndefined();
});

describe("secrets", () => {
  test("the token comes from the variable that the command line names, the usual one, a file, or what the file names", () => {
    writeFile("perp-conformance.json", { tokenEnv: "FILE_NAMED" });
    writeFile("token", " from-a-file \n");
    const env = { FLAG_NAMED: "flag", CONFORMANCE_TOKEN: "usual", FILE_NAMED: "file" };
    const token = (sources: Sources) => settings(sources).target.secrets.token;
    expect(token({ env, flags: { tokenEnv: "FLAG_NAMED" } })).toBe("flag");
    expect(token({ env })).toBe("usual");
    expect(token({ env: { ...env, CONFORMANCE_TOKEN: "", CONFORMANCE_TOKEN_FILE: "token" } })).toBe("from-a-file");
    expect(token({ env: { FILE_NAMED: "file" } })).toBe("file");
  });

  test("a variable that was named must hold a token that can be sent", () => {
    expect(problemsOf({ flags: { tokenEnv: "MISSING" } })).toEqual([
      expect.stringContaining("MISSING, which should hold the token, is not set"),
    ]);
    const problems = problemsOf({ env: { CONFORMANCE_TOKEN: "Bearer s3cret" } });
    expect(problems).toEqual([expect.stringContaining('without "Bearer"')]);
    expect(problems[0]).not.toContain("s3cret");
  });

  test.each([
    [{ token: "s3cret" }, /^.*token: a secret is not written into the file; use tokenEnv/],
    [{ password: "s3cret" }, /a secret is not written into the file/],
    [{ headers: { Authorization: "Bearer s3cret" } }, /the header Authorization holds a secret/],
    [{ headers: { "X-Api-Key": "s3cret" } }, /the header X-Api-Key holds a secret/],
    [{ headers: { "X-Api-Key": variable("MISSING") } }, /needs the environment variable MISSING/],
    [{ tokenEnv: "A", tokenFile: "b" }, /not both/],
    [{ tokenFile: "missing" }, /there is no such file/],
  ])("%j is refused, and not repeated", (content, reason) => {
    const problems = fileProblems(content);
    expect(problems).toMatch(reason);
    expect(problems).not.toContain("s3cret");
  });

  test("headers come from the file and the command line, with variables in their values", () => {
    writeFile("perp-conformance.json", { headers: { "X-Tenant": "one", "X-Region": "eu" } });
    const env = { API_KEY: "k3y", REGION: "us" };
    const { headers } = settings({
      env,
      flags: {
        header: [
          `x-region: ${variable("REGION")}-${variable("REGION")}`,
          `X-Api-Key: ${variable("API_KEY")}`,
          "X-Empty:",
        ],
      },
    }).target.secrets;
    expect(headers).toEqual([
      ["X-Tenant", "one"],
      ["x-region", "us-us"],
      ["X-Api-Key", "k3y"],
      ["X-Empty", ""],
    ]);
  });

  test.each([
    ["no colon", /written "Name: value"/],
    ["bad name: x", /is not a header name/],
    ["Content-Length: 5", /cannot be configured/],
    ["X: a\nb", /cannot carry/],
    ["Authorization: Bearer s3cret", /holds a secret/],
  ])("the header %j is refused", (line, reason) => {
    const problems = problemsOf({ flags: { header: [line] } });
    expect(problems).toEqual([expect.stringMatching(reason)]);
    expect(problems[0]).not.toContain("s3cret");
  });
});

describe("several targets", () => {
  const targets = [
    { name: "staging", baseUrl: "http://staging/", tokenEnv: "STAGING", headers: { "X-Tenant": "two" } },
    { name: "live", baseUrl: "https://live", concurrency: 2, ca: "ca.pem" },
  ];
  const env = { STAGING: "for-staging", CONFORMANCE_TOKEN: "for-anyone" };
  const named = (only: readonly string[] = [], sources: Sources = {}) =>
    resolveTargets({ cwd, env, ...sources }, only).map(({ name, settings }) => ({ name, ...settings }));

  beforeEach(() => {
    writeFile("ca.pem", "PEM");
    writeFile("perp-conformance.json", { concurrency: 5, headers: { "X-Tenant": "one", "X-More": "m" }, targets });
  });

  test("each have what is said of all, and what is said of them in its place", () => {
    const [staging, live] = named();
    expect(staging).toMatchObject({ name: "staging", out: join(cwd, "reports/latest/staging") });
    expect(staging?.target).toMatchObject({ baseUrl: "http://staging", concurrency: 5 });
    expect(staging?.target.secrets.headers).toEqual([
      ["X-Tenant", "two"],
      ["X-More", "m"],
    ]);
    expect(live).toMatchObject({ name: "live", out: join(cwd, "reports/latest/live") });
    expect(live?.target).toMatchObject({ baseUrl: "https://live", concurrency: 2, tls: { ca: "PEM" } });
  });

  test("with a token of its own is sent no other", () => {
    const flags = { tokenEnv: "CONFORMANCE_TOKEN" };
    for (const sources of [{}, { flags }]) {
      expect(named([], sources).map(({ target }) => target.secrets.token)).toEqual(["for-staging", "for-anyone"]);
    }
  });

  test("can be chosen from by name", () => {
    expect(named(["live"]).map(({ name }) => name)).toEqual(["live"]);
    expect(() => named(["life"])).toThrow('there is no target "life" (did you mean "live"?)');
  });

  test("are left alone when a base URL is given", () => {
    const [only, ...others] = named([], { flags: { baseUrl: "http://here" } });
    expect({ name: only?.name, baseUrl: only?.target.baseUrl }).toEqual({ name: undefined, baseUrl: "http://here" });
    expect(others).toEqual([]);
    expect(() => named(["live"], { flags: { baseUrl: "http://here" } })).toThrow("cannot be used together");
  });

  test("need names of their own, and each problem says whose it is", () => {
    writeFile("perp-conformance.json", { targets: [targets[0], { ...targets[0], baseUrl: "http://x/?q" }] });
    expect(() => named()).toThrow('there are two targets "staging"');
    expect(() => named()).toThrow(/target staging: base URL: .*query/);
    writeFile("perp-conformance.json", { targets: [{ name: "../x", baseUrl: "http://x" }] });
    expect(() => named()).toThrow(/targets\.0\.name/);
    writeFile("perp-conformance.json", {});
    expect(() => named(["live"])).toThrow("--target needs targets in the configuration file");
  });
});

test("user suites are found from where they are named, and must be there", () => {
  writeFile("own.mjs", "");
  expect(settings({ flags: { suites: ["own.mjs"] } }).suites).toEqual([join(cwd, "own.mjs")]);
  mkdirSync(join(cwd, "conf"));
  writeFile("conf/c.json", { suites: ["../own.mjs"] });
  expect(settings({ flags: { config: "conf/c.json" } }).suites).toEqual([join(cwd, "own.mjs")]);
  expect(problemsOf({ flags: { suites: ["other.mjs"] } })).toEqual([`there is no suite ${join(cwd, "other.mjs")}`]);
  expect(problemsOf({ flags: { suites: ["conf"] } })).toEqual([`the suite ${join(cwd, "conf")} is not a file`]);
});

describe("the configuration file", () => {
  test("may have comments and commas that nothing follows", () => {
    writeFile("perp-conformance.jsonc", '// mine\n{\n  "seed": 7, /* lucky */\n  // "profile": "full",\n}\n');
    expect(settings()).toMatchObject({ seed: 7, profile: "quick" });
  });

  test("that cannot be read is reported with its line", () => {
    expect(fileProblems('{\n  "seed": 7\n  "profile": "full"\n}')).toMatch(/not JSON.*CommaExpected in line 3/);
  });

  test("is the only one: of two nobody knows which one counts", () => {
    writeFile("perp-conformance.jsonc", {});
    expect(fileProblems({})).toMatch(/two configuration files, .*\.json and .*\.jsonc/);
  });
});
