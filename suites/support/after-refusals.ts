/** What a refused request leaves behind: nothing (§7). */
import { type JsonObjectInput, stringify } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { unexplored } from "../../src/engine/explored.js";
import type { SelectorEndpoint } from "../../src/judge/markets.js";
import { isNotFound, pairedMarkets, selecting } from "./selectors.js";

/** Operations that are asked for a market by its symbols. */
export const symbolEndpoints = ["GetOrders", "GetOrderBook", "GetMarketConfigs", "GetMarketIdByName"] as const;

/** Markets that are asked for. */
const MARKETS = 3;

/** How often what was seen once is looked at again, and after how many milliseconds: what is remembered may have been forgotten. */
const LOOKS_AGAIN = 3;
const LOOK_AGAIN_MS = 3_500;

/** Requests that {@link foundAfterRefusals} sends at most. */
export const afterRefusalsBudget = (MARKETS + LOOKS_AGAIN) * 3;

/** A request for a market that is known, and one that is refused although it is like it. */
interface Pair {
  readonly known: JsonObjectInput;
  readonly refused: JsonObjectInput;
}

/**
 * Asserts that a market which discovery found is found right after a request was refused for one that does not exist. One that is
 * refused itself may have been delisted meanwhile: it takes two such markets, or the same one twice, found in between.
 */
export async function foundAfterRefusals(context: CheckContext): Promise<void> {
  const { endpoint, pause, required, verify } = context;
  const found: Answer[] = [];
  const lost: { readonly pair: Pair; readonly answer: Answer }[] = [];
  const gone = new Set<string>();
  const look = async (pair: Pair) => {
    const market = stringify(pair.known);
    for (const answer of await askAround(context, pair)) {
      if (answer.outcome.kind === "success") {
        found.push(answer);
        gone.delete(market);
      } else if (isNotFound(answer)) {
        if (!gone.has(market)) lost.push({ pair, answer });
        gone.add(market);
      }
    }
  };
  for (const pair of pairsOf(context)) await look(pair);
  for (let looks = 0; lost[0] !== undefined && lost.length === 1 && looks < LOOKS_AGAIN; looks++) {
    await pause(LOOK_AGAIN_MS);
    await look(lost[0].pair);
  }
  if (lost.length < 2) required(found[0], unexplored(context, endpoint, "about a market that is known by its symbols"));
  for (const answer of found) verify(answer).succeeds();
  if (lost.length > 1) for (const { answer } of lost) verify(answer).succeeds();
}

/**
 * Asks for what is known, for what is refused, and again, before any request that waits: what is remembered may be forgotten
 * meanwhile. Resolves to the answers to what is known, until one is no success.
 */
async function askAround({ ask, endpoint }: CheckContext, { known, refused }: Pair): Promise<readonly Answer[]> {
  const operation = endpoint as (typeof symbolEndpoints)[number];
  const before = await ask(operation, known);
  if (before.outcome.kind !== "success") return [before];
  const between = await ask(operation, refused, { after: before.exchange.request });
  return between.outcome.kind === "error"
    ? [before, await ask(operation, known, { after: between.exchange.request })]
    : [before];
}

/** Of each market a request with a quote that nobody knows. */
function pairsOf(context: CheckContext): readonly Pair[] {
  const { endpoint, subjects } = context;
  const unknown = subjects.unknown.symbols;
  const request = (symbols: JsonObjectInput): JsonObjectInput =>
    endpoint === "GetMarketIdByName"
      ? symbols
      : selecting(context, endpoint as SelectorEndpoint, { marketSymbol: symbols });
  return pairedMarkets(context)
    .slice(0, MARKETS)
    .map(({ symbols }) => ({
      known: request({ ...symbols }),
      refused: request({ ...symbols, quoteSymbol: unknown.quoteSymbol }),
    }));
}
