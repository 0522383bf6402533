import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startReferenceServer } from "../reference/server.js";
import { listenOnLoopback, perp, SMALL, scratchFolder } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { passBack, passOn, shutDown } from "./servers.fixture.js";

const TOKEN = "s3cret-token.of/the+run";
const KEY = "s3cret-key-of-the-run";
const BASIC = "czNjcmV0OmJhc2lj";
const SECRETS = [TOKEN, KEY, BASIC];

/** An environment variable, as the configuration names it in the value of a header. */
function variable(name: string): string {
  return `\${${name}}`;
}

/** A secret as a target may echo it: encoded, and in two parts. */
function forms(secret: string): string[] {
  const half = Math.ceil(secret.length / 2);
  const whole = [secret, secret.slice(0, half), secret.slice(half)];
  const encoded = (["base64", "base64url", "hex"] as const).map((encoding) => Buffer.from(secret).toString(encoding));
  return [...whole, encodeURIComponent(secret), ...encoded];
}

/** What holds a secret, whatever its form and case. */
function holding(texts: Readonly<Record<string, string>>): string[] {
  const sought = SECRETS.flatMap(forms).map((form) => form.toLowerCase());
  return Object.entries(texts).flatMap(([name, text]) => {
    const folded = text.toLowerCase();
    return sought.some((form) => folded.includes(form)) ? [name] : [];
  });
}

/** The content of a file, unpacked where it is packed. */
async function contentOf(path: string): Promise<Buffer> {
  const content = await readFile(path);
  return path.endsWith(".gz") ? gunzipSync(content) : content;
}

/** Every file of a folder, by its path. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (path): Promise<[string, string]> => [path, (await contentOf(path)).toString("latin1")]),
    ),
  );
}

/** The command lines of all processes; none where the system does not show them. */
function commandLines(): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const pid of process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : []) {
    try {
      lines[pid] = readFileSync(`/proc/${pid}/cmdline`, "latin1");
    } catch {
      // It has ended meanwhile.
    }
  }
  return lines;
}

/** A gateway that repeats the credentials it gets wherever an answer has room: headers, names of markets, messages. */
function echoing(port: number, onRequest: () => void): Server {
  return createServer((request, response) => {
    onRequest();
    const { headers, url: path } = request;
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    const key = String(headers["x-api-key"]);
    const basic = String(headers["x-proxy-login"]).replace("Basic ", "");
    passOn(request, response, port, async (answer) => {
      if (path?.endsWith("Streaming")) return passBack(answer, response);
      const body = Buffer.concat(await answer.toArray())
        .toString()
        .replaceAll('"message":"', `"message":"for ${token}, ${key}, ${basic}: `)
        .replaceAll('"market":"', `"market":"${key} ${basic} `)
        .replace('"pagination":{', `"novelties":${JSON.stringify(forms(token))},"pagination":{`)
        .replaceAll('"code":', `"details":${JSON.stringify(forms(key).map((form) => form.toUpperCase()))},"code":`)
        .replace(/"limit":\d+/, `"limit":"${token}"`);
      const { "content-length": _, ...others } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, {
        ...others,
        "x-echo": forms(token).slice(1).join(),
        [`x-${Buffer.from(token).toString("hex")}`]: "1",
        "set-cookie": key,
      });
      response.end(body);
    });
  });
}

test("no secret reaches a file, a line or a command line, also where the target echoes it", async () => {
  const folder = await scratchFolder();
  process.env.SECRETS_TEST_KEY = KEY;
  process.env.SECRETS_TEST_BASIC = `Basic ${BASIC}`;
  await writeFile(join(folder, "token"), `${TOKEN}\n`);
  await writeFile(
    join(folder, "config.json"),
    JSON.stringify({
      tokenFile: "token",
      headers: { "X-Api-Key": variable("SECRETS_TEST_KEY"), "X-Proxy-Login": variable("SECRETS_TEST_BASIC") },
    }),
  );
  const server = await startReferenceServer(SMALL);
  let lines: Record<string, string> | undefined;
  const gateway = echoing(server.port, () => {
    lines ??= commandLines();
  });
  try {
    const rules = [
      "order.market-name",
      "wire.integer-type",
      "errors.malformed-address",
      "get-portfolio.unknown-wallet",
    ];
    const run = await perp([
      ...["run", "--base-url", await listenOnLoopback(gateway), "--config", join(folder, "config.json"), "--no-report"],
      ...rules.flatMap((rule) => ["--rule", rule]),
    ]);
    expect(run.code).toBe(1);
    const { rules: judged } = await run.results();
    // The echoes were seen: a violation, a warning and an observation would quote them.
    expect(
      judged
        .filter(({ id }) => rules.includes(id))
        .map(({ verdict }) => verdict)
        .sort(),
    ).toEqual(["fail", "observed", "observed", "warn"]);
    const bundles = [
      await mainHere(["reproduce", "order.market-name", "--from", run.out]),
      await mainHere(["reproduce", "wire.integer-type", "--from", run.out]),
    ];
    expect(bundles.map(({ code }) => code)).toEqual([0, 0]);
    const again = await mainHere(["rejudge", run.out]);
    expect(again.stdout).toContain("The same verdict");

    const files = await filesOf(run.out);
    expect(Object.keys(files).length).toBeGreaterThan(30);
    expect(Object.values(files).join("")).toContain("***");
    expect(holding(files)).toEqual([]);
    expect(holding({ stdout: run.stdout, stderr: run.stderr, again: again.stdout + again.stderr })).toEqual([]);
    expect(holding(Object.fromEntries(bundles.map(({ stdout, stderr }, index) => [index, stdout + stderr])))).toEqual(
      [],
    );
    expect(holding(lines ?? {})).toEqual([]);
  } finally {
    shutDown(gateway);
    await server.close();
  }
});

test("a target that refuses the token and repeats it tells nobody", async () => {
  const folder = await scratchFolder();
  await writeFile(join(folder, "token"), TOKEN);
  await writeFile(join(folder, "config.json"), JSON.stringify({ tokenFile: "token" }));
  const gate = createServer((request, response) => {
    response.writeHead(401, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ code: "unauthenticated", message: `not you: ${request.headers.authorization}` }));
  });
  try {
    const url = await listenOnLoopback(gate);
    const run = await perpHere(["run", "--base-url", url, "--config", join(folder, "config.json"), "--no-report"]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain("unauthenticated");
    expect(holding({ ...(await filesOf(run.out)), stdout: run.stdout, stderr: run.stderr })).toEqual([]);
  } finally {
    shutDown(gate);
  }
});
