import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Exchange } from "./exchange.js";
import {
  answerOf,
  chunkedHead,
  chunkOf,
  connectToHostile,
  hostileServer,
  lastChunk,
  openTransport,
  portOf,
  requestTo,
  targetAt,
} from "./hostile-server.fixture.js";
import { interpret } from "./interpret.js";
import { RequestBudget } from "./request-budget.js";
import type { TransportSettings } from "./transport.js";

/** Asks a server that sends these bytes once, and tells what came back. */
async function ask(bytes: Buffer | string, { end = false, bodyLimit = 1_000_000 } = {}): Promise<Exchange> {
  await using server = await connectToHostile((socket) => (end ? socket.end(bytes) : socket.write(bytes)), {
    bodyLimit,
  });
  return await server.ask("one");
}

describe("complete answers", () => {
  test("are returned with raw header lines, duplicates and order kept", async () => {
    const bytes = answerOf('{"a":1}', { headers: ["X-B: 1", "content-TYPE: application/json", "X-B: 2", "X-A:"] });
    const { id, response, failure, timings } = await ask(bytes);
    expect(id).toBe("one");
    expect(failure).toBeUndefined();
    expect(response).toEqual({
      status: 200,
      headers: [
        ["X-B", "1"],
        ["content-TYPE", "application/json"],
        ["X-B", "2"],
        ["X-A", ""],
        ["Content-Length", "7"],
      ],
      body: '{"a":1}',
      bytes: 7,
    });
    expect(timings.sentMs).toBeLessThanOrEqual(timings.headersMs);
    expect(timings.headersMs).toBeLessThanOrEqual(timings.totalMs);
  });

  test("send what the request says, and nothing about encodings", async () => {
    await using server = await connectToHostile(answerOf("{}"));
    const asked = requestTo(server.baseUrl);
    await server.transport.unary({ ...asked, body: '{"limit":' }, { id: "1" });
    await server.transport.unary({ ...asked, url: `${server.baseUrl}/a/../b?c` }, { id: "2" });
    expect(server.requests[1]?.head).toMatch(/^POST \/a\/\.\.\/b\?c HTTP/);
    const [request] = server.requests;
    expect(request?.head).toMatch(/^POST \/order_service\.v1\.OrderService\/GetOrders HTTP\/1\.1\r\n/);
    expect(request?.head).toContain("Content-Type: application/json");
    expect(request?.head.toLowerCase()).not.toContain("accept-encoding");
    expect(request?.body.toString()).toBe('{"limit":');
  });

  test.each([
    [
      "HTML",
      answerOf("<html>Bad Gateway</html>", { status: "502 Bad Gateway" }),
      /^HTTP 502: the body is not JSON: "<html>Bad Gateway<\/html>"$/,
    ],
    ["an empty body", answerOf("", { status: "404 Not Found" }), /HTTP 404: the body is empty/],
    ["half a JSON text", answerOf('{"orders":[{"ow'), /is not JSON/],
    ["an array", answerOf("[]"), /not an object/],
    ["a byte order mark", answerOf("\ufeff{}"), /byte order mark/],
    ["bytes that are not UTF-8", answerOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), /not UTF-8/],
    ["a deep nest", answerOf("[".repeat(100_000) + "]".repeat(100_000)), /nests deeper/],
    ["an error without a code", answerOf('{"message":"no"}', { status: "500 Oops" }), /not a Connect error/],
    [
      "a redirect",
      answerOf("", { status: "307 Temporary Redirect", headers: ["Location: http://127.0.0.1:1/"] }),
      /redirect to http/,
    ],
  ])("%s is malformed", async (_, bytes, reason) => {
    const outcome = interpret(await ask(bytes));
    expect(outcome).toEqual({ kind: "malformed", reason: expect.stringMatching(reason) });
  });

  test("a redirect is not followed", async () => {
    await using elsewhere = await hostileServer((socket) => socket.write(answerOf("{}")));
    const exchange = await ask(answerOf("", { status: "302 Found", headers: [`Location: ${elsewhere.baseUrl}/`] }));
    expect(exchange.response?.status).toBe(302);
    expect(elsewhere.requests).toHaveLength(0);
  });

  test("informational answers before the real one are passed over", async () => {
    const early = Buffer.from("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
    expect((await ask(Buffer.concat([early, answerOf("{}")]))).response?.status).toBe(200);
  });

  test("a body in chunks of one byte is put together", async () => {
    const body = '{"n":"12345678901234567890"}';
    const bytes = Buffer.concat([
      Buffer.from(chunkedHead("application/json")),
      ...[...body].map((byte) => chunkOf(byte)),
      Buffer.from(lastChunk),
    ]);
    const { response } = await ask(bytes);
    expect(response?.body).toBe(body);
    expect(response?.bytes).toBe(body.length);
  });

  test("a body that comes slowly is read to the end", async () => {
    await using server = await connectToHostile((socket) => {
      const bytes = answerOf('{"slow":true}');
      let sent = 0;
      const drip = setInterval(() => {
        if (sent < bytes.length && !socket.destroyed) socket.write(bytes.subarray(sent, ++sent));
        else clearInterval(drip);
      }, 1);
    });
    const exchange = await server.ask("slow");
    expect(interpret(exchange)).toEqual({ kind: "success", body: { slow: true } });
  });
});

