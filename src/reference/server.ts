import { Code, ConnectError, createConnectRouter } from "@connectrpc/connect";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { type Endpoint, endpointNames, endpoints } from "../specification/endpoints.js";
import { answerCache } from "./answer-cache.js";
import { Churn } from "./churn.js";
import type { Dataset } from "./dataset/dataset.js";
import { defaultOrders, maxOrders, sharedDataset } from "./dataset/generate.js";
import {
  ConnectionReset,
  createEndpointHandler,
  type EndpointHandler,
  replyOf,
  type ServiceOutcome,
} from "./endpoint-handler.js";
import type { Interceptors, Modification, ServerTraits } from "./modification.js";
import { documented } from "./parameters.js";
import { routes } from "./service/routes.js";
import { type Listener, listen, type NodeRequest, type NodeResponse, reset, writeReply } from "./transport.js";

/** Options of a reference server. */
export interface ReferenceServerOptions extends ServerTraits {
  /** The port on 127.0.0.1. Default 0, any free port. */
  readonly port?: number;
  /** Seed of the data; the same seed gives the same data. Default 1. */
  readonly seed?: number;
  /** How this server differs from the reference. Its traits apply where these options leave them undefined. */
  readonly modification?: Modification;
  /** The clock of timestamps and candles. */
  readonly clock?: Clock;
  /**
   * Whether to cache answers across all servers of this thread with the same data. Applies only if the modification and
   * traits leave the service unchanged. Timestamps that mean "now" are those of the first answer.
   */
  readonly cachesAnswers?: boolean;
  /**
   * Whether the answers of GetAllPositions, which every run asks for, carry a header that identifies this server, so that no
   * statement is issued about it.
   */
  readonly identified?: boolean;
}

/** The header that identifies the server. */
const identity = ["x-perp-conformance-reference", "1"] as const;

/** Source of the current time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** A running reference server. */
export interface ReferenceServer {
  /** `http://127.0.0.1:<port>`, serving HTTP/1.1 and cleartext HTTP/2. */
  readonly url: string;
  readonly port: number;
  /** The current data. */
  readonly dataset: Dataset;
  /** Number of open streams. */
  readonly openStreams: number;
  /** Answers a request without a connection; undefined when the path is not an operation's. */
  answer(request: UniversalServerRequest): Promise<ServiceOutcome | undefined>;
  /** Closes all connections, frees the port and stops all timers. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the embedded reference server: all nine operations, fully conformant unless a modification changes that.
 *
 * @throws RangeError for a scale out of bounds; the system error (`EADDRINUSE`, `EACCES`) when the port is not available.
 */
export async function startReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const traits = traitsOf(options);
  const served = servedData(options, traits);
  const handlers = handlersOf(options, traits, served);
  const streams = new Set<NodeResponse>();
  const listener: Listener = (request, response) => {
    const target = request.url?.split("?", 1)[0] ?? "";
    if (options.identified && target === endpoints.GetAllPositions.path) response.setHeader(...identity);
    const handler = handlers.get(target);
    if (handler === undefined) {
      response.writeHead(404);
      response.end();
      return;
    }
    if (target === endpoints.GetOpenPositionsStreaming.path) {
      streams.add(response);
      response.once("close", () => streams.delete(response));
    }
    void serve(handler, request, response);
  };
  const listening = await listen(options.port ?? 0, listener);
  served.churn?.start(typeof traits.churn === "number" ? traits.churn : undefined);

