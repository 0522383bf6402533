/** What a refused request leaves behind: nothing (§7). */
import { type JsonObjectInput, stringify } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { unexplored } from "../../src/engine/explored.js";
import type { SelectorEndpoint } from "../../src/judge/markets.js";
import { sameAnswer } from "../../src/judge/same-answer.js";
import type { UnaryEndpoint } from "../../src/specification/endpoints.js";
import { missingData } from "../../src/subjects/hints.js";
import { marketsWithCandles, orderCountOf } from "../../src/subjects/select.js";
import { isNotFound, pairedMarkets, selecting } from "./selectors.js";

/** Requests that are made before and after a refusal. */
const PAIRS = 2;

/** How often what was seen once is looked at again, and after how many milliseconds: what is remembered may have been forgotten. */
const LOOKS_AGAIN = 3;
const LOOK_AGAIN_MS = 3_500;

/** Requests that {@link foundAfterRefusals} sends at most. */
export const afterRefusalsBudget = (PAIRS + LOOKS_AGAIN) * 12;

/** A request about something that is known, and one that is refused although it is like it. */
interface Pair {
  readonly known: JsonObjectInput;
  readonly refused: JsonObjectInput;
}

/**
 * Asserts that what discovery found is found right after a request was refused, and that its answer is the same. A market that is
 * refused itself may have been delisted meanwhile, and data may have changed: it takes two such requests, or the same one twice,
 * answered well in between.
 */
export async function foundAfterRefusals(context: CheckContext): Promise<void> {
  const { endpoint, pause, required, verify } = context;
  const found: Answer[] = [];
  const lost: { readonly pair: Pair; readonly answer: Answer; readonly before?: Answer }[] = [];
  const gone = new Set<string>();
  const isSame = sameAnswer(endpoint, "as before the refusal");
  const differs = (one: Answer, other: Answer) =>
    one.outcome.kind === "success" &&
    other.outcome.kind === "success" &&
    isSame(one.outcome.body, other.outcome.body).violations.length > 0;
  /** Whether the answer is the same as before whenever it is asked for by itself, and another one whenever a refusal comes before. */
  const differsAfterRefusals = async (pair: Pair, before: Answer) => {
    let found = false;
    for (let tries = 0; tries < 2; tries++) {
      const [by, after] = await askAround(context, pair);
      if (!by || differs(before, by)) return false;
      found ||= after !== undefined && differs(before, after);
    }
    return found;
  };
  const look = async (pair: Pair) => {
    const request = stringify(pair.known);
    const answers = await askAround(context, pair);
    const [before, after] = answers;
    if (before && after && differs(before, after)) {
      if (await differsAfterRefusals(pair, before)) lost.push({ pair, answer: after, before });
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
  for (const pair of pairsOf(context)) await look(pair);
  for (let looks = 0; lost[0] !== undefined && lost.length === 1 && looks < LOOKS_AGAIN; looks++) {
    await pause(LOOK_AGAIN_MS);
    await look(lost[0].pair);
  }
  if (lost.length < 2)
    required(found[0], unexplored(context, endpoint, "about something that is known, right after a refusal"));
  for (const answer of found) verify(answer).succeeds();
  if (lost.length < 2) return;
  for (const { answer, before } of lost) {
    if (before) verify(before, answer).satisfies(isSame);
    else verify(answer).succeeds();
  }
}

/**
 * Asks for what is known, for what is refused, and at once again, with nothing in between: what is remembered may be forgotten, or
 * told to whoever asks next. It is asked for once before that, since others may just have been refused. Resolves to the answers to what
 * is known, until one is no success.
 */
async function askAround({ ask, endpoint }: CheckContext, { known, refused }: Pair): Promise<readonly Answer[]> {
  const operation = endpoint as UnaryEndpoint;
  const [, before, between, after] = await Promise.all(
    [known, known, refused, known].map((request) => ask(operation, request, { alone: true })),
  );
  if (!before) return [];
  if (before.outcome.kind !== "success" || between?.outcome.kind !== "error" || !after) return [before];
  return [before, { ...after, after: between.exchange.request }];
}

/** Requests that are answered, each with one like it that has a fault: a quote that nobody knows, no market, or a wrong type. */
function pairsOf(context: CheckContext): readonly Pair[] {
  const { endpoint, subjects, required } = context;
  switch (endpoint) {
    case "GetAllPositions":
    case "GetAllOrders":
      return [2, 3].map((limit) => ({ known: { limit }, refused: { limit: "many" } }));
    case "GetPortfolio": {
      const withOpenOrders = subjects.wallets.filter(({ openOrders = 0 }) => openOrders > 0);
      required(withOpenOrders[0], missingData(subjects, "walletWithOrders"));
      // Small portfolios: those of wallets with few orders.
      return withOpenOrders
        .sort((one, other) => orderCountOf(one) - orderCountOf(other))
        .slice(0, PAIRS)
        .map(({ address }) => ({ known: { owner: address }, refused: { owner: 1 } }));
    }
    case "GetHistoricalPrices":
      required(subjects.markets[0], missingData(subjects, "market"));
      return [...new Set([...marketsWithCandles(subjects), ...subjects.markets])]
        .slice(0, PAIRS)
        .map(({ marketId }) => ({
          known: selecting(context, endpoint, { marketId }),
          refused: selecting(context, endpoint, { marketId: "0" }),
        }));
    default:
      return pairsBySymbols(context);
  }
}

/** Of each market a request with a quote that nobody knows. */
function pairsBySymbols(context: CheckContext): readonly Pair[] {
  const { endpoint, subjects } = context;
  const unknown = subjects.unknown.symbols;
  const request = (symbols: JsonObjectInput): JsonObjectInput =>
    endpoint === "GetMarketIdByName"
      ? symbols
      : selecting(context, endpoint as SelectorEndpoint, { marketSymbol: symbols });
  return pairedMarkets(context)
    .slice(0, PAIRS)
    .map(({ symbols }) => ({
      known: request({ ...symbols }),
      refused: request({ ...symbols, quoteSymbol: unknown.quoteSymbol }),
    }));
}
