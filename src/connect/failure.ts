import type { Failure, FailureKind } from "./exchange.js";

const kinds: readonly (readonly [pattern: RegExp, kind: FailureKind])[] = [
  [/^UND_ERR_(DESTROYED|CLOSED|ABORTED|ABORT)$/, "aborted"],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, "timeout"],
  [/^(HTTPParserError|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_HEADERS_OVERFLOW)$/, "protocol"],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, "too-large"],
];

/** Errors of the HTTP client that only a faulty request can cause: bugs of the harness, not findings. */
const programmingErrors = /^UND_ERR_(INVALID_ARG|INVALID_RETURN_VALUE|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/;

/** True when an error says that the harness asked for something impossible. */
export function isProgrammingError(error: Error): boolean {
  return programmingErrors.test(codeOf(error));
}

/**
 * What an error of the HTTP client means.
 *
 * @param sent whether the request had been written: before that, the target could not be reached
 */
export function failureOf(error: Error, sent: boolean): Failure {
  const message = messageOf(error);
  const code = codeOf(error);
  const known = kinds.find(([pattern]) => pattern.test(code))?.[1];
  if (known !== undefined) return { kind: known, message };
  if (!sent) return { kind: "unreachable", message };
  // The HTTP client reports unsolicited and impossible responses as socket errors.
  return { kind: /^bad (response|upgrade)$/.test(error.message) ? "protocol" : "reset", message };
}

function codeOf(error: Error): string {
  if (error.name === "HTTPParserError") return error.name;
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** `localhost` has several addresses, and the error of trying them all has no message of its own. */
function messageOf(error: Error): string {
  const parts: unknown[] = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  const texts = parts.map((part) => (part instanceof Error ? part.message || codeOf(part) || part.name : String(part)));
  const code = codeOf(error);
  const text = [...new Set(texts)].join("; ");
  return code === "" || text.includes(code) ? text : `${text} (${code})`;
}