  let closed: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${listening.number}`,
    port: listening.number,
    get dataset() {
      return served.current();
    },
    get openStreams() {
      return streams.size;
    },
    async answer(request) {
      return handlers.get(new URL(request.url).pathname)?.(request);
    },
    close() {
      served.churn?.stop();
      closed ??= listening.close();
      return closed;
    },
  };
}

/** The traits of a server, with their defaults; `walletOrders` has none. */
type EffectiveTraits = ServerTraits & Required<Omit<ServerTraits, "walletOrders">>;

/** Each trait as the options set it, else as the modification does, else its default. */
function traitsOf(options: ReferenceServerOptions): EffectiveTraits {
  const modified = options.modification?.server;
  return {
    orders: options.orders ?? modified?.orders ?? defaultOrders,
    walletOrders: options.walletOrders ?? modified?.walletOrders,
    latencyMs: options.latencyMs ?? modified?.latencyMs ?? 0,
    jitterMs: options.jitterMs ?? modified?.jitterMs ?? 0,
    churn: options.churn ?? modified?.churn ?? false,
    marginChanges: options.marginChanges ?? modified?.marginChanges ?? false,
    replicaLagMs: options.replicaLagMs ?? modified?.replicaLagMs ?? 0,
  };
}

/** The data of a server. */
interface ServedData {
  readonly current: () => Dataset;
  /** What each call is answered from: the current data, or every other time those of a replica that lags behind. */
  readonly view: () => () => Dataset;
  /** What changes the data, if they change. */
  readonly churn?: Churn | undefined;
  /** Whether the data are those of the seed, and stay so. */
  readonly isPlain: boolean;
  readonly now: () => number;
}

function servedData(
  { seed = 1, clock = Date, modification }: ReferenceServerOptions,
  { orders, walletOrders, churn: changes, marginChanges, replicaLagMs }: EffectiveTraits,
): ServedData {
  const allOrders = orders + (walletOrders ?? 0);
  for (const number of [orders, walletOrders ?? 0, allOrders]) {
    if (!(Number.isInteger(number) && number >= 0 && number <= maxOrders)) {
      throw new RangeError(`orders must be an integer from 0 to ${maxOrders}, those of one wallet included`);
    }
  }
  const now = () => clock.now();
  const generated = sharedDataset(seed, allOrders, walletOrders);
  const start = modification?.dataset?.(generated) ?? generated;
  const churn = changes === false ? undefined : new Churn(start, now, marginChanges);
  const current = churn === undefined ? () => start : () => churn.dataset;
  const late = churn !== undefined && replicaLagMs > 0 ? () => churn.before(replicaLagMs) : current;
  let calls = 0;
  const view = () => (calls++ % 2 === 0 ? current : late);
  return { current, view, churn, isPlain: start === generated && churn === undefined, now };
}

/** The handlers of all operations, by path. */
function handlersOf(
  { modification, cachesAnswers = false }: ReferenceServerOptions,
  { latencyMs, jitterMs }: EffectiveTraits,
  { current, view, isPlain, now }: ServedData,
) {
  const interceptors: Interceptors = modification ?? {};
  const delay = { latencyMs, jitterMs };
  const isPlainService =
    isPlain &&
    latencyMs + jitterMs === 0 &&
    interceptors.rows === undefined &&
    interceptors.codec === undefined &&
    Object.keys(interceptors.parameters ?? {}).length === 0;
  const cache = cachesAnswers && isPlainService ? answerCache(current()) : undefined;
  const router = createConnectRouter({
    acceptCompression: [compressionGzip, compressionBrotli],
    compressMinBytes: 0xffff_ffff, // Accept compressed requests; never compress responses, which stay on the loopback.
    jsonOptions: interceptors.codec ?? {},
  });
  routes(router, {
    parameters: { ...documented, ...interceptors.parameters },
    rows: interceptors.rows ?? {},
    schedule: interceptors.schedule,
    delay,
  });
  return new Map(
    router.handlers.map((handler): [string, EndpointHandler] => [
      handler.requestPath,
      createEndpointHandler({ interceptors, delay, view, now, cache }, endpointAt(handler.requestPath), handler),
    ]),
  );
}

function endpointAt(path: string): Endpoint {
  const endpoint = endpointNames.find((name) => endpoints[name].path === path);
  if (endpoint === undefined) throw new Error(`the .proto files declare ${path}, which is no documented operation`);
  return endpoint;
}

async function serve(handler: EndpointHandler, request: NodeRequest, response: NodeResponse): Promise<void> {
  try {
    const outcome = await handler(universalRequestFromNodeRequest(request, response, undefined, undefined));
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

/** Whether a write failed because the client disconnected. */
function hasGone(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "EPIPE" || cause.code === "ECONNRESET");
}
