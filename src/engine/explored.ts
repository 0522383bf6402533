/** Explores an operation: sends requests that combine its fields. Each exploration is made once and judged by many rules. */
import { type JsonObjectInput, stringify } from "../connect/json.js";
import type { Interactions } from "../exploration/covering-array.js";
import { type ExploredRequest, type Plan, planFor } from "../exploration/plan.js";
import { type PlannedRequest, plannedRequestKey } from "../exploration/planned-request.js";
import { longIntervalMs } from "../exploration/request-models.js";
import type { ShownBody } from "../judge/located-rows.js";
import { parseRequest } from "../judge/parsed-request.js";
import { type Endpoint, isStream } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { type MissingData, missingFrom, needed } from "../subjects/hints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf, AnswerTo } from "./answer.js";
import type { CheckContext, ReadContext } from "./context.js";
import { requestFromWords } from "./request-in-words.js";

/** An answer together with its planned request, including any unusual headers. */
export interface PlannedAnswer {
  readonly planned: PlannedRequest;
  readonly answer: AnswerOf<ShownBody>;
}

/** One answer of an exploration. */
export interface ExploredAnswer<Of extends AnswerOf<ShownBody> = AnswerOf<ShownBody>> extends PlannedAnswer {
  readonly planned: ExploredRequest;
  readonly answer: Of;
}

/** The result of exploring an operation. */
export interface ExploredOperation<Of extends AnswerOf<ShownBody> = AnswerOf<ShownBody>> {
  readonly exchanges: readonly ExploredAnswer<Of>[];
  readonly interactions: Interactions;
  /** The answers by request (see {@link plannedRequestKey}). */
  readonly answers: ReadonlyMap<string, AnswerOf<ShownBody>>;
}

/**
 * How long a stream is watched, and how many messages are enough: fewer where each class of a field is only tried once, but over
 * more time than replicas are apart (P3).
 */
const watched = { messages: 20, ms: 4_000 } as const;
const watchedBriefly = { messages: 14, ms: 3_000 } as const;

/** Explores an operation, once per worker for all checks. Without a subject for the operation the check is inconclusive. */
export async function explored<Name extends Endpoint>(
  context: CheckContext,
  endpoint: Name,
): Promise<ExploredOperation<AnswerTo<Name>>> {
  const { required, sharedRead } = context;
  const { requests: drawn, interactions, changes, afterRefusals } = planned(endpoint, context);
  required(drawn[0], needed[endpoint]);
  const requests = [...knownRequests(endpoint, context), ...drawn];
  return sharedRead(`the combinations of fields of ${endpoint}`, async (reader) => {
    const make = async (request: ExploredRequest, after?: AnswerOf<unknown>) => ({
      planned: request,
      answer: await askPlanned(reader, endpoint, request, { after }),
    });
    const exchanges = await Promise.all(requests.map((request) => make(request)));
    let before: AnswerOf<unknown> | undefined;
    for (const request of changes) {
      const changed = await make(request, request.after && before);
      before = changed.answer;
      exchanges.push(changed);
    }
    for (const request of afterRefusals) {
      exchanges.push({ planned: request, answer: await askInTurn(reader, endpoint, request) });
    }
    // If several requests turned out identical, the first one counts.
    const answers = new Map(
      [...exchanges].reverse().map(({ planned: request, answer }) => [plannedRequestKey(request), answer]),
    );
    return { exchanges, interactions, answers };
  });
}

/** The `alsoAsk` requests for this operation, without invalid ones: refusals have rules of their own. */
function knownRequests(endpoint: Endpoint, { alsoAsk, subjects }: CheckContext): readonly ExploredRequest[] {
  return alsoAsk.flatMap((words): ExploredRequest[] => {
    const request = requestFromWords(words);
    if (request?.endpoint !== endpoint || !parseRequest(endpoint, stringify(request.body), subjects)) return [];
    const { endpoint: _, ...planned } = request;
    return [{ row: {}, showsKnownDeviation: true, ...planned }];
  });
}

