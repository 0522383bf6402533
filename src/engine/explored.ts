/** The exploration of an operation: requests that try its fields together, made once and judged by many rules. */
import { type JsonObject, type JsonObjectInput, RawJson, stringify } from "../connect/json.js";
import type { Interactions } from "../exploration/covering-array.js";
import { longIntervalMs, type PlannedRequest } from "../exploration/operations.js";
import { type Exploration, type Plan, planFor } from "../exploration/plan.js";
import { essentialFields, plainly, withoutField } from "../exploration/rewrites.js";
import { readAsked } from "../judge/asked.js";
import { isConnectAnswer } from "../judge/connect-error.js";
import { appliesTo, type Invariant } from "../judge/invariants.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/shown.js";
import type { Endpoint } from "../specification/endpoints.js";
import { type MissingData, missingData, missingFrom, needed } from "../subjects/hints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf, StreamAnswer } from "./answer.js";
import { bracketReads } from "./bracket.js";
import type { CheckContext } from "./context.js";
import { askedBy, judgeInvariant } from "./invariant-judgement.js";
import { requestFromWords } from "./request-in-words.js";
import { usable } from "./usable.js";

/** An answer, and the request as it was planned: the headers beside the usual ones with it. */
interface Made {
  readonly planned: PlannedRequest;
  readonly answer: AnswerOf<ShownBody>;
}

/** One answer of an exploration. */
export interface Explored extends Made {
  readonly planned: Exploration;
}

/** What was explored of an operation. */
export interface ExploredOperation {
  readonly exchanges: readonly Explored[];
  readonly interactions: Interactions;
  /** The answers by what was asked (see {@link keyOf}). */
  readonly answers: ReadonlyMap<string, AnswerOf<ShownBody>>;
}

/** How long a stream is watched, and how many messages of it are enough: fewer where each class of a field is only tried once. */
const watched = { messages: 20, ms: 4_000 } as const;
const watchedBriefly = { messages: 6, ms: 2_000 } as const;

/** Explores an operation: once for all checks of a worker. Without a subject for the operation the check is inconclusive. */
export async function explored(context: CheckContext, endpoint: Endpoint): Promise<ExploredOperation> {
  const { required, sharedRead, subjects } = context;
  const { requests: drawn, interactions, changes, afterRefusals } = planned(endpoint, context);
  required(drawn[0], missingData(subjects, needed[endpoint]));
  const requests = [...knownRequests(endpoint, context), ...drawn];
  // Twice as many, since a connection that breaks is tried once more.
  const most = 2 * (requests.length + changes.length + 2 * afterRefusals.length);
  return sharedRead(`the combinations of fields of ${endpoint}`, most, async (words) => {
    const make = async (request: Exploration, after?: AnswerOf<unknown>) => ({
      planned: request,
      answer: await ask(words, endpoint, request, { after }),
    });
    const exchanges = await Promise.all(requests.map((request) => make(request)));
    let plain: AnswerOf<unknown> | undefined;
    for (const request of changes) {
      const made = await make(request, request.after && plain);
      if (!request.after) plain = made.answer;
      exchanges.push(made);
    }
    for (const request of afterRefusals) {
      exchanges.push({ planned: request, answer: await askInTurn(words, endpoint, request) });
    }
    // Of requests that came out the same the first one counts.
    const answers = new Map([...exchanges].reverse().map(({ planned: made, answer }) => [keyOf(made), answer]));
    return { exchanges, interactions, answers };
  });
}

/** The documented requests by which known deviations show: what others are refused for is the business of the rules on that. */
function knownRequests(endpoint: Endpoint, { alsoAsk, subjects }: CheckContext): readonly Exploration[] {
  return alsoAsk.flatMap((words): Exploration[] => {
    const request = requestFromWords(words);
    if (request?.endpoint !== endpoint || !readAsked(endpoint, stringify(request.body), subjects)) return [];
    const { endpoint: _, ...planned } = request;
    return [{ row: {}, known: true, ...planned }];
  });
}

/** The answers of an operation's exploration. */
export async function exploredAnswers(
  context: CheckContext,
  endpoint: Endpoint,
): Promise<readonly AnswerOf<ShownBody>[]> {
  return (await explored(context, endpoint)).exchanges.map(({ answer }) => answer);
}

/** What the exploration of the stream brought. */
export async function exploredStreams(context: CheckContext): Promise<readonly StreamAnswer[]> {
  return (await exploredAnswers(context, "GetOpenPositionsStreaming")) as readonly StreamAnswer[];
}

/** How a planned request is made. */
interface Asking {
  /** The answer that it is made right after. */
  readonly after?: AnswerOf<unknown> | undefined;
  /** How many messages are read of the stream, at most. */
  readonly messages?: number | undefined;
}

