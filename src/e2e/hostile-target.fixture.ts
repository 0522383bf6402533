import { Agent, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import {
  chunkedHead,
  chunkOf,
  type HostileServer,
  hostileServer,
  lastChunk,
} from "../connect/hostile-server.fixture.js";
import { startReferenceServer } from "../reference/server.js";
import { type Endpoint, endpointNames, endpoints } from "../specification/endpoints.js";
import { passRawOn } from "./servers.fixture.js";
import type { Trouble } from "./troubles.fixture.js";

/** Which requests get into trouble. */
export interface HostileTargetOptions {
  /** The trouble of each operation, if any; or the same for all of them. */
  readonly troubles: Trouble | Partial<Readonly<Record<Endpoint, Trouble>>>;
  /** Whether the requests of discovery get into it as well. By default they are served, so that there is something to check. */
  readonly discoveryToo?: boolean;
  /** Only from this request on, counted from 1. */
  readonly from?: number;
}

/** The reference server behind something that misbehaves on the wire. */
export async function hostileTarget({
  troubles,
  discoveryToo = false,
  from = 1,
}: HostileTargetOptions): Promise<HostileServer> {
  const reference = await startReferenceServer({ orders: 120 });
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  const front = await hostileServer((socket, request) => {
    const spared = !discoveryToo && /^x-conformance-check: discovery\r?$/im.test(request.head);
    const endpoint = endpointNames.find((name) => request.head.includes(` ${endpoints[name].path} `));
    const trouble = typeof troubles === "function" ? troubles : endpoint && troubles[endpoint];
    const serve = () =>
      passRawOn(socket, request, { port: reference.port, agent }, (answer) => inChunks(answer, socket));
    if (++count >= from && !spared && trouble !== undefined) trouble(socket, serve);
    else serve();
  });
  return {
    baseUrl: front.baseUrl,
    requests: front.requests,
    clientLeft: front.clientLeft,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      agent.destroy();
      await reference.close();
    },
  };
}

/** Hands an answer on in chunks. */
function inChunks(answer: IncomingMessage, socket: Socket): void {
  const status = `${answer.statusCode} ${answer.statusMessage}`;
  socket.write(chunkedHead(answer.headers["content-type"] ?? "text/plain", status));
  answer.on("data", (chunk: Buffer) => socket.write(chunkOf(chunk)));
  answer.on("end", () => socket.write(lastChunk));
  answer.on("error", () => socket.destroy());
}
