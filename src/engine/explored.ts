/** Explores an operation: sends requests that combine its fields. Each exploration is made once and judged by many rules. */
import { type JsonObject, type JsonObjectInput, RawJson, stringify } from "../connect/json.js";
import type { Interactions } from "../exploration/covering-array.js";
import { longIntervalMs, type PlannedRequest } from "../exploration/operations.js";
import { type Exploration, type Plan, planFor } from "../exploration/plan.js";
import { isConnectAnswer } from "../judge/connect-error.js";
import { appliesTo, type Invariant } from "../judge/invariants.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody, Snapshots } from "../judge/located-rows.js";
import { parseRequest } from "../judge/parsed-request.js";
import type { Endpoint } from "../specification/endpoints.js";
import { type MissingData, missingData, missingFrom, needed } from "../subjects/hints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf, StreamAnswer } from "./answer.js";
import type { CheckContext } from "./context.js";
import { judgeInvariant, parsedRequestOf } from "./invariant-judgement.js";
import { requestFromWords } from "./request-in-words.js";
import { isOptionalField, shrink } from "./shrink.js";
import { usable } from "./usable.js";

/** An answer together with its planned request, including any unusual headers. */
interface Made {
  readonly planned: PlannedRequest;
  readonly answer: AnswerOf<ShownBody>;
}

/** One answer of an exploration. */
export interface Explored extends Made {
  readonly planned: Exploration;
}

/** The result of exploring an operation. */
export interface ExploredOperation {
  readonly exchanges: readonly Explored[];
  readonly interactions: Interactions;
  /** The answers by request (see {@link keyOf}). */
  readonly answers: ReadonlyMap<string, AnswerOf<ShownBody>>;
}

/** How long a stream is watched, and how many messages are enough: fewer where each class of a field is only tried once. */
const watched = { messages: 20, ms: 4_000 } as const;
const watchedBriefly = { messages: 6, ms: 2_000 } as const;

/** Explores an operation, once per worker for all checks. Without a subject for the operation the check is inconclusive. */
export async function explored(context: CheckContext, endpoint: Endpoint): Promise<ExploredOperation> {
  const { required, sharedRead, subjects } = context;
  const { requests: drawn, interactions, changes, afterRefusals } = planned(endpoint, context);
  required(drawn[0], missingData(subjects, needed[endpoint]));
  const requests = [...knownRequests(endpoint, context), ...drawn];
  return sharedRead(`the combinations of fields of ${endpoint}`, async (reader) => {
    const make = async (request: Exploration, after?: AnswerOf<unknown>) => ({
      planned: request,
      answer: await ask(reader, endpoint, request, { after }),
    });
    const exchanges = await Promise.all(requests.map((request) => make(request)));
    let plain: AnswerOf<unknown> | undefined;
    for (const request of changes) {
      const made = await make(request, request.after && plain);
      if (!request.after) plain = made.answer;
      exchanges.push(made);
    }
    for (const request of afterRefusals) {
      exchanges.push({ planned: request, answer: await askInTurn(reader, endpoint, request) });
    }
    // If several requests turned out identical, the first one counts.
    const answers = new Map([...exchanges].reverse().map(({ planned: made, answer }) => [keyOf(made), answer]));
    return { exchanges, interactions, answers };
  });
}

/** The `alsoAsk` requests for this operation, without invalid ones: refusals have rules of their own. */
function knownRequests(endpoint: Endpoint, { alsoAsk, subjects }: CheckContext): readonly Exploration[] {
  return alsoAsk.flatMap((words): Exploration[] => {
    const request = requestFromWords(words);
    if (request?.endpoint !== endpoint || !parseRequest(endpoint, stringify(request.body), subjects)) return [];
    const { endpoint: _, ...planned } = request;
    return [{ row: {}, known: true, ...planned }];
  });
}

/** Just the answers of an operation's exploration. */
export async function exploredAnswers(
  context: CheckContext,
  endpoint: Endpoint,
): Promise<readonly AnswerOf<ShownBody>[]> {
  return (await explored(context, endpoint)).exchanges.map(({ answer }) => answer);
}

/** The captures from exploring the stream. */
export async function exploredStreams(context: CheckContext): Promise<readonly StreamAnswer[]> {
  return (await exploredAnswers(context, "GetOpenPositionsStreaming")) as readonly StreamAnswer[];
}

/** How to send a planned request. */
interface Asking {
  /** The answer to the request that must come right before it. */
  readonly after?: AnswerOf<unknown> | undefined;
  /** Maximum number of stream messages to read. */
  readonly messages?: number | undefined;
}

/** Sends a planned request, right after its preceding request if it has one. */
export async function askInTurn(
  by: Pick<CheckContext, "ask" | "listen" | "strength">,
  endpoint: Endpoint,
  request: PlannedRequest,
  asking: Pick<Asking, "messages"> = {},
): Promise<AnswerOf<ShownBody>> {
  const after = request.after && (await ask(by, endpoint, request.after));
  return ask(by, endpoint, request, { ...asking, after });
}