/** Makes a planned request right after the one that belongs before it, where there is one. */
export async function askInTurn(
  by: Pick<CheckContext, "ask" | "listen" | "strength">,
  endpoint: Endpoint,
  request: PlannedRequest,
  asking: Pick<Asking, "messages"> = {},
): Promise<AnswerOf<ShownBody>> {
  const after = request.after && (await ask(by, endpoint, request.after));
  return ask(by, endpoint, request, { ...asking, after });
}

/** Makes a planned request; of the stream a few messages are read. */
export function ask(
  { ask, listen, strength }: Pick<CheckContext, "ask" | "listen" | "strength">,
  endpoint: Endpoint,
  { body, headers, notation }: PlannedRequest,
  { after, messages }: Asking = {},
): Promise<AnswerOf<ShownBody>> {
  const until = { ...(strength === 1 ? watchedBriefly : watched), ...(isLong(body) && { messages: 1 }) };
  return endpoint === "GetOpenPositionsStreaming"
    ? listen(body, { ...until, messages: messages ?? until.messages }, { headers, notation })
    : ask(endpoint, body, { headers, notation, after: after?.exchange.request });
}

/** The answer to a request: the explored one where there is one, or else asked once for all checks. */
export async function askOnce(
  { answers }: ExploredOperation,
  context: CheckContext,
  endpoint: Endpoint,
  request: PlannedRequest,
): Promise<AnswerOf<ShownBody>> {
  const key = keyOf(request);
  const same = answers.get(key);
  if (same) return same;
  return context.sharedRead(`${endpoint} ${key}`, 2, (words) => ask(words, endpoint, request));
}

/** Whether the second message of a stream would take long. */
function isLong({ updateIntervalMs }: JsonObjectInput): boolean {
  return typeof updateIntervalMs === "number" && updateIntervalMs >= longIntervalMs;
}

/** What tells a request from others: its body as it is written, and its headers beside the usual ones. */
export function keyOf({ body, headers, notation }: PlannedRequest): string {
  return [stringify(body, notation), ...Object.entries(headers).flat()].join(" ");
}

/** Plans are made once for all checks: arrays of many fields take a while. */
const plans = new WeakMap<Subjects, Map<string, Plan>>();

function planned(
  endpoint: Endpoint,
  { subjects, strength, runSeed: seed }: Pick<CheckContext, "subjects" | "strength" | "runSeed">,
): Plan {
  const known = plans.get(subjects) ?? new Map<string, Plan>();
  plans.set(subjects, known);
  const key = `${endpoint} ${strength} ${seed}`;
  const plan = known.get(key) ?? planFor(endpoint, { subjects, strength, seed });
  known.set(key, plan);
  return plan;
}

/** The operations that tell what the request fields of others are filled with: ticks, symbols, wallets. */
const filledBy: Partial<Record<Endpoint, readonly Endpoint[]>> = {
  GetOrderBook: ["GetMarketConfigs", "GetMarketIdByName"],
  GetHistoricalPrices: ["GetMarketConfigs"],
  GetMarketConfigs: ["GetMarketIdByName"],
  GetMarketIdByName: ["GetMarketConfigs"],
  GetOrders: ["GetAllOrders", "GetMarketIdByName"],
};

/** Why an exploration has no answer of the kind: an operation that would tell what to ask for does not work, or there is none. */
export function unexplored({ subjects }: CheckContext, endpoint: Endpoint, kind: string): MissingData {
  return missingFrom(subjects, `needs an answer of ${endpoint} ${kind}`, filledBy[endpoint] ?? []);
}

/** Requests that find the smallest request, at most. */
export const smallestRequestBudget = 10;

/** Requests that {@link holdsInEveryCombination} sends at most: a violation on data that move is read again until they stand still. */
export function invariantBudget({ answered, stable }: Invariant): number {
  return (answered ? 2 : 1) * smallestRequestBudget + 1 + (stable ? 2 * bracketReads : 0);
}

/**
 * Asserts an invariant on every answer of its operation's exploration that it applies to. A violation is asked again with
 * fewer fields, and reported with the smallest request that still shows it; the first one that showed it stands beside it.
 */
