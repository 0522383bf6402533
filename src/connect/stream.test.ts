import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttp2Server, createSecureServer, type ServerHttp2Stream } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { encodeEnvelope } from "./envelope.js";
import type { Exchange } from "./exchange.js";
import {
  answerOf,
  chunked,
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
import { interpret, interpretStream } from "./interpret.js";
import type { StreamUntil } from "./stream-body-reader.js";
import type { Target } from "./target.js";
import type { TransportSettings } from "./transport.js";

const message = encodeEnvelope('{"positions":[]}');
const endFrame = encodeEnvelope("{}", 0b10);

/** Opens the stream of a server that answers so, and tells what came. */
async function listen(
  answer: Parameters<typeof connectToHostile>[0],
  until: StreamUntil = { ms: 2_000 },
  settings: Partial<Target> & TransportSettings = {},
): Promise<Exchange> {
  await using server = await connectToHostile(answer, { bodyLimit: 1_000_000, ...settings });
  return await server.listen(until);
}

/** The same for a server that sends these parts, each a chunk, and ends the body. */
function listenTo(...parts: readonly (Buffer | string)[]): Promise<Exchange> {
  return listen(Buffer.concat([chunked(...parts), Buffer.from(lastChunk)]));
}

describe("a stream", () => {
  test("is asked for with one envelope", async () => {
    await using server = await connectToHostile(answerOf(endFrame));
    await server.listen({});
    expect(server.requests[0]?.head).toContain("Content-Type: application/connect+json");
    expect(server.requests[0]?.body).toEqual(encodeEnvelope('{"limit":1}'));
  });

  test("is left after so many messages; the connection is closed", async () => {
    await using server = await connectToHostile((socket) => {
      socket.write(chunkedHead());
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(chunkOf(message))), 5);
    });
    const exchange = await server.listen({ messages: 3 });
    await server.clientLeft;
    expect(exchange).toMatchObject({ ended: "by-us", response: { status: 200, body: "" } });
    expect(exchange.failure).toBeUndefined();
    expect(exchange.framing).toBeUndefined();
    expect(exchange.frames).toHaveLength(3);
    expect(exchange.loopLagMs).toBeGreaterThanOrEqual(0);
    const times = exchange.frames?.map(({ at }) => at) ?? [];
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  test("is left after a time, also in the middle of an envelope, which is no fault", async () => {
    const exchange = await listen(chunked(message, message.subarray(0, 7)), { ms: 60 });
    expect(exchange.ended).toBe("by-us");
    expect(interpretStream(exchange)).toEqual({
      kind: "stream",
      messages: [{ at: expect.any(Number), lagMs: expect.any(Number), body: { positions: [] }, frame: 0 }],
    });
  });

  test("is watched for longer where this thread was stalled", async () => {
    const stalled = (ms: number) =>
      listen(
        (socket) => {
          socket.write(chunked(message));
          const end = performance.now() + ms;
          while (performance.now() < end);
          const timer = setInterval(
            () => (socket.destroyed ? clearInterval(timer) : socket.write(chunkOf(message))),
            10,
          );
        },
        { messages: 12, ms: 300 },
      );
    expect((await stalled(500)).frames).toHaveLength(12);
  });

  test("that stays silent is left after the time for which it was to be watched, headers or not", async () => {
    for (const until of [{ ms: 80 }, (_: unknown, elapsed: number) => elapsed > 80]) {
      const exchange = await listen(() => {}, until, { timeoutMs: 30 });
      expect(exchange).toMatchObject({ ended: "by-us", frames: [] });
      expect(exchange.response).toBeUndefined();
      expect(interpretStream(exchange)).toEqual({ kind: "stream", messages: [] });
    }
  });

  test("is asked for without an envelope under another media type", async () => {
    await using server = await connectToHostile(answerOf("{}"));
    const request = requestTo(server.baseUrl, "GetOpenPositionsStreaming");
    await server.transport.stream(
      { ...request, headers: [["Content-Type", "application/json"]] },
      { id: "s", until: {} },
    );
    expect(String(server.requests[0]?.body)).toBe('{"limit":1}');
  });

  test("is left when a function says so, at a frame or between frames", async () => {
    const silent = await listen(
      (socket) => socket.write(chunkedHead()),
      (frames, elapsed) => frames.length === 0 && elapsed > 0,
    );
    expect(silent).toMatchObject({ ended: "by-us", frames: [] });
    expect(interpretStream(silent)).toEqual({ kind: "stream", messages: [] });
    const busy = await listen(chunked(message, message), (frames) => frames.length === 2);
    expect(busy.frames).toHaveLength(2);
  });

  test("may be cut into chunks anywhere", async () => {
    const bytes = Buffer.concat([message, encodeEnvelope('{"n":"é"}'), endFrame]);
    const whole = await listenTo(bytes);
    const single = await listenTo(...Array.from(bytes, (byte) => Buffer.from([byte])));
    const halves = await listenTo(bytes.subarray(0, 24), bytes.subarray(24));
    for (const exchange of [whole, single, halves]) {
      expect(exchange.frames?.map(({ data, flags }) => [data, flags])).toEqual([
        ['{"positions":[]}', 0],
        ['{"n":"é"}', 0],
        ["{}", 2],
      ]);
      expect(exchange.ended).toBe("end-frame");
      expect(exchange.response?.bytes).toBe(bytes.length);
      expect(interpretStream(exchange)).toMatchObject({ kind: "stream", endAt: expect.any(Number) });
      expect(interpretStream(exchange)).not.toHaveProperty("problem");
    }
  });

  test("tells when a message began to arrive, if that was long before its end", async () => {
    const exchange = await listen(async (socket) => {
      socket.write(chunked(message, message.subarray(0, 9)));
      await pause(80);
      socket.write(Buffer.concat([chunkOf(message.subarray(9)), chunkOf(endFrame), Buffer.from(lastChunk)]));
    });
    const [first, second, end] = exchange.frames ?? [];
    expect(first).not.toHaveProperty("firstByteAt");
    expect((second?.at ?? 0) - (second?.firstByteAt ?? 0)).toBeGreaterThan(50);
    expect(end).not.toHaveProperty("firstByteAt");
    expect(interpretStream(exchange)).toMatchObject({ messages: [{}, { firstByteAt: second?.firstByteAt }] });
  });

  test("timestamps each frame when it is read, not when the stream ends", async () => {
    let open: Socket | undefined;
    const exchange = await listen(
      (socket) => {
        open = socket;
        socket.write(chunked(message));
      },
      (frames) => {
        if (frames.length === 1) open?.write(Buffer.concat([chunkOf(endFrame), Buffer.from(lastChunk)]));
        return false;
      },
    );
    const [first, last] = exchange.frames ?? [];
    expect(exchange.ended).toBe("end-frame");
    expect(first?.at).toBeLessThan(last?.at ?? 0);
  });

  test("tells how long this thread was too busy to read it (T7)", async () => {
    const busyMs = 60;
    const exchange = await listen(
      (socket) => socket.write(chunked(message), () => setTimeout(() => socket.write(chunkOf(message)), 10)),
      (frames) => {
        if (frames.length === 2) return true;
        const until = performance.now() + busyMs;
        while (performance.now() < until);
        return false;
      },
    );
    expect(exchange.loopLagMs).toBeGreaterThan(busyMs / 2);
  });

  test("may end with an error", async () => {
    const exchange = await listenTo(
      message,
      encodeEnvelope('{"error":{"code":"invalid_argument","message":"no"}}', 0b10),
    );
    expect(exchange.ended).toBe("end-frame");
    expect(interpretStream(exchange)).toMatchObject({
      kind: "stream",
      messages: [{}],
      endError: { code: "invalid_argument", message: "no" },
    });
  });

  test("may end with an error that has no message", async () => {
    expect(interpretStream(await listenTo(encodeEnvelope('{"error":{"code":"internal"}}', 2)))).toMatchObject({
      endError: { code: "internal", message: "" },
    });
  });

  test("keeps flags that Connect does not know", async () => {
    expect((await listenTo(encodeEnvelope("{}", 0x80), endFrame)).frames?.[0]?.flags).toBe(0x80);
  });

  test("that closes without an end frame is reported as closed", async () => {
    const exchange = await listenTo(message);
    expect(exchange.ended).toBe("closed");
    expect(exchange.failure).toBeUndefined();
    expect(interpretStream(exchange)).not.toHaveProperty("endAt");
  });

  test("that breaks keeps what came", async () => {
    const exchange = await listen((socket) =>
      socket.write(chunked(message), () => setTimeout(() => socket.resetAndDestroy(), 20)),
    );
    expect(exchange).toMatchObject({ ended: "closed", failure: { kind: "reset" } });
    expect(interpretStream(exchange)).toMatchObject({
      kind: "stream",
      messages: [{}],
      problem: { kind: "failure", failure: "reset" },
    });
  });
});

describe("faulty envelopes", () => {
  test.each([
    [
      "one that announces 4 GB",
      "oversized",
      [message, Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0x7b])],
      /4294967295 bytes/,
    ],
    ["JSON without envelopes", "oversized", ['{"positions":[]}'], /look like text/],
    ["one that is cut off", "truncated", [message, message.subarray(0, 9)], /after 9 bytes/],
    [
      "bytes after the end of the stream, at once",
      "after-end",
      [Buffer.concat([endFrame, message])],
      /21 bytes came after/,
    ],
    ["bytes after the end of the stream, later", "after-end", [endFrame, "x"], /1 bytes came after/],
  ] as const)("%s", async (_, framing, parts, reason) => {
    const exchange = await listenTo(...parts);
    expect(exchange.framing).toEqual({ kind: framing, message: expect.stringMatching(reason) });
    expect(interpretStream(exchange)).toMatchObject({ kind: "stream", problem: { kind: "framing", framing } });
  });

  test.each([
    ["a compressed one", encodeEnvelope("{}", 1), { kind: "compressed", frame: 1 }],
    [
      "one that is not UTF-8",
      Buffer.from([0, 0, 0, 0, 1, 0xff]),
      { kind: "unreadable", message: /frame 1 is not UTF-8/ },
    ],
    ["one that is not JSON", encodeEnvelope("positions"), { kind: "unreadable", message: /frame 1 is not JSON/ }],
    ["one that is no object", encodeEnvelope("[]"), { kind: "unreadable", message: /frame 1 is not a JSON object/ }],
    [
      "an end that is no object",
      encodeEnvelope("null", 2),
      { kind: "unreadable", message: /end-of-stream frame is not/ },
    ],
    [
      "an end with a bad error",
      encodeEnvelope('{"error":{"code":3}}', 2),
      { kind: "unreadable", message: /without a string code/ },
    ],
  ])("%s", async (_, envelope, { message: text, ...problem }: Record<string, unknown>) => {
    const outcome = interpretStream(await listenTo(message, envelope, message));
    expect(outcome).toMatchObject({
      kind: "stream",
      problem: text === undefined ? problem : { ...problem, message: expect.stringMatching(text as RegExp) },
    });
    // What could be read is kept, before and after.
    if (outcome.kind === "stream") expect(outcome.messages.length).toBe((envelope[0] ?? 0) & 2 ? 1 : 2);
  });
});

