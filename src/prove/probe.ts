import type { Exchange } from "../connect/exchange.js";
import { buildRequest } from "../connect/requests.js";
import type { Target } from "../connect/target.js";
import type { Transport } from "../connect/transport.js";
import { type Endpoint, endpointNames, isStream } from "../specification/endpoints.js";
import {
  documentedErrors,
  selectingRequest,
  simpleRequest,
  simpleRequestBySymbols,
  unknownRequest,
} from "../subjects/requests.js";
import type { Subjects } from "../subjects/subjects.js";

/** Each operation's answers to a fixed set of requests, as comparable texts. */
export type ProbeAnswers = ReadonlyMap<Endpoint, readonly string[]>;

/** What is read of a stream: its first message comes at once, unless other trials keep the machine busy. */
export const firstMessage = { messages: 1, ms: 10_000 } as const;

/**
 * Sends each operation a few requests of every kind, and records status, headers and body without what changes over time.
 *
 * @param since times at or after this (milliseconds since 1970) are the server's "now" and left out
 */
export async function probe(
  transport: Transport,
  target: Target,
  subjects: Subjects,
  since: number,
): Promise<ProbeAnswers> {
  const probed = endpointNames.map(async (endpoint): Promise<[Endpoint, string[]]> => {
    const requests = [
      simpleRequest(endpoint, subjects),
      selectingRequest(endpoint, subjects),
      simpleRequestBySymbols(endpoint, subjects),
      unknownRequest(endpoint, subjects),
      ...documentedErrors(endpoint, subjects).map(({ request }) => request),
    ].filter((request) => request !== undefined);
    const answers = requests.map(async (body, index) => {
      const request = buildRequest(target, endpoint, body, { check: "probe" });
      const id = `probe ${endpoint}#${index}`;
      return isStream(endpoint)
        ? transport.stream(request, { id, until: firstMessage })
        : transport.unary(request, { id });
    });
    return [endpoint, (await Promise.all(answers)).map((exchange) => textOf(exchange, since))];
  });
  return new Map(await Promise.all(probed));
}

/** The operations whose answers differ between two probes. */
export function differingOperations(a: ProbeAnswers, b: ProbeAnswers): Set<Endpoint> {
  return new Set(endpointNames.filter((endpoint) => a.get(endpoint)?.join("\n") !== b.get(endpoint)?.join("\n")));
}

/** Headers that depend on the connection and time rather than on the answer. */
const ofConnection = /^(date|content-length|connection|keep-alive|transfer-encoding):/i;

/** Whether two answers are equal apart from what changes over time; `since` as for {@link probe}. */
export function sameResponse(a: Exchange, b: Exchange, since: number): boolean {
  if (headOf(a) !== headOf(b)) return false;
  const [first = "", second = ""] = [a.response?.body, b.response?.body];
  return first === second || withoutRecentTimes(first, since) === withoutRecentTimes(second, since);
}

/** Whether two streams begin with the same message; `since` as for {@link probe}. */
export function sameBeginning(a: Exchange, b: Exchange, since: number): boolean {
  return textOf(a, since) === textOf(b, since);
}

function textOf(exchange: Exchange, since: number): string {
  const { response, frames = [] } = exchange;
  const content = [
    response?.body ?? "",
    ...frames.slice(0, firstMessage.messages).map(({ flags, data }) => `${flags} ${data}`),
  ];
  return [headOf(exchange), ...content.map((text) => withoutRecentTimes(text, since))].join("\n");
}

/** Status, headers and failure of an answer. */
function headOf({ response, failure }: Exchange): string {
  const headers = (response?.headers ?? [])
    .map(([name, value]) => `${name}: ${value}`)
    .filter((line) => !ofConnection.test(line));
  return [response?.status ?? "", failure?.kind ?? "", ...headers].join("\n");
}

function withoutRecentTimes(text: string, since: number): string {
  return text.replace(/"\d{4}-\d\d-\d\dT[^"]+"/g, (time) => (Date.parse(time.slice(1, -1)) >= since ? '"now"' : time));
}
