import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { resolveTarget } from "../config/config.js";
import { portOf } from "../connect/hostile-server.fixture.js";
import { startReferenceServer } from "../reference/server.js";
import { openSession } from "../session/session.js";
import { endpoints } from "../specification/endpoints.js";
import { type Ended, RULE, SMALL, scratchFolder } from "./binary.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { shutDown, startModified } from "./servers.fixture.js";

const JUST_ONE = ["--rule", RULE, "--no-report", "--quiet"];

/** Opens a session with such settings, which asks the target as a run does first. */
async function reach(flags: { baseUrl: string; ca?: string }, env: Readonly<Record<string, string>> = {}) {
  const { target } = resolveTarget({ flags, env, cwd: tmpdir() });
  return openSession({ target, profile: "quick", seed: 1 });
}

function perp(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return perpHere(["run", ...args, ...JUST_ONE], { env });
}

const unreachable = (why: RegExp) => ({ name: "TargetUnreachable", message: expect.stringMatching(why) });

/** Answers as a server without data does, to those whom `allow` lets in. */
function emptyPlatform(allow: RequestListener = () => {}): RequestListener {
  return (request, response) => {
    allow(request, response);
    if (response.writableEnded) return;
    response.setHeader("content-type", "application/json");
    request
      .resume()
      .on("end", () => response.end('{"positions":[],"pagination":{"limit":50,"offset":0,"totalCount":0}}'));
  };
}

async function listening<S extends Server>(server: S, host = "127.0.0.1"): Promise<S> {
  server.listen(0, host);
  await once(server, "listening");
  return server;
}

test("a target on IPv6 is reached", async (context) => {
  const server = createServer(emptyPlatform());
  try {
    await listening(server, "::1");
  } catch {
    context.skip("this machine has no IPv6");
  }
  const { code, stderr } = await perp(["--base-url", `http://[::1]:${portOf(server)}`]);
  server.close();
  expect([code, stderr]).toEqual([0, ""]);
});

describe.skipIf(process.platform === "win32").concurrent("a unix socket", () => {
  test("is reached below a path prefix, and sees the token", async () => {
    const socket = join(await scratchFolder(), "perps.sock");
    const seen = new Set<string>();
    const server = createServer(
      emptyPlatform(({ url, headers }) => void seen.add(`${url} ${headers.host} ${headers.authorization}`)),
    );
    server.listen(socket);
    await once(server, "listening");
    const args = ["--base-url", `http+unix://${encodeURIComponent(socket)}/perps/`];
    const { code, stderr } = await perp(args, { CONFORMANCE_TOKEN: "of-the-socket", HTTP_PROXY: "http://127.0.0.1:9" });
    server.close();
    expect([code, stderr]).toEqual([0, ""]);
    expect([...seen]).toContain(`/perps${endpoints.GetAllPositions.path} localhost Bearer of-the-socket`);
    for (const line of seen) expect(line).toMatch(/^\/perps\/.* localhost Bearer of-the-socket$/);
  });

  test.each(["http1", "h2c"])(
    "is spoken to by %s, unary and stream; the line for a shell names it",
    async (transport) => {
      const socket = join(await scratchFolder(), "perps.sock");
      const reference = await startModified();
      const relay = createNetServer((near) => {
        const far = connect(reference.port, "127.0.0.1");
        near.pipe(far).pipe(near);
        for (const end of [near, far]) end.on("error", () => void [near.destroy(), far.destroy()]);
      });
      relay.listen(socket);
      await once(relay, "listening");
      try {
        const run = await perp([
          "--base-url",
          `unix:${socket}`,
          "--transport",
          transport,
          "--rule",
          "get-open-positions-streaming.order-references",
        ]);
        expect([run.code, run.stderr]).toEqual([1, ""]);
        const { rules, target } = await run.results();
        expect(target.baseUrl).toBe(`http+unix://${encodeURIComponent(socket)}`);
        const verdictOf = (id: string) => rules.find((rule) => rule.id === id)?.verdict;
        expect(verdictOf("get-open-positions-streaming.order-references")).toBe("pass");
        expect(verdictOf(RULE)).toBe("fail");
        expect(JSON.stringify(rules)).toContain(`--unix-socket ${socket} http://localhost/`);
      } finally {
        relay.close();
        await reference.close();
      }
    },
  );

  test("on which nobody listens cannot be reached", async () => {
    const baseUrl = `unix:${join(await scratchFolder(), "none.sock")}`;
    await expect(reach({ baseUrl })).rejects.toMatchObject(unreachable(/ENOENT/));
  });
});

