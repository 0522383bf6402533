import { isJsonObject, type JsonObject } from "../connect/json.js";
import { marketIdOf } from "../judge/read.js";
import { type Endpoint, pagedEndpoints, unaryEndpointNames } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { replyInWords } from "./broken-operations.js";
import { type DiscoveryClient, type DiscoveryReply, noSuccessInWords } from "./discovery-client.js";
import type { DiscoveryOptions } from "./discovery-options.js";
import { documentedErrors, simpleRequest } from "./requests.js";
import { noSubjects } from "./subjects.js";
import { chooseUnknown } from "./unknown.js";

/** Nothing answers at the target's address, so there is nothing to test. */
export class TargetUnreachable extends Error {
  override readonly name = "TargetUnreachable";
}

/** The target refuses every request for lack of (valid) credentials: nothing can be tested (§5). */
export class AccessDenied extends Error {
  override readonly name = "AccessDenied";
}

/**
 * Gives up if the replies to the first requests show that more requests would be pointless.
 *
 * @throws TargetUnreachable when no request was answered.
 * @throws AccessDenied when every request was refused for its credentials.
 */
export function rejectHopeless(replies: readonly DiscoveryReply[]): void {
  const [first] = replies;
  if (!first) return;
  const every = (test: (reply: DiscoveryReply) => boolean) => replies.every(test);
  if (first.outcome.kind === "failure" && every(isSilent)) throw new TargetUnreachable(first.outcome.message);
  if (first.outcome.kind !== "success" && every(isDenied)) {
    throw new AccessDenied(`the target denies access to every operation: ${noSuccessInWords(first.outcome)}`);
  }
}

/** No response at all: no connection, or one that hangs or breaks before the first line of a response. */
function isSilent({ outcome, status }: DiscoveryReply): boolean {
  if (outcome.kind !== "failure" || status !== undefined) return false;
  return ["unreachable", "timeout", "reset"].includes(outcome.failure);
}

function isDenied({ outcome, status }: DiscoveryReply): boolean {
  if (outcome.kind === "error" && (outcome.code === "unauthenticated" || outcome.code === "permission_denied"))
    return true;
  return outcome.kind !== "success" && (status === 401 || status === 403);
}

/** Nothing shows that the server at the base URL is this API. */
class NotThisApi extends Error {
  override readonly name = "NotThisApi";

  /** @param mayBeStarting true if only a gateway answers or the server is too busy, so that it may still come up */
  constructor(
    message: string,
    readonly mayBeStarting: boolean,
  ) {
    super(message);
  }
}

/** A reply and the operation that gave it. */
interface EndpointReply {
  readonly endpoint: Endpoint;
  readonly reply: DiscoveryReply;
}

/** HTTP statuses of a proxy whose server is missing or not ready. */
const mayBeStarting: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

/**
 * Gives up on a server that does not look like this API. If the answers of the listings do not show that it is, each other
 * operation is asked once. The request is one that must be refused with `invalid_argument`, where the text documents that,
 * since any server may answer `not_found` or `unimplemented` on any path.
 *
 * @param where the base URL, for the message
 * @throws NotThisApi
 */
export async function recognize(
  client: DiscoveryClient,
  { seed, where = "the base URL" }: Pick<DiscoveryOptions, "seed" | "where">,
): Promise<void> {
  const first = pagedEndpoints.flatMap((endpoint) =>
    client.repliesOf(endpoint).map((reply): EndpointReply => ({ endpoint, reply })),
  );
  if (first.some(showsApi)) return;
  const isBusy = first.every(({ reply }) => reply.throttled);
  const answers = isBusy ? first : [...first, ...(await askOthers(client, seed))];
  if (answers.some(showsApi)) return;
  const starting = answers.every(({ reply }) => mayBeStarting.has(reply.status));
  const wait = starting ? " If it is still starting, give --wait SECONDS" : "";
  throw new NotThisApi(
    isBusy
      ? `the server at ${where} only asks for fewer requests: ${inShort(answers)}; a lower --rate may help.${wait}`
      : `nothing at ${where} is this API: ${inShort(answers)}; are the base URL and its path prefix right?${wait}`,
    starting,
  );
}

function askOthers(client: DiscoveryClient, seed: number): Promise<readonly EndpointReply[]> {
  const none = { marketIds: new Set<string>(), wallets: new Set<string>(), symbols: new Set<string>() };
  const nobody = noSubjects(chooseUnknown(seed, none));
  const others = unaryEndpointNames.filter((name) => client.repliesOf(name).length === 0);
  return Promise.all(
    others.map(async (endpoint) => {
      const request = documentedErrors(endpoint, nobody)[0]?.request ?? simpleRequest(endpoint, nobody);
      return { endpoint, reply: await client.probe(endpoint, request) };
    }),
  );
}

/**
 * Whether an answer shows that the operation exists: a success with the documented result, or a refusal that only the
 * operation can give. `{}` shows nothing, since an absent list may be an empty one.
 */
function showsApi({ endpoint, reply: { outcome } }: EndpointReply): boolean {
  if (outcome.kind === "error") return outcome.code === "invalid_argument";
  return (outcome.kind === "success" || outcome.kind === "sample") && hasResult(endpoint, outcome.body);
}

function hasResult(endpoint: Endpoint, body: JsonObject): boolean {
  switch (endpoint) {
    case "GetAllPositions":
    case "GetAllOrders":
      return isJsonObject(body.pagination);
    case "GetOpenPositionsStreaming":
      return Array.isArray(body.positions);
    case "GetOrders":
      return Array.isArray(body.orders);
    case "GetPortfolio":
      return isJsonObject(body.portfolio);
    case "GetOrderBook":
      return isJsonObject(body.orderBook);
    case "GetHistoricalPrices":
      return Array.isArray(body.priceCandleSticks);
    case "GetMarketConfigs":
      return isJsonObject(body.marketConfig);
    case "GetMarketIdByName":
      return marketIdOf(body) !== "0";
  }
}

/** Summarizes the answers, the most frequent first. */
function inShort(answers: readonly EndpointReply[]): string {
  const groups = new Map<string, Set<Endpoint>>();
  for (const { endpoint, reply } of answers) {
    const text = replyInWords(reply);
    getOrInsert(groups, text, () => new Set()).add(endpoint);
  }
  const [[text, same] = ["", new Set()], ...others] = [...groups].sort(([, a], [, b]) => b.size - a.size);
  const [name] = same;
  const more = same.size === 1 ? "" : ` and ${same.size - 1} other operation${same.size === 2 ? "" : "s"}`;
  const [rival] = others;
  return `${name}${more} answered ${text}${rival ? `, ${[...rival[1]].join(", ")} ${rival[0]}` : ""}`;
}
