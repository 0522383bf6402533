import type { Exchange, HeaderLines, WireRequest } from "../connect/exchange.js";
import type { Secrets } from "../connect/target.js";
import { formsOf } from "./secret-forms.js";
import { SecretScanner } from "./secret-scanner.js";

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

/**
 * A function that blanks every secret out of a text: as it is, in base64, base64url, hexadecimal, and escaped for URLs or
 * JSON, in whatever case of letters; of secrets in which several kinds of characters meet also parts that are long enough.
 */
export function hider(secrets: Redactable): (text: string) => string {
  let hide = hiders.get(secrets);
  if (hide === undefined) {
    hide = newHider(secrets);
    hiders.set(secrets, hide);
  }
  return hide;
}

/** Asked for again for each exchange. */
const hiders = new WeakMap<Redactable, (text: string) => string>();

function newHider({ token, headers }: Redactable): (text: string) => string {
  const values = [...(token === undefined ? [] : [token]), ...headers.flatMap(([, value]) => secretsIn(value))];
  const forms = values
    .filter((value) => value.length >= shortestSecret)
    .flatMap((value) => formsOf(value, value === token || looksRandom(value)));
  if (forms.length === 0) return asItIs;
  const scanner = new SecretScanner(forms);
  return (text) => scanner.replace(text, redacted);
}

/** Headers may hold words that stand elsewhere as well, such as media types: of those no parts are looked for. */
function looksRandom(value: string): boolean {
  return /^\S+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
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
  return lines.map(([name, value]) => [hide(name), names.has(name.toLowerCase()) ? redacted : hide(value)] as const);
}
