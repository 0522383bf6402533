import { STATUS_CODES } from "node:http";
import { type HeaderLines, type HttpVersion, headerValues, keptInWords } from "../connect/exchange.js";
import { withoutHarnessHeaders } from "../connect/requests.js";
import { inlineLimit } from "./bodies.js";
import type { StoredExchange, StoredText } from "./stored-exchange.js";

interface NameValue {
  readonly name: string;
  readonly value: string;
}

interface HarContent {
  readonly size: number;
  readonly mimeType: string;
  readonly text?: string;
  readonly comment?: string;
}

/**
 * Converts one exchange, which must be redacted, to an entry of an HTTP archive (HAR 1.2). The frames of a stream are in the
 * custom field `_frames` with their arrival times, and as text in the content. Bodies that are too long for a line of the
 * record are left out: a comment names the file of the record that has them. Another comment names the check, so the
 * harness's own headers are left out. Milliseconds are rounded to one decimal.
 *
 * @param shown what is shown of the response: its body, or only its size and the arrival times of its frames
 */
export function toHarEntry(exchange: StoredExchange, shown: "body" | "size" = "body") {
  const { id, request, response, frames, ended, failure, framing, timings, transport } = exchange;
  const { sentMs = 0, headersMs, totalMs } = timings;
  const httpVersion = versionOf(transport);
  const requestType = headerValues(request.headers, "content-type")[0] ?? "";
  const times = {
    blocked: rounded(sentMs),
    send: 0,
    wait: rounded(Math.max(0, headersMs - sentMs)),
    receive: rounded(Math.max(0, totalMs - headersMs)),
  };
  const problem = [failure && `${failure.kind}: ${failure.message}`, framing?.message].filter(
    (text) => text !== undefined,
  );
  return {
    startedDateTime: exchange.startedAt,
    time: rounded(times.blocked + times.wait + times.receive),
    request: {
      method: request.method,
      url: request.url,
      httpVersion,
      cookies: [],
      headers: headersOf(withoutHarnessHeaders(request).headers, shown),
      queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body !== "" && {
        postData: { mimeType: requestType, ...shortened(request.body, (text) => ({ text })) },
      }),
      headersSize: -1,
      bodySize: typeof request.body === "string" ? Buffer.byteLength(request.body) : -1,
    },
    response: {
      status: response?.status ?? 0,
      statusText: STATUS_CODES[response?.status ?? 0] ?? "",
      httpVersion: response === undefined ? "" : httpVersion,
      cookies: [],
      headers: headersOf(response?.headers ?? [], shown),
      content: contentOf(exchange, shown),
      redirectURL: headerValues(response?.headers ?? [], "location")[0] ?? "",
      headersSize: -1,
      bodySize: response?.bytes ?? -1,
      ...(problem.length > 0 && { _error: problem.join("; ") }),
    },
    cache: {},
    timings: times,
    comment: id,
    ...(frames && {
      _frames: frames.map(({ at, flags, data }) => ({
        at: rounded(at),
        flags,
        ...(shown === "body" && shortened(data, (text) => ({ data: text }))),
      })),
    }),
    ...(ended && { _ended: ended }),
  };
}

/**
 * All headers; or, where only the size of an answer is shown, those that are neither about the connection nor repeat a type,
 * a length or a time that the entry gives anyway. The evidence has all of them.
 */
function headersOf(headers: HeaderLines, shown: "body" | "size"): NameValue[] {
  const repeated = /^(connection|content-length|content-type|date|keep-alive|transfer-encoding)$/i;
  return nameValues(shown === "body" ? headers : headers.filter(([name]) => !repeated.test(name)));
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

function contentOf({ response, frames }: StoredExchange, shown: "body" | "size"): HarContent {
  const mimeType = headerValues(response?.headers ?? [], "content-type")[0] ?? "x-unknown";
  const size = response?.bytes ?? 0;
  if (shown === "size") return { size, mimeType };
  if (frames === undefined || frames.length === 0) {
    const content = { size, mimeType, ...shortened(response?.body ?? "", (text) => ({ text })) };
    const samples = (response?.samples ?? []).map(keptInWords);
    if (samples.length === 0) return content;
    return {
      ...content,
      comment: [`a sample: ${samples.join(", ")}`, content.comment ?? ""].filter(Boolean).join("; "),
    };
  }
  const texts = frames.flatMap(({ data }) => (typeof data === "string" ? [data] : []));
  const text = texts.join("\n");
  const fits = texts.length === frames.length && text.length <= inlineLimit;
  return fits ? { size, mimeType, text } : { size, mimeType, comment: "the frames are in _frames" };
}

/** The text; or, when the record has it in a file, an empty text and a comment that names the file. */
function shortened<T extends object>(body: StoredText, put: (text: string) => T): T & { comment?: string } {
  return typeof body === "string"
    ? put(body)
    : { ...put(""), comment: `${body.characters} characters, in ${body.file}` };
}

/** Headers as most formats list them: `{ "name": "accept", "value": "text/html" }`. */
export function nameValues(lines: HeaderLines): NameValue[] {
  return lines.map(([name, value]) => ({ name, value }));
}

function versionOf(transport: HttpVersion = "http1"): string {
  return transport === "http1" ? "HTTP/1.1" : "HTTP/2";
}
