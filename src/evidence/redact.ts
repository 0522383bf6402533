import type { Exchange, HeaderLines, WireRequest } from "../connect/exchange.js";
import type { Secrets } from "../target/target.js";

/** What stands in the place of a secret. */
export const redacted = "***";

/** Headers whose values are never shown, whether or not they hold a configured secret. */
const alwaysSecret = ["authorization", "proxy-authorization", "cookie", "set-cookie"];

/** A shorter value would also blank out text that has nothing to do with it. */
const shortestSecret = 6;

type Redactable = Pick<Secrets, "token" | "headers">;

/** The exchange without secrets: header values, and every place in which one is echoed. The original is not changed. */
export function redactExchange(exchange: Exchange, secrets: Redactable): Exchange {
  const hide = hider(secrets);
  const names = secretNames(secrets);
  const { request, response, frames, failure, framing } = exchange;
  return {
    ...exchange,
    request: redactWith(request, names, hide),
    ...(response && {
      response: { ...response, headers: redactHeaders(response.headers, names, hide), body: hide(response.body) },
    }),
    ...(frames && { frames: frames.map((frame) => ({ ...frame, data: hide(frame.data) })) }),
    ...(framing && { framing: { ...framing, message: hide(framing.message) } }),
    ...(failure && { failure: { ...failure, message: hide(failure.message) } }),
  };
}

/** The request without secrets. */
export function redactRequest(request: WireRequest, secrets: Redactable): WireRequest {
  return redactWith(request, secretNames(secrets), hider(secrets));
}

/** Plain data without secrets, in whatever text they are. The original is not changed. */
export function redactTexts<T>(data: T, hide: (text: string) => string): T {
  if (hide === asItIs) return data;
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return hide(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]));
  };
  return visit(data) as T;
}

/** A function that blanks every secret out of a text, also where it is escaped for a URL or for JSON. */
export function hider({ token, headers }: Redactable): (text: string) => string {
  const values = [...(token === undefined ? [] : [token]), ...headers.flatMap(([, value]) => secretsIn(value))];
  const forms = values
    .filter((value) => value.length >= shortestSecret)
    .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
  // Longer ones first: a secret may be part of another.
  const needles = [...new Set(forms)].sort((one, other) => other.length - one.length);
  if (needles.length === 0) return asItIs;
  return (text) =>
    needles.reduce((clean, needle) => (clean.includes(needle) ? clean.replaceAll(needle, redacted) : clean), text);
}

/** Where there are no secrets. */
function asItIs(text: string): string {
  return text;
}

/** A header's value as a whole, and without the scheme that credentials may start with. */
function secretsIn(value: string): string[] {
  const credentials = /^(?:basic|bearer|token|apikey)\s+(\S+)$/i.exec(value)?.[1];
  return credentials === undefined ? [value] : [value, credentials];
}

function secretNames({ headers }: Redactable): ReadonlySet<string> {
  return new Set([...alwaysSecret, ...headers.map(([name]) => name.toLowerCase())]);
}

function redactWith(request: WireRequest, names: ReadonlySet<string>, hide: (text: string) => string): WireRequest {
  return {
    ...request,
    url: hide(request.url),
    headers: redactHeaders(request.headers, names, hide),
    body: hide(request.body),
  };
}

function redactHeaders(lines: HeaderLines, names: ReadonlySet<string>, hide: (text: string) => string): HeaderLines {
  return lines.map(([name, value]) => [name, names.has(name.toLowerCase()) ? redacted : hide(value)] as const);
}
