import { type Endpoint, isStream } from "../specification/endpoints.js";
import { memoize } from "../specification/memoize.js";
import { compressedFlag, isMessage } from "./envelope.js";
import { inWireForm } from "./error-code.js";
import { type Exchange, headerValues, isOk, type StreamFrame } from "./exchange.js";
import { isJsonObject, type JsonObject } from "./json.js";
import type { ConnectError, Outcome, StreamMessage, StreamOutcome, StreamProblem } from "./outcome.js";
import { type SharedBody, sharedBody } from "./shared-bodies.js";

/**
 * Interprets a unary exchange as Connect (E2). A body with the shape of an error is an error, whatever the status. Any other
 * JSON object with a 2xx status is a success, or a sample of one. Media types are ignored here; rules judge them (W9).
 * An exchange is judged many times but interpreted once.
 */
export const interpret = memoize(readUnary);

function readUnary(exchange: Exchange): Outcome {
  const { response, failure } = exchange;
  if (failure !== undefined || response === undefined) return failed(exchange);
  const malformed = (reason: string): Outcome => ({ kind: "malformed", reason: `HTTP ${response.status}: ${reason}` });

  const location =
    response.status >= 300 && response.status < 400 ? headerValues(response.headers, "location")[0] : undefined;
  if (location !== undefined) return malformed(`a redirect to ${location}, which is not followed`);
  if (response.body === "") return malformed("the body is empty");
  if (response.invalidUtf8) return malformed("the body is not UTF-8");

  const shared = sharedBody(exchange.request.endpoint, response.body);
  const { parsed } = shared;
  if ("error" in parsed) return malformed(`the body ${notJson(response.body, parsed.error)}`);
  const { value } = parsed;
  if (!isJsonObject(value)) return malformed(`the body is JSON but not an object: ${excerpt(response.body)}`);
  const error = connectError(value);
  if (error !== undefined) return { kind: "error", ...error };
  if (isOk(response.status)) {
    const { bytes, samples } = response;
    const kind = samples === undefined ? ({ kind: "success" } as const) : ({ kind: "sample", bytes, samples } as const);
    return {
      ...kind,
      // Parsed on demand: the parsed value takes many times the memory of the text.
      get body() {
        return objectIn(shared);
      },
    };
  }
  return malformed(
    `the body is not a Connect error, which would have a string code and a string message: ${excerpt(response.body)}`,
  );
}

/** The parsed body, already known to be a JSON object. */
function objectIn({ parsed }: SharedBody): JsonObject {
  return ("value" in parsed ? parsed.value : {}) as JsonObject;
}

/**
 * Interprets an exchange of the server stream (§4.2) as Connect: its messages, how it ended, and the first problem. When no
 * stream was opened, returns the error, other content or failure that came instead.
 */
export const interpretStream = memoize(readStream);

function readStream(exchange: Exchange): StreamOutcome {
  const { frames = [] } = exchange;
  if (!hasOpened(exchange)) return insteadOfStream(interpret(exchange), exchange);

  const messages: StreamMessage[] = [];
  const problems: StreamProblem[] = [];
  let endAt: number | undefined;
  let endError: ConnectError | undefined;
  for (const [index, frame] of frames.entries()) {
    const isEnd = !isMessage(frame);
    if (isEnd) endAt = frame.at;
    if ((frame.flags & compressedFlag) !== 0) {
      problems.push({
        kind: "compressed",
        frame: index,
        message: `frame ${index} is compressed, which was not offered`,
      });
      continue;
    }
    const { endpoint } = exchange.request;
    const read = isEnd ? readEnd(endpoint, frame) : readMessage(endpoint, frame);
    if (typeof read === "string") {
      const what = isEnd ? "the end-of-stream frame" : `the message in frame ${index}`;
      problems.push({ kind: "unreadable", frame: index, message: `${what} ${read}` });
    } else if (!isEnd) {
      const { at, firstByteAt, lagMs } = frame;
      messages.push({
        at,
        ...(firstByteAt !== undefined && { firstByteAt }),
        ...(lagMs !== undefined && { lagMs }),
        body: read,
        frame: index,
      });
    } else if (isJsonObject(read.error)) {
      endError = connectError({ message: "", ...read.error });
    }
  }
  const { framing, failure } = exchange;
  if (framing !== undefined) problems.push({ kind: "framing", framing: framing.kind, message: framing.message });
  if (failure !== undefined) problems.push({ kind: "failure", failure: failure.kind, message: failure.message });
  const [problem] = problems;
  return {
    kind: "stream",
    messages,
    ...(endAt !== undefined && { endAt }),
    ...(endError !== undefined && { endError }),
    ...(problem !== undefined && { problem }),
  };
}

/** Interprets an exchange as what its operation is: a single answer or a stream. */
export function interpretAny(exchange: Exchange): Outcome | StreamOutcome {
  return isStream(exchange.request.endpoint) ? interpretStream(exchange) : interpret(exchange);
}

/** A stream counts as opened when envelopes came, when only 2xx headers came, or when we left a silent server. */
function hasOpened({ frames = [], framing, failure, response, ended }: Exchange): boolean {
  if (frames.length > 0 || framing !== undefined) return true;
  if (failure !== undefined) return false;
  return response === undefined ? ended === "by-us" : isOk(response.status) && response.body === "";
}

function insteadOfStream(outcome: Outcome, { response }: Exchange): StreamOutcome {
  if (outcome.kind !== "success" && outcome.kind !== "sample") return outcome;
  const reason = `HTTP ${response?.status}: a JSON object that is not enveloped, instead of a stream: ${excerpt(response?.body ?? "")}`;
  return { kind: "malformed", reason };
}

function failed(exchange: Exchange): Extract<Outcome, { kind: "failure" }> {
  const { kind, message } = exchange.failure ?? { kind: "reset" as const, message: "no response was recorded" };
  return { kind: "failure", failure: kind, message };
}

/** The object in a frame, or a description of what is there instead. */
function readMessage(endpoint: Endpoint, { data, invalidUtf8 }: StreamFrame): JsonObject | string {
  if (invalidUtf8) return "is not UTF-8";
  const { parsed } = sharedBody(endpoint, data);
  if ("error" in parsed) return notJson(data, parsed.error);
  return isJsonObject(parsed.value) ? parsed.value : `is not a JSON object: ${excerpt(data)}`;
}

/** The end of a stream: an object whose member `error`, if any, has a string `code`; `message` is optional. */
function readEnd(endpoint: Endpoint, frame: StreamFrame): JsonObject | string {
  const end = readMessage(endpoint, frame);
  if (typeof end === "string" || end.error === undefined) return end;
  const readable = isJsonObject(end.error) && connectError({ message: "", ...end.error }) !== undefined;
  return readable ? end : `has an error without a string code: ${excerpt(frame.data)}`;
}

/** The object as a Connect error, if it has that shape (E2). */
function connectError(body: JsonObject): ConnectError | undefined {
  const { code, message } = body;
  return typeof code === "string" && typeof message === "string"
    ? { code: inWireForm(code), message, body }
    : undefined;
}

/** Says that a text is not JSON; includes the parser's message when it looks like JSON. */
function notJson(text: string, fault: string): string {
  return `is not JSON${/^\s*[{[]/.test(text) ? ` (${fault})` : ""}: ${excerpt(text)}`;
}

const excerptLength = 80;

function excerpt(text: string): string {
  return JSON.stringify(text.length <= excerptLength ? text : `${text.slice(0, excerptLength)}…`);
}
