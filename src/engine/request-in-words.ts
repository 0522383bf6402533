import { type HttpRequest, headerValues, mediaType } from "../connect/exchange.js";
import { type JsonNotation, type JsonObject, jsonNotations, parseJson, parseJsonObject } from "../connect/json.js";
import { shortJson } from "../judge/short-json.js";
import { type Endpoint, endpointNames, isStream } from "../specification/endpoints.js";

/** Bodies longer than this many characters are shortened. */
const shownWhole = 1_000;

/**
 * Describes a request for reports: the operation, the body as sent, and any unusual method or headers: `GetOrders
 * {"address":"0xabc"}`. A long body is shortened within its values and marked as such.
 */
export function requestInWords(request: HttpRequest): string {
  const { endpoint, method } = request;
  const { body, notation } = readable(request.body);
  const unusual = [
    ...(method === "POST" ? [] : [`method ${method}`]),
    ...(notation === undefined ? [] : [inNotation(notation)]),
    ...unusualHeaders(request),
  ];
  const words = `${endpoint} ${body === "" ? "with an empty body" : bodyShown(body)}`;
  return unusual.length === 0 ? words : `${words}, ${unusual.join(", ")}`;
}

/** Marks a body that is shown in another notation than it was sent in. */
const inNotation = (notation: JsonNotation) => `its JSON ${notation}`;

/** A body on one line without superfluous escapes, and the notation it was sent in, if different. */
function readable(body: string): { readonly body: string; readonly notation?: JsonNotation } {
  if (!/\n|\\u/.test(body) || !("value" in parseJson(body))) return { body };
  if (body.includes("\n")) return { body: body.replace(/\s*\n\s*/g, ""), notation: "over several lines" };
  // Every escape is taken as a whole: an escaped backslash before "u0041" is no escape of "A".
  const unescaped = body.replace(/\\(?:u([0-9a-f]{4})|.)/gi, (whole, code) =>
    code === undefined ? whole : JSON.stringify(String.fromCharCode(Number.parseInt(code, 16))).slice(1, -1),
  );
  return unescaped === body ? { body } : { body: unescaped, notation: "with escapes" };
}

/** Parses a request in words. Undefined if the words do not describe it completely, or it is not a plain request. */
export function requestFromWords(words: string):
  | {
      readonly endpoint: Endpoint;
      readonly body: JsonObject;
      readonly notation?: JsonNotation;
      readonly headers: Record<string, string | null>;
    }
  | undefined {
  const [, name, rest = ""] = /^(\w+) (\{.*)$/s.exec(words) ?? [];
  const endpoint = endpointNames.find((each) => each === name);
  const end = rest.lastIndexOf("}") + 1;
  const shown = rest.slice(0, end);
  const body = parseJsonObject(shown);
  if (endpoint === undefined || body === undefined) return undefined;
  const headers: Record<string, string | null> = {};
  let notation: JsonNotation | undefined = /^\{"[^"]*": /.test(shown) ? "with blanks" : undefined;
  for (const addition of rest
    .slice(end)
    .split(", ")
    .filter((text) => text !== "")) {
    const other = jsonNotations.find((each) => addition === inNotation(each));
    const [, without, header, value] =
      /^(?:without (Connect-Protocol-Version)|(Connect-Timeout-Ms): (\d+))$/.exec(addition) ?? [];
    if (other !== undefined) notation = other;
    else if (without !== undefined) headers[without] = null;
    else if (header !== undefined && value !== undefined) headers[header] = value;
    else return undefined;
  }
  return { endpoint, body, headers, ...(notation && { notation }) };
}

function bodyShown(body: string): string {
  if (body.length <= shownWhole) return body;
  const parsed = parseJson(body);
  const text = "value" in parsed ? shortJson(parsed.value, shownWhole) : `${body.slice(0, shownWhole)}…`;
  return `${text} (shortened: ${body.length} characters were sent)`;
}

/** The Connect headers that differ from those of an ordinary request (§4). */
function unusualHeaders({ endpoint, headers }: HttpRequest): string[] {
  const ordinaryType = isStream(endpoint) ? "application/connect+json" : "application/json";
  const version = headerValues(headers, "Connect-Protocol-Version");
  const type = headerValues(headers, "Content-Type");
  return [
    ...(mediaType(headers) === ordinaryType && type[0] === ordinaryType ? [] : headerInWords("Content-Type", type)),
    ...(version.join() === "1" ? [] : headerInWords("Connect-Protocol-Version", version)),
    ...headerValues(headers, "Connect-Timeout-Ms").map((value) => `Connect-Timeout-Ms: ${value}`),
  ];
}

function headerInWords(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [`without ${name}`] : values.map((value) => `${name}: ${value}`);
}
