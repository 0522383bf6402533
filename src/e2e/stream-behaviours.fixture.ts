import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { compressedFlag, encodeEnvelope, endStreamFlag } from "../connect/envelope.js";
import type { FailureKind, FramingProblem } from "../connect/exchange.js";
import { chunkedHead, chunkOf, lastChunk } from "../connect/hostile-server.fixture.js";
import { asItIs, drip, pour, type StreamBehaviour } from "./misbehaving.fixture.js";

/**
 * What a client makes of a stream that it watches for a few messages: the messages that the server behind sends, other ones
 * or none (`silence`) without a problem, a problem of the stream, an error, or something that is no stream.
 */
export type ExpectedStreamOutcome =
  | "same"
  | "other"
  | "silence"
  | "end-frame"
  | "closed"
  | FramingProblem["kind"]
  | "compressed"
  | "unreadable"
  | `broken: ${FailureKind}`
  | "error"
  | "malformed"
  | FailureKind;

/** A behaviour of the stream, and what the client makes of it. */
export interface StreamCase {
  readonly behaviour: StreamBehaviour;
  readonly outcome: ExpectedStreamOutcome;
}

const crlf = "\r\n";
const type = "Content-Type: application/connect+json";
const head = (...lines: readonly string[]) => [...lines, "", ""].join(crlf);
const opened = chunkedHead();
const empty = encodeEnvelope('{"positions":[]}');
const ends = (metadata = "{}") => encodeEnvelope(metadata, endStreamFlag);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The stream with each envelope written in another way. */
const each =
  (write: (socket: Socket, envelope: Buffer) => unknown, before = opened): StreamBehaviour =>
  async (socket, envelopes) => {
    socket.write(before, "latin1");
    for await (const envelope of envelopes) await write(socket, envelope);
  };
/** The stream in chunks under another head. */
const under = (before: string) => each((socket, envelope) => socket.write(chunkOf(envelope)), before);
/** The first envelopes, and then something. */
const afterSome =
  (count: number, then: (socket: Socket, next: Buffer) => void): StreamBehaviour =>
  async (socket, envelopes) => {
    socket.write(opened);
    let seen = 0;
    for await (const envelope of envelopes) {
      if (seen++ === count) return then(socket, envelope);
      socket.write(chunkOf(envelope));
    }
  };
/** Bytes in place of the stream. */
const bytes =
  (...parts: readonly (Buffer | string)[]): StreamBehaviour =>
  (socket) => {
    socket.write(opened);
    for (const part of parts) socket.write(chunkOf(part));
  };
/** Bytes in place of the stream, and its end. */
const thenEnds =
  (...parts: readonly (Buffer | string)[]): StreamBehaviour =>
  (socket, ...others) => {
    bytes(...parts)(socket, ...others);
    socket.end(lastChunk);
  };
/** A plain answer in place of the stream. */
const plain =
  (status: string, contentType: string, body: string): StreamBehaviour =>
  (socket) =>
    void socket.write(
      head(`HTTP/1.1 ${status}`, `Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(body)}`) + body,
    );
/** A message again and again. */
const again =
  (payload: string | Buffer, ms = 40): StreamBehaviour =>
  (socket) => {
    const envelope = Buffer.isBuffer(payload) ? payload : encodeEnvelope(payload);
    socket.write(opened);
    drip(socket, ms, () => chunkOf(envelope));
  };
/** The prefix of an envelope. */
const prefixed = (length: number, flags = 0) => {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flags, 0);
  prefix.writeUInt32BE(length, 1);
  return prefix;
};
const zipped = gzipSync('{"positions":[]}');
const storm = chunkOf(Buffer.concat(Array.from({ length: 1_000 }, () => empty)));

const right = (behaviour: StreamBehaviour): StreamCase => ({ behaviour, outcome: "same" });
const wrong = (outcome: ExpectedStreamOutcome, behaviour: StreamBehaviour): StreamCase => ({ behaviour, outcome });

