import type { Exchange, HeaderLines, HttpRequest } from "../connect/exchange.js";
import type { Secrets } from "../connect/target.js";
import { memoize } from "../specification/memoize.js";
import { formsOf } from "./secret-forms.js";
import { SecretScanner } from "./secret-scanner.js";

/** Replacement for a secret. */
export const redacted = "***";

/** Headers whose values are never shown, even if they contain no configured secret. */
const alwaysSecret = ["authorization", "proxy-authorization", "cookie", "set-cookie"];

/** Shortest value that is redacted: a shorter one would also match unrelated text. */
const shortestSecret = 6;

type Redactable = Pick<Secrets, "token" | "headers">;

/** Removes secrets from an exchange: header values, and every place that echoes one. Returns a copy. */
export function redactExchange(exchange: Exchange, secrets: Redactable): Exchange {
  const hide = redactor(secrets);
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

/** Removes secrets from a request. Returns a copy. */
export function redactRequest(request: HttpRequest, secrets: Redactable): HttpRequest {
  return redactWith(request, secretNames(secrets), redactor(secrets));
}

/** Applies `hide` to every string in plain data. Returns a copy, or the data itself when there is nothing to hide. */
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

/**
 * Returns a function that removes every secret from a text: plain, in base64, base64url or hexadecimal, and escaped for URLs
 * or JSON, case-insensitively. For the token and for values that look random, long enough parts are removed as well.
 * Cached, since every exchange needs one.
 */
export const redactor = memoize(({ token, headers }: Redactable): ((text: string) => string) => {
  const values = [...(token === undefined ? [] : [token]), ...headers.flatMap(([, value]) => secretsIn(value))];
  const forms = values
    .filter((value) => value.length >= shortestSecret)
    .flatMap((value) => formsOf(value, value === token || looksRandom(value)));
  if (forms.length === 0) return asItIs;
  const scanner = new SecretScanner(forms);
  return (text) => scanner.replace(text, redacted);
});

/** Whether to look for parts of a header value. Ordinary values, such as media types, also occur elsewhere. */
function looksRandom(value: string): boolean {
  return /^\S+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

/** The redactor when there are no secrets. */
function asItIs(text: string): string {
  return text;
}

/** A header value as a whole, and its credentials without the scheme. */
function secretsIn(value: string): string[] {
  const credentials = /^(?:basic|bearer|token|apikey)\s+(\S+)$/i.exec(value)?.[1];
  return credentials === undefined ? [value] : [value, credentials];
}

function secretNames({ headers }: Redactable): ReadonlySet<string> {
  return new Set([...alwaysSecret, ...headers.map(([name]) => name.toLowerCase())]);
}

function redactWith(request: HttpRequest, names: ReadonlySet<string>, hide: (text: string) => string): HttpRequest {
  return {
    ...request,
    url: hide(request.url),
    headers: redactHeaders(request.headers, names, hide),
    body: hide(request.body),
  };
}

function redactHeaders(lines: HeaderLines, names: ReadonlySet<string>, hide: (text: string) => string): HeaderLines {
  return lines.map(([name, value]) => [hide(name), names.has(name.toLowerCase()) ? redacted : hide(value)] as const);
}