describe("content codings", () => {
  const body = `{"text":"${"x".repeat(5_000)}"}`;

  test.each([
    ["gzip", gzipSync(body)],
    ["X-GZIP", gzipSync(body)],
    ["deflate", deflateSync(body)],
    ["deflate", deflateRawSync(body)],
    ["br", brotliCompressSync(body)],
    ["gzip, br", brotliCompressSync(gzipSync(body))],
    ["identity", Buffer.from(body)],
  ])("%s is undone", async (coding, bytes) => {
    const { response, failure } = await ask(answerOf(bytes, { headers: [`Content-Encoding: ${coding}`] }));
    expect(failure).toBeUndefined();
    expect(response?.body).toBe(body);
    expect(response?.bytes).toBe(bytes.length);
  });

  test.each([
    ["one that is unknown", "zstd-9000", Buffer.from("{}"), "protocol"],
    ["one that a prototype has", "constructor", Buffer.from("{}"), "protocol"],
    ["a false one", "gzip", Buffer.from("{}"), "protocol"],
    ["a bomb", "gzip", gzipSync(Buffer.alloc(2_000_000)), "too-large"],
  ])("%s is a failure", async (_, coding, bytes, kind) => {
    const exchange = await ask(answerOf(bytes, { headers: [`Content-Encoding: ${coding}`] }));
    expect(exchange.failure?.kind).toBe(kind);
    expect(exchange.response?.status).toBe(200);
  });
});