export async function holdsInEveryCombination(invariant: Invariant, context: CheckContext): Promise<void> {
  const { exchanges } = await explored(context, invariant.endpoint);
  if (invariant.answered) {
    await answersInsteadOfRefusing(invariant, exchanges, context);
  }
  const answers = usable(
    exchanges.map(({ answer }) => answer),
    invariant.ofAnyRows ? "or samples" : "whole",
  );
  const judge = (answer: AnswerOf<ShownBody>) => judgeInvariant(invariant, answer, context);
  context.required(
    answers.map(judge).find((judgement) => judgement !== undefined),
    unexplored(context, invariant.endpoint, "that the rule speaks of"),
  );
  const violating: Made[] = [];
  for (const made of exchanges.filter(({ answer }) => answers.includes(answer))) {
    const judgement = judge(made.answer);
    if (!judgement) continue;
    if (judgement.violations.length > 0) violating.push(made);
    else record(context, invariant, made.answer, judgement);
  }
  const [first] = violating;
  if (!first) return;
  const shows = (answer: AnswerOf<ShownBody>) => (judge(answer)?.violations.length ?? 0) > 0;
  const found = invariant.stable ? await again(context, invariant, first) : first;
  const shown = invariant.stable ? [found] : violating;
  // What only shows right after another request may be what was remembered of that one.
  if (shows(found.answer) && violating.every(({ planned }) => planned.after)) await context.pause(FORGET_MS);
  const smallest = shows(found.answer) ? [await smallestShowing(context, found, shows)] : [];
  for (const answer of new Set([...smallest, ...shown].map((made) => made.answer))) {
    const judgement = judge(answer);
    if (judgement) record(context, invariant, answer, judgement);
  }
}

/** How long to wait until what was remembered of another request is probably forgotten, in milliseconds. */
const FORGET_MS = 500;

/** The smallest request that shows it. Where it does not show it again, that is noted: it depends on more than the request. */
async function smallestShowing(
  context: CheckContext,
  made: Made,
  shows: (answer: AnswerOf<ShownBody>) => boolean,
): Promise<Made> {
  const smallest = await withFewerFields(context, made, shows);
  if (!shows(await ask(context, made.answer.endpoint, smallest.planned))) {
    context.note(
      "asked once more, the same request was answered correctly: the answer depends on what is asked before it or at the same time, or the data changed",
    );
  }
  return smallest;
}

function record(
  { verify }: CheckContext,
  { ofAnyRows }: Invariant,
  answer: AnswerOf<ShownBody>,
  judgement: Judgement,
): void {
  if (ofAnyRows) verify(answer).holdsForAnyRows(judgement);
  else verify(answer).satisfies(judgement);
}

/** The same request once more, on data that stand still (P3). */
async function again(context: CheckContext, { endpoint, stable }: Invariant, { planned }: Made): Promise<Made> {
  const read = () => askInTurn(context, endpoint, planned);
  return { planned, answer: await context.stableRead(read, (body) => stable?.(body as JsonObject) ?? "") };
}

/** Codes by which a request is refused for what it asks. */
const refusals: readonly string[] = ["invalid_argument", "not_found", "out_of_range", "failed_precondition"];

function isRefused({ outcome, exchange }: AnswerOf<unknown>): boolean {
  return outcome.kind === "error" && !exchange.throttled && refusals.includes(outcome.code);
}

/**
 * Asserts that no documented request is answered with `internal` or with no Connect answer, and that none is refused for what
 * only several things about it together can be at fault: what one of them alone is refused for is the business of its own rule.
 */
export async function answeredAsDocumented(context: CheckContext, endpoint: Endpoint): Promise<void> {
  const { verify, subjects } = context;
  const { exchanges, interactions } = await explored(context, endpoint);
  context.tried(interactions);
  for (const { answer } of exchanges) verify(answer).meets(isConnectAnswer);
  const refused = exchanges.filter(({ answer }) => isRefused(answer));
  const classesOf = ({ planned: { row } }: Explored) => Object.entries(row).map((each) => each.join(" "));
  const answered = new Set(exchanges.filter(({ answer }) => !isRefused(answer)).flatMap(classesOf));
  // First those of which each class of each field is answered elsewhere: it is not one of them that they are refused for.
  const isCombined = (made: Explored) => classesOf(made).every((name) => answered.has(name));
  for (const made of [...refused.filter(isCombined), ...refused].slice(0, 1)) {
    const smallest = await withFewerFields(context, made, isRefused);
    const answers = [smallest, ...refused].map(({ answer }) => answer);
    const meets = meetingsOf([...exchanges, ...(await aboutOthers(context, smallest, exchanges))], subjects);
    if (meets(smallest)) verify(...new Set(answers)).succeeds();
  }
}

/** Fields of a refused request that are tried in another one, at most. */
const fieldsTriedElsewhere = 2;

/** Requests that {@link answeredAsDocumented} sends at most. */
export const asDocumentedBudget = smallestRequestBudget + fieldsTriedElsewhere;

/**
 * The optional fields of a refused request, as they are, in a request about something else that was answered. Not `offset`: it may be
 * beyond the end of the one and not of the other.
 */
