/** Detects markets that the target has delisted or renamed since discovery saw them. */
import { isJsonObject, parseJsonObject } from "../connect/json.js";
import { errorCode } from "../judge/connect-error.js";
import { marketConfigOf } from "../judge/read.js";
import type { MarketSubject, Subjects } from "../subjects/subjects.js";
import type { Answer, AnswerOf } from "./answer.js";
import type { CheckClient } from "./check-client.js";

/** Maximum number of markets to look up. */
const mostLookedUp = 3;

/**
 * Looks up the markets that these answers are about, since a platform may delist or rename one during a run. A market counts
 * as delisted if its configuration was seen before and now neither its id nor its name is found; as renamed if its
 * configuration shows another name, and its symbols no longer lead to it (§4.8, §4.9).
 *
 * @returns what happened to the first market that changed: `the market 7 was renamed`
 */
export async function changedMarket(
  answers: readonly AnswerOf<unknown>[],
  { markets }: Pick<Subjects, "markets">,
  client: Pick<CheckClient, "ask">,
): Promise<string | undefined> {
  const marketsAsked = answers.flatMap((answer) => marketAsked(answer, markets) ?? []);
  for (const { marketId, name, symbols } of [...new Set(marketsAsked)].slice(0, mostLookedUp)) {
    const byId = await client.ask("GetMarketConfigs", { market: { marketId } });
    const isGone = errorCode(byId) === "not_found";
    const isRenamed = !isGone && symbols?.quoteSymbol !== undefined && (nameIn(byId) ?? name) !== name;
    if (!isGone && !isRenamed) continue;
    const byName = symbols?.quoteSymbol === undefined ? byId : await client.ask("GetMarketIdByName", { ...symbols });
    if (isGone && errorCode(byName) === "not_found") return `the market ${marketId} was delisted`;
    if (isRenamed && !leadsTo(marketId, byName)) return `the market ${marketId} was renamed`;
  }
  return undefined;
}

/** The name in an answer of GetMarketConfigs. */
function nameIn({ outcome }: Answer): string | undefined {
  return outcome.kind === "success" ? marketConfigOf(outcome.body)?.marketName : undefined;
}

/** Whether an answer of GetMarketIdByName may lead to a market: only a success with another id, or not_found, does not. */
function leadsTo(marketId: string, answer: Answer): boolean {
  if (errorCode(answer) === "not_found") return false;
  return answer.outcome.kind !== "success" || String(answer.outcome.body.marketId) === marketId;
}

/** The market that a request names, if its configuration was seen before. */
function marketAsked(
  { exchange, outcome }: AnswerOf<unknown>,
  markets: readonly MarketSubject[],
): MarketSubject | undefined {
  if (outcome.kind !== "success" && outcome.kind !== "error") return undefined;
  const request = parseJsonObject(exchange.request.body) ?? {};
  const selector = isJsonObject(request.market) ? request.market : { marketSymbol: request };
  const symbols = isJsonObject(selector.marketSymbol) ? selector.marketSymbol : {};
  const known = markets.filter(({ tickDecimals }) => tickDecimals !== undefined);
  return known.find(
    (market) =>
      market.marketId === selector.marketId ||
      (market.symbols?.quoteSymbol !== undefined &&
        market.symbols.assetSymbol === symbols.assetSymbol &&
        market.symbols.quoteSymbol === symbols.quoteSymbol),
  );
}
