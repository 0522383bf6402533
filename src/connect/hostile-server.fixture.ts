import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { Endpoint } from "../specification/endpoints.js";
import type { Exchange, HttpRequest } from "./exchange.js";
import { buildRequest } from "./requests.js";
import type { StreamUntil } from "./stream-body-reader.js";
import type { Target } from "./target.js";
import type { Transport, TransportSettings, UnaryOptions } from "./transport.js";
import { createTransport } from "./undici-transport.js";

/** One request as a server on bare sockets read it. */
export interface RawRequest {
  readonly head: string;
  readonly body: Buffer;
  /** Which connection it came over, from 1. */
  readonly connection: number;
  /** Which request of its connection it is, from 1. */
  readonly nth: number;
}

/** A server that does what it is told with the bytes of an answer. */
export interface HostileServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: readonly RawRequest[];
  /** Resolves when the client has closed a connection. */
  readonly clientLeft: Promise<unknown>;
}

/** Starts a server on bare sockets, on 127.0.0.1 and a free port; `answer` has the socket for each complete request. */
export async function hostileServer(answer: (socket: Socket, request: RawRequest) => void): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  let left: () => void = () => {};
  const clientLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  let connections = 0;
  const server = createServer((socket) => {
    const connection = ++connections;
    let nth = 0;
    let received = Buffer.alloc(0);
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      left();
    });
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf("\r\n\r\n");
      if (end === -1) return;
      const head = received.subarray(0, end).toString("latin1");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      const body = received.subarray(end + 4, end + 4 + length);
      received = received.subarray(end + 4 + length);
      const request = { head, body, connection, nth: ++nth };
      requests.push(request);
      answer(socket, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    requests,
    clientLeft,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A hostile server with a transport to it, and ordinary requests over that transport. */
export interface HostileConnection extends HostileServer {
  readonly transport: Transport;
  readonly ask: (id: string, options?: Omit<UnaryOptions, "id">) => Promise<Exchange>;
  readonly listen: (until: StreamUntil, options?: Partial<UnaryOptions>) => Promise<Exchange>;
}

/** Starts a server that answers so, or with these bytes, and a transport to it. Both close at the end of the block. */
export async function connectToHostile(
  answer: Buffer | string | Parameters<typeof hostileServer>[0],
  settings: Partial<Target> & TransportSettings = {},
): Promise<HostileConnection> {
  const server = await hostileServer(typeof answer === "function" ? answer : (socket) => socket.write(answer));
  const transport = createTransport(targetAt(server.baseUrl, settings), settings);
  const stream = requestTo(server.baseUrl, "GetOpenPositionsStreaming");
  return {
    ...server,
    transport,
    ask: (id, options) => transport.unary(requestTo(server.baseUrl), { id, ...options }),
    listen: (until, options) => transport.stream(stream, { id: "s", until, ...options }),
    async [Symbol.asyncDispose]() {
      await transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The port that a server listens on. */
export function portOf(server: { address(): unknown }): number {
  const address = server.address();
  if (typeof address === "object" && address !== null && "port" in address) return Number(address.port);
  throw new Error("the server does not listen");
}

/** An HTTP/1.1 answer as bytes, with its content-length. */
export function answerOf(
  body: string | Buffer,
  { status = "200 OK", headers = ["Content-Type: application/json"] } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${bytes.length}`, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

/** The head of an HTTP/1.1 answer whose body follows in chunks. */
export function chunkedHead(contentType = "application/connect+json", status = "200 OK"): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: ${contentType}\r\nTransfer-Encoding: chunked\r\n\r\n`;
}

/** One chunk of a chunked body. */
export function chunkOf(bytes: string | Buffer): Buffer {
  const content = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from("\r\n")]);
}

/** A stream that stays open: its head, and each part as a chunk. */
export function chunked(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat([Buffer.from(chunkedHead()), ...parts.map(chunkOf)]);
}

/** The end of a chunked body. */
export const lastChunk = "0\r\n\r\n";

/** A target with small limits, for tests. */
export function targetAt(baseUrl: string, changes: Partial<Target> = {}): Target {
  return {
    baseUrl,
    transport: "http1",
    tls: { insecure: false },
    timeoutMs: 5_000,
    concurrency: 4,
    known: { markets: [], wallets: [] },
    secrets: { headers: [] },
    ...changes,
  };
}

/** A transport to a target that is closed at the end of the block. */
export function openTransport(target: Target, settings?: TransportSettings): Transport & AsyncDisposable {
  const transport = createTransport(target, settings);
  return {
    unary: (request, options) => transport.unary(request, options),
    stream: (request, options) => transport.stream(request, options),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** An ordinary request. */
export function requestTo(baseUrl: string, endpoint: Endpoint = "GetOrders"): HttpRequest {
  return buildRequest({ baseUrl, secrets: { headers: [] } }, endpoint, { limit: 1 });
}
