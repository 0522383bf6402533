import { overSocket } from "../connect/base-url.js";
import type { HttpRequest } from "../connect/exchange.js";
import { streamBody } from "../connect/requests.js";
import type { Target } from "../connect/target.js";
import { isStream } from "../specification/endpoints.js";
import { redacted, redactRequest } from "./redact.js";

/** The parts of a target that affect the command. */
export type CurlTarget = Partial<Pick<Target, "transport" | "tls" | "secrets">>;

/** How long the command watches a stream, in seconds. */
const streamSeconds = 5;

/**
 * A one-line POSIX shell command that repeats a request. It contains no secrets: the bearer token is taken from the
 * environment variable `CONFORMANCE_TOKEN`, and the values of other configured headers are redacted.
 */
export function toCurl(original: HttpRequest, target: CurlTarget = {}): string {
  const { transport = "http1", tls, secrets = { headers: [] } } = target;
  const request = redactRequest(original, secrets);
  const socket = overSocket(request.url);
  const stream = isStream(request.endpoint);
  const hasBody = request.body !== "" || stream;
  // Without this, curl would add a content type of its own.
  const noContentType = hasBody && !request.headers.some(([name]) => name.toLowerCase() === "content-type");
  const piped = stream || !printable.test(request.body);

  const command = [
    "curl -sS",
    ...(stream ? ["-N", `--max-time ${streamSeconds}`] : ["-i"]),
    ...(tls?.insecure ? ["-k"] : []),
    { http1: "--http1.1", h2c: "--http2-prior-knowledge", h2: "--http2" }[transport],
    request.method === "HEAD" ? "-I" : `-X ${quote(request.method)}`,
    ...(socket ? ["--unix-socket", quote(socket.socketPath), quote(socket.url)] : [quote(request.url)]),
    ...request.headers.map(([name, value]) => `-H ${header(name, value)}`),
    ...(noContentType ? ["-H 'Content-Type:'"] : []),
    ...(hasBody ? [piped ? "--data-binary @-" : `--data-raw ${quote(request.body)}`] : []),
  ].join(" ");
  if (!hasBody || !piped) return command;
  const bytes = stream ? streamBody(request) : Buffer.from(request.body);
  return `printf '${printfFormat(bytes)}' | ${command}`;
}

/** Text that a report shows verbatim. Anything else is shown escaped, so a command with it could not be pasted. */
const printable = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** Quotes a text as one word for a POSIX shell. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A curl header argument. An empty value is written with a semicolon, since a colon alone removes the header. */
function header(name: string, value: string): string {
  if (name.toLowerCase() === "authorization" && value === redacted) return `"${name}: Bearer $CONFORMANCE_TOKEN"`;
  return quote(value === "" ? `${name};` : `${name}: ${value}`);
}

/** Bytes as a one-line printf format for single quotes: octal escapes for what is not printable ASCII. */
function printfFormat(bytes: Buffer): string {
  return [...bytes]
    .map((byte, index) => {
      const character = String.fromCharCode(byte);
      const optionLike = index === 0 && character === "-";
      if (byte < 0x20 || byte > 0x7e || optionLike) return `\\${byte.toString(8).padStart(3, "0")}`;
      return { "%": "%%", "\\": "\\\\", "'": "'\\''" }[character] ?? character;
    })
    .join("");
}
