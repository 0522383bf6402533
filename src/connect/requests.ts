import { type Endpoint, endpoints } from "../specification/endpoints.js";
import { encodeEnvelope } from "./envelope.js";
import { type HeaderLines, isStreamType, type WireRequest } from "./exchange.js";
import { type JsonInput, type JsonNotation, stringify } from "./json.js";
import type { Target } from "./target.js";

/** What a check changes in an otherwise ordinary request. */
export interface RequestOverrides {
  /** HTTP method instead of POST (H4). GET and HEAD are sent without a body. */
  readonly method?: string;
  /** Headers to set, compared without case; `null` removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** How the body is written, where not in the usual way (§1). */
  readonly notation?: JsonNotation | undefined;
  /** Path below the base URL, instead of the operation's. */
  readonly path?: string;
  /** True when the request goes over a connection of its own, as a stream does. */
  readonly newConnection?: boolean;
  /** The request that was just answered, where this one has to follow at once: it goes before all that wait for their turn. */
  readonly after?: WireRequest | undefined;
  /** True when no other request may be under way meanwhile: requests that are sent together so follow each other at once. */
  readonly alone?: boolean;
  /** Name of the check that asks, for the correlation header `X-Conformance-Check`. */
  readonly check?: string;
}

const userAgent = ["User-Agent", "perp-conformance"] as const;
const correlationHeader = "X-Conformance-Check";

/** A request without the headers that only say who asks, and for what check: as anybody would send it by hand. */
export function withoutOurs<T extends Pick<WireRequest, "headers">>(request: T): T {
  const isOurs = ([name, value]: HeaderLines[number]) =>
    name === correlationHeader || (name === userAgent[0] && value === userAgent[1]);
  return { ...request, headers: request.headers.filter((line) => !isOurs(line)) };
}

/**
 * The request for an operation: POST to its path below the base URL (§1, W11) with the common headers of §4. The
 * bearer token is sent when one is configured, and nothing in its place otherwise (H3).
 */
export function buildRequest(
  target: Pick<Target, "baseUrl" | "secrets" | "correlation">,
  endpoint: Endpoint,
  body: JsonInput,
  overrides: RequestOverrides = {},
): WireRequest {
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

/** The bytes of a stream's request: one envelope under Connect's streaming media type, as it stands under another one. */
export function streamBody({ headers, body }: WireRequest): Buffer {
  return isStreamType(headers) ? encodeEnvelope(body) : Buffer.from(body);
}

/** The lines with others set in their place, or removed where the value is null. */
function replaceHeaders(lines: HeaderLines, changes: readonly (readonly [string, string | null])[]): HeaderLines {
  const changed = new Set(changes.map(([name]) => name.toLowerCase()));
  const set = changes.filter((change): change is readonly [string, string] => change[1] !== null);
  return [...lines.filter(([name]) => !changed.has(name.toLowerCase())), ...set];
}

/** A header value holds printable ASCII. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character));
}
