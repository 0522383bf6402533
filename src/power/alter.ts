/** Alters recorded exchanges to what a faulty server would have sent. */
import { isMessage } from "../connect/envelope.js";
import { type Exchange, headerValues, type StreamFrame } from "../connect/exchange.js";
import { type JsonObject, stringify } from "../connect/json.js";
import type { AnswerView } from "./answer-view.js";
import { haveSameElements } from "./fields.js";
import { changeEach, type Resource, type RowChange } from "./places.js";

/** A unary exchange with its body replaced by a text. */
export function withText(exchange: Exchange, body: string, status = exchange.response?.status ?? 200): Exchange {
  const response = exchange.response ?? { status, headers: [["content-type", "application/json"]], body, bytes: 0 };
  return { ...exchange, response: { ...response, status, body, bytes: Buffer.byteLength(body) } };
}

/** The exchange with its body replaced by another success or error object. */
export function withBody(exchange: Exchange, body: JsonObject, status?: number): Exchange {
  return withText(exchange, textOf(body), status);
}

/** HTTP status of the errors that faults answer with, by Connect's mapping. */
const statusOf: Readonly<Record<string, number>> = { invalid_argument: 400, not_found: 404, internal: 500 };

/** The exchange with its answer replaced by a Connect error. A stream becomes one that never opened. */
export function withError({ frames: _, ended: __, framing: ___, ...exchange }: Exchange, code: string): Exchange {
  const headers = (exchange.response?.headers ?? []).map(([name, value]): [string, string] => [
    name,
    /^content-type$/i.test(name) ? "application/json" : value,
  ]);
  const body = textOf({ code, message: "refused" });
  const response = { ...exchange.response, status: statusOf[code] ?? 500, headers, body, bytes: body.length };
  return { ...exchange, response };
}

/** The exchange with the content type of its response replaced or removed; undefined when there is none. */
export function withContentType(exchange: Exchange, value: string | undefined): Exchange | undefined {
  const { response } = exchange;
  if (!response || headerValues(response.headers, "content-type").length === 0) return undefined;
  const headers = response.headers.flatMap((line): (readonly [string, string])[] =>
    line[0].toLowerCase() !== "content-type" ? [line] : value === undefined ? [] : [[line[0], value]],
  );
  return { ...exchange, response: { ...response, headers } };
}

/** The exchange with its frames changed; undefined when it is no stream or nothing changes. */
export function withFrames(
  exchange: Exchange,
  change: (frames: readonly StreamFrame[]) => readonly StreamFrame[],
): Exchange | undefined {
  if (!exchange.frames) return undefined;
  const frames = change(exchange.frames);
  return haveSameElements(exchange.frames, frames) ? undefined : { ...exchange, frames };
}

/** The exchange with each successful body changed: the only one, or each stream message. Undefined when nothing changes. */
export function withBodies(
  { exchange, answer }: AnswerView,
  change: (body: JsonObject, message: number) => JsonObject,
): Exchange | undefined {
  if (answer.kind === "success") {
    const body = change(answer.body, 0);
    return body === answer.body ? undefined : withBody(exchange, body);
  }
  if (answer.kind !== "stream") return undefined;
  let message = 0;
  let changed = false;
  const frames = (exchange.frames ?? []).map((frame) => {
    if (!isMessage(frame)) return frame;
    const index = message++;
    const before = answer.messages[index];
    const after = before && change(before, index);
    if (after === before || after === undefined) return frame;
    changed = true;
    return { ...frame, data: textOf(after) };
  });
  return changed ? { ...exchange, frames } : undefined;
}

/** The exchange with each row of a resource changed; undefined when nothing changes. */
export function withEach(
  view: AnswerView,
  resource: Resource,
  change: (row: JsonObject, message: number) => ReturnType<RowChange>,
): Exchange | undefined {
  return withBodies(view, (body, message) => changeEach(view.endpoint, resource, body, (row) => change(row, message)));
}

/** Falls back to our own writer, which is slower, for integers beyond 2^53. */
function textOf(body: JsonObject): string {
  try {
    return JSON.stringify(body);
  } catch {
    return stringify(body);
  }
}
