import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  constants,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import { createServer as createNetServer, type Server, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { HttpReply } from "./modification.js";

/** A node request of either HTTP version. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** A node response of either HTTP version. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Handles requests of both HTTP versions. */
export type Listener = (request: NodeRequest, response: NodeResponse) => void;

/** A listening port. */
export interface Port {
  readonly number: number;
  /** Closes all connections and frees the port. */
  close(): Promise<void>;
}

const http2Preface = Buffer.from("PRI * HTTP/2.0");

/**
 * Listens on 127.0.0.1 for HTTP/1.1 and cleartext HTTP/2 on one port. The first bytes of a connection tell which it speaks.
 *
 * @param port 0 for any free port.
 * @throws the system error (`EADDRINUSE`, `EACCES`) when the port is not available.
 */
export async function listen(port: number, listener: Listener): Promise<Port> {
  // A long keep-alive, so that a client never reuses a connection that is about to close.
  const http = createHttpServer({ keepAliveTimeout: 120_000, requestTimeout: 0, headersTimeout: 0 }, listener);
  const http2 = createHttp2Server({}, listener);
  http2.on("sessionError", () => {}); // A client may disconnect in the middle of a frame.
  const sockets = new Set<Socket>();

  const server: Server = createNetServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    let first = Buffer.alloc(0);
    const peek = (chunk: Buffer) => {
      first = Buffer.concat([first, chunk]);
      const compared = Math.min(first.length, http2Preface.length);
      const isHttp2 = first.subarray(0, compared).equals(http2Preface.subarray(0, compared));
      if (isHttp2 && compared < http2Preface.length) return;
      socket.off("data", peek);
      socket.pause();
      socket.unshift(first);
      (isHttp2 ? http2 : http).emit("connection", socket);
      // An HTTP/2 session reads the buffered bytes itself; a flowing socket would lose them.
      if (!isHttp2) socket.resume();
    };
    socket.on("data", peek);
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");

  return {
    number: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Writes a complete reply with its requested delivery. */
export async function writeReply(reply: HttpReply, request: NodeRequest, response: NodeResponse): Promise<void> {
  const { status, headers, body, delivery = "whole" } = reply;
  if (delivery === "reset") return reset(request, response);
  const inChunks = typeof delivery === "object" && "chunks" in delivery;
  const sized =
    inChunks || "content-length" in headers ? headers : { ...headers, "content-length": `${body.byteLength}` };
  // The two response classes differ only in overloads.
  (response as ServerResponse).writeHead(status, sized);
  if (inChunks) {
    for (let at = 0; at < body.byteLength && !response.destroyed; at += delivery.chunks) {
      (response as ServerResponse).write(body.subarray(at, at + delivery.chunks));
      await nextTurn();
    }
    response.end();
  } else if (typeof delivery === "object") {
    (response as ServerResponse).write(body.subarray(0, delivery.truncate), () => request.socket?.destroy());
  } else {
    response.end(body);
  }
}

/** Resets the connection, or the HTTP/2 stream, without an answer. */
export function reset(request: NodeRequest, response: NodeResponse): void {
  if ("stream" in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else (request as IncomingMessage).socket.resetAndDestroy();
}