describe("something else instead of a stream", () => {
  test("a Connect error", async () => {
    const exchange = await listen(
      answerOf('{"code":"invalid_argument","message":"no"}', { status: "400 Bad Request" }),
    );
    expect(exchange.frames).toEqual([]);
    expect(exchange.ended).toBeUndefined();
    expect(interpretStream(exchange)).toMatchObject({ kind: "error", code: "invalid_argument", message: "no" });
  });

  test.each([
    ["a page", answerOf("<html>", { headers: ["Content-Type: text/html"] }), /not JSON/],
    ["a unary answer", answerOf('{"positions":[]}'), /not enveloped/],
    ["an empty error", answerOf("", { status: "404 Not Found" }), /HTTP 404: the body is empty/],
  ])("%s", async (_, bytes, reason) => {
    const exchange = await listen((socket) => socket.write(bytes));
    expect(interpretStream(exchange)).toEqual({ kind: "malformed", reason: expect.stringMatching(reason) });
  });

  test("an empty success is a stream that closed at once", async () => {
    const exchange = await listen(answerOf("", { headers: ["Content-Type: application/connect+json"] }));
    expect(exchange.ended).toBe("closed");
    expect(interpretStream(exchange)).toEqual({ kind: "stream", messages: [] });
  });

  test("envelopes are read whatever the media type, which rules judge", async () => {
    const exchange = await listen(answerOf(Buffer.concat([message, endFrame])));
    expect(interpretStream(exchange)).toMatchObject({ kind: "stream", messages: [{ body: { positions: [] } }] });
  });

  test("silence, when nothing says how long to watch it", async () => {
    const exchange = await listen(() => {}, { messages: 3 }, { timeoutMs: 40 });
    expect(exchange.ended).toBeUndefined();
    expect(interpretStream(exchange)).toMatchObject({ kind: "failure", failure: "timeout" });
  });

  test("more than the harness is willing to read: what came before is what was seen", async () => {
    const exchange = await listen(chunked(message, Buffer.alloc(5_000)), undefined, { bodyLimit: 1_000 });
    expect(exchange).toMatchObject({ ended: "by-us" });
    expect(interpretStream(exchange)).toMatchObject({ kind: "stream", messages: [{}] });
    expect(exchange).not.toHaveProperty("failure");
  });

  test("more than that before the first message is whole", async () => {
    const exchange = await listen(chunked(Buffer.alloc(5_000, 3)), undefined, { bodyLimit: 1_000 });
    expect(interpretStream(exchange)).toMatchObject({ kind: "failure", failure: "too-large" });
  });

  test("a signal gives it up", async () => {
    await using server = await connectToHostile(chunkedHead());
    const abort = new AbortController();
    const listening = server.listen({}, { signal: abort.signal });
    while (server.requests.length === 0) await new Promise(setImmediate);
    abort.abort();
    expect((await listening).failure?.kind).toBe("aborted");
    await server.clientLeft;
  });
});