describe("failures", () => {
  test("a closed port is unreachable", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${portOf(server)}`;
    server.close();
    await once(server, "close");
    await using transport = openTransport(targetAt(baseUrl));
    const exchange = await transport.unary(requestTo(baseUrl), { id: "refused" });
    expect(exchange.failure).toEqual({ kind: "unreachable", message: expect.stringContaining("ECONNREFUSED") });
    expect(exchange.response).toBeUndefined();
    expect(interpret(exchange).kind).toBe("failure");
  });

  test("a name that does not resolve is unreachable", async () => {
    const baseUrl = "http://no-such-host.invalid";
    await using transport = openTransport(targetAt(baseUrl));
    expect((await transport.unary(requestTo(baseUrl), { id: "dns" })).failure?.kind).toBe("unreachable");
  });

  test("a TLS handshake that never ends is unreachable", async () => {
    await using server = await hostileServer(() => {});
    const baseUrl = server.baseUrl.replace("http:", "https:");
    await using transport = openTransport(targetAt(baseUrl, { timeoutMs: 50 }));
    const { failure } = await transport.unary(requestTo(baseUrl), { id: "tls" });
    expect(failure).toEqual({ kind: "unreachable", message: "no connection within 50 ms" });
  });

  test("a reset of a fresh connection is reported, and not tried again", async () => {
    await using server = await connectToHostile((socket) => socket.resetAndDestroy());
    const exchange = await server.ask("reset");
    expect(exchange.failure?.kind).toBe("reset");
    expect(exchange.response).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  test("a close without an answer is a reset", async () => {
    expect((await ask("", { end: true })).failure?.kind).toBe("reset");
  });

  test("a reset within the body keeps what came", async () => {
    await using server = await connectToHostile((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":`, () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      );
    });
    const { response, failure } = await server.ask("reset");
    expect(failure?.kind).toBe("reset");
    expect(response).toMatchObject({ status: 200, body: '{"half":', bytes: 8 });
  });

  test.each([
    ["kept alive", "reset", ""],
    ["to be closed", "protocol", "Connection: close\r\n"],
  ])("a content-length beyond the body, connection %s", async (_, kind, line) => {
    const { failure } = await ask(`HTTP/1.1 200 OK\r\n${line}Content-Length: 100\r\n\r\n{}`, { end: true });
    expect(failure?.kind).toBe(kind);
  });

  test("a content-length short of the body cuts it, and does not spoil the next answer", async () => {
    await using server = await connectToHostile((socket, { connection }) =>
      socket.write(connection === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{"a":1}' : answerOf('{"b":2}')),
    );
    const cut = await server.ask("1");
    const next = await server.ask("2");
    expect(interpret(cut).kind).toBe("malformed");
    expect(interpret(next)).toEqual({ kind: "success", body: { b: 2 } });
  });

  test.each([
    ["no HTTP at all", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["two content-lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"],
    ["a broken chunk", `${chunkedHead("application/json")}zz\r\n`],
  ])("%s is a protocol failure", async (_, bytes) => {
    expect((await ask(bytes)).failure?.kind).toBe("protocol");
  });

  test("a head that is larger than the HTTP client takes is no protocol failure", async () => {
    const { failure } = await ask(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(200_000)}\r\n\r\n`);
    expect(failure?.kind).toBe("unsupported");
  });

  test("a body above the limit is not read on", async () => {
    const { failure, response } = await ask(answerOf(`"${"x".repeat(5_000)}"`), { bodyLimit: 1_000 });
    expect(failure?.kind).toBe("too-large");
    expect(response?.status).toBe(200);
  });

  test.each([
    ["of headers", "", /no response headers/],
    ["of the body", `HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{`, /stopped .* after 1 bytes/],
  ])("silence instead %s is a timeout", async (_, bytes, message) => {
    await using server = await connectToHostile(bytes, { timeoutMs: 100 });
    const { failure } = await server.ask("hang");
    expect(failure).toEqual({ kind: "timeout", message: expect.stringMatching(message) });
  });

  test("a body that never ends is a timeout, though it never stops", async () => {
    await using server = await connectToHostile(
      (socket) => {
        socket.write(chunkedHead("application/json"));
        const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write(chunkOf(" "))), 5);
      },
      { timeoutMs: 100 },
    );
    const { failure } = await server.ask("endless");
    expect(failure).toEqual({ kind: "timeout", message: expect.stringContaining("no complete answer") });
  });

  test("what the harness was too busy to read is no timeout", async () => {
    await using server = await connectToHostile(answerOf("{}"), { timeoutMs: 100 });
    const asked = server.ask("busy");
    // The server lives in this thread too: let it answer, then block before the answer is read.
    while (server.requests.length === 0) await new Promise(setImmediate);
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect((await asked).failure).toBeUndefined();
  });
});

describe("giving up", () => {
  test("a signal aborts what is under way, and what has not begun", async () => {
    await using server = await connectToHostile(() => {});
    const abort = new AbortController();
    const asked = server.ask("1", { signal: abort.signal });
    while (server.requests.length === 0) await new Promise(setImmediate);
    abort.abort();
    expect((await asked).failure?.kind).toBe("aborted");
    await server.clientLeft;
    expect((await server.ask("2", { signal: abort.signal })).failure?.kind).toBe("aborted");
    expect(server.requests).toHaveLength(1);
  });

  test("closing the transport aborts what is under way and what waits for a slot", async () => {
    await using server = await connectToHostile(() => {}, { concurrency: 1 });
    const asked = Promise.all([1, 2, 3].map((id) => server.ask(`${id}`)));
    while (server.requests.length === 0) await new Promise(setImmediate);
    await server.transport.close();
    expect((await asked).map(({ failure }) => failure?.kind)).toEqual(["aborted", "aborted", "aborted"]);
    expect(server.requests).toHaveLength(1);
  });

  test("a request that cannot be sent is an error of the harness, not a finding", async () => {
    await using server = await connectToHostile(answerOf("{}"));
    const faulty = { ...requestTo(server.baseUrl), method: "NO SUCH" };
    await expect(server.transport.unary(faulty, { id: "1" })).rejects.toThrow(/method/);
    expect((await server.ask("2")).response?.status).toBe(200);
  });
});

describe("connections", () => {
  test.each([
    ["a length", (length: number) => [`Content-Length: ${length}`]],
    ["no length", () => []],
  ])("may end while a body waits for another large one, at its last bytes: %s", async (_, lengthOf) => {
    const body = Buffer.from(`{"a":"${"x".repeat(1024 * 1024 + 40)}"}`);
    const head = ["HTTP/1.1 200 OK", "Content-Type: application/json", "Connection: close", ...lengthOf(body.length)];
    const bytes = Buffer.concat([Buffer.from([...head, "", ""].join("\r\n")), body]);
    const withheld = (id: string) => (id === "first" ? 10 : 100);
    const delay = (id: string) => (id === "first" ? 200 : 50);
    const ids = ["first", "second"];
    await using server = await connectToHostile(
      (socket) => {
        const id = ids.shift() ?? "";
        socket.write(bytes.subarray(0, -withheld(id)));
        setTimeout(() => socket.end(bytes.subarray(-withheld(id))), delay(id));
      },
      { bodyLimit: 2_000_000 },
    );
    const exchanges = await Promise.all([server.ask("first"), server.ask("second")]);
    expect(exchanges.map(({ failure }) => failure)).toEqual([undefined, undefined]);
    expect(exchanges.map(({ response }) => response?.bytes)).toEqual([body.length, body.length]);
  });

  test("are kept alive", async () => {
    await using server = await connectToHostile(answerOf("{}"));
    for (const id of ["1", "2", "3"]) await server.ask(id);
    expect(server.requests.map(({ connection, nth }) => [connection, nth])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
  });

  test("a request that asks for one of its own is not sent on one that is idle", async () => {
    await using server = await connectToHostile(answerOf("{}"));
    for (const newConnection of [false, false, true]) await server.ask("one", { newConnection });
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  test("one that was closed while idle is opened again, which is no finding", async () => {
    const superseded: Exchange[] = [];
    await using server = await connectToHostile(
      (socket, { nth }) => (nth === 1 ? socket.write(answerOf("{}")) : socket.resetAndDestroy()),
      {
        onSuperseded: (exchange) => superseded.push(exchange),
      },
    );
    await server.ask("1");
    const exchange = await server.ask("2");
    expect(exchange.failure).toBeUndefined();
    expect(exchange.id).toBe("2");
    expect(server.requests.map(({ connection, nth }) => [connection, nth])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(superseded).toEqual([
      expect.objectContaining({ id: "2/attempt-1", failure: expect.objectContaining({ kind: "reset" }) }),
    ]);
  });

  test("a reset after the first byte of an answer is reported, also on a connection used before", async () => {
    await using server = await connectToHostile((socket, { nth }) => {
      if (nth === 1) socket.write(answerOf("{}"));
      else
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        );
    });
    await server.ask("1");
    expect((await server.ask("2")).failure?.kind).toBe("reset");
    // The third one shows that the target is there.
    expect(server.requests.map(({ connection, nth }) => [connection, nth])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
  });

  test.each([
    [
      "says that it had waited for too long",
      "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ],
    ["brings something that nobody asked for", "garbage\r\n\r\n"],
  ])("one that %s is left for a new one, not for another idle one", async (_, unasked) => {
    await using server = await connectToHostile(answerOf("{}") + unasked);
    for (const round of ["first", "second", "third"]) {
      const exchanges = await Promise.all(["a", "b", "c"].map((which) => server.ask(`${round} ${which}`)));
      expect(exchanges.map(({ response, failure }) => failure ?? response?.status)).toEqual([200, 200, 200]);
    }
  });

  test("no more requests are under way than the target allows", async () => {
    let underWay = 0;
    let most = 0;
    await using server = await connectToHostile(
      (socket) => {
        most = Math.max(most, ++underWay);
        setTimeout(() => {
          underWay--;
          socket.write(answerOf("{}"));
        }, 5);
      },
      { concurrency: 3 },
    );
    const exchanges = await Promise.all(Array.from({ length: 12 }, (_, id) => server.ask(`${id}`)));
    expect(exchanges.every(({ failure }) => failure === undefined)).toBe(true);
    expect(most).toBe(3);
  });
});

describe("a target that asks for fewer requests", () => {
  test("is asked again after the pause", async () => {
    let asked = 0;
    const superseded: string[] = [];
    await using server = await connectToHostile(
      (socket) =>
        socket.write(
          ++asked < 3
            ? answerOf("{}", { status: "429 Too Many Requests", headers: ["Retry-After: 0"] })
            : answerOf("{}"),
        ),
      { onSuperseded: ({ id }) => superseded.push(id) },
    );
    const exchange = await server.ask("x");
    expect(exchange.response?.status).toBe(200);
    expect(exchange.throttled).toBeUndefined();
    expect(superseded).toEqual(["x/attempt-1", "x/attempt-2"]);
  });

  test.each([
    ["after three more attempts", "503 Unavailable", "Retry-After: 0", 4],
    ["at once when the pause is too long", "429 Too Many Requests", "Retry-After: 86400", 1],
  ])("is left in peace %s", async (_, status, line, attempts) => {
    await using server = await connectToHostile(answerOf("{}", { status, headers: [line] }));
    const exchange = await server.ask("x");
    expect(exchange.throttled).toBe(true);
    expect(server.requests).toHaveLength(attempts);
  });

  test("an error that is none of that is an answer like others", async () => {
    await using server = await connectToHostile(answerOf("{}", { status: "502 Bad Gateway" }));
    expect((await server.ask("x")).throttled).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  test("is not sent more than was announced, retries included", async () => {
    await using server = await connectToHostile(
      (socket, { nth }) =>
        socket.write(answerOf("{}", nth > 1 ? { status: "429 Too Many Requests", headers: ["Retry-After: 0"] } : {})),
      { requestBudget: RequestBudget.of(3) },
    );
    expect((await server.ask("1")).response?.status).toBe(200);
    expect((await server.ask("2")).failure).toMatchObject({
      kind: "given-up",
      message: expect.stringContaining("announced"),
    });
    expect((await server.ask("3")).failure?.kind).toBe("given-up");
    expect(server.requests).toHaveLength(3);
  });
});

describe("a target that is away", () => {
  const gone = { message: expect.stringContaining("what the target had answered before was not answered either") };

  /** A server that answers until it is told to go away, for so many requests. */
  async function leavingServer(away: (socket: Socket) => void, settings: TransportSettings) {
    let left = 0;
    const server = await connectToHostile((socket) => {
      if (left > 0) {
        left--;
        away(socket);
      } else socket.write(answerOf("{}"));
    }, settings);
    return Object.assign(server, {
      leaveFor(requests: number) {
        left = requests;
      },
    });
  }

  test.each([
    ["breaks its connections", (socket: Socket) => void socket.resetAndDestroy()],
    [
      "is behind a gateway",
      (socket: Socket) => void socket.write(answerOf("<html></html>", { status: "502 Bad Gateway" })),
    ],
  ])("and %s is waited for, and asked again", async (_, away) => {
    const superseded: string[] = [];
    await using server = await leavingServer(away, { onSuperseded: ({ id }) => superseded.push(id) });
    await server.ask("before");
    server.leaveFor(5);
    const ids = ["a", "b", "c"];
    const exchanges = await Promise.all(ids.map((id) => server.ask(id)));
    expect(exchanges.map(({ response, failure }) => failure ?? response?.status)).toEqual([200, 200, 200]);
    expect(new Set(superseded.map((id) => id.charAt(0)))).toEqual(new Set(ids));
    // Whatever was sent is evidence, each under a name of its own.
    expect(server.requests).toHaveLength(1 + ids.length + new Set(superseded).size);
    expect(superseded.every((id) => /\/attempt-\d+$/.test(id))).toBe(true);
  });

  test("for good is unreachable, and is waited for once", async () => {
    await using server = await leavingServer((socket) => socket.resetAndDestroy(), { outagePausesMs: [10, 20] });
    await server.ask("before");
    server.leaveFor(Number.POSITIVE_INFINITY);
    const { failure } = await server.ask("1");
    expect(failure).toEqual({ kind: "unreachable", ...gone });
    const asked = server.requests.length;
    expect((await server.ask("2")).failure).toEqual({ kind: "unreachable", ...gone });
    // Itself and one more, to see whether the target is there.
    expect(server.requests.length - asked).toBe(2);
  });

  test("in the middle of a stream is waited for, and the stream is opened again", async () => {
    await using server = await connectToHostile((socket, { connection }) => {
      if (connection === 1) socket.write(answerOf("{}"));
      else if (connection < 4) socket.resetAndDestroy();
      else if (connection === 4) socket.write(answerOf("{}"));
      else socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/connect+json\r\n\r\n\0\0\0\0\x02{}");
    });
    await server.ask("before");
    const exchange = await server.listen({ messages: 1, ms: 2_000 });
    expect(exchange.frames?.map(({ data }) => data)).toEqual(["{}"]);
  });

  test("is one that answered before: one that never did has broken the connection", async () => {
    await using server = await connectToHostile((socket) => socket.resetAndDestroy());
    expect((await server.ask("1")).failure?.kind).toBe("reset");
    expect(server.requests).toHaveLength(1);
  });

  test("by what it has answered elsewhere is away here too", async () => {
    await using server = await hostileServer((socket, { body }) =>
      body.includes("known") ? socket.write(answerOf("{}")) : socket.resetAndDestroy(),
    );
    const known = { ...requestTo(server.baseUrl), body: '{"known":1}' };
    await using transport = openTransport(targetAt(server.baseUrl), { answered: [known] });
    expect((await transport.unary(requestTo(server.baseUrl), { id: "1" })).failure?.kind).toBe("reset");
    expect(server.requests.map(({ body }) => body.toString())).toEqual([
      expect.not.stringContaining("known"),
      known.body,
    ]);
  });
});
