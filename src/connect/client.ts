import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, H2CClient } from "undici";
import { overSocket } from "./base-url.js";
import { usableConnections } from "./connector.js";
import type { Target } from "./target.js";

/** The parts of a target that determine how connections are made. */
export type ConnectionTarget = Pick<Target, "baseUrl" | "transport" | "timeoutMs" | "tls" | "secrets">;

/** Largest response head that is read, in bytes. Over HTTP/2, Node's own limit applies. */
const largestHead = 64 * 1024;

/**
 * Creates an HTTP client with a single connection, opened on first use and reopened after it was closed. Its own timeouts
 * are off, except for connecting: each exchange has its own limits. It does not follow redirects.
 *
 * A proxy set in the environment (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) only tunnels to the target, so it sees neither
 * requests over TLS nor the tokens in them. Loopback addresses and unix sockets bypass the proxy.
 */
export function openClient(target: ConnectionTarget): Dispatcher {
  const socket = overSocket(target.baseUrl);
  const { origin, hostname } = new URL(socket?.url ?? target.baseUrl);
  const { ca, cert, insecure } = target.tls;
  const { key } = target.secrets;
  const tls = {
    timeout: target.timeoutMs,
    socketPath: socket?.socketPath,
    ca,
    cert,
    key,
    rejectUnauthorized: !insecure,
  };
  const { transport } = target;
  const options = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: largestHead };
  if (transport === "h2c") return new H2CClient(origin, { ...options, connect: tls });
  const allowH2 = transport === "h2";
  if (!hasProxyInEnvironment() || isLoopback(hostname)) {
    const connect = usableConnections(buildConnector({ ...tls, allowH2 }), transport);
    return new Client(origin, { ...options, allowH2, connect });
  }

  const agent: EnvHttpProxyAgent = new EnvHttpProxyAgent({
    ...options,
    allowH2,
    connect: tls,
    requestTls: tls,
    proxyTls: { timeout: target.timeoutMs },
    factory(to, settings: Client.Options) {
      const { connect } = settings;
      const client = new Client(
        to,
        typeof connect === "function" ? { ...settings, connect: usableConnections(connect, transport) } : settings,
      );
      client.on("connect", (...connected) => agent.emit("connect", ...connected));
      return client;
    },
  });
  return agent;
}

function hasProxyInEnvironment(): boolean {
  return ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].some((name) => process.env[name]);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
