/** Markets that a run knows of, and that the target has delisted since. */
import { isJsonObject, parseJson } from "../connect/json.js";
import { errorCode } from "../judge/connect-error.js";
import type { MarketSubject, Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { CheckClient } from "./check-client.js";

/** Markets that are looked up, at most. */
const MOST_LOOKED_UP = 3;

/** Requests that {@link delistedMarket} sends at most: a connection that breaks is tried a few times more. */
export const delistedBudget = 2 * 5 * MOST_LOOKED_UP;

/**
 * Looks up the markets that some answers are about: a platform may delist one while a run goes on. One counts as delisted when it had
 * a configuration before, and neither its id nor its name is found now (§4.8, §4.9).
 *
 * @returns the id of the first one that is gone
 */
export async function delistedMarket(
  answers: readonly AnswerOf<unknown>[],
  { markets }: Pick<Subjects, "markets">,
  client: Pick<CheckClient, "ask">,
): Promise<string | undefined> {
  const about = answers.flatMap((answer) => marketAsked(answer, markets) ?? []);
  for (const { marketId, symbols } of [...new Set(about)].slice(0, MOST_LOOKED_UP)) {
    const byId = await client.ask("GetMarketConfigs", { market: { marketId } });
    if (errorCode(byId) !== "not_found") continue;
    const byName = symbols?.quoteSymbol === undefined ? byId : await client.ask("GetMarketIdByName", { ...symbols });
    if (errorCode(byName) === "not_found") return marketId;
  }
  return undefined;
}

/** The market that a request names, if its configuration was seen before. */
function marketAsked(
  { exchange, outcome }: AnswerOf<unknown>,
  markets: readonly MarketSubject[],
): MarketSubject | undefined {
  if (outcome.kind !== "success" && outcome.kind !== "error") return undefined;
  const parsed = parseJson(exchange.request.body);
  const request = "value" in parsed && isJsonObject(parsed.value) ? parsed.value : {};
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
