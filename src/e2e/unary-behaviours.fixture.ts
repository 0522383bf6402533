import type { Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { FailureKind } from "../connect/exchange.js";
import { chunkOf, lastChunk } from "../connect/hostile-server.fixture.js";
import { asItIs, drip, pour, type UnaryBehaviour } from "./misbehaving.fixture.js";

/**
 * What a client makes of an answer: the data that the server behind has, other data, a sample of them, a Connect error, no
 * Connect answer, or none at all.
 */
export type ExpectedOutcome = "same" | "other" | "sample" | "error" | "malformed" | FailureKind;

/** A behaviour of a unary operation, and what the client makes of it. */
export interface UnaryCase {
  readonly behaviour: UnaryBehaviour;
  readonly outcome: ExpectedOutcome;
}

const json = "Content-Type: application/json";
const ok = "HTTP/1.1 200 OK";
const crlf = "\r\n";

/** The head of an answer. */
const head = (...lines: readonly string[]) => Buffer.from([...lines, "", ""].join(crlf), "latin1");
const sized = (body: Buffer, ...lines: readonly string[]) => head(...lines, `Content-Length: ${body.length}`);
const pieces = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

/** The answer under another head. */
const under =
  (...lines: readonly string[]): UnaryBehaviour =>
  (socket, { body }) => {
    socket.write(Buffer.concat([sized(body, ...lines), body]));
  };
/** The answer with more lines in its head. */
const lines = (...more: readonly string[]) => under(ok, json, ...more);
/** The answer with bytes before it. */
const after =
  (bytes: string): UnaryBehaviour =>
  (socket, { body }) => {
    socket.write(Buffer.concat([Buffer.from(bytes, "latin1"), sized(body, ok, json), body]));
  };
/** The answer in chunks. */
const chunked =
  (encode: (body: Buffer) => Buffer, end = lastChunk, ...more: readonly string[]): UnaryBehaviour =>
  (socket, { body }) => {
    socket.write(
      Buffer.concat([head(ok, json, "Transfer-Encoding: chunked", ...more), encode(body), Buffer.from(end)]),
    );
  };
/** Another body in place of the right one. */
const body =
  (change: Buffer | string | ((right: Buffer) => Buffer | string), ...more: readonly string[]): UnaryBehaviour =>
  (socket, right) => {
    const bytes = Buffer.from(typeof change === "function" ? change(right.body) : change);
    socket.write(Buffer.concat([sized(bytes, ok, json, ...more), bytes]));
  };
/** The right body in another content coding. */
const coded = (coding: string, encode: (right: Buffer) => Buffer) => body(encode, `Content-Encoding: ${coding}`);
/** Bytes in place of the whole answer, after which the connection stays open, or ends. */
const raw =
  (bytes: string | Buffer, then: "open" | "end" | "reset" = "end"): UnaryBehaviour =>
  (socket) => {
    const content = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
    if (then === "end") socket.end(content);
    else socket.write(content, () => then === "reset" && socket.resetAndDestroy());
  };
/** An answer of a status. */
const status = (line: string, text = "", type = "text/html") =>
  raw(
    Buffer.concat([sized(Buffer.from(text), `HTTP/1.1 ${line}`, `Content-Type: ${type}`), Buffer.from(text)]),
    "open",
  );
const redirect = (line: string, to: string) =>
  raw(head(`HTTP/1.1 ${line}`, `Location: ${to}`, "Content-Length: 0"), "open");
/** The answer, and then something. */
const andThen =
  (then: (socket: Socket) => void): UnaryBehaviour =>
  (socket, answer) => {
    asItIs.unary(socket, answer);
    socket.write("", () => then(socket));
  };
/** Something for the first requests, and the right answer for all others. */
const atFirst =
  (requests: number, first: UnaryBehaviour): UnaryBehaviour =>
  (socket, answer, asked) =>
    asked.count <= requests ? first(socket, answer, asked) : asItIs.unary(socket, answer);
/** The bytes of the answer, so many at a time. */
const slowly =
  (size: number, ms: number): UnaryBehaviour =>
  (socket, { body: right }) => {
    const [...parts] = pieces(Buffer.concat([sized(right, ok, json), right]), size);
    const timer = setInterval(() => {
      const part = parts.shift();
      if (part === undefined || !socket.writable) clearInterval(timer);
      else socket.write(part);
    }, ms);
  };
const html = "<html><body><h1>It works!</h1></body></html>";
const text = (right: Buffer) => right.toString("utf8");
/** The right answer with another member in front. */
const member = (name: string, value: string) =>
  body((right) => text(right).replace("{", `{"${name}":${value},`).replace(",}", "}"));
/** A list of so many elements. */
const list = (element: string, count: number) => `[${element}${`,${element}`.repeat(count - 1)}]`;

/** Bytes that become a thousand times as many when they are unpacked: 2 GB of blanks. */
function bomb(): Buffer {
  const blanks = gzipSync(Buffer.alloc(64 << 20, " "), { level: 9 });
  // Several members in a row are one gzip file.
  return Buffer.concat(Array.from({ length: 32 }, () => blanks));
}

const right = (behaviour: UnaryBehaviour): UnaryCase => ({ behaviour, outcome: "same" });
const wrong = (outcome: ExpectedOutcome, behaviour: UnaryBehaviour): UnaryCase => ({ behaviour, outcome });

/** What servers and what stands before them do with answers that are right, and a client has to take. */
const harmless: Readonly<Record<string, UnaryBehaviour>> = {
  "a chunk for each byte": chunked((bytes) => Buffer.concat(pieces(bytes, 1).map(chunkOf))),
  "chunks of seven bytes": chunked((bytes) => Buffer.concat(pieces(bytes, 7).map(chunkOf))),
  "chunk sizes in capitals, with zeros before them": chunked((bytes) =>
    Buffer.concat([Buffer.from(`000${bytes.length.toString(16).toUpperCase()}${crlf}`), bytes, Buffer.from(crlf)]),
  ),
  "chunks with extensions": chunked((bytes) =>
    Buffer.concat([
      Buffer.from(`${bytes.length.toString(16)};name=value;other="quoted"${crlf}`),
      bytes,
      Buffer.from(crlf),
    ]),
  ),
  "chunks with trailers": chunked(chunkOf, `0${crlf}X-Sum: abc${crlf}X-More: d${crlf}${crlf}`, "Trailer: X-Sum"),
  "an empty chunk list for content that is coded": chunked(
    (bytes) => chunkOf(gzipSync(bytes)),
    undefined,
    "Content-Encoding: gzip",
  ),
  "HTTP/1.0, closed": (socket, { body: bytes }) =>
    void socket.end(Buffer.concat([head("HTTP/1.0 200 OK", json), bytes])),
  "HTTP/1.0, kept alive": under("HTTP/1.0 200 OK", json, "Connection: keep-alive"),
  "no length, until it closes": (socket, { body: bytes }) =>
    void socket.end(Buffer.concat([head(ok, json, "Connection: close"), bytes])),
  "no length and nothing about the connection": (socket, { body: bytes }) =>
    void socket.end(Buffer.concat([head(ok, json), bytes])),
  "the transfer coding identity": (socket, { body: bytes }) =>
    void socket.end(Buffer.concat([head(ok, json, "Transfer-Encoding: identity", "Connection: close"), bytes])),
  "head and body a byte at a time": (socket, { body: bytes }) => {
    const all = Buffer.concat([sized(bytes, ok, json), bytes.subarray(0, 20)]);
    let at = 0;
    const timer = setInterval(() => {
      if (at < all.length && socket.writable) socket.write(all.subarray(at, ++at));
      else {
        clearInterval(timer);
        if (socket.writable) socket.write(bytes.subarray(20));
      }
    }, 1);
  },
  "slow pieces": slowly(4_000, 1),
  "a pause before the head": (socket, answer) => void setTimeout(() => asItIs.unary(socket, answer), 300),
  "a pause between head and body": (socket, { body: bytes }) => {
    socket.write(sized(bytes, ok, json));
    setTimeout(() => socket.write(bytes), 300);
  },
  "100 Continue": after(`HTTP/1.1 100 Continue${crlf}${crlf}`),
  "100 Continue, five times": after(`HTTP/1.1 100 Continue${crlf}${crlf}`.repeat(5)),
  "100 with lines of its own, and without words": after(`HTTP/1.1 100${crlf}X-A: b${crlf}X-C: d${crlf}${crlf}`),
  "100 Continue a byte at a time": (socket, answer) => {
    const bytes = `HTTP/1.1 100 Continue${crlf}${crlf}`;
    let at = 0;
    const timer = setInterval(() => {
      if (at < bytes.length && socket.writable) return void socket.write(bytes.slice(at, ++at));
      clearInterval(timer);
      if (socket.writable) asItIs.unary(socket, answer);
    }, 1);
  },
  "100 Continue, and a pause": (socket, answer) => {
    socket.write(`HTTP/1.1 100 Continue${crlf}${crlf}`);
    setTimeout(() => asItIs.unary(socket, answer), 100);
  },
  "103 Early Hints": after(`HTTP/1.1 103 Early Hints${crlf}Link: </x>; rel=preload${crlf}${crlf}`),
  "102, 103 and 100 by turns": after(
    `HTTP/1.1 102 Processing${crlf}${crlf}HTTP/1.1 103 Early Hints${crlf}${crlf}HTTP/1.1 100 Continue${crlf}${crlf}`.repeat(
      3,
    ),
  ),
  "a thousand informational answers": after(`HTTP/1.1 103 Early Hints${crlf}Link: </x>${crlf}${crlf}`.repeat(1_000)),
  "an informational status that nobody knows": after(`HTTP/1.1 199 What${crlf}${crlf}`),
  "no reason": under("HTTP/1.1 200", json),
  "an empty reason": under("HTTP/1.1 200 ", json),
  "another reason": under("HTTP/1.1 200 Fine, thank you", json),
  "the status 201": under("HTTP/1.1 201 Created", json),
  "the status 299": under("HTTP/1.1 299 Whatever", json),
  "names of headers in any case": under(ok, "cOnTeNt-TyPe: application/json"),
  "blanks around values": under(ok, "Content-Type:    application/json   "),
  "the media type in capitals, with parameters": under(ok, 'Content-Type: APPLICATION/JSON; charset="utf-8"; v=1'),
  "empty headers": lines("X-Empty:", "X-Blank:  "),
  "headers many times over": lines("Date: a", "Date: b", "Vary: x", "Vary: y", ...Array(50).fill("Set-Cookie: a=b")),
  "three hundred headers": lines(...Array.from({ length: 300 }, (_, index) => `X-Header-${index}: ${index}`)),
  "a header of 30 KB": lines(`X-Large: ${"x".repeat(30_000)}`),
  "headers that are no ASCII": lines("X-Latin: \xe9\xff"),
  "the offer of another protocol": lines("Upgrade: h2,h2c", "Connection: Upgrade, Keep-Alive"),
  "an alternative service": lines('Alt-Svc: h3=":443"', "Strict-Transport-Security: max-age=1"),
  "blank lines before the head": after(crlf),
  gzip: coded("gzip", (bytes) => gzipSync(bytes)),
  "gzip in capitals, by its old name": coded("X-GZIP", (bytes) => gzipSync(bytes)),
  "gzip of several members": coded("gzip", (bytes) => Buffer.concat(pieces(bytes, 50).map((part) => gzipSync(part)))),
  "gzip without compression": coded("gzip", (bytes) => gzipSync(bytes, { level: 0 })),
  deflate: coded("deflate", (bytes) => deflateSync(bytes)),
  "deflate without its head": coded("deflate", (bytes) => deflateRawSync(bytes)),
  brotli: coded("br", (bytes) => brotliCompressSync(bytes)),
  "two codings one over the other": coded("gzip, br", (bytes) => brotliCompressSync(gzipSync(bytes))),
  "two codings in two headers": body(
    (bytes) => deflateSync(gzipSync(bytes)),
    "Content-Encoding: gzip",
    "Content-Encoding: deflate",
  ),
  "no coding, by name": coded("identity", (bytes) => bytes),
  "blanks around the JSON": body((bytes) => ` \t\r\n${text(bytes)}\r\n\r\n`),
  "JSON for people": body((bytes) => text(bytes).replace(/^\{/, "{\n  ").replaceAll('","', '",\n\t"')),
  "a member that is escaped": body((bytes) =>
    text(bytes).replace(/^\{"(\w)/, (_, first: string) => `{"\\u00${first.charCodeAt(0).toString(16)}`),
  ),
  "closes after each answer, and says so": (socket, { body: bytes }) =>
    void socket.end(Buffer.concat([sized(bytes, ok, json, "Connection: close"), bytes])),
  "closes after each answer, and does not say so": andThen((socket) => socket.end()),
  "closes a moment after each answer": andThen((socket) => setTimeout(() => socket.end(), 5)),
  "offers to keep connections for no time": lines("Connection: keep-alive", "Keep-Alive: timeout=0"),
  "offers to keep connections for a second": lines("Connection: keep-alive", "Keep-Alive: timeout=1, max=2"),
  "a timeout that nobody asked about, on an idle connection": andThen((socket) =>
    setTimeout(
      () => socket.writable && socket.end(`HTTP/1.1 408 Request Timeout${crlf}Connection: close${crlf}${crlf}`),
      5,
    ),
  ),
  "429 once": atFirst(1, raw(head("HTTP/1.1 429 Too Many Requests", "Retry-After: 0", "Content-Length: 0"), "open")),
  "503 twice": atFirst(2, raw(head("HTTP/1.1 503 Service Unavailable", "Retry-After: 0", "Content-Length: 0"), "open")),
  "a media type in another place": under(ok, "X-Type: a", json),
};

/** Right data under a media type that is wrong or missing: for rules to judge. */
const mistyped: Readonly<Record<string, UnaryBehaviour>> = {
  "no media type": under(ok),
  "another media type": under(ok, "Content-Type: text/plain"),
  "the media type of a page": under(ok, "Content-Type: text/html"),
};

/** What is no answer, or a wrong one. */
const broken: Readonly<Record<string, UnaryCase>> = {
  // Lengths and chunks.
  "a length that is too short": wrong(
    "malformed",
    (socket, { body: bytes }) =>
      void socket.write(Buffer.concat([head(ok, json, `Content-Length: ${bytes.length - 2}`), bytes])),
  ),
  "a length that is too long, and a close": wrong(
    "reset",
    (socket, { body: bytes }) =>
      void socket.end(Buffer.concat([head(ok, json, `Content-Length: ${bytes.length + 9}`), bytes])),
  ),
  "a length that is too long, and silence": wrong(
    "timeout",
    (socket, { body: bytes }) =>
      void socket.write(Buffer.concat([head(ok, json, `Content-Length: ${bytes.length + 9}`), bytes])),
  ),
  "a length below zero": wrong("protocol", raw(`${ok}\r\nContent-Length: -1\r\n\r\n{}`, "open")),
  "a length in words": wrong("protocol", raw(`${ok}\r\nContent-Length: two\r\n\r\n{}`, "open")),
  "a length of twenty-five digits": wrong(
    "protocol",
    raw(`${ok}\r\nContent-Length: ${"9".repeat(25)}\r\n\r\n{}`, "open"),
  ),
  // A client may refuse this or take it (RFC 9110, 8.6).
  "the same length twice": wrong("protocol", (socket, { body: bytes }) => {
    socket.write(Buffer.concat([sized(bytes, ok, json, `Content-Length: ${bytes.length}`), bytes]));
  }),
  "two lengths": wrong("protocol", raw(`${ok}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, "open")),
  "a length and chunks": wrong(
    "protocol",
    raw(`${ok}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, "open"),
  ),
  "a chunk size in letters": wrong(
    "protocol",
    raw(`${ok}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, "open"),
  ),
  "a chunk size below zero": wrong(
    "protocol",
    raw(`${ok}\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`, "open"),
  ),
  "a chunk size of twenty digits": wrong(
    "protocol",
    raw(`${ok}\r\nTransfer-Encoding: chunked\r\n\r\n${"f".repeat(20)}\r\n{}\r\n0\r\n\r\n`, "open"),
  ),
  "a chunk that is longer than it says": wrong(
    "protocol",
    raw(`${ok}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`, "open"),
  ),
  "a chunk that is shorter than it says": wrong(
    "protocol",
    raw(`${ok}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}\r\n0\r\n\r\n\r\n\r\n`, "open"),
  ),
  "no last chunk, and a close": wrong(
    "reset",
    (socket, { body: bytes }) =>
      void socket.end(Buffer.concat([head(ok, json, "Transfer-Encoding: chunked"), chunkOf(bytes)])),
  ),
  "no last chunk, and silence": wrong(
    "timeout",
    (socket, { body: bytes }) =>
      void socket.write(Buffer.concat([head(ok, json, "Transfer-Encoding: chunked"), chunkOf(bytes)])),
  ),
  "chunks under another coding": wrong(
    "timeout",
    raw(`${ok}\r\nTransfer-Encoding: gzip, chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, "open"),
  ),
  // Content codings.
  "gzip that ends too soon": wrong(
    "protocol",
    coded("gzip", (bytes) => gzipSync(bytes).subarray(0, -9)),
  ),
  "gzip with another sum": wrong(
    "protocol",
    coded("gzip", (bytes) => {
      const zipped = gzipSync(bytes);
      zipped.writeUInt32LE(7, zipped.length - 8);
      return zipped;
    }),
  ),
  "gzip by name only": wrong(
    "protocol",
    coded("gzip", (bytes) => bytes),
  ),
  "gzip without its name": wrong(
    "malformed",
    body((bytes) => gzipSync(bytes)),
  ),
  "gzip of nothing, by name": wrong(
    "malformed",
    coded("gzip", () => Buffer.alloc(0)),
  ),
  "brotli by name only": wrong(
    "protocol",
    coded("br", (bytes) => bytes),
  ),
  "deflate by name only": wrong(
    "protocol",
    coded("deflate", (bytes) => bytes),
  ),
  "gzip with the wrong name": wrong(
    "protocol",
    coded("br", (bytes) => gzipSync(bytes)),
  ),
  "an unknown content coding": wrong(
    "protocol",
    coded("lzma", (bytes) => bytes),
  ),
  "an unknown coding over a known one": wrong(
    "protocol",
    coded("gzip, zstd", (bytes) => gzipSync(bytes)),
  ),
  "a content coding with a name of JavaScript's": wrong(
    "protocol",
    coded("constructor, __proto__", (bytes) => bytes),
  ),
  "a gzip bomb": wrong(
    "too-large",
    coded("gzip", () => bomb()),
  ),
  "a gzip bomb in a gzip bomb": wrong(
    "too-large",
    coded("gzip, gzip", () => gzipSync(bomb())),
  ),
  // Characters.
  "a byte order mark": wrong(
    "malformed",
    body((bytes) => Buffer.concat([Buffer.from("\ufeff"), bytes])),
  ),
  "UTF-16": wrong(
    "malformed",
    body((bytes) => Buffer.from(text(bytes), "utf16le")),
  ),
  "UTF-16 with its mark": wrong(
    "malformed",
    body((bytes) => Buffer.from(`\ufeff${text(bytes)}`, "utf16le")),
  ),
  "UTF-16 from the other end": wrong(
    "malformed",
    body((bytes) => Buffer.from(`\ufeff${text(bytes)}`, "utf16le").swap16()),
  ),
  "UTF-32": wrong(
    "malformed",
    body((bytes) => Buffer.concat([...bytes].map((byte) => Buffer.from([byte, 0, 0, 0])))),
  ),
  "Latin-1": wrong(
    "malformed",
    body((bytes) => Buffer.from(text(bytes).replace("{", '{"x":"\xe9",'), "latin1")),
  ),
  "a byte that is no UTF-8": wrong("malformed", body(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))),
  "an overlong character": wrong("malformed", body(Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]))),
  "surrogates as characters": wrong(
    "malformed",
    body(Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])),
  ),
  "zero bytes": wrong(
    "malformed",
    body((bytes) => Buffer.concat([bytes, Buffer.alloc(3)])),
  ),
  // JSON.
  "JSON that is cut off": wrong(
    "malformed",
    body((bytes) => bytes.subarray(0, -1)),
  ),
  "two JSON texts": wrong(
    "malformed",
    body((bytes) => Buffer.concat([bytes, bytes])),
  ),
  "something after the JSON": wrong(
    "malformed",
    body((bytes) => `${text(bytes)} OK`),
  ),
  "a comment in the JSON": wrong("malformed", member("x", "1/*2*/")),
  "a comma too many": wrong(
    "malformed",
    body((bytes) => text(bytes).replace(/\}$/, ",}")),
  ),
  "strings in single quotes": wrong(
    "malformed",
    body((bytes) => text(bytes).replaceAll('"', "'")),
  ),
  NaN: wrong("malformed", member("x", "NaN")),
  "a number with a leading zero": wrong("malformed", member("x", "007")),
  "a nest of 100,000": wrong("malformed", member("x", "[".repeat(100_000) + "]".repeat(100_000))),
  "an integer of 10,000 digits": wrong("malformed", member("x", "7".repeat(10_000))),
  "an array": wrong(
    "malformed",
    body((bytes) => `[${text(bytes)}]`),
  ),
  "a string": wrong(
    "malformed",
    body((bytes) => JSON.stringify(text(bytes))),
  ),
  "a number": wrong("malformed", body("0")),
  null: wrong("malformed", body("null")),
  true: wrong("malformed", body("true")),
  "an empty body": wrong("malformed", body("")),
  blanks: wrong("malformed", body("  \n ")),
  "a page under the right media type": wrong("malformed", body(html)),
  XML: wrong("malformed", body('<?xml version="1.0"?><orders/>')),
  "an integer of a thousand digits": wrong("other", member("x", "7".repeat(1_000))),
  "a number that no double holds": wrong("other", member("x", "1e400")),
  "names of the prototype": wrong("other", member("__proto__", '{"toString":1,"constructor":{"prototype":null}}')),
  "half a surrogate pair, escaped": wrong("other", member("x", '"\\ud800"')),
  "zero, escaped": wrong("other", member("x\\u0000", '"\\u0000"')),
  "a member twice": wrong("other", member("x", '1,"x":2')),
  "200,000 members": wrong(
    "too-large",
    member("x", `{${Array.from({ length: 200_000 }, (_, index) => `"m${index}":0`).join()}}`),
  ),
  "a million members": wrong(
    "too-large",
    member("x", `{${Array.from({ length: 500_000 }, (_, index) => `"${index}":0`).join()}}`),
  ),
  "a million empty rows": wrong("sample", body(`{"orders":${list("{}", 1_000_000)},"positions":${list("{}", 1_000)}}`)),
  "two million zeros for rows": wrong("sample", body(`{"positions":${list("0", 2_000_000)}}`)),
  "a million rows in a row": wrong("too-large", body(`{"positions":[{"associatedOrders":${list("{}", 600_000)}}]}`)),
  "a million candles": wrong("sample", body(`{"priceCandleSticks":${list("[]", 1_000_000)}}`)),
  // Status.
  "204 without a body": wrong("malformed", raw("HTTP/1.1 204 No Content\r\n\r\n", "open")),
  "204 with a body": wrong("protocol", status("204 No Content", "{}", "application/json")),
  "205 with a body": wrong("malformed", status("205 Reset Content", "", "application/json")),
  "206": wrong("same", under("HTTP/1.1 206 Partial Content", json, "Content-Range: bytes 0-9/10")),
  "304": wrong("malformed", raw("HTTP/1.1 304 Not Modified\r\nETag: a\r\n\r\n", "open")),
  "304 with a body": wrong("protocol", status("304 Not Modified", "{}", "application/json")),
  "a redirect to itself": wrong("malformed", (socket, _, { head: first }) =>
    redirect("307 Temporary Redirect", first.split(" ")[1] ?? "/")(socket, _, {} as never),
  ),
  "a redirect elsewhere": wrong("malformed", redirect("301 Moved Permanently", "http://127.0.0.1:1/")),
  "a redirect to a file": wrong("malformed", redirect("302 Found", "file:///etc/passwd")),
  "a redirect by 303": wrong("malformed", redirect("303 See Other", "//127.0.0.1:1/x")),
  "a redirect by 308": wrong("malformed", redirect("308 Permanent Redirect", "https://127.0.0.1:1/")),
  "a redirect nowhere": wrong("malformed", raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "open")),
  "a switch of protocols": wrong(
    "protocol",
    raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", "open"),
  ),
  "the status 999": wrong("malformed", under("HTTP/1.1 999 What", json)),
  "a status of four digits": wrong("protocol", raw("HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\n{}", "open")),
  "a status of two digits": wrong("protocol", raw("HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\n{}", "open")),
  "the status 000": wrong("unsupported", raw("HTTP/1.1 000 What\r\nContent-Length: 2\r\n\r\n{}", "open")),
  "500 with a page": wrong("malformed", status("500 Internal Server Error", html)),
  "502 with a page": wrong("malformed", status("502 Bad Gateway", html)),
  "504 without a word": wrong("malformed", status("504 Gateway Timeout")),
  "404 with a page": wrong("malformed", status("404 Not Found", html)),
  "413": wrong("malformed", status("413 Content Too Large", html)),
  "431": wrong("malformed", status("431 Request Header Fields Too Large")),
  "421": wrong("malformed", status("421 Misdirected Request")),
  "500 with the right data": wrong("malformed", under("HTTP/1.1 500 Internal Server Error", json)),
  "an error under 200": wrong("error", body('{"code":"internal","message":"no"}')),
  "an error with a message of 1 MB": wrong(
    "error",
    status("500 No", JSON.stringify({ code: "internal", message: "x".repeat(1 << 20) }), "application/json"),
  ),
  "an error whose code is a number": wrong(
    "malformed",
    status("500 No", '{"code":13,"message":"no"}', "application/json"),
  ),
  "429 for ever": wrong(
    "malformed",
    raw("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n", "open"),
  ),
  "503 and a pause of an hour": wrong(
    "malformed",
    raw("HTTP/1.1 503 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n", "open"),
  ),
  "429 and a date without sense": wrong(
    "malformed",
    raw("HTTP/1.1 429 Slow\r\nRetry-After: -1, tomorrow\r\nContent-Length: 0\r\n\r\n", "open"),
  ),
  // Headers.
  "ten thousand headers": wrong(
    "unsupported",
    lines(...Array.from({ length: 10_000 }, (_, index) => `X-Header-${index}: ${index}`)),
  ),
  "a header of 1 MB": wrong("unsupported", lines(`X-Large: ${"x".repeat(1 << 20)}`)),
  "headers without end": wrong("unsupported", (socket) => {
    socket.write(`${ok}\r\n`);
    pour(socket, Buffer.from(`X-More: ${"x".repeat(1_000)}\r\n`));
  }),
  "a header without end": wrong("unsupported", (socket) => {
    socket.write(`${ok}\r\nX-More: `);
    pour(socket, Buffer.alloc(1 << 16, "x"));
  }),
  "a header without a colon": wrong("protocol", raw(`${ok}\r\nnonsense\r\nContent-Length: 2\r\n\r\n{}`, "open")),
  "a header that begins with a colon": wrong(
    "protocol",
    raw(`${ok}\r\n: value\r\nContent-Length: 2\r\n\r\n{}`, "open"),
  ),
  "a blank in the name of a header": wrong("protocol", raw(`${ok}\r\nX Y: 1\r\nContent-Length: 2\r\n\r\n{}`, "open")),
  "a zero byte in a header": wrong("protocol", raw(`${ok}\r\nX: a\0b\r\nContent-Length: 2\r\n\r\n{}`, "open")),
  "a return in a header": wrong("protocol", raw(`${ok}\r\nX: a\rb\r\nContent-Length: 2\r\n\r\n{}`, "open")),
  "a header that was smuggled in": wrong(
    "other",
    raw(`${ok}\r\n${json}\r\nX: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\n{}`, "open"),
  ),
  "an informational answer without end": wrong("timeout", (socket) =>
    drip(socket, 50, () => `HTTP/1.1 103 Early Hints${crlf}${crlf}`),
  ),
  "100 Continue, and nothing more": wrong("timeout", raw(`HTTP/1.1 100 Continue${crlf}${crlf}`, "open")),
  "100 Continue, and a close": wrong("reset", raw(`HTTP/1.1 100 Continue${crlf}${crlf}`)),
  "100 Continue as fast as it can": wrong("timeout", (socket) =>
    pour(socket, Buffer.from(`HTTP/1.1 100 Continue${crlf}${crlf}`.repeat(500))),
  ),
  // No HTTP.
  "a greeting by SMTP": wrong("protocol", raw("220 smtp.example ESMTP ready\r\n")),
  "a greeting by SSH": wrong("protocol", raw("SSH-2.0-OpenSSH_9.6\r\n", "open")),
  "an alert of TLS": wrong("protocol", raw(Buffer.from([0x15, 3, 3, 0, 2, 2, 40]))),
  "the preface of HTTP/2": wrong(
    "protocol",
    raw(Buffer.from("000012040000000000000300000064000400100000", "hex"), "open"),
  ),
  "HTTP/0.9": wrong("protocol", (socket, { body: bytes }) => void socket.end(bytes)),
  "HTTP/3.0 in words": wrong("protocol", under("HTTP/3.0 200 OK", json)),
  "HTTPS in words": wrong("protocol", raw("HTTPS/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "open")),
  "zero bytes without end": wrong("protocol", (socket) => pour(socket, Buffer.alloc(1 << 16))),
  // Connections.
  "a reset before the answer": wrong("reset", (socket) => void socket.resetAndDestroy()),
  "a reset within the head": wrong("reset", raw(`${ok}\r\nContent-Le`, "reset")),
  "a reset within the body": wrong("reset", raw(`${ok}\r\nContent-Length: 99\r\n\r\n{`, "reset")),
  "a close before the answer": wrong("reset", (socket) => void socket.end()),
  "a close within the head": wrong("reset", raw(`${ok}\r\nContent-Le`)),
  "a close within the body": wrong("reset", raw(`${ok}\r\nContent-Length: 99\r\n\r\n{`)),
  silence: wrong("timeout", () => {}),
  "silence after the first byte": wrong("timeout", raw("H", "open")),
  "silence within the head": wrong("timeout", raw(`${ok}\r\nContent-Le`, "open")),
  "silence after the head": wrong("timeout", raw(`${ok}\r\nContent-Length: 99\r\n\r\n`, "open")),
  "a byte now and then": wrong("timeout", (socket) => {
    socket.write(`${ok}\r\nContent-Length: 1000000\r\n\r\n`);
    drip(socket, 100, () => " ");
  }),
  // Too much.
  "2 GB": wrong("too-large", (socket) => {
    socket.write(`${ok}\r\nContent-Length: ${2 ** 31}\r\n\r\n`);
    pour(socket, Buffer.alloc(1 << 20, " "), 2 ** 31);
  }),
  "a body without end": wrong("too-large", (socket) => {
    socket.write(head(ok, json, "Transfer-Encoding: chunked"));
    pour(socket, chunkOf(Buffer.alloc(1 << 20, " ")));
  }),
  "a body without end, in chunks of a byte": wrong("too-large", (socket) => {
    socket.write(head(ok, json, "Transfer-Encoding: chunked"));
    pour(socket, Buffer.concat(Array(10_000).fill(chunkOf("{"))));
  }),
  "an array without end": wrong("too-large", (socket) => {
    socket.write(Buffer.concat([head(ok, json, "Transfer-Encoding: chunked"), chunkOf('{"orders":[{}')]));
    pour(socket, chunkOf(`,{"owner":"${"0".repeat(500)}"}`.repeat(1_000)));
  }),
  // More than one answer.
  "the answer twice": wrong("same", (socket, answer) => {
    asItIs.unary(socket, answer);
    asItIs.unary(socket, answer);
  }),
  "another answer after it": wrong(
    "same",
    andThen((socket) => socket.write(`${ok}\r\nContent-Length: 2\r\n\r\n{}`)),
  ),
  "half an answer after it": wrong(
    "same",
    andThen((socket) => socket.write("HTTP/1.1 500 No\r\nX-")),
  ),
  "garbage after it": wrong(
    "same",
    andThen((socket) => socket.write("garbage\0\r\n\r\n")),
  ),
  "a body after a body": wrong(
    "same",
    andThen((socket) => socket.write("{}")),
  ),
};

/** All of them, by name. */
export const unaryCases: Readonly<Record<string, UnaryCase>> = {
  ...Object.fromEntries(
    Object.entries({ ...harmless, ...mistyped }).map(([name, behaviour]) => [name, right(behaviour)]),
  ),
  ...broken,
};