/** Sends a planned request; of a stream, reads only a few messages. */
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

/** The answer to a request: taken from the exploration if it was explored, else requested once for all checks. */
export async function askOnce(
  { answers }: ExploredOperation,
  context: CheckContext,
  endpoint: Endpoint,
  request: PlannedRequest,
): Promise<AnswerOf<ShownBody>> {
  const key = keyOf(request);
  const same = answers.get(key);
  if (same) return same;
  return context.sharedRead(`${endpoint} ${key}`, (reader) => ask(reader, endpoint, request));
}

/** Whether the second message of a stream would take long. */
function isLong({ updateIntervalMs }: JsonObjectInput): boolean {
  return typeof updateIntervalMs === "number" && updateIntervalMs >= longIntervalMs;
}

/** Identifies a request by its body as written and its unusual headers. */
export function keyOf({ body, headers, notation }: PlannedRequest): string {
  return [stringify(body, notation), ...Object.entries(headers).flat()].join(" ");
}

/** Plans are made once for all checks: covering arrays of many fields take a while to compute. */
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

/** The operations whose answers provide values for an operation's request fields: ticks, symbols, wallets. */
const filledBy: Partial<Record<Endpoint, readonly Endpoint[]>> = {
  GetOrderBook: ["GetMarketConfigs", "GetMarketIdByName"],
  GetHistoricalPrices: ["GetMarketConfigs"],
  GetMarketConfigs: ["GetMarketIdByName"],
  GetMarketIdByName: ["GetMarketConfigs"],
  GetOrders: ["GetAllOrders", "GetMarketIdByName"],
};

/**
 * Why an exploration has no answer of this kind: an operation that provides request values does not work, or there is no
 * such data.
 */
export function unexplored({ subjects }: CheckContext, endpoint: Endpoint, kind: string): MissingData {
  return missingFrom(subjects, `needs an answer of ${endpoint} ${kind}`, filledBy[endpoint] ?? []);
}

/**
 * Asserts an invariant on every explored answer that it applies to. A violation is tried again with fewer fields and
 * reported with the smallest request that still shows it, beside the one that first showed it.
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
  // A violation seen only right after another request may come from state remembered from that request.
  if (shows(found.answer) && violating.every(({ planned }) => planned.after)) await context.pause(forgetMs);
  const smallest = shows(found.answer) ? [await smallestShowing(context, found, shows)] : [];
  for (const answer of new Set([...smallest, ...shown].map((made) => made.answer))) {
    const judgement = judge(answer);
    if (judgement) record(context, invariant, answer, judgement);
  }
}

/** How long to wait for a server to forget a previous request, in milliseconds. */
const forgetMs = 500;

/**
 * Finds the smallest request that shows the violation. If that request does not show it again, a note says so: the answer
 * depends on more than the request.
 */