/** Just the answers of an operation's exploration. */
export async function exploredAnswers<Name extends Endpoint>(
  context: CheckContext,
  endpoint: Name,
): Promise<readonly AnswerTo<Name>[]> {
  return (await explored(context, endpoint)).exchanges.map(({ answer }) => answer);
}

/** How to send a planned request. */
interface AskOptions {
  /** The answer to the request that must come right before it. */
  readonly after?: AnswerOf<unknown> | undefined;
  /** Maximum number of stream messages to read. */
  readonly messages?: number | undefined;
}

/** Sends a planned request, right after its preceding request if it has one. */
export async function askInTurn<Name extends Endpoint>(
  reader: ReadContext,
  endpoint: Name,
  request: PlannedRequest,
  asking: Pick<AskOptions, "messages"> = {},
): Promise<AnswerTo<Name>> {
  const after = request.after && (await askPlanned(reader, endpoint, request.after));
  return askPlanned(reader, endpoint, request, { ...asking, after });
}

/** Sends a planned request; of a stream, reads only a few messages. */
export function askPlanned<Name extends Endpoint>(
  { ask, listen, strength }: ReadContext,
  endpoint: Name,
  { body, headers, notation }: PlannedRequest,
  { after, messages }: AskOptions = {},
): Promise<AnswerTo<Name>> {
  const until = { ...(strength === 1 ? watchedBriefly : watched), ...(isLong(body) && { messages: 1 }) };
  const answer = isStream(endpoint)
    ? listen(body, { ...until, messages: messages ?? until.messages }, { headers, notation })
    : ask(endpoint, body, { headers, notation, after: after?.exchange.request });
  return answer as Promise<AnswerTo<Name>>;
}

/** The answer to a request: taken from the exploration if it was explored, else requested once for all checks. */
export async function askOnce(
  { answers }: ExploredOperation,
  { endpoint, sharedRead }: CheckContext,
  request: PlannedRequest,
): Promise<AnswerOf<ShownBody>> {
  const key = plannedRequestKey(request);
  const same = answers.get(key);
  if (same) return same;
  return sharedRead(`${endpoint} ${key}`, (reader) => askInTurn(reader, endpoint, request));
}

/** Whether the second message of a stream would take long. */
function isLong({ updateIntervalMs }: JsonObjectInput): boolean {
  return typeof updateIntervalMs === "number" && updateIntervalMs >= longIntervalMs;
}

/** Plans are made once for all checks: covering arrays of many fields take a while to compute. */
const plans = new WeakMap<Subjects, Map<string, Plan>>();

function planned(
  endpoint: Endpoint,
  { subjects, strength, runSeed: seed }: Pick<CheckContext, "subjects" | "strength" | "runSeed">,
): Plan {
  const known = getOrInsert(plans, subjects, () => new Map<string, Plan>());
  return getOrInsert(known, `${endpoint} ${strength} ${seed}`, () => planFor(endpoint, { subjects, strength, seed }));
}

/** The operations whose answers provide values for an operation's request fields: ticks, symbols, wallets. */
const filledBy: Partial<Record<Endpoint, readonly Endpoint[]>> = {
  GetOrderBook: ["GetMarketConfigs", "GetMarketIdByName"],
  GetHistoricalPrices: ["GetMarketConfigs"],
  GetMarketConfigs: ["GetMarketIdByName"],
  GetMarketIdByName: ["GetMarketConfigs"],
  GetOrders: ["GetAllOrders", "GetMarketIdByName"],
};

/**
 * Why the exploration of the check's operation has no answer of this kind: an operation that provides request values does not
 * work, or there is no such data.
 */
export function unexplored({ endpoint, subjects }: CheckContext, kind: string): MissingData {
  return missingFrom(subjects, `needs an answer from ${endpoint} ${kind}`, filledBy[endpoint] ?? []);
}
