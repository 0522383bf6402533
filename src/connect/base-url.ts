import type { HttpVersion } from "./exchange.js";

/** A usable base URL, or what is wrong with the text. */
type Normalized = { readonly baseUrl: string } | { readonly problem: string };

/** A URL that is requested over a unix socket. */
export interface OverSocket {
  /** Absolute path of the socket file. */
  readonly socketPath: string;
  /** The URL to request over the socket: plain http on `localhost`. */
  readonly url: string;
}

/**
 * Normalizes a base URL: strips trailing slashes (W11), or says what is wrong with it. Accepts http, https, and http over a
 * unix socket, written `unix:/run/perps.sock` or, with a path prefix, `http+unix://%2Frun%2Fperps.sock/prefix`. Both socket
 * forms normalize to the latter. Rejects a query, a fragment and credentials; messages never repeat a possible password.
 */
export function normalizeBaseUrl(text: string): Normalized {
  const trimmed = text.trim();
  const [, socket] = /^unix:(?:\/\/)?(.*)$/is.exec(trimmed) ?? [];
  if (socket !== undefined) return socketUrl(socket, "");
  if (!URL.canParse(trimmed))
    return { problem: `${JSON.stringify(trimmed)} is not a URL such as https://host:8080/prefix` };
  const url = new URL(trimmed);
  if (!["http:", "https:", "http+unix:"].includes(url.protocol)) {
    return { problem: `the URL must start with http://, https:// or unix:, not with ${JSON.stringify(url.protocol)}` };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "the URL must not hold a user or a password; give a token with --token-env, or headers" };
  }
  if (trimmed.includes("?") || trimmed.includes("#")) return { problem: "the URL must not have a query or a fragment" };
  const prefix = url.pathname.replace(/\/+$/, "");
  return url.protocol === "http+unix:" ? socketUrl(decoded(url.host), prefix) : { baseUrl: url.origin + prefix };
}

/** The socket and URL of a request over a unix socket; undefined for any other URL. */
export function overSocket(url: string): OverSocket | undefined {
  const [, socket, rest = ""] = /^http\+unix:\/\/([^/]+)(.*)$/s.exec(url) ?? [];
  return socket === undefined
    ? undefined
    : { socketPath: decodeURIComponent(socket), url: `http://localhost${rest || "/"}` };
}

function socketUrl(path: string, prefix: string): Normalized {
  if (!path.startsWith("/"))
    return {
      problem: "a socket is given by its whole path: unix:/run/perps.sock, or http+unix://%2Frun%2Fperps.sock/prefix",
    };
  return { baseUrl: `http+unix://${encodeURIComponent(path)}${prefix}` };
}

/** Percent-decodes a text; empty when the encoding is invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Why a transport does not fit a base URL; undefined when it does. */
export function transportProblem(transport: HttpVersion, baseUrl: string): string | undefined {
  const secure = baseUrl.startsWith("https:");
  if (transport === "h2c" && secure)
    return "the transport h2c is HTTP/2 without TLS: the base URL must be http://, or the transport h2";
  if (transport === "h2" && !secure)
    return "the transport h2 is HTTP/2 over TLS: the base URL must be https://, or the transport h2c";
  return undefined;
}