test("a token from a file and extra headers are sent with each request", async () => {
  const file = join(await scratchFolder(), "token");
  await writeFile(file, "from-a-file\n");
  const seen = new Set<string>();
  const server = await listening(
    createServer(
      emptyPlatform(
        ({ headers }) => void seen.add(`${headers.authorization} ${headers["x-tenant"]} ${headers["x-api-key"]}`),
      ),
    ),
  );
  const args = [
    "--base-url",
    `http://127.0.0.1:${portOf(server)}`,
    "--header",
    "X-Tenant: one",
    "--header",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a variable is written in a header
    "X-Api-Key: ${THE_KEY}",
  ];
  const { code } = await perp(args, { CONFORMANCE_TOKEN_FILE: file, THE_KEY: "of-the-tenant" });
  server.close();
  expect(code).toBe(0);
  expect([...seen]).toEqual(["Bearer from-a-file one of-the-tenant"]);
});

describe("a proxy from the environment", () => {
  test("makes a tunnel to the target, and is left out for hosts of NO_PROXY and this machine", async () => {
    const reference = await startReferenceServer(SMALL);
    const asked: string[] = [];
    const proxy = createServer().on("connect", (request, socket, head) => {
      asked.push(request.url ?? "");
      const onward = connect(reference.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        onward.write(head);
        socket.pipe(onward).pipe(socket);
      });
      for (const end of [socket, onward]) end.on("error", () => void [socket.destroy(), onward.destroy()]);
    });
    await listening(proxy);
    const env = { HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
    try {
      const through = await perp(["--base-url", "http://perps.invalid:8080"], env);
      expect([through.code, through.stderr]).toEqual([0, ""]);
      expect(new Set(asked)).toEqual(new Set(["perps.invalid:8080"]));
      asked.length = 0;
      const around = reach({ baseUrl: "http://perps.invalid:8080" }, { ...env, NO_PROXY: "perps.invalid" });
      await expect(around).rejects.toMatchObject(unreachable(/perps\.invalid/));
      await reach({ baseUrl: reference.url }, env);
      expect(asked).toEqual([]);
    } finally {
      shutDown(proxy);
      await reference.close();
    }
  });
});

const folder = await certificates();
afterAll(() => folder && rm(folder, { recursive: true }));

describe.skipIf(folder === undefined)("TLS", () => {
  const file = (name: string) => join(folder ?? "", name);

  test("with a private authority and a client certificate (mutual TLS)", async () => {
    const [key, cert] = [await readFile(file("key.pem")), await readFile(file("cert.pem"))];
    const server = createTlsServer(
      { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true },
      emptyPlatform(),
    );
    await listening(server as unknown as Server);
    const url = `https://127.0.0.1:${portOf(server)}`;
    try {
      const mutual = await perp([
        "--base-url",
        url,
        "--ca",
        file("cert.pem"),
        "--cert",
        file("cert.pem"),
        "--key",
        file("key.pem"),
      ]);
      expect([mutual.code, mutual.stderr]).toEqual([0, ""]);
      await expect(reach({ baseUrl: url, ca: file("cert.pem") })).rejects.toMatchObject(unreachable(/./));
    } finally {
      server.close();
    }
  });

  test("unchecked is said on the terminal and in every report", async () => {
    const [key, cert] = [await readFile(file("key.pem")), await readFile(file("cert.pem"))];
    const server = createTlsServer({ key, cert }, emptyPlatform());
    await listening(server as unknown as Server);
    const url = `https://127.0.0.1:${portOf(server)}`;
    try {
      await expect(reach({ baseUrl: url })).rejects.toMatchObject(unreachable(/self.signed certificate/));
      const { code, stdout, out, results } = await perp(["--base-url", url, "--insecure"]);
      expect(code).toBe(0);
      expect(stdout).toContain("certificate was not checked");
      expect((await results()).target).toMatchObject({ insecure: true });
      expect(await readFile(join(out, "summary.md"), "utf8")).toContain("certificate was not checked");
    } finally {
      server.close();
    }
  });
});

/** A folder with a certificate for 127.0.0.1 that is its own authority, made by openssl; undefined where there is none. */
async function certificates(): Promise<string | undefined> {
  const made = await mkdtemp(join(tmpdir(), "perp-conformance-tls-"));
  const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", join(made, "key.pem"), "-out", join(made, "cert.pem")];
  try {
    const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files];
    execFileSync("openssl", args, { stdio: "ignore" });
    return made;
  } catch {
    return undefined;
  }
}
