import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, H2CClient } from "undici";
import { overSocket } from "./base-url.js";
import { usableConnections } from "./connector.js";
import type { Target } from "./target.js";

/** What of a target decides how connections are made. */
export type Connecting = Pick<Target, "baseUrl" | "transport" | "timeoutMs" | "tls" | "secrets">;

/** Largest head of an answer, in bytes: what is larger is not read. Over HTTP/2 Node's own limit holds. */
const largestHead = 64 * 1024;

/**
 * An HTTP client that holds one connection, opened when it is first needed and again after it was closed. Its own time
 * limits are off, except the one for connecting: an exchange has limits of its own. It follows no redirect.
 *
 * A proxy that the environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) makes a tunnel to the target, so that it sees
 * neither requests over TLS nor tokens in them. This machine is asked without it, and so is a unix socket.
 */
export function openClient(target: Connecting): Dispatcher {
  const socket = overSocket(target.baseUrl);
  const { origin, hostname } = new URL(socket?.url ?? target.baseUrl);
  const { ca, cert, insecure } = target.tls;
  const { key } = target.secrets;
  const tls = {
    timeout: target.timeoutMs,
    ...(socket && { socketPath: socket.socketPath }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    rejectUnauthorized: !insecure,
  };
  const { transport } = target;
  const options = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: largestHead };
  if (transport === "h2c") return new H2CClient(origin, { ...options, connect: tls });
  const allowH2 = transport === "h2";
  if (!environmentNamesProxy() || isThisMachine(hostname)) {
    const connect = usableConnections(buildConnector({ ...tls, allowH2 }), transport);
    return new Client(origin, { ...options, allowH2, connect });
  }

  const agent: EnvHttpProxyAgent = new EnvHttpProxyAgent({
    ...options,
    allowH2,
    connect: tls,
    requestTls: tls,
    proxyTls: { timeout: target.timeoutMs },
    factory(to, its: Client.Options) {
      const { connect } = its;
      const client = new Client(
        to,
        typeof connect === "function" ? { ...its, connect: usableConnections(connect, transport) } : its,
      );
      client.on("connect", (...connected) => agent.emit("connect", ...connected));
      return client;
    },
  });
  return agent;
}

function environmentNamesProxy(): boolean {
  return ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].some((name) => process.env[name]);
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
