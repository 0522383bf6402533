import { ALLURE_HTTP_EXCHANGE_SCHEMA_VERSION, type HttpExchange } from "allure-js-commons";
import { type Exchange, type HeaderLines, headerValues } from "../connect/exchange.js";
import { nameValues } from "./har.js";

/**
 * Converts an exchange for Allure's HTTP exchange viewer (`application/vnd.allure.http+json`). It must already be
 * redacted. Bodies are cut at `maxBody` characters; the frames of a stream are shown one per line, each after its time.
 */
export function toAllureHttpExchange(exchange: Exchange, maxBody: number): HttpExchange {
  const { request, response, frames, ended, failure, framing, timings } = exchange;
  const start = Date.parse(exchange.startedAt);
  const problem = failure ?? framing;
  const streamed = frames !== undefined && frames.length > 0;
  const text = streamed
    ? frames.map(({ at, flags, data }) => `${at.toFixed(1)} ms, flags ${flags}: ${data}`).join("\n")
    : (response?.body ?? "");
  return {
    schemaVersion: ALLURE_HTTP_EXCHANGE_SCHEMA_VERSION,
    request: {
      method: request.method,
      url: request.url,
      headers: nameValues(request.headers),
      ...(request.body !== "" && { body: bodyOf(request.body, request.headers, maxBody) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: nameValues(response.headers),
        body: {
          ...bodyOf(text, streamed ? [["Content-Type", "text/plain"]] : response.headers, maxBody),
          size: response.bytes,
          ...(streamed && { stream: { type: "connect", complete: ended === "end-frame", chunkCount: frames.length } }),
        },
      },
    }),
    ...(problem && { error: { name: problem.kind, message: problem.message } }),
    start,
    stop: start + Math.round(timings.totalMs),
  };
}

function bodyOf(text: string, headers: HeaderLines, maxBody: number): NonNullable<HttpExchange["request"]["body"]> {
  const [contentType] = headerValues(headers, "content-type");
  return {
    ...(contentType !== undefined && { contentType }),
    encoding: "utf8",
    // Without splitting a surrogate pair at the end.
    value: text.length > maxBody ? text.slice(0, maxBody).replace(/[\ud800-\udbff]$/, "") : text,
    size: Buffer.byteLength(text),
    ...(text.length > maxBody && { truncated: true }),
  };
}
