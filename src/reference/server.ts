import { Code, ConnectError, createConnectRouter } from "@connectrpc/connect";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { type Endpoint, endpointNames, endpoints } from "../specification/endpoints.js";
import { Churn } from "./churn.js";
import type { Dataset } from "./dataset/dataset.js";
import { defaultOrders, maxOrders, sharedDataset } from "./dataset/generate.js";
import { ConnectionReset, createExchange, type Exchange, type Outcome, replyOf } from "./exchange.js";
import { knownAnswers } from "./known-answers.js";
import type { Layers, Modification, ServerTraits } from "./modification.js";
import { documented } from "./parameters.js";
import { routes } from "./service/routes.js";
import { type Listener, listen, type NodeRequest, type NodeResponse, reset, writeReply } from "./transport.js";

/** How a reference server is started. */
export interface ReferenceServerOptions extends ServerTraits {
  /** The port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  /** What the data are made from; the same seed gives the same data. Default 1. */
  readonly seed?: number;
  /** How this server differs from the reference; its own traits hold where the options name none. */
  readonly modification?: Modification;
  /** The clock of timestamps and candles. */
  readonly clock?: Clock;
  /**
   * Whether a request is answered as an earlier one was, by any server of this thread with the same data, where modification and traits
   * leave the service as it is. Times that are "now" are those of the first answer.
   */
  readonly remembers?: boolean;
  /** Whether each answer names this server as what it is, so that no statement is made about it. */
  readonly identified?: boolean;
}

/** The header by which an identified server names itself. */
const identity = ["x-perp-conformance-reference", "1"] as const;

/** Tells the time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** A running reference server. */
export interface ReferenceServer {
  /** `http://127.0.0.1:<port>`, for HTTP/1.1 and cleartext HTTP/2. */
  readonly url: string;
  readonly port: number;
  /** The data as they are now. */
  readonly dataset: Dataset;
  /** How many streams are being served. */
  readonly openStreams: number;
  /** Answers a request without a connection; undefined for a path that is no operation's. */
  answer(request: UniversalServerRequest): Promise<Outcome | undefined>;
  /** Ends every connection at once, frees the port, stops all timers. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts the embedded reference server: all nine operations, scrupulously conformant unless a modification says otherwise.
 *
 * @throws RangeError for a scale out of bounds; the system's error (`EADDRINUSE`, `EACCES`) when the port cannot be had.
 */
export async function startReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const { port = 0, seed = 1, clock = Date } = options;
  const {
    orders = defaultOrders,
    walletOrders,
    latencyMs = 0,
    jitterMs = 0,
    churn: churns = false,
    replicaLagMs = 0,
  } = { ...options.modification?.server, ...options };
  const allOrders = orders + (walletOrders ?? 0);
  for (const number of [orders, walletOrders ?? 0, allOrders]) {
    if (!(Number.isInteger(number) && number >= 0 && number <= maxOrders)) {
      throw new RangeError(`orders must be an integer from 0 to ${maxOrders}, those of one wallet included`);
    }
  }
  const layers: Layers = options.modification ?? {};
  const now = () => clock.now();
  const generated = sharedDataset(seed, allOrders, walletOrders);
  const start = layers.dataset?.(generated) ?? generated;
  const churn = churns === false ? undefined : new Churn(start, now);
  const data = churn === undefined ? () => start : () => churn.dataset;
  const late = churn !== undefined && replicaLagMs > 0 ? () => churn.before(replicaLagMs) : data;
  let calls = 0;
  const view = () => (calls++ % 2 === 0 ? data : late);

  const path = { latencyMs, jitterMs };
  const isPlainService =
    start === generated &&
    churn === undefined &&
    latencyMs + jitterMs === 0 &&
    layers.rows === undefined &&
    layers.codec === undefined &&
    Object.keys(layers.parameters ?? {}).length === 0;
  const known = options.remembers && isPlainService ? knownAnswers(start) : undefined;
  const router = createConnectRouter({
    acceptCompression: [compressionGzip, compressionBrotli],
    compressMinBytes: 0xffff_ffff, // Requests may be compressed; responses are small enough for a loopback.
    jsonOptions: layers.codec ?? {},
  });
  routes(router, {
    parameters: { ...documented, ...layers.parameters },
    rows: layers.rows ?? {},
    schedule: layers.schedule,
    path,
  });
  const exchanges = new Map<string, Exchange>();
  for (const handler of router.handlers) {
    const endpoint = endpointAt(handler.requestPath);
    exchanges.set(handler.requestPath, createExchange({ layers, path, view, now, known }, endpoint, handler));
  }

  const streams = new Set<NodeResponse>();
  const listener: Listener = (request, response) => {
    if (options.identified) response.setHeader(...identity);
    const target = request.url?.split("?", 1)[0] ?? "";
    const exchange = exchanges.get(target);
    if (exchange === undefined) {
      response.writeHead(404);
      response.end();
      return;
    }
    if (target === endpoints.GetOpenPositionsStreaming.path) {
      streams.add(response);
      response.once("close", () => streams.delete(response));
    }
    void serve(exchange, request, response);
  };
  const listening = await listen(port, listener);
  churn?.start(typeof churns === "number" ? churns : undefined);

  let closed: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${listening.number}`,
    port: listening.number,
    get dataset() {
      return data();
    },
    get openStreams() {
      return streams.size;
    },
    async answer(request) {
      return exchanges.get(new URL(request.url).pathname)?.(request);
    },
    close() {
      churn?.stop();
      closed ??= listening.close();
      return closed;
    },
  };
}

function endpointAt(path: string): Endpoint {
  const endpoint = endpointNames.find((name) => endpoints[name].path === path);
  if (endpoint === undefined) throw new Error(`the .proto files declare ${path}, which is no documented operation`);
  return endpoint;
}

async function serve(exchange: Exchange, request: NodeRequest, response: NodeResponse): Promise<void> {
  try {
    const outcome = await exchange(universalRequestFromNodeRequest(request, response, undefined, undefined));
    if (outcome.kind === "reply") await writeReply(outcome.reply, request, response);
    else if (outcome.kind === "text") await writeReply(replyOf(outcome), request, response);
    else await universalResponseToNodeResponse(outcome.response, response);
  } catch (error) {
    const { code, cause } = ConnectError.from(error);
    if (code === Code.Aborted || response.destroyed || hasGone(cause)) return;
    if (error instanceof ConnectionReset || cause instanceof ConnectionReset) {
      reset(request, response);
      return;
    }
    console.error("the reference server failed:", error);
    response.destroy();
  }
}

/** Whether a write failed because the client left in the middle of it. */
function hasGone(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "EPIPE" || cause.code === "ECONNRESET");
}
