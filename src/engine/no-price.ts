import type { JsonObject } from "../connect/json.js";
import { errorCode } from "../judge/connect-error.js";
import { compareInstants, parseInstant, plusSeconds } from "../judge/instant.js";
import type { ShownBody } from "../judge/located-rows.js";
import type { KnownSubjects } from "../judge/parsed-request.js";
import { candlesOf } from "../judge/read.js";
import { candleIntervalSeconds } from "../specification/limits.js";
import type { AnswerOf } from "./answer.js";
import { parsedRequestOf } from "./invariant-judgement.js";

/**
 * Whether an answer of GetHistoricalPrices rightly says that there is no price in the range: `not_found` may mean that a
 * "price does not exist" (§7). It does exist if another answer shows a candle of the market in the range, one of the same
 * interval or a whole interval after the start.
 */
export function saysNoPrice(
  answer: AnswerOf<ShownBody>,
  others: readonly AnswerOf<ShownBody>[],
  subjects: KnownSubjects,
): boolean {
  if (answer.endpoint !== "GetHistoricalPrices" || errorCode(answer) !== "not_found") return false;
  const asked = parsedRequestOf(answer, subjects);
  const [start, end] = [asked?.startTime, asked?.endTime].map((time) => parseInstant(time ?? ""));
  if (!asked?.interval || !start || !end) return true;
  const { marketId, interval } = asked;
  const afterOne = plusSeconds(start, candleIntervalSeconds[interval]);
  return !others.some((other) => {
    const known = parsedRequestOf(other, subjects);
    if (other.outcome.kind !== "success" || known?.marketId !== marketId) return false;
    const from = known?.interval === interval ? start : afterOne;
    return candlesOf(other.outcome.body as JsonObject).some(
      ({ timestamp: { instant } }) =>
        instant && compareInstants(instant, from) >= 0 && compareInstants(instant, end) <= 0,
    );
  });
}
