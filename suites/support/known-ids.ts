/** Requests for the prices of known markets, which are named by their ids (§4.7). */
import type { AnswerOf } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { explored, unexplored } from "../../src/engine/explored.js";
import { parsedRequestOf } from "../../src/engine/invariant-judgement.js";
import { errorCode } from "../../src/judge/connect-error.js";
import type { ShownBody } from "../../src/judge/located-rows.js";
import { groupBy } from "../../src/specification/group-by.js";
import { byId, simpleRequest } from "../../src/subjects/requests.js";

/**
 * One answer about each known market that was explored by its id: one that is not `invalid_argument`, or else that to
 * the simplest request.
 */
export async function answersByKnownIds(context: CheckContext): Promise<readonly AnswerOf<ShownBody>[]> {
  const { call, endpoint, required, subjects } = context;
  const { exchanges } = await explored(context, endpoint);
  const byMarket = groupBy(exchanges, ({ answer }) => {
    const asked = parsedRequestOf(answer, subjects);
    return asked?.bySymbols ? undefined : asked?.marketId;
  });
  const known = subjects.markets.filter(({ marketId, name }) => name !== undefined && byMarket.has(marketId));
  required(known[0], unexplored(context, "about a known market"));
  return Promise.all(
    known.map(async (market) => {
      const valid = byMarket.get(market.marketId)?.find(({ answer }) => errorCode(answer) !== "invalid_argument");
      return valid?.answer ?? call.getHistoricalPrices({ ...simpleRequest(endpoint, subjects), ...byId(market) });
    }),
  );
}
