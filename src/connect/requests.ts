import { type Endpoint, endpoints } from "../specification/endpoints.js";
import { encodeEnvelope } from "./envelope.js";
import { type HeaderLines, type HttpRequest, isStreamType } from "./exchange.js";
import { type JsonInput, type JsonNotation, stringify } from "./json.js";
import type { Target } from "./target.js";

/** What a check changes in an otherwise ordinary request. */
export interface RequestOverrides {
  /** HTTP method instead of POST (H4). GET and HEAD are sent without a body. */
  readonly method?: string;
  /** Headers to set; names are case-insensitive, and `null` removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** JSON notation of the body, if not the usual one (§1). */
  readonly notation?: JsonNotation | undefined;
  /** Path below the base URL, instead of the operation's. */
  readonly path?: string;
  /** True to send the request over a connection of its own, as a stream is. */
  readonly newConnection?: boolean;
  /** The request just answered that this one must follow immediately: it jumps the queue of waiting requests. */
  readonly after?: HttpRequest | undefined;
  /** True when no other request may be in flight: exclusive requests that are sent together follow each other directly. */
  readonly alone?: boolean;
  /** Name of the requesting check, for the correlation header `X-Conformance-Check`. */
  readonly check?: string;
}

const userAgent = ["User-Agent", "perp-conformance"] as const;
const correlationHeader = "X-Conformance-Check";

/** A request without the headers that only identify the harness and the check, as one would send it by hand. */
export function withoutHarnessHeaders<T extends Pick<HttpRequest, "headers">>(request: T): T {
  const isOurs = ([name, value]: HeaderLines[number]) =>
    name === correlationHeader || (name === userAgent[0] && value === userAgent[1]);
  return { ...request, headers: request.headers.filter((line) => !isOurs(line)) };
}

/**
 * Builds the request for an operation: POST to its path below the base URL (§1, W11) with the common headers of §4.
 * The bearer token is sent if one is configured; otherwise there is no Authorization header (H3).
 */
export function buildRequest(
  target: Pick<Target, "baseUrl" | "secrets" | "correlation">,
  endpoint: Endpoint,
  body: JsonInput,
  overrides: RequestOverrides = {},
): HttpRequest {
  const { path, kind } = endpoints[endpoint];
  const { method = "POST", check } = overrides;
  const { token, headers } = target.secrets;
  const ordinary: HeaderLines = [
    ["Content-Type", kind === "stream" ? "application/connect+json" : "application/json"],
    ["Connect-Protocol-Version", "1"],
    userAgent,
    ...(token === undefined ? [] : [["Authorization", `Bearer ${token}`] as const]),
    ...(check === undefined || target.correlation === false ? [] : [[correlationHeader, headerText(check)] as const]),
  ];
  return {
    endpoint,
    method,
    url: target.baseUrl + (overrides.path ?? path),
    headers: replaceHeaders(replaceHeaders(ordinary, headers), Object.entries(overrides.headers ?? {})),
    body: method === "GET" || method === "HEAD" ? "" : stringify(body, overrides.notation),
  };
}

/** The request body of a stream: one envelope for a Connect streaming media type, otherwise the body as it is. */
export function streamBody({ headers, body }: HttpRequest): Buffer {
  return isStreamType(headers) ? encodeEnvelope(body) : Buffer.from(body);
}

/** Sets headers in place of existing ones of the same name, or removes them where the value is null. */
function replaceHeaders(lines: HeaderLines, changes: readonly (readonly [string, string | null])[]): HeaderLines {
  const changed = new Set(changes.map(([name]) => name.toLowerCase()));
  const set = changes.filter((change): change is readonly [string, string] => change[1] !== null);
  return [...lines.filter(([name]) => !changed.has(name.toLowerCase())), ...set];
}

/** Percent-encodes everything that is not printable ASCII. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character));
}