/** Answers unary requests with an object, and streams with messages until the client leaves. */
function serveHttp2(stream: ServerHttp2Stream, path: string, onLeft: () => void): void {
  stream.on("error", () => {});
  if (!path.endsWith("Streaming")) {
    stream.respond({ ":status": 200, "content-type": "application/json" });
    stream.end('{"orders":[]}');
    return;
  }
  stream.respond({ ":status": 200, "content-type": "application/connect+json" });
  const timer = setInterval(() => stream.write(message), 5);
  stream.on("close", () => {
    clearInterval(timer);
    onLeft();
  });
}

/** One unary request and one stream, over whatever transport. */
async function talk(target: Target): Promise<[Exchange, Exchange]> {
  await using transport = openTransport(target);
  const unary = await transport.unary(requestTo(target.baseUrl), { id: "u" });
  const stream = await transport.stream(requestTo(target.baseUrl, "GetOpenPositionsStreaming"), {
    id: "s",
    until: { messages: 3 },
  });
  return [unary, stream];
}

describe("HTTP/2 without TLS", () => {
  test("carries unary requests and streams, and leaving ends the stream", async () => {
    let onLeft: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      onLeft = resolve;
    });
    const server = createHttp2Server().on("stream", (stream, headers) =>
      serveHttp2(stream, String(headers[":path"]), onLeft),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const [unary, stream] = await talk(targetAt(`http://127.0.0.1:${portOf(server)}`, { transport: "h2c" }));
    await left;
    server.close();
    expect(interpret(unary)).toEqual({ kind: "success", body: { orders: [] } });
    expect(unary.response?.headers).toContainEqual(["content-type", "application/json"]);
    expect(stream).toMatchObject({ transport: "h2c", ended: "by-us", frames: [{}, {}, {}] });
  });

  test("to a server that only knows HTTP/1.1 is a failure", async () => {
    await using server = await hostileServer((socket) => socket.end(answerOf("", { status: "400 Bad Request" })));
    const [unary] = await talk(targetAt(server.baseUrl, { transport: "h2c", timeoutMs: 300 }));
    expect(unary.response).toBeUndefined();
    expect(unary.failure).toBeDefined();
  });
});

