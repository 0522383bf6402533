import { Agent, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import {
  answerOf,
  chunkedHead,
  chunkOf,
  type HostileServer,
  hostileServer,
  lastChunk,
  type RawRequest,
} from "../connect/hostile-server.fixture.js";
import { type Endpoint, endpointNames, endpoints } from "../specification/endpoints.js";
import { passRawOn } from "./servers.fixture.js";

/** What the server behind answers to one request. */
export interface RightAnswer {
  /** `200 OK`. */
  readonly status: string;
  readonly type: string;
  readonly body: Buffer;
}

/** Does something with the right answer of a unary operation, or in its place. The socket may close at any time. */
export type UnaryBehaviour = (socket: Socket, answer: RightAnswer, request: CountedRequest) => void;

/** Does something with the envelopes of a stream as they come, or in their place. */
export type StreamBehaviour = (socket: Socket, envelopes: AsyncIterable<Buffer>, request: CountedRequest) => void;

/** A request, and which one it is of those that this behaviour got. */
export interface CountedRequest extends RawRequest {
  readonly count: number;
}

/** How the answers of a target are changed. */
export interface Behaviour {
  readonly unary?: UnaryBehaviour;
  readonly stream?: StreamBehaviour;
}

/** A front of a target. */
export interface Misbehaving extends HostileServer {
  /** The base URL below which the target behaves so, on one operation or on all. */
  at(name: string, endpoint?: Endpoint): string;
}

/** Where a request goes on the server behind, which one it is of those that behave so, and how; ordinarily by default. */
interface Routed {
  readonly path: string;
  readonly count: number;
  readonly behaviour: Behaviour | undefined;
}

/** Stands before a server on 127.0.0.1 and does something with its answers. */
export async function frontOf(port: number, route: (request: RawRequest) => Routed): Promise<HostileServer> {
  const agent = new Agent({ keepAlive: true });
  const front = await hostileServer((socket, request) => {
    const { path, count, behaviour = asItIs } = route(request);
    const asked = { ...request, count };
    const behave = async (answer: IncomingMessage) => {
      const { stream = asItIs.stream, unary = asItIs.unary } = behaviour;
      const type = answer.headers["content-type"] ?? "";
      if (type.startsWith("application/connect+") && answer.statusCode === 200)
        return stream(socket, envelopesOf(answer), asked);
      const body = Buffer.concat(await answer.toArray());
      unary(socket, { status: `${answer.statusCode} ${answer.statusMessage}`, type, body }, asked);
    };
    passRawOn(socket, request, { port, agent, path }, (answer) => {
      answer.on("error", () => {});
      void behave(answer).catch(() => {});
    });
  });
  return {
    ...front,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      agent.destroy();
    },
  };
}

/** Stands before a server on 127.0.0.1 and behaves by a table: the name of a behaviour is a prefix of the path (W11). */
export async function misbehaving(port: number, table: Readonly<Record<string, Behaviour>>): Promise<Misbehaving> {
  const counts = new Map<string, number>();
  const front = await frontOf(port, ({ head }) => {
    const [, prefix = "", only = "", path = ""] = /^\w+ \/([^/]+)\/([^/]+)(\S*) /.exec(head) ?? [];
    const endpoint = endpointNames.find((name) => endpoints[name].path === path);
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    const behaviour = only === "all" || only === endpoint ? table[decodeURIComponent(prefix)] : undefined;
    return { path: path || "/", count, behaviour };
  });
  return {
    ...front,
    at: (name, endpoint) => `${front.baseUrl}/${encodeURIComponent(name)}/${endpoint ?? "all"}`,
  };
}

/** What an ordinary server does. */
export const asItIs = {
  unary: (socket: Socket, { status, type, body }: RightAnswer) => {
    socket.write(answerOf(body, { status, headers: [`Content-Type: ${type}`] }));
  },
  async stream(socket: Socket, envelopes: AsyncIterable<Buffer>) {
    socket.write(chunkedHead());
    for await (const envelope of envelopes) socket.write(chunkOf(envelope));
    socket.write(lastChunk);
  },
} as const;

/** Each envelope as a whole, as soon as it is there. */
async function* envelopesOf(answer: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) {
      const end = 5 + bytes.readUInt32BE(1);
      yield bytes.subarray(0, end);
      bytes = bytes.subarray(end);
    }
  }
}

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
