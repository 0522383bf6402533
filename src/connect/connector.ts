import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import type { Transport } from "./exchange.js";

type Connector = buildConnector.connector;

/**
 * A connector whose connections can be used as they are: one that was to speak HTTP/2 over TLS does, and on HTTP/1.1 no
 * informational answer comes through.
 */
export function usableConnections(connect: Connector, transport: Transport): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
      } else if (transport === "h2" && (!("alpnProtocol" in socket) || socket.alpnProtocol !== "h2")) {
        socket.destroy();
        callback(
          new Error("the server speaks HTTP/1.1 over TLS, and not HTTP/2; without --transport h2 it can be asked"),
          null,
        );
      } else {
        if (transport === "http1") passOverInformational(socket);
        callback(null, socket);
      }
    });
}

/**
 * Passes over the informational answers (1xx) before an answer. A server may send any number of them, whether or not the
 * client asked (RFC 9110, 15.2), but undici takes `100 Continue` for a broken answer. One request is under way at a time, so
 * that what comes first after something was written is the start of an answer.
 */
function passOverInformational(socket: Socket): void {
  let beforeAnswer = false;
  let held: Buffer = Buffer.alloc(0);
  const { write, read } = socket;
  socket.write = (...args: unknown[]) => {
    beforeAnswer = true;
    return Reflect.apply(write, socket, args);
  };
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read.call(socket, size);
    if (!beforeAnswer || chunk === null) return chunk;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const answer = afterInformational(held);
    held = answer === undefined ? held : Buffer.alloc(0);
    beforeAnswer = answer === undefined;
    return answer ?? null;
  };
}

/** A switch of protocols (101) was not asked for, and ends the connection. */
const informational = /^HTTP\/1\.[01] 1(?!01)\d\d(?!\d)/;
const example = "HTTP/1.1 100 ";
const blankLine = "\r\n\r\n";

/** No longer informational answer is waited for, in bytes. */
const longestInformational = 8 * 1024;

/** What follows on informational answers, if any; undefined when more bytes must tell. */
function afterInformational(bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  for (;;) {
    const start = rest.toString("latin1", 0, example.length);
    // What is there may be completed to one.
    if (!informational.test(start + example.slice(start.length))) return rest;
    const end = rest.indexOf(blankLine);
    if (end === -1) return rest.length > longestInformational ? rest : undefined;
    rest = rest.subarray(end + blankLine.length);
  }
}
