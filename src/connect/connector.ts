import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import type { HttpVersion } from "./exchange.js";

type Connector = buildConnector.connector;

/**
 * Wraps a connector so that its connections are ready to use: the transport `h2` fails unless HTTP/2 was negotiated, and on
 * HTTP/1.1 informational responses (1xx) are filtered out.
 */
export function usableConnections(connect: Connector, transport: HttpVersion): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
      } else if (transport === "h2" && (!("alpnProtocol" in socket) || socket.alpnProtocol !== "h2")) {
        socket.destroy();
        callback(new Error("the server speaks HTTP/1.1 over TLS, not HTTP/2: run without --transport h2"), null);
      } else {
        if (transport === "http1") skipInformational(socket);
        callback(null, socket);
      }
    });
}

/**
 * Filters out informational responses (1xx). A server may send any number of them unprompted (RFC 9110, 15.2), but undici
 * treats `100 Continue` as a broken response. Only one request is in flight at a time, so the first bytes read after a write
 * are the start of a response.
 */
function skipInformational(socket: Socket): void {
  let awaitingResponse = false;
  let buffered: Buffer = Buffer.alloc(0);
  const { write, read } = socket;
  socket.write = (...args: unknown[]) => {
    awaitingResponse = true;
    return Reflect.apply(write, socket, args);
  };
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read.call(socket, size);
    if (!awaitingResponse || chunk === null) return chunk;
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    const answer = afterInformational(buffered);
    buffered = answer === undefined ? buffered : Buffer.alloc(0);
    awaitingResponse = answer === undefined;
    return answer ?? null;
  };
}

/** 101 is excluded: a protocol switch was never requested, and ends the connection. */
const informational = /^HTTP\/1\.[01] 1(?!01)\d\d(?!\d)/;
const example = "HTTP/1.1 100 ";
const blankLine = "\r\n\r\n";

/** Largest informational response that is buffered, in bytes. */
const longestInformational = 8 * 1024;

/** The bytes after any informational responses; undefined when more bytes are needed to tell. */
function afterInformational(bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  for (;;) {
    const start = rest.toString("latin1", 0, example.length);
    // A short start is completed from the example: it may still become an informational response.
    if (!informational.test(start + example.slice(start.length))) return rest;
    const end = rest.indexOf(blankLine);
    if (end === -1) return rest.length > longestInformational ? rest : undefined;
    rest = rest.subarray(end + blankLine.length);
  }
}
