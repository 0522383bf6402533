/** The exploration of an operation: requests that try its fields together, made once and judged by many rules. */
import type { JsonObject, JsonObjectInput } from "../connect/json.js";
import type { RequestOverrides } from "../connect/requests.js";
import type { Interactions } from "../exploration/covering-array.js";
import { type Exploration, type Plan, planFor } from "../exploration/plan.js";
import { inItsOwnCase, inLowerCase, type Rewrite, trimmed, withoutField } from "../exploration/rewrites.js";
import { isConnectAnswer } from "../judge/connect-error.js";
import type { Invariant } from "../judge/invariants.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/shown.js";
import type { Endpoint } from "../spec/endpoints.js";
import type { Profile } from "../spec/profile.js";
import { type Lack, lacking, lackOf } from "../subjects/hints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import { needed } from "./any-operation.js";
import type { CheckContext } from "./context.js";
import { askedBy, judgeInvariant } from "./invariant-judgement.js";
import { usable } from "./usable.js";

/** One answer of an exploration. */
export interface Explored {
  readonly planned: Exploration;
  readonly answer: AnswerOf<ShownBody>;
}

/** What was explored of an operation. */
export interface ExploredOperation {
  readonly exchanges: readonly Explored[];
  readonly interactions: Interactions;
}

/** How long a stream is watched, and how many messages of it are enough. */
const watched = { messages: 4, ms: 4_000 } as const;

/** Explores an operation: once for all checks of a worker. Without a subject for the operation the check is inconclusive. */
export async function explored(context: CheckContext, endpoint: Endpoint): Promise<ExploredOperation> {
  const { need, sharedReading, subjects } = context;
  const { requests, interactions } = planned(endpoint, context);
  need(requests[0], lacking(subjects, needed[endpoint]));
  // Twice as many, since a connection that breaks is tried once more.
  return sharedReading(`the combinations of fields of ${endpoint}`, 2 * requests.length, async (words) => {
    const exchanges = requests.map(async (request) => ({
      planned: request,
      answer: await askWith(words, endpoint, request.body, { headers: request.headers }),
    }));
    return { exchanges: await Promise.all(exchanges), interactions };
  });
}

/** Asks an operation; of the stream a few messages. */
export function askWith(
  { ask, listen }: Pick<CheckContext, "ask" | "listen">,
  endpoint: Endpoint,
  request: JsonObjectInput,
  overrides: RequestOverrides = {},
): Promise<AnswerOf<ShownBody>> {
  return endpoint === "GetOpenPositionsStreaming"
    ? listen(request, watched, overrides)
    : ask(endpoint, request, overrides);
}

/** Plans are made once for all checks: arrays of many fields take a while. */
const plans = new WeakMap<Subjects, Map<string, Plan>>();

