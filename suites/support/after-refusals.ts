/** Checks that refused requests leave nothing behind (§7). */
import { type JsonObjectInput, stringify } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { unexplored } from "../../src/engine/explored.js";
import type { SelectorEndpoint } from "../../src/judge/markets.js";
import { sameAnswer } from "../../src/judge/same-answer.js";
import type { Endpoint, UnaryEndpoint } from "../../src/specification/endpoints.js";
import { fewestOrdersFirst, marketsWithCandles } from "../../src/subjects/select.js";
import { isNotFound, pairedMarkets, selecting } from "./selectors.js";

/** How many pairs of a known and a refused request are tried. */
const pairsTried = 2;

/** How often a single finding is checked again, and after how many milliseconds: the server may have forgotten by then. */
const furtherAttempts = 3;
const attemptAfterMs = 3_500;

/** A request about something known, and a similar one that is refused. */
interface RefusalPair {
  readonly known: JsonObjectInput;
  readonly refused: JsonObjectInput;
}

/** An answer to a known request that is `not_found`, or that differs from the one before the refusal. */
interface LostAnswer {
  readonly pair: RefusalPair;
  readonly answer: Answer;
  readonly before?: Answer;
}

/**
 * Asserts that what discovery found is still found, with the same answer, right after another request was refused. A single
 * miss is not enough, since a market may have been delisted or data may have changed: it takes two such requests, or the
 * same one twice with a success in between.
 */
export async function foundAfterRefusals(context: CheckContext): Promise<void> {
  const { endpoint, required, verify } = context;
  const { found, lost } = await answersAfterRefusals(context);
  if (lost.length < 2) required(found[0], unexplored(context, "about something that is known, right after a refusal"));
  for (const answer of found) verify(answer).succeeds();
  if (lost.length < 2) return;
  for (const { answer, before } of lost) {
    if (before) verify(before, answer).satisfies(sameAsBefore(endpoint));
    else verify(answer).succeeds();
  }
}

/** Tries all pairs. If a single answer was lost, tries its pair again. */
async function answersAfterRefusals(context: CheckContext) {
  const found: Answer[] = [];
  const lost: LostAnswer[] = [];
  const gone = new Set<string>();
  const attempt = async (pair: RefusalPair) => {
    const request = stringify(pair.known);
    const answers = await askBeforeAndAfter(context, pair);
    const [before, after] = answers;
    if (before && after && differ(before, after)) {
      if (await differsAfterRefusals(context, pair, before)) lost.push({ pair, answer: after, before });
      return;
    }
    for (const answer of answers) {
      if (answer.outcome.kind === "success") {
        found.push(answer);
        gone.delete(request);
      } else if (isNotFound(answer)) {
        if (!gone.has(request)) lost.push({ pair, answer });
        gone.add(request);
      }
    }
  };
  for (const pair of pairsOf(context)) await attempt(pair);
  for (let attempts = 0; lost[0] !== undefined && lost.length === 1 && attempts < furtherAttempts; attempts++) {
    await context.pause(attemptAfterMs);
    await attempt(lost[0].pair);
  }
  return { found, lost };
}

/** Whether the answer stays the same when asked for on its own, but differs after a refusal. */
async function differsAfterRefusals(context: CheckContext, pair: RefusalPair, before: Answer): Promise<boolean> {
  let found = false;
  for (let tries = 0; tries < 2; tries++) {
    const [again, after] = await askBeforeAndAfter(context, pair);
    if (!again || differ(before, again)) return false;
    found ||= after !== undefined && differ(before, after);
  }
  return found;
}

/** Whether two answers to the same request are both successes, but not the same. */
function differ(one: Answer, other: Answer): boolean {
  if (one.outcome.kind !== "success" || other.outcome.kind !== "success") return false;
  return sameAsBefore(one.endpoint)(one.outcome.body, other.outcome.body).violations.length > 0;
}

const sameAsBefore = (endpoint: Endpoint) => sameAnswer(endpoint, "as before the refusal");

/**
 * Sends the known request, the refused one, and the known one again, with nothing in between: what the server remembers may
 * soon be forgotten, or be told to whoever asks next. The known request is sent once before that as a warm-up, since others
 * may just have been refused. Resolves to the answers to the known request, up to the first that is not a success.
 */
async function askBeforeAndAfter(
  { ask, endpoint }: CheckContext,
  { known, refused }: RefusalPair,
): Promise<readonly Answer[]> {
  const operation = endpoint as UnaryEndpoint;
  const [, before, between, after] = await Promise.all(
    [known, known, refused, known].map((request) => ask(operation, request, { alone: true })),
  );
  if (!before) return [];
  if (before.outcome.kind !== "success" || between?.outcome.kind !== "error" || !after) return [before];
  return [before, { ...after, after: between.exchange.request }];
}

/** Pairs of a request that succeeds and a similar one with a fault: an unknown quote symbol, no market, or a wrong type. */
function pairsOf(context: CheckContext): readonly RefusalPair[] {
  const { endpoint, subjects, required } = context;
  switch (endpoint) {
    case "GetAllPositions":
    case "GetAllOrders":
      return [2, 3].map((limit) => ({ known: { limit }, refused: { limit: "many" } }));
    case "GetPortfolio": {
      const withOpenOrders = subjects.wallets.filter(({ openOrders = 0 }) => openOrders > 0);
      required(withOpenOrders[0], "walletWithOpenOrders");
      // Prefer small portfolios, those of wallets with few orders.
      return withOpenOrders
        .sort(fewestOrdersFirst)
        .slice(0, pairsTried)
        .map(({ address }) => ({ known: { owner: address }, refused: { owner: 1 } }));
    }
    case "GetHistoricalPrices":
      required(subjects.markets[0], "market");
      return [...new Set([...marketsWithCandles(subjects), ...subjects.markets])]
        .slice(0, pairsTried)
        .map(({ marketId }) => ({
          known: selecting(context, endpoint, { marketId }),
          refused: selecting(context, endpoint, { marketId: "0" }),
        }));
    default:
      return pairsBySymbols(context);
  }
}

/** For each market, a request by its symbols and one with an unknown quote symbol. */
function pairsBySymbols(context: CheckContext): readonly RefusalPair[] {
  const { endpoint, subjects } = context;
  const unknown = subjects.unknown.symbols;
  const request = (symbols: JsonObjectInput): JsonObjectInput =>
    endpoint === "GetMarketIdByName"
      ? symbols
      : selecting(context, endpoint as SelectorEndpoint, { marketSymbol: symbols });
  return pairedMarkets(context)
    .slice(0, pairsTried)
    .map(({ symbols }) => ({
      known: request({ ...symbols }),
      refused: request({ ...symbols, quoteSymbol: unknown.quoteSymbol }),
    }));
}
