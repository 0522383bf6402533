import type { Endpoint } from "../specification/endpoints.js";
import { compressedFlag, endStreamFlag } from "./envelope.js";
import { type Exchange, headerValues, type StreamFrame } from "./exchange.js";
import { isJsonObject, type JsonObject } from "./json.js";
import { type KnownBody, knownBody } from "./known-bodies.js";
import type { ConnectError, Outcome, StreamMessage, StreamOutcome, StreamProblem } from "./outcome.js";

/**
 * Reads a unary exchange as Connect (E2): an error when the body has the shape of one, whatever the status; a success
 * when the status is 2xx and the body another JSON object, or a sample of one. Media types are not looked at, rules judge
 * them (W9).
 */
export function interpret(exchange: Exchange): Outcome {
  return interpreted(exchange, outcomes, read);
}

function read(exchange: Exchange): Outcome {
  const { response, failure } = exchange;
  if (failure !== undefined || response === undefined) return failed(exchange);
  const malformed = (reason: string): Outcome => ({ kind: "malformed", reason: `HTTP ${response.status}: ${reason}` });

  const location =
    response.status >= 300 && response.status < 400 ? headerValues(response.headers, "location")[0] : undefined;
  if (location !== undefined) return malformed(`a redirect to ${location}, which is not followed`);
  if (response.body === "") return malformed("the body is empty");
  if (response.invalidUtf8) return malformed("the body is not UTF-8");

  const known = knownBody(exchange.request.endpoint, response.body);
  const { parsed } = known;
  if ("error" in parsed) return malformed(`the body ${notJson(response.body, parsed.error)}`);
  const { value } = parsed;
  if (!isJsonObject(value)) return malformed(`the body is JSON but not an object: ${excerpt(response.body)}`);
  const error = connectError(value);
  if (error !== undefined) return { kind: "error", ...error };
  if (isSuccess(response.status)) {
    const { bytes, samples } = response;
    // Read when it is asked for: what is read takes many times the memory of the text.
    return samples === undefined
      ? {
          kind: "success",
          get body() {
            return objectIn(known);
          },
        }
      : {
          kind: "sample",
          get body() {
            return objectIn(known);
          },
          bytes,
          samples,
        };
  }
  return malformed(
    `the body is no Connect error, which has a string code and a string message: ${excerpt(response.body)}`,
  );
}

/** The JSON object that a body is known to be. */
function objectIn({ parsed }: KnownBody): JsonObject {
  return ("value" in parsed ? parsed.value : {}) as JsonObject;
}

/**
 * Reads an exchange of the server stream (§4.2) as Connect: its messages, how it ended, and the first problem; or, when
 * no stream was opened, the error, the other content or the failure that came instead.
 */
export function interpretStream(exchange: Exchange): StreamOutcome {
  return interpreted(exchange, streams, readStream);
}

function readStream(exchange: Exchange): StreamOutcome {
  const { frames = [] } = exchange;
  if (!isStream(exchange)) return insteadOfStream(interpret(exchange), exchange);

  const messages: StreamMessage[] = [];
  const problems: StreamProblem[] = [];
  let endAt: number | undefined;
  let endError: ConnectError | undefined;
  for (const [index, frame] of frames.entries()) {
    const last = (frame.flags & endStreamFlag) !== 0;
    if (last) endAt = frame.at;
    if ((frame.flags & compressedFlag) !== 0) {
      problems.push({
        kind: "compressed",
        frame: index,
        message: `frame ${index} is compressed, which was not offered`,
      });
      continue;
    }
    const { endpoint } = exchange.request;
    const read = last ? readEnd(endpoint, frame) : readMessage(endpoint, frame);
    if (typeof read === "string") {
      const what = last ? "the end-of-stream frame" : `the message in frame ${index}`;
      problems.push({ kind: "unreadable", frame: index, message: `${what} ${read}` });
    } else if (!last) {
      const { at, lagMs } = frame;
      messages.push({ at, ...(lagMs === undefined ? {} : { lagMs }), body: read, frame: index });
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
    ...(endAt === undefined ? {} : { endAt }),
    ...(endError === undefined ? {} : { endError }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Recorded exchanges are judged many times, and read once: what was read dies with the exchange. */
const outcomes = new WeakMap<Exchange, Outcome>();
const streams = new WeakMap<Exchange, StreamOutcome>();

function interpreted<Read>(
  exchange: Exchange,
  known: WeakMap<Exchange, Read>,
  read: (exchange: Exchange) => Read,
): Read {
  const before = known.get(exchange);
  if (before !== undefined) return before;
  const now = read(exchange);
  known.set(exchange, now);
  return now;
}

/** A stream was opened when envelopes came, when nothing but the headers of a success did, or when we left a silence. */
function isStream({ frames = [], framing, failure, response, ended }: Exchange): boolean {
  if (frames.length > 0 || framing !== undefined) return true;
  if (failure !== undefined) return false;
  return response === undefined ? ended === "by-us" : isSuccess(response.status) && response.body === "";
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

/** The object in a frame, or what it is instead. */
function readMessage(endpoint: Endpoint, { data, invalidUtf8 }: StreamFrame): JsonObject | string {
  if (invalidUtf8) return "is not UTF-8";
  const { parsed } = knownBody(endpoint, data);
  if ("error" in parsed) return notJson(data, parsed.error);
  return isJsonObject(parsed.value) ? parsed.value : `is not a JSON object: ${excerpt(data)}`;
}

/** The end of a stream: an object whose member `error`, if any, has a string `code`; its `message` may be left out. */
function readEnd(endpoint: Endpoint, frame: StreamFrame): JsonObject | string {
  const end = readMessage(endpoint, frame);
  if (typeof end === "string" || end.error === undefined) return end;
  const readable = isJsonObject(end.error) && connectError({ message: "", ...end.error }) !== undefined;
  return readable ? end : `has an error without a string code: ${excerpt(frame.data)}`;
}

/** The Connect error that an object is, if it has the shape (E2). */
function connectError(body: JsonObject): ConnectError | undefined {
  const { code, message } = body;
  return typeof code === "string" && typeof message === "string" ? { code, message, body } : undefined;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What is wrong with a text; the fault that the parser found, where it looks like JSON. */
function notJson(text: string, fault: string): string {
  return `is not JSON${/^\s*[{[]/.test(text) ? ` (${fault})` : ""}: ${excerpt(text)}`;
}

const excerptLength = 80;

function excerpt(text: string): string {
  return JSON.stringify(text.length <= excerptLength ? text : `${text.slice(0, excerptLength)}…`);
}