function planned(
  endpoint: Endpoint,
  {
    subjects,
    profile,
    runSeed: seed,
  }: { readonly subjects: Subjects; readonly profile: Profile; readonly runSeed: number },
): Plan {
  const known = plans.get(subjects) ?? new Map<string, Plan>();
  plans.set(subjects, known);
  const key = `${endpoint} ${profile} ${seed}`;
  const plan = known.get(key) ?? planFor(endpoint, { subjects, profile, seed });
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
export function unexplored({ subjects }: CheckContext, endpoint: Endpoint, kind: string): Lack {
  return lackOf(subjects, `needs an answer of ${endpoint} ${kind}`, filledBy[endpoint] ?? []);
}

/** Requests that {@link holdsInEveryCombination} sends at most: those that find the smallest request. */
export const smallestRequestBudget = 10;

/**
 * Asserts an invariant on every answer of its operation's exploration that it applies to. A violation is asked again with
 * fewer fields, and reported with the smallest request that still shows it; the first one that showed it stands beside it.
 */
export async function holdsInEveryCombination(invariant: Invariant, context: CheckContext): Promise<void> {
  const { exchanges } = await explored(context, invariant.endpoint);
  const answers = usable(
    exchanges.map(({ answer }) => answer),
    invariant.ofAnyRows ? "or samples" : "whole",
  );
  const judge = (answer: AnswerOf<ShownBody>) => judgeInvariant(invariant, answer, context);
  context.need(
    answers.map(judge).find((judgement) => judgement !== undefined),
    unexplored(context, invariant.endpoint, "that the rule speaks of"),
  );
  const violating: AnswerOf<ShownBody>[] = [];
  for (const answer of answers) {
    const judgement = judge(answer);
    if (!judgement) continue;
    if (judgement.violations.length > 0) violating.push(answer);
    else record(context, invariant, answer, judgement);
  }
  const [first] = violating;
  if (!first) return;
  const smallest = await withFewerFields(context, first, async (answer) => {
    const judgement = judge(answer);
    return judgement !== undefined && judgement.violations.length > 0;
  });
  const shown = invariant.stable ? [await again(context, invariant, first)] : new Set([smallest, ...violating]);
  for (const answer of shown) {
    const judgement = judge(answer);
    if (judgement) record(context, invariant, answer, judgement);
  }
}

function record(
  { verify }: CheckContext,
  { ofAnyRows }: Invariant,
  answer: AnswerOf<ShownBody>,
  judgement: Judgement,
): void {
  if (ofAnyRows) verify(answer).holdsForAnyRows(() => judgement);
  else verify(answer).satisfies(() => judgement);
}

/** The same request once more, on data that stand still (P3). */
function again(context: CheckContext, { endpoint, stable }: Invariant, { request }: AnswerOf<ShownBody>) {
  const read = () => askWith(context, endpoint, request as JsonObjectInput);
  return context.settled(read, (body) => stable?.(body as JsonObject) ?? "");
}

/** Codes by which a request is refused for what it asks. */
const refusals: readonly string[] = ["invalid_argument", "not_found", "out_of_range", "failed_precondition"];

function isRefused({ outcome, exchange }: AnswerOf<unknown>): boolean {
  return outcome.kind === "error" && !exchange.throttled && refusals.includes(outcome.code);
}

/**
 * Asserts that no documented request is answered with `internal` or with no Connect answer, and that none is refused for what
 * only several of its fields together can be at fault: what one of them alone is refused for is the business of its own rule.
 */
export async function answeredAsDocumented(context: CheckContext, endpoint: Endpoint): Promise<void> {
  const { verify, subjects } = context;
  const { exchanges, interactions } = await explored(context, endpoint);
  context.tried(interactions);
  const answers = exchanges.map(({ answer }) => answer);
  for (const answer of answers) verify(answer).meets(isConnectAnswer);
  const refused = answers.filter(isRefused);
  for (const answer of refused.slice(0, 1)) {
    const smallest = await withFewerFields(context, answer, async (candidate) => isRefused(candidate));
    if (featuresOf(smallest, subjects) > 1) verify(smallest, ...refused).succeeds();
  }
}

/** How many things about a request a server may stumble over: its optional fields, and how its subjects are written. */
function featuresOf(answer: AnswerOf<unknown>, subjects: Subjects): number {
  const asked = askedBy(answer, subjects);
  const optional = Object.entries(answer.request as JsonObjectInput).filter(
    ([field, value]) => value !== undefined && (!essential.has(field) || isOptional(answer.endpoint, field)),
  );
  const writing = [asked?.bySymbols, asked?.padded, asked?.recased].filter((is) => is === true);
  return optional.length + writing.length;
}

/** Whether a field that makes a request what it is may be left out all the same (§4.3, §4.4). */
function isOptional(endpoint: Endpoint, field: string): boolean {
  return (endpoint === "GetAllOrders" && field === "address") || (endpoint === "GetOrders" && field === "market");
}

/** Fields that make a request what it is: without them it would be another one. */
const essential: ReadonlySet<string> = new Set([
  "market",
  "address",
  "owner",
  "assetSymbol",
  "quoteSymbol",
  "startTime",
  "endTime",
  "interval",
]);

/** Ways to write an address or a symbol plainly (§1, §4.9). */
const plainly: readonly Rewrite[] = [
  ...(["address", "owner", "assetSymbol"] as const).map(trimmed),
  ...(["address", "owner"] as const).map(inLowerCase),
  inItsOwnCase,
];

/**
 * Asks the same with one field less, and with what is left written plainly, as long as that shows the same, up to ten times.
 *
 * @param shows whether an answer shows it
 * @returns the answer to the smallest request that does
 */
export async function withFewerFields(
  context: CheckContext,
  answer: AnswerOf<ShownBody>,
  shows: (answer: AnswerOf<ShownBody>) => Promise<boolean>,
): Promise<AnswerOf<ShownBody>> {
  let smallest = answer;
  const fields = Object.keys(answer.request as JsonObjectInput).filter((field) => !essential.has(field));
  let left = smallestRequestBudget;
  for (const rewrite of [...fields.map(withoutField), ...plainly]) {
    const smaller = rewrite({ body: smallest.request as JsonObjectInput, headers: {} }, context.subjects);
    if (!smaller || left-- <= 0) continue;
    const candidate = await askWith(context, answer.endpoint, smaller.body);
    if (await shows(candidate)) smallest = candidate;
  }
  return smallest;
}