async function smallestShowing(
  context: CheckContext,
  made: Made,
  shows: (answer: AnswerOf<ShownBody>) => boolean,
): Promise<Made> {
  const smallest = await shrinkRequest(context, made, shows);
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

/** Sends the same request again, on stable data (P3). */
async function again(context: CheckContext, { endpoint, stable }: Invariant, { planned }: Made): Promise<Made> {
  const read = () => askInTurn(context, endpoint, planned);
  return { planned, answer: await context.stableRead(read, (body) => stable?.(body as JsonObject) ?? "") };
}

/** Error codes that refuse a request because of its content. */
const refusals: readonly string[] = ["invalid_argument", "not_found", "out_of_range", "failed_precondition"];

function isRefused({ outcome, exchange }: AnswerOf<unknown>): boolean {
  return outcome.kind === "error" && !exchange.throttled && refusals.includes(outcome.code);
}

/** Whether a server answered. A stream that was left before it sent anything may still have been refused. */
function isAnswered({ endpoint, outcome, exchange }: AnswerOf<ShownBody>): boolean {
  if (exchange.throttled || outcome.kind === "failure") return false;
  return (
    outcome.kind !== "success" ||
    endpoint !== "GetOpenPositionsStreaming" ||
    (outcome.body as Snapshots).messages.length > 0
  );
}

/**
 * Asserts that no documented request gets `internal` or an answer that is not Connect, and that none is refused because of a
 * combination of its fields. A refusal caused by a single field is left to the rule on that field.
 */
export async function answeredAsDocumented(context: CheckContext, endpoint: Endpoint): Promise<void> {
  const { verify, subjects } = context;
  const { exchanges, interactions } = await explored(context, endpoint);
  context.tried(interactions);
  for (const { answer } of exchanges) verify(answer).meets(isConnectAnswer);
  const refused = exchanges.filter(({ answer }) => isRefused(answer));
  const classesOf = ({ planned: { row } }: Explored) => Object.entries(row).map((each) => each.join(" "));
  const answered = new Set(exchanges.filter(({ answer }) => !isRefused(answer)).flatMap(classesOf));
  // Prefer requests whose field classes were each answered elsewhere: no single class explains the refusal.
  const isCombined = (made: Explored) => classesOf(made).every((name) => answered.has(name));
  for (const made of [...refused.filter(isCombined), ...refused].slice(0, 1)) {
    const unanswered: AnswerOf<ShownBody>[] = [];
    const smallest = await shrinkRequest(context, made, (answer) => {
      if (!isAnswered(answer)) unanswered.push(answer);
      return isRefused(answer);
    });
    const answers = [smallest, ...refused].map(({ answer }) => answer);
    const meets = isCombinationFailure([...exchanges, ...(await aboutOthers(context, smallest, exchanges))], subjects);
    if (!meets(smallest)) continue;
    if (unanswered.length > 0) context.inconclusive("needs an answer to each part of a request that was refused");
    verify(...new Set(answers)).succeeds();
  }
}

/** Maximum number of a refused request's fields that are tried in another request. */
const fieldsTriedElsewhere = 2;

/**
 * Tries each optional field of a refused request in another request that was answered. `offset` is skipped: it may be beyond
 * the end of one list but not of the other.
 */
async function aboutOthers(
  context: CheckContext,
  { answer: { endpoint, request }, planned }: Made,
  exchanges: readonly Explored[],
): Promise<readonly Made[]> {
  const fields = Object.keys(planned.body).filter((field) => field !== "offset" && isOptionalField(endpoint, field));
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

/**
 * Tells whether a refusal is due to a combination: the request has several unusual features, or all of its features and
 * subjects were answered elsewhere.
 */
function isCombinationFailure(exchanges: readonly Made[], subjects: Subjects): (made: Made) => boolean {
  const answered = new Set(
    exchanges
      .filter(({ answer }) => answer.outcome.kind === "success" && isAnswered(answer))
      .flatMap((made) => [...featuresOf(made, subjects), ...subjectsOf(made, subjects)]),
  );
  return (made) => {
    const features = featuresOf(made, subjects);
    const all = [...features, ...subjectsOf(made, subjects)];
    return features.length > 1 || (all.length > 1 && all.every((feature) => answered.has(feature)));
  };
}

/** Asserts that a server does not refuse a request because of what the invariant is about. */
async function answersInsteadOfRefusing(
  invariant: Invariant,
  exchanges: readonly Made[],
  context: CheckContext,
): Promise<void> {
  const { subjects, verify } = context;
  const isDue = (answer: AnswerOf<ShownBody>) => {
    const asked = parsedRequestOf(answer, subjects);
    return asked !== undefined && isRefused(answer) && appliesTo(invariant, asked, subjects);
  };
  const refused = exchanges.find(({ answer }) => isDue(answer));
  if (!refused) return;
  const smallest = await shrinkRequest(context, refused, isDue);
  // Refusals due to headers or notation are left to the rules on those.
  const { headers, notation } = smallest.planned;
  const isUsual = Object.keys(headers).length === 0 && notation === undefined;
  if (isUsual && !isCombinationFailure(exchanges, subjects)(smallest))
    verify(smallest.answer, refused.answer).succeeds();
}

/** Features of a request that a server may stumble over: its headers, its optional fields, and how it is written. */
function featuresOf({ answer, planned: { headers, notation } }: Made, subjects: Subjects): readonly string[] {
  const asked = parsedRequestOf(answer, subjects);
  const request = answer.request as JsonObjectInput;
  const optional = Object.entries(request).filter(
    ([field, value]) => value !== undefined && isOptionalField(answer.endpoint, field),
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

/** The market, wallet and interval that a request is about. */
function subjectsOf({ answer }: Made, subjects: Subjects): readonly string[] {
  const { marketId, wallet, interval } = parsedRequestOf(answer, subjects) ?? {};
  return [`market ${marketId}`, `wallet ${wallet}`, `interval ${interval}`].filter(
    (about) => !about.endsWith("undefined"),
  );
}

/**
 * Shrinks a request: writes it more plainly and drops one field at a time, keeping each change that still shows the finding.
 *
 * @param shows whether an answer shows the finding
 * @param kept a field that must not be dropped
 * @returns the smallest request that shows it
 */
export function shrinkRequest(
  context: CheckContext,
  made: Made,
  shows: (answer: AnswerOf<ShownBody>) => boolean,
  kept?: string,
): Promise<Made> {
  const { endpoint } = made.answer;
  const shrinking = { endpoint, subjects: context.subjects, kept };
  return shrink(made, shrinking, async (planned) => {
    const answer = await ask(context, endpoint, planned);
    return shows(answer) ? { planned, answer } : undefined;
  });
}
