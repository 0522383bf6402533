import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { compressedFlag, encodeEnvelope, endStreamFlag } from "../connect/envelope.js";
import { answerOf, chunkedHead, chunkOf, lastChunk } from "../connect/hostile-server.fixture.js";

/**
 * Answers one request in a way that no client wants to see, or has it served after all. The socket may close at any time.
 */
export type Trouble = (socket: Socket, serve: () => void) => void;

/** Writes as fast as the other side reads, until a limit of bytes, if any, or until the connection is closed. */
export function pour(socket: Socket, piece: Buffer, bytes = Number.POSITIVE_INFINITY): void {
  let left = bytes;
  const more = () => {
    while (left > 0 && socket.writable) {
      left -= piece.length;
      if (!socket.write(piece)) {
        socket.once("drain", more);
        return;
      }
    }
  };
  more();
}

/** Writes a piece every so many milliseconds until the connection is closed. */
export function drip(socket: Socket, ms: number, piece: (count: number) => string | Buffer): void {
  let count = 0;
  const timer = setInterval(() => {
    if (socket.writable) socket.write(piece(count++));
  }, ms);
  socket.once("close", () => clearInterval(timer));
}

const json = "Content-Type: application/json";
const ok = `HTTP/1.1 200 OK\r\n${json}\r\n`;
const megabyte = Buffer.alloc(1 << 20, " ");
const deep = 100_000;

/** Answers with a body of one's own. */
export function answers(body: string | Buffer, head?: Parameters<typeof answerOf>[1]): Trouble {
  return (socket) => void socket.write(answerOf(body, head));
}

/** Bytes that become a thousand times as many when they are unpacked: 2 GB of blanks. */
export function bomb(): Buffer {
  const blanks = gzipSync(Buffer.alloc(64 << 20, " "), { level: 9 });
  // Several members in a row are one gzip file.
  return Buffer.concat(Array.from({ length: 32 }, () => blanks));
}

/** What a server, or something on the way to it, may do with the answer of a unary operation. */
export const unaryTroubles = {
  "resets the connection": (socket) => void socket.resetAndDestroy(),
  "closes its half of the connection within the body": (socket) => void socket.end(`${ok}Content-Length: 99\r\n\r\n{`),
  "sends more bytes than it announces": (socket) => void socket.write(`${ok}Content-Length: 1\r\n\r\n{"orders":[]}`),
  "breaks its chunks": (socket) => void socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  "announces more bytes than it sends": (socket) => void socket.write(`${ok}Content-Length: 1000000\r\n\r\n{}`),
  "answers in HTTP/1.0": (socket) => void socket.end(`HTTP/1.0 200 OK\r\n${json}\r\n\r\n{}`),
  "truncates its JSON": answers('{"orders":[{"owner":"0x'),
  "sends bytes that are no UTF-8": answers(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  "starts with a byte order mark": answers('\ufeff{"orders":[]}'),
  "names a member twice": answers('{"orders":[],"orders":[]}'),
  "nests 100,000 deep": answers(`{"orders":${"[".repeat(deep)}${"]".repeat(deep)}}`),
  "sends a number of a thousand digits": answers(`{"orders":[],"pagination":{"limit":${"7".repeat(1_000)}}}`),
  "sends 2 GB": (socket) => {
    socket.write(`${ok}Content-Length: ${2 ** 31}\r\n\r\n`);
    pour(socket, megabyte, 2 ** 31);
  },
  "sends a gzip bomb": (socket) => void socket.write(answerOf(bomb(), { headers: [json, "Content-Encoding: gzip"] })),
  "never ends its body": (socket) => {
    socket.write(chunkedHead("application/json"));
    pour(socket, chunkOf(megabyte));
  },
  "never ends its headers": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    pour(socket, Buffer.from(`X-More: ${"x".repeat(1_000)}\r\n`));
  },
  "never ends one header": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX-More: ");
    pour(socket, Buffer.alloc(1 << 16, "x"));
  },
  "sends a byte at a time": (socket) => {
    socket.write(`${ok}Content-Length: 1000000\r\n\r\n`);
    drip(socket, 20, () => " ");
  },
  "never answers": () => {},
  "answers what is no HTTP": (socket) => void socket.end("220 smtp.example ESMTP ready\r\n"),
} as const satisfies Record<string, Trouble>;

/** An endless stream of messages, written in pieces of many. */
const storm = chunkOf(Buffer.concat(Array.from({ length: 1_000 }, () => encodeEnvelope('{"positions":[]}'))));

/** Many small chunks in one piece: written one by one they would keep this process, which reads them too, from all else. */
const garbage = Buffer.concat(Array.from({ length: 1_000 }, () => Buffer.from(chunkOf("garbage"))));

/** What may be done with the answer of the stream. */
export const streamTroubles = {
  "announces a frame of 4 GB": (socket) => {
    socket.write(chunkedHead() + chunkOf(Buffer.from([0, 0xff, 0xff, 0xff, 0xff])).toString("latin1"), "latin1");
    pour(socket, chunkOf(megabyte));
  },
  "never ends a frame of 200 MB": (socket) => {
    socket.write(chunkedHead() + chunkOf(Buffer.from([0, 0x0c, 0, 0, 0])).toString("latin1"), "latin1");
    pour(socket, chunkOf(megabyte));
  },
  "compresses its frames": (socket) => {
    const message = gzipSync('{"positions":[]}');
    const frame = Buffer.concat([Buffer.from([compressedFlag, 0, 0, 0, message.length]), message]);
    socket.write(chunkedHead());
    drip(socket, 100, () => chunkOf(frame));
  },
  "sets flags that nobody knows": (socket) => {
    socket.write(chunkedHead());
    drip(socket, 100, () => chunkOf(encodeEnvelope('{"positions":[]}', 0b1111_0000)));
  },
  "goes on after its end": (socket) => {
    socket.write(chunkedHead());
    socket.write(chunkOf(encodeEnvelope('{"positions":[]}')));
    socket.write(chunkOf(encodeEnvelope("{}", endStreamFlag)));
    pour(socket, garbage);
  },
  "storms with messages": (socket) => {
    socket.write(chunkedHead());
    drip(socket, 10, () => storm);
  },
  "never sends a frame": (socket) => void socket.write(chunkedHead()),
  "sends a byte of a frame at a time": (socket) => {
    socket.write(chunkedHead());
    const frame = encodeEnvelope('{"positions":[]}');
    drip(socket, 20, (count) => chunkOf(frame.subarray(count % frame.length, (count % frame.length) + 1)));
  },
  "closes within a frame": (socket) =>
    void socket.end(
      Buffer.concat([Buffer.from(chunkedHead()), chunkOf(encodeEnvelope("{}").subarray(0, 6)), Buffer.from(lastChunk)]),
    ),
  "never answers": () => {},
  "resets the connection": (socket) => void socket.resetAndDestroy(),
} as const satisfies Record<string, Trouble>;