async function aboutOthers(
  context: CheckContext,
  { answer: { endpoint, request }, planned }: Made,
  exchanges: readonly Explored[],
): Promise<readonly Made[]> {
  const fields = Object.keys(planned.body).filter((field) => field !== "offset" && mayGo(endpoint, field));
  const other = exchanges.find(
    ({ answer }) => answer.outcome.kind === "success" && stringify(answer.request) !== stringify(request),
  );
  if (!other || fields.length > fieldsTriedElsewhere) return [];
  return Promise.all(
    fields.map(async (field): Promise<Made> => {
      const elsewhere = { body: { ...other.planned.body, [field]: planned.body[field] }, headers: {} };
      return { planned: elsewhere, answer: await ask(context, endpoint, elsewhere) };
    }),
  );
}

/** Whether a refused request has several things about it that are answered elsewhere, each without the others. */
function meetingsOf(exchanges: readonly Made[], subjects: Subjects): (made: Made) => boolean {
  const answered = new Set(
    exchanges
      .filter(({ answer }) => answer.outcome.kind === "success")
      .flatMap((made) => [...featuresOf(made, subjects), ...subjectsOf(made, subjects)]),
  );
  return (made) => {
    const features = featuresOf(made, subjects);
    const all = [...features, ...subjectsOf(made, subjects)];
    return features.length > 1 || (all.length > 1 && all.every((feature) => answered.has(feature)));
  };
}

/** Asserts that what an invariant is about is no reason to refuse a request. */
async function answersInsteadOfRefusing(
  invariant: Invariant,
  exchanges: readonly Made[],
  context: CheckContext,
): Promise<void> {
  const { subjects, verify } = context;
  const isDue = (answer: AnswerOf<ShownBody>) => {
    const asked = askedBy(answer, subjects);
    return asked !== undefined && isRefused(answer) && appliesTo(invariant, asked, subjects);
  };
  const refused = exchanges.find(({ answer }) => isDue(answer));
  if (!refused) return;
  const smallest = await withFewerFields(context, refused, isDue);
  // What is refused for its headers or its notation is the business of the rules on those.
  const { headers, notation } = smallest.planned;
  const isUsual = Object.keys(headers).length === 0 && notation === undefined;
  if (isUsual && !meetingsOf(exchanges, subjects)(smallest)) verify(smallest.answer, refused.answer).succeeds();
}

/** Things about a request that a server may stumble over: its headers and optional fields, and how it is written. */
function featuresOf({ answer, planned: { headers, notation } }: Made, subjects: Subjects): readonly string[] {
  const asked = askedBy(answer, subjects);
  const request = answer.request as JsonObjectInput;
  const optional = Object.entries(request).filter(
    ([field, value]) => value !== undefined && mayGo(answer.endpoint, field),
  );
  const writing = {
    bySymbols: asked?.bySymbols,
    padded: asked?.padded,
    recased: asked?.recased,
    inAnotherZone: typeof request.startTime === "string" && !request.startTime.endsWith("Z"),
  };
  return [
    ...Object.keys(headers),
    ...(notation ? [notation] : []),
    ...optional.map(([field, value]) => `${field} ${value instanceof RawJson ? value.text : JSON.stringify(value)}`),
    ...Object.entries(writing).flatMap(([name, is]) => (is === true ? [name] : [])),
  ];
}

/** What a request is about. */
function subjectsOf({ answer }: Made, subjects: Subjects): readonly string[] {
  const { marketId, wallet, interval } = askedBy(answer, subjects) ?? {};
  return [`market ${marketId}`, `wallet ${wallet}`, `interval ${interval}`].filter(
    (about) => !about.endsWith("undefined"),
  );
}

/** Whether a field may be left out: also the wallet of GetAllOrders, and the market of GetOrders (§4.3, §4.4). */
function mayGo(endpoint: Endpoint, field: string): boolean {
  const isOptional =
    (endpoint === "GetAllOrders" && field === "address") || (endpoint === "GetOrders" && field === "market");
  return isOptional || !essentialFields.has(field);
}

/**
 * Asks the same more plainly and with one field less, as long as that shows the same, up to ten times.
 *
 * @param shows whether an answer shows it
 * @param kept a field that is never left out
 * @returns the smallest request that does
 */
export async function withFewerFields(
  context: CheckContext,
  made: Made,
  shows: (answer: AnswerOf<ShownBody>) => boolean,
  kept?: string,
): Promise<Made> {
  let smallest = made;
  const { endpoint } = made.answer;
  const fields = Object.keys(made.planned.body).filter((field) => field !== kept && mayGo(endpoint, field));
  let left = smallestRequestBudget;
  for (const rewrite of [...plainly, ...fields.map(withoutField)]) {
    const planned = rewrite(smallest.planned, context.subjects);
    if (!planned || left-- <= 0) continue;
    const answer = await ask(context, endpoint, planned);
    if (shows(answer)) smallest = { planned, answer };
  }
  return smallest;
}