const folder = mkdtempSync(join(tmpdir(), "conformance-tls-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!makeCertificate())("TLS", () => {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");

  /** A server with a certificate of its own that nobody knows. */
  async function secured<T>(protocol: "h1" | "h2", use: (baseUrl: string) => Promise<T>): Promise<T> {
    const options = { key: read("key.pem"), cert: read("cert.pem"), allowHTTP1: true };
    const server =
      protocol === "h2"
        ? createSecureServer(options).on("stream", (stream, headers) =>
            serveHttp2(stream, String(headers[":path"]), () => {}),
          )
        : createTlsServer(options, (_, response) => response.end("{}"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      return await use(`https://127.0.0.1:${portOf(server)}`);
    } finally {
      server.close();
    }
  }

  test("with a certificate that is not trusted is unreachable", async () => {
    const [unary] = await secured("h1", (baseUrl) => talk(targetAt(baseUrl)));
    expect(unary.failure).toEqual({ kind: "unreachable", message: expect.stringMatching(/self.signed/i) });
  });

  test.each([
    ["an authority that is trusted", () => ({ insecure: false, ca: read("cert.pem") })],
    ["no check of certificates", () => ({ insecure: true })],
  ])("with %s", async (_, tls) => {
    const [unary] = await secured("h1", (baseUrl) => talk(targetAt(baseUrl, { tls: tls() })));
    expect(interpret(unary)).toEqual({ kind: "success", body: {} });
  });

  test("carries HTTP/2", async () => {
    const [unary, stream] = await secured("h2", (baseUrl) =>
      talk(targetAt(baseUrl, { tls: { insecure: true }, transport: "h2" })),
    );
    expect(interpret(unary)).toEqual({ kind: "success", body: { orders: [] } });
    expect(stream).toMatchObject({ ended: "by-us", frames: [{}, {}, {}] });
  });
});

/** A certificate for 127.0.0.1, made by openssl; false where there is none. */
function makeCertificate(): boolean {
  const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  try {
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
