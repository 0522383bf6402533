import { isJsonObject, type JsonObject } from "../connect/json.js";
import { marketIdOf } from "../judge/read.js";
import { type Endpoint, unaryEndpointNames } from "../specification/endpoints.js";
import type { Inquiry, Reply } from "./inquiry.js";
import { describeReply } from "./operations.js";
import { documentedErrors, simpleRequest } from "./requests.js";
import type { Subjects } from "./subjects.js";
import { chooseUnknown } from "./unknown.js";

/** What answers at the base URL is not this API, as far as anyone can tell. */
class NotThisApi extends Error {
  override readonly name = "NotThisApi";

  /** @param mayBeStarting a gateway answers, or something that is too busy: the server itself may come up */
  constructor(
    message: string,
    readonly mayBeStarting: boolean,
  ) {
    super(message);
  }
}

/** A reply, and the operation that gave it. */
interface Answered {
  readonly endpoint: Endpoint;
  readonly reply: Reply;
}

/** What a proxy answers with when the server behind it is not there, or not ready. */
const mayBeStarting: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

/**
 * Gives up on a server on which nothing is this API. Unless the first answers show that it is, each other operation is
 * asked once: for something that it must refuse with `invalid_argument` where the text documents that, since any server may
 * answer `not_found` or `unimplemented` on any path.
 *
 * @param first answers of the listings
 * @param where the base URL, for the message
 * @throws NotThisApi
 */
export async function recognize(
  inquiry: Inquiry,
  first: readonly Answered[],
  { seed, where = "the base URL" }: { readonly seed: number; readonly where?: string | undefined },
): Promise<void> {
  if (first.some(showsApi)) return;
  const isBusy = first.every(({ reply }) => reply.throttled);
  const answers = isBusy ? first : [...first, ...(await askOthers(inquiry, first, seed))];
  if (answers.some(showsApi)) return;
  const starting = answers.every(({ reply }) => mayBeStarting.has(reply.status));
  const wait = starting ? " If it is still starting, give --wait SECONDS" : "";
  throw new NotThisApi(
    `nothing at ${where} is this API: ${inShort(answers)}; are the base URL and its path prefix right?${wait}`,
    starting,
  );
}

function askOthers(inquiry: Inquiry, first: readonly Answered[], seed: number): Promise<readonly Answered[]> {
  const none = { marketIds: new Set<string>(), wallets: new Set<string>(), symbols: new Set<string>() };
  const nobody: Subjects = {
    markets: [],
    orphanMarkets: [],
    otherMarkets: [],
    wallets: [],
    positions: [],
    orderStatuses: [],
    reduceOrderTypes: [],
    totals: {},
    unknown: chooseUnknown(seed, none),
    problems: [],
    broken: [],
    hints: {},
    requests: 0,
  };
  const others = unaryEndpointNames.filter((name) => !first.some(({ endpoint }) => endpoint === name));
  return Promise.all(
    others.map(async (endpoint) => {
      const request = documentedErrors(endpoint, nobody)[0]?.request ?? simpleRequest(endpoint, nobody);
      return { endpoint, reply: await inquiry.probe(endpoint, request) };
    }),
  );
}

/**
 * Whether an answer shows that the operation is there: a success with what the operation is documented to return (an absent
 * list may be an empty one, so `{}` shows nothing), or a refusal that only it can have made.
 */
function showsApi({ endpoint, reply: { outcome } }: Answered): boolean {
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

/** What came back, the most frequent answer first. */
function inShort(answers: readonly Answered[]): string {
  const groups = new Map<string, Set<Endpoint>>();
  for (const { endpoint, reply } of answers) {
    const text = describeReply(reply);
    groups.set(text, (groups.get(text) ?? new Set()).add(endpoint));
  }
  const [[text, same] = ["", new Set()], ...others] = [...groups].sort(([, a], [, b]) => b.size - a.size);
  const [name] = same;
  const more = same.size === 1 ? "" : ` and ${same.size - 1} other operation${same.size === 2 ? "" : "s"}`;
  const [other] = others;
  return `${name}${more} answered ${text}${other ? `, ${[...other[1]].join(", ")} ${other[0]}` : ""}`;
}
