import type { ExchangeFailure, FailureKind } from "./exchange.js";

const kinds: readonly (readonly [pattern: RegExp, kind: FailureKind])[] = [
  [/^UND_ERR_(DESTROYED|CLOSED|ABORTED|ABORT)$/, "aborted"],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, "timeout"],
  [/^(HTTPParserError|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, "protocol"],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, "too-large"],
  [/^(UND_ERR_HEADERS_OVERFLOW|ERR_ASSERTION)$/, "unsupported"],
];

/**
 * The errors with which Node's HTTP/2 client ends an exchange whose head is too large for it. A server may also send
 * ENHANCE_YOUR_CALM to ask for fewer requests.
 */
const headTooLarge = /NGHTTP2_(ENHANCE_YOUR_CALM|FRAME_SIZE_ERROR)/;

/** HTTP client errors that only a faulty request can cause: bugs of the harness, not findings. */
const programmingErrors = /^UND_ERR_(INVALID_ARG|INVALID_RETURN_VALUE|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/;

/** Whether an error means that the harness asked for something impossible. */
export function isProgrammingError(error: Error): boolean {
  return programmingErrors.test(codeOf(error));
}

/**
 * Classifies an error of the HTTP client.
 *
 * @param sent whether the request had been written; an error before that means the target is unreachable
 */
export function exchangeFailureOf(error: Error, sent: boolean): ExchangeFailure {
  const message = messageOf(error);
  const code = codeOf(error);
  const known = kinds.find(([pattern]) => pattern.test(code))?.[1];
  if (known !== undefined) return { kind: known, message };
  if (code === "ERR_HTTP2_STREAM_ERROR" && headTooLarge.test(message)) return { kind: "unsupported", message };
  if (!sent) return { kind: "unreachable", message };
  // The HTTP client reports unsolicited and impossible responses as socket errors.
  return { kind: /^bad (response|upgrade)$/.test(error.message) ? "protocol" : "reset", message };
}

function codeOf(error: Error): string {
  if (error.name === "HTTPParserError") return error.name;
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/**
 * Explains a failed first request over HTTP/2 without TLS. Nothing is negotiated there, so a server that does not speak
 * HTTP/2 only shows up as a broken connection.
 */
export function withoutHttp2(failure: ExchangeFailure): ExchangeFailure {
  if (failure.kind !== "reset" || !/ERR_HTTP2_ERROR/.test(failure.message)) return failure;
  const message = "the server speaks no HTTP/2 without TLS; without --transport h2c it can be asked in HTTP/1.1";
  return { kind: "unreachable", message };
}

/** An OpenSSL error: its message stands between an error code and a source location. */
const openssl = /^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):.*$/s;

/** Handles AggregateError, which has no message of its own: `localhost`, for one, has several addresses to try. */
function messageOf(error: Error): string {
  const parts: unknown[] = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  const texts = parts.map((part) =>
    (part instanceof Error ? part.message || codeOf(part) || part.name : String(part))
      .replace(openssl, "$1")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  const code = codeOf(error);
  const text = [...new Set(texts)].join("; ");
  return code === "" || text.includes(code) ? text : `${text} (${code})`;
}
