/** Detects markets that the target has delisted since discovery saw them. */
import { isJsonObject, parseJson } from "../connect/json.js";
import { errorCode } from "../judge/connect-error.js";
import type { MarketSubject, Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { CheckClient } from "./check-client.js";

/** Maximum number of markets to look up. */
const mostLookedUp = 3;

/**
 * Looks up the markets that these answers are about, since a platform may delist one during a run. A market counts as
 * delisted if its configuration was seen before and now neither its id nor its name is found (§4.8, §4.9).
 *
 * @returns the id of the first market that is gone
 */
export async function delistedMarket(
  answers: readonly AnswerOf<unknown>[],
  { markets }: Pick<Subjects, "markets">,
  client: Pick<CheckClient, "ask">,
): Promise<string | undefined> {
  const about = answers.flatMap((answer) => marketAsked(answer, markets) ?? []);
  for (const { marketId, symbols } of [...new Set(about)].slice(0, mostLookedUp)) {
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
