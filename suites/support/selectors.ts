import type { JsonInput, JsonObject, JsonObjectInput } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { exploredAnswers } from "../../src/engine/explored.js";
import { parsedRequestOf } from "../../src/engine/invariant-judgement.js";
import { knownBody } from "../../src/engine/samples.js";
import { requireUsable, usable } from "../../src/engine/usable.js";
import { outcomeInWords, rejectTrouble } from "../../src/engine/verify.js";
import { formatInstant, plusSeconds } from "../../src/judge/instant.js";
import type { Judgement } from "../../src/judge/judgement.js";
import { heldData, type SelectorEndpoint } from "../../src/judge/markets.js";
import { latestActivity } from "../../src/subjects/latest-activity.js";
import {
  type MarketWithSymbols,
  marketsWithSymbols,
  walletWithFewOrders,
  walletWithMostOrders,
} from "../../src/subjects/select.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";

/**
 * An ordinary request of an operation that takes a selector, with this one. The other fields are the same for all selectors
 * and keep answers small.
 */
export function selecting(
  context: CheckContext,
  endpoint: SelectorEndpoint,
  market: JsonInput | undefined,
): JsonObjectInput {
  return { ...withoutSelector(context, endpoint), market };
}

function withoutSelector({ subjects, required }: CheckContext, endpoint: SelectorEndpoint): JsonObjectInput {
  switch (endpoint) {
    case "GetMarketConfigs":
      return {};
    case "GetOrderBook":
      return { limit: 5 };
    case "GetOrders": {
      const wallet = walletWithFewOrders(subjects) ?? walletWithMostOrders(subjects);
      return { address: required(wallet, "walletWithOrders").address };
    }
    case "GetHistoricalPrices": {
      const end = latestActivity(subjects);
      return { startTime: formatInstant(plusSeconds(end, -4 * 3600)), endTime: formatInstant(end), interval: "60" };
    }
  }
}

/**
 * A market whose id the operation was seen to accept in a selector. Whatever it refuses after that, it refuses for its
 * fault.
 */
export async function marketAcceptedById(context: CheckContext, endpoint: SelectorEndpoint): Promise<MarketSubject> {
  const market = context.subject("market");
  const request = selecting(context, endpoint, { marketId: market.marketId });
  requireUsable([await context.shared(endpoint, request)]);
  return market;
}

/** A market whose symbols the operation was seen to accept in a selector. */
export async function marketAcceptedBySymbol(
  context: CheckContext,
  endpoint: SelectorEndpoint,
): Promise<MarketWithSymbols> {
  const market = context.subject("marketWithSymbols");
  requireUsable([
    await context.shared(endpoint, selecting(context, endpoint, { marketSymbol: { ...market.symbols } })),
  ]);
  return market;
}

/** The markets whose asset and quote symbols are known. Without any the check is inconclusive. */
export function pairedMarkets({
  subject,
  subjects,
}: CheckContext): readonly [MarketWithSymbols, ...(readonly MarketWithSymbols[])] {
  return [subject("marketWithSymbols"), ...marketsWithSymbols(subjects).slice(1)];
}

/** Whether the operation says that what was asked for does not exist (§7). */
export function isNotFound(answer: Answer | undefined): boolean {
  return answer?.outcome.kind === "error" && answer.outcome.code === "not_found";
}

/** The explored configurations, one per market. Without any the check is inconclusive. */
export async function marketConfigs(context: CheckContext): Promise<readonly MarketAnswer[]> {
  const { subjects } = context;
  const answers = usable(await exploredAnswers(context, "GetMarketConfigs"));
  return subjects.markets.flatMap((market): MarketAnswer[] => {
    const answer = answers.find((each) => parsedRequestOf(each, subjects)?.marketId === market.marketId);
    return answer ? [{ market, answer }] : [];
  });
}

/** An answer about a market. */
export interface MarketAnswer {
  readonly market: MarketSubject;
  readonly answer: Answer;
}

/**
 * Accepts an error, which holds no data, and judges a success. Any other answer says nothing about the request, so the check
 * is inconclusive.
 */
export function refusedOr(
  { verify, inconclusive }: Pick<CheckContext, "verify" | "inconclusive">,
  answer: Answer,
  judge: (body: JsonObject) => Judgement,
): void {
  const { kind } = answer.outcome;
  if (kind === "success" || kind === "sample") verify(answer).holdsForAnyRows(judge);
  else if (kind === "error") verify(answer).fails();
  else {
    rejectTrouble(answer);
    inconclusive(`${answer.endpoint} gave ${outcomeInWords(answer)}, where a Connect answer would settle it`);
  }
}

/** Whether a success contains data of some market. */
export function bringsData(endpoint: SelectorEndpoint, answer: Answer): boolean {
  const body = knownBody(answer);
  return body !== undefined && heldData(endpoint, body) !== undefined;
}

/** Records what the operation makes of each of some selectors. */
export async function recordSelections(
  context: CheckContext,
  endpoint: SelectorEndpoint,
  selectors: Readonly<Record<string, JsonInput>>,
): Promise<void> {
  for (const [what, selector] of Object.entries(selectors)) {
    const answer = await context.ask(endpoint, selecting(context, endpoint, selector));
    context.record(what, answer, (body) => `a success with ${heldData(endpoint, body) ?? "nothing"}`);
  }
}
