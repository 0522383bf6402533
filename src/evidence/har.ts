import { STATUS_CODES } from "node:http";
import { type HeaderLines, type HttpVersion, headerValues, keptInWords } from "../connect/exchange.js";
import { withoutOurs } from "../connect/requests.js";
import { bodyFile, inlineLimit } from "./bodies.js";
import type { StoredExchange, StoredText } from "./stored-exchange.js";

/** The program that wrote the archive. */
export interface HarCreator {
  readonly name: string;
  readonly version: string;
}

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

/** One frame of a stream; `at` is when it was read, in milliseconds since the request was sent. */
interface HarFrame {
  readonly at: number;
  readonly flags: number;
  /** Absent when the body is left out. */
  readonly data?: string;
  readonly comment?: string;
}

/** What an entry shows of a response: its body, or only its size and the arrival times of its frames. */
export type ResponseDetail = "body" | "size";

/** One exchange in HAR 1.2; custom fields start with an underscore. */
export interface HarEntry {
  readonly startedDateTime: string;
  /** Sum of the timings, in milliseconds. */
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly NameValue[];
    readonly queryString: readonly NameValue[];
    readonly postData?: {
      readonly mimeType: string;
      readonly text: string;
      readonly comment?: string;
    };
    readonly headersSize: -1;
    readonly bodySize: number;
  };
  readonly response: {
    /** 0 when there was no response. */
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly NameValue[];
    readonly content: HarContent;
    readonly redirectURL: string;
    readonly headersSize: -1;
    readonly bodySize: number;
    readonly _error?: string;
  };
  readonly cache: Record<string, never>;
  readonly timings: {
    readonly blocked: number;
    readonly send: number;
    readonly wait: number;
    readonly receive: number;
  };
  readonly comment: string;
  readonly _frames?: readonly HarFrame[];
  readonly _ended?: string;
}

/** An HTTP archive, HAR 1.2. */
export interface Har {
  readonly log: {
    readonly version: "1.2";
    readonly creator: HarCreator;
    readonly comment: string;
    readonly entries: readonly HarEntry[];
  };
}

/** Builds an HTTP archive from entries, in the order in which their requests were started. */
export function harOf(entries: readonly HarEntry[], creator: HarCreator): Har {
  const sorted = entries.toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
  return { log: { version: "1.2", creator, comment: "bodies that are left out are in the evidence", entries: sorted } };
}

/**
 * Converts one exchange, which must be redacted, to an entry of an HTTP archive. The frames of a stream are in `_frames` with
 * their arrival times, and as text in the content. Bodies above `maxBody` characters, and those in files of their own, are
 * left out: a comment names the file of the record that has them. Another comment names the check, so the harness's own
 * headers are left out. Milliseconds are rounded to one decimal.
 */
export function toHarEntry(exchange: StoredExchange, maxBody = inlineLimit, shown: ResponseDetail = "body"): HarEntry {
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
      headers: nameValues(withoutOurs(request).headers),
      queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body === ""
        ? {}
        : {
            postData: { mimeType: requestType, ...shortened(request.body, maxBody, (text) => ({ text })) },
          }),
      headersSize: -1,
      bodySize: typeof request.body === "string" ? Buffer.byteLength(request.body) : -1,
    },
    response: {
      status: response?.status ?? 0,
      statusText: STATUS_CODES[response?.status ?? 0] ?? "",
      httpVersion: response === undefined ? "" : httpVersion,
      cookies: [],
      headers: nameValues(shown === "size" ? withoutTransport(response?.headers ?? []) : (response?.headers ?? [])),
      content: contentOf(exchange, maxBody, shown),
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
        ...(shown === "body" && shortened(data, maxBody, (text) => ({ data: text }))),
      })),
    }),
    ...(ended && { _ended: ended }),
  };
}

/** Drops headers about the connection and the length, which stands beside them; the evidence still has them. */
function withoutTransport(headers: HeaderLines): HeaderLines {
  return headers.filter(([name]) => !/^(connection|content-length|keep-alive)$/i.test(name));
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

function contentOf({ response, frames }: StoredExchange, maxBody: number, shown: ResponseDetail): HarContent {
  const mimeType = headerValues(response?.headers ?? [], "content-type")[0] ?? "x-unknown";
  const size = response?.bytes ?? 0;
  if (shown === "size") return { size, mimeType };
  if (frames === undefined || frames.length === 0) {
    const content = { size, mimeType, ...shortened(response?.body ?? "", maxBody, (text) => ({ text })) };
    const samples = (response?.samples ?? []).map(keptInWords);
    if (samples.length === 0) return content;
    return {
      ...content,
      comment: [`a sample: ${samples.join(", ")}`, content.comment ?? ""].filter(Boolean).join("; "),
    };
  }
  const texts = frames.flatMap(({ data }) => (typeof data === "string" ? [data] : []));
  const text = texts.join("\n");
  const fits = texts.length === frames.length && text.length <= maxBody;
  return fits ? { size, mimeType, text } : { size, mimeType, comment: "the frames are in _frames" };
}

/** The text; or, when it is too long, an empty text and a comment that names its file. */
function shortened<T extends object>(
  body: StoredText,
  maxBody: number,
  put: (text: string) => T,
): T & { comment?: string } {
  if (typeof body === "string" && body.length <= maxBody) return put(body);
  const { file, characters } = typeof body === "string" ? { file: bodyFile(body), characters: body.length } : body;
  return { ...put(""), comment: `${characters} characters, in ${file}` };
}

/** Headers as most formats list them: `{ "name": "accept", "value": "text/html" }`. */
export function nameValues(lines: HeaderLines): NameValue[] {
  return lines.map(([name, value]) => ({ name, value }));
}

function versionOf(transport: HttpVersion = "http1"): string {
  return transport === "http1" ? "HTTP/1.1" : "HTTP/2";
}