/** All of them, by name. */
export const streamCases: Readonly<Record<string, StreamCase>> = {
  // The right messages, in ways that a client has to take.
  "messages byte by byte": right(
    each((socket, envelope) => socket.write(Buffer.concat([...envelope].map((byte) => chunkOf(Buffer.from([byte])))))),
  ),
  "messages in two parts with a pause": right(
    each(async (socket, envelope) => {
      socket.write(chunkOf(envelope.subarray(0, 3)));
      await pause(10);
      socket.write(chunkOf(envelope.subarray(3)));
    }),
  ),
  "messages in pieces across chunks": right(
    (() => {
      let rest = Buffer.alloc(0);
      return each((socket, envelope) => {
        const all = Buffer.concat([rest, envelope]);
        const now = all.subarray(0, all.length - 2);
        rest = Buffer.from(all.subarray(all.length - 2));
        socket.write(chunkOf(now));
      });
    })(),
  ),
  "no chunks, until it closes": right(
    each((socket, envelope) => socket.write(envelope), head("HTTP/1.1 200 OK", type, "Connection: close")),
  ),
  "HTTP/1.0": right(each((socket, envelope) => socket.write(envelope), head("HTTP/1.0 200 OK", type))),
  "a length of many gigabytes": right(
    each((socket, envelope) => socket.write(envelope), head("HTTP/1.1 200 OK", type, `Content-Length: ${2 ** 40}`)),
  ),
  "informational answers before it": right(
    under(`HTTP/1.1 100 Continue${crlf}${crlf}HTTP/1.1 103 Early Hints${crlf}Link: a${crlf}${crlf}${opened}`),
  ),
  "a head byte by byte": right(async (socket, envelopes) => {
    for (const character of opened) {
      socket.write(character);
      await pause(0);
    }
    for await (const envelope of envelopes) socket.write(chunkOf(envelope));
  }),
  "headers of its protocol": right(
    under(head("HTTP/1.1 200 OK", type, "Connect-Content-Encoding: identity", "Transfer-Encoding: chunked")),
  ),
  "a media type with parameters, in capitals": right(
    under(
      head("HTTP/1.1 200 OK", "Content-Type: Application/Connect+JSON; charset=utf-8", "Transfer-Encoding: chunked"),
    ),
  ),
  "chunks with extensions": right(
    each((socket, envelope) =>
      socket.write(
        Buffer.concat([Buffer.from(`${envelope.length.toString(16)};beat=1${crlf}`), envelope, Buffer.from(crlf)]),
      ),
    ),
  ),
  "another media type": right(under(head("HTTP/1.1 200 OK", "Content-Type: text/plain", "Transfer-Encoding: chunked"))),
  "no media type": right(under(head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked"))),
  // Other messages.
  "messages without positions": wrong("other", again('{"positions":[]}')),
  "messages of nothing": wrong("unreadable", again("")),
  "messages of an empty object": wrong("other", again("{}")),
  "two messages in a chunk": wrong("other", again(Buffer.concat([empty, empty]))),
  "a storm of messages": wrong("other", (socket) => {
    socket.write(opened);
    drip(socket, 10, () => storm);
  }),
  "a hundred thousand messages at once": wrong("other", (socket) => {
    socket.write(opened);
    for (let count = 0; count < 100; count++) socket.write(storm);
  }),
  "a byte of a message at a time": wrong("other", (socket) => {
    socket.write(opened);
    drip(socket, 2, (count) => chunkOf(empty.subarray(count % empty.length, (count % empty.length) + 1)));
  }),
  "a number that no double holds": wrong("other", again('{"positions":[{"markPrice":1e400}]}')),
  "names of the prototype": wrong("other", again('{"__proto__":{"positions":1},"positions":[{"constructor":{}}]}')),
  "flags that nobody knows": wrong("other", again(encodeEnvelope('{"positions":[]}', 0b1111_0000))),
  "messages of 7 MB": wrong("other", again(encodeEnvelope(`{"positions":[],"x":"${"x".repeat(7 << 20)}"}`), 1)),
  // Messages that are none.
  "messages that are no JSON": wrong("unreadable", again("positions")),
  "messages that are cut off": wrong("unreadable", again('{"positions":[')),
  "messages that are arrays": wrong("unreadable", again("[]")),
  "messages that are null": wrong("unreadable", again("null")),
  "messages with a byte order mark": wrong("unreadable", again('\ufeff{"positions":[]}')),
  "messages in UTF-16": wrong(
    "unreadable",
    again(Buffer.concat([prefixed(32), Buffer.from('{"positions":[]}', "utf16le")])),
  ),
  "messages that are no UTF-8": wrong(
    "unreadable",
    again(Buffer.concat([prefixed(3), Buffer.from([0x22, 0xff, 0x22])])),
  ),
  "two objects in a message": wrong("unreadable", again("{}{}")),
  "a nest of 100,000": wrong("unreadable", again(`{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)),
  "a million empty rows": wrong("too-large", again(`{"positions":[{}${",{}".repeat(999_999)}]}`)),
  // Compression.
  "compressed messages": wrong("compressed", again(Buffer.concat([prefixed(zipped.length, compressedFlag), zipped]))),
  "messages that say they are compressed": wrong(
    "compressed",
    again(encodeEnvelope('{"positions":[]}', compressedFlag)),
  ),
  "messages that are compressed and do not say so": wrong(
    "unreadable",
    again(Buffer.concat([prefixed(gzipSync("{}").length), gzipSync("{}")])),
  ),
  "a stream that is compressed as a whole": wrong("malformed", (socket) => {
    socket.write(head("HTTP/1.1 200 OK", type, "Content-Encoding: gzip", "Transfer-Encoding: chunked"));
    drip(socket, 40, () => chunkOf(gzipSync(empty)));
  }),
  // Envelopes.
  "a message that is longer than it says": wrong("unreadable", bytes(prefixed(1), '{"positions":[]}', empty)),
  "a message that is shorter than it says": wrong("silence", bytes(prefixed(1_000), '{"positions":[]}')),
  "a message of 4 GB": wrong("oversized", (socket) => {
    socket.write(opened);
    socket.write(chunkOf(prefixed(0xffff_ffff)));
    pour(socket, chunkOf(Buffer.alloc(1 << 20)));
  }),
  "a message of 200 MB without end": wrong("oversized", (socket) => {
    socket.write(opened);
    socket.write(chunkOf(prefixed(200 << 20)));
    pour(socket, chunkOf(Buffer.alloc(1 << 20)));
  }),
  "a message of 8 MB that comes byte by byte": wrong("too-large", (socket) => {
    socket.write(opened);
    socket.write(chunkOf(prefixed(8 << 20)));
    pour(socket, Buffer.concat(Array(10_000).fill(chunkOf(" "))));
  }),
  "an end within a message": wrong("truncated", thenEnds(empty, empty.subarray(0, 9))),
  "an end within a prefix": wrong("truncated", thenEnds(empty, empty.subarray(0, 3))),
  "an end without the last frame": wrong("closed", thenEnds(empty, empty)),
  "no message and an end without the last frame": wrong("closed", thenEnds()),
  "the last frame": wrong("end-frame", thenEnds(empty, ends())),
  "the last frame at once": wrong("end-frame", thenEnds(ends())),
  "the last frame with metadata": wrong("end-frame", thenEnds(empty, ends('{"metadata":{"a":["b"]}}'))),
  "the last frame, and no end": wrong("end-frame", bytes(empty, ends())),
  "the last frame twice": wrong("after-end", bytes(empty, Buffer.concat([ends(), ends()]))),
  "a message after the last frame": wrong("after-end", bytes(empty, Buffer.concat([ends(), empty]))),
  "garbage after the last frame": wrong("after-end", bytes(empty, Buffer.concat([ends(), Buffer.from("garbage")]))),
  "garbage without end after the last frame": wrong("after-end", (socket, ...others) => {
    bytes(empty, ends())(socket, ...others);
    // Many small chunks in one piece: written one by one they would keep this process, which reads them too, from all else.
    pour(socket, Buffer.concat(Array(1_000).fill(chunkOf("garbage"))));
  }),
  "a last frame that is no JSON": wrong("unreadable", thenEnds(empty, ends("the end"))),
  "a last frame of nothing": wrong("unreadable", thenEnds(empty, ends(""))),
  "a last frame with an error": wrong(
    "end-frame",
    thenEnds(empty, ends('{"error":{"code":"internal","message":"no"}}')),
  ),
  "a last frame with an error, at once": wrong("end-frame", thenEnds(ends('{"error":{"code":"internal"}}'))),
  "a last frame with an error that is none": wrong("unreadable", thenEnds(empty, ends('{"error":{"code":7}}'))),
  "a compressed last frame": wrong("compressed", thenEnds(empty, encodeEnvelope("{}", endStreamFlag | compressedFlag))),
  // Something else.
  "one JSON object": wrong("malformed", plain("200 OK", "application/json", '{"positions":[]}')),
  "a JSON object under the type of streams": wrong(
    "oversized",
    plain("200 OK", "application/connect+json", '{"positions":[]}'),
  ),
  "an error as that of a unary call": wrong(
    "error",
    plain("400 Bad Request", "application/json", '{"code":"internal","message":"no"}'),
  ),
  "a page": wrong("malformed", plain("200 OK", "text/html", "<html></html>")),
  "502 with a page": wrong("malformed", plain("502 Bad Gateway", "text/html", "<html></html>")),
  "lines of JSON": wrong("malformed", plain("200 OK", "application/x-ndjson", '{"positions":[]}\n{"positions":[]}\n')),
  events: wrong("malformed", plain("200 OK", "text/event-stream", 'data: {"positions":[]}\n\n')),
  "204": wrong("closed", (socket) => void socket.write(head("HTTP/1.1 204 No Content"))),
  "a redirect": wrong(
    "malformed",
    (socket) => void socket.write(head("HTTP/1.1 307 Temporary Redirect", "Location: /x", "Content-Length: 0")),
  ),
  "ten thousand headers": wrong(
    "unsupported",
    (socket) =>
      void socket.write(
        head("HTTP/1.1 200 OK", type, ...Array.from({ length: 10_000 }, (_, index) => `X-Header-${index}: ${index}`)),
      ),
  ),
  "a switch of protocols": wrong(
    "protocol",
    (socket) =>
      void socket.write(head("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade")),
  ),
  "broken chunks": wrong("broken: protocol", (socket) => {
    socket.write(opened);
    socket.write(chunkOf(empty));
    setTimeout(() => socket.write("zz\r\n\r\n"), 20);
  }),
  // Connections.
  silence: wrong("silence", () => {}),
  "headers, and then silence": wrong("silence", (socket) => void socket.write(opened)),
  "a message, and then silence": wrong("other", bytes(empty)),
  "a reset at once": wrong("reset", (socket) => void socket.resetAndDestroy()),
  "a reset after two messages": wrong(
    "broken: reset",
    afterSome(2, (socket) => socket.resetAndDestroy()),
  ),
  "a reset within a message": wrong(
    "broken: reset",
    afterSome(1, (socket, next) =>
      socket.write(chunkOf(next.subarray(0, 9)), () => setTimeout(() => socket.resetAndDestroy(), 20)),
    ),
  ),
  "a close after two messages": wrong(
    "broken: reset",
    afterSome(2, (socket) => socket.end()),
  ),
  "a close at once": wrong("reset", (socket) => void socket.end()),
  "a close after the head": wrong("reset", (socket) => void socket.end(opened)),
  "what no one asked for after two messages": wrong(
    "broken: protocol",
    afterSome(2, (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n")),
  ),
  "an answer to another request": wrong("malformed", (socket) =>
    asItIs.unary(socket, { status: "200 OK", type: "application/json", body: Buffer.from('{"marketId":"1"}') }),
  ),
};
