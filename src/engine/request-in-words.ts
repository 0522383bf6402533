import { headerValues, mediaType, type WireRequest } from "../connect/exchange.js";
import { isJsonObject, type JsonObject, parseJson } from "../connect/json.js";
import { shortJson } from "../judge/short-json.js";
import { type Endpoint, endpointNames, endpoints } from "../specification/endpoints.js";

/** A longer body is shortened. */
const SHOWN_WHOLE = 1_000;

/**
 * A request as reports show it: the operation, the body as it was sent, and what of method and headers is out of the ordinary:
 * `GetOrders {"address":"0xabc"}`. A long body is shortened within its values, and marked.
 */
export function requestInWords(request: WireRequest): string {
  const { endpoint, method, body } = request;
  const unusual = [...(method === "POST" ? [] : [`method ${method}`]), ...unusualHeaders(request)];
  const words = `${endpoint} ${body === "" ? "with an empty body" : bodyShown(body)}`;
  return unusual.length === 0 ? words : `${words}, ${unusual.join(", ")}`;
}

/** What a request in words asks for. Undefined where the words do not tell all of it, or no plain request is meant. */
export function requestFromWords(
  words: string,
):
  | { readonly endpoint: Endpoint; readonly body: JsonObject; readonly headers: Record<string, string | null> }
  | undefined {
  const [, name, rest = ""] = /^(\w+) (\{.*)$/s.exec(words) ?? [];
  const endpoint = endpointNames.find((each) => each === name);
  const end = rest.lastIndexOf("}") + 1;
  const parsed = parseJson(rest.slice(0, end));
  if (endpoint === undefined || !("value" in parsed) || !isJsonObject(parsed.value)) return undefined;
  const headers: Record<string, string | null> = {};
  for (const told of rest
    .slice(end)
    .split(", ")
    .filter((text) => text !== "")) {
    const [, without, header, value] =
      /^(?:without (Connect-Protocol-Version)|(Connect-Timeout-Ms): (\d+))$/.exec(told) ?? [];
    if (without !== undefined) headers[without] = null;
    else if (header !== undefined && value !== undefined) headers[header] = value;
    else return undefined;
  }
  return { endpoint, body: parsed.value, headers };
}

function bodyShown(body: string): string {
  if (body.length <= SHOWN_WHOLE) return body;
  const parsed = parseJson(body);
  const text = "value" in parsed ? shortJson(parsed.value, SHOWN_WHOLE) : `${body.slice(0, SHOWN_WHOLE)}…`;
  return `${text} (shortened: ${body.length} characters were sent)`;
}

/** The headers of Connect that differ from those of an ordinary request (§4). */
function unusualHeaders({ endpoint, headers }: WireRequest): string[] {
  const ordinaryType = endpoints[endpoint].kind === "stream" ? "application/connect+json" : "application/json";
  const version = headerValues(headers, "Connect-Protocol-Version");
  const type = headerValues(headers, "Content-Type");
  return [
    ...(mediaType(headers) === ordinaryType && type[0] === ordinaryType ? [] : told("Content-Type", type)),
    ...(version.join() === "1" ? [] : told("Connect-Protocol-Version", version)),
    ...headerValues(headers, "Connect-Timeout-Ms").map((value) => `Connect-Timeout-Ms: ${value}`),
  ];
}

function told(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [`without ${name}`] : values.map((value) => `${name}: ${value}`);
}
